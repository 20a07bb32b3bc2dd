"""Words about the tensors inside the graph networks."""

MESSAGES: dict[str, str] = {
    "gcn.tap.norm": (
        "How much a message counts: one over the root of the degrees at its two ends, each node's own loop counted. "
        "Computed once for all layers."
    ),
    "gcn.tap.transformed": "What each node would send: its vector times the layer's weights.",
    "gcn.tap.messages": (
        "What really arrives: the sender's vector, scaled by the weight of the edge. After the edges come the nodes’ "
        "messages to themselves."
    ),
    "gcn.tap.out": "The messages of a node added up, a bias, and what is negative becomes 0.",
    "gcn.tap.logits": "The messages of the last layer added up: one number for each class. The largest is the answer.",
    "graphsage.tap.aggregated.mean": "The neighbours in one vector: their mean. A node without neighbours has zeros.",
    "graphsage.tap.aggregated.max": (
        "The neighbours in one vector: each goes through a small layer, and the largest value of every channel stays."
    ),
    "graphsage.tap.aggregated.lstm": (
        "The neighbours in one vector: an LSTM reads one after the other, and this is its state at the end. "
        "It depends on their order."
    ),
    "graphsage.tap.out": (
        "The node itself and its neighbours, each through weights of its own and added, then brought to length 1."
    ),
    "graphsage.tap.logits": "One number for each class, from the node's embedding. The largest is the answer.",
    "gat.tap.values": "What each node would send, in every head: its vector times the head's weights.",
    "gat.tap.scores.1": (
        "How much node i asks for node j, before the softmax. The part of j is the same for every i: this is what "
        "GATv2 changes."
    ),
    "gat.tap.scores.2": (
        "How much node i asks for node j, before the softmax. The two are joined before the LeakyReLU, so that "
        "every node may rank its neighbours in its own way."
    ),
    "gat.tap.weights": (
        "The attention: shares that add up to 1 over a node's neighbours and itself, in every head. "
        "A loop that the graph lists counts 0, because each node has its own already."
    ),
    "gat.tap.messages": "What arrives: the sender's vector times its share of the attention.",
    "gat.tap.out": "The sums of all heads side by side, then ELU, which bends what is negative towards −1.",
    "gat.tap.logits": "The mean of the heads' sums: one number for each class. The largest is the answer.",
    "message_passing.tap.encoded": "The features brought to the width of the network; no neighbour has been heard yet.",
    "message_passing.tap.messages.linear": (
        "M: what an edge carries, the sender's vector through the weights W₂, times the weight of the edge."
    ),
    "message_passing.tap.messages.edge": (
        "M: what an edge carries. A small net turns the edge's weight into a matrix of its own, and the sender's "
        "vector goes through it."
    ),
    "message_passing.tap.gathered": "Σ: all messages that arrive at a node, added up.",
    "message_passing.tap.out.linear": "U: the node's own vector through W₁, plus what it was told, negative becomes 0.",
    "message_passing.tap.out.edge": (
        "U: a GRU whose state is the node and whose input is what it was told; its gates decide how much changes."
    ),
    "message_passing.tap.readout.sum": "R: the whole graph in one vector, the sum of its nodes.",
    "message_passing.tap.readout.set2set": (
        "R: the whole graph in one vector, gathered in several looks that attend to the nodes."
    ),
    "message_passing.tap.logits": "One number for each class, from the node's vector. The largest is the answer.",
}
