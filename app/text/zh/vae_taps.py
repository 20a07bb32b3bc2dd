"""VAE 两个网络内部各张量的文字。"""

MESSAGES: dict[str, str] = {
    "vae_encoder.tap.conv1": "第一层滤波器以步长 2 扫过图片：笔画和边缘会有响应。",
    "vae_encoder.tap.conv2": "笔画的组合，分辨率是原图的四分之一。",
    "vae_encoder.tap.hidden": "整张图片压成几十个数：均值和方差都由它们算出。",
    "vae_encoder.tap.mean": "这张图片的编码云的中心；KL 项把它往 0 拉。",
    "vae_encoder.tap.logvar": "编码云逐分量的对数方差：等于 0 表示这个分量没有携带图片的任何信息。",
    "vae_decoder.tap.hidden": "把编码展开到几十个单元。",
    "vae_decoder.tap.maps": "最初的特征图：7 × 7 个位置，粗略地说明哪里会有墨迹。",
    "vae_decoder.tap.conv1": "每个位置先变成四个，再和邻居一起看：笔画开始成形。",
    "vae_decoder.tap.conv2": "在完整分辨率上再来一次：笔画的粗细和边缘。",
    "vae_decoder.tap.logits": "sigmoid 之前的图片：大于 0 的像素偏白，小于 0 的偏黑。",
}
