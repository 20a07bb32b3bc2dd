"""Take away: link, figure and numbers."""

MESSAGES: dict[str, str] = {
    "share.link": "Copy link",
    "share.link.done": "Link copied",
    "share.link.help": "A link to exactly this view. A picture of your own does not travel with it.",
    "share.link.by_hand": "The browser does not let us use the clipboard. Copy the link from here:",
    "share.png": "Save the figure as it is shown (PNG)",
    "share.svg": "Save the figure with its marks as vectors (SVG)",
    "share.npz": "Save the shown tensor at full precision, for numpy.load (NPZ)",
    "share.csv": "Save the shown tensor as a table, one number a row, at most {limit:,} rows (CSV)",
    "share.csv.large": "A CSV holds at most {limit:,} numbers; this tensor has {numbers:,}. NPZ holds them all.",
    "share.chart.png": "Chart PNG",
    "share.chart.svg": "Chart SVG",
    "share.chart.none": "There is no chart to save yet.",
    "share.film": "{kind} film",
    "share.film.help": "Made when you press it; plays in any browser.",
}
