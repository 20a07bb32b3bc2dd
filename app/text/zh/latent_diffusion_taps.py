"""潜在扩散四个网络内部张量的说明。"""

MESSAGES: dict[str, str] = {
    "latent_diffusion.tap.sinusoid": "把步数 t 写成许多波长不同的余弦和正弦。",
    "latent_diffusion.tap.time": "网络对步数的理解：此刻该有多少噪声。",
    "latent_diffusion.tap.words": "各词向量的平均：文字大意，不含词序。",
    "latent_diffusion.tap.embedding": (
        "步数与平均词向量合成的一个向量，每个残差块都读取它：除 cross-attention 之外，文字的第二条入口。"
    ),
    "latent_diffusion.tap.conv_in": "四张潜变量图展开成许多通道：对噪声的第一眼。",
    "latent_diffusion.tap.resnet.shift": "步数和平均词向量给每个通道加上的量，每个位置都一样。",
    "latent_diffusion.tap.resnet.hidden": "第一个卷积的结果，已经加上了步数和平均词的偏移。",
    "latent_diffusion.tap.resnet.norm": "再按通道组归一化并经过 SiLU：这就是第二个卷积读到的内容。",
    "latent_diffusion.tap.resnet.out": "残差块的输出：输入加上卷积想要改动的部分。",
    "latent_diffusion.tap.transformer.self.weights": "图中每个位置（Query）从其他每个位置（Key）取用多少。",
    "latent_diffusion.tap.transformer.self.out": "每个位置从其他位置收集到的内容。",
    "latent_diffusion.tap.transformer.cross.weights": (
        "图中每个位置（Query）从每个词（token）取用多少：文字就从这里进来。"
        "g 是每个词的倍数，没有加重时都是 1。"
    ),
    "latent_diffusion.tap.transformer.cross.out": "文字对每个位置说的话，会加到那个位置上。",
    "latent_diffusion.tap.transformer.out": "听过其他位置和文字之后的特征图。",
    "latent_diffusion.tap.down": "行数和列数减半；细节改走跳跃连接。",
    "latent_diffusion.tap.up": "行数和列数加倍：先把每个位置重复一次，再由卷积抹平。",
    "latent_diffusion.tap.output": "v，介于噪声与潜变量之间：与 xₜ 一起可得干净的潜变量和噪声。",
    "text_encoder.tap.words": "每个词的向量加上位置的向量：此时各词还互不相知。",
    "text_encoder.tap.weights": "每个 token（Query）从其他每个 token（Key）读取多少。填充没人读。",
    "text_encoder.tap.out": "每个 token 读过其他 token、并经过这一层之后的向量。",
    "text_encoder.tap.context": "上下文：每个 token 一个向量。U-Net 对文字的了解全在这里。",
    "autoencoder_kl.tap.conv_in": "最初的特征图：边缘和颜色，或展开成许多通道的潜变量。",
    "autoencoder_kl.tap.resnet.hidden": "第一个卷积的结果。",
    "autoencoder_kl.tap.resnet.out": "残差块的输出：输入加上两个卷积想要改动的部分。",
    "autoencoder_kl.tap.attention.weights": "在最粗的尺寸上，每个位置从其他每个位置取用多少。",
    "autoencoder_kl.tap.attention.out": "原来的特征图，加上注意力收集到的内容。",
    "autoencoder_kl.tap.down": "行数和列数减半；保留什么由学到的卷积决定。",
    "autoencoder_kl.tap.up": "行数和列数加倍：先把每个位置重复一次，再由卷积抹平。",
    "autoencoder_kl.tap.mean": "每个潜变量那团云的中心，尚未乘以尺度。",
    "autoencoder_kl.tap.logvar": "方差的对数：编码器越有把握，它越小。",
    "autoencoder_kl.tap.picture": "图像：红绿蓝三个通道，从 −1（暗）到 1（亮）。",
}
