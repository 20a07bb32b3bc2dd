"""What DeepWalk is, without its code."""

from models.card import MethodCard, Paper

CARD = MethodCard(
    slug="deepwalk",
    title="DeepWalk",
    family="graph",
    section="A6.1 Graph embeddings",
    paper=Paper(
        title="DeepWalk: Online Learning of Social Representations",
        authors="Perozzi, Al-Rfou, Skiena",
        year=2014,
        url="https://arxiv.org/abs/1403.6652",
    ),
    module="models.graph.deepwalk:train:Config",
    formula=r"\begin{gathered}\min_\Phi\;-\!\!\sum_{0<|i-j|\le w}\log\Pr\left(v_j\mid\Phi(v_i)\right),\\"
    r"\Pr(v_{i+1}\mid v_i)=\frac{w_{v_i v_{i+1}}}{\sum_x w_{v_i x}}\end{gathered}",
    page="graph_embeddings",
)
