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
    # words of the axes
    "axis.batch": "batch",
    "axis.channel": "channel",
    "axis.row": "row",
    "axis.column": "column",
    "axis.window": "window",
    "axis.head": "head",
    "axis.query": "query",
    "axis.key": "key",
    "axis.position": "position",
    "axis.class": "class",
    # a tensor on show
    "inside.shape": "`{name}` · {shape} · {dtype}",
    "inside.source": "The lines that compute it: {path}, from line {line}",
    "inside.statistics": (
        "min {minimum} · max {maximum} · mean {mean} · std {deviation} · L2 norm {norm} · {zeros} % zeros"
    ),
    "inside.odd": "· {count} values are not finite",
    "inside.choose_help": "{count} to choose from",
    "inside.order": "Order of the channels",
    "inside.order.index": "by number",
    "inside.order.norm": "strongest first",
    "inside.channel": "Channel",
    "inside.channel_n": "channel {n}",
    "inside.own_limits": "Colours for this channel alone",
    "inside.own_limits_help": "Off: one colour scale for all channels, so that they can be compared.",
    "inside.input_layer": "Input over it",
    "inside.atlas_alt": "All {count} channels as tiles of {rows} × {columns} cells",
    "inside.atlas_hint": "Pick a cell: its channel is shown large.",
    "inside.reduced": "In this overview one pixel is the mean of {k} × {k} cells.",
    "inside.channel_alt": "Channel {n}, {rows} × {columns} cells",
    "inside.cell_hint": "Pick a cell to read its number.",
    "inside.cell": "channel **{channel}**, row **{row}**, column **{column}**: **{value}**",
    "inside.histogram": "Histogram of channel {n} (height: square root of the count)",
    "inside.histogram_all": "Histogram of all its numbers (height: square root of the count)",
    "inside.matrix": "Every query (down) against every key (across)",
    "inside.matrix_alt": "Matrix of {queries} queries and {keys} keys",
    "inside.matrix_hint": "Pick a row: a query.",
    "inside.matrix_cell": "key across, query down",
    "inside.row_over_window": "The row of query {query}, laid out over its window",
    "inside.grid_alt": "The row of query {query} over a window of {side} × {side}",
    "inside.grid_hint": "Pick another query (Q).",
    "inside.attention_row": (
        "query **{query}**: the largest number is **{value}**, at key **{best}**; the row sums to **{total}**"
    ),
    "inside.mask_class": "Windows with different masks",
    "inside.window_n": "window {n}",
    "inside.mask_alt": "Mask of window {window}: {blocked} of {pairs} pairs are blocked, drawn black",
    "inside.mask_hint": "White may attend, black may not.",
    "inside.mask_numbers": (
        "Window {window}: {blocked} of {pairs} pairs blocked ({percent} %). "
        "Different masks in this picture: {kinds}."
    ),
    "inside.mask_cell": "query **{query}**, key **{key}**: **{value}** is added to the score",
    "inside.heads_alt": "Matrix of {rows} ({row}) by {columns} ({column})",
    "inside.heads_hint": "{row} down, {column} across; pick a number.",
    "inside.matrix_value": "{row_word} **{row}**, {column_word} **{column}**: **{value}**",
    "inside.bars_title": "The {count} largest of {total}",
    "inside.element": "{name}: **{value}**",
    # the drawing of the blocks
    "architecture.alt": "The blocks of {name}, from input to output",
    "architecture.hint": (
        "Click a block, or reach it with Tab and press Enter, to see its tensors. A stack opens when it is chosen. "
        "Dashed lines pass blocks by."
    ),
    "architecture.tensors": "tensors: {n}",
    "architecture.stack": "layers inside: {n}",
    "architecture.kind.input": "Input",
    "architecture.kind.output": "Output",
    # a formula with numbers
    "formula.rest": "{count} more terms",
    "formula.float64": "Recomputed, float64",
    "formula.float32": "Recomputed, float32",
    "formula.network": "The network's number",
    "formula.agrees": "Difference {difference}: within what float32 rounding costs in such a sum ({bound}).",
    "formula.differs": "Difference {difference}: more than float32 rounding alone explains ({bound}).",
}
