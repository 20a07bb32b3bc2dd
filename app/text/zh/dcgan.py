"""Words of the DCGAN page."""

MESSAGES: dict[str, str] = {
    "dcgan_generator.sentence": (
        "两个网络相互较量：生成器 G 用 64 个随机数画出数字，判别器 D 努力把它们与真数字区分开。"
    ),
    "dcgan_generator.score": "{samples:,} 个样本中，裁判对 {confident:%} 有把握",
    "dcgan_generator.weights.digits": "手写数字",
    "dcgan_discriminator.weights.digits": "手写数字",
    # input
    "dcgan.seed": "随机种子",
    "dcgan.seed.next": "换一批样本",
    "dcgan.seed.help": "种子决定全部随机数 z，同一个种子总是得到同样的 32 张图。",
    # gallery
    "dcgan.sample": "样本 {n}",
    "dcgan.sheet.alt": "种子 {seed} 下生成器画出的 {count} 个数字",
    "dcgan.sheet.hint": "点按一个样本可细看。蓝色数字是下方漫步的各站。",
    "dcgan.sheet.says": (
        "D 平均以 {mean} 的概率把它们当作真图。裁判是两个网络都没见过的分类器：{count} 张中有 {sure} "
        "张它至少有 {least} 的把握，共读出 {different} 种数字。"
    ),
    "dcgan.closer": "样本 {n}",
    "dcgan.closer.alt": "放大的样本 {n}",
    "dcgan.d": "D(G(z))",
    "dcgan.d.help": "判别器认为这张图是真图的概率。50% 表示它分不出来，这正是生成器追求的。",
    "dcgan.judge": "裁判读作",
    "dcgan.judge.help": (
        "一个小分类器，训练所用的数字与这两个网络的不同。它只说看到哪个数字、有多大把握，从不判断真假。"
    ),
    "dcgan.judge.all": "十个数字的概率",
    "dcgan.judge.title": "裁判对样本 {n} 给出的概率",
    "dcgan.evidence": "D 的证据",
    "dcgan.evidence.show": "D 看了哪里",
    "dcgan.evidence.real": "支持真 {value}",
    "dcgan.evidence.generated": "支持生成 {value}",
    "dcgan.evidence.about": (
        "D 的最后一张图有 4 × 4 个位置，各自给 logit 贡献一份：蓝色支持“真”，橙色支持“生成”。"
    ),
    "dcgan.walk.in": "加入漫步",
    "dcgan.walk.in.help": "一次漫步最多 {most} 站。",
    "dcgan.walk.out": "移出漫步",
    # z
    "dcgan.z": "背后的 {count} 个数",
    "dcgan.z.about": (
        "G 得到的全部输入就是 z，取自正态分布。这里它的长度是 {norm}；这样的向量，长度几乎都在 √n = {root} 附近。"
    ),
    "dcgan.z.bar": "z {i}：{value}",
    "dcgan.z.title": "样本 {n} 的 z，画成条形",
    "dcgan.z.hint": "点按一根条，让这个数从 −3 变到 3，其余不动。",
    "dcgan.z.turned": "z {i} 从 −3 变到 3（此处为 {value}）；裁判依次读作 {digits}。",
    "dcgan.z.turned.alt": "z {i} 从 −3 变到 3 时的九张图",
    # walk
    "dcgan.walk.title": "在 z 空间里漫步",
    "dcgan.walk.about": (
        "两个样本之间还有别的样本。**球面**路线匀速转动方向，长度不变；**直线**路线从球内穿过，而训练中的 z "
        "几乎从未到过那里。"
    ),
    "dcgan.walk.few": "漫步至少需要两站：请在上方选一个样本并加入。",
    "dcgan.walk.spherical": "球面：沿弧线",
    "dcgan.walk.linear": "直线：穿过球内",
    "dcgan.walk.spherical.short": "弧线",
    "dcgan.walk.linear.short": "直线",
    "dcgan.walk.norm": "‖z‖（{way}）",
    "dcgan.walk.d": "D（{way}）",
    "dcgan.walk.judge": "裁判（{way}）",
    "dcgan.walk.step": "路程 {way}",
    "dcgan.walk.alt": "所选样本之间的漫步",
    "dcgan.walk.norms": "两条路线上 z 的长度",
    "dcgan.walk.axis": "一站到下一站",
    "dcgan.walk.shell": "99% 的 z",
    "dcgan.walk.says": (
        "前两站相隔 {angle}°。走到一半时，弧线上的长度是 {spherical}，直线上只有 {linear}；"
        "99% 的正态向量长度在 {low} 与 {high} 之间。"
    ),
    # ask D
    "dcgan.ask.title": "问 D：真的还是生成的？",
    "dcgan.ask.about": (
        "给 D 一张自己的图，或画一个数字。旁边是 D 对两类图的打分：所有网络都没训练过的真数字，以及新生成的数字。"
    ),
    "dcgan.ask.real": "没见过的真数字",
    "dcgan.ask.generated": "生成的数字",
    "dcgan.ask.yours": "你的图",
    "dcgan.ask.says": (
        "对 {count} 个没见过的真数字，D 平均给 {real}；对同样多的生成数字，平均给 {generated}。真假各取一个，"
        "它给真的打分更高的比例是 {ranked}；瞎猜是 50%。"
    ),
    "dcgan.canvas": "或者画一个数字：",
    "dcgan.canvas.alt": "画数字的画布",
    "dcgan.own": "D 看到的**{name}**",
    "dcgan.own.alt": "判别器看到的图像，32 × 32 灰度",
    "dcgan.own.drawn": "你画的图",
    "dcgan.own.framed": "按 MNIST 的方式取景：灰度，笔画长 20 像素，按重心居中放入 32 × 32；黑底白字。",
    "dcgan.own.inverted": (
        "原图是浅底深字，已反色；再按 MNIST 的方式取景：笔画长 20 像素，按重心居中放入 32 × 32 灰度图。"
    ),
    "dcgan.own.empty": "什么也看不到：整张图是同一种灰。交给 D 的是一片黑。",
    "dcgan.own.limits": "D 只学过一个问题：是 MNIST，还是这个生成器？照片两者都不是，它的回答没有多少意义。",
    # inside
    "dcgan.inside.title": "两个网络的内部",
    "dcgan.inside.about": "这里的一切都关于样本 {n}。先选网络、块和张量，再点按一个数，看它如何得来。",
    "dcgan.inside.net": "网络",
    "dcgan.net.generator": "生成器 G",
    "dcgan.net.discriminator": "判别器 D",
    "dcgan.inside.tap": "张量",
    "dcgan.inside.z": "输入：上方用条形画出的 64 个数。",
    "dcgan.part.conv": "批归一化之前",
    "dcgan.part.out": "激活之后",
    "dcgan.part.paint": "tanh 之前",
    "dcgan.part.picture": "图像",
    "dcgan.part.evidence": "证据",
    "dcgan.part.logit": "logit",
    "dcgan.number.title": "这个数从何而来",
    "dcgan.number.transposed": (
        "通道 {channel}、第 {row} 行、第 {column} 列。步幅为 2 的转置卷积里，一个输出单元最多听到 2 × 2 "
        "个输入单元，"
        "各经过卷积核 16 个权重中的 1 个：共 {terms} 项。"
    ),
    "dcgan.number.from_z": (
        "通道 {channel}、第 {row} 行、第 {column} 列。z 相当于只有一个单元的图，每个输出单元都是整个 z 的加权和，"
        "权重各不相同：共 {terms} 项。"
    ),
    "dcgan.number.conv": (
        "通道 {channel}、第 {row} 行、第 {column} 列。步幅为 2 的卷积读取每个输入通道的 4 × 4 "
        "个单元（图外的不计）："
        "共 {terms} 项。"
    ),
    "dcgan.number.norm_relu": (
        "通道 {channel}、第 {row} 行、第 {column} 列。批归一化用训练时记下的统计量缩放并平移，ReLU 再把负数截为 0。"
    ),
    "dcgan.number.norm_leaky": (
        "通道 {channel}、第 {row} 行、第 {column} 列。批归一化缩放并平移；LeakyReLU 把负数留下五分之一（已乘入）。"
    ),
    "dcgan.number.leaky": (
        "通道 {channel}、第 {row} 行、第 {column} 列。第一层没有批归一化，只有 LeakyReLU：大于 0 乘 1，小于 0 "
        "乘 0.2。"
    ),
    "dcgan.number.tanh": "第 {row} 行、第 {column} 列。tanh 把这个数压到 −1（黑）与 1（白）之间。",
    "dcgan.number.evidence": "第 {row} 行、第 {column} 列。这个位置的一份：{terms} 个通道，各有自己的权重。",
    "dcgan.number.logit": "全部 {terms} 个位置之和就是 logit s；D = 1 / (1 + e⁻ˢ)。",
    "dcgan.number.net": "网络给出 {value}；相差 {difference}。",
    "dcgan.heard.input": "输入 {size} × {size}",
    "dcgan.heard.kernel": "卷积核 4 × 4",
    "dcgan.heard.output": "输出",
    "dcgan.heard.title": "哪些输入单元经过哪些权重到达所选的输出单元（输入 {size}）",
    "dcgan.heard.about": "同色者相对应。相邻的输出单元用的是十六个权重中的另外四个，因此可能留下棋盘纹。",
    # timeline
    "dcgan.time.title": "它是怎样学会的",
    "dcgan.time.about": "同样的 {count} 个 z，由训练中 {moments} 个时刻的生成器画出：从随机权重到训练结束。",
    "dcgan.time.none": "训练快照不在这里。",
    "dcgan.time.progress": "第 {done} 个时刻，共 {total} 个",
    "dcgan.time.alt": "训练某一时刻的同一批样本",
    "dcgan.time.at": "第 {step} 步",
    "dcgan.time.moment": "时刻 {n}",
    "dcgan.time.d": "最终的 D",
    "dcgan.time.sure": "裁判有把握",
    "dcgan.time.different": "数字种类",
    "dcgan.time.d_real": "当时的 D(x)",
    "dcgan.time.d_fake": "当时的 D(G(z))",
    "dcgan.time.chart": "训练各时刻的数值",
    "dcgan.time.x": "快照",
    "dcgan.time.numbers": (
        "“当时的”指那一刻的判别器，取自训练报告；“最终的 D”和裁判看的是此处展示的图，现场算出。"
        "两个损失都不会一路下降：两个网络互相移动对方的目标。"
    ),
    "dcgan.time.forgot": (
        "连未训练的生成器画出的灰图，最终的 D 也给 {d}：它只认得最后的对手，最初的早已忘记。"
    ),
    "dcgan.time.unnoted": "训练报告没有记下这些时刻；所有数值都在此算出。",
    # losses
    "dcgan.loss.title": "生成器的两种损失",
    "dcgan.loss.about": (
        "训练之初，D 能看穿一切：D(G(z)) 接近 0。极小极大博弈的损失在那里是平的（**饱和**），G 什么也学不到。"
        "**非饱和**损失目标相同，却恰好在那里有足够大的梯度。"
    ),
    "dcgan.loss.saturating": "饱和",
    "dcgan.loss.non_saturating": "非饱和",
    "dcgan.loss.slider": "D 对一张生成图的判断",
    "dcgan.loss.slider.help": "每一格是一个整数 logit s，从 −10 到 10；D = 1 / (1 + e⁻ˢ)。",
    "dcgan.loss.gradient": "∂L/∂s = {value}",
    "dcgan.loss.chart.loss": "两种生成器损失随 D(G(z)) 的变化",
    "dcgan.loss.chart.gradient": "两种损失对 logit 的梯度随 D(G(z)) 的变化",
    "dcgan.loss.y.loss": "损失",
    "dcgan.loss.y.gradient": "∂L/∂s",
    "dcgan.loss.says.early": (
        "D(G(z)) = {d} 时，非饱和损失的拉力是饱和损失的 **{ratio} 倍**：G 正是靠它起步的。"
    ),
    "dcgan.loss.says.even": "D(G(z)) = {d} 时，两者拉力相同：−0.5。",
    "dcgan.loss.says.late": (
        "D(G(z)) = {d} 时，D 已被骗过。非饱和损失歇了下来（拉力是另一种的 {ratio} 倍），饱和损失还在往前推。"
    ),
    # the plane
    "dcgan.live.title": "动手试：平面上的 GAN",
    "dcgan.live.about": (
        "这里一个点就代表一张图，一切都看得见：真的点、生成的点，以及 D 在每一处的判断。可以一步一步走，"
        "也可以让它自己演。"
    ),
    "dcgan.live.recipes": "从这里开始：",
    "dcgan.live.recipe.learns": "顺利的一局",
    "dcgan.live.recipe.learns.help": "D 一步、G 一步，D 略快于 G。",
    "dcgan.live.recipe.collapses": "模式崩溃",
    "dcgan.live.recipe.collapses.help": (
        "G 的学习率是 D 的五十倍：它把所有点都扔到 D 此刻受骗的地方，甚至飞出平面，D 总是晚到一步。"
    ),
    "dcgan.live.recipe.fades": "D 遥遥领先",
    "dcgan.live.recipe.fades.help": "G 慢走一步，D 快走五步，并用饱和损失：请比较图下的两个梯度。",
    "dcgan.live.target": "真的点",
    "dcgan.live.target.ring": "八团成环",
    "dcgan.live.target.grid": "九团成格",
    "dcgan.live.target.line": "线",
    "dcgan.live.target.moons": "双月",
    "dcgan.live.target.own": "自己画",
    "dcgan.live.canvas": "画自己的分布",
    "dcgan.live.own": "画出真的点该在哪里。画之前先用环。",
    "dcgan.live.k": "k：每轮 D 的步数",
    "dcgan.live.k.help": "论文的算法 1：D 走 k 步，G 走一步。",
    "dcgan.live.loss": "G 的损失",
    "dcgan.live.loss.help": "见上面关于两种损失的一节。",
    "dcgan.live.rate": "{net} 的学习率",
    "dcgan.live.pace": "每两帧之间的轮数",
    "dcgan.live.pace.help": "1 是慢动作。",
    "dcgan.live.d": "D 走一步",
    "dcgan.live.d.help": "D 在 128 个真点和 128 个生成点上学一点；G 不动。",
    "dcgan.live.g": "G 走一步",
    "dcgan.live.g.help": "G 按短线所示移动它的点；D 不动。",
    "dcgan.live.r": "走一轮",
    "dcgan.live.r.help": "D 走 k 步，然后 G 走一步。",
    "dcgan.live.run": "演 {rounds} 轮",
    "dcgan.live.run.help": "一次算完，在此播放；可随意暂停和拖动。",
    "dcgan.live.alone": "只练 D",
    "dcgan.live.alone.help": "G 等着，D 走 {steps} 步：D 会趋近 D*。",
    "dcgan.live.restart": "重新开始",
    "dcgan.live.another": "换一组权重",
    "dcgan.live.another.help": "从另一组随机权重重新开始。",
    "dcgan.live.running": "正在对局……",
    "dcgan.live.replaying": "正在重演链接里的对局……",
    "dcgan.live.strip.d": "现在的 D",
    "dcgan.live.strip.best": "D* = p / (p + q)",
    "dcgan.live.d_real": "D(x)",
    "dcgan.live.d_fake": "D(G(z))",
    "dcgan.live.covered": "覆盖目标",
    "dcgan.live.on": "落在目标上",
    "dcgan.live.gradient.saturating": "G 的梯度（饱和）",
    "dcgan.live.gradient.non_saturating": "（非饱和）",
    "dcgan.live.pull": (
        "此刻非饱和损失给 G 的梯度是饱和损失的 {ratio} 倍。（Adam 会弥补一部分："
        "它把每一步除以梯度平时的大小。）"
    ),
    "dcgan.live.at": "D {d} 步，G {g} 步",
    "dcgan.live.alt": "判别器曲面上的真点与生成点；目标：{target}",
    "dcgan.live.hint": "播放、暂停，或在图上拖动；这些都不需要重新计算。",
    "dcgan.live.legend": (
        "深蓝：真的点。深橙：生成的点，短线指向所选损失拉它去的方向。底色是 D：蓝说真，橙说生成，细线处 D = ½。"
        "右边是对这两团点而言最好的 D，p 和 q 是它们的核密度；两者都没有的地方是白色。"
    ),
    "dcgan.live.bound": "V(D*)：没有 D 能超过",
    "dcgan.live.chart": "开局以来的 V 及其上下界",
    "dcgan.live.x": "D 与 G 的总步数",
    "dcgan.live.says.fresh": (
        "还什么都没学：V = {value}。最好的 D 能达到 V(D*) = {bound}；假如 G 完美，连它也只有 −2 ln 2 = "
        "{undecided}。"
        "生成的点覆盖目标的 {covered}，其中 {on} 落在目标上。"
    ),
    "dcgan.live.says.good": (
        "G 覆盖了目标的 {covered}，{on} 的点落在目标上。V = {value}，接近 −2 ln 2 = {undecided}：D 已很难分辨；"
        "最好的 D 还能达到 {bound}。"
    ),
    "dcgan.live.says.crowded": (
        "**崩溃**：所有的点挤成一团，只覆盖目标的 {covered}（{on} 落在目标上）。V = {value}，而最好的 D "
        "能达到 {bound}：现在的 D 总是慢一步。试试减小 G 的学习率，或增大 k。"
    ),
    "dcgan.live.says.between": (
        "这一批上 V = {value}。完全分不清的 D 得 −2 ln 2 = {undecided}；对这些点，最好的 D 大约能达到 {bound}。"
        "生成的点覆盖目标的 {covered}，其中 {on} 落在目标上。"
    ),
    "dcgan.live.long": "这一局太长，放不进链接：打开链接会重新开局。",
    # notes
    "dcgan.notes.title": "笔记与论文",
    "dcgan.notes.about": "学习笔记 4.1 节讲的就是这场博弈。有两处与论文不同；这里的数值在你阅读时现场算出。",
    "dcgan.notes.tests": "测试：{names}",
    "dcgan.note.E10": (
        "**E10** 笔记把 $H(1, D(G(z)))$ 和 $\\min_G E[\\log(1 - D(G(z)))]$ 写成同一个损失，其实是两个。"
        "logit 为 −10 时，对 logit 的梯度：饱和损失是 {saturating}，非饱和损失是 {non_saturating}；"
        "logit 为 0 时都是 {even}。训练用的是非饱和损失。"
    ),
    "dcgan.note.E11": (
        "**E11** D 的损失中两项都是一批样本的均值，而且 D 更新时 G(z) 固定不动：刚才算的一步 D，G 的权重变化为 "
        "{moved}，"
        "D 的权重最多变化 {moved_d}。G 固定时，最优的是 $D^* = p / (p + q)$。D 处处为 ½ 时 $V = -2 \\ln 2$ = "
        "{undecided}；"
        "在为这张卡片另开的一局里，训练之前的 V 是 {value}，最好的 D 能达到 {best}。"
        "“直到纳什均衡”只是愿望：没有什么能保证，崩溃的例子就说明了这一点。"
    ),
    "dcgan.paper.gan": "博弈本身、两种损失（第 3 节）、D 的最优解（命题 1）与 −2 ln 2（定理 1）。",
    "dcgan.paper.dcgan": "两个网络的各层。",
    "dcgan.paper.walk": "为什么在 z 空间里应走球面路线。",
    "dcgan.paper.ring": "用八团成环检验崩溃。",
    "dcgan.paper.adam": "两个网络所用的优化器。",
    # take away
    "dcgan.take.title": "保存与分享",
    "dcgan.take.about": (
        "链接会恢复种子、样本、漫步、张量和平面上的对局。文件是样本图和它们的 z；漫步、"
        "训练和平面各有自己的文件，见上文。"
    ),
}
