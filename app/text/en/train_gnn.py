"""What the training of graph networks says of a request it cannot follow."""

MESSAGES: dict[str, str] = {
    "train_gnn.needs_torch": (
        "Training a graph network needs PyTorch, which is not installed here. On karate and on the block "
        "model as it first appears a recorded training is shown instead."
    ),
    "train_gnn.no_labels": (
        "This graph has no labels, so there is nothing to be told. Choose the column that holds the classes, "
        "or train GraphSAGE on walks, which needs none."
    ),
    "train_gnn.one_class": (
        "All labelled nodes are “{label}”; a classifier needs two classes at least. Choose another column of "
        "labels."
    ),
    "train_gnn.no_edges": "This graph has no edge to walk along. Add edges, or train on labels.",
    "train_gnn.too_large": (
        "With {edges} edges one step of this training would hold about {megabytes} MB; the limit is {limit} "
        "MB. Choose fewer or narrower layers, GCN instead of GAT, or a smaller graph."
    ),
    "train_gnn.unknown": "{net} has no setting “{name}”. It has: {known}.",
    "train_gnn.choice": "“{value}” is not possible for {name}. Possible are: {known}.",
    "train_gnn.range": "{name} lies between {least} and {most}, and is {value} here.",
    "train_gnn.graphsage_only": (
        "Drawn neighbours and training on walks belong to GraphSAGE; {net} always sees the whole graph."
    ),
    "train_gnn.sizes": (
        "{count} numbers of neighbours were given for {layers} layers. Give one for each layer, or none for "
        "all neighbours."
    ),
}
