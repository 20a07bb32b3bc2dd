"""The home page."""

MESSAGES: dict[str, str] = {
    "home.nav": "首页",
    "home.title": "Vitrine",
    "home.lead": "神经网络的玻璃展柜。",
    "home.about": (
        "放入你自己的图片或图（graph），看到结果，再走进内部：每一层的数值、得出它们的公式，以及计算它的那几行代码。"
        "改动一处，看看什么会变。"
    ),
    "home.rooms": "展品",
    "home.open": "打开 {title}",
    "home.parameters": "{n} 个参数",
    "home.trained_live": "当场训练，用你自己的图",
    "home.not_rendered": "这个模型的图片还没有生成。",
    "home.swinir.sentence": "把小图放大：透过小窗口观察，窗口逐层移位。",
    "home.swinir.alt": "一张猫的照片，上面画着某一层移位后的窗口；每个窗口里，中间像素所关注的地方发着光。",
    "home.resnet18.sentence": "说出图中是什么；每个残差块都在前一步的结果上加一点修正。",
    "home.resnet18.alt": "一张照片，旁边是网络四个阶段的特征图，越来越粗。",
    "home.ddpm.sentence": "从噪声里一步步变出数字和 emoji，用滑块走遍每一步。",
    "home.ddpm.alt": "七行图片：左边的噪声一步步变成右边的手写数字。",
    "home.dcgan_generator.sentence": "用随机数画出数字，同时有一个判别器竭力识破它。",
    "home.dcgan_generator.alt": "随机数一点点改变时，生成器画出的数字。",
    "home.vae_encoder.sentence": "把数字编码成一小团云，再画出你的两张图片之间有什么。",
    "home.vae_encoder.alt": ("逐处解码的编码地图：数字彼此过渡，彩色的点是没见过的数字所在的位置。"),
    "home.realnvp.sentence": "把数字变成噪声，再分毫不差地变回来，还能准确算出它的概率密度。",
    "home.realnvp.alt": "每行一个数字，经过一个个耦合层逐渐变成噪声。",
    "home.latent_diffusion.sentence": "用中文或英文的词画 emoji，并显示作画时图上哪里在听哪个词。",
    "home.latent_diffusion.alt": "六行图：左边是噪声，右边是文字所要的东西。",
    "home.note": "怎么用",
    "home.step.input": "**输入。** 选一个样例，或用自己的文件、剪贴板、摄像头。",
    "home.step.inside": "**内部。** 点一层，再点一个像素：那里的数值会当着你的面重新算一遍。",
    "home.step.play": "**动手。** 去掉掩码、关掉一条支路，再作比较。",
    "home.step.take": "**保存与分享。** 复制指向这个画面的链接，或保存图和数据。",
}
