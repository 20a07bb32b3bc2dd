"""把嵌入投影到平面：做不到时说明原因和替代办法。"""

MESSAGES: dict[str, str] = {
    "project.umap_missing": (
        "精简安装不含 UMAP：它需要 umap-learn，按 requirements.txt 安装即可。请改用 PCA 或 t-SNE。"
    ),
    "project.not_finite": "训练发散了：有些数值已不再是有限数，无法作图。请降低学习率后重新训练。",
    "project.too_many": (
        "{method} 在这里最多处理 {limit} 个节点，而此图有 {nodes} 个：每一对节点都要反复比较。"
        "请改用 PCA，或截取图的一部分。"
    ),
}
