"""Words of the ResNet18 page."""

MESSAGES: dict[str, str] = {
    "resnet18.sentence": (
        "Eighteen layers name what is in a picture. They do it in eight blocks, each of which only "
        "learns what to "
        "**add** to what it is given."
    ),
    "resnet18.weights.emoji": "Emoji",
    "resnet18.weights.emoji.about": (
        "Trained here on drawings of everyday things in several styles, and scored on one it had never seen."
    ),
    "resnet18.weights.imagenet": "ImageNet",
    "resnet18.weights.imagenet.about": (
        "The official weights of torchvision: photographs, 1000 classes. The terms of ImageNet may apply to their use."
    ),
    "resnet18.score": "{top1:%} right on an unseen style",
    # result
    "resnet18.seen.alt": "The picture as the net sees it, scaled and cut to {side} by {side} pixels",
    "resnet18.cut.none": "All that the net sees: {width} × {height} scaled to {side} × {side} pixels.",
    "resnet18.cut": (
        "All that the net sees: the middle square of {width} × {height}, scaled to {side} × {side} "
        "pixels ({kept}% of the area)."
    ),
    "resnet18.says.sure": "It is sure: {name}, {p}",
    "resnet18.says.rather": "Rather {name}, {p}",
    "resnet18.says.strange": "Unfamiliar; the nearest is {name}, {p}",
    "resnet18.says.torn": "Torn; {name} is ahead with {p}",
    "resnet18.bars.alt": "The likeliest classes with their probabilities",
    "resnet18.hesitates": "As uncertain as an even choice between {n} of the {classes} classes.",
    "resnet18.hesitates.help": (
        "The exponential of the entropy of the probabilities: 1 is certainty. Softmax always adds up "
        "to 100%, so a "
        "net can be sure of a class even where none fits. That is what the next line is for."
    ),
    "resnet18.ood.inside": "The picture looks like those these weights were trained on.",
    "resnet18.ood.outside": (
        "This picture is unlike those these weights were trained on. The classes above are only the "
        "nearest it has: "
        "do not rely on them."
    ),
    "resnet18.ood.unmeasured": (
        "Energy (log-sum-exp of the logits): {energy}. For these weights no threshold has been "
        "measured, so we do not "
        "say whether the picture is like those of the training."
    ),
    "resnet18.ood.energy": "energy",
    "resnet18.ood.max_logit": "largest logit",
    "resnet18.ood.like": "like the training pictures",
    "resnet18.ood.unlike": "unlike them",
    "resnet18.ood.here": "{kind} {score}, threshold {threshold}",
    "resnet18.ood.rates": (
        "Measured: this threshold keeps {keeps}% of emoji in the unseen style, and flags {photos}% "
        "of photographs, "
        "{digits}% of handwritten digits and {noise}% of noise."
    ),
    # class activation
    "resnet18.cam.title": "Where it looked",
    "resnet18.cam.lead": (
        "Grad-CAM lights the places whose features speak for a class. After the last stage comes only a mean and "
        "a linear layer, so there the map is exact: every place adds its share to the logit, and the more it "
        "adds, the brighter it is."
    ),
    "resnet18.cam.shares": "The numbers are the shares of the logit, bias apart.",
    "resnet18.cam.class": "Evidence for",
    "resnet18.cam.stage": "Stage",
    "resnet18.stage": "Stage {n}",
    "resnet18.cam.torch": (
        "Stage 4, in closed form. The earlier stages need gradients, which the PyTorch engine "
        "computes: on this "
        "engine they are not available."
    ),
    "resnet18.cam.alt": "Class activation map for {name} over the picture: light where the evidence is",
    "resnet18.cam.layer": "Map",
    "resnet18.cam.hint": "Click or tap a place to read what it adds to the logit.",
    "resnet18.cam.size": (
        "{rows} × {columns} positions, drawn smoothly. Grey: little or no evidence for this class, next to the "
        "strongest place."
    ),
    "resnet18.cam.empty": "At this stage nothing in the picture speaks for {name}.",
    "resnet18.logit.lead": "The logit of **{name}**, taken apart:",
    "resnet18.logit.by": "Sum over",
    "resnet18.logit.by.position": "positions",
    "resnet18.logit.by.channel": "channels",
    "resnet18.logit.here": "The picked place (row {row}, column {column}) adds **{value}**.",
    # worked numbers
    "resnet18.term": "Term",
    "resnet18.product": "Value",
    "resnet18.rest": "the other {n}",
    "resnet18.bias": "bias b",
    "resnet18.worked.sum": "Recomputed: **{value}**. The net: {stored}. Difference: {difference}.",
    "resnet18.worked.relu": (
        "Recomputed: ReLU({before}) = **{value}**. The net: {stored}. Difference: {difference}."
    ),
    "resnet18.worked.max": "The largest of them: **{value}**. The net: {stored}. Difference: {difference}.",
    # inside
    "resnet18.inside.title": "Inside",
    "resnet18.inside.lead": "Choose a block, then one of its tensors. A click on a channel makes it large.",
    "resnet18.inside.tap": "Tensor",
    "resnet18.part.stem": "stem",
    "resnet18.part.pool": "pool",
    "resnet18.part.hidden": "hidden h",
    "resnet18.part.residual": "residual F(x)",
    "resnet18.part.shortcut": "shortcut",
    "resnet18.part.out": "output y",
    "resnet18.part.features": "features",
    "resnet18.part.logits": "logits",
    "resnet18.tap.stem": "The first convolution's answers: edges, colours and blobs, at half the resolution.",
    "resnet18.tap.pool": "The largest of each 3 × 3 neighbourhood, at a quarter of the resolution.",
    "resnet18.tap.hidden": "Inside the residual branch, after its first convolution, batch norm and ReLU.",
    "resnet18.tap.residual": (
        "What this block proposes to add, F(x): after the second batch norm, before any ReLU, so of "
        "both signs."
    ),
    "resnet18.tap.shortcut": (
        "What the block lets pass: x itself, or, where size and channels change, a 1 × 1 convolution "
        "of stride 2 with "
        "batch norm."
    ),
    "resnet18.tap.out": "The block's output: the sum of both branches, with everything below 0 cut to 0.",
    "resnet18.tap.features": "The mean of every channel of the last map: all that the classifier is told.",
    "resnet18.tap.logits": "One number a class before softmax.",
    "resnet18.number.title": "Where this number comes from",
    "resnet18.number.lead": "Channel {channel}, row {row}, column {column}: every term that goes into it.",
    "resnet18.number.folded": (
        "Batch norm is folded into the weights (w′ = γ/√(σ²+ε)·w, b′ = β − μγ/√(σ²+ε)). A term is "
        "named by input "
        "channel and offset (row, column) from the middle of the kernel."
    ),
    # receptive field
    "resnet18.field.title": "What this cell can see",
    "resnet18.field.alt": (
        "The picture with the receptive field of cell row {row}, column {column}: columns {x0} to "
        "{x1}, rows {y0} to {y1}"
    ),
    "resnet18.field.hint": "Click or tap the picture to pick the cell above that place.",
    "resnet18.field.layer": "Influence",
    "resnet18.field.says": (
        "Its receptive field measures {size} × {size} pixels (columns {x0} to {x1}, rows {y0} to {y1}) "
        "and moves by "
        "{stride} pixels a cell. It covers {share}% of the picture."
    ),
    "resnet18.field.cut": "The rest lies outside, where padding is zeros.",
    "resnet18.field.effect": "Real influence",
    "resnet18.field.effect.help": (
        "The size of the gradient of this number by each pixel: what it depends on here and now. It is "
        "usually a blob "
        "in the middle of the rectangle."
    ),
    "resnet18.field.silent": "Nothing: ReLU cut this number to 0, so no pixel moves it.",
    "resnet18.field.torch": "The real influence (a gradient) is shown on the PyTorch engine.",
    "resnet18.field.how": "The arithmetic",
    "resnet18.field.table": (
        "Kernel k, stride s, padding p of each layer; size r and stride j of the field after it, and "
        "a, the first pixel "
        "that cell 0 reads. Cell i reads the pixels a + i·j to a + i·j + r − 1."
    ),
    "resnet18.layer": "Layer",
    # branches
    "resnet18.branches.title": "What each block adds",
    "resnet18.branches.lead": (
        "A block returns ReLU(F(x) + x). Here are both summands of one channel in the same colours, "
        "and over all "
        "channels which of the two is larger."
    ),
    "resnet18.branches.block": "Block",
    "resnet18.branches.identity": "The shortcut is x itself, unchanged.",
    "resnet18.branches.projection": (
        "Here size and channels change: the shortcut is a 1 × 1 convolution of stride 2 with batch "
        "norm, s(x)."
    ),
    "resnet18.branches.ratio": "‖F(x)‖ / ‖shortcut‖",
    "resnet18.branches.ratio.help": (
        "Norms over all channels and positions. Far below 1: the block changes little."
    ),
    "resnet18.branches.cosine": "cos(F(x), shortcut)",
    "resnet18.branches.cosine.help": (
        "Above 0 the block strengthens what is there, below 0 it takes away, near 0 it adds something new."
    ),
    "resnet18.branches.cut": "Cut by ReLU",
    "resnet18.branches.cut.help": "Share of the sums F(x) + x that are not above 0 and become 0.",
    "resnet18.branches.says": (
        "For this picture **{most}** changes the most (ratio {most_ratio}), **{least}** the least "
        "({least_ratio})."
    ),
    "resnet18.chart.residual": "‖F(x)‖",
    "resnet18.chart.shortcut": "‖shortcut‖",
    "resnet18.chart.ratio": "ratio (dotted: 1)",
    "resnet18.chart.title": "Norms of both branches and their ratio, block by block",
    "resnet18.sum": "sum",
    "resnet18.four.alt": (
        "Channel {channel} of {block}: residual, shortcut, their sum, and the sum after ReLU"
    ),
    "resnet18.four.hint": "Orange is above 0, blue below. Point at a cell to see where it is.",
    # filters
    "resnet18.filters.title": "The first filters",
    "resnet18.filters.lead": (
        "The first layer looks at the pixels themselves, so its 7 × 7 weights can be shown as "
        "pictures: a filter answers "
        "where the image looks like it."
    ),
    "resnet18.filters.alt": "The {count} filters of the first layer as small colour pictures",
    "resnet18.filters.hint": "Click or tap a filter to see its answer.",
    "resnet18.filters.grey": "Mid-grey is weight 0. Each filter is scaled by its own largest weight.",
    "resnet18.filters.response": "Answer of filter {n}, after batch norm and ReLU",
    "resnet18.filters.response.alt": "Where in the picture filter {n} answers",
    "resnet18.filters.numbers": (
        "Filter {n}: weights from {low} to {high}, sum {sum}. {grey}% of its energy is the same in "
        "red, green and blue. "
        "It is silent at {off}% of the positions."
    ),
    # play
    "resnet18.play.title": "Play: take branches out",
    "resnet18.play.lead": (
        "Switch off what a block adds (F(x) = 0) or what it lets pass (shortcut = 0), and ask again."
    ),
    "resnet18.play.how": (
        "Click or tap **F(x)** of a block or its **shortcut**, the straight wire, to cut it; once more "
        "puts it back."
    ),
    "resnet18.play.residual": "residual F(x)",
    "resnet18.play.shortcut": "shortcut",
    "resnet18.play.on": "on",
    "resnet18.play.off": "off",
    "resnet18.play.drawing": "The eight blocks with their two branches; each branch is a switch",
    "resnet18.play.reset": "Put everything back",
    "resnet18.play.theory": (
        "Without F(x) a block returns ReLU(x). Every block is fed by a ReLU, so x is never negative: a block without "
        "projection then passes on exactly what it was given. The net was not trained to bear this."
    ),
    "resnet18.play.whole": "**{name}** – nothing is taken out yet.",
    "resnet18.play.stays": "Still **{first}**: {before} before, {after} now.",
    "resnet18.play.flips": "**{first}** falls from {before} to {after}. Now it says **{now}**.",
    "resnet18.play.bars.alt": "The likeliest classes with the chosen branches taken out",
    "resnet18.play.tick": "The line marks the probability with nothing taken out.",
    "resnet18.removal.lead": "Each branch taken out alone: what remains of the probability of **{name}**.",
    "resnet18.removal.residual": "without F(x)",
    "resnet18.removal.shortcut": "without shortcut",
    "resnet18.removal.whole": "whole net",
    "resnet18.removal.title": "What is left of the probability with one branch taken out",
    "resnet18.removal.says": (
        "The answer changes in {residual} of 8 cases without F(x) and in {shortcut} of 8 without the "
        "shortcut. Hardest "
        "hit: **{block}** {branch} ({after} left; it then says {winner})."
    ),
    # notes
    "resnet18.notes.title": "Notes and papers",
    "resnet18.notes.test": "`{test}` in `{file}`",
    "resnet18.note.E06": (
        "The notes say that with zero residual weights the block becomes the identity. That holds for "
        "the sum before "
        "the last activation only: the block returns ReLU(x), so −1 becomes 0. Pre-activation blocks "
        "(v2) do give "
        "the identity."
    ),
    "resnet18.note.E07": (
        "The notes say that the 1 × 1 convolution adjusts the channels. It also carries the stride and "
        "is followed by a "
        "batch norm: 64 × 56 × 56 becomes 128 × 28 × 28."
    ),
    "resnet18.note.E63": (
        "The notes blame vanishing gradients for deeper plain nets being worse. He et al. say that "
        "this is unlikely, "
        "since batch norm keeps the signals healthy: in a 56-layer plain net with batch norm the first "
        "layer's "
        "gradient is far from 0."
    ),
    "resnet18.paper.residual": "The architecture: figure 2, equations 1 and 2, table 1.",
    "resnet18.paper.identity": "Why the order of activation and sum matters.",
    "resnet18.paper.ensemble": "What happens when single blocks are removed.",
    "resnet18.paper.cam": "The class activation map.",
    "resnet18.paper.field": "Why the real influence is smaller than the receptive field.",
    "resnet18.paper.energy": "The score behind “unlike the training pictures”.",
    # take away
    "resnet18.take.title": "Take away",
    "resnet18.take.lead": (
        "A link to this view (weights, sample, block, channel, cell and class included), the map of "
        "stage 4 over the "
        "picture, and the logits."
    ),
}
