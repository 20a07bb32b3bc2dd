"""What LINE is, without its code."""

from models.card import MethodCard, Paper

CARD = MethodCard(
    slug="line",
    title="LINE",
    family="graph",
    section="A6.1 Graph embeddings",
    paper=Paper(
        title="LINE: Large-scale Information Network Embedding",
        authors="Tang, Qu, Wang, Zhang, Yan, Mei",
        year=2015,
        url="https://arxiv.org/abs/1503.03578",
    ),
    module="models.graph.line:train:Config",
    formula=r"\begin{gathered}\log\sigma(\vec u'_j\cdot\vec u_i)\\+\sum_{k=1}^{K}\mathbb{E}_{v_n\sim P_n}"
    r"\log\sigma(-\vec u'_n\cdot\vec u_i),\\P_n(v)\propto d_v^{3/4}\end{gathered}",
    page="graph_embeddings",
    part_of="deepwalk",
    errata=("E30", "E31", "E32", "E33", "E34"),
)
