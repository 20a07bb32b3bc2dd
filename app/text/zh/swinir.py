"""SwinIR 页面。"""

MESSAGES: dict[str, str] = {
    # head and input
    "swinir.sentence": (
        "把照片放大。每个像素只在 8 × 8 的窗口里张望，窗口又逐层错位：点一个像素，看看它从哪些像素取来信息。"
    ),
    "swinir.score": "相对双三次插值 {mean_gain:+.2f} dB",
    "swinir.sample.chelsea": "猫咪 Chelsea 的眼睛和胡须",
    "swinir.sample.astronaut": "带任务徽章的宇航服",
    "swinir.sample.coffee": "咖啡杯，碟上放着小勺",
    "swinir.sample.rocket": "黄昏时桁架塔之间的火箭",
    "swinir.sample.jpeg": "宇航员的脸，被高压缩的 JPEG 损坏",
    "swinir.shrink_first": "先缩小，再与原图比较",
    "swinir.shrink_first.help": (
        "先按权重的倍数把图片缩小，再让网络找回丢失的细节；原图就是标准答案，结果因此可以打分。关闭时，直接放大图片本身。"
    ),
    # weights
    "swinir.weights.x2": "Vitrine ×2",
    "swinir.weights.x4": "Vitrine ×4",
    "swinir.weights.classical_x2": "经典 ×2",
    "swinir.weights.classical_x3": "经典 ×3",
    "swinir.weights.classical_x4": "经典 ×4",
    "swinir.weights.classical_x8": "经典 ×8",
    "swinir.weights.lightweight_x2": "轻量 ×2",
    "swinir.weights.lightweight_x3": "轻量 ×3",
    "swinir.weights.lightweight_x4": "轻量 ×4",
    "swinir.weights.real_x2": "真实场景 ×2",
    "swinir.weights.real_x4": "真实场景 ×4",
    "swinir.weights.real_large_x4": "真实场景（大）×4",
    "swinir.weights.x2.about": "小而快，专为本应用在 CPU 上训练。",
    "swinir.weights.x4.about": "小而快，专为本应用训练，以 ×2 的权重为起点。",
    "swinir.weights.classical_x2.about": "论文中的大模型，适合干净的缩小图。没有 GPU 时较慢。",
    "swinir.weights.classical_x3.about": "论文中的大模型，适合干净的缩小图。没有 GPU 时较慢。",
    "swinir.weights.classical_x4.about": "论文中的大模型，适合干净的缩小图。没有 GPU 时较慢。",
    "swinir.weights.classical_x8.about": "论文中的大模型，适合干净的缩小图。没有 GPU 时较慢。",
    "swinir.weights.lightweight_x2.about": "论文中的小模型，适合干净的缩小图。",
    "swinir.weights.lightweight_x3.about": "论文中的小模型，适合干净的缩小图。",
    "swinir.weights.lightweight_x4.about": "论文中的小模型，适合干净的缩小图。",
    "swinir.weights.real_x2.about": "以 GAN 方式在模糊、带噪、压缩过的图片上训练：它会清理瑕疵，也会编造纹理。",
    "swinir.weights.real_x4.about": "以 GAN 方式在模糊、带噪、压缩过的图片上训练：它会清理瑕疵，也会编造纹理。",
    "swinir.weights.real_large_x4.about": "最大的真实场景模型：它会清理瑕疵，也会编造纹理。没有 GPU 时非常慢。",
    # area
    "swinir.area": "放大哪一部分？",
    "swinir.area.about": (
        "你的图片有 {width} × {height} 像素。先立即处理其中一部分；处理整张需要更久，由你决定何时开始。"
    ),
    "swinir.area.strip": "你的图片有 {width} × {height} 像素，太细长，整张显示时什么也看不清，因此先显示其中一部分。",
    "swinir.area.alt": "整张图片，正在处理的部分加了框",
    "swinir.area.hint": "点一下，框就移到那里；边界由滑块决定。",
    "swinir.area.columns": "左右边界",
    "swinir.area.rows": "上下边界",
    "swinir.area.size": "{width} × {height} 像素，显示为 {wide} × {high}",
    "swinir.area.whole": "处理整张图片",
    "swinir.area.limit": "整张放大后将有 {megapixels} 百万像素，上限是 {limit}。请选择一部分。",
    "swinir.running": "正在放大……",
    "swinir.progress": "第 {done} 块，共 {total} 块",
    "swinir.start": "开始放大",
    "swinir.estimate": (
        "在 {device} 上大约需要 **{time}**：分 {tiles} 块，结果为 {megapixels} 百万像素。"
        "相邻块的边缘会重复计算，因此看不到接缝。"
    ),
    # result
    "swinir.method.nearest": "最近邻",
    "swinir.method.bicubic": "双三次",
    "swinir.method.lanczos": "Lanczos",
    "swinir.ours": "SwinIR ×{scale}",
    "swinir.compare": "与谁比较",
    "swinir.result.alt": "放大 {scale} 倍的图片：分隔线左侧是{method}插值，右侧是 SwinIR",
    "swinir.result.hint": "拖动分隔线对比；点一个像素，下方显示它从哪些像素取来信息。",
    "swinir.size": "从 **{width} × {height}** 放大到 **{wide} × {high}** 像素。",
    "swinir.no_truth": "没有这个尺寸的原图，无法打分，好坏请用眼睛判断。",
    "swinir.psnr": "PSNR（Y）",
    "swinir.psnr.help": (
        "结果与原图有多接近：只比亮度（studio range），四边各去掉 4 个像素。高 3 dB 意味着平方误差减半。"
    ),
    "swinir.ssim": "SSIM（Y）",
    "swinir.ssim.help": "局部结构的相似度，完全相同为 1（Wang et al. 2004）。",
    "swinir.over": "相对{method} {value}",
    "swinir.truth": "网络只看到 {width} × {height} 像素。{method}得 {theirs}。",
    "swinir.trained": (
        "用 {photographs} 张照片训练了 {minutes} 分钟。"
        "在另外 {count} 张从未参与训练的照片上，相对双三次平均 {gain} dB。"
    ),
    "swinir.limits.clean": (
        "它只学过还原“干净的缩小”：不会去噪，不会去模糊，也不会修复 JPEG 损伤；没有留下痕迹的细节，它无从知道。"
    ),
    "swinir.limits.real": "它学的是让眼睛满意。细小的纹理可能是编造的：请不要据此辨认人脸、文字或车牌。",
    "swinir.blocky": (
        "这张图片带有 JPEG 压缩的 8 × 8 方块（方块边界的跳变是别处的 {value} 倍）。"
        "这套权重从未见过这种损伤，会把方块也一并锐化。"
    ),
    "swinir.save": "保存大图",
    "swinir.save.part": "保存放大后的这一部分",
    "swinir.save.part.about": "只保存所选的部分，放大后为 {width} × {height} 像素，不是整张图片。",
    "swinir.save.about": "保留透明度和色彩配置，方向已摆正，位置信息已去除。JPEG 不支持透明，会铺成白底。",
    # inside
    "swinir.inside": "内部",
    "swinir.view": "视图",
    "swinir.view.attention": "注意力",
    "swinir.view.windows": "窗口与掩码",
    "swinir.view.bias": "位置偏置",
    "swinir.view.features": "特征",
    "swinir.view.network": "整个网络",
    "swinir.layer": "层（RSTB . 层）",
    "swinir.layer.help": "各层交替：W-MSA 把图片切成普通窗口，SW-MSA 切成错开半个窗口的窗口。",
    "swinir.crop": (
        "整张图片的内部数值放不进内存，因此单独运行了这一部分（{width} × {height} 像素）；它的边界就当作图片的边界。"
    ),
    # attention
    "swinir.attention.about": (
        "在每一层里，一个像素只能听它所在窗口里的 64 个像素。听每个像素多少，是一个数；64 个数加起来是 100%。"
        "请选一个像素、一层和一个头。"
    ),
    "swinir.where.alt": "网络的输入和这一层的窗口；所选像素听取的像素在发亮",
    "swinir.where.hint": "点另一个像素试试。",
    "swinir.where.film": "注意力",
    "swinir.place": "第 **{window}** 个窗口（共 {count} 个），{kind} · 所选像素在第 **{row}** 行第 **{column}** 列",
    "swinir.window.alt": "{size} × {size} 像素的窗口和它的邻居，窗口上叠加注意力，所选像素加了框",
    "swinir.window.hint": "这一层切出的窗口和它的邻居。虚线：循环移位把对边拼在一起的地方。",
    "swinir.listened": (
        "头 {head} 听得最多的是{place}，占 **{share}%**。"
        "折算成平均分配，相当于听了 {tokens} 个像素中的 **{number}** 个。"
    ),
    "swinir.would_have": "有 **{count}** 个像素被掩码屏蔽；没有掩码，它们会分走 **{share}%** 的注意力。",
    "swinir.padded": "其中 {count} 个像素在图片之外，是边缘的镜像。",
    "swinir.offset.itself": "它自己",
    "swinir.offset.up": "上方 {n} 格",
    "swinir.offset.down": "下方 {n} 格",
    "swinir.offset.left": "左侧 {n} 格",
    "swinir.offset.right": "右侧 {n} 格",
    "swinir.offset.join": "、",
    "swinir.offset.pixel": "{place}的像素",
    "swinir.heads": "逐头查看",
    "swinir.heads.about": (
        "所选像素（加框）听窗口里每个像素的百分比。斜线：被掩码屏蔽。点一个格子，下面就重算这一对。"
    ),
    "swinir.head_n": "头 {n}",
    "swinir.head.alt": "头 {n} 在窗口上的注意力，最大为百分之 {share}",
    "swinir.depth": "贯穿所有层",
    "swinir.depth.help": "会重新运行网络以记录每一层，需要片刻。",
    "swinir.depth.alt": "所选像素在 {layers} 层（横向）和 {heads} 个头（纵向）中的注意力",
    "swinir.depth.about": (
        "从左到右是网络的先后各层。数字：如果注意力平均分配，相当于听了几个像素——"
        "{tokens} 表示窗口里人人都听，1 表示只听一个像素。"
        "可以看看哪些头盯着一处，哪些头听整个窗口，以及它们逐层怎样变化。"
    ),
    "swinir.depth.hint": "点一格，上方就显示那一层和那个头。",
    "swinir.silenced": "掩码屏蔽了哪些像素",
    "swinir.silenced.about": (
        "这个窗口位于{kind}，循环移位把本不相邻的像素凑到了一起。它们和别人一样有得分；"
        "随后掩码加上 −100，softmax 之后就什么也不剩了。"
    ),
    "swinir.silenced.scores": "**得分** q·k/√d + B，加掩码之前",
    "swinir.silenced.scores.alt": "加掩码之前窗口上的得分",
    "swinir.silenced.free": "**没有掩码**时会听谁（%）",
    "swinir.silenced.free.alt": "没有掩码时的注意力，百分比",
    "swinir.silenced.kept": "**有掩码**时的注意力（%）",
    "swinir.silenced.kept.alt": "有掩码时的注意力，百分比",
    "swinir.no_mask_here": "这里的 64 个像素都是真正的邻居，没有哪个被屏蔽。",
    "swinir.to_the_corner": "看一个有掩码的窗口",
    "swinir.worked": "重新算一遍",
    "swinir.worked.pair": "一对像素的权重",
    "swinir.worked.output": "这个头带回的内容",
    "swinir.pair": "所选像素与{place}这一对，头 {head}：",
    "swinir.channel": "该头输出的通道",
    "swinir.agreement": "权重：这里算得 {again}，网络中是 {stored}，相差 {apart}",
    "swinir.output": "头 {head} 在通道 {channel} 带回的内容；各项以窗口中的行、列标注：",
    # windows
    "swinir.windows.about": (
        "如果窗口固定不动，窗口之间就永远是陌生人。所以每隔一层，窗口整体错开半格。点一个像素，它在两种网格中的窗口都会着色。"
    ),
    "swinir.grid.plain": "**W-MSA**：{count} 个窗口",
    "swinir.grid.shifted": "**SW-MSA**：{count} 个窗口，错开 {shift} 像素",
    "swinir.grid.plain.alt": "图片与 {size} 像素的普通窗口",
    "swinir.grid.shifted.alt": "图片与错开的 {size} 像素窗口，边缘的条带着了色",
    "swinir.grid.hint": "点一个像素。",
    "swinir.grid.place": "第 {window} 个窗口（{kind}），第 {row} 行，第 {column} 列",
    "swinir.shift": "循环移位",
    "swinir.shift.about": (
        "错开的窗口会伸出图片之外。诀窍是：把图片整体向上、向左循环移动 {shift} 个像素，"
        "上边的条带从下边进来，左边的条带从右边进来，于是又能切成普通窗口。"
        "这样，最后一行和最后一列的窗口里就混着对边的碎块，动画末尾用颜色标出。（动画用的是当前图片，缩小到只有几个窗口。）"
    ),
    "swinir.shift.alt": "图片一步步向上、向左循环移动 {shift} 个像素，然后切成窗口",
    "swinir.shift.start": "未移位",
    "swinir.shift.moved": "已移位 {n}",
    "swinir.shift.cut": "切成窗口",
    "swinir.masks": "四种掩码",
    "swinir.masks.about": (
        "只有同一碎块里的像素才能互相听见。对掩码来说，窗口就是一排 64 个位置："
        "纵向是提问者，横向是被听者。彩色：允许；深色：−100。"
    ),
    "swinir.class.interior": "内部",
    "swinir.class.right": "右边缘",
    "swinir.class.bottom": "下边缘",
    "swinir.class.corner": "右下角",
    "swinir.class.interior.title": "**内部**：一块",
    "swinir.class.right.title": "**右边缘**：两块",
    "swinir.class.bottom.title": "**下边缘**：两块",
    "swinir.class.corner.title": "**右下角**：四块",
    "swinir.piece.alt": "窗口的碎块：{kind}",
    "swinir.mask.alt": "窗口的掩码（{kind}）：{pairs} 对中有 {blocked} 对被屏蔽",
    "swinir.mask.numbers": "这样的窗口有 {count} 个 · {pairs:,} 对中屏蔽 {blocked:,} 对",
    # bias
    "swinir.bias.about": (
        "每个得分都会加上一个学到的数，它只取决于对方在哪个方位。橙色：更爱听；蓝色：少听。中间的框是提问的像素自己；每个头各有习惯。"
    ),
    "swinir.bias.alt": "头 {n} 的位置偏置，从 {low} 到 {high}",
    "swinir.bias.hint": "点一个格子看它的数值。",
    "swinir.bias.cell": "下 {down}，右 {across}：**{value}**",
    # features
    "swinir.features.about": (
        "图片在各个 RSTB 之后变成了什么：越亮，该像素的特征向量越长。点一个阶段，查看它的全部通道。"
    ),
    "swinir.norms.alt": "各阶段特征向量的长度：{names}",
    "swinir.norms.hint": "点一个阶段。",
    "swinir.stage.shallow": "第一层卷积",
    "swinir.stage.rstb": "RSTB {n} 之后",
    "swinir.stage.deep": "深层特征",
    "swinir.stage.fused": "浅层 + 深层",
    # network
    "swinir.network.about": "点一个模块，查看它的每个张量。这里一切从 0 数起，与代码一致：头 0 就是上文的头 1。",
    "swinir.network.none": "这个模块没有记录：它没有自己的内部张量。",
    "swinir.network.tap": "张量",
    "swinir.tap.shallow": "第一层卷积之后的图片；主干末尾会把它加回来。",
    "swinir.tap.mask": "错位层中加到每一对得分上的数：0 或 −100。",
    "swinir.tap.q": "Query：每个像素在问什么。",
    "swinir.tap.k": "Key：每个像素凭什么被找到。",
    "swinir.tap.v": "Value：每个像素被听见时说什么。",
    "swinir.tap.bias": "位置偏置：每一对都有一个学到的数，只取决于两者的相对位置。",
    "swinir.tap.scores": "加掩码之前每一对的得分。",
    "swinir.tap.weights": "注意力：每个 query 听每个 key 多少，每一行加起来是 1。",
    "swinir.tap.out": "每个头带回来的内容：按注意力加权求和的 value。",
    "swinir.tap.layer": "这一层之后的 token：注意力和 MLP 都加到输入上。",
    "swinir.tap.rstb": "整个 RSTB 之后的 token：各层、一个 3 × 3 卷积，再加上输入。",
    "swinir.tap.deep": "深层特征：主干的最后一个卷积。",
    "swinir.tap.fused": "浅层加深层特征：大图就由它重建。",
    # play
    "swinir.play": "动手：去掉掩码",
    "swinir.play.about": (
        "没有掩码，一边的像素会把对边当成邻居来听。把掩码调弱，看看什么漏了过来，漏在哪里。"
    ),
    "swinir.play.strength": "掩码加在被屏蔽像素对上的数值",
    "swinir.play.strength.help": "−100 是应有的值：softmax 之后什么也不剩。弱到 −10 左右就开始漏；0 就是没有掩码。",
    "swinir.play.whole": "掩码完好。",
    "swinir.play.drop": "去掉它",
    "swinir.play.restore": "恢复掩码",
    "swinir.leak.title": "**两次输出之差**：一次掩码完好，一次把 −100 换成 {added}",
    "swinir.leak.alt": "两次输出之差，越亮差得越多",
    "swinir.leak.picture": "叠加图片",
    "swinir.leak.largest": "最大差值",
    "swinir.leak.changed": "改变的像素",
    "swinir.leak.changed.help": "至少一个通道的变化超过 1/255。",
    "swinir.leak.words": (
        "平均 {mean}/255。全部差值的 **{share}%** 落在距图片边缘一个窗口之内，而这圈边带只占面积的 {area}%。"
    ),
    "swinir.leak.crop": "在所选像素周围 {width} × {height} 像素的部分上测得。",
    "swinir.leak.pick": "所选像素，第 {layer} 层，头 {head}：",
    "swinir.leak.with": "**有掩码**（%）",
    "swinir.leak.without": "**掩码加 {added}**（%）",
    "swinir.leak.heard": (
        "现在有 {share}% 分给了并不相邻的像素。"
        "（此处掩码在前面各层也被减弱，传到这一层的特征已不同，因此与上文的百分比不必一致。）"
    ),
    # notes
    "swinir.notes": "笔记与论文",
    "swinir.notes.about": (
        "学习笔记解释了为什么要用窗口：对所有像素做注意力要 N²，在窗口里只要 N·M²；也讲了移位、RSTB 和 PixelShuffle。"
        "笔记与论文及作者代码不一致的地方，本页以后者为准："
    ),
    "swinir.erratum.E66": (
        "正文和代码里的尺寸与任何已发布的模型都不符。经典版：180 通道，6 个 RSTB 各 6 层，MLP 比例 2，"
        "×4 时共 11,900,199 个参数；轻量版：60 通道，4 个 RSTB，929,628 个参数。"
    ),
    "swinir.erratum.E67": (
        "文中说有掩码，代码却从未构造或传入：角上的像素于是听到 64 个像素，连对角的也在内。"
        "有了掩码，只听到 16 个。（可在上面试一试。）"
    ),
    "swinir.erratum.E68": (
        "“无需 padding”只对移位成立，对尺寸不成立：边长不是 8 的倍数就会报错。应当用镜像补齐，再裁掉结果的多余部分。"
    ),
    "swinir.erratum.E69": "不大于一个窗口的特征图不移位：没有邻居可移向。",
    "swinir.erratum.E70": "RSTB 的卷积之前没有 LayerNorm；第一层卷积之后有一个，最后一个 RSTB 之后有一个。",
    "swinir.erratum.E71": (
        "经典版的上采样先到 64 通道，再逐级翻倍（×4 是 2 · 2）；"
        "轻量版只有一次卷积加 PixelShuffle；真实场景版用最近邻放大。"
    ),
    "swinir.erratum.E72": "第一层卷积之前减去颜色均值，最后再加回来。",
    "swinir.erratum.E73": (
        "去噪和 JPEG 模型把输出加到输入上；JPEG 用边长 7 的窗口。"
        "训练时有 drop path、截断正态初始化，最大的模型主干用三层卷积。"
    ),
    "swinir.erratum.E74": (
        "50,176 是 224² 图片的像素数，不是 ViT 的 patch 数（196）。SwinIR 自始至终保持一种分辨率。"
        "循环移位把上边和左边的条带移到对面的边缘，而不是移到中央。"
    ),
    "swinir.notes.tests": "每一条都有以它命名的测试（`test_E67_…`），在 `{path}` 里。",
    "swinir.links": (
        "[SwinIR（Liang et al. 2021）]({paper}) · [Swin Transformer（Liu et al. 2021）](https://arxiv.org/abs/2103.14030)"
        " · [作者代码](https://github.com/JingyunLiang/SwinIR)"
    ),
}
