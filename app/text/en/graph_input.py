"""Graphs that one can start from, and what is said about an uploaded one: what is wrong, the limit, what to do."""

MESSAGES: dict[str, str] = {
    # reading a file
    "graph.empty_file": "The file is empty. Choose it again, or save it again where it comes from.",
    "graph.too_many_bytes": (
        "The file has {megabytes} MB; this server takes at most {limit} MB. An edge list is the shortest "
        "form."
    ),
    "graph.too_many_edges": (
        "The graph has more than {limit} edges, the most that this server takes. Cut a part out of it."
    ),
    "graph.too_many_nodes": (
        "The graph has more than {limit} nodes, the most that this server takes. Cut a part out of it."
    ),
    "graph.out_of_memory": (
        "There is not enough memory for this graph just now. Take a part of it, or try again later."
    ),
    "graph.not_read": (
        "This is a file of the kind {kind}, which is not read here. Unpack it or export it as CSV, "
        "GraphML, GEXF or JSON."
    ),
    "graph.not_a_graph": (
        "This file holds no text, so it is no graph that can be read. Choose CSV, TSV, GraphML, GEXF or JSON."
    ),
    "graph.not_utf8": "The letters of this file are not in UTF-8. Save it again with the encoding UTF-8.",
    "graph.no_nodes": (
        "There is no node in this file. An edge list needs two columns, the two ends of an edge."
    ),
    "graph.no_edges": (
        "The file has no edge between two different nodes (nodes named: {nodes}), so there is nothing to "
        "learn from."
    ),
    "graph.one_column": (
        "The file has one column. An edge list needs two, the two ends of an edge, and a third for weights."
    ),
    "graph.prose": (
        "This looks like running text: its lines have many words and no weights. "
        "An edge list has two columns, and a third for weights."
    ),
    "graph.ragged": (
        "Line {line} has {found} columns where {expected} were expected. Is a separator missing there?"
    ),
    "graph.damaged_line": (
        "Line {line} cannot be read: a quotation mark may be open, or the line is far too long."
    ),
    "graph.not_square": (
        "An adjacency matrix needs as many columns as rows; this one has {rows} rows and {columns} columns."
    ),
    "graph.matrix_names": "Line {line} begins with “{found}”, but the header has the nodes in another order.",
    "graph.empty_name": "A node has no name. Give each node an id.",
    "graph.empty_name_in_line": "A node in line {line} has no name. Fill in both ends of the edge.",
    "graph.long_name": (
        "The name “{name}” is longer than {limit} characters. Is a separator missing in the file?"
    ),
    "graph.twice": "The node “{name}” stands in the file twice. Give each node its own id.",
    "graph.unknown_node": "An edge ends at “{name}”, but no node has this id. Is the file complete?",
    "graph.bad_weight": "“{value}” is not a number, but stands where a weight belongs.",
    "graph.bad_weight_in_line": (
        "“{value}” in line {line} is not a number, but stands in the column of the weights."
    ),
    "graph.negative_weight": (
        "The weight {value} is negative. Walks and neighbours need weights above zero: leave such edges out."
    ),
    "graph.negative_weight_in_line": (
        "The weight {value} in line {line} is negative. Walks and neighbours need weights above zero: "
        "leave such edges out."
    ),
    "graph.huge_weights": "The weights are too large to be added up. Divide all of them by the same number.",
    "graph.json_damaged": "The JSON breaks off or has a mistake in line {line}. Save the file again.",
    "graph.json_form": (
        "This JSON is no graph that can be read. It needs “nodes” and “links” (or “edges”) with “source” "
        "and “target”, "
        "as networkx and d3 write it, or a list of pairs."
    ),
    "graph.xml_damaged": "The XML breaks off or has a mistake in line {line}. Save the file again.",
    "graph.xml_form": "This is XML of the kind “{root}”. GraphML and GEXF are read here.",
    "graph.xml_entities": (
        "This XML declares abbreviations (entities), with which a small file can fill a machine's memory. "
        "Such files are not read. Graph programs do not write them."
    ),
    "graph.hyperedges": (
        "This GraphML has hyperedges, which join more than two nodes. Only plain edges are read here."
    ),
    "graph.table.columns": (
        "This table needs a header and at least two columns: the node, and what it is labelled with."
    ),
    "graph.table.nothing": (
        "No column of this table can serve as labels: the first column must name the graph's nodes "
        "({unknown} rows "
        "name others), and a label needs 2 to 50 different values."
    ),
    # what became of it
    "graph.note.zero": "Edges of weight 0, left out: {n}",
    "graph.note.merged": "Parallel edges, added to one another: {n}",
    "graph.note.loops": "Self-loops, kept: {n}",
    "graph.note.isolated": "Nodes without edges, kept: {n}",
    "graph.note.mixed": "The file has directed and undirected edges: an undirected one now leads both ways.",
    "graph.note.ignored": "Columns that are not used: {columns}",
    "graph.note.first_graph": "The file holds several graphs; the first one is used.",
    "graph.note.table_unknown": "Rows of the label table that name no node of the graph: {n}",
    # the way in
    "graph_input.sample": "Graph",
    "graph_input.sample.karate": "Karate club",
    "graph_input.sample.karate.about": (
        "34 members of a club and whom they met outside it (Zachary 1977). "
        "The colours are the two clubs into which it then split."
    ),
    "graph_input.sample.miserables": "Les Misérables",
    "graph_input.sample.miserables.about": (
        "Hugo's characters, joined where they share a chapter (Knuth 1993); the weight counts chapters. "
        "The colours are communities that Louvain's method found, not facts of the novel."
    ),
    "graph_input.sample.davis": "Southern women",
    "graph_input.sample.davis.about": (
        "18 women and the 14 events they went to (Davis 1941): a graph of two kinds of nodes."
    ),
    "graph_input.sample.line": "LINE's example",
    "graph_input.sample.line.about": (
        "In the manner of figure 1 of the LINE paper: 5 and 6 have the same friends but no edge, 6 and 7 a "
        "strong edge."
    ),
    "graph_input.sample.orders": "Two orders",
    "graph_input.sample.orders.about": (
        "In each group everyone on the left knows everyone on the right. One side shares all its "
        "neighbours but no edge; "
        "the two sides share edges but hardly a neighbour: here first and second order differ."
    ),
    "graph_input.sample.barbell": "Barbell",
    "graph_input.sample.barbell.about": (
        "Two cliques and a path between them. Nodes of one colour have the same place in the structure, "
        "however far apart they are."
    ),
    "graph_input.sample.sbm": "Block model",
    "graph_input.sample.sbm.about": (
        "A stochastic block model: edges are likely within a group and rare between groups."
    ),
    "graph_input.sample.lfr": "LFR communities",
    "graph_input.sample.lfr.about": (
        "Communities of unequal sizes and nodes of unequal degrees, closer to real networks than the block "
        "model."
    ),
    "graph_input.sample.grid": "Grid",
    "graph_input.sample.grid.about": "A square lattice; the colours tell corners, border and inside apart.",
    "graph_input.sample.tree": "Tree",
    "graph_input.sample.tree.about": "A full tree; the colours are its levels.",
    "graph_input.parameter.groups": "Groups",
    "graph_input.parameter.size": "Nodes in a group",
    "graph_input.parameter.clique": "Nodes in a clique",
    "graph_input.parameter.path": "Nodes on the path",
    "graph_input.parameter.blocks": "Groups",
    "graph_input.parameter.inside": "Probability of an edge within a group",
    "graph_input.parameter.between": "Probability of an edge between groups",
    "graph_input.parameter.seed": "Seed",
    "graph_input.parameter.count": "Nodes",
    "graph_input.parameter.degree": "Mean degree",
    "graph_input.parameter.mixing": "Share of edges that leave a community",
    "graph_input.parameter.degree_exponent": "Exponent of the degrees",
    "graph_input.parameter.size_exponent": "Exponent of the community sizes",
    "graph_input.parameter.rows": "Rows",
    "graph_input.parameter.columns": "Columns",
    "graph_input.parameter.branching": "Children of a node",
    "graph_input.parameter.height": "Levels below the root",
    "graph_input.label.group": "group {n}",
    "graph_input.label.woman": "woman",
    "graph_input.label.event": "event",
    "graph_input.label.left": "left {n}",
    "graph_input.label.right": "right {n}",
    "graph_input.label.clique": "clique",
    "graph_input.label.gate": "gate",
    "graph_input.label.path": "path {n}",
    "graph_input.label.corner": "corner",
    "graph_input.label.border": "border",
    "graph_input.label.inside": "inside",
    "graph_input.label.level": "level {n}",
    "graph_input.label.none": "no label",
    "graph_input.too_large": (
        "These settings would make about {edges} edges; this server takes at most {limit}. "
        "Fewer nodes or a smaller probability help."
    ),
    "graph_input.upload": "A graph of your own",
    "graph_input.upload.help": (
        "Edge list or adjacency matrix (CSV, TSV, text), GraphML, GEXF or JSON (node-link), up to {limit} "
        "MB and "
        "{edges} edges. It stays in this machine's memory."
    ),
    "graph_input.directed": "Edges have a direction",
    "graph_input.directed.help": "For files that do not say so themselves.",
    "graph_input.labels": "Labels",
    "graph_input.labels.none": "none",
    "graph_input.table": "A table with labels",
    "graph_input.table.help": (
        "CSV or TSV with a header: the first column names the nodes, the others their labels."
    ),
    "graph_input.umap": (
        "The first UMAP after a start of the program takes half a minute longer: it is being compiled."
    ),
    "graph_input.current": "Your graph: {name}",
    "graph_input.counts": "{nodes} nodes · {edges} edges",
    "graph_input.kind.directed": "directed",
    "graph_input.kind.weighted": "weighted",
    "graph_input.kind.components": "{n} components",
    "graph_input.kind.labels": "{n} labels",
    "graph_input.link.ask": (
        "This link was made with a graph of its sender's own, which never travels. Choose the same file (its "
        "fingerprint begins with {sha}), or go on with a sample."
    ),
    "graph_input.link.other": (
        "{name} is not the graph that the link was made with: its fingerprint differs. You see the one you "
        "chose."
    ),
    "graph_input.link.without": "Go on with a sample",
    # the drawing
    "graph_input.drawing.alt": "Drawing of a graph with {nodes} nodes and {edges} edges",
    "graph_input.drawing.sampled": (
        "Drawn are {shown} of {edges} edges, chosen at random; all of them are used."
    ),
    "graph_input.layout.step": "arranging the nodes",
}
