"""What the training of graph networks says of a request it cannot follow."""

MESSAGES: dict[str, str] = {
    "train_gnn.needs_torch": (
        "训练图神经网络需要 PyTorch，这里没有安装。对 karate 图和默认的随机块模型，改为展示一次录制的训练。"
    ),
    "train_gnn.no_labels": (
        "这张图没有标签，无从学起。请选择存放类别的那一列，或用随机游走训练 GraphSAGE，它不需要标签。"
    ),
    "train_gnn.one_class": "所有带标签的节点都是“{label}”；分类至少要有两个类别。请换一列标签。",
    "train_gnn.no_edges": "这张图没有边，无法游走。请加上边，或改用标签训练。",
    "train_gnn.too_large": (
        "这张图有 {edges} 条边，一步训练约占 {megabytes} MB 内存，"
        "上限是 {limit} MB。请减少层数或宽度，用 GCN 代替 GAT，或换一张较小的图。"
    ),
    "train_gnn.unknown": "{net} 没有“{name}”这项设置。可用的有：{known}。",
    "train_gnn.choice": "{name} 不能取“{value}”。可选：{known}。",
    "train_gnn.range": "{name} 应在 {least} 到 {most} 之间，现在是 {value}。",
    "train_gnn.graphsage_only": "邻居采样和游走训练是 GraphSAGE 的做法；{net} 总是看整张图。",
    "train_gnn.sizes": "网络有 {layers} 层，却给了 {count} 个邻居数。请每层给一个，或不给（读全部邻居）。",
}
