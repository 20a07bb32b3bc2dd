"""DDPM 页面：U-Net 内部、动手试试，以及笔记。"""

MESSAGES: dict[str, str] = {
    # 选择视图
    "ddpm_inside.title": "内部",
    "ddpm_inside.lead": (
        "这里是网络的一次计算：共 {steps} 步中的第 **{step}** 步，**t = {t}**，要求的类别是 **{name}**。"
        "拖动上面的滑块，这里的一切都会跟着变。"
    ),
    "ddpm_inside.view": "看什么",
    "ddpm_inside.view.network": "整个网络",
    "ddpm_inside.view.skips": "skip 连接",
    "ddpm_inside.view.attention": "注意力",
    "ddpm_inside.view.clock": "时间",
    "ddpm_inside.join": "，",
    # 整个网络
    "ddpm_inside.net.about": (
        "图片沿左侧一路向下，越来越小，通道越来越多，再沿右侧回到原来的大小。每一层都有 skip 连接，把下采样之前的特征"
        "直接交给右侧。"
    ),
    "ddpm_inside.net.alt": "U-Net：左侧向下，右侧向上，skip 连接横穿中间",
    "ddpm_inside.net.hint": (
        "点击一个模块（或用 Tab 移到它再按回车），查看其中的张量。虚线箭头是 skip 连接；带 *t* 的模块会得知时间和类别。"
    ),
    "ddpm_inside.net.tap": "张量",
    "ddpm_inside.net.input": "输入：t = {t} 时的图片",
    "ddpm_inside.net.step": (
        "这里输入两个整数：**t = {t}**（从 0 数起，按论文的数法是 {shown}）和标签 **{label}**（{name}）。"
    ),
    "ddpm_inside.block.input": "带噪图片",
    "ddpm_inside.block.output": "预测",
    "ddpm_inside.block.step": "t 与类别",
    "ddpm_inside.block.time": "嵌入",
    "ddpm_inside.block.conv_in": "首层卷积",
    "ddpm_inside.block.conv_out": "末层卷积",
    "ddpm_inside.block.block": "ResNet",
    "ddpm_inside.block.attention": "自注意力",
    "ddpm_inside.block.pool": "缩小一半",
    "ddpm_inside.block.upsample": "放大一倍",
    "ddpm_inside.skip_n": "skip {n}",
    # 验算
    "ddpm_inside.worked": "把一个数重算一遍",
    "ddpm_inside.worked.cell": "`{name}`，{cell}。可以在上面另选一格；没选时取当前所示中绝对值最大的一个。",
    "ddpm_inside.worked.copy": "`{name}` 照抄自 `{twin}`，它的数是在那里算出来的。",
    "ddpm_inside.no_sum": "这个张量里的数不是少数几项乘积之和：它或是照抄，或是查表，或是对整组通道做归一化的结果。",
    "ddpm_inside.agreement": "重算得 {again}，网络给出 {stored}，相差 {apart}。",
    # skip 连接
    "ddpm_inside.skips.about": (
        "这一步里横穿 U 形的全部内容。越亮的地方，skip 传过去的信息越多；每张图各用自己的色标。靠前的几个看到的是像素，"
        "靠后的几个看到的是整个形状。"
    ),
    "ddpm_inside.skips.alt": "{count} 个 skip 连接在各处的强弱",
    "ddpm_inside.skips.hint": "点击一张图，下面会列出它的全部通道。",
    "ddpm_inside.skips.tile": "skip {n} · {channels} × {rows}²",
    "ddpm_inside.skips.one": "skip {n}，来自“{source}”",
    # 注意力
    "ddpm_inside.attention.about": (
        "在缩小的特征图上，每个像素都会读取其他所有像素。点击图上的一个像素：哪里越亮，从哪里读来的就越多。"
    ),
    "ddpm_inside.attention.layer": "注意力模块",
    "ddpm_inside.attention.over": "衬底图片",
    "ddpm_inside.over.x0": "预测的图片",
    "ddpm_inside.over.x_t": "带噪的图片",
    "ddpm_inside.attention.alt": "t = {t} 时的图片，上面叠着所选像素的注意力",
    "ddpm_inside.attention.film": "叠加注意力",
    "ddpm_inside.attention.hint": "点击要提问的像素。",
    "ddpm_inside.attention.head": "head {n}",
    "ddpm_inside.attention.heads": "同一个像素在 {count} 个 head 中各看哪里，共用一个色标",
    "ddpm_inside.attention.heads.alt": "所选像素在 {count} 个 head 中读取了哪些位置",
    "ddpm_inside.attention.heads.hint": "点击一格：选定 head，并选定下面要验算的一对。",
    "ddpm_inside.attention.says": (
        "head {head} 把注意力分给 {tokens} 个位置中的约 **{number}** 个；最受关注的位置占 {best}%，像素自己占 "
        "{itself}%。平均从 {far} 格之外读取；如果处处一样看，平均会是 {even} 格。"
    ),
    "ddpm_inside.attention.pair": "一对像素",
    "ddpm_inside.attention.output": "汇集的结果",
    "ddpm_inside.attention.of_pair": "head {head}：{query} 的格子向{key} 的格子提问。",
    "ddpm_inside.attention.gathers": "head {head}，通道 {channel}：所有位置的值按注意力加权求和，先列出最大的八项。",
    "ddpm_inside.way.down": "下行，{cells} × {cells}",
    "ddpm_inside.way.mid": "底部，{cells} × {cells}",
    "ddpm_inside.way.up": "上行，{cells} × {cells}",
    "ddpm_inside.way.nth": "，第 {n} 个",
    # 时间
    "ddpm_inside.clock.about": (
        "每一步用的都是同一个网络，所以必须告诉它现在是什么时刻。t = {t}（网络从 0 数起，得到的是 {told}）变成标线所"
        "在的那一列：上半是 cos，下半是 sin，各自由快到慢。相邻的 t 相似，相隔远的 t 不同。"
    ),
    "ddpm_inside.clock.alt": "t 从 1 到 {steps} 的 {channels} 条余弦与正弦，标出了 t = {t}",
    "ddpm_inside.clock.hint": "t 从左边的 1 到右边的 {steps}；上面 {half} 条是 cos，下面 {half} 条是 sin。",
    "ddpm_inside.adds": "时间加进去了什么",
    "ddpm_inside.adds.about": (
        "两个线性层把这一列和类别合成一个向量，每个残差块再由它给每个通道算出一个数，加到该通道的所有像素上。下图一次"
        "列出所有的 t。"
    ),
    "ddpm_inside.adds.block": "残差块",
    "ddpm_inside.adds.alt": "每个 t 给 {channels} 个通道各加多少",
    "ddpm_inside.adds.hint": "向下是 {count} 个通道，向右是 t。点击选择一个通道。",
    "ddpm_inside.adds.line": "随着 t 变化，通道 {channel} 被加上多少",
    "ddpm_inside.adds.y": "加到通道 {channel} 的数",
    "ddpm_inside.no_class": "无类别",
    "ddpm_inside.adds.agreement": (
        "由权重直接算出；在当前的 t，与网络自己的数最多相差 {apart}。t 走完全程，这个块里变化最小的通道变动 {least}，"
        "变化最大的变动 {most}。"
    ),
    "ddpm_inside.adds.worked": "t = {t} 时通道 {channel} 的求和",
    "ddpm_inside.lies": "如果告诉它别的时间？",
    "ddpm_inside.lies.about": (
        "图片还是同一张，只是告诉网络另一个 t。它预期的噪声多少就不同了，在噪声下面看出的图片也不同。笔记里的网络根本"
        "没有输入 t（E22）。"
    ),
    "ddpm_inside.lies.x": "t = {t} 时的图片",
    "ddpm_inside.lies.true": "说实话，t = {t}：噪声大小 {noise}",
    "ddpm_inside.lies.told": "告诉它 t = {t}：噪声大小 {noise}",
    "ddpm_inside.lies.reading": (
        "每张图是网络此时认定的干净图片，超出黑白范围的部分截去。噪声大小是网络认定的噪声的标准差，抽取出来的噪声是 1。"
    ),
    # 动手：skip
    "ddpm_inside.play": "动手试试",
    "ddpm_inside.cut": "在途中剪断 skip",
    "ddpm_inside.cut.about": (
        "从你选的那一步起，把某些 skip 传送的内容乘上一个系数。之前的路径不变；之后用同样的噪声重新计算，与原来的路径"
        "并排放着。"
    ),
    "ddpm_inside.cut.skips": "哪些 skip",
    "ddpm_inside.cut.skip": "skip {n}（{shape}）",
    "ddpm_inside.cut.strength": "强度",
    "ddpm_inside.cut.off": "剪断",
    "ddpm_inside.cut.from": "从路径的何处开始",
    "ddpm_inside.cut.where": "从共 {steps} 步中的第 {step} 步（t = {t}）开始，样本 {n}。",
    "ddpm_inside.cut.none": "请选择一个或多个 skip。",
    "ddpm_inside.cut.show": "显示",
    "ddpm_inside.cut.untouched": "未改动",
    "ddpm_inside.cut.changed": "改动 skip 之后",
    "ddpm_inside.cut.end": "**{which}**：{says}",
    "ddpm_inside.cut.gap": "差异（均方根）",
    "ddpm_inside.cut.alt": "两条从噪声到图片的路径，以及它们的差异",
    "ddpm_inside.cut.mark": "从这里开始改动 skip",
    "ddpm_inside.cut.hint": "滑块上方的曲线是两条路径的差异。",
    "ddpm_inside.cut.says": (
        "最终两张图片相差 {gap}（均方根；黑与白相差 2）。剪得早，会改变画出的内容；剪得晚，只影响收尾的细节。"
    ),
    "ddpm_inside.each": "逐个剪断每个 skip",
    "ddpm_inside.each.whole": "未改动",
    "ddpm_inside.each.gap": "相差 {gap}",
    "ddpm_inside.each.reads": "被认作 {digit}",
    # 动手：引导
    "ddpm_inside.guide": "有类别、无类别，以及更进一步",
    "ddpm_inside.guide.about": (
        "每一步都向网络提问两次：一次带类别，一次不带。引导（guidance）从不带类别的回答出发，朝带类别的回答走 g 倍的"
        "差距，可以越过它。下面是其中这一步。"
    ),
    "ddpm_inside.guide.class": "类别",
    "ddpm_inside.guide.same": "与要求相同：{name}",
    "ddpm_inside.guide.amount": "引导强度 g",
    "ddpm_inside.guide.none": "无类别时找到的噪声",
    "ddpm_inside.guide.with": "类别“{name}”时找到的噪声",
    "ddpm_inside.guide.difference": "两者之差：“{name}”带来的部分",
    "ddpm_inside.guide.guided": "g = {g} 时的噪声",
    "ddpm_inside.guide.x0_none": "无类别时背后的图片",
    "ddpm_inside.guide.x0_with": "“{name}”时背后的图片",
    "ddpm_inside.guide.x0_difference": "“{name}”使它改变了什么",
    "ddpm_inside.guide.x0_guided": "g = {g} 时背后的图片",
    "ddpm_inside.guide.alt": "类别在哪些地方改变了找到的噪声",
    "ddpm_inside.guide.hint": "橙色：带类别时，这里更多地被当作噪声；蓝色：更少。点击一个像素。",
    "ddpm_inside.guide.at": "像素 x {x}，y {y}。",
    "ddpm_inside.guide.agreement": "像素 x {x}，y {y}。上面的路径在这里是 {stored}，相差 {apart}。",
    "ddpm_inside.guide.red": "这些数来自红色通道；图上显示的是三个通道的平均。",
    "ddpm_inside.guide.share": "差异占噪声的比例",
    "ddpm_inside.guide.line": "沿着路径，类别对找到的噪声改变了多少",
    "ddpm_inside.guide.axis": "步",
    "ddpm_inside.guide.says": "在这条路径上，“{name}”在第 {step} 步（t = {t}）影响最大：使噪声改变了 {share}%。",
    # 噪声调度
    "ddpm_inside.schedule": "噪声调度（schedule）",
    "ddpm_inside.schedule.about": (
        "图片被噪声淹没得多快，是可以选的。这组权重训练时用的是“{name}”调度。旁边是另一种常用的，以及笔记里的：β 到 "
        "0.002 为止，而不是 0.02（E13）。"
    ),
    "ddpm_inside.schedule.curve": "曲线",
    "ddpm_inside.schedule.alpha_bar": "ᾱ，剩下的信号",
    "ddpm_inside.schedule.beta": "β，一步的噪声",
    "ddpm_inside.schedule.snr": "信噪比",
    "ddpm_inside.schedule.linear": "线性",
    "ddpm_inside.schedule.cosine": "余弦",
    "ddpm_inside.schedule.notes": "笔记",
    "ddpm_inside.schedule.here": "在 t = {t}：",
    "ddpm_inside.schedule.cell": "{name}，t = {t}：还剩图片的 {signal}%",
    "ddpm_inside.schedule.cells": "完成的样本在三种调度下被噪声淹没的样子",
    "ddpm_inside.schedule.says": (
        "1000 步之后，线性调度的 ᾱ 是 {linear}，笔记里的是 {notes}：√ᾱ = **{signal}%** 的图片仍然透得出来，采样就不"
        "能从纯噪声开始。"
    ),
    # 采样器
    "ddpm_inside.samplers": "DDPM 与 DDIM",
    "ddpm_inside.samplers.about": (
        "从同一个噪声出发，换用别的采样器和步数，重画你的样本。DDIM 在 η = 0 时途中不加噪声：图片只取决于最初的噪声，"
        "步数越多只是越精确。η = 1 时，每一步新加的噪声与采用后验方差的 DDPM 一样多。"
    ),
    "ddpm_inside.samplers.button": "运行全部 {runs} 次",
    "ddpm_inside.samplers.note": "一共 {steps} 步，约 {time}。",
    "ddpm_inside.samplers.progress": "第 {done} 步，共 {total} 步",
    "ddpm_inside.samplers.ddim0": "**DDIM，η = 0**：途中不加噪声",
    "ddpm_inside.samplers.ddim1": "**DDIM，η = 1**：噪声与 DDPM 的后验一样多",
    "ddpm_inside.samplers.large": "**最初论文的 DDPM**，σ² = β：为走完全部 1000 步而设计",
    "ddpm_inside.samplers.ddim0.short": "DDIM，η = 0",
    "ddpm_inside.samplers.ddim1.short": "DDIM，η = 1",
    "ddpm_inside.samplers.large.short": "DDPM，σ² = β",
    "ddpm_inside.samplers.steps": "{n} 步",
    "ddpm_inside.samplers.reads": "{digit}，{p}%",
    "ddpm_inside.samplers.line": "较少的步数与 {n} 步的结果相差多少",
    "ddpm_inside.samplers.x": "步数",
    "ddpm_inside.samplers.y": "差异（均方根）",
    "ddpm_inside.samplers.says": (
        "每次运行与 {n} 步的结果相差多少。不加噪声时，各次结果趋于一致；加了噪声，步数不同就遇到不同的噪声，终点也就"
        "不同。"
    ),
    # 笔记
    "ddpm_inside.notes": "笔记，以及与论文的不同之处",
    "ddpm_inside.notes.about": (
        "学习笔记里关于 diffusion 的说法，论文和代码的实际做法，以及能说明问题的数字：它们是在你阅读时算出来的。测试"
        "在 `{file}`。"
    ),
    "ddpm_inside.note.E13": (
        "笔记让 β 从 0.0001 到 0.002。论文及其代码到 **0.02** 为止：只有这样，1000 步之后图片才真正消失。"
    ),
    "ddpm_inside.note.E13.number": (
        "最后一步的 ᾱ 是 {right:.3e}，按笔记的 β 是 {notes:.4f}。也就是说 √ᾱ = {signal:.1f}% 的图片会留下，而不是 "
        "{left:.2f}%。"
    ),
    "ddpm_inside.note.E14": (
        "代入推导的第二行里，两个噪声都写成了 $z_2$。最后一个应是 **$z_1$**。正因为两者相互独立，方差才能相加成 "
        "$1-\\alpha_t\\alpha_{{t-1}}$。"
    ),
    "ddpm_inside.note.E14.number": (
        "先 α = 0.9，再 0.8；50 000 次抽样的方差：两个噪声时 {right:.3f}（精确值 {exact:.2f}），同一个噪声用两次则是 "
        "{notes:.3f}。"
    ),
    "ddpm_inside.note.E15": (
        "$\\bar\\alpha_t$ 印成了连乘到 T，那样对每个 t 都是同一个数。应当连乘**到 t**。"
    ),
    "ddpm_inside.note.E15.number": "ᾱ₁ = {first:.4f}，ᾱ₅₀₀ = {middle:.6f}，ᾱ₁₀₀₀ = {last:.3e}。",
    "ddpm_inside.note.E16": (
        "笔记用同一个 $z_t$ 既表示第 t 步的噪声，又表示 $x_t$ 里的全部噪声，并且对整张图片写 $\\mathcal N(0,1)$。"
        "U-Net 学习的是**合起来的噪声 ε**，每个像素一个数，服从 $\\mathcal N(0,I)$，而不是最后一步的噪声。"
    ),
    "ddpm_inside.note.E16.number": (
        "由 x₅₀₀ 反推 x₀：用合起来的噪声误差 {right:.0e}，用第 500 步的噪声误差 {notes:.1f}。"
    ),
    "ddpm_inside.note.E17": (
        "正态分布的密度在根号前少了 σ，应为 $\\frac{{1}}{{\\sigma\\sqrt{{2\\pi}}}}\\,e^{{-(x-\\mu)^2/2\\sigma^2}}$。"
    ),
    "ddpm_inside.note.E17.number": "σ = 2 时积分为 {right:.4f}，按笔记的写法是 {notes:.4f}。",
    "ddpm_inside.note.E18": (
        "后验指数里的括号在两行中都合得太早。三项都应在 $-\\tfrac12[\\,\\cdot\\,]$ 之内，而且应写 ∝ 而不是 =。"
    ),
    "ddpm_inside.note.E18.number": (
        "α = (0.9, 0.8)，x₀ = 1，x₂ = 0.5：均值 {mean:.5f}，方差 {variance:.5f}。照印出来的算，第一行的指数里是 "
        "+{square:.0f} x²，不成其为密度；第二行的均值是 {literal:.4f}。"
    ),
    "ddpm_inside.note.E19": (
        "后验的均值推导了，方差却没有给出："
        "$\\tilde\\beta_t=\\frac{{1-\\bar\\alpha_{{t-1}}}}{{1-\\bar\\alpha_t}}\\beta_t$。"
    ),
    "ddpm_inside.note.E19.number": "β̃₂ = {second:.4e}，而 β₂ = {beta:.5e}；β̃₁ = {first:g}。",
    "ddpm_inside.note.E20": (
        "笔记说 Σ“是可学习的，但一般是 $\\sigma_tI$”。DDPM 里它是固定的，不参与训练，而且是 **$\\sigma_t^2I$**，取 "
        "$\\sigma_t^2=\\beta_t$ 或 $\\tilde\\beta_t$。学习方差是后来的事（Improved DDPM）。"
    ),
    "ddpm_inside.note.E20.number": (
        "t = 101 的一个逆向步，50 000 次抽样：标准差 {found:.5f}。√β = {root:.5f}，β = {beta:.5f}。"
    ),
    "ddpm_inside.note.E21": (
        "仅有 β < 1 不足以使 $\\bar\\alpha_t$ 趋于 0（而且极限应对 t 取，不是 n）：所有 β 之和必须发散。"
    ),
    "ddpm_inside.note.E21.number": (
        "β = 1/(t+1)² 处处小于 1，但无论多少步，ᾱ 都停在 {stays:.4f}。β = 0.01 时，2000 步之后是 {falls:.1e}。"
    ),
    "ddpm_inside.note.E22": (
        "笔记里“算法：”下面是空的。训练：均匀抽取 t，给图片加噪，最小化 "
        "$\\lVert\\epsilon-\\epsilon_\\theta(x_t,t)\\rVert^2$；**U-Net 必须得到 t**。采样：从 "
        "$x_T\\sim\\mathcal N(0,I)$ 开始，取均值再加 $\\sigma_tz$，但最后一步 z = 0。公布的采样器会把预测的 $x_0$ 截"
        "到 [−1, 1]。"
    ),
    "ddpm_inside.note.E22.number": "两个种子，同一个 x₁：终点相差 {last:g}。早一步时相差 {before:.3f}。",
    "ddpm_inside.paper.ddpm": "模型、损失，以及 1000 步采样。",
    "ddpm_inside.paper.ddim": "同一个网络，步数少得多；η。",
    "ddpm_inside.paper.improved": "余弦调度、可学习的方差、跳步采样。",
    "ddpm_inside.paper.guidance": "classifier-free guidance：同一个网络，带类别与不带类别。",
    "ddpm_inside.paper.v": "预测 v，并蒸馏到很少的步数。",
}
