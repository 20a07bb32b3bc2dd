"""Take away: link, figure and numbers."""

MESSAGES: dict[str, str] = {
    "share.link": "复制链接",
    "share.link.done": "链接已复制",
    "share.link.help": "指向这个画面的链接。你自己的图片不会随它传送。",
    "share.link.by_hand": "浏览器不允许使用剪贴板，请从这里复制链接：",
    "share.png": "按显示的样子保存图（PNG）",
    "share.svg": "保存图，标记为矢量（SVG）",
    "share.npz": "以完整精度保存所示张量，可用 numpy.load 读取（NPZ）",
    "share.csv": "把所示张量存成表格，每行一个数，最多 {limit:,} 行（CSV）",
    "share.csv.large": "CSV 最多保存 {limit:,} 个数；这个张量有 {numbers:,} 个。NPZ 能存下全部。",
    "share.chart.png": "图表 PNG",
    "share.chart.svg": "图表 SVG",
    "share.chart.none": "还没有可保存的图表。",
    "share.film": "{kind} 动图",
    "share.film.help": "按下时才生成；任何浏览器都能播放。",
}
