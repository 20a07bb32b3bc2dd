"""VAE 页面的文字。"""

MESSAGES: dict[str, str] = {
    "vae_encoder.sentence": (
        "编码器把一个手写数字变成几个数，解码器再变回来。VAE 编码出的不是一个点，而是一小团云；损失里的第二项"
        "让所有的云都留在原点附近。"
    ),
    "vae_encoder.score": "在 {held_out} 个没见过的数字上 ELBO 为 {elbo:.1f} nat",
    "vae_encoder.score.other": (
        "在 {held_out} 个没见过的数字上平方误差 {mean_squared_error_of_the_mean_code:.4f}"
    ),
    "vae_decoder.score": "在 {held_out} 个没见过的数字上 ELBO 为 {elbo:.1f} nat",
    "vae_decoder.score.other": (
        "在 {held_out} 个没见过的数字上平方误差 {mean_squared_error_of_the_mean_code:.4f}"
    ),
    "vae_encoder.weights.digits2": "VAE，2 个数",
    "vae_encoder.weights.ae2": "自编码器，2 个数",
    "vae_encoder.weights.digits16": "VAE，16 个数",
    "vae_encoder.weights.ae16": "自编码器，16 个数",
    "vae_encoder.weights.beta025": "VAE，16 个数，β = ¼",
    "vae_encoder.weights.beta4": "VAE，16 个数，β = 4",
    "vae_decoder.weights.digits2": "VAE，2 个数",
    "vae_decoder.weights.ae2": "自编码器，2 个数",
    "vae_decoder.weights.digits16": "VAE，16 个数",
    "vae_decoder.weights.ae16": "自编码器，16 个数",
    "vae_decoder.weights.beta025": "VAE，16 个数，β = ¼",
    "vae_decoder.weights.beta4": "VAE，16 个数，β = 4",
    "vae.a": "图片 A",
    "vae.b": "图片 B",
    "vae.which": "看哪一张",
    "vae.vae.short": "VAE",
    "vae.ae.short": "自编码器",
    "vae.encoder": "编码器",
    "vae.decoder": "解码器",
    "vae.net.digits2": "VAE，2 个数",
    "vae.net.ae2": "自编码器，2 个数",
    "vae.net.digits16": "VAE，β = 1",
    "vae.net.ae16": "自编码器",
    "vae.net.beta025": "VAE，β = ¼",
    "vae.net.beta4": "VAE，β = 4",
    # 输入
    "vae.input.about": "选两张图片：可以是这里的网络从没训练过的数字，可以自己写，也可以上传自己的图片。",
    "vae.input.way": "{name} 的来源",
    "vae.input.alt": "编码器收到的{name}，28 × 28 灰度",
    "vae.input.sheet": "供{name} 挑选的 {count} 个数字",
    "vae.input.canvas": "{name} 的画板",
    # 从 A 到 B
    "vae.between.title": "从 A 到 B",
    "vae.between.about": (
        "先把两张图片编码，再把两个编码之间的点解码出来。拖动滑块时不再做任何计算。一路上由**裁判**说它看到的"
        "是哪个数字、有多大把握：它是用另一批数字训练的分类器。它也学过不是数字的图片（例如混合图），对这些尽"
        "量没有把握：这时它说“不是数字”（十个数字都在 10% 左右）。"
    ),
    "vae.size": "编码的大小",
    "vae.size.n": "{n} 个数",
    "vae.way.vae_straight": "VAE，走直线",
    "vae.way.vae_arc": "VAE，走圆弧",
    "vae.way.ae_straight": "自编码器，走直线",
    "vae.way.pixels": "像素混合",
    "vae.way.vae_straight.short": "VAE 直线",
    "vae.way.vae_arc.short": "VAE 圆弧",
    "vae.way.ae_straight.short": "AE 直线",
    "vae.way.ae_arc.short": "AE 圆弧",
    "vae.way.pixels.short": "像素混合",
    "vae.judge.none": "“不是数字”",
    "vae.between.judge": "裁判：{way}",
    "vae.between.length": "‖z‖：{way}",
    "vae.between.share": "A 占 {a}，B 占 {b}",
    "vae.between.alt": "从图片 A 到图片 B 的四条路",
    "vae.between.middle": "中点",
    "vae.between.chart": "沿每条路裁判的把握",
    "vae.between.x": "B 的比例",
    "vae.between.y": "裁判的把握",
    "vae.between.says": (
        "**走到一半**时，裁判在 VAE 的直线上读到 {vae_straight}，在圆弧上读到 {vae_arc}，在自编码器里读到 "
        "{ae_straight}，只混合像素则是 {pixels}。"
    ),
    "vae.between.lengths": (
        "VAE 的直线中点离原点 {straight}，圆弧上是 {arc}；没见过的数字的编码平均长度是 {usual}。越往里，解码"
        "器见过的编码越少，只好给出一个平均的样子。"
    ),
    "vae.between.ends": "两端是网络自己对 A 和 B 的重构；像素混合的两端就是原来的图片。",
    "vae.many.title": "是碰巧吗？再看 {count} 对",
    "vae.many.chart": "中点能让裁判有把握的比例",
    "vae.many.about": (
        "取 {count} 对没见过的、类别不同的数字，看裁判在中点的把握。把握达到 {sure} 算“有把握”；对这些数字本"
        "身，裁判有把握的占 {real}。"
    ),
    "vae.many.ae": (
        "混合像素只有 {pixels} 能得到数字，两种网络都高得多。但在这里**自编码器**并不更差：它的直线中点有 "
        "{ae_straight} 是数字，VAE 是 {vae_straight}；走圆弧则分别是 {ae_arc} 和 {vae_arc}。几千个数字把自编"
        "码器的地图挤得很满，两个编码之间总有别的编码。VAE 的第二项真正起作用的地方在下一节：没有任何图片被编"
        "码到的位置。"
    ),
    "vae.many.vae": (
        "混合像素只有 {pixels} 能得到数字。VAE 的直线中点有 {vae_straight} 是数字，自编码器是 {ae_straight}；"
        "走圆弧则是 {vae_arc} 和 {ae_arc}。最明显的差别在下一节：没有任何图片被编码到的位置。"
    ),
    "vae.many.two": (
        "用两个数表示十种数字太少了：两种网络都很模糊，而裁判只认得清晰的数字，几乎总是没有把握（直线上 "
        "{vae_straight} 和 {ae_straight}，圆弧上 {vae_arc} 和 {ae_arc}，像素混合 {pixels}）。这说明的是模糊，"
        "而不是中点：请与 16 个数比较。"
    ),
    # 先验
    "vae.prior.title": "凭空生成",
    "vae.prior.about": (
        "随机取一个 z 再解码。KL 项让 VAE 的编码整体上像一团标准正态的云，所以从这团云里取样会落在编码中间。"
        "自编码器则没有任何这样的保证。"
    ),
    "vae.prior.seed": "随机种子",
    "vae.prior.next": "换一批编码",
    "vae.prior.vae": "**VAE**，z 取自 N(0, I)",
    "vae.prior.ae": "**自编码器**，同样的 z",
    "vae.prior.fitted": "**自编码器**，z 取自按它的编码拟合的正态分布",
    "vae.prior.vae.short": "VAE",
    "vae.prior.ae.short": "自编码器",
    "vae.prior.fitted.short": "自编码器加拟合的正态分布",
    "vae.prior.alt": "由随机编码得到的 {count} 张图片：{kind}",
    "vae.prior.sure": "这样的图片取 {count} 张，裁判对其中 {share} 有把握。",
    "vae.prior.two": (
        "用两个数时两种网络都能给出数字，只是模糊：让裁判有把握的占 {vae} 和 {ae}。同样的 z 落在自编码器地图"
        "上恰好有编码的一小块；0、2、6 在别处，几乎不会出现。按所有编码拟合的正态分布（{fitted}）也能到达其他"
        "地方。用 16 个数时落空的余地大得多：请在上面选择。"
    ),
    "vae.prior.says": (
        "用同样的随机数，裁判对 VAE 的图片有把握的占 {vae}，对自编码器的占 {ae}。自编码器也可以事后补救：等所"
        "有编码都知道了，再拟合一个正态分布来取样，就能到 {fitted}。VAE 不需要这一步：先验本来就是训练的一部"
        "分。"
    ),
    # moons
    "vae.moons.title": "半月与全月，试一试",
    "vae.moons.about": (
        "笔记用一张半月和一张全月训练，然后问中间会是什么。这里当场训练四个小网络，编码都只有**一个**数：有或"
        "没有噪声与 KL，只用这两张图片，或用从半月到全月的 {phases} 个月相。每个网络都沿直线从半月的编码走到"
        "全月的编码。"
    ),
    "vae.moons.progress": "训练中：{total} 个网络已完成 {done} 个",
    "vae.moons.ae_two": "AE，两张月亮",
    "vae.moons.vae_two": "VAE，两张月亮",
    "vae.moons.ae_all": "AE，全部月相",
    "vae.moons.vae_all": "VAE，全部月相",
    "vae.moons.nearest": "最像亮 {lit} 的月亮，差 {off}",
    "vae.moons.at": "走了 {share}，应当亮 {lit}",
    "vae.moons.alt": "四个网络从半月走到全月",
    "vae.moons.chart": "沿途每张图片与最接近的真实月亮差多少",
    "vae.moons.x": "走过的比例",
    "vae.moons.y": "与最近的月亮之差",
    "vae.moons.says": (
        "只用**两张**月亮训练，两种网络都找不到四分之三月：最差时与任何月亮都差 {ae_two}（AE）和 {vae_two}（"
        "VAE），半边是灰的。噪声只决定一张图片在哪里让位给另一张。用**全部月相**训练，两者都从月亮走到月亮（"
        "最差时差 {ae_all} 和 {vae_all}）。噪声和 KL 带来的是均匀的步调：走到一半应当亮 75%，自编码器亮 "
        "{ae_lit}，VAE 亮 {vae_lit}。中间的图片必须见过，噪声不会凭空造出来。"
    ),
    # 地图
    "vae.plane.title": "所有编码的地图",
    "vae.plane.about": (
        "编码只有两个数时，整个编码空间就是一张纸。每个小格由它所在的位置解码而来；每个点是一个没见过的数字的"
        "编码。**A** 和 **B** 是你的两张图片（用两个数的网络编码），连线是它们之间的直线。"
    ),
    "vae.plane.codes": "显示没见过的数字的编码",
    "vae.plane.alt": "{net}：解码 {cells} × {cells} 个位置，并画出没见过的数字的编码",
    "vae.plane.hint": "点一个位置就把它解码。",
    "vae.plane.says.digits2": (
        "没见过的数字的编码：均值 ({m1}, {m2})，标准差 ({s1}, {s2})，接近 KL 项要求的 0 和 1。每个编码是一团"
        "云，σ 平均为 {sigma}；白圈是 A 和 B 的 2σ 范围。虚线是圆弧。"
    ),
    "vae.plane.says.ae2": (
        "没见过的数字的编码：均值 ({m1}, {m2})，标准差 ({s1}, {s2})：没有什么要求它们待在哪里，所以它们随意伸"
        "展，留下大片空地。每个编码只是一个点，σ 为 {sigma}。"
    ),
    "vae.plane.one": "**z = ({z1}, {z2})**。裁判读到 {judge}。最近的十个编码属于 {digits}。",
    "vae.plane.middle": "A 和 B 的中点 **z = ({z1}, {z2})**。裁判读到 {judge}。最近的十个编码属于 {digits}。",
    "vae.plane.one.alt": "由这个位置解码出的图片",
    # 噪声
    "vae.noise.title": "编码里的噪声",
    "vae.noise.about": (
        "编码器给出的不是一个编码，而是一团云：每个分量有均值 μ 和标准差 σ，z = μ + σ·ε，每次取新的 ε。这样写，"
        "梯度就能传到 μ 和 σ（*重参数化技巧*）。下面是 16 次取样，每一步用的 ε 都一样；滑块把 σ 放大或缩小。"
    ),
    "vae.noise.vae": "VAE：编码器给的 σ，按倍数伸缩",
    "vae.noise.ae": "自编码器，加同样多的噪声",
    "vae.noise.kept": "{net}：与无噪声时读数相同",
    "vae.noise.at": "{times} × σ",
    "vae.noise.usual": "训练得到的 σ",
    "vae.noise.alt": "解码 {count} 个编码样本",
    "vae.noise.units": "自编码器不给出 σ。这里按“占编码标准差的同样比例”把 VAE 的平均 σ 借给它。",
    "vae.noise.kl.line": "μ = 0 时 KL = ½(σ² − 1 − log σ²)",
    "vae.noise.kl.title": "一个分量的 KL 随对数方差的变化",
    "vae.noise.says": (
        "这张图片的编码云的 KL：训练得到的 σ 是 **{usual}** nat，{times} × σ 是 **{now}** nat。噪声趋于零时 "
        "−½ log σ² 变大，噪声很大时 ½σ² 变大：正是 KL 项让噪声保持有限（E12）。"
    ),
    # 下界
    "vae.bound.title": "用数字看下界",
    "vae.bound.about": (
        "VAE 最大化 log p(x) 的一个下界。下面是一张图片的各项，单位 nat，对像素和编码分量都是求和；灰度被当作"
        "“是白色的概率”。"
    ),
    "vae.bound.reconstruction": "E log p(x|z)",
    "vae.bound.reconstruction.help": "重构项，对 {draws} 个 z 取平均。",
    "vae.bound.kl": "KL",
    "vae.bound.kl.help": "闭式解，对编码的各分量求和。",
    "vae.bound.elbo": "ELBO",
    "vae.bound.elbo.help": "重构项减去 KL；重构项用 {draws} 次取样。",
    "vae.bound.importance": "K = {count} 的下界",
    "vae.bound.importance.help": "K 个重要性权重平均后取对数，再对 {draws} 次取样能分成的各组求平均。",
    "vae.bound.k": "取样数 K",
    "vae.bound.k.help": "采样估计的 KL 和重要性加权下界用多少次取样。",
    "vae.bound.kl.chart": "编码各分量的 KL",
    "vae.bound.kl.one": (
        "闭式解是 **{exact}**。只取一次 log q(z|x) − log p(z) 得到 {sampled}：需要更多次取样。"
    ),
    "vae.bound.kl.says": (
        "闭式解是 **{exact}**；取 {count} 次 log q(z|x) − log p(z) 得到 **{sampled}** ± {error}，相差 {off} "
        "个标准误差。"
    ),
    "vae.bound.iw": "重要性加权下界",
    "vae.bound.elbo.line": "ELBO",
    "vae.bound.iw.chart": "重要性加权下界随取样数的变化",
    "vae.bound.iw.x": "log₂ K",
    "vae.bound.nats": "nat",
    "vae.bound.iw.says": (
        "ELBO 是 **{elbo}**，用 {most} 个加权样本是 **{best}**：它与 log p(x) 的差距里有 {gain} nat 只是因为 "
        "q(z|x) 不是真正的后验。K = 1 时这个下界就是 ELBO，只差取样的噪声。"
    ),
    "vae.bound.worked": "把最大的一项 KL 算一遍",
    "vae.bound.worked.about": "这张图片的分量 z{i}：μ = {mean}，log σ² = {logvar}。",
    # beta
    "vae.beta.title": "β：第二项占多大分量",
    "vae.beta.about": (
        "重构和 KL 互相牵制。同样的网络和数据训练了四次：没有噪声也没有 KL；KL 的权重取 ¼、1 和 4。β = 1 就是"
        "下界本身。"
    ),
    "vae.beta.net": "网络",
    "vae.beta.kl": "KL",
    "vae.beta.reconstruction": "−E log p(x|z)",
    "vae.beta.active": "用上的分量",
    "vae.beta.error": "平方误差",
    "vae.beta.yours": "A · B 的 KL",
    "vae.beta.table": (
        "每个没见过的数字的 nat 数，共 {count} 个（灰度当作是白色的概率）。平均 KL 超过 0.01 的分量算“用上了”；"
        "平方误差是把均值解码后逐像素的误差。"
    ),
    "vae.beta.line": "从左到右 β = 4、1、¼",
    "vae.beta.chart": "三个 β 值的失真与码率",
    "vae.beta.rate": "码率：KL（nat）",
    "vae.beta.distortion": "失真（nat）",
    "vae.beta.says": (
        "KL 是编码的代价，失真是丢掉的部分。β 越大，编码越便宜，图片越模糊；ELBO 是两者之和的相反数，在 β = 1 "
        "附近最好。"
    ),
    "vae.beta.alt": "{name}和四个网络对它的重构",
    "vae.beta.rows": (
        "各行：自编码器、β = ¼、β = 1、β = 4。各列：原图；均值解码；编码的五个样本解码。自编码器的几个样本没"
        "有差别；β 大时，样本之间的差别就是编码不再说明的东西。"
    ),
    # 内部
    "vae.inside.title": "内部",
    "vae.inside.about": "点一个模块：看它的张量、公式、我们的源码，以及一个数是怎样算出来的。",
    "vae.inside.net": "网络",
    "vae.inside.of": "训练方式",
    "vae.inside.encoder.input": "图片，28 × 28 个数，从 0（黑）到 1（白）。",
    "vae.inside.decoder.input": "编码：这里用编码器给出的均值。",
    "vae.inside.output": "两个向量合在一起：均值和对数方差。",
    "vae.number.title": "一个数是怎样算出来的",
    "vae.number.conv": "位置 ({place})：在前一层所有通道上各取 3 × 3 的窗口，共 {terms} 个乘积。",
    "vae.number.doubled": (
        "位置 ({place})：前一层每个像素先变成四个，再在所有通道上各取 3 × 3 的窗口，共 {terms} 个乘积。"
    ),
    "vae.number.linear": "位置 ({place})：前一层的每个数乘以自己的权重，共 {terms} 个乘积。",
    # 笔记
    "vae.notes.title": "笔记与论文",
    "vae.notes.tests": "测试：{names}",
    "vae.note.E12": (
        "**E12** 笔记说把噪声“无限拉长”，并认为有没有噪声是与自编码器的区别。论文里编码器为每张图片给出 μ 和 "
        "log σ²，KL 项让 σ 保持有限、μ 靠近 0。对一个分量：μ = 0、σ² = 1 时 KL 是 {zero}；μ = 1 时是 {half}；"
        "log σ² = 4 时是 {wide}，等于 8 时是 {wider}；log σ² = −20（几乎没有噪声）时是 {narrow}。没有 KL 项就"
        "没有什么撑住 σ，它会趋向 0，VAE 又变回自编码器。"
    ),
    "vae.note.moon": (
        "**半月与全月。** 笔记说自编码器在两个编码之间会得到无法辨认的图片，而加噪声能补救：中间就是四分之三"
        "月。上面用两张月亮试过：不管有没有噪声，中间都没有这样的月亮。见过所有月相之后，两种网络的中间都是月"
        "亮。用几千个数字、{size} 个数的编码也是这样：自编码器的直线中点让裁判有把握的占 {ae}，VAE 占 {vae}。"
        "自编码器真正缺的东西在远离编码的地方才看得出来：随机的 z 解码不出数字。"
    ),
    "vae.note.derivation": (
        "**VAE 推导。** 笔记只有标题。下界和它的差距：最后一项不会是负的，所以 ELBO 不会超过 log p(x)；当 q "
        "就是真正的后验时两者相等。"
    ),
    "vae.paper.vae": "下界（式 3）、重参数化估计（式 10）、正态分布的 KL（附录 B）。",
    "vae.paper.iw": "用 K 个加权样本得到更紧的下界（式 8）。",
    "vae.paper.beta": "KL 项权重变大时编码会怎样。",
    "vae.paper.rate": "把 KL 看作码率，把重构看作失真。",
    "vae.paper.arc": "在正态分布的编码之间为什么应该走圆弧。",
    # 带走
    "vae.take.title": "带走",
    "vae.take.about": (
        "链接会恢复图片、编码大小、步数、地图上的位置、噪声、K、种子和张量；你自己的图片不会随链接传走，链接"
        "会请你再给一次文件。文件里是两张图片、它们的重构和编码。"
    ),
}
