"""What is said of a training of graph embeddings that cannot be begun: the limit, and what to do."""

MESSAGES: dict[str, str] = {
    "embed.method": "There is no method “{name}”. There are: {known}.",
    "embed.setting": "This method has no setting “{name}”. It has: {known}.",
    "embed.choice": "“{value}” is not possible for {name}. Possible are: {known}.",
    "embed.number": "{name} goes from {least} to {most} in steps of {step}, and is {value} here.",
    "embed.no_edges": "This graph has no edge, and there is nothing else to learn from. Choose another graph.",
    "embed.too_large": (
        "{nodes} nodes with {dim} numbers each are too much for this server. "
        "It takes {most} nodes of so many numbers: choose fewer dimensions or a smaller graph."
    ),
    "embed.many_nodes": (
        "{method} with these settings takes at most {most} nodes here, and the graph has {nodes}. "
        "Choose a smaller graph, or DeepWalk, node2vec or LINE, which look at edges only."
    ),
    "embed.many_places": (
        "These walks would visit {places} nodes in all; this server holds {most}. Take fewer or shorter walks."
    ),
    "embed.directed_first_order": (
        "LINE's first order asks how close the two ends of an edge are, whichever comes first, so it knows no "
        "directions. Choose the second order, or switch “Edges have a direction” off."
    ),
    "embed.refused": "The method refuses: {sentence}",
    "embed.busy": "{waiting} trainings are waiting for their turn already. Try again in a minute.",
}
