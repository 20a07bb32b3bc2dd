"""Words of the pictures that answer and of the view into a network."""

MESSAGES: dict[str, str] = {
    # pictures
    "picture.keys": "Arrow keys move the crosshair, shift makes larger steps, Enter picks the pixel, Escape leaves.",
    "picture.hint": "Click or tap a pixel; arrow keys and Enter do the same.",
    "picture.pair_hint": "Drag the divider to compare; click to pick a pixel.",
    "picture.bar": "View",
    "picture.fit": "Fit",
    "picture.zoom": "Zoom",
    "picture.mix": "Overlay",
    "picture.at": "x {x} · y {y}",
    "picture.at_tile": "{name} · column {x} · row {y}",
    "picture.picked": "picked: {at}",
    "picture.before": "before",
    "picture.after": "after",
    "picture.split": "Divider between “{before}” and “{after}”",
    "picture.split_value": "{percent} % {before}",
    "picture.play": "Play",
    "picture.pause": "Pause",
    "picture.step": "Step",
    "picture.step_of": "{step} / {count}",
}
