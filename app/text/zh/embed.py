"""图嵌入无法开始训练时的说明：限制是什么，可以怎么办。"""

MESSAGES: dict[str, str] = {
    "embed.method": "没有“{name}”这种方法。可选的有：{known}。",
    "embed.setting": "这种方法没有“{name}”这项设置。它的设置有：{known}。",
    "embed.choice": "{name} 不能取“{value}”。可选的有：{known}。",
    "embed.number": "{name} 应从 {least} 到 {most}，步长 {step}，这里是 {value}。",
    "embed.no_edges": "这张图没有边，也就没有可学的东西。请加上边，或换一张图。",
    "embed.too_large": (
        "{nodes} 个节点、每个 {dim} 维，本服务器容纳不下。"
        "这个维数下最多 {most} 个节点：请降低维数，或换一张小一些的图。"
    ),
    "embed.many_nodes": (
        "{method} 在这样的设置下最多处理 {most} 个节点，这张图有 {nodes} 个。"
        "请换一张小一些的图，或改用只看边的 DeepWalk、node2vec、LINE。"
    ),
    "embed.many_places": "这些游走一共要经过 {places} 个节点，本服务器最多容纳 {most} 个。请减少游走的次数或长度。",
    "embed.directed_first_order": (
        "LINE 的一阶邻近度只看一条边的两端有多近，不分先后，因此不适用于有向图。请选二阶，或关掉“边有方向”。"
    ),
    "embed.refused": "这种方法无法处理：{sentence}",
    "embed.busy": "已有 {waiting} 个训练在排队，请过一分钟再试。",
}
