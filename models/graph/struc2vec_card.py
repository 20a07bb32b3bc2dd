"""What Struc2vec is, without its code."""

from models.card import MethodCard, Paper

CARD = MethodCard(
    slug="struc2vec",
    title="Struc2vec",
    family="graph",
    section="A6.1 Graph embeddings",
    paper=Paper(
        title="struc2vec: Learning Node Representations from Structural Identity",
        authors="Ribeiro, Saverese, Figueiredo",
        year=2017,
        url="https://arxiv.org/abs/1704.03165",
    ),
    module="models.graph.struc2vec:train:Config",
    formula=r"\begin{aligned}f_k(u,v)=\;&f_{k-1}(u,v)\\&+\mathrm{DTW}\!\left(s(R_k(u)),s(R_k(v))\right),\\"
    r"w_k(u,v)=\;&e^{-f_k(u,v)}\end{aligned}",
    page="graph_embeddings",
    part_of="deepwalk",
)
