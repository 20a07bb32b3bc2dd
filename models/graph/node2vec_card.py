"""What node2vec is, without its code."""

from models.card import MethodCard, Paper

CARD = MethodCard(
    slug="node2vec",
    title="node2vec",
    family="graph",
    section="A6.1 Graph embeddings",
    paper=Paper(
        title="node2vec: Scalable Feature Learning for Networks",
        authors="Grover, Leskovec",
        year=2016,
        url="https://arxiv.org/abs/1607.00653",
    ),
    module="models.graph.node2vec:train:Config",
    formula=r"\Pr(x\mid t,v)\propto w_{vx}\cdot\alpha(t,x),\qquad"
    r"\alpha=\tfrac1p\text{ if }d_{tx}=0,\quad 1\text{ if }d_{tx}=1,\quad\tfrac1q\text{ if }d_{tx}=2",
    page="graph_embeddings",
    part_of="deepwalk",
)
