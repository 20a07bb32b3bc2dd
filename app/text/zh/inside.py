"""可交互图片与网络内部视图的文字。"""

MESSAGES: dict[str, str] = {
    # pictures
    "picture.keys": "方向键移动十字线，按住 Shift 大步移动，Enter 选取像素，Esc 退出。",
    "picture.hint": "点击或轻触选取像素；也可用方向键和 Enter。",
    "picture.pair_hint": "拖动分隔线进行对比；点击选取像素。",
    "picture.bar": "视图",
    "picture.fit": "适应",
    "picture.zoom": "缩放",
    "picture.mix": "叠加层",
    "picture.at": "x {x} · y {y}",
    "picture.at_tile": "{name} · 第 {x} 列 · 第 {y} 行",
    "picture.picked": "已选：{at}",
    "picture.before": "之前",
    "picture.after": "之后",
    "picture.split": "“{before}”与“{after}”之间的分隔线",
    "picture.split_value": "{before} {percent}%",
    "picture.play": "播放",
    "picture.pause": "暂停",
    "picture.step": "步骤",
    "picture.step_of": "{step} / {count}",
}
