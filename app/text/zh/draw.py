"""手绘。"""

MESSAGES: dict[str, str] = {
    "draw.undo": "撤销",
    "draw.clear": "清空",
    "draw.bar": "绘图",
    "draw.points.keys": "方向键移动画笔，按住 Shift 大步移动，空格或 Enter 落点，Backspace 撤销。",
    "draw.strokes.keys": "方向键移动画笔，按住 Shift 大步移动，空格或 Enter 落笔或提笔，Backspace 撤销上一笔。",
    "draw.points.hint": "用鼠标、手指或触控笔绘制。",
    "draw.strokes.hint": "用鼠标、手指或触控笔书写。",
    "draw.points.count": "{count} 个点",
    "draw.points.full": "{count} 个点，已到上限",
    "draw.strokes.count": "{count} 笔",
    "draw.strokes.full": "{count} 笔，已到上限",
    "draw.at": "x {x}% · y {y}%",
    "draw.down": "落笔",
    "draw.up": "提笔",
}
