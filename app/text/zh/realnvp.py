"""RealNVP 页面的文字。"""

MESSAGES: dict[str, str] = {
    "realnvp.sentence": (
        "一个能倒着跑的网络：把手写数字变成噪声，再从噪声分毫不差地变回同一个数字，还能准确说出这个数字的概"
        "率密度。"
    ),
    "realnvp.score": "没见过的数字上 {bits_per_dim:.2f} bits/dim",
    "realnvp_inverse.score": "没见过的数字上 {bits_per_dim:.2f} bits/dim",
    "realnvp.weights.digits": "手写数字",
    "realnvp_inverse.weights.digits": "手写数字",
    "realnvp.of": "{part} / {all}",
    "realnvp.layer": "耦合层",
    "realnvp.layer.words": "{n} · {kind} · {size}",
    "realnvp.kind.checkerboard": "棋盘",
    "realnvp.kind.channel": "通道",
    "realnvp.bits": "bits/dim",
    "realnvp.bits.help": (
        "用这个流来编码，平均每个像素要多少比特：−log₂ p(图片) / 784。256 级灰度原样写下来是 8 比特。"
    ),
    # 图片
    "realnvp.input.way": "图片从哪里来",
    "realnvp.input.sheet": "可选的 {count} 个数字",
    "realnvp.input.canvas": "写你自己的数字的画板",
    # 结果
    "realnvp.result.says": (
        "**左**：图片 x。**中**：z = f(x)，同样 784 个数，已经成了噪声。**右**：f⁻¹(z)，只由 z 算出。"
    ),
    "realnvp.result.alt": "图片、画成噪声的 z（蓝色小于 0，橙色大于 0），以及由 z 变回来的图片",
    "realnvp.error": "变回来的最大误差",
    "realnvp.error.help": (
        "784 个数里最大的 |x − f⁻¹(f(x))|。剩下的只是 float32 的舍入：可逆是结构保证的，不是学出来的。"
    ),
    "realnvp.changed": "变了的灰度",
    "realnvp.log_det": "log |det J|",
    "realnvp.log_det.help": "流在这张图片附近把体积放大多少，取对数。",
    "realnvp.inside": "z 落在 ±1 以内",
    "realnvp.inside.help": "标准正态数有 68% 落在这里。",
    "realnvp.chance": "整张图片一共 {total} 比特：流给它的概率大约是 {power}。",
    "realnvp.noise.next": "换一份灰度之间的噪声",
    "realnvp.noise.help": "灰度是整数，密度需要连续的数：先加上 [0, 1) 里的噪声。见“去量化”。",
    # 逐层
    "realnvp.journey.title": "变成噪声再变回来，一层一层看",
    "realnvp.journey.about": (
        "向右拖：{count} 个耦合层依次把图片变成噪声。向左拖：再变回来。第一张图来自**去程**的网络；第二张来"
        "自**回程**的网络，它只拿到了 z。每个耦合层先对同一通道的所有数做同样的平移和缩放（b 和 γ，学出来"
        "的，对每张图片都一样）；然后一半的数不再变，由它们决定另一半拉伸多少（s）、平移多少（t）：只要手里有"
        "没再变的那一半，就能撤销这一步。"
    ),
    "realnvp.strip.there": "去程：从 x 出发",
    "realnvp.strip.back": "回程：从 z 出发",
    "realnvp.strip.scale": "s：拉伸 eˢ 倍",
    "realnvp.strip.shift": "t：平移",
    "realnvp.read.layer": "耦合层",
    "realnvp.read.each": "这一层的 log |det J|",
    "realnvp.read.sum": "累计",
    "realnvp.read.bits": "若到此为止的 bits/dim",
    "realnvp.read.difference": "去程与回程之差",
    "realnvp.at.x": "x",
    "realnvp.at.k": "第 {n} 层之后",
    "realnvp.at.z": "z",
    "realnvp.mark.squeeze": "第 {k} 层之后：2 × 2 像素变成 4 个通道",
    "realnvp.mark.split": "第 {k} 层之后：一半的数已经完成",
    "realnvp.journey.alt": "去噪声途中两层之间的图片、回程的同一张、s 和 t",
    "realnvp.journey.hint": "滑块上方的曲线：如果流到这里为止，bits/dim 是多少。",
    "realnvp.journey.legend": (
        "每个数都画在它对应的像素上。在 s 和 t 里：深色的数只受 γ 和 b 作用，灰色的数已经属于 z（被 "
        "split 分出去了）。s 的颜色范围是 −1 到 1。"
    ),
    "realnvp.journey.says": (
        "一层也不经过，这张图片要 {start} bits/dim；走完最后一层是 {end}。第 {best} 层省得最多。去程和回程"
        "最多相差 {error}。"
    ),
    # 比特
    "realnvp.chances.title": "一张图片有多大可能？",
    "realnvp.chances.about": (
        "GAN 说不出来，VAE 和扩散模型只能给出界。流能准确算出 x 的密度：z 的密度，乘以流在那里拉伸的倍数。"
        "换算成 bits/dim，大小不同的图片也能比较："
    ),
    "realnvp.chances.progress": "没见过的数字：{done} / {total}",
    "realnvp.chances.held": "{count} 个没见过的数字",
    "realnvp.chances.samples": "流自己的 {count} 个样本",
    "realnvp.chances.chart": "没见过的数字和样本的 bits/dim，以及你的图片在其中的位置",
    "realnvp.stranger.alt": "全黑的图片、你的图片反色、灰度噪声",
    "realnvp.stranger.black": "全黑",
    "realnvp.stranger.inverted": "你的图片反色",
    "realnvp.stranger.noise": "灰度噪声",
    "realnvp.stranger.bits": "{name}：{bits}",
    "realnvp.stranger.even": "没有模型：256 级即 8 比特",
    "realnvp.chances.says": (
        "没见过的数字平均 **{mean}** ± {sd}；其中 {place} 不比你的图片贵。流自己的样本是 {own}。由于灰度之"
        "间加了均匀噪声，这是 −log₂ P(灰度) 的上界：见下文。"
    ),
    "realnvp.chances.strangers": (
        "**密度高不等于典型。** 灰度噪声要 {noise} 比特，反色的数字要 {inverted}：流感到意外。可是全黑的图"
        "片只要 {black}，比任何一个数字都便宜（最便宜的是 {least}），尽管谁也不会说它是数字。图片越简单密度"
        "越高，单看密度并不能判断一张图片是否属于这批数据（Nalisnick 等，2019）。"
    ),
    "realnvp.noises.title": "去量化",
    "realnvp.noises.about": (
        "若直接在整数上拟合，密度可以无限增大：流会在每个灰度上立一根尖峰。所以用均匀噪声 u 把每一级灰度摊开到长度"
        "为 1 的区间上。下面是你的图片加上 {count} 份不同的噪声，竖线是平均："
    ),
    "realnvp.noises.chart": "同一张图片加不同噪声时的 bits/dim",
    "realnvp.noises.mean": "平均",
    "realnvp.noises.mean.help": (
        "Jensen 不等式：E[−log p(x + u)] ≥ −log ∫ p(x + u) du = −log P(x)。论文报告的就是它。"
    ),
    "realnvp.noises.spread": "标准差",
    "realnvp.noises.tighter": "更紧的界",
    "realnvp.noises.tighter.help": "先对 {count} 个密度取平均再取 −log，而不是先取 −log 再平均。",
    "realnvp.noises.says": (
        "换一份噪声，log p 变化约 {nats} nat：摊到每个像素很小，对整张图片不小。学出来的噪声（变分去量化，"
        "Flow++）能缩小这个差距。"
    ),
    # 样本
    "realnvp.samples.title": "从噪声到图片",
    "realnvp.samples.about": (
        "取 784 个正态随机数，让网络倒着跑一遍：只要一遍，不用一步步来。温度是噪声前的系数；小于 1 时图片更"
        "靠近学到的分布的中心。"
    ),
    "realnvp.seed": "随机种子",
    "realnvp.seed.next": "换一批噪声",
    "realnvp.temperature": "温度",
    "realnvp.temperature.help": "z = 温度 × 噪声。训练时用的是 1。",
    "realnvp.samples.alt": "种子 {seed} 的 {count} 个样本",
    "realnvp.samples.hint": "指向一个样本，就能看到它的 bits/dim。",
    "realnvp.samples.one": "样本 {n}：{bits} bits/dim",
    "realnvp.samples.says": (
        "温度 {temperature} 时平均 {bits} bits/dim。裁判是一个没见过这个流的分类器，{count} 张里有 {sure} "
        "张它至少有 {least} 的把握。"
    ),
    "realnvp.samples.honest": (
        "许多与其说是数字，不如说是笔画：这个流只有 45 万个参数，单线程训练了 {minutes} 分钟。似然对每个像素都"
        "要付账，大部分比特花在笔画的边缘上；同样大小的 GAN 和扩散模型看起来更好，但比特数要么只有一个界，"
        "要么说不出来。"
    ),
    # 走一走
    "realnvp.walk.title": "从一个数字到另一个",
    "realnvp.walk.about": (
        "把你的图片和另一个数字各自变成 z，再把两者之间的每个 z 变回图片。流是精确的，所以两端就是图片本"
        "身。裁判是一个没见过这个流的分类器，由它说读到的是哪个数字。"
    ),
    "realnvp.walk.sheet": "作为另一端的 {count} 个数字",
    "realnvp.walk.way": "在 z 里怎么走",
    "realnvp.walk.way.help": (
        "正态随机数落在半径约 √784 = 28 的球面附近。直线会从球内穿过，圆弧则留在球面上。"
    ),
    "realnvp.walk.arc": "圆弧",
    "realnvp.walk.straight": "直线",
    "realnvp.walk.z": "经过 z",
    "realnvp.walk.pixels": "混合像素",
    "realnvp.walk.bits": "bits/dim，{way}",
    "realnvp.walk.judge": "裁判，{way}",
    "realnvp.judge.none": "“不是数字”",
    "realnvp.walk.share": "走了 {share}",
    "realnvp.walk.alt": "从你的图片到另一个数字：经过 z，以及混合像素",
    "realnvp.walk.chart": "两种走法沿途的 bits/dim",
    "realnvp.walk.x": "走过的比例",
    "realnvp.walk.says": (
        "走到一半时，经过 z 的图片是 {z} bits/dim，混合像素是 {pixels}。那里 ‖z‖ 是 {length}；样本大约是 "
        "{typical}。"
    ),
    # 数
    "realnvp.numbers.title": "一个数经过一个耦合层",
    "realnvp.numbers.about": "选一层，点一个像素：看这个数经历了什么，又怎样撤销。",
    "realnvp.numbers.alt": "第 {n} 层在每个像素上的 s",
    "realnvp.numbers.hint": "点一个像素。",
    "realnvp.numbers.picture": "s：橙色拉伸，蓝色压缩；深色的数只受 γ 和 b 作用，灰色的数已经完成。",
    "realnvp.numbers.what": "看什么",
    "realnvp.what.y": "由 x 到 y",
    "realnvp.what.x": "由 y 回到 x",
    "realnvp.what.scale": "s",
    "realnvp.what.shift": "t",
    "realnvp.numbers.stays": (
        "通道 {c}、行 {i}、列 {j} 属于**不变**的一半：和同一通道的所有数一样，先加上 b = {b}，再乘以 γ = "
        "{gamma}，没有 s 和 t。它参与决定别的数怎么变。"
    ),
    "realnvp.numbers.changes": (
        "通道 {c}、行 {i}、列 {j} **在变**：s = {s}。先加上 b = {b}，再乘以 γeˢ = {times}，最后加上 t = {t}。"
    ),
    "realnvp.numbers.undo": "网络的那个数来自回程：只由 z 出发，经过这一层之后的所有层算回来。",
    "realnvp.numbers.none": "这个数不变：掩码使 s 和 t 都为 0。请点另一半里的像素。",
    "realnvp.numbers.scale": (
        "网络的 s：{net}；相差 {difference}。tanh 和 r 限制了 s 的大小，所以没有哪一层会失控。"
    ),
    "realnvp.jacobian.title": "它的雅可比矩阵是三角形",
    "realnvp.jacobian.alt": "{size} 个数的雅可比矩阵：对角线以下的三角形",
    "realnvp.jacobian.about": (
        "取像素周围的 {size} 个数，其余的固定不动。逐个轻轻挪动，记下所有数的反应：蛮力，不用公式。不变的 "
        "{stay} 个排在前面，各自只乘以 γ。它们不受在变的 {change} 个影响，所以右上角是空的；在变的数彼此也不影"
        "响，所以那里只有对角线。"
    ),
    "realnvp.jacobian.brute": "log |det J|，消元算出",
    "realnvp.jacobian.brute.help": "对 {size} × {size} 的中心差分矩阵做 slogdet，float64。",
    "realnvp.jacobian.sum": "s 与 log γ 之和",
    "realnvp.jacobian.sum.help": "流就是这样加起来的：三角矩阵的行列式等于对角线之积。",
    "realnvp.jacobian.says": "两者相差 {difference}。右上角最大的数：{above}。",
    "realnvp.jacobian.whole": (
        "这一层全部 {numbers} 个数：log |det J| = {total}。消元需要 n³ 步，求和只要 n 步。"
    ),
    # 平面
    "realnvp.live.title": "平面上的流，当场训练",
    "realnvp.live.about": (
        "八个耦合层，每个点只有两个坐标。没训练时是一团圆云；训练只做一件事：提高数据点所在处的密度。没有裁"
        "判，也没有噪声日程：损失就是 −log p 本身。"
    ),
    "realnvp.live.cloud": "数据点",
    "realnvp.live.cloud.moons": "两弯月亮",
    "realnvp.live.cloud.spiral": "螺旋",
    "realnvp.live.cloud.squares": "方格",
    "realnvp.live.cloud.own": "自己画",
    "realnvp.live.canvas": "画数据点的画板",
    "realnvp.live.own": "画一些点；在那之前先用两弯月亮代替。",
    "realnvp.live.more": "再训练 {steps} 步",
    "realnvp.live.more.help": "Adam，每步 256 个点；最多 {most} 步。",
    "realnvp.live.another": "换一组初始权重",
    "realnvp.live.progress": "训练中：第 {done} / {total} 步",
    "realnvp.live.strip.density": "密度 p(x)",
    "realnvp.live.strip.samples": "样本（橙）与数据点（蓝）",
    "realnvp.live.strip.data": "数据点",
    "realnvp.live.at": "第 {steps} 步",
    "realnvp.live.alt": "学习过程中的密度和样本：{cloud}",
    "realnvp.live.loss": "没见过的点的平均 −log p",
    "realnvp.live.loss.help": "单位 nat，越低越好；下限是数据来源分布的熵。",
    "realnvp.live.chart": "没见过的点的平均 −log p 随步数的变化",
    "realnvp.live.x": "步数",
    "realnvp.live.integral": "∫ p(x) dx",
    "realnvp.live.integral.help": (
        "在正方形 [−5, 5]² 的 181 × 181 个位置上把密度加起来。无论训练多少步都是 1：一处多了，别处就少了。"
    ),
    "realnvp.live.error": "变回来的最大误差",
    "realnvp.live.error.help": "{count} 个没见过的点上的 |x − f⁻¹(f(x))|。",
    "realnvp.live.couplings.title": "逐层看",
    "realnvp.live.couplings.about": (
        "{count} 个耦合层，每层只移动一个坐标，移动多少由另一个坐标决定。左：数据点走向 z，背景是 z 的网格"
        "在那里的样子。右：正态噪声往回走，带着半径 1、2、3 的圆。"
    ),
    "realnvp.live.strip.there": "数据点",
    "realnvp.live.strip.back": "样本",
    "realnvp.live.between": "第 {n} 层之中",
    "realnvp.live.couplings.alt": "两层之间的点，背景是弯曲了的 z 网格",
    "realnvp.live.couplings.hint": "向右走向 z，向左走向 x。",
    "realnvp.live.couplings.legend": (
        "网格线既不相交也不断开：流可以弯折平面，却不能剪开它。所以分开的月亮或方格之间总连着一座细桥。"
    ),
    "realnvp.live.spot.title": "某一点的密度",
    "realnvp.live.spot.alt": "平面上的密度；点击选一个位置",
    "realnvp.live.spot.hint": "点一个位置。",
    "realnvp.live.spot.says": "x = {x} 变成 z = {z}，再变回来误差是 {error}。那里的密度是 **{density}**。",
    # 内部
    "realnvp.inside.title": "内部",
    "realnvp.inside.about": (
        "从 x 到 z（或者反过来）的每一层。点一层，看你的图片在那里的张量。张量的名字与代码一致，从 0 数起："
        "`coupling.4` 就是第 5 层。"
    ),
    "realnvp.inside.way": "方向",
    "realnvp.inside.there": "x 到 z",
    "realnvp.inside.back": "z 到 x",
    "realnvp.inside.tap": "张量",
    "realnvp.inside.input": "输入：见页面顶部的图片。",
    "realnvp.inside.squeeze": (
        "只是给数换位置：2 × 2 像素与 4 个通道互换。雅可比矩阵是置换，log |det J| = 0。"
    ),
    "realnvp.inside.split": "一半通道原样归入 z，另一半继续往前。不做任何计算，log |det J| = 0。",
    "realnvp.inside.numbers": "单个数是怎么来的：见上文“一个数经过一个耦合层”。",
    # 笔记
    "realnvp.notes.title": "笔记与来源",
    "realnvp.notes.tests": "由这些测试证明：{names}",
    "realnvp.note.title": (
        "**学习笔记里只有“Flow-based”这个标题。** 标题下应有的内容是：可逆的 f 把 x 变成 z；概率守恒，所以 "
        "x 的密度等于 z 的密度乘以 f 放大体积的倍数。本页其余的一切（耦合层、掩码、squeeze、split），都是为"
        "了让 f⁻¹ 和行列式算起来便宜。"
    ),
    "realnvp.note.others": (
        "**和邻居相比。** VAE 的编码器和解码器只是大致互逆，编码很小，只有 log p 的界。GAN 回不去，也没有 p"
        "。扩散模型的噪声也和图片一样大，但要走几百步。流在两个方向上都精确，代价是：每一层都必须保留所有的"
        "数，而且能撤销。"
    ),
    "realnvp.note.differs": (
        "**和论文不同的地方。** 20 个耦合层，里面是三层卷积的小网络；用 Glow 的、由第一批数据确定的归一化代"
        "替 batch norm；logit 用 0.05 + 0.9 v/256（论文是 0.05 + 0.95 v/256），黑白两端对称。bits/dim 针对 "
        "28 × 28、256 级灰度的图片；随网站附带的没见过的数字只有 16 级灰度，所以平均值和训练报告（256 级）"
        "略有差别。"
    ),
    "realnvp.paper.realnvp": "耦合层、掩码、squeeze、多尺度。",
    "realnvp.paper.glow": "由第一批数据确定的归一化；温度。",
    "realnvp.paper.theis": "为什么似然和观感不必一致；均匀去量化。",
    "realnvp.paper.flowpp": "学出来的去量化。",
    "realnvp.paper.know": "简单的图片密度高。",
    # 带走
    "realnvp.take.title": "带走",
    "realnvp.take.about": "指向当前视图的链接；图片、它的 z 和变回来的图片；z 的全部数值。",
}
