"""Words about the tensors inside DCGAN's two nets."""

MESSAGES: dict[str, str] = {
    "dcgan_generator.tap.project.conv": (
        "z 中的每个数都在每个通道上对应一块学到的 4 × 4 图案；这里是这些图案的加权和。"
    ),
    "dcgan_generator.tap.up1.conv": (
        "每个位置把自己的 4 × 4 图案“盖”到加密一倍的网格上，相邻的章相隔两格；重叠之处相加。"
    ),
    "dcgan_generator.tap.up2.conv": "第二次放大时盖下的图案：从 8 × 8 到 16 × 16，笔画开始显现。",
    "dcgan_generator.tap.out": "经过批归一化和 ReLU：负数变为 0，留下的送往下一级尺寸。",
    "dcgan_generator.tap.paint": "tanh 之前的画面。这里绝对值大的数，最后就是纯白或纯黑。",
    "dcgan_generator.tap.picture": "完成的图像：tanh 把每个数压到 −1（黑）与 1（白）之间。",
    "dcgan_discriminator.tap.down1.conv": "第一组卷积核以两格为步在图上滑过：笔画、端点和边缘会引起响应。",
    "dcgan_discriminator.tap.down2.conv": "笔画的组合，分辨率为原图的四分之一，尚未批归一化。",
    "dcgan_discriminator.tap.down3.conv": (
        "只剩 4 × 4 个位置；每个位置已看过原图上 22 × 22 个像素，也就是数字的大半。"
    ),
    "dcgan_discriminator.tap.out": "经过 LeakyReLU：负的响应保留五分之一，这样梯度仍能传回生成器。",
    "dcgan_discriminator.tap.evidence": (
        "图的每个十六分之一有多支持“真图”（正）或“生成图”（负）；十六个数之和就是 logit。"
    ),
    "dcgan_discriminator.tap.logit": "裁决：大于 0 认为是真图，小于 0 认为是生成的。它的 sigmoid 就是 D(x)。",
}
