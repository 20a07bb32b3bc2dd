"""Drawing by hand."""

MESSAGES: dict[str, str] = {
    "draw.undo": "Undo",
    "draw.clear": "Clear",
    "draw.bar": "Drawing",
    "draw.points.keys": "Arrow keys move the pen, shift makes larger steps, space or Enter puts points, "
    "Backspace takes them back.",
    "draw.strokes.keys": "Arrow keys move the pen, shift makes larger steps, space or Enter lowers and lifts it, "
    "Backspace takes the last stroke back.",
    "draw.points.hint": "Draw with mouse, finger or pen.",
    "draw.strokes.hint": "Draw with mouse, finger or pen.",
    "draw.points.count": "Points: {count}",
    "draw.points.full": "Points: {count}, no more fit in",
    "draw.strokes.count": "Strokes: {count}",
    "draw.strokes.full": "Strokes: {count}, no more fit in",
    "draw.at": "x {x}% · y {y}%",
    "draw.down": "pen down",
    "draw.up": "pen up",
}
