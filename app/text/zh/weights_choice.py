"""权重的选择。"""

MESSAGES: dict[str, str] = {
    "choice.label": "权重",
    "choice.help": "内置权重随 Vitrine 一起提供，打开即用。其余是论文作者发布的权重，只在你要求时才会下载。",
    "choice.embedded": "内置",
    "choice.official": "官方",
    "choice.yours": (
        "这套权重来自你提供的文件。张量的名称和形状相符，但无法证明它就是官方权重。"
        "只有你能看到，关闭标签页后即失效。"
    ),
    "choice.yours.forget": "改用官方权重",
    "choice.embedded_missing": "缺少内置权重“{name}”，请重新获取 Vitrine。",
    "choice.parameters": "{n} 个参数",
    "choice.licence": "许可证 {licence}",
    "choice.get": "**{name}** 还不在本机，来源是 {host}。下载完成之前，先用内置权重。",
    "choice.size": "{megabytes} MB",
    "choice.size_unknown": "服务器没有事先说明文件大小，通常在 10 到 140 MB 之间。",
    "choice.download": "下载",
    "choice.received": "已接收 {done} MB",
    "choice.progress": "{done} / {total} MB",
    "choice.drop": "或把文件拖到这里",
    "choice.drop.help": (
        ".safetensors 文件在任何安装方式下都能用；.pth 文件需要安装 PyTorch。使用前会先核对每个张量的名称和形状。"
    ),
}
