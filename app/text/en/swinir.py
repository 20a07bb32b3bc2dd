"""The SwinIR page."""

MESSAGES: dict[str, str] = {
    # head and input
    "swinir.sentence": (
        "Makes a photograph larger. Every pixel looks around in a window of 8 × 8, and from layer to layer the windows "
        "shift: click a pixel and see which ones it listened to."
    ),
    "swinir.score": "{mean_gain:+.2f} dB over bicubic",
    "swinir.sample.chelsea": "Chelsea the cat, eyes and whiskers",
    "swinir.sample.astronaut": "An astronaut’s suit with a mission patch",
    "swinir.sample.coffee": "A coffee cup with a spoon on its saucer",
    "swinir.sample.rocket": "A rocket between lattice towers at dusk",
    "swinir.sample.jpeg": "An astronaut’s face, spoiled by strong JPEG compression",
    "swinir.shrink_first": "Shrink it first, then compare with the original",
    "swinir.shrink_first.help": (
        "The picture is reduced by the factor of the weights and the net has to bring back what was lost. The "
        "original stays as the truth, so the result can be scored. Off: the picture itself is made larger."
    ),
    # weights
    "swinir.weights.x2": "Vitrine ×2",
    "swinir.weights.x4": "Vitrine ×4",
    "swinir.weights.classical_x2": "Classical ×2",
    "swinir.weights.classical_x3": "Classical ×3",
    "swinir.weights.classical_x4": "Classical ×4",
    "swinir.weights.classical_x8": "Classical ×8",
    "swinir.weights.lightweight_x2": "Lightweight ×2",
    "swinir.weights.lightweight_x3": "Lightweight ×3",
    "swinir.weights.lightweight_x4": "Lightweight ×4",
    "swinir.weights.real_x2": "Real-world ×2",
    "swinir.weights.real_x4": "Real-world ×4",
    "swinir.weights.real_large_x4": "Real-world, large ×4",
    "swinir.weights.x2.about": "Small and quick; trained for this app, on a processor.",
    "swinir.weights.x4.about": "Small and quick; trained for this app, begun from the ×2 weights.",
    "swinir.weights.classical_x2.about": "The paper’s large model, for clean reduced photographs. Slow without a GPU.",
    "swinir.weights.classical_x3.about": "The paper’s large model, for clean reduced photographs. Slow without a GPU.",
    "swinir.weights.classical_x4.about": "The paper’s large model, for clean reduced photographs. Slow without a GPU.",
    "swinir.weights.classical_x8.about": "The paper’s large model, for clean reduced photographs. Slow without a GPU.",
    "swinir.weights.lightweight_x2.about": "The paper’s small model, for clean reduced photographs.",
    "swinir.weights.lightweight_x3.about": "The paper’s small model, for clean reduced photographs.",
    "swinir.weights.lightweight_x4.about": "The paper’s small model, for clean reduced photographs.",
    "swinir.weights.real_x2.about": (
        "Trained against a critic (GAN) on blurred, noisy and compressed pictures: it cleans, and it invents texture."
    ),
    "swinir.weights.real_x4.about": (
        "Trained against a critic (GAN) on blurred, noisy and compressed pictures: it cleans, and it invents texture."
    ),
    "swinir.weights.real_large_x4.about": (
        "The largest real-world model: it cleans, and it invents texture. Very slow without a GPU."
    ),
    # area
    "swinir.area": "Which part?",
    "swinir.area.about": (
        "Your picture has {width} × {height} pixels. A part of it is answered at once; the whole of it takes longer, "
        "so you start that yourself."
    ),
    "swinir.area.strip": (
        "Your picture has {width} × {height} pixels: so long a strip that nothing could be seen of it as a whole. A "
        "part of it is shown first."
    ),
    "swinir.area.alt": "The whole picture, with the part that is worked on framed",
    "swinir.area.hint": "Click where the frame should go; its edges follow the sliders.",
    "swinir.area.columns": "Left and right edge",
    "swinir.area.rows": "Upper and lower edge",
    "swinir.area.size": "{width} × {height} pixels, shown as {wide} × {high}",
    "swinir.area.whole": "Take the whole picture",
    "swinir.area.limit": (
        "The whole picture would become {megapixels} megapixels; at most {limit} are made. Choose a part."
    ),
    "swinir.running": "Upscaling …",
    "swinir.progress": "tile {done} of {total}",
    "swinir.start": "Upscale",
    "swinir.estimate": (
        "About **{time}** on {device}: {tiles} tiles, {megapixels} megapixels in the end. The edges of the tiles are "
        "worked out twice, so that no seam shows."
    ),
    # result
    "swinir.method.nearest": "Nearest",
    "swinir.method.bicubic": "Bicubic",
    "swinir.method.lanczos": "Lanczos",
    "swinir.ours": "SwinIR ×{scale}",
    "swinir.compare": "Compare with",
    "swinir.result.alt": "The picture enlarged {scale} times: {method} left of the divider, SwinIR right of it",
    "swinir.result.hint": "Drag the divider. Click a pixel to see below what it listened to.",
    "swinir.size": "**{width} × {height}** became **{wide} × {high}** pixels.",
    "swinir.no_truth": "The original in this size is not known, so there is no score; the eye has to judge.",
    "swinir.psnr": "PSNR (Y)",
    "swinir.psnr.help": (
        "How near the result is to the original, on brightness alone (studio range), 4 pixels left off at each side. "
        "3 dB more means half the squared error."
    ),
    "swinir.ssim": "SSIM (Y)",
    "swinir.ssim.help": "Likeness of local structure, 1 for equal pictures (Wang et al. 2004).",
    "swinir.over": "{value} over {method}",
    "swinir.truth": "The net saw {width} × {height} pixels. {method} reaches {theirs}.",
    "swinir.trained": (
        "Trained for {minutes} minutes on {photographs} photographs. On {count} others, never trained on: {gain} dB "
        "over bicubic on average."
    ),
    "swinir.limits.clean": (
        "It learned to undo a clean reduction, and nothing else: it does not remove noise, blur or JPEG damage, and "
        "cannot know detail of which no trace is left."
    ),
    "swinir.limits.real": (
        "It learned to please the eye. Fine texture may be made up: do not read faces, letters or plates from it."
    ),
    "swinir.blocky": (
        "This picture shows the 8 × 8 blocks of JPEG compression (steps at their borders are {value} times as "
        "steep as elsewhere). These weights never saw such damage and will sharpen it too."
    ),
    "swinir.save": "Save the large picture",
    "swinir.save.part": "Save this part, enlarged",
    "swinir.save.part.about": (
        "Only the chosen part is saved, {width} × {height} pixels after enlarging, not the whole picture."
    ),
    "swinir.save.about": (
        "Transparency and colour profile are kept, the orientation is applied, the location is removed. JPEG has no "
        "transparency and is laid on white."
    ),
    # inside
    "swinir.inside": "Inside",
    "swinir.view": "View",
    "swinir.view.attention": "Attention",
    "swinir.view.windows": "Windows and masks",
    "swinir.view.bias": "Position bias",
    "swinir.view.features": "Features",
    "swinir.view.network": "The whole net",
    "swinir.layer": "Layer (RSTB . layer)",
    "swinir.layer.help": (
        "Layers alternate: W-MSA cuts the picture into plain windows, SW-MSA into windows shifted by half a window."
    ),
    "swinir.crop": (
        "The inner numbers of the whole picture would not fit into memory, so this part of {width} × {height} pixels "
        "was run alone. Its edges count as edges of a picture."
    ),
    # attention
    "swinir.attention.about": (
        "In each layer a pixel may listen to the 64 pixels of its window only. How much it takes from each is one "
        "number, and the 64 numbers sum to 100%. Pick a pixel, a layer and a head."
    ),
    "swinir.where.alt": "The net’s input with this layer’s windows; the pixels that the picked one listens to glow",
    "swinir.where.hint": "Click another pixel.",
    "swinir.where.film": "Attention",
    "swinir.place": "Window **{window}** of {count}, {kind} · the picked pixel: row **{row}**, column **{column}**",
    "swinir.window.alt": "The window of {size} × {size} pixels among its neighbours, attention over it",
    "swinir.window.hint": "The window and its neighbours as the layer cuts them. Dashed: joined by the roll.",
    "swinir.listened": (
        "Head {head} takes most, **{share}%**, from {place}. Spread evenly, it would be "
        "listening to **{number}** of {tokens} pixels."
    ),
    "swinir.would_have": (
        "**{count}** pixels are silenced by the mask; without it they would get **{share}%** of the attention."
    ),
    "swinir.padded": "{count} of its pixels lie outside of the picture: they are reflections of its edge.",
    "swinir.offset.itself": "the pixel itself",
    "swinir.offset.up": "{n} up",
    "swinir.offset.down": "{n} down",
    "swinir.offset.left": "{n} left",
    "swinir.offset.right": "{n} right",
    "swinir.offset.join": ", ",
    "swinir.offset.pixel": "the pixel {place}",
    "swinir.heads": "Head by head",
    "swinir.heads.about": (
        "How much the picked pixel (framed) takes from each pixel of its window, in percent. Hatched: silenced by the "
        "mask. Click a cell to work that pair out below."
    ),
    "swinir.head_n": "Head {n}",
    "swinir.head.alt": "Attention of head {n} over the window; the largest is {share} percent",
    "swinir.depth": "Through all layers",
    "swinir.depth.help": "Runs the net again to record every layer; takes a moment.",
    "swinir.depth.alt": "Attention of the picked pixel in {layers} layers (across) and {heads} heads (down)",
    "swinir.depth.about": (
        "From left to right the layers as the net runs them. The number says to how many pixels the attention "
        "amounts: {tokens} would be the whole window alike, 1 a single pixel. See which heads are narrow, which listen "
        "to everything, and how that changes from layer to layer."
    ),
    "swinir.depth.hint": "Click a square to see that layer and head above.",
    "swinir.silenced": "What the mask silences",
    "swinir.silenced.about": (
        "This window lies at the {kind}, where the roll has brought together pixels that are no neighbours. They have "
        "scores like all others; then the mask adds −100, and after the softmax nothing is left of them."
    ),
    "swinir.silenced.scores": "**Scores** q·k/√d + B, before the mask",
    "swinir.silenced.scores.alt": "Scores before the mask over the window",
    "swinir.silenced.free": "**Without the mask** it would have listened to (%)",
    "swinir.silenced.free.alt": "Attention without the mask, in percent",
    "swinir.silenced.kept": "**With the mask** it listened to (%)",
    "swinir.silenced.kept.alt": "Attention with the mask, in percent",
    "swinir.no_mask_here": "Here all 64 pixels are true neighbours: nothing is masked.",
    "swinir.to_the_corner": "Show me a masked window",
    "swinir.worked": "Worked out again",
    "swinir.worked.pair": "The weight of one pair",
    "swinir.worked.output": "What the head brings back",
    "swinir.pair": "The picked pixel and {place}, in head {head}:",
    "swinir.channel": "Channel of the head’s output",
    "swinir.agreement": "The weight, worked out here {again}, in the net {stored}, apart {apart}",
    "swinir.output": "What head {head} brings back in channel {channel}; terms named by row and column of the window:",
    # windows
    "swinir.windows.about": (
        "Attention inside fixed windows would leave the windows strangers to each other. So every second layer shifts "
        "them by half a window. Click a pixel: its window is coloured in both grids."
    ),
    "swinir.grid.plain": "**W-MSA**: {count} windows",
    "swinir.grid.shifted": "**SW-MSA**: {count} windows, shifted by {shift}",
    "swinir.grid.plain.alt": "The picture with plain windows of {size} pixels",
    "swinir.grid.shifted.alt": "The picture with shifted windows of {size} pixels; strips at the edges are coloured",
    "swinir.grid.hint": "Click a pixel.",
    "swinir.grid.place": "Window {window} ({kind}), row {row}, column {column}",
    "swinir.shift": "The cyclic shift",
    "swinir.shift.about": (
        "Shifted windows would stick out over the edge. The trick: roll the picture by {shift} pixels up and left, so "
        "that the top strip comes in at the bottom and the left strip at the right. Then plain windows can be cut. The "
        "last row and column of windows now hold pieces of opposite edges, shown in colours at the end of the film. "
        "(The film shows this picture reduced to a few windows.)"
    ),
    "swinir.shift.alt": "The picture rolled step by step by {shift} pixels up and left, then cut into windows",
    "swinir.shift.start": "not rolled",
    "swinir.shift.moved": "rolled by {n}",
    "swinir.shift.cut": "cut into windows",
    "swinir.masks": "The four masks",
    "swinir.masks.about": (
        "Only pixels of one piece may listen to each other. For the mask a window is a row of 64 numbers: down the "
        "one who asks, across the one who is heard. Colour: allowed. Dark: −100."
    ),
    "swinir.class.interior": "inside",
    "swinir.class.right": "right edge",
    "swinir.class.bottom": "lower edge",
    "swinir.class.corner": "lower right corner",
    "swinir.class.interior.title": "**Inside**: one piece",
    "swinir.class.right.title": "**Right edge**: two pieces",
    "swinir.class.bottom.title": "**Lower edge**: two pieces",
    "swinir.class.corner.title": "**Corner**: four pieces",
    "swinir.piece.alt": "Pieces of a window: {kind}",
    "swinir.mask.alt": "Mask of a window ({kind}): {blocked} of {pairs} pairs are silenced",
    "swinir.mask.numbers": "Windows of this kind: {count} · {blocked:,} of {pairs:,} pairs silenced",
    # bias
    "swinir.bias.about": (
        "To each score a learned number is added that depends only on where the other pixel lies. Orange: listened to "
        "more, blue: less. The frame in the middle is the asking pixel itself; each head has its own habits."
    ),
    "swinir.bias.alt": "Position bias of head {n}, from {low} to {high}",
    "swinir.bias.hint": "Click a cell for its number.",
    "swinir.bias.cell": "{down} down, {across} right: **{value}**",
    # features
    "swinir.features.about": (
        "What becomes of the picture, RSTB by RSTB: brightness is the length of each pixel’s feature vector. Click a "
        "stage to see all its channels."
    ),
    "swinir.norms.alt": "Lengths of the feature vectors at each stage: {names}",
    "swinir.norms.hint": "Click a stage.",
    "swinir.stage.shallow": "first convolution",
    "swinir.stage.rstb": "after RSTB {n}",
    "swinir.stage.deep": "deep features",
    "swinir.stage.fused": "shallow + deep",
    # network
    "swinir.network.about": (
        "Click a block to see every tensor of it. Here everything is counted from 0, as in the code: head 0 is head 1 "
        "above."
    ),
    "swinir.network.none": "Nothing is recorded in this block: it has no inner tensor of its own.",
    "swinir.network.tap": "Tensor",
    "swinir.tap.shallow": "The picture after the first convolution; it is added back at the end of the body.",
    "swinir.tap.mask": "What is added to the scores of every pair in a shifted layer: 0 or −100.",
    "swinir.tap.q": "Queries: what each pixel asks for.",
    "swinir.tap.k": "Keys: what each pixel offers to be found by.",
    "swinir.tap.v": "Values: what each pixel says when it is heard.",
    "swinir.tap.bias": "Position bias: a learned number for every pair, by where the two lie from each other.",
    "swinir.tap.scores": "Scores of every pair before the mask.",
    "swinir.tap.weights": "Attention: how much each query takes from each key. Every row sums to 1.",
    "swinir.tap.out": "What each head brings back: values, summed by attention.",
    "swinir.tap.layer": "Tokens after the layer: attention and MLP, both added to what came in.",
    "swinir.tap.rstb": "Tokens after the whole RSTB: its layers, a 3 × 3 convolution, and what came in.",
    "swinir.tap.deep": "Deep features: the body’s last convolution.",
    "swinir.tap.fused": "Shallow plus deep features: from these the large picture is built.",
    # play
    "swinir.play": "Play: drop the mask",
    "swinir.play.about": (
        "Without the mask, pixels at one edge would listen to the opposite edge as if it lay beside them. Weaken it "
        "and see what leaks, and where."
    ),
    "swinir.play.strength": "What the mask adds to forbidden pairs",
    "swinir.play.strength.help": (
        "−100 is as it should be: after the softmax nothing is left. Weaker than about −10, something gets through; "
        "at 0 there is no mask."
    ),
    "swinir.play.whole": "The mask is whole.",
    "swinir.play.drop": "Drop it",
    "swinir.play.restore": "Put it back",
    "swinir.leak.title": "**Difference of two outputs**: one with the mask whole, one with {added} in place of −100",
    "swinir.leak.alt": "Difference of the two outputs, brighter where it is larger",
    "swinir.leak.picture": "Picture over it",
    "swinir.leak.largest": "Largest difference",
    "swinir.leak.changed": "Pixels changed",
    "swinir.leak.changed.help": "By more than 1/255 in at least one channel.",
    "swinir.leak.words": (
        "On average {mean}/255. **{share}%** of all difference lies within one window of the picture’s edges, a band "
        "that is {area}% of its area."
    ),
    "swinir.leak.crop": "Measured on the part of {width} × {height} pixels around the picked pixel.",
    "swinir.leak.pick": "The picked pixel in layer {layer}, head {head}:",
    "swinir.leak.with": "**With the mask** (%)",
    "swinir.leak.without": "**The mask adds {added}** (%)",
    "swinir.leak.heard": (
        "{share}% now go to pixels that are no neighbours. (Here the mask is weakened in the layers before, too: "
        "what arrives is another picture, so the share need not equal the one further up.)"
    ),
    # notes
    "swinir.notes": "Notes and papers",
    "swinir.notes.about": (
        "The study notes explain why windows: attention over all pixels costs N², within windows N·M². They show the "
        "shift, the RSTB and the pixel shuffle. Where they differ from the paper and the authors’ code, this page "
        "follows the latter:"
    ),
    "swinir.erratum.E66": (
        "The sizes in text and code match no published model. Classical: 180 channels, 6 RSTBs of 6 layers, MLP "
        "ratio 2, 11,900,199 parameters at ×4; lightweight: 60 channels, 4 RSTBs, 929,628."
    ),
    "swinir.erratum.E67": (
        "A mask is described but never built or passed: a pixel in the corner then hears 64 pixels, among them the "
        "opposite corner. With it, 16. (Try it above.)"
    ),
    "swinir.erratum.E68": (
        "“No padding needed” holds for the roll, not for the size: a side that is no multiple of 8 fails. It is "
        "extended by reflection, and the result is cut."
    ),
    "swinir.erratum.E69": "A map no larger than one window is not shifted: there is no neighbour to shift towards.",
    "swinir.erratum.E70": (
        "There is no LayerNorm before an RSTB’s convolution; there is one after the first convolution and one after "
        "the last RSTB."
    ),
    "swinir.erratum.E71": (
        "The classical upsampler goes to 64 channels and doubles step by step (×4 is 2 · 2); the lightweight one is a "
        "single convolution and pixel shuffle; the real-world one enlarges by nearest neighbour."
    ),
    "swinir.erratum.E72": "The mean colour is taken off before the first convolution and put back at the end.",
    "swinir.erratum.E73": (
        "Denoising and JPEG models add their output to the input; JPEG uses windows of 7. Training has drop path, "
        "truncated normal weights, and a three-convolution body for the largest model."
    ),
    "swinir.erratum.E74": (
        "50,176 is the number of pixels of a 224² picture, not of ViT patches (196). SwinIR keeps one resolution "
        "throughout. The roll takes the top and left strips to the far edges, not into the middle."
    ),
    "swinir.notes.tests": "Each has a test that shows it, named after it (`test_E67_…`), in `{path}`.",
    "swinir.links": (
        "[SwinIR (Liang et al. 2021)]({paper}) · [Swin Transformer (Liu et al. 2021)](https://arxiv.org/abs/2103.14030)"
        " · [the authors’ code](https://github.com/JingyunLiang/SwinIR)"
    ),
}
