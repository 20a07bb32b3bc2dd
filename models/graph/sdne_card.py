"""What SDNE is, without its code."""

from models.card import MethodCard, Paper

CARD = MethodCard(
    slug="sdne",
    title="SDNE",
    family="graph",
    section="A6.1 Graph embeddings",
    paper=Paper(
        title="Structural Deep Network Embedding",
        authors="Wang, Cui, Zhu",
        year=2016,
        url="https://doi.org/10.1145/2939672.2939753",
    ),
    module="models.graph.sdne:train:Config",
    formula=r"\begin{aligned}\mathcal{L}=\;&\|(\hat X-X)\odot B\|_F^2\\&+\alpha\sum_{i,j}s_{ij}\|y_i-y_j\|_2^2\\"
    r"&+\frac{\nu}{2}\sum_k\left(\|W^{(k)}\|_F^2+\|\hat W^{(k)}\|_F^2\right)\end{aligned}",
    page="graph_embeddings",
    part_of="deepwalk",
    errata=("E35", "E36"),
)
