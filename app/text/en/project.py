"""Projections of embeddings onto a page: what cannot be done, and what to do instead."""

MESSAGES: dict[str, str] = {
    "project.umap_missing": (
        "UMAP is not in this slim installation: it needs umap-learn, which requirements.txt brings along. "
        "Choose PCA or t-SNE."
    ),
    "project.not_finite": (
        "The training ran away: some of its numbers are no longer finite, so there is nothing to draw. Train "
        "again with a lower learning rate."
    ),
    "project.too_many": (
        "{method} takes at most {limit} nodes here, and this graph has {nodes}: every pair of nodes would "
        "have to be looked at again and again. Choose PCA, or a smaller part of the graph."
    ),
}
