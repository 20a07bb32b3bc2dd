"""Inside the graph embedding methods, their evaluation, and the notes."""

MESSAGES: dict[str, str] = {
    # choosing a view
    "embed_inside.title": "Inside",
    "embed_inside.view": "What to look at",
    "embed_inside.view.walk": "Walks",
    "embed_inside.view.pairs": "Pairs",
    "embed_inside.view.loss": "What is learned",
    "embed_inside.view.first": "First order",
    "embed_inside.view.second": "Second order",
    "embed_inside.view.training": "One step of training",
    "embed_inside.view.orders": "First against second",
    "embed_inside.view.rings": "Rings",
    "embed_inside.view.layers": "Layers",
    "embed_inside.view.mirror": "Look-alikes",
    "embed_inside.view.row": "A row rebuilt",
    "embed_inside.view.forward": "Through the layers",
    "embed_inside.view.terms": "Three terms",
    "embed_inside.join": ", ",
    "embed_inside.agreement": "Worked out a second way: {again} against {stored}, {apart} apart.",
    "embed_inside.not_yet": "This needs the trained vectors. It appears when the training above has ended.",
    "embed_inside.too_large.nodes": (
        "This view is worked out while you wait, and for that the graph is too large: it takes at most {limit} "
        "nodes. Choose a smaller one to look inside."
    ),
    "embed_inside.too_large.edges": (
        "Where many walks go, and whether steps come as often as they should, is worked out on graphs of at most "
        "{limit} edges: this one would keep you waiting."
    ),
    # one walk
    "embed_inside.walk.about.deepwalk": (
        "DeepWalk never looks at the graph as a whole. It strolls: from each node to a neighbour by chance, again "
        "and again, and later reads the walks as if they were sentences. Click a node to start there, and move "
        "along."
    ),
    "embed_inside.walk.about.node2vec": (
        "node2vec remembers one step. Having come from *t* to *v*, it weighs every next node *x*: going back to *t* "
        "counts 1/p, a node that *t* knows too counts 1, a node farther from *t* counts 1/q. Change p and q and "
        "watch the same step choose otherwise."
    ),
    "embed_inside.walk.p": "p, the price of going back",
    "embed_inside.walk.p.help": (
        "Small p: the walk likes to turn round. Large p: it avoids the node it came from."
    ),
    "embed_inside.walk.q": "q, the price of going away",
    "embed_inside.walk.q.help": (
        "Small q: the walk leaves quickly (depth first). Large q: it stays near (breadth first)."
    ),
    "embed_inside.walk.alone": (
        "**{name}** has no edge that leads away, so its walk ends where it begins. Click a node with neighbours."
    ),
    "embed_inside.walk.step": "Step of the walk",
    "embed_inside.walk.next": "Next step",
    "embed_inside.walk.another": "Another walk",
    "embed_inside.walk.alt": (
        "A walk from {start}, at {now} after {step} steps; lines to its neighbours as wide as likely"
    ),
    "embed_inside.walk.hint": (
        "The walk so far, later steps stronger. Lines to the neighbours are as wide as their chance to be next. "
        "Click a node: the walk starts there."
    ),
    "embed_inside.walk.bars": "How likely each neighbour of {name} is to be next",
    "embed_inside.walk.from": "From **{name}**, the next step goes to (the one it took is marked)",
    "embed_inside.walk.rest": "{count} more neighbours share the remaining {share}.",
    "embed_inside.walk.end": "This is the last step that is shown.",
    "embed_inside.walk.drawn": (
        "Drawn {draws} times by the sampler that trains: no frequency is farther than {apart} from its probability. "
        "χ² = {chi2} (degrees of freedom: {freedom}); 999 of 1,000 honest samples stay below {bound}."
    ),
    "embed_inside.kind.return": "back",
    "embed_inside.kind.common": "near",
    "embed_inside.kind.away": "away",
    # many walks
    "embed_inside.far.title": "Where many walks go",
    "embed_inside.far.about.deepwalk": (
        "{many} walks of {long} nodes from **{name}**. The more orange a node, the more often they came by."
    ),
    "embed_inside.far.about.node2vec": (
        "{many} walks of {long} nodes from **{name}** with your p and q. The more orange a node, the more often "
        "they came by; the chart says how far they got, beside a walk that stays (q = 4) and one that leaves (q = "
        "0.25)."
    ),
    "embed_inside.far.alt": "The graph, each node the more orange the more often walks from {name} visited it",
    "embed_inside.far.hint": "Colours follow the logarithm of the visits. Point at a node for its share.",
    "embed_inside.far.walks": "these walks",
    "embed_inside.far.chart": "Mean distance from the start after each step",
    "embed_inside.far.y": "edges away",
    "embed_inside.far.numbers": (
        "{back}% of the steps go straight back to where the walk came from; a walk of {long} nodes meets "
        "{distinct} different ones."
    ),
    # pairs
    "embed_inside.pairs.about": (
        "A walk is read like a sentence: nodes at most a window apart are a pair, and skip-gram learns to foretell "
        "one from the other. Click a node of the walk to put the window there."
    ),
    "embed_inside.pairs.alt": "A walk as a row of nodes with the window around one of them",
    "embed_inside.pairs.hint": (
        "Thick ring: the centre. Thin rings: its contexts, at most {window} places away. In training each centre "
        "draws its own window from 1 to {window}, so near contexts come more often."
    ),
    "embed_inside.pairs.list": (
        "**{count} pairs** at this centre: {pairs}. The {steps} nodes of the walk give {all} pairs."
    ),
    "embed_inside.contexts.title": "What {name} is seen with",
    "embed_inside.contexts.alt": "How often each node is a context of {name}",
    "embed_inside.contexts.exact": (
        "Left the share counted in {pairs} pairs of fresh walks, right the exact expectation by the formula (with "
        "shrinking windows): {apart} apart at most. This table is all that the method ever learns from."
    ),
    "embed_inside.contexts.counted": (
        "Counted in {pairs} pairs of fresh walks with this p and q. This table is all that the method ever learns "
        "from."
    ),
    # hierarchical softmax
    "embed_inside.softmax.about": (
        "To foretell a context among all nodes, a plain softmax would have to sum over every one of them. "
        "Hierarchical softmax hangs the nodes on a Huffman tree instead, frequent ones high up: a context is a way "
        "down, and every turn is a yes or no with a probability of its own."
    ),
    "embed_inside.softmax.alt": "The way down the Huffman tree to {name}, with the probability of every turn",
    "embed_inside.softmax.bars": "The likeliest contexts of {name}",
    "embed_inside.softmax.contexts": "Contexts of **{name}** by the trained vectors (click one to work it out)",
    "embed_inside.softmax.beyond": "{count} nodes, {share}%",
    "embed_inside.softmax.table": "Turn by turn",
    "embed_inside.softmax.inner": "inner node",
    "embed_inside.softmax.bit": "turn",
    "embed_inside.softmax.product": "product so far",
    "embed_inside.softmax.says": (
        "All {nodes} leaves together have probability **{total}**. This one took {turns} turns; the mean over the "
        "walks is **{mean}**, and no tree can do better than the entropy of {entropy} bits."
    ),
    # negative sampling
    "embed_inside.negatives.about": (
        "Here the question is smaller: is this a true pair, or was the second node drawn at random? One true "
        "context is pulled closer, a few drawn nodes are pushed away."
    ),
    "embed_inside.negatives.again": "Draw other negatives",
    "embed_inside.lesson.node": "node",
    "embed_inside.lesson.loss": "loss",
    "embed_inside.lesson.says": (
        "Together **{loss}**. The column y − σ is the pull: positive draws **{name}** and the vector together, "
        "negative pushes apart, near zero means that there is nothing left to learn."
    ),
    "embed_inside.lesson.slope": (
        "The gradient's squared length, against the slope of the loss found by moving the vector a little both "
        "ways:"
    ),
    # alias tables
    "embed_inside.alias.title": "Drawn in constant time",
    "embed_inside.alias.noise.walks": (
        "Negatives are drawn in proportion to how often a node stands on the walks, to the power of ¾: rare nodes "
        "get a little more than their share."
    ),
    "embed_inside.alias.noise.line": (
        "Negatives are drawn in proportion to the degree to the power of ¾. Edges are drawn the same way, by "
        "weight."
    ),
    "embed_inside.alias.step": "The next step of the walk, from the table of this very node.",
    "embed_inside.alias.some": "The {count} likeliest of {all} outcomes, as if there were no others.",
    "embed_inside.alias.alt": "An alias table: equal columns, each shared by at most two outcomes",
    "embed_inside.alias.throw": "Throw",
    "embed_inside.alias.thrown": (
        "A number in [0, {n}): **{place}** is column “{column}” at height {height}; the column is its own up to "
        "{accept}, so it gives **{got}**."
    ),
    "embed_inside.alias.check": (
        "The areas add up to the probabilities, {apart} apart at most. {throws} throws: {off} off at most, χ² = "
        "{chi2} (degrees of freedom: {freedom}; 99.9% stay below {bound})."
    ),
    "embed_inside.alias.even": (
        "Here all outcomes are equally likely, so no column has to share. A weighted graph shows how they do, or "
        "node2vec with other p and q."
    ),
    # LINE
    "embed_inside.line.stranger": "no edge",
    "embed_inside.line.bars": "Nodes by what the vectors say of them and {name}",
    "embed_inside.line.alt": (
        "{name} with its neighbours, each line as wide as its probability; {other} is ringed"
    ),
    "embed_inside.line.hint": (
        "Numbers stand at the neighbours. Click a node: it becomes the one that is asked about."
    ),
    "embed_inside.line.worked": "{one} and {two}, worked out",
    "embed_inside.line.no_edge": "There is no edge between the two: this pair is in no term of the objective.",
    "embed_inside.line.first.about": (
        "First-order proximity: two nodes are alike where an edge joins them. The model says how likely an edge is "
        "by one dot product, and training makes that match the weights."
    ),
    "embed_inside.line.first.bars": "p₁ of **{name}** with its neighbours, then the likeliest strangers",
    "embed_inside.line.first.all": (
        "Over the whole graph: O₁ = **{objective}**. p₁ is **{edges}** on average where there is an edge and "
        "**{others}** where there is none. Without the drawn negatives, O₁ alone would be content with endless "
        "vectors and p₁ = 1 everywhere (E33)."
    ),
    "embed_inside.line.absent.first": (
        "This run trained the second order only. Choose “first” or “both” in the settings above to look at p₁."
    ),
    "embed_inside.line.absent.second": (
        "This run trained the first order only, which has no contexts. Choose “second” or “both” in the settings "
        "above."
    ),
    "embed_inside.line.absent.both": (
        "Choose “both” in the settings above: then each order has vectors of its own to compare."
    ),
    "embed_inside.line.second.about": (
        "Second-order proximity: two nodes are alike where they have the same neighbours, joined or not. Each node "
        "has a second vector for its role as somebody's neighbour, its context u′."
    ),
    "embed_inside.line.second.bars": (
        "p₂( · | **{name}**) | what the edges say, w/d. Neighbours first, then the likeliest strangers"
    ),
    "embed_inside.line.second.all": (
        "All p₂ sum to **{total}**; as the notes print the fraction they would sum to {notes} (E31). KL of the "
        "edges' distribution at **{name}** from p₂: **{distance}**, weighed with its degree {weight} in O₂ (E32). "
        "Training with negatives does not aim at p₂ itself, so this KL does not go to zero."
    ),
    "embed_inside.line.second.twin": (
        "The stranger whose vector points most like that of **{name}** is **{twin}** (cosine {cosine}): the two "
        "share {shared} of {of} neighbours and have no edge."
    ),
    "embed_inside.line.training.about": (
        "LINE trains on one edge at a time. An edge is drawn by its weight; for its end, a few nodes are drawn at "
        "random that should not go with it; then the vectors move a little."
    ),
    "embed_inside.line.training.again": "Draw another edge",
    "embed_inside.line.training.alt": "The drawn edge from {one} to {two}, and the negatives",
    "embed_inside.line.training.hint": (
        "+ the true neighbour, − the {count} drawn negatives (one may come twice). In training, {shared} edges in a "
        "row share them, which saves time and changes no expectation."
    ),
    "embed_inside.line.training.chances": (
        "This edge, **{one}** to **{two}**, comes up with probability **{edge}** at every draw. So no gradient is "
        "ever multiplied by a weight, and a heavy edge cannot blow up the step."
    ),
    "embed_inside.orders.about": (
        "Both orders look at the same edges and see different things. First order draws together who is joined, and "
        "with them the friends of friends. Second order compares neighbours: twins (the same neighbours, but no "
        "edge) come together, while mere ties (an edge, but no common neighbour) are told apart."
    ),
    "embed_inside.orders.sample": (
        "The sample “First against second order” is made so that the two differ as much as they can. Try it."
    ),
    "embed_inside.orders.first": "First order",
    "embed_inside.orders.second": "Second order",
    "embed_inside.orders.alt.first": "The nodes in the plane of their first-order vectors, with the edges",
    "embed_inside.orders.alt.second": "The nodes in the plane of their second-order vectors, with the edges",
    "embed_inside.orders.pairs": "pairs",
    "embed_inside.orders.tied": "ties: an edge, no common neighbour ({count})",
    "embed_inside.orders.twins": "twins: half of the neighbours shared, no edge ({count})",
    "embed_inside.orders.all": "all pairs",
    "embed_inside.orders.reading": "Mean cosine of the vectors. A dash: the graph has no such pair.",
    # Struc2vec
    "embed_inside.too_large.ring": (
        "Rings of more than {limit} nodes are not laid onto each other while you wait. Choose another node or a "
        "smaller graph."
    ),
    "embed_inside.rings.about": (
        "Struc2vec does not ask who a node knows but what its surroundings look like. Around each node lie rings: "
        "the nodes one edge away, two edges away, and so on. Of each ring only the degrees count, in order. Two "
        "nodes are alike where ring after ring these sequences can be laid onto each other without loss."
    ),
    "embed_inside.rings.k": "Ring k",
    "embed_inside.rings.one": "Ring of **{name}**",
    "embed_inside.rings.two": "Ring of **{name}**",
    "embed_inside.rings.hint": (
        "Ringed nodes are k edges away from the chosen one, the numbers are their degrees. Click a node on the left "
        "or on the right to choose either one."
    ),
    "embed_inside.rings.degree": "degree {n}",
    "embed_inside.rings.alt": "{name} and its ring {k} of {count} nodes, with their degrees",
    "embed_inside.rings.table": "What each pair of degrees costs in ring {k}, and the cheapest way through",
    "embed_inside.rings.warp": (
        "Dynamic time warping: down are the degrees of **{one}**’s ring, to the right those of **{two}**’s. 3×4 is "
        "degree 3, four times. The outlined way is the cheapest from corner to corner; its cells add up to what "
        "this ring costs."
    ),
    "embed_inside.rings.sizes": "nodes in the rings",
    "embed_inside.rings.both": (
        "The last f, added up here ring by ring, against the one that training computes for all pairs at once:"
    ),
    "embed_inside.layers.about": (
        "From the distances comes a graph of many floors. On floor k every two nodes are joined, the stronger the "
        "more alike their first k rings are, no matter whether they have an edge. A walk stays on its floor for a "
        "while or changes it; skip-gram reads these walks."
    ),
    "embed_inside.layers.k": "Floor k",
    "embed_inside.layers.alt": "The graph, each node the more orange the more it is like {name} on floor {k}",
    "embed_inside.layers.hint": (
        "Orange: alike (w near 1). Grey: unlike, or not joined on this floor. Click a node to compare with it."
    ),
    "embed_inside.layers.bars": "From **{name}** on floor {k}, a step goes to",
    "embed_inside.layers.bars.alt": "Probabilities of a step from {name} on floor {k}",
    "embed_inside.layers.moves": (
        "{gamma} of its edges weigh more than the floor’s mean of {mean}. So a walk here stays with **{stay}%**, "
        "goes up with **{up}%** and down with **{down}%**: the more company a node has, the more it pays to look "
        "farther."
    ),
    "embed_inside.layers.only.up": "This is the ground floor: when the floor changes, it can only be up.",
    "embed_inside.layers.only.down": (
        "There is no higher floor for this node: when the floor changes, it can only be down."
    ),
    "embed_inside.layers.walk": "One walk through the floors",
    "embed_inside.layers.walk.alt": "A walk from {name}, with the floor of every step",
    "embed_inside.layers.walk.axis": "nodes of the sentence",
    "embed_inside.layers.walk.about": (
        "Only nodes that are stepped on are in the sentence; changing the floor adds none. The names may lie "
        "anywhere in the graph: what joins them is likeness."
    ),
    "embed_inside.mirror.about": (
        "Nodes whose rings are alike all the way (f = 0 on the last floor) look the same to Struc2vec; it has no "
        "reason to part them. In the barbell they are mirror images of each other."
    ),
    "embed_inside.mirror.alt": (
        "The graph, nodes of the same surroundings in the same colour; {count} kinds that stand more than once"
    ),
    "embed_inside.mirror.hint": (
        "One colour, one kind of surroundings; grey nodes are alone of their kind. Click a node to ring its "
        "look-alikes."
    ),
    "embed_inside.mirror.word": "{n} of this kind",
    "embed_inside.mirror.has": "**{name}** has {count} look-alikes up to ring {layers}: {others}.",
    "embed_inside.mirror.none": (
        "**{name}** is alone of its kind: no other node has the same rings up to {layers}."
    ),
    "embed_inside.mirror.pairs": "pairs",
    "embed_inside.mirror.cosine": "mean cosine of the learned vectors",
    "embed_inside.mirror.same": "look-alikes",
    "embed_inside.mirror.joined": "neighbours in the graph",
    "embed_inside.mirror.everyone": "all pairs",
    "embed_inside.mirror.reading": (
        "DeepWalk does it the other way round: there neighbours come first. Compare the two above."
    ),
    # SDNE
    "embed_inside.row.about": (
        "SDNE is an autoencoder. In goes a node’s row of the adjacency matrix, zeros and a few ones; in the middle "
        "stands a short code; out comes a guess at the row. Most of a row is zeros, so a net that always says zero "
        "would hardly be wrong: a missed edge is therefore made β times as costly."
    ),
    "embed_inside.row.alt": (
        "The graph, each node the more orange the surer the net is that {name} has an edge to it"
    ),
    "embed_inside.row.graph": (
        "Orange: the net believes in an edge. Ringed: there is one. Click a node to rebuild its row."
    ),
    "embed_inside.row.cells": (
        "The row of {name}: the truth, the reconstruction, the weight of each miss and its cost"
    ),
    "embed_inside.row.some": "{count} of {all} columns: the neighbours, and the costliest misses.",
    "embed_inside.row.hint": "Click a column to work out its number.",
    "embed_inside.forward.about": (
        "The same row on its way. Each layer multiplies by its weights, adds its bias and squeezes everything into "
        "(0, 1). The narrowest place is the embedding."
    ),
    "embed_inside.forward.encoder.0": "hidden ({n})",
    "embed_inside.forward.encoder.1": "code y ({n})",
    "embed_inside.forward.decoder.0": "hidden ({n})",
    "embed_inside.forward.decoder.1": "x̂ ({n})",
    "embed_inside.forward.alt": "The row of {name} through all layers of the net, as rows of cells",
    "embed_inside.forward.code": (
        "The code is the embedding’s row of {n} numbers. The one that differs most, number {k}, from the weights "
        "and as it was kept:"
    ),
    "embed_inside.forward.twins": (
        "**{others}** and **{name}** have the very same neighbours, hence the same row, hence the same code "
        "({apart} apart), whatever the weights: that is second-order proximity, and it costs nothing."
    ),
    "embed_inside.forward.none": (
        "No other node has exactly the row of **{name}**. Where two nodes do, their codes are the same whatever the "
        "weights."
    ),
    "embed_inside.terms.about": (
        "Three wishes at once: rebuild every row (second order), keep joined nodes near each other (first order, "
        "times α), keep the weights small (times ν)."
    ),
    "embed_inside.terms.alt": "The three terms of the loss",
    "embed_inside.terms.second": "rows rebuilt",
    "embed_inside.terms.first": "α · neighbours near",
    "embed_inside.terms.regular": "ν · small weights",
    "embed_inside.terms.pull": "The edges that pull hardest, $s_{{ij}}\\,\\|y_i-y_j\\|^2$",
    "embed_inside.terms.pull.alt": "The edges whose ends are farthest apart in the code, by weight",
    "embed_inside.terms.twice": (
        "α times the sum over all edges from both ends, against the Laplacian form that training uses:"
    ),
    "embed_inside.terms.beta": (
        "With β = {beta}, the net says **{edges}** on average where there is an edge and **{others}** where there "
        "is none. Only {share}% of all cells are edges; with β = 1 the zeros would have the say."
    ),
    # evaluation
    "embed_inside.evaluate.title": "Evaluation",
    "embed_inside.evaluate.about": (
        "A pretty picture proves nothing. Here the method has to earn its score on what it has not seen, several "
        "times with different seeds, and beside simple answers that need no embedding at all."
    ),
    "embed_inside.evaluate.task": "Question",
    "embed_inside.evaluate.task.links": "Find hidden edges",
    "embed_inside.evaluate.task.labels": "Find hidden labels",
    "embed_inside.evaluate.who": "Method",
    "embed_inside.evaluate.who.one": "{one} as set above",
    "embed_inside.evaluate.who.all": "All five",
    "embed_inside.evaluate.share.links": "Edges to hide",
    "embed_inside.evaluate.share.labels": "Labels to learn from",
    "embed_inside.evaluate.seeds": "Seeds",
    "embed_inside.evaluate.start": "Evaluate",
    "embed_inside.evaluate.note.links": (
        "{runs} trainings. Each time {share}% of the edges are hidden, the method is trained on the rest, and its "
        "vectors must rank the hidden edges above as many pairs that never were edges."
    ),
    "embed_inside.evaluate.note.labels": (
        "{runs} trainings. Each time a logistic regression learns the labels of {share}% of the nodes from their "
        "vectors and is asked for the others."
    ),
    "embed_inside.evaluate.step": "{method}, {percent}% of all",
    "embed_inside.evaluate.no_labels": (
        "This graph has no labels, so there are none to find. Choose a graph with labels, or ask for hidden edges."
    ),
    "embed_inside.evaluate.few_labels": (
        "Finding labels needs two labels at least that stand on two nodes each: one to learn from, one to be asked "
        "about."
    ),
    "embed_inside.evaluate.no_edges": (
        "No edge of this graph can be hidden fairly: either each one holds the graph together, or every two nodes "
        "are joined already. Choose a graph with cycles, or ask for labels."
    ),
    "embed_inside.evaluate.score": "Score",
    "embed_inside.evaluate.score.auc": "AUC",
    "embed_inside.evaluate.score.average_precision": "Average precision",
    "embed_inside.evaluate.average": "Score",
    "embed_inside.evaluate.average.micro": "Micro F1",
    "embed_inside.evaluate.average.macro": "Macro F1",
    "embed_inside.evaluate.way.dot": "dot product",
    "embed_inside.evaluate.way.cosine": "cosine",
    "embed_inside.evaluate.way.hadamard": "regression",
    "embed_inside.evaluate.baseline.common_neighbours": "common neighbours",
    "embed_inside.evaluate.baseline.random": "chance",
    "embed_inside.evaluate.baseline.majority": "always the largest class",
    "embed_inside.evaluate.alt": "{score} of each method with every seed, mean and standard deviation",
    "embed_inside.evaluate.hidden": (
        "{hidden} hidden edges a seed of {asked} that the share stands for, and as many pairs without an edge. "
        "Regression: logistic, on the products of both vectors’ numbers. Dots are seeds, bars mean ± standard "
        "deviation."
    ),
    "embed_inside.evaluate.forest": (
        "Fewer edges are hidden than asked for: those that hold the graph together stay, so that every node keeps "
        "something to be learned from."
    ),
    "embed_inside.evaluate.nodes": (
        "{known} nodes to learn from, {asked} to be asked about. Each node has one label, so micro F1 is the share "
        "of right answers. Dots are seeds, bars mean ± standard deviation."
    ),
    "embed_inside.evaluate.table": "As a table",
    "embed_inside.evaluate.mean": "mean",
    "embed_inside.evaluate.sd": "sd",
    "embed_inside.evaluate.seed": "seed {n}",
    # notes
    "embed_inside.notes.title": "Notes and papers",
    "embed_inside.notes.about": (
        "What the study notes say in “Graph embedding”, where that differs from the papers, and our numbers. They "
        "are worked out while you look, by the code that trains; each has a test that keeps it."
    ),
    "embed_inside.note.E30": (
        "LINE, first order. The notes print $p_1=1/(1+\\exp(-u^T u_j))$: one vector lost its index, and W is not "
        "said. It is $p_1(v_i,v_j)=1/(1+\\exp(-u_i^T u_j))$, W is the sum of all weights, and it is for undirected "
        "graphs only."
    ),
    "embed_inside.note.E30.number": (
        "$u_i=(1,0)$, $u_j=(1,1)$: p₁ = **{p:.6f}**, the other way round {back:.6f}. The weighted karate club has "
        "{edges:.0f} edges and W = {total:.0f}."
    ),
    "embed_inside.note.E31": (
        "LINE, second order. The notes write $p_1$ instead of $p_2$, forget the context vectors $u'$ that they have "
        "just introduced, and put a minus into the denominator, over an index that is not summed. It is "
        "$p_2(v_j\\mid v_i)=\\exp(u_j'^T u_i)/\\sum_k\\exp(u_k'^T u_i)$."
    ),
    "embed_inside.note.E31.number": (
        "$u=(1,0)$ and contexts (½, 0), (0, −1), (2, 0): p₂ = {a:.5f}, {b:.5f}, {c:.5f}, sum **{total:.6f}**. With "
        "the notes’ minus they sum to {printed:.4f}."
    ),
    "embed_inside.note.E32": (
        "LINE, the objectives. The brackets of $O_2$ are broken, its last line is called $O_1$, and $\\lambda_i$ is "
        "not explained. With $\\lambda_i=d_i$, $\\sum_i d_i\\,KL(\\hat p_2(\\cdot|v_i),\\,p_2(\\cdot|v_i))$ is "
        "$-\\sum w_{{ij}}\\log p_2(v_j|v_i)$ and a constant."
    ),
    "embed_inside.note.E32.number": (
        "On three nodes with weights 1, 2, 3: KL weighed with the degree, less the constant, is **{left:.9f}**; −Σ "
        "w log p₂ is **{right:.9f}** ({apart:.1e} apart)."
    ),
    "embed_inside.note.E33": (
        "LINE, the training. The notes stop at the objective, which cannot be trained as it stands: the second "
        "order sums over all nodes for every edge, and the first order is best where all vectors are the same and "
        "endless. The paper draws K = 5 negatives in proportion to $d^{{3/4}}$ and edges in proportion to their "
        "weight."
    ),
    "embed_inside.note.E33.number": (
        "Karate, all vectors (1, 1): O₁ = {short:.3f}; four times as long: **{long:.1e}**, and it has learned "
        "nothing. Of 100,000 drawn negatives no node’s share is farther than {apart:.4f} from $d^{{3/4}}$; the "
        "largest is {largest:.3f}, even shares would be {flat:.3f}."
    ),
    "embed_inside.note.E34": (
        "LINE, both orders. The notes say “directly concatenated”, and that low degrees do badly. The paper trains "
        "the two apart, brings each to length 1 before it joins them, and gives nodes of low degree edges to their "
        "neighbours’ neighbours, $w_{{ij}}=\\sum_k w_{{ik}}w_{{kj}}/d_k$."
    ),
    "embed_inside.note.E34.number": (
        "After normalising, each half has length **{half:.6f}** and both together **{both:.6f}** = √2; before, "
        "lengths scatter by {before:.2f}, so one half could drown the other. On a path with weights 3 and 1 the "
        "second-hop edge weighs 3 · 1 / 4 = **{hop:.4f}**."
    ),
    "embed_inside.note.E35": (
        "SDNE, the reconstruction. The notes write $(\\hat X-X)B$, a matrix product. It is elementwise, $(\\hat "
        "X-X)\\odot B$ in the Frobenius norm, with $b_{{ij}}=1$ where there is no edge and β > 1 where there is "
        "one: a missed edge costs more than an invented one."
    ),
    "embed_inside.note.E35.number": (
        "X = [[0, 1], [1, 0]], X̂ = [[.2, .6], [.7, .1]], β = 5: **{right:.2f}** elementwise, {notes:.2f} as the "
        "notes print it."
    ),
    "embed_inside.note.E36": (
        "SDNE, the weights of the terms. The notes have α for the first order and ν for the weight decay, as in the "
        "paper; the released code names them the other way round, leaves the decay out and adds a term of its own. "
        "We follow the paper. The first-order sum is $2\\,tr(Y^T L Y)$ with the Laplacian L = D − S."
    ),
    "embed_inside.note.E36.number": (
        "Six random points: the sum over all pairs is **{pairs:.6f}**, 2 tr(YᵀLY) is **{trace:.6f}** ({apart:.1e} "
        "apart)."
    ),
    # two claims
    "embed_inside.claim.start": "Try it",
    "embed_inside.claim.note": "{runs} trainings, three seeds each.",
    "embed_inside.claim.step": "{percent}% of all trainings",
    "embed_inside.claim.degree.title": "A claim tried: LINE does badly where degrees are low",
    "embed_inside.claim.degree.about": (
        "The notes say that LINE does badly where degrees are low and well where they are high. {nodes} nodes in "
        "communities, some with one neighbour, some with dozens; a regression finds the community of each from its "
        "vector, told apart by degree. DeepWalk stands beside it on the same graph: where nodes of few neighbours "
        "are simply hard, it loses too. Second-hop edges are the paper’s remedy: nodes of fewer than {hop} "
        "neighbours are joined to their neighbours’ neighbours."
    ),
    "embed_inside.claim.degree.line": "LINE, {range}",
    "embed_inside.claim.degree.hop": "LINE + second hop, {range}",
    "embed_inside.claim.degree.deepwalk": "DeepWalk, {range}",
    "embed_inside.claim.degree.few": "degree 1–3",
    "embed_inside.claim.degree.some": "degree 4–7",
    "embed_inside.claim.degree.many": "degree 8+",
    "embed_inside.claim.roles.title": "A claim tried: near each other, or alike",
    "embed_inside.claim.roles.about": (
        "The notes give node2vec two aims: homophily (near nodes are alike) and structural equivalence (nodes in "
        "the same place of the structure are alike), to be chosen by p and q. Both aims as questions: find the "
        "community in a block model, and find the role in the barbell, where each node’s only companion is its "
        "mirror image at the other end."
    ),
    "embed_inside.claim.roles.groups": "**Homophily**: which of three communities?",
    "embed_inside.claim.roles.roles": (
        "**Structure**: which place in the barbell? No walk from one end reaches the other within a window, "
        "whatever p and q are; Struc2vec compares degrees instead of meeting places."
    ),
    "embed_inside.claim.roles.says": (
        "The line is what always answering the largest class would reach. Changing q moves node2vec’s mean by "
        "{moved}; the seeds alone scatter by up to {sd}."
    ),
    # papers
    "embed_inside.paper.deepwalk": "Walks as sentences.",
    "embed_inside.paper.line": "First and second order, edges drawn by weight.",
    "embed_inside.paper.node2vec": "Walks that remember one step.",
    "embed_inside.paper.struc2vec": "Alike by structure, however far apart.",
    "embed_inside.paper.sdne": "An autoencoder of the adjacency rows.",
    "embed_inside.paper.skipgram": "Negative sampling.",
    "embed_inside.paper.netmf": (
        "Which matrix the walking methods factorise: the exact pair counts above are its terms."
    ),
}
