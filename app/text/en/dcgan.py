"""Words of the DCGAN page."""

MESSAGES: dict[str, str] = {
    "dcgan_generator.sentence": (
        "Two networks against each other: the generator G paints digits from 64 random numbers, the "
        "discriminator D "
        "tries to tell them from real ones."
    ),
    "dcgan_generator.score": "the judge is sure of {confident:%} of {samples:,} samples",
    "dcgan_generator.weights.digits": "Digits",
    "dcgan_discriminator.weights.digits": "Digits",
    # input
    "dcgan.seed": "Seed",
    "dcgan.seed.next": "Other samples",
    "dcgan.seed.help": (
        "The seed fixes all the random numbers z, so the same seed always gives the same 32 pictures."
    ),
    # gallery
    "dcgan.sample": "sample {n}",
    "dcgan.sheet.alt": "{count} digits painted by the generator for seed {seed}",
    "dcgan.sheet.hint": "Click a sample to look at it closely. Blue numbers are the stops of the walk below.",
    "dcgan.sheet.says": (
        "D takes these for real with {mean} on average. The judge, a classifier that neither net knows, is "
        "at least {least} sure of {sure} of the {count}, and of the ten digits it reads {different}."
    ),
    "dcgan.closer": "Sample {n}",
    "dcgan.closer.alt": "Sample {n}, enlarged",
    "dcgan.d": "D(G(z))",
    "dcgan.d.help": (
        "The discriminator’s probability that the picture is real. 50% means that it cannot tell; that is what "
        "the "
        "generator is after."
    ),
    "dcgan.judge": "The judge reads",
    "dcgan.judge.help": (
        "A small classifier trained on other digits than the two nets. It says which digit it sees and how sure "
        "it is, "
        "never whether it is real."
    ),
    "dcgan.judge.all": "All ten digits",
    "dcgan.judge.title": "The judge’s probabilities for sample {n}",
    "dcgan.evidence": "D’s evidence",
    "dcgan.evidence.show": "Where D looks",
    "dcgan.evidence.real": "{value} for real",
    "dcgan.evidence.generated": "{value} for generated",
    "dcgan.evidence.about": (
        "D’s last map has 4 × 4 places. Each adds its share to the logit: blue speaks for real, orange for "
        "generated."
    ),
    "dcgan.walk.in": "Add to the walk",
    "dcgan.walk.in.help": "A walk has at most {most} stops.",
    "dcgan.walk.out": "Take out of the walk",
    # z
    "dcgan.z": "The {count} numbers behind it",
    "dcgan.z.about": (
        "All that G gets is z, drawn from a normal distribution. Its length here is {norm}; nearly all such "
        "vectors "
        "have a length near √n = {root}."
    ),
    "dcgan.z.bar": "z {i}: {value}",
    "dcgan.z.title": "The numbers z of sample {n} as bars",
    "dcgan.z.hint": "Click a bar to turn that number from −3 to 3 and leave all others as they are.",
    "dcgan.z.turned": "z {i} from −3 to 3 (here it is {value}); the judge reads {digits}.",
    "dcgan.z.turned.alt": "Nine pictures while z {i} goes from −3 to 3",
    # walk
    "dcgan.walk.title": "A walk through z",
    "dcgan.walk.about": (
        "Between two samples lie others. The **spherical** way turns the direction at an even pace and keeps "
        "the length; the **straight** way cuts through the ball, where hardly any z of the training ever was."
    ),
    "dcgan.walk.few": "A walk needs two stops: choose a sample above and add it.",
    "dcgan.walk.spherical": "Spherical: on the arc",
    "dcgan.walk.linear": "Straight: through the ball",
    "dcgan.walk.spherical.short": "arc",
    "dcgan.walk.linear.short": "straight",
    "dcgan.walk.norm": "‖z‖ {way}",
    "dcgan.walk.d": "D {way}",
    "dcgan.walk.judge": "judge {way}",
    "dcgan.walk.step": "leg {way}",
    "dcgan.walk.alt": "The walk between the chosen samples",
    "dcgan.walk.norms": "Length of z along both ways",
    "dcgan.walk.axis": "stop to stop",
    "dcgan.walk.shell": "99% of all z",
    "dcgan.walk.says": (
        "The first two stops are {angle}° apart. Half-way the arc has length {spherical}, the straight line only "
        "{linear}; 99% of normal vectors lie between {low} and {high}."
    ),
    # ask D
    "dcgan.ask.title": "Ask D: real or generated?",
    "dcgan.ask.about": (
        "Give D a picture of your own, or draw a digit. Beside it: what D says of digits that no net was "
        "trained on, "
        "and of fresh generated ones."
    ),
    "dcgan.ask.real": "real digits, never seen",
    "dcgan.ask.generated": "generated digits",
    "dcgan.ask.yours": "yours",
    "dcgan.ask.says": (
        "On average D gives {real} to {count} real digits that it never saw, and {generated} to as many "
        "generated ones. Shown one of each, it gives the real one more in {ranked} of the pairs; guessing "
        "would be 50%."
    ),
    "dcgan.canvas": "Or draw a digit:",
    "dcgan.canvas.alt": "Canvas for a digit of your own",
    "dcgan.own": "What D sees of **{name}**",
    "dcgan.own.alt": "The picture as the discriminator sees it, 32 × 32 greys",
    "dcgan.own.drawn": "your drawing",
    "dcgan.own.framed": (
        "Framed as MNIST does it: grey, the ink 20 pixels long and centred by weight in 32 × 32; white on black."
    ),
    "dcgan.own.inverted": (
        "Inverted, because the ink was dark on light; then framed as MNIST does it: the ink 20 pixels long and "
        "centred "
        "by weight in 32 × 32 greys."
    ),
    "dcgan.own.empty": "Nothing to see: the picture is all of one grey. D is shown a black field.",
    "dcgan.own.limits": (
        "D learned one question only: MNIST, or this generator? A photograph is neither, and its answer to it "
        "means "
        "little."
    ),
    # inside
    "dcgan.inside.title": "Inside both nets",
    "dcgan.inside.about": (
        "Everything here is about sample {n}. Choose a net, a block and a tensor, then click a number to see "
        "how it "
        "comes about."
    ),
    "dcgan.inside.net": "Network",
    "dcgan.net.generator": "Generator G",
    "dcgan.net.discriminator": "Discriminator D",
    "dcgan.inside.tap": "Tensor",
    "dcgan.inside.z": "The input: the 64 numbers shown as bars above.",
    "dcgan.part.conv": "before batch norm",
    "dcgan.part.out": "after the activation",
    "dcgan.part.paint": "before tanh",
    "dcgan.part.picture": "picture",
    "dcgan.part.evidence": "evidence",
    "dcgan.part.logit": "logit",
    "dcgan.number.title": "How this number comes about",
    "dcgan.number.transposed": (
        "Channel {channel}, row {row}, column {column}. A transposed convolution with stride 2 hears at most 2 × 2 "
        "input cells for one output cell, each through 1 of its kernel’s 16 weights: {terms} terms in all."
    ),
    "dcgan.number.from_z": (
        "Channel {channel}, row {row}, column {column}. z is a picture of a single cell, so every output cell "
        "is a sum "
        "of all of z with weights of its own: {terms} terms."
    ),
    "dcgan.number.conv": (
        "Channel {channel}, row {row}, column {column}. A convolution with stride 2 reads 4 × 4 cells of every "
        "input "
        "channel, what lies in the picture: {terms} terms."
    ),
    "dcgan.number.norm_relu": (
        "Channel {channel}, row {row}, column {column}. Batch norm scales and shifts the number with what was "
        "noted "
        "in training; ReLU then cuts it off at 0."
    ),
    "dcgan.number.norm_leaky": (
        "Channel {channel}, row {row}, column {column}. Batch norm scales and shifts; LeakyReLU leaves a fifth "
        "of what "
        "is negative (already multiplied in)."
    ),
    "dcgan.number.leaky": (
        "Channel {channel}, row {row}, column {column}. The first layer has no batch norm: LeakyReLU alone, "
        "factor 1 "
        "above 0 and 0.2 below."
    ),
    "dcgan.number.tanh": "Row {row}, column {column}. tanh presses the number into −1 (black) to 1 (white).",
    "dcgan.number.evidence": (
        "Row {row}, column {column}. The share of this place: {terms} channels, each with a weight of its own."
    ),
    "dcgan.number.logit": "The sum of all {terms} places is the logit s; D = 1 / (1 + e⁻ˢ).",
    "dcgan.number.net": "The net gives {value}; difference {difference}.",
    "dcgan.heard.input": "input, {size} × {size}",
    "dcgan.heard.kernel": "kernel, 4 × 4",
    "dcgan.heard.output": "output",
    "dcgan.heard.title": "Which input cells reach the chosen output cell, and through which weights (input {size})",
    "dcgan.heard.about": (
        "Equal colours belong together. The neighbouring output cell uses another four of the sixteen weights: "
        "that "
        "can leave a checkerboard."
    ),
    # timeline
    "dcgan.time.title": "How it learned",
    "dcgan.time.about": (
        "The same {count} z, painted by the generator at {moments} moments of its training, from random weights to "
        "the end."
    ),
    "dcgan.time.none": "The snapshots of the training are not here.",
    "dcgan.time.progress": "Moment {done} of {total}",
    "dcgan.time.alt": "The same samples at one moment of the training",
    "dcgan.time.at": "step {step}",
    "dcgan.time.moment": "moment {n}",
    "dcgan.time.d": "finished D",
    "dcgan.time.sure": "judge is sure",
    "dcgan.time.different": "different digits",
    "dcgan.time.d_real": "D(x) then",
    "dcgan.time.d_fake": "D(G(z)) then",
    "dcgan.time.chart": "Numbers of the training, moment by moment",
    "dcgan.time.x": "snapshot",
    "dcgan.time.numbers": (
        "“Then”: the discriminator of that moment, from the training report. “Finished D” and the judge look at "
        "the "
        "pictures on show, now. Neither loss falls steadily: the two nets move each other’s goal."
    ),
    "dcgan.time.forgot": (
        "The finished D gives even the grey pictures of the untrained generator {d}: it only knows its last "
        "opponent, and has long forgotten the first."
    ),
    "dcgan.time.unnoted": "The training report does not name these moments; all numbers are computed here.",
    # losses
    "dcgan.loss.title": "Two losses for the generator",
    "dcgan.loss.about": (
        "At the beginning D sees through everything: D(G(z)) is near 0. There the loss of the minimax game is flat "
        "(**saturating**), and G learns nothing. The **non-saturating** loss has the same goal and its full "
        "gradient "
        "exactly there."
    ),
    "dcgan.loss.saturating": "saturating",
    "dcgan.loss.non_saturating": "non-saturating",
    "dcgan.loss.slider": "What D says of a generated picture",
    "dcgan.loss.slider.help": "The steps are whole logits s from −10 to 10; D = 1 / (1 + e⁻ˢ).",
    "dcgan.loss.gradient": "∂L/∂s = {value}",
    "dcgan.loss.chart.loss": "Both generator losses over D(G(z))",
    "dcgan.loss.chart.gradient": "Gradient of both losses by the logit, over D(G(z))",
    "dcgan.loss.y.loss": "loss",
    "dcgan.loss.y.gradient": "∂L/∂s",
    "dcgan.loss.says.early": (
        "At D(G(z)) = {d} the non-saturating loss pulls **{ratio} times** as hard as the saturating one: it is "
        "what "
        "gets G off the ground."
    ),
    "dcgan.loss.says.even": "At D(G(z)) = {d} both pull alike: −0.5.",
    "dcgan.loss.says.late": (
        "At D(G(z)) = {d} D is fooled already. The non-saturating loss rests ({ratio} times the pull of the "
        "other), "
        "while the saturating one still pushes on."
    ),
    # the plane
    "dcgan.live.title": "Play: a GAN in the plane",
    "dcgan.live.about": (
        "Here a point stands for a picture, so you can see everything: the real points, the generated ones, and "
        "D at "
        "every place. Step by hand, or let it play."
    ),
    "dcgan.live.recipes": "Start with:",
    "dcgan.live.recipe.learns": "A good game",
    "dcgan.live.recipe.learns.help": "One D step a G step, D a little faster than G.",
    "dcgan.live.recipe.collapses": "Collapse",
    "dcgan.live.recipe.collapses.help": (
        "G learns fifty times as fast as D: it throws all its points to wherever D is fooled right now, off "
        "the plane even, and D comes too late."
    ),
    "dcgan.live.recipe.fades": "D far ahead",
    "dcgan.live.recipe.fades.help": (
        "Five quick D steps for each slow step of G, and the saturating loss: compare the two gradients "
        "below the pictures."
    ),
    "dcgan.live.target": "Real points",
    "dcgan.live.target.ring": "ring of 8",
    "dcgan.live.target.grid": "grid of 9",
    "dcgan.live.target.line": "line",
    "dcgan.live.target.moons": "two moons",
    "dcgan.live.target.own": "your drawing",
    "dcgan.live.canvas": "Canvas for a distribution of your own",
    "dcgan.live.own": "Draw where real points shall lie. Until then it is the ring.",
    "dcgan.live.k": "k: D steps a round",
    "dcgan.live.k.help": "Algorithm 1 of the paper: k steps of D, then one of G.",
    "dcgan.live.loss": "Loss of G",
    "dcgan.live.loss.help": "See the section on both losses above.",
    "dcgan.live.rate": "Learning rate of {net}",
    "dcgan.live.pace": "Rounds from picture to picture",
    "dcgan.live.pace.help": "1 is slow motion.",
    "dcgan.live.d": "D step",
    "dcgan.live.d.help": "D learns a little on 128 real and 128 generated points; G stays.",
    "dcgan.live.g": "G step",
    "dcgan.live.g.help": "G moves its points the way the strokes show; D stays.",
    "dcgan.live.r": "One round",
    "dcgan.live.r.help": "k D steps, then one G step.",
    "dcgan.live.run": "Play {rounds} rounds",
    "dcgan.live.run.help": "Computed at once, then played here; pause and drag as you like.",
    "dcgan.live.alone": "D alone",
    "dcgan.live.alone.help": "{steps} D steps while G waits: D comes to D*.",
    "dcgan.live.restart": "Start again",
    "dcgan.live.another": "Other weights",
    "dcgan.live.another.help": "Start again from other random weights.",
    "dcgan.live.running": "The game is played …",
    "dcgan.live.replaying": "Playing the game again that the link tells of …",
    "dcgan.live.strip.d": "D as it is",
    "dcgan.live.strip.best": "D* = p / (p + q)",
    "dcgan.live.d_real": "D(x)",
    "dcgan.live.d_fake": "D(G(z))",
    "dcgan.live.covered": "target covered",
    "dcgan.live.on": "on the target",
    "dcgan.live.gradient.saturating": "gradient of G, saturating",
    "dcgan.live.gradient.non_saturating": "non-saturating",
    "dcgan.live.pull": (
        "At this moment the non-saturating loss gives G {ratio} times the gradient of the saturating one. "
        "(Adam makes up for some of that: it divides each step by the size that gradients usually have.)"
    ),
    "dcgan.live.at": "D {d}, G {g} steps",
    "dcgan.live.alt": "Real and generated points over the discriminator’s surface; target: {target}",
    "dcgan.live.hint": "Play, pause, or drag over the pictures; nothing is computed for that.",
    "dcgan.live.legend": (
        "Dark blue: real points. Dark orange: generated, each with a stroke towards where the chosen loss pulls "
        "it. "
        "The ground is D: blue says real, orange says generated, and the thin line is where D = ½. On the right "
        "the "
        "best D for these two clouds, p and q being their kernel densities; white where neither is."
    ),
    "dcgan.live.bound": "V(D*): no D does better",
    "dcgan.live.chart": "V since the start, between its bounds",
    "dcgan.live.x": "steps of D and G",
    "dcgan.live.says.fresh": (
        "Nothing has been learned yet: V = {value}. The best D would reach V(D*) = {bound}; if G were perfect, "
        "even "
        "that would be −2 ln 2 = {undecided}. The points cover {covered} of the target, {on} of them lie on it."
    ),
    "dcgan.live.says.good": (
        "G covers {covered} of the target and {on} of its points lie on it. V = {value}, close to −2 ln 2 = "
        "{undecided}: D can hardly tell; the best one could still reach {bound}."
    ),
    "dcgan.live.says.crowded": (
        "**Collapse:** all points crowd together and cover only {covered} of the target ({on} lie on it). V = "
        "{value}, "
        "though the best D could reach {bound}: this D is always late. Try a smaller learning rate of G, or a "
        "larger "
        "k."
    ),
    "dcgan.live.says.between": (
        "V = {value} on this batch. A D that cannot tell has −2 ln 2 = {undecided}; the best D for these points "
        "would reach about {bound}. The points cover {covered} of the target, {on} of them lie on it."
    ),
    "dcgan.live.long": "This game is too long for a link: the link starts it anew.",
    # notes
    "dcgan.notes.title": "Notes and papers",
    "dcgan.notes.about": (
        "The study notes describe the game in section 4.1. In two places they differ from the paper; the "
        "numbers here "
        "are computed as you read."
    ),
    "dcgan.notes.tests": "Tests: {names}",
    "dcgan.note.E10": (
        "**E10** The notes show $H(1, D(G(z)))$ and $\\min_G E[\\log(1 - D(G(z)))]$ as one loss. They are two. At "
        "logit −10 the gradient by the logit is {saturating} for the saturating loss and {non_saturating} for the "
        "non-saturating one; at logit 0 both are {even}. Training uses the non-saturating one."
    ),
    "dcgan.note.E11": (
        "**E11** Both terms of D’s loss are means over a batch, and G(z) is held fixed in a D step: the D step "
        "just "
        "computed moved G’s weights by {moved} and D’s by up to {moved_d}. For a fixed G the optimum is "
        "$D^* = p / (p + q)$. Where D says ½ everywhere, $V = -2 \\ln 2$ = {undecided}; before any training V is "
        "{value} in a game begun for this card, where the best D would reach {best}. “Until Nash "
        "equilibrium” is a hope: nothing guarantees it, as the recipe for collapse shows."
    ),
    "dcgan.paper.gan": (
        "The game, both losses (section 3), the optimum of D (proposition 1) and −2 ln 2 (theorem 1)."
    ),
    "dcgan.paper.dcgan": "The layers of both nets.",
    "dcgan.paper.walk": "Why walks through z should be spherical.",
    "dcgan.paper.ring": "The ring of 8 as a test for collapse.",
    "dcgan.paper.adam": "The optimiser of both nets.",
    # take away
    "dcgan.take.title": "Take away",
    "dcgan.take.about": (
        "The link restores seed, sample, walk, tensor and the game in the plane. The files hold the sheet of "
        "samples "
        "and their z; walk, training and plane have files of their own above."
    ),
}
