"""潜在扩散页面的文字。"""

MESSAGES: dict[str, str] = {
    # head and input
    "latent_diffusion.sentence": (
        "写一个词，得到一幅图。噪声不是从像素里去掉的，而是从 16 × 16 的潜变量里去掉的；最后由解码器变成 64 "
        "× 64 像素，"
        "而每一步都在听你写的词。"
    ),
    "latent_diffusion.score": "20 选 1，{agrees_of_20:%} 认得出",
    "latent_diffusion.weights.emoji": "Emoji，64 × 64",
    "text_encoder.weights.emoji": "描述 emoji 的词",
    "autoencoder_kl_encoder.weights.emoji": "Emoji，64 × 64",
    "autoencoder_kl_decoder.weights.emoji": "Emoji，64 × 64",
    "latent_diffusion.first": "狗",
    "latent_diffusion.text": "画什么？",
    "latent_diffusion.text.help": "中文或英文都行：一样东西，也可以加上颜色或背景。它认识的词不多。",
    "latent_diffusion.examples": "绿色的狗|蓝色的爱心|紫色的花|红色的苹果|企鹅黄色背景|房子线稿|dog on blue",
    "latent_diffusion.names": "全部 {count} 样东西",
    "latent_diffusion.names.about": (
        "它学过画的东西。它还认识这些颜色，可以用在东西上（“蓝色的猫”），也可以用作背景（“猫蓝色背景”）：{colours}。"
        "也可以只要线条：“猫线稿”。"
    ),
    "latent_diffusion.comma": "、",
    "latent_diffusion.start_token": "（开头）",
    "latent_diffusion.reads": "它读到：{words}。",
    "latent_diffusion.reads.empty": "没有文字：画什么由噪声决定。",
    "latent_diffusion.reads.nothing": "没有它认识的词：画什么由噪声决定。",
    "latent_diffusion.unknown": "不在它的 {count} 个词里，已略去：{words}。",
    "latent_diffusion.cut": "它最多读 {most} 个 token，后面的已略去。",
    "latent_diffusion.seed": "噪声种子",
    "latent_diffusion.seed.help": "种子、文字和设置都相同，在任何机器上都得到同一幅图（引擎的舍入误差除外）。",
    "latent_diffusion.dice": "换一个",
    "latent_diffusion.samples": "样本数",
    "latent_diffusion.steps": "步数",
    "latent_diffusion.steps.help": "训练时有 1000 步，DDIM 只走其中这些步。步数少则快，但粗糙。",
    "latent_diffusion.guidance": "引导强度",
    "latent_diffusion.guidance.help": (
        "从“没有文字”朝着文字走多远：0 不理会文字，1 就是有文字时的预测，再大则夸张它。每一步要多运行一次网络。"
    ),
    "latent_diffusion.text.unfit": "链接里的文字超过 {most} 个字符，或含有不可显示的字符。",
    "latent_diffusion.running": "正在画……",
    "latent_diffusion.progress": "第 {done} 步，共 {total} 步",
    "latent_diffusion.before": "下面是上一次的结果：“{text}”，种子 {seed}，{steps} 步。",
    # result
    "latent_diffusion.strip.z_t": "zₜ：网络拿到的潜变量",
    "latent_diffusion.strip.z_0": "ẑ₀：它预期的潜变量",
    "latent_diffusion.strip.x_0": "把 ẑ₀ 解码成图",
    "latent_diffusion.strip.expected": "x̂₀：它预期的图",
    "latent_diffusion.path.alt": "{count} 个样本从噪声到图像的过程：潜变量和解码后的图；滑块选择步数",
    "latent_diffusion.path.hint": "拖动、播放，或用方向键。松手后，下面各部分会跟着变。",
    "latent_diffusion.path.about": (
        "潜变量是四张 16 × 16 的数值图，这里拼成田字形：大于零为橙，小于零为蓝，范围 −3 到 3。U-Net "
        "自始至终只看得到这些图。"
    ),
    "latent_diffusion.done": "成图",
    "latent_diffusion.read.alpha_bar": "ᾱₜ，信号占方差的比例",
    "latent_diffusion.read.snr": "信噪比",
    "latent_diffusion.sample": "样本 {n}",
    "latent_diffusion.sample.alt": "“{text}”的样本 {n}",
    "latent_diffusion.verdict": "Emoji 分类器看到的是：{name}（{percent}）。",
    "latent_diffusion.limits": (
        "分类器并不知道你写了什么。它只认识 120 种东西，而且得是本来的颜色：线稿、换了颜色的东西、另外一百来个词，"
        "它都只能猜。这么小的模型，有些东西只画得出大概。"
    ),
    "latent_diffusion.look": "看哪个样本",
    "latent_diffusion.step": "步",
    # closer
    "latent_diffusion.closer": "细看",
    "latent_diffusion.closer.choice": "看哪一方面",
    "latent_diffusion.closer.here": "样本 {n}，第 {step} 步，共 {steps} 步，t = {t}。用上面的滑块改变。",
    "latent_diffusion.closer.done": (
        "样本 {n}。滑块停在成图上，所以这里是它之前的最后一步：第 {step} 步，共 {steps} 步，t = {t}。"
    ),
    "latent_diffusion.view.words": "哪里在听哪个词",
    "latent_diffusion.view.weigh": "给一个词加权",
    "latent_diffusion.view.guide": "引导",
    "latent_diffusion.view.language": "文本编码器",
    "latent_diffusion.view.inside": "网络",
    # where words look
    "latent_diffusion.words.about": (
        "在 cross-attention 里，潜变量的每个位置提出问题（Q），每个词给出回答（K、V）。一个位置越亮，"
        "它听到的内容越多地来自"
        "这个词：这是 U-Net 所有 Transformer、所有注意力头的平均。"
    ),
    "latent_diffusion.words.alt": "预期的图，以及 {count} 个 token 在图上各处被听到多少，逐步显示",
    "latent_diffusion.words.hint": "点一个位置，看它怎样混合各个词。",
    "latent_diffusion.words.scale": (
        "每个词的亮度各有自己的尺度：最暗是所有步里听得最少的位置，最亮是听得最多的位置。“（开头）”站在每段文字之前；不需要任何词的位置就听它。"
    ),
    "latent_diffusion.words.place": "第 {row} 行第 {column} 列的位置在听什么",
    "latent_diffusion.words.by_step": "整幅图上每个词被听到多少",
    "latent_diffusion.words.by_step.alt": "各步中每个词的平均注意力比例",
    "latent_diffusion.words.worked": "这个位置听到的一个数",
    "latent_diffusion.words.layer": "Transformer",
    "latent_diffusion.layer.down": "下行，第 {level} 级，第 {n} 个",
    "latent_diffusion.layer.mid": "中间",
    "latent_diffusion.layer.up": "上行，第 {level} 级，第 {n} 个",
    "latent_diffusion.words.sum": (
        "第 {channel} 通道最强：{heads} 个头 × {words} 个词，每一项是注意力乘以这个词要说的话。"
    ),
    "latent_diffusion.words.sum.alone": (
        "第 {channel} 通道最强：{heads} 个头，每一项是对开头的注意力（只有它可听）乘以开头要说的话。"
    ),
    # weigh
    "latent_diffusion.weigh.about": (
        "把对某个词的注意力乘上一个倍数，再用同样的噪声画一遍（prompt-to-prompt 里叫 re-weighting）："
        "0 把它拿掉，大于 1 说得更响，小于 0 则朝相反方向推。"
    ),
    "latent_diffusion.word": "词",
    "latent_diffusion.weigh.factor": "倍数",
    "latent_diffusion.weigh.before": "原来",
    "latent_diffusion.weigh.after": "这个词 × {factor}",
    "latent_diffusion.weigh.alt": "同样的噪声：词的权重不变与改变后的结果，以及两者之差",
    "latent_diffusion.weigh.change": "成图中每个像素平均改变 255 级中的 {levels} 级。",
    "latent_diffusion.weigh.note": (
        "倍数加在 softmax 之后，其他词的比例不变。没有文字的那次预测，在同一位置也会乘上它；"
        "残差块听到的平均词向量则不变。"
    ),
    # guidance
    "latent_diffusion.guide.about": (
        "网络预测两次：一次有文字，一次是空文字。引导沿着两者之差，走到有文字的预测之外。"
        "它预测的是 v = √ᾱ ε − √(1 − ᾱ) z₀，即噪声与潜变量的一种混合，由它可以得到两者；论文直接预测噪声 ε。"
        "同样的噪声，几种强度："
    ),
    "latent_diffusion.guide.none": "w = 0，没有文字",
    "latent_diffusion.guide.alone": "w = 1，只有文字",
    "latent_diffusion.guide.more": "w = {amount}",
    "latent_diffusion.guide.alt": "同样的噪声在 {count} 种引导强度下，逐步显示",
    "latent_diffusion.guide.numbers": "这一步的引导，用数字说明",
    "latent_diffusion.guide.v_none": "没有文字的 v",
    "latent_diffusion.guide.v_words": "有文字的 v",
    "latent_diffusion.guide.v_guided": "引导后，w = {amount}",
    "latent_diffusion.guide.where": "文字改变了哪里",
    "latent_diffusion.guide.agreement": (
        "被文字改变最多的数：第 {channel} 张图第 {row} 行第 {column} 列。由它得 ẑ₀ = {again}；路径里存的是 {stored}，"
        "相差 {apart}。"
    ),
    # picture
    "latent_diffusion.picture": "从图出发",
    "latent_diffusion.picture.choice": "拿它做什么",
    "latent_diffusion.way.img2img": "带着文字重画",
    "latent_diffusion.way.vae": "只过图像 VAE",
    "latent_diffusion.picture.framed": "取中间的正方形，缩为 {side} × {side} 像素。",
    "latent_diffusion.img2img.about": (
        "不从纯噪声出发，而从一幅图出发：先编码，按强度加噪，再带着“{text}”去噪。网络从未直接看到这幅图。"
    ),
    "latent_diffusion.img2img.about.silent": (
        "不从纯噪声出发，而从一幅图出发：先编码，按强度加噪，再不带文字去噪。网络从未直接看到这幅图。"
    ),
    "latent_diffusion.img2img.strength": "强度",
    "latent_diffusion.img2img.strength.help": "整条路重走多少：0 保留原图，1 则从纯噪声重新开始。",
    "latent_diffusion.img2img.steps": "int({strength} · {steps}) = **{left}**：{steps} 步里走 {left} 步。",
    "latent_diffusion.img2img.given": "原图",
    "latent_diffusion.img2img.encoded": "编码再解码",
    "latent_diffusion.img2img.noised": "加噪后解码",
    "latent_diffusion.img2img.made": "结果",
    "latent_diffusion.img2img.alt": "从原图到结果",
    "latent_diffusion.img2img.none": "一步也不走：结果就是经过图像 VAE 的原图。",
    "latent_diffusion.img2img.path": "从加噪的图到结果的过程",
    # image VAE
    "latent_diffusion.vae.about": (
        "图像 VAE 把 {pixels} 个数变成 {numbers} 个：四张 {side} × {side} 的数值图，每 {share} 个数只留一个。"
        "正因为数少，扩散才算得起。"
    ),
    "latent_diffusion.vae.silent": "关掉一张图",
    "latent_diffusion.vae.silent.help": "解码前把它的数全部变成 0：缺了什么，什么就在这张图里。",
    "latent_diffusion.vae.no_map": "不关",
    "latent_diffusion.vae.map": "第 {n} 张",
    "latent_diffusion.vae.map.alt": "潜变量的第 {n} 张图，从 {low} 到 {high}",
    "latent_diffusion.vae.back": "解码后，{psnr} dB",
    "latent_diffusion.vae.lost": "丢失的部分",
    "latent_diffusion.vae.alt": "原图、四张潜变量图、解码后的图、两者之差",
    "latent_diffusion.vae.held_out": "在没见过的画风的 {count} 幅画上，平均 {psnr} dB。",
    "latent_diffusion.vae.scale": (
        "编码器对每个数给出均值和标准差。这幅图的均值散布为 {raw}；乘以尺度 {scale} 后为 {scaled}，与噪声差不多大。"
        "标准差平均为 {sd}：像任何 VAE 一样，是一小团云。"
    ),
    # text encoder
    "latent_diffusion.language.about": (
        "两层的 Transformer 把词变成 cross-attention 要读的向量。它与 U-Net 一起训练，认识 {count} 个英文词和汉字。"
        "文字只在第一步之前读一遍。"
    ),
    "latent_diffusion.language.layer": "层",
    "latent_diffusion.language.head": "第 {n} 个头",
    "latent_diffusion.language.head.alt": "第 {n} 个头在这些 token 之间的注意力：{words}",
    "latent_diffusion.language.heads": "谁读谁：每行是一个在读的 token，每列是一个被读的。",
    "latent_diffusion.language.row": "“{word}”在读什么（各头平均）",
    "latent_diffusion.language.near": "离“{word}”最近的词：单独读每个词时编码器输出的余弦",
    "latent_diffusion.language.start": "开头不是词，请另选一个。",
    # inside
    "latent_diffusion.inside.about": (
        "四个网络一起工作。U-Net 按所选的步显示，文本编码器按所写的文字，图像 VAE 的两半按完成的图。"
    ),
    "latent_diffusion.inside.net": "网络",
    "latent_diffusion.net.unet": "U-Net",
    "latent_diffusion.net.text": "文本编码器",
    "latent_diffusion.net.encoder": "图像编码器",
    "latent_diffusion.net.decoder": "图像解码器",
    "latent_diffusion.inside.none": "这个模块只传递输入；选别的模块看张量。",
    "latent_diffusion.inside.tokens": "Token：{words}。后面是没人读的填充。",
    "latent_diffusion.inside.tap": "张量",
    # notes
    "latent_diffusion.notes": "笔记",
    "latent_diffusion.note.E23": (
        "**E23.** 笔记把 CLIP 当作固定部件，没有给出尺度、噪声日程和注意力。冻结的 CLIP 是 Stable Diffusion 的选择；"
        "论文是和 U-Net 一起训练自己的 Transformer，这里也一样。此外还需要：潜变量乘以尺度，使散布约为 1（Stable "
        "Diffusion 为 0.18215，这里为 {scale}）；β 的*平方根*线性变化，从 √0.00085 到 √0.012；"
        "cross-attention 的 Q 来自图，"
        "K、V 来自文字（那里每个词 768 个数，这里 {dim} 个）。\n\n"
        ":material/calculate: 1000 步之后 ᾱ = {root}；若 β 本身线性变化，则剩 {straight}。"
    ),
    "latent_diffusion.note.E24": (
        "**E24.** 笔记把以图为条件称作 img2img，并在生成时加噪。img2img 其实是先把图编码，加噪到第 int(强度 "
        "· 步数) 步，"
        "再带着文字去噪：图不是网络的输入。只有文字时从纯噪声出发，不再加噪。\n\n"
        ":material/calculate: {steps} 步、强度 0.75：走 {left} 步。强度 0：{none} 步。"
    ),
    "latent_diffusion.notes.score": (
        "**画得怎么样？** 在 {samples} 幅图中，emoji 分类器有 {share} 认为所要的词胜过另外 19 个（英文 "
        "{english}，"
        "中文 {chinese}）；真实的画经过图像 VAE 后是 {ceiling}。训练时从未一起出现的颜色和东西，"
        "两者都对的有 {both}。"
    ),
    "latent_diffusion.paper.ldm": "潜变量、cross-attention、图像 VAE。",
    "latent_diffusion.paper.guidance": "有文字与没有文字，以及更远。",
    "latent_diffusion.paper.ddim": "采样器。",
    "latent_diffusion.paper.v": "预测 v，本页的网络就是这样。",
    "latent_diffusion.paper.sdedit": "从加噪的图出发。",
    "latent_diffusion.paper.p2p": "词的 cross-attention 图及其权重。",
    "latent_diffusion.paper.attention": "文本编码器的各层。",
    # take away
    "latent_diffusion.take": "带走",
    "latent_diffusion.take.about": "链接能还原本页的一切。按下按钮时才生成文件。",
    "latent_diffusion.take.pictures": "只要成图：",
}
