"""DDPM 页面：输入、结果、分叉、前向过程、带走。"""

MESSAGES: dict[str, str] = {
    # head and input
    "ddpm.sentence": (
        "从一片纯噪声出发，每一步去掉一点，最后剩下一幅图。拖动滑块穿行于各步之间：每一步都已算好，无需重算。"
    ),
    "ddpm.score.other": "{nearest_in_group:%} 的样本最接近所要求组别的画",
    "ddpm.score": "{agreement:%} 的样本与要求一致",
    "ddpm.weights.digits": "手写数字，28 × 28",
    "ddpm.weights.digits.about": "小而快，专为本应用在 CPU 上训练。",
    "ddpm.weights.emoji": "Emoji，32 × 32 彩色",
    "ddpm.weights.emoji.about": "小而快，专为本应用用多种画风的图训练。",
    "ddpm.limits.digits": "这组权重只认识 28 × 28 的灰度手写数字，别的一概不会。",
    "ddpm.judge": (
        "裁判是一个小分类器，用生成模型没见过的数字训练。它没见过的 {count} 个数字中，读对了 {percent}："
        "它也会看错。"
    ),
    "digit_judge.weights.digits": "数字裁判",
    "ddpm.limits.emoji": (
        "这么小的网络学到的多是 emoji 的颜色和轮廓，而不是含义，所以许多样本纯属想象。这里没有裁判，"
        "好坏由你来看。"
    ),
    "ddpm.class": "要生成什么？",
    "ddpm.class.help": (
        "类别在每一步都会告诉网络。“不限”什么也不告诉它，由噪声决定；“混合”让每个样本各有一个类别。"
    ),
    "ddpm.class.mix": "混合",
    "ddpm.class.none": "不限",
    "ddpm.seed": "噪声种子",
    "ddpm.seed.help": "一个整数。种子、步数和设置都相同，在任何机器上都得到同一幅图。",
    "ddpm.dice": "换一个",
    "ddpm.samples": "样本数",
    "ddpm.steps": "步数",
    "ddpm.steps.help": (
        "网络是按 1000 个小步训练的，DDIM 会跳过其中大部分；步数越少，每次跳得越远，误差也越大。"
        "走 1000 步要等一会儿：会显示进度，也可以停下。"
    ),
    "ddpm.guidance": "引导强度",
    "ddpm.guidance.help": (
        "从“不限”朝着所选类别走多远：0 不理会类别，1 就是有类别时的预测，再大则夸张它。"
        "2 以上样本更典型，也更雷同。每一步要多运行一次网络。"
    ),
    "ddpm.how": "采样方式：{sampler}",
    "ddpm.sampler": "采样器",
    "ddpm.sampler.help": "DDIM 沿着预测出的噪声走，步数少也行。DDPM 照原论文每步之后再加新噪声，需要很多步。",
    "ddpm.eta": "新噪声 η（DDIM）",
    "ddpm.eta.help": "每一步加多少新噪声：0 不加，一切由最初的噪声决定；1 与 DDPM 一样多。DDPM 本身没得选。",
    "ddpm.clip": "把预测的图限制在黑白之间",
    "ddpm.clip.help": (
        "原始采样器就是这样做的。不限制的话，早期的猜测会过头；步数少或引导强时，图像可能失控。"
    ),
    "ddpm.running": "正在去噪……",
    "ddpm.progress": "第 {done} 步，共 {total} 步",
    "ddpm.meanwhile": "下面暂时是同样的噪声走 {steps} 步的结果。",
    "ddpm.before": "下面是上一次的结果：种子 {seed}，{steps} 步，引导强度 {guidance}。",
    # the path
    "ddpm.strip.x_t": "xₜ：网络看到的",
    "ddpm.strip.x_0": "x̂₀：网络预想的图",
    "ddpm.strip.epsilon": "ε̂：网络找出的噪声",
    "ddpm.path.alt": "{count} 个样本从噪声到图像的全过程，用滑块选择步",
    "ddpm.path.hint": "拖动、播放或用方向键均可；松手后，下面各节跟着更新。",
    "ddpm.position.done": "t = 0，成图",
    "ddpm.read.alpha_bar": "ᾱₜ（信号占方差的比例）",
    "ddpm.read.snr": "信噪比",
    "ddpm.sample": "样本 {n}",
    "ddpm.sample.bold": "**样本 {n}：**",
    "ddpm.look": "细看哪个样本",
    "ddpm.look.help": "“内部”和“动手”两节显示的样本。",
    # judge and neighbours
    "ddpm.verdict.agrees": "裁判读作 **{digit}**（{percent}），与要求一致。",
    "ddpm.verdict.differs": "裁判读作 **{digit}**（{percent}），而要求的是 {asked}。",
    "ddpm.verdict.unsure": "裁判不确定这是不是数字：最像 **{digit}**（{percent}）。",
    "ddpm.verdict.free": "裁判读作 **{digit}**（{percent}）；没有指定类别。",
    "ddpm.asked": "要求的是{asked}。",
    "ddpm.near.alt": "样本 {n}，右边是训练集中与它最像的三幅图",
    "ddpm.near.usual": (
        "右边是训练集中最像的图，第一幅的距离为 {distance}。"
        "同类的真实图片，与最相近的训练图片的距离多在 {quarter} 到 {more} 之间：这个样"
        "本不是抄来的。"
    ),
    "ddpm.near.copy": (
        "右边是训练集中最像的图，第一幅的距离仅 {distance}。这一类真图里，20 幅有 19 幅比 {low} 更远："
        "这个样本可能"
        "是抄来的。"
    ),
    "ddpm.near.far": (
        "右边是训练集中最像的图，第一幅的距离为 {distance}。"
        "同类的真实图片，与最相近的训练图片的距离多在 {quarter} 到 {more} 之间：这个样"
        "本与网络见过的都不像。"
    ),
    "ddpm.when": "**什么时候成形？** 裁判在每一步的 x̂₀ 里对这个数字有多大把握。",
    "ddpm.when.alt": "裁判给出的概率随步数的变化，每个样本一条线",
    "ddpm.when.x": "步",
    "ddpm.when.y": "裁判，%",
    # branch
    "ddpm.branch": "分叉",
    "ddpm.branch.about": (
        "回到某一步，改个主意，再从那里走下去。早期一切未定；越往后图像越固定，只有细节还会变。"
    ),
    "ddpm.branch.here": "从第 {step} 步分叉（t = {t}）",
    "ddpm.branch.hint": "由上面的滑块选步（停在末尾时，这里会推荐一步）：往回拖，松手，再按这里。",
    "ddpm.branch.drop": "取消分叉",
    "ddpm.branch.at": "分叉于第 {step} 步（共 {steps} 步），t = {t}。",
    "ddpm.branch.class": "从这里起，让它变成",
    "ddpm.branch.as_it_was": "同原来",
    "ddpm.branch.seed": "此后的种子",
    "ddpm.branch.seed.help": "决定余下各步的新噪声；只有加新噪声时才起作用，即 DDPM，或 η 大于 0。",
    "ddpm.branch.dice": "换噪声",
    "ddpm.branch.dice.help": "此后换一个种子；如果原来不加新噪声，η 会调到 1。",
    "ddpm.branch.eta": "此后的新噪声 η",
    "ddpm.branch.same": "还什么都没改，两条路完全相同。请换一个类别，或换噪声。",
    "ddpm.branch.no_noise": "η = 0 时不加新噪声，换种子不会有任何变化。请调大 η，或按“换噪声”。",
    "ddpm.branch.show": "比较",
    "ddpm.branch.before": "原来",
    "ddpm.branch.after": "分叉",
    "ddpm.branch.gap": "差异（RMS）",
    "ddpm.branch.mark": "分叉点",
    "ddpm.branch.alt": "两条路径及其差异，用滑块选择步，刻度标出分叉点",
    "ddpm.branch.path.hint": "滑块上方的曲线是两者在每一步的差异；刻度之前两者相同。",
    "ddpm.branch.ends": (
        "样本 {n}：不分叉时裁判读作 **{before}**（{sure} %），分叉后读作 **{after}**（{surer} %）。"
    ),
    "ddpm.branch.early": "分叉时几乎全是噪声，改动还能决定最后出现什么。",
    "ddpm.branch.middle": "分叉时轮廓已经有了，改动只能在它的基础上进行。",
    "ddpm.branch.late": "分叉时图已近完成，再怎么改也几乎不起作用。",
    # forward
    "ddpm.forward": "前向：让图像淹没在噪声里",
    "ddpm.forward.about": (
        "训练时方向相反：拿一幅图，往里加噪声。可以分 t 小步加，也可以一步跳到，"
        "因为许多正态噪声之和仍是正态噪声。"
        "换上你自己的图片比比看。"
    ),
    "ddpm.forward.walking": "正在走一千步……",
    "ddpm.forward.jump": "跳到 t（0 到 {total}）",
    "ddpm.forward.closed": "一步跳到",
    "ddpm.forward.steps": "逐步加噪",
    "ddpm.forward.alt": "噪声渐强的图片：左边一步跳到，右边逐步加噪",
    "ddpm.forward.hint": "一步跳到时，每个 t 用的都是同一份噪声；逐步加噪则每步都抽新的噪声。",
    "ddpm.forward.zero": "t = 0 时还没有加噪声，两边都是原图。选大一点的 t 再比较。",
    "ddpm.forward.histogram": "两种方式的像素值直方图，叠在一起",
    "ddpm.forward.value": "像素值",
    "ddpm.forward.agrees": (
        "**两者一致。** t = {t} 时，两边各 {values} 个值的累积直方图最多相差 {gap} %；分布相同时，"
        "一百次里也会有一"
        "次超过 {chance} %。"
        "逐步加噪所得噪声的均值为 {mean}、标准差为 {deviation}，应为 0 和 1。"
    ),
    "ddpm.forward.apart": (
        "t = {t} 时，两边各 {values} 个值的累积直方图相差 {gap} %；分布相同时，"
        "一百次里也会有一次超过 {chance} %，"
        "这正是其中一次。"
        "逐步加噪所得噪声的均值为 {mean}、标准差为 {deviation}，应为 0 和 1。"
    ),
    # take away
    "ddpm.take": "带走",
    "ddpm.take.about": (
        "链接会恢复本页的一切。影片上排是 xₜ，下排是 x̂₀；图表把两者的十步排在一张图上；"
        "NPZ 里是保存下来的每一步的"
        "数值。"
    ),
    "ddpm.take.film": "整个过程的影片，任何浏览器都能播放",
    "ddpm.take.sheet": "每个样本的十步，排成一张图",
    "ddpm.take.numbers": "保存下来的每一步的 x、x0、epsilon，连同 t 和 alpha_bar，供 numpy 使用",
}
