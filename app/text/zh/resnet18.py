"""Words of the ResNet18 page."""

MESSAGES: dict[str, str] = {
    "resnet18.sentence": (
        "十八层网络，说出图里是什么。它由八个残差块组成，每一块只学一件事：在输入上**加**些什么。"
    ),
    "resnet18.weights.emoji": "Emoji",
    "resnet18.weights.emoji.about": "在此用多种画风的日常事物图画训练，并在一种从未见过的画风上测得分数。",
    "resnet18.weights.imagenet": "ImageNet",
    "resnet18.weights.imagenet.about": "torchvision 官方权重：照片，1000 类。使用时可能须遵守 ImageNet 的条款。",
    "resnet18.score": "未见画风上 top-1 {top1:%}",
    # result
    "resnet18.seen.alt": "网络看到的图像，已缩放并裁剪为 {side} × {side} 像素",
    "resnet18.cut.none": "网络看到的全部：由 {width} × {height} 缩放为 {side} × {side} 像素。",
    "resnet18.cut": (
        "网络看到的全部：取 {width} × {height} 中央的正方形（面积的 {kept}%），缩放为 {side} × {side} 像素。"
    ),
    "resnet18.says.sure": "很确定：{name}，{p}",
    "resnet18.says.rather": "多半是{name}，{p}",
    "resnet18.says.strange": "没见过这类图；最接近的是{name}，{p}",
    "resnet18.says.torn": "拿不准；{name}以 {p} 领先",
    "resnet18.bars.alt": "最可能的类别及其概率",
    "resnet18.hesitates": "其不确定程度，相当于在 {classes} 类中的 {n} 类之间均匀猜测。",
    "resnet18.hesitates.help": (
        "概率分布的熵取指数：1 表示完全确定。softmax 的总和永远是 100%，所以即使没有一类合适，网络也可"
        "能显得很确定。"
        "下面一行正是为此而设。"
    ),
    "resnet18.ood.inside": "这张图与这套权重的训练图片相似。",
    "resnet18.ood.outside": "这张图不像这套权重见过的训练图片。上面的类别只是它所知道的最接近的，请勿当真。",
    "resnet18.ood.unmeasured": (
        "能量（logits 的 log-sum-exp）：{energy}。这套权重没有测过阈值，因此不判断这张图是否像训练图片。"
    ),
    "resnet18.ood.energy": "能量",
    "resnet18.ood.max_logit": "最大 logit",
    "resnet18.ood.like": "像训练图片",
    "resnet18.ood.unlike": "不像",
    "resnet18.ood.here": "{kind} {score}，阈值 {threshold}",
    "resnet18.ood.rates": (
        "实测：这个阈值保留了未见画风中 {keeps}% 的 emoji，标出了 {photos}% 的照片、{digits}% 的手写"
        "数字和 {noise}% 的噪声。"
    ),
    # class activation
    "resnet18.cam.title": "它看了哪里",
    "resnet18.cam.lead": (
        "Grad-CAM 点亮那些支持某一类别的位置。最后一个阶段之后只有取平均和一个线性层，"
        "所以那里的图是精确的：每个位置都给 logit 贡献一份，贡献越多越亮。"
    ),
    "resnet18.cam.shares": "数字是各位置对 logit 的贡献（不含偏置）。",
    "resnet18.cam.class": "支持哪一类",
    "resnet18.cam.stage": "阶段",
    "resnet18.stage": "阶段 {n}",
    "resnet18.cam.torch": "阶段 4，用闭式公式算出。更早的阶段需要梯度，由 PyTorch 引擎计算；当前引擎不提供。",
    "resnet18.cam.alt": "图像上“{name}”的类激活图：亮处即证据所在",
    "resnet18.cam.layer": "激活图",
    "resnet18.cam.hint": "点按一个位置，读出它给 logit 贡献了多少。",
    "resnet18.cam.size": "{rows} × {columns} 个位置，平滑显示。灰色：与最强的位置相比，几乎没有支持该类的证据。",
    "resnet18.cam.empty": "在这一阶段，图中没有任何内容支持“{name}”。",
    "resnet18.logit.lead": "把**{name}**的 logit 拆开来看：",
    "resnet18.logit.by": "求和方式",
    "resnet18.logit.by.position": "按位置",
    "resnet18.logit.by.channel": "按通道",
    "resnet18.logit.here": "所选位置（第 {row} 行、第 {column} 列）贡献 **{value}**。",
    # worked numbers
    "resnet18.term": "项",
    "resnet18.product": "值",
    "resnet18.rest": "其余 {n} 项",
    "resnet18.bias": "偏置 b",
    "resnet18.worked.sum": "重新计算：**{value}**；网络给出：{stored}；相差 {difference}。",
    "resnet18.worked.relu": "重新计算：ReLU({before}) = **{value}**；网络给出：{stored}；相差 {difference}。",
    "resnet18.worked.max": "其中最大的：**{value}**；网络给出：{stored}；相差 {difference}。",
    # inside
    "resnet18.inside.title": "内部",
    "resnet18.inside.lead": "先选一个块，再选它的一个张量。点按某个通道即可放大。",
    "resnet18.inside.tap": "张量",
    "resnet18.part.stem": "stem",
    "resnet18.part.pool": "池化",
    "resnet18.part.hidden": "中间层 h",
    "resnet18.part.residual": "残差 F(x)",
    "resnet18.part.shortcut": "捷径",
    "resnet18.part.out": "输出 y",
    "resnet18.part.features": "特征",
    "resnet18.part.logits": "logits",
    "resnet18.tap.stem": "第一个卷积的响应：边缘、颜色和斑点，分辨率减半。",
    "resnet18.tap.pool": "每个 3 × 3 邻域取最大值，分辨率降为四分之一。",
    "resnet18.tap.hidden": "残差分支内部：第一个卷积、批归一化和 ReLU 之后。",
    "resnet18.tap.residual": "这一块打算加上的量 F(x)：第二个批归一化之后、任何 ReLU 之前，所以有正有负。",
    "resnet18.tap.shortcut": (
        "这一块放行的量：x 本身；尺寸和通道数改变时，则是步幅为 2 的 1 × 1 卷积加批归一化。"
    ),
    "resnet18.tap.out": "这一块的输出：两条分支之和，小于 0 的全部置 0。",
    "resnet18.tap.features": "最后一张特征图每个通道的平均值：分类器所知道的就是这些。",
    "resnet18.tap.logits": "softmax 之前，每一类一个数。",
    "resnet18.number.title": "这个数从何而来",
    "resnet18.number.lead": "通道 {channel}、第 {row} 行、第 {column} 列：算出它的每一项。",
    "resnet18.number.folded": (
        "批归一化已并入权重（w′ = γ/√(σ²+ε)·w，b′ = β − μγ/√(σ²+ε)）。每一项以输入通道和相对卷积核中心"
        "的偏移（行，列）命名。"
    ),
    # receptive field
    "resnet18.field.title": "这个单元能看到什么",
    "resnet18.field.alt": "图像与第 {row} 行、第 {column} 列单元的感受野：列 {x0} 至 {x1}，行 {y0} 至 {y1}",
    "resnet18.field.hint": "点按图像，选取对应位置上的单元。",
    "resnet18.field.layer": "影响",
    "resnet18.field.says": (
        "它的感受野为 {size} × {size} 像素（列 {x0} 至 {x1}，行 {y0} 至 {y1}），相邻单元相隔 {stride} "
        "像素，覆盖图像的 {share}%。"
    ),
    "resnet18.field.cut": "其余部分落在图外，那里填充的是 0。",
    "resnet18.field.effect": "实际影响",
    "resnet18.field.effect.help": (
        "这个数对每个像素的梯度大小：此时此刻它真正依赖什么。通常只是矩形中央的一团。"
    ),
    "resnet18.field.silent": "没有影响：ReLU 已把这个数截为 0，没有任何像素能改变它。",
    "resnet18.field.torch": "实际影响（梯度）在 PyTorch 引擎上显示。",
    "resnet18.field.how": "计算过程",
    "resnet18.field.table": (
        "每一层的卷积核 k、步幅 s、填充 p；该层之后感受野的大小 r 和步幅 j，以及第 0 个单元读取的第一个"
        "像素 a。"
        "第 i 个单元读取像素 a + i·j 至 a + i·j + r − 1。"
    ),
    "resnet18.layer": "层",
    # branches
    "resnet18.branches.title": "每一块加了什么",
    "resnet18.branches.lead": (
        "一个块返回 ReLU(F(x) + x)。这里把同一通道的两个加数用相同的配色并排显示，并在所有通道上比较谁更大。"
    ),
    "resnet18.branches.block": "块",
    "resnet18.branches.identity": "捷径就是 x 本身，原样通过。",
    "resnet18.branches.projection": (
        "这里尺寸和通道数都变了：捷径是步幅为 2 的 1 × 1 卷积加批归一化，记作 s(x)。"
    ),
    "resnet18.branches.ratio": "‖F(x)‖ / ‖捷径‖",
    "resnet18.branches.ratio.help": "对所有通道和位置取范数。远小于 1：这一块改变得很少。",
    "resnet18.branches.cosine": "cos(F(x), 捷径)",
    "resnet18.branches.cosine.help": "大于 0：加强已有的内容；小于 0：削弱；接近 0：加入新的内容。",
    "resnet18.branches.cut": "被 ReLU 截断",
    "resnet18.branches.cut.help": "F(x) + x 中不大于 0、因而变成 0 的比例。",
    "resnet18.branches.says": (
        "对这张图，**{most}** 改变最多（比值 {most_ratio}），**{least}** 改变最少（{least_ratio}）。"
    ),
    "resnet18.chart.residual": "‖F(x)‖",
    "resnet18.chart.shortcut": "‖捷径‖",
    "resnet18.chart.ratio": "比值（虚线：1）",
    "resnet18.chart.title": "各块两条分支的范数及其比值",
    "resnet18.sum": "和",
    "resnet18.four.alt": "{block} 的通道 {channel}：残差、捷径、两者之和，以及 ReLU 之后",
    "resnet18.four.hint": "橙色大于 0，蓝色小于 0。指向一个单元可看到它的位置。",
    # filters
    "resnet18.filters.title": "第一层的卷积核",
    "resnet18.filters.lead": (
        "第一层直接面对像素，所以它的 7 × 7 权重可以画成图：图像哪里像它，它就在哪里响应。"
    ),
    "resnet18.filters.alt": "第一层的 {count} 个卷积核，画成彩色小图",
    "resnet18.filters.hint": "点按一个卷积核，看它的响应。",
    "resnet18.filters.grey": "中灰表示权重为 0。每个卷积核按自身最大权重缩放。",
    "resnet18.filters.response": "卷积核 {n} 的响应（批归一化和 ReLU 之后）",
    "resnet18.filters.response.alt": "卷积核 {n} 在图像中响应的位置",
    "resnet18.filters.numbers": (
        "卷积核 {n}：权重 {low} 至 {high}，总和 {sum}。它的能量有 {grey}% 在红、绿、蓝三通道上相同。在"
        " {off}% 的位置上没有响应。"
    ),
    # play
    "resnet18.play.title": "动手试：拿掉分支",
    "resnet18.play.lead": "关掉某一块加上的量（F(x) = 0）或放行的量（捷径 = 0），再问一次。",
    "resnet18.play.how": "点按某一块的 **F(x)** 或它的**捷径**（那条直线）即可切断；再点一次恢复。",
    "resnet18.play.residual": "残差 F(x)",
    "resnet18.play.shortcut": "捷径",
    "resnet18.play.on": "接通",
    "resnet18.play.off": "切断",
    "resnet18.play.drawing": "八个块及其两条分支；每条分支都是一个开关",
    "resnet18.play.reset": "全部恢复",
    "resnet18.play.theory": (
        "没有 F(x) 时，块返回 ReLU(x)。每个块的输入都来自 ReLU，x 从不为负，因此没有投影的块会把输入原样传下去。网络"
        "并没有为此训练过。"
    ),
    "resnet18.play.whole": "**{name}**——目前什么都没有拿掉。",
    "resnet18.play.stays": "仍然是**{first}**：原来 {before}，现在 {after}。",
    "resnet18.play.flips": "**{first}**从 {before} 降到 {after}，现在它说是**{now}**。",
    "resnet18.play.bars.alt": "拿掉所选分支后最可能的类别",
    "resnet18.play.tick": "竖线表示什么都不拿掉时的概率。",
    "resnet18.removal.lead": "逐一拿掉每条分支：**{name}**的概率还剩多少。",
    "resnet18.removal.residual": "去掉 F(x)",
    "resnet18.removal.shortcut": "去掉捷径",
    "resnet18.removal.whole": "完整网络",
    "resnet18.removal.title": "拿掉一条分支后剩下的概率",
    "resnet18.removal.says": (
        "去掉 F(x)，8 次中有 {residual} 次答案改变；去掉捷径，8 次中有 {shortcut} 次。"
        "影响最大的是 **{block}** {branch}（只剩 {after}，改判为{winner}）。"
    ),
    # notes
    "resnet18.notes.title": "笔记与论文",
    "resnet18.notes.test": "`{test}`，见 `{file}`",
    "resnet18.note.E06": (
        "笔记说残差权重为 0 时块就成为恒等映射。这只对最后一个激活之前的和成立：块返回的是 ReLU(x)，所"
        "以 −1 会变成 0。"
        "预激活块（v2）才真正给出恒等映射。"
    ),
    "resnet18.note.E07": (
        "笔记说 1 × 1 卷积用来调整通道数。它还承担步幅，后面还跟着批归一化：64 × 56 × 56 变成 128 × 28 × 28。"
    ),
    "resnet18.note.E63": (
        "笔记把更深的普通网络效果更差归咎于梯度消失。He 等人认为不太可能，因为批归一化让信号保持健康："
        "在 56 层、带批归一化的普通网络里，第一层的梯度远不为 0。"
    ),
    "resnet18.paper.residual": "架构本身：图 2、式 1 与式 2、表 1。",
    "resnet18.paper.identity": "激活与求和的先后为何重要。",
    "resnet18.paper.ensemble": "单独移除某些块会怎样。",
    "resnet18.paper.cam": "类激活图。",
    "resnet18.paper.field": "实际影响为何小于感受野。",
    "resnet18.paper.energy": "“不像训练图片”背后的分数。",
    # take away
    "resnet18.take.title": "保存与分享",
    "resnet18.take.lead": (
        "通向当前画面的链接（包括权重、样例、块、通道、单元和类别）、图像上的阶段 4 激活图，以及 logits。"
    ),
}
