"""The page of graph embeddings: input, training, result, comparison, take away."""

MESSAGES: dict[str, str] = {
    "home.deepwalk.sentence": (
        "Turns the nodes of a graph, your own too, into points that lie close where nodes belong together: five "
        "methods, trained while you watch."
    ),
    "home.deepwalk.alt": (
        "The characters of Les Misérables: from one random heap their vectors part into six coloured groups, their "
        "tracks still to be seen."
    ),
    # head and input
    "graph_embeddings.sentence": (
        "Every node becomes a list of numbers, learned from the edges alone, so that nodes that belong together lie "
        "close together. Five methods do it, on any graph you like, while you watch."
    ),
    "graph_embeddings.recipes": "**Three things to see first**, or choose your own graph and method below.",
    "graph_embeddings.recipe.groups": "Groups find themselves",
    "graph_embeddings.recipe.groups.help": (
        "DeepWalk on the characters of Les Misérables: those who appear together end up together."
    ),
    "graph_embeddings.recipe.roles": "Same place or same role",
    "graph_embeddings.recipe.roles.help": (
        "Struc2vec against DeepWalk on a barbell: mirror nodes fall into one point, or lie as far apart as can be."
    ),
    "graph_embeddings.recipe.orders": "Friends or like-minded",
    "graph_embeddings.recipe.orders.help": (
        "LINE's first against its second order, on a graph where who is joined and who has the same neighbours differ."
    ),
    "graph_embeddings.method": "Method",
    "graph_embeddings.method.deepwalk": (
        "Walks at random along the edges and treats each walk as a sentence: nodes that often meet within a few steps "
        "get similar vectors."
    ),
    "graph_embeddings.method.line": (
        "Learns from single edges. First order: two ends of an edge belong together. Second order: so do nodes with "
        "the same neighbours."
    ),
    "graph_embeddings.method.node2vec": (
        "DeepWalk with a choice at each step: q above 1 keeps the walk near where it started, q below 1 sends it out; "
        "a small p lets it turn back."
    ),
    "graph_embeddings.method.struc2vec": (
        "Asks for the same role instead of the same place: nodes whose surroundings have similar degrees end up "
        "together, even where no path joins them."
    ),
    "graph_embeddings.method.sdne": (
        "A deep autoencoder rebuilds each node's row of the adjacency matrix; a second term pulls the ends of each "
        "edge together."
    ),
    "graph_embeddings.more": "More settings",
    "graph_embeddings.knob.dim": "Dimensions",
    "graph_embeddings.knob.dim.help": "How many numbers each node gets. The picture shows two directions of them.",
    "graph_embeddings.knob.seed": "Seed",
    "graph_embeddings.knob.seed.help": (
        "A whole number from which all chance follows: the same seed and settings give the same vectors."
    ),
    "graph_embeddings.knob.walks": "Walks from each node",
    "graph_embeddings.knob.walks.help": "More walks mean more to learn from, and more time.",
    "graph_embeddings.knob.length": "Nodes on a walk",
    "graph_embeddings.knob.length.help": "How far a walk goes, its start included.",
    "graph_embeddings.knob.window": "Window",
    "graph_embeddings.knob.window.help": (
        "How many steps apart on a walk two nodes may be to count as together. As in word2vec it shrinks at random "
        "from place to place, so near ones count more."
    ),
    "graph_embeddings.knob.epochs": "Passes",
    "graph_embeddings.knob.epochs.help": "How many times the training goes over all its data.",
    "graph_embeddings.knob.loss": "What is asked of a pair",
    "graph_embeddings.knob.loss.help": (
        "Hierarchical softmax finds the neighbour by left-right decisions down a Huffman tree, as in DeepWalk's paper. "
        "Negative sampling tells it apart from a few nodes drawn at random, as in node2vec's."
    ),
    "graph_embeddings.loss.hs": "hierarchical softmax",
    "graph_embeddings.loss.ns": "negative sampling",
    "graph_embeddings.knob.negatives": "Negative samples",
    "graph_embeddings.knob.negatives.help": "From how many random nodes each true neighbour is told apart.",
    "graph_embeddings.knob.lr": "Learning rate",
    "graph_embeddings.knob.lr.help": "The size of the first step; it falls evenly towards the end.",
    "graph_embeddings.knob.p": "p, against returning",
    "graph_embeddings.knob.p.help": (
        "The weight of going straight back is divided by p: above 1 the walk seldom returns, below 1 often."
    ),
    "graph_embeddings.knob.q": "q, against going out",
    "graph_embeddings.knob.q.help": (
        "The weight of a node that is no neighbour of the one before is divided by q: above 1 the walk stays around "
        "its start (like breadth-first search), below 1 it moves away (like depth-first search)."
    ),
    "graph_embeddings.knob.order": "Order",
    "graph_embeddings.knob.order.help": (
        "Both: the two are learned apart with half of the dimensions each, brought to length 1 and put side by side."
    ),
    "graph_embeddings.order.first": "first",
    "graph_embeddings.order.second": "second",
    "graph_embeddings.order.both": "both",
    "graph_embeddings.knob.samples": "Edges drawn",
    "graph_embeddings.knob.samples.help": (
        "For each order. By default as many as suit the graph: 150 for each edge, but at least 60 000."
    ),
    "graph_embeddings.samples.auto": "by graph",
    "graph_embeddings.knob.second_hop": "Neighbours of neighbours below a degree of",
    "graph_embeddings.knob.second_hop.help": (
        "Nodes with fewer neighbours than this also get their neighbours' neighbours, as the paper advises for the "
        "second order. 0: none."
    ),
    "graph_embeddings.knob.layers": "Rings compared",
    "graph_embeddings.knob.layers.help": (
        "How far around a node its surroundings are compared: 0 looks at its own degree only, 1 at its neighbours' "
        "degrees too, and so on."
    ),
    "graph_embeddings.knob.stay": "Chance to stay in a layer",
    "graph_embeddings.knob.stay.help": (
        "At each step the walk stays in its layer with this probability and goes to a similar node; otherwise it "
        "changes to the layer that compares more, or fewer, rings."
    ),
    "graph_embeddings.knob.opt2": "Which nodes are compared",
    "graph_embeddings.knob.opt2.help": (
        "All pairs, or only about log N nodes of similar degree for each one (the paper's OPT2), which large graphs "
        "need. By size: all pairs up to 500 nodes."
    ),
    "graph_embeddings.opt2.auto": "by size",
    "graph_embeddings.opt2.on": "similar degrees",
    "graph_embeddings.opt2.off": "all pairs",
    "graph_embeddings.knob.beta": "β, weight of edges",
    "graph_embeddings.knob.beta.help": (
        "A row is mostly zeros. Where there is an edge, an error counts β times before it is squared, so that the net "
        "does not just say “no edges”."
    ),
    "graph_embeddings.knob.alpha": "α, pull along edges",
    "graph_embeddings.knob.alpha.help": "How strongly the ends of an edge are drawn together: first-order proximity.",
    "graph_embeddings.knob.hidden": "Hidden layer",
    "graph_embeddings.knob.hidden.help": "Units of the layer between a node's row and its vector, and back.",
    "graph_embeddings.knob.nu": "ν, weight decay",
    "graph_embeddings.knob.nu.help": "How much large weights cost.",
    "graph_embeddings.knob.batch": "Rows in a step",
    "graph_embeddings.knob.batch.help": "How many nodes' rows go into one step; the whole graph if it is smaller.",
    # training
    "graph_embeddings.train": "Train",
    "graph_embeddings.estimate": "This training will take about {time}. Other visitors take turns with you.",
    "graph_embeddings.progress": "pass {epoch:.2f} · loss {loss:.3f}",
    "graph_embeddings.progress.begins": "walking and counting",
    "graph_embeddings.before": "Below is still the training before: {method}.",
    "graph_embeddings.untrained": "No method has been trained on this graph yet.",
    "graph_embeddings.badge.method": "Method",
    "graph_embeddings.badge.dims": "{dim} dimensions",
    "graph_embeddings.badge.trained": "Trained in",
    "graph_embeddings.badge.moments": "{n} moments kept",
    "graph_embeddings.badge.loss": "Loss",
    "graph_embeddings.badge.from": "from {first}",
    # result
    "graph_embeddings.result": "From the graph to the plane",
    "graph_embeddings.result.about": (
        "Left the graph, right its vectors, at first as random as they are made. **Drag the slider** through the "
        "training, or play it. **Click a node**, left or right, to see whom the vectors put beside it."
    ),
    "graph_embeddings.projection": "Projection",
    "graph_embeddings.projection.help": (
        "The vectors have many dimensions, the screen has two. PCA shows the plane in which they spread most; t-SNE "
        "and UMAP bend space so that neighbours stay together. UMAP's first use takes half a minute longer."
    ),
    "graph_embeddings.projection.pca": "PCA",
    "graph_embeddings.projection.tsne": "t-SNE",
    "graph_embeddings.projection.umap": "UMAP",
    "graph_embeddings.projection.running": "{name}, step {done} of {total}",
    "graph_embeddings.projection.pca.says": (
        "PCA: this plane holds {share} of the spread that the {dim} dimensions have at the end."
    ),
    "graph_embeddings.projection.tsne.says": (
        "t-SNE: who is near whom can be trusted. How large a group is and how far groups lie apart cannot."
    ),
    "graph_embeddings.projection.umap.says": (
        "UMAP: who is near whom can be trusted. How large a group is and how far groups lie apart hardly can."
    ),
    "graph_embeddings.projection.turned": (
        "Each moment is projected by itself and turned to lie over the next one, never stretched. Where several "
        "directions spread about equally, the projection itself can swing."
    ),
    "graph_embeddings.colours": "Colours",
    "graph_embeddings.colours.label": "labels",
    "graph_embeddings.colours.degree": "degree",
    "graph_embeddings.colours.plain": "none",
    "graph_embeddings.colours.unused": "The labels were not used in training: they only colour the points.",
    "graph_embeddings.colours.degree.says": "From degree {least} (dark) to {most} (bright).",
    "graph_embeddings.colours.degree.same": "All nodes have degree {least}.",
    "graph_embeddings.edges": "No edges in the cloud",
    "graph_embeddings.graph.alt": "The graph, {nodes} nodes and {edges} edges; a click picks a node.",
    "graph_embeddings.cloud.alt": (
        "The vectors of {nodes} nodes as points in the plane, at {moments} moments of the training with {method}."
    ),
    "graph_embeddings.moment.start": "untrained",
    "graph_embeddings.moment": "pass {epoch:.2f}",
    "graph_embeddings.read.loss": "loss",
    "graph_embeddings.read.kept": "neighbours kept",
    "graph_embeddings.kept": (
        "At the end {share} of a node's nearest in the embedding are its neighbours in the graph "
        "(as many are asked for as it has neighbours; by chance it would be {chance})."
    ),
    "graph_embeddings.kept.roles": (
        "Struc2vec does not try to keep neighbours: near means “has the same role”."
    ),
    "graph_embeddings.kept.sampled": "Measured on {n} nodes.",
    "graph_embeddings.near.graph": "**Neighbours of {name} in the graph**: {names}",
    "graph_embeddings.near.more": "and {n} more",
    "graph_embeddings.near.none": "none",
    "graph_embeddings.near.title": "**Nearest to {name} in the embedding**, {moment}",
    "graph_embeddings.near.hint": (
        "Click a node in either picture to see its neighbours in the graph and in the vectors."
    ),
    "graph_embeddings.near.agree": (
        "Of the {count} nearest, {hits} are neighbours of {name} in the graph; by chance it would be {chance:.1f}."
    ),
    "graph_embeddings.near.legend": (
        "In both: a thick ring is the picked node, bold lines are its edges, numbers the rank in the embedding."
    ),
    "graph_embeddings.near.rank": "Rank",
    "graph_embeddings.near.node": "Node",
    "graph_embeddings.near.label": "Label",
    "graph_embeddings.near.cosine": "Cosine",
    "graph_embeddings.near.distance": "Distance",
    "graph_embeddings.near.steps": "Steps in the graph",
    "graph_embeddings.near.apart": "no path",
    # comparison
    "graph_embeddings.compare": "Two methods side by side",
    "graph_embeddings.compare.about": (
        "The same graph, learned by another method with its own settings (set them above, under its name). "
        "Both clouds follow one slider; the second one is turned so that it lies as much like the first as it can."
    ),
    "graph_embeddings.compare.with": "Compare {method} with",
    "graph_embeddings.compare.other_seed": "{method}, another seed",
    "graph_embeddings.compare.first": "{method}, first order",
    "graph_embeddings.compare.second": "{method}, second order",
    "graph_embeddings.compare.both": "{method}, both orders",
    "graph_embeddings.compare.shared": (
        "The {k} nearest nodes of a node agree to {share} between the two (by chance {chance})."
    ),
    "graph_embeddings.compare.seeds": (
        "So much do two trainings agree that differ in nothing but chance: measure differences between methods by it."
    ),
    "graph_embeddings.compare.kept": "{method}: {share} of the nearest are neighbours in the graph, after {time}.",
    "graph_embeddings.compare.node": "Nearest to {name}, {method}",
    "graph_embeddings.compare.common": "Named by both: {names}",
    "graph_embeddings.compare.none": "Not one of the {k} is named by both.",
    "graph_embeddings.compare.alt": "Two clouds of the same {nodes} nodes: {first} and {second}.",
    # take away
    "graph_embeddings.take": "Take away",
    "graph_embeddings.take.about": (
        "The link restores graph, method, settings, moment and node. A graph of your own does not travel with it: its "
        "reader is asked for the same file."
    ),
    "graph_embeddings.take.csv": "The trained vectors as a table: name, label, numbers",
    "graph_embeddings.take.npz": "Vectors, graph, settings and all kept moments for numpy",
    "graph_embeddings.take.word2vec": "The vectors in word2vec's text form, for gensim and others",
    "graph_embeddings.take.projector": "The vectors for TensorBoard's projector: tensors and metadata in a zip",
    "graph_embeddings.take.svg": "The cloud at the moment of the slider as a drawing",
    "graph_embeddings.take.film": "The training as a film",
}
