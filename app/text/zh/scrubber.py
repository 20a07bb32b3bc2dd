"""逐步浏览。"""

MESSAGES: dict[str, str] = {
    "scrubber.play": "播放",
    "scrubber.pause": "暂停",
    "scrubber.step": "步骤",
    "scrubber.step_of": "{step} / {count}",
    "scrubber.keys": "方向键移动选框，Enter 选取，Esc 退出；Page Up 和 Page Down 切换步骤，空格键播放。",
    "scrubber.hint": "点击或轻触选取像素；左右拖动可浏览各步。",
    "scrubber.hint_sample": "点击或轻触选取样本；左右拖动可浏览各步。",
    "scrubber.at": "{strip} · x {x} · y {y}",
    "scrubber.at_cell": "{strip} · 第 {y} 行第 {x} 列",
    "scrubber.at_in_sample": "{strip} · 样本 {sample} · x {x} · y {y}",
    "scrubber.at_sample": "{strip} · 样本 {sample}",
    "scrubber.picked": "已选：{at}",
    "scrubber.difference": "差异",
}
