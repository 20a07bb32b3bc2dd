"""要处理的数字：没见过的、手写的或上传的。"""

MESSAGES: dict[str, str] = {
    "digits.digit": "没见过的数字",
    "digits.draw": "手写",
    "digits.picture": "上传",
    "digits.hint": "点一个数字就选中它。",
    "digits.digit_n": "数字 {digit}，第 {n} 种写法",
    "digits.held": "数字 {digit}",
    "digits.unseen": "没有参加过训练。",
    "digits.drawn": "你写的数字",
    "digits.drawn.as": "大小和位置按 MNIST 的办法处理。",
    "digits.undrawn": "在你动笔之前先用它代替。",
    "digits.framed": "按 MNIST 的办法处理：转成灰度，墨迹长边缩到 20 像素，按重心放进 28 × 28，黑底白字。",
    "digits.inverted": (
        "原图是浅底深字，先反色；再按 MNIST 的办法处理：墨迹长边缩到 20 像素，按重心放进 28 × 28。"
    ),
    "digits.empty": ("这张图片里没有从底色中显出来的东西：对比度不到黑白之差的 {least}。网络收到的是全黑。"),
    "digits.on_black": "图片透明的地方铺成了黑底，因为笔画颜色很浅：网络看不到透明度。",
}
