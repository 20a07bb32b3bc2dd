"""Points that move through the moments of a training."""

MESSAGES: dict[str, str] = {
    "cloud.moment": "Moment",
    "cloud.keys": "Arrow keys go from node to node, letters jump to a name, Enter picks, Escape lets go; "
    "Page Up and Page Down change the moment, space plays.",
    "cloud.hint": "Click or tap a node; drag sideways to move through the training.",
    "cloud.picked": "picked: {name}",
    "cloud.released": "no node is picked",
    "cloud.only": "Let {name} stand out",
    "cloud.sampled": "{shown} of {count} nodes are drawn.",
    "cloud.edges_sampled": "{shown} of {count} edges are drawn.",
}
