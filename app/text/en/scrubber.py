"""Step scrubber."""

MESSAGES: dict[str, str] = {
    "scrubber.play": "Play",
    "scrubber.pause": "Pause",
    "scrubber.step": "Step",
    "scrubber.step_of": "{step} / {count}",
    "scrubber.keys": "Arrow keys move the frame, Enter picks, Escape leaves; Page Up and Page Down change the step, "
    "space plays.",
    "scrubber.hint": "Click or tap a pixel; drag sideways to move through the steps.",
    "scrubber.hint_sample": "Click or tap a sample; drag sideways to move through the steps.",
    "scrubber.at": "{strip} · x {x} · y {y}",
    "scrubber.at_cell": "{strip} · row {y}, column {x}",
    "scrubber.at_in_sample": "{strip} · sample {sample} · x {x} · y {y}",
    "scrubber.at_sample": "{strip} · sample {sample}",
    "scrubber.picked": "picked: {at}",
    "scrubber.difference": "difference",
}
