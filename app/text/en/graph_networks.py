"""Page of the graph networks: message passing, GCN, GraphSAGE and GAT."""

MESSAGES: dict[str, str] = {
    # head
    "graph_networks.sentence": (
        "Every node hears from its neighbours, adds up what it hears, and changes. Pick a node and see each message "
        "with its numbers, while the embedding moves epoch by epoch."
    ),
    "graph_networks.about.message_passing": (
        "**Message passing** is what all graph networks have in common: a message along every edge, an aggregate of "
        "those that arrive, an update."
    ),
    "graph_networks.about.gcn": (
        "In a **GCN** every node takes an average of itself and its neighbours, weighted by their degrees."
    ),
    "graph_networks.about.graphsage": (
        "**GraphSAGE** joins what a node is with a summary of its neighbours, or of a few of them drawn at random."
    ),
    "graph_networks.about.gat": "In a **GAT** every node decides how much it listens to each neighbour.",
    "gcn.score": "{accuracy:.0%} ± {sd:.0%} of test nodes right, {seeds} seeds",
    "graphsage.score": "{accuracy:.0%} ± {sd:.0%} of test nodes right, {seeds} seeds",
    "gat.score": "{accuracy:.0%} ± {sd:.0%} of test nodes right, {seeds} seeds",
    "message_passing.score": "{accuracy:.0%} ± {sd:.0%} of test nodes right, {seeds} seeds",
    "gcn.weights.karate": "Karate club",
    "gcn.weights.sbm": "Block model",
    "gcn.weights.untrained": "untrained",
    "graphsage.weights.karate": "Karate club, mean",
    "graphsage.weights.karate_max": "Karate club, max",
    "graphsage.weights.karate_lstm": "Karate club, LSTM",
    "graphsage.weights.sbm": "Block model, mean",
    "graphsage.weights.untrained": "untrained",
    "gat.weights.karate": "Karate club",
    "gat.weights.karate_v2": "Karate club, GATv2",
    "gat.weights.sbm": "Block model",
    "gat.weights.untrained": "untrained",
    "message_passing.weights.karate": "Karate club",
    "message_passing.weights.karate_edge": "Karate club, edge network",
    "message_passing.weights.sbm": "Block model",
    "message_passing.weights.untrained": "untrained",
    "graph_networks.badge.trained": "trained here",
    "graph_networks.badge.epochs": "{n} epochs",
    "graph_networks.badge.training": "Training",
    # choices
    "graph_networks.net": "Network",
    "graph_networks.layers": "Layers (rounds)",
    "graph_networks.layers.help": (
        "Each layer is one round of messages: after k rounds a node has heard from all nodes at most k edges away."
    ),
    "graph_networks.hidden": "Width",
    "graph_networks.hidden.help": "Numbers that a node holds between two rounds; in a GAT the heads share them.",
    "graph_networks.aggregator": "Summary of the neighbours",
    "graph_networks.aggregator.mean": "mean",
    "graph_networks.aggregator.max": "max",
    "graph_networks.aggregator.lstm": "LSTM",
    "graph_networks.aggregator.help": (
        "Mean: their average. Max: of each channel the largest, after a layer of its own. LSTM: it reads them one "
        "after the other, so their order matters."
    ),
    "graph_networks.version": "Version",
    "graph_networks.version.help": (
        "GATv2 applies the LeakyReLU before the last product. Only then can different nodes prefer different "
        "neighbours; the section on attention counts it."
    ),
    "graph_networks.heads": "Heads",
    "graph_networks.heads.help": "Attentions side by side, each with weights of its own.",
    "graph_networks.form": "Form",
    "graph_networks.form.linear": "linear (the notes)",
    "graph_networks.form.edge_network": "edge network + GRU (Gilmer)",
    "graph_networks.form.help": (
        "Linear: a message is W₂hⱼ times the weight of the edge. Edge network: a small net makes a matrix of each "
        "edge, and a GRU takes the sum over."
    ),
    "graph_networks.how": "Training",
    "graph_networks.known": "Known labels of each class",
    "graph_networks.known.help": (
        "So many nodes of each class tell their label in training, at most half of the class. All others are there "
        "to measure."
    ),
    "graph_networks.epochs": "Epochs",
    "graph_networks.seed": "Seed",
    "graph_networks.rate": "Learning rate",
    "graph_networks.dropout": "Dropout",
    "graph_networks.decay": "Weight decay",
    "graph_networks.decay.help": "Pulls the weights towards zero a little in every step.",
    "graph_networks.objective": "What is learned",
    "graph_networks.objective.labels": "labels",
    "graph_networks.objective.walks": "walks, no labels",
    "graph_networks.objective.help": (
        "Labels: cross-entropy on the known nodes. Walks: nodes that meet on short random walks should have similar "
        "embeddings, others not (equation 1 of the paper)."
    ),
    "graph_networks.projection": "Embedding in the plane by",
    "graph_networks.projection.pca": "PCA",
    "graph_networks.projection.tsne": "t-SNE",
    "graph_networks.projection.umap": "UMAP",
    "graph_networks.projection.help": (
        "PCA keeps the two directions of the largest variance. t-SNE and UMAP keep neighbourhoods; distances between "
        "groups mean little there. The embeddings of successive epochs are turned to fit each other."
    ),
    "graph_networks.projecting": "Projecting the embedding",
    # runs
    "graph_networks.recorded": (
        "Recorded training with embedded weights; the layers below run live. With other settings or another graph it "
        "is trained here."
    ),
    "graph_networks.train.here": "Train it here",
    "graph_networks.recorded.again": "Back to the recorded training",
    "graph_networks.train": "Train",
    "graph_networks.train.note": "A graph of {nodes} nodes and {edges} edges: training may take a while.",
    "graph_networks.before": "Below is still the training before.",
    "graph_networks.progress.torch": "Getting PyTorch ready; the first time takes some seconds",
    "graph_networks.progress": "Epoch {done} of {total} · loss {loss}",
    "graph_networks.no_torch": (
        "PyTorch is not installed here, so nothing can be trained. Recorded trainings exist for the karate club and "
        "the block model with the settings as they are at first; for everything else an untrained network is shown."
    ),
    "graph_networks.no_labels": (
        "This graph has no labels, so there is nothing to classify: an untrained network is shown. GraphSAGE can "
        "learn without labels; or add a table of labels to your graph."
    ),
    "graph_networks.no_labels.short": "This graph has no labels, so there is nothing to measure here.",
    "graph_networks.last_weights.recorded": (
        "Numbers of epoch {epoch}: of the recorded training only the last weights are kept, not those of epoch "
        "{look}. "
        "Press “Train it here” to have them for every epoch."
    ),
    "graph_networks.last_weights.trained": (
        "Numbers of epoch {epoch}: the network is large, so the weights of epoch {look} were not kept."
    ),
    # result
    "graph_networks.result": "Result",
    "graph_networks.says.labels": (
        "After epoch {epoch} the network names rightly **{right} of the {count}** nodes whose labels it was not told "
        "({percent}). It was told {known} labels. Always naming the largest class would be right for {usual}."
    ),
    "graph_networks.says.test": (
        "Of the test nodes alone it is **{right} of {count}** ({percent}); the others, for validation, tell which "
        "epoch was the best."
    ),
    "graph_networks.says.all": (
        "All labels were told, and the network repeats {right} of {count}. Choose fewer known labels to see what it "
        "has learned."
    ),
    "graph_networks.says.walks": (
        "Epoch {epoch}. No label was told: nodes that meet on random walks have been drawn together, others pushed "
        "apart. Colours play no part in it."
    ),
    "graph_networks.says.means": (
        "Named afterwards by the nearest class mean of {known} labelled nodes, **{right} of {count}** other "
        "nodes are "
        "right after epoch {epoch} ({percent}). Always naming the largest class would be right for {usual}."
    ),
    "graph_networks.says.untrained": (
        "**An untrained network**: its weights are random numbers. Even so, nodes with common neighbours come to lie "
        "together, because averaging over neighbours already makes them alike (Kipf and Welling, appendix A)."
    ),
    "graph_networks.graph": "**The graph.** Click a node.",
    "graph_networks.graph.alt": "The graph with {nodes} nodes, coloured by what the network says",
    "graph_networks.embedding": "**The embedding**, {n} numbers a node, through the epochs.",
    "graph_networks.embedding.alt": (
        "The embeddings of {nodes} nodes as points in the plane, at {moments} moments of the training"
    ),
    "graph_networks.epoch": "epoch {n}",
    "graph_networks.loss": "loss",
    "graph_networks.accuracy.train": "right, known",
    "graph_networks.accuracy.validation": "right, validation",
    "graph_networks.accuracy.test": "right, test",
    "graph_networks.colour": "Colour by",
    "graph_networks.colour.predicted": "prediction",
    "graph_networks.colour.label": "label",
    "graph_networks.colour.belief": "certainty",
    "graph_networks.colour.role": "part in training",
    "graph_networks.colour.degree": "degree",
    "graph_networks.role.none": "without label",
    "graph_networks.role.train": "known in training",
    "graph_networks.role.validation": "validation",
    "graph_networks.role.test": "test",
    "graph_networks.node": "{label}; predicted {predicted} ({percent}%); {role}",
    "graph_networks.chosen": "**Node {name}** and its company",
    "graph_networks.chosen.unlabelled": "This network has learned no classes.",
    "graph_networks.belief": "Probability of each class for the chosen node",
    "graph_networks.belief.note": "What the network believes; ✓ marks the true label.",
    "graph_networks.company.graph": "{n} neighbours in the graph: {listed}",
    "graph_networks.company.embedding": "The {n} nearest in the embedding, with their cosine: {listed}",
    "graph_networks.company.note": (
        "{both} of the {n} are neighbours in the graph (in bold). A node and its neighbour need not be alike, "
        "and nodes "
        "far apart can be."
    ),
    # messages
    "graph_networks.messages": "One round at one node",
    "graph_networks.messages.about": (
        "Every round has three steps: each neighbour sends a **message**, the node **aggregates** what arrives, and "
        "**updates** itself. All nodes do so at once. The numbers are those of the epoch under the slider above."
    ),
    "graph_networks.messages.alt": (
        "The graph around {name}: {n} messages on its edges, the wider, the longer the message"
    ),
    "graph_networks.messages.graph": (
        "Width: length of the message. Number: the factor of the message. Click another node to listen there."
    ),
    "graph_networks.more_senders": "{n} more senders with shorter messages are not drawn.",
    "graph_networks.round": "Round",
    "graph_networks.round.help": "In the second round the neighbours send what they have become in the first.",
    "graph_networks.stage": "Step",
    "graph_networks.stage.message": "1 · message",
    "graph_networks.stage.aggregate": "2 · aggregate",
    "graph_networks.stage.update": "3 · update",
    "graph_networks.stage.message.about": (
        "Node **{name}**, round {round}: {n} messages of {channels} numbers each. One row a sender, one column a "
        "channel. Click a row to see that message worked out."
    ),
    "graph_networks.stage.aggregate.about": (
        "Node **{name}**, round {round}: {n} messages become one row of {channels} numbers. Click a column to see "
        "that channel worked out."
    ),
    "graph_networks.stage.update.about": (
        "Node **{name}**, round {round}: what it heard ({n} messages) and what it was become its new {channels} "
        "numbers. Click a column to see that channel worked out."
    ),
    "graph_networks.itself": "{name} (itself)",
    "graph_networks.others": "{n} others",
    "graph_networks.aggregate.sum": "sum",
    "graph_networks.aggregate.mean": "mean",
    "graph_networks.aggregate.max": "max",
    "graph_networks.aggregate.lstm": "last state of the LSTM",
    "graph_networks.row.aggregate": "aggregate m",
    "graph_networks.row.bias": "bias b",
    "graph_networks.row.own": "its own h, weighted",
    "graph_networks.row.heard": "what it heard, weighted",
    "graph_networks.row.kept": "kept: z · h",
    "graph_networks.row.new": "new: (1 − z) · n",
    "graph_networks.row.before": "before the activation",
    "graph_networks.row.out": "new h′",
    "graph_networks.strips.alt": (
        "Rows of coloured cells: the numbers of each sender and of the node, channel by channel"
    ),
    "graph_networks.strips.hint": "Blue: below zero. Orange: above. Click a column to choose a channel.",
    "graph_networks.channel": "channel",
    "graph_networks.one_message": "The message from **{sender}** to **{node}** in channel {channel}:",
    "graph_networks.as_it_is": "The sender says what it is, without weights of its own: hⱼ = {value}.",
    "graph_networks.no_tap": (
        "The network keeps no number of its own between the sum and the update; the next step is compared with it."
    ),
    "graph_networks.alone": "No message arrives here: the node has no neighbour, and the aggregate is 0.",
    "graph_networks.lstm.after": "after {name}",
    "graph_networks.lstm.back": "read backwards",
    "graph_networks.lstm.alt": "The state of the LSTM after each neighbour, and at the end of the reversed order",
    "graph_networks.lstm.order": (
        "**Order matters.** Read in the opposite order, the same neighbours give a summary that differs by "
        "{percent}% "
        "of its length. The authors shuffle the neighbours in training for this reason."
    ),
    "graph_networks.lstm.check": "Recomputed in float64; difference to the network’s own number: {difference}.",
    "graph_networks.check": (
        "The whole of round {round} at this node recomputed in float64: {channels} channels, largest difference "
        "{difference} (the network ran on {by})."
    ),
    "graph_networks.by.onnx": "ONNX Runtime",
    "graph_networks.by.torch": "PyTorch",
    "graph_networks.by.numpy": "our numpy version, in float32",
    # inside
    "graph_networks.inside": "Inside the network",
    "graph_networks.inside.about": (
        "The blocks as the network runs them. Click a block for its tensors: a row is a node, or a message that "
        "arrives at the chosen node."
    ),
    "graph_networks.inside.input": "This is what goes in. Click a block after it to see what becomes of it.",
    "graph_networks.inside.tensor": "Tensor",
    "graph_networks.inside.large": (
        "The list of all messages of this graph is too long to be kept. Click a tensor of nodes."
    ),
    "graph_networks.inside.cell": "Row **{row}**, column {column}: {value}",
    "graph_networks.inside.rows.nodes": (
        "Rows: nodes, sorted by label. Click a row to choose the node, a column the channel."
    ),
    "graph_networks.inside.rows.messages": (
        "Rows: the messages that arrive at **{name}**, by their sender. Click a row or a column."
    ),
    "graph_networks.inside.rows.whole": "One row for the whole graph. Click a column.",
    # matrix
    "graph_networks.matrix": "The edges as a matrix",
    "graph_networks.matrix.about.gcn": (
        "Row i holds the factors of the messages that arrive at node i. GCN adds a loop to every node and divides by "
        "the roots of **both** degrees; the loop counts in the degree. Nodes are sorted by label."
    ),
    "graph_networks.matrix.about.graphsage": (
        "Row i holds the factors of the messages that arrive at node i: with the mean each neighbour counts the "
        "same, "
        "and the node itself is not among them. Nodes are sorted by label."
    ),
    "graph_networks.matrix.about.gat": (
        "Row i holds the factors of the messages that arrive at node i: here the network chooses them, "
        "differently in "
        "each head. Nodes are sorted by label."
    ),
    "graph_networks.matrix.about.message_passing": (
        "Row i holds the weights of the edges whose messages arrive at node i. Nothing is divided by degrees, so "
        "nodes with many neighbours hear large sums. Nodes are sorted by label."
    ),
    "graph_networks.matrix.kind": "Matrix",
    "graph_networks.matrix.adjacency": "A",
    "graph_networks.matrix.loops": "Ã = A + I",
    "graph_networks.matrix.row": "by rows",
    "graph_networks.matrix.symmetric": "Â, symmetric",
    "graph_networks.matrix.mean": "mean",
    "graph_networks.matrix.attention": "α, attention",
    "graph_networks.matrix.alt": "A matrix of {count} × {count} cells, bright where a message has a large factor",
    "graph_networks.matrix.hint": "Brightness: root of the number. Click a cell; its numbers stand beside.",
    "graph_networks.matrix.part": "The part of the matrix around the chosen node: {count} of {all} nodes.",
    "graph_networks.matrix.cell": "Row **{i}**, column **{j}**: {value}",
    "graph_networks.matrix.zero": "There is no edge between the two, so no message.",
    "graph_networks.matrix.degree": "Degree of {name}: {plain} without its loop, {counted} with it.",
    "graph_networks.matrix.sums": "The rows add up to between {low} and {high}.",
    "graph_networks.matrix.eigen": (
        "Largest eigenvalue: {first}. The second, {second}, says how fast repeated averaging makes everything alike: "
        "what differs shrinks by this factor in each round."
    ),
    "graph_networks.matrix.row.note": (
        "By rows every node takes a plain average: each row adds up to 1. The paper’s GCN is the symmetric form; a "
        "well-known PyTorch version of its author uses this one."
    ),
    # readout
    "graph_networks.readout": "The readout",
    "graph_networks.readout.about.sum": (
        "A message passing network can also say something of the whole graph: here the nodes are simply added "
        "up. For "
        "naming nodes it is not needed, and training does not touch it."
    ),
    "graph_networks.readout.about.set2set": (
        "Set2set looks at all nodes three times, each time where the state of an LSTM points. For naming nodes "
        "it is not "
        "needed, so its weights are those from before training."
    ),
    "graph_networks.readout.bars.sum": "Length of each node’s vector in the sum.",
    "graph_networks.readout.bars.set2set": "Share of each node at the last look.",
    "graph_networks.readout.most": "The {n} largest.",
    "graph_networks.readout.check": (
        "Recomputed in float64: {channels} numbers, largest difference {difference} (the network ran on {by})."
    ),
    # attention
    "graph_networks.attention": "Attention on the edges",
    "graph_networks.attention.about": (
        "A score eᵢⱼ for each message, then a softmax over all that arrive at the node: the shares αᵢⱼ add up to "
        "1 in "
        "every head. Choose round and node above."
    ),
    "graph_networks.head": "Head",
    "graph_networks.attention.one": "Round {round} has one head.",
    "graph_networks.attention.alt": "The graph around {name}, the edges as wide as their attention",
    "graph_networks.attention.bars": "The attention of each neighbour",
    "graph_networks.attention.uniform": "{n} messages; equal shares would be {share}.",
    "graph_networks.attention.check": (
        "Recomputed in float64: score off by {score}, share by {share} (the network ran on {by})."
    ),
    "graph_networks.attention.of_head": "head {n}: {value}",
    "graph_networks.attention.entropy": (
        "**How choosy are the heads?** Entropy of the shares, mean over all nodes, 1 being equal shares. "
        "{listed}. On small "
        "graphs trained with few labels a GAT often stays near 1: it averages much like a GCN."
    ),
    "graph_networks.attention.static.1": (
        "**Static attention.** Let all {count} nodes score all {count} nodes in head {head}. Different orders of the "
        "senders: **{orders}**; different favourites: **{favourites}**. In GAT the score never falls with a sum "
        "fᵢ + gⱼ, "
        "so the order of the senders cannot depend on the receiver. Choose GATv2 and count again."
    ),
    "graph_networks.attention.static.2": (
        "**Dynamic attention.** Let all {count} nodes score all {count} nodes in head {head}. Different orders "
        "of the "
        "senders: **{orders}**; different favourites: **{favourites}**. In GAT of version 1 there is one order "
        "for all."
    ),
    # sampling
    "graph_networks.sampling": "A sample of the neighbours",
    "graph_networks.sampling.about": (
        "In a large graph two rounds may reach millions of nodes. GraphSAGE reads a few neighbours of each node, "
        "drawn at random, from the last round back to the first (algorithm 2 of the paper)."
    ),
    "graph_networks.sampling.fan": "Neighbours read of each node",
    "graph_networks.sampling.again": "Draw again",
    "graph_networks.sampling.alt": (
        "The graph; coloured are {name} and the {n} nodes of its sample, by distance in rounds"
    ),
    "graph_networks.sampling.says": (
        "For node **{name}** and {layers} rounds this sample reads {read} nodes and {messages} messages; all "
        "neighbours "
        "would be {all} of {count} nodes and {all_messages} messages. Grey nodes are not read."
    ),
    "graph_networks.sampling.off": "This sample’s embedding lies {percent}% of its length away from the exact one.",
    "graph_networks.sampling.chart": "Error of the embedding by the number of neighbours that are read",
    "graph_networks.sampling.x": "neighbours read of each node",
    "graph_networks.sampling.y": "error, %",
    "graph_networks.sampling.mean": "Mean over {draws} draws for this node; the line marks your choice.",
    # smoothing
    "graph_networks.smoothing": "Over-smoothing",
    "graph_networks.smoothing.about": (
        "Every round averages neighbours. Averaged often enough, all nodes of a connected graph say the same, up to "
        "their degree: what told them apart is gone. First without any learning: start with a 1 at the chosen node "
        "and multiply by Â."
    ),
    "graph_networks.smoothing.power": "Rounds of averaging",
    "graph_networks.smoothing.alt": (
        "The graph, coloured by how much of the 1 at {name} each node holds after {power} rounds"
    ),
    "graph_networks.smoothing.reached": (
        "After {power} rounds {n} of {count} nodes hold a part of the 1 that was at **{name}**."
    ),
    "graph_networks.smoothing.rounds": "rounds",
    "graph_networks.smoothing.layers": "layers",
    "graph_networks.smoothing.distance": "Mean distance of two nodes’ directions, for random signals",
    "graph_networks.smoothing.distance.short": "distance",
    "graph_networks.smoothing.energy": "Dirichlet energy: how much neighbours differ, for random signals of length 1",
    "graph_networks.smoothing.energy.short": "energy",
    "graph_networks.smoothing.accuracy.short": "right, %",
    "graph_networks.smoothing.says": (
        "For 16 random signals two nodes’ directions are {first} apart at first and {now} after {power} rounds: "
        "{percent}% of it."
    ),
    "graph_networks.smoothing.trained": "And with learning?",
    "graph_networks.smoothing.trained.about": (
        "{net} trained with 1 to 16 layers. Learned weights can work against the averaging, up to a point: see at "
        "which depth the embeddings fall together and the test accuracy falls with them."
    ),
    "graph_networks.smoothing.recorded": "Recorded; with other settings or another graph it is trained here.",
    "graph_networks.smoothing.no_torch": (
        "PyTorch is not installed here. This comparison was recorded for the karate club with the settings as they "
        "are at first."
    ),
    "graph_networks.smoothing.start": "Train 1 to 16 layers",
    "graph_networks.smoothing.note": "Eight depths with three seeds each: 24 trainings with the settings above.",
    "graph_networks.smoothing.progress": "{done} of {total} epochs, all depths and seeds",
    "graph_networks.smoothing.before": "before training",
    "graph_networks.smoothing.after": "after training",
    "graph_networks.smoothing.depth.distance": (
        "Mean distance of two nodes’ embeddings by depth, before and after training"
    ),
    "graph_networks.smoothing.depth.accuracy": "Accuracy by depth, on known and on test nodes",
    "graph_networks.smoothing.table": "The numbers",
    "graph_networks.smoothing.column.depth": "layers",
    "graph_networks.smoothing.column.before": "distance, untrained",
    "graph_networks.smoothing.column.after": "distance",
    "graph_networks.smoothing.column.energy": "Dirichlet energy",
    "graph_networks.smoothing.column.test": "test, %",
    "graph_networks.smoothing.seeds": (
        "Means over {n} seeds. Distance: between embeddings brought to length 1, mean over all pairs of nodes."
    ),
    # scores
    "graph_networks.scores": "How good is it?",
    "graph_networks.scores.about": (
        "One training says little on a small graph: which labels are known matters. So it is trained with several "
        "seeds, each with another split, and measured on test nodes that neither training nor any choice has seen."
    ),
    "graph_networks.scores.seeds": "Seeds",
    "graph_networks.scores.start": "Train with {n} seeds",
    "graph_networks.scores.progress": "{done} of {total} epochs, all seeds",
    "graph_networks.scores.recorded": "Recorded with the settings as they are at first.",
    "graph_networks.scores.no_torch": "PyTorch is not installed here, and no scores were recorded for this choice.",
    "graph_networks.scores.logistic": "logistic regression on a node’s own features",
    "graph_networks.scores.majority": "always the largest class",
    "graph_networks.scores.micro": "micro F1, %",
    "graph_networks.scores.macro": "macro F1, %",
    "graph_networks.scores.said": "Mean ± standard deviation over {seeds} seeds; {tested} test nodes each.",
    "graph_networks.scores.identity": (
        "Here a node’s only feature is its own number, so logistic regression knows nothing of nodes it has not "
        "seen: "
        "everything the network gains, it gains from the edges."
    ),
    # notes
    "graph_networks.notes": "What the notes say",
    "graph_networks.notes.about": (
        "Worked out on the path 0 – 1 – 2 with x = (1, 2, 3). The tests in `{file}` assert the same of our networks."
    ),
    "graph_networks.note.E37": (
        "The notes call Ã the adjacency matrix, and later set Ã = A + I. A is the adjacency; Ã has the loops; "
        "and the "
        "degrees D̃ are the row sums of Ã, **with the loop counted**."
    ),
    "graph_networks.note.E37.number": "D̃ = {right}; without the loops it would be {notes}.",
    "graph_networks.note.E38": (
        "The notes’ general GNN has no layer number, as if hᵢ stood on both sides. All nodes of layer l + 1 are "
        "made from "
        "layer l, **at once**. Message passing also has features of edges, and a readout of the whole graph."
    ),
    "graph_networks.note.E38.number": (
        "With all weights 1: {right} at once; changed in place, node after node, it would be {notes}."
    ),
    "graph_networks.note.E39": (
        "The notes multiply Â by one node’s hᵢ. It multiplies the matrix H **of all nodes**; for one node it is "
        "a sum "
        "over its neighbours and itself."
    ),
    "graph_networks.note.E39.number": (
        "With W = 1 and no σ: {right}. With hᵢ alone no neighbour would be heard: {notes}."
    ),
    "graph_networks.note.E40": (
        "The notes’ symmetric form is right. A trap: the author’s PyTorch version (pygcn) divides by rows, and its "
        "TensorFlow version, that of the paper, is symmetric."
    ),
    "graph_networks.note.E40.number": "Symmetric: {right}. By rows: {notes}.",
    "graph_networks.paper.mpnn": "One frame for all of them; edge networks, set2set.",
    "graph_networks.paper.gcn": "The symmetric normalisation; few labels.",
    "graph_networks.paper.graphsage": "Aggregators, samples of neighbours, learning from walks.",
    "graph_networks.paper.gat": "Attention on edges.",
    "graph_networks.paper.gatv2": "Why that attention is static, and how it becomes dynamic.",
    "graph_networks.paper.smoothing": "Why deep GCNs make all nodes alike.",
    # take away
    "graph_networks.take": "Take away",
    "graph_networks.take.about": (
        "The link restores network, graph, settings, epoch and node. A graph of your own does not travel with it."
    ),
    "graph_networks.take.SVG": "SVG",
    "graph_networks.take.SVG.help": "The graph with the colours of this moment, as a drawing",
    "graph_networks.take.PNG": "PNG",
    "graph_networks.take.PNG.help": "The graph with the colours of this moment, as a picture",
    "graph_networks.take.CSV": "CSV",
    "graph_networks.take.CSV.help": "One row a node: label, prediction, embedding at this moment",
    "graph_networks.take.NPZ": "NPZ",
    "graph_networks.take.NPZ.help": "Embeddings and logits at every moment, for numpy",
    "graph_networks.take.weights": "Weights",
    "graph_networks.take.weights.help": "The last weights by name, NPZ for numpy",
    # home
    "home.gcn.sentence": (
        "Four networks that learn on a graph: message passing, GCN, GraphSAGE and GAT. Each message with its "
        "numbers, "
        "the embedding epoch by epoch, on a graph of your own."
    ),
    "home.gcn.alt": (
        "The karate club in two colours, paler where the network is unsure; half of each edge is as wide as the "
        "message on it."
    ),
}
