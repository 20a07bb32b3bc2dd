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
    formula=r"\begin{gathered}\Pr(x\mid t,v)\propto w_{vx}\cdot\alpha(t,x),\\"
    r"\alpha(t,x)=\begin{cases}1/p&d_{tx}=0\\1&d_{tx}=1\\1/q&d_{tx}=2\end{cases}\end{gathered}",
    page="graph_embeddings",
    part_of="deepwalk",
)
