"""Words about the tensors inside DDPM's U-Net and the judge of digits."""

MESSAGES: dict[str, str] = {
    "ddpm.tap.sinusoid": "把步数 t 写成许多波长不同的余弦和正弦：相邻的步彼此相似，相隔远的则不同。",
    "ddpm.tap.time": "网络对步数的理解：一个学到的向量，告诉它此刻该有多少噪声。",
    "ddpm.tap.label": "所要类别的可学习向量。最后一个表示“不指定类别”。",
    "ddpm.tap.embedding": "时间与类别合成的一个向量。每个残差块都读取它；网络对两者的了解全在这里。",
    "ddpm.tap.resnet.shift": "时间和类别在这里加上的量：每个通道一个数，对图中每个像素都相同。",
    "ddpm.tap.resnet.hidden": "第一个卷积的结果，已经加上了时间和类别的偏移。",
    "ddpm.tap.resnet.norm": "再按通道组归一化并经过 SiLU：这就是第二个卷积读到的内容。",
    "ddpm.tap.resnet.out": "残差块的输出：输入加上两个卷积想要改动的部分。",
    "ddpm.tap.attention.q": "每个像素想找什么（Query），按注意力头分开。",
    "ddpm.tap.attention.k": "每个像素凭什么被找到（Key），按注意力头分开。",
    "ddpm.tap.attention.v": "别的像素关注它时，它交出的内容（Value），按注意力头分开。",
    "ddpm.tap.attention.weights": (
        "每个像素（Query）从其他每个像素（Key）取用多少。每一行之和为 1；再远的像素也够得着。"
    ),
    "ddpm.tap.attention.heads": "每个像素从其他像素收集到的内容，各个头尚未混合。",
    "ddpm.tap.attention.out": "原来的特征图，加上注意力收集到的内容。",
    "ddpm.tap.down": "行数和列数减半：细节留在后面，改走跳跃连接。",
    "ddpm.tap.up": "行数和列数加倍：先把每个像素重复一次，再由学到的卷积抹平。",
    "ddpm.tap.skip": "从下行路径直接送到上行路径，与较粗的特征图叠在一起，补回减半时丢掉的细节。",
    "ddpm.tap.final": "最后的特征图：输出就是这些图 3 × 3 邻域的加权和。",
    "ddpm.tap.output": "网络的预测，与图像同样大小。按恰当的比例从图中减去它，噪声就少了一点。",
    "digit_judge.tap.conv": "学到的 3 × 3 卷积核的响应；负数变为 0。",
    "digit_judge.tap.features": "用 64 个数表示这个数字，每个数都汇总了 7 × 7 个位置。数字之间的距离就在这里度量。",
    "digit_judge.tap.logits": "每个数字一个分数。它们的 softmax 就是评判网络的把握。",
}
