"""RealNVP 内部各张量的文字（两个方向共用）。"""

MESSAGES: dict[str, str] = {
    "realnvp.tap.scale": (
        "s：每个数拉伸（大于 0）或压缩（小于 0）多少。不变的那一半 s 为 0，它们只受 γ 和 b 作用。"
    ),
    "realnvp.tap.shift": "t：拉伸之后再加上多少。不变的那一半 t 为 0。",
    "realnvp.tap.log_det": "体积放大倍数的对数：所有 s 之和，再加上归一化在每个像素上的缩放。",
    "realnvp.tap.state": "两个耦合层之间的图片，数的个数和原来一样多：什么也没有丢掉。",
    "realnvp.tap.z": "变成噪声的图片：如果流是完美的，这些数就是相互独立的标准正态数。",
    "realnvp.tap.x": "由 z 变回来的图片，还处在 logit 之后的尺度：取 sigmoid 就得到灰度。",
}
