"""Words of the RealNVP page."""

MESSAGES: dict[str, str] = {
    "realnvp.sentence": (
        "A net that runs backwards: it turns a digit into noise and the noise back into the very same "
        "digit, and it tells exactly how likely the digit is."
    ),
    "realnvp.score": "{bits_per_dim:.2f} bits per dimension on unseen digits",
    "realnvp_inverse.score": "{bits_per_dim:.2f} bits per dimension on unseen digits",
    "realnvp.weights.digits": "Digits",
    "realnvp_inverse.weights.digits": "Digits",
    "realnvp.of": "{part} of {all}",
    "realnvp.layer": "Coupling",
    "realnvp.layer.words": "{n} · {kind} · {size}",
    "realnvp.kind.checkerboard": "checkerboard",
    "realnvp.kind.channel": "channels",
    "realnvp.bits": "bits per dimension",
    "realnvp.bits.help": (
        "How many bits a pixel costs if the flow is the code book: −log₂ p(picture) / 784. Writing down 256 "
        "grey levels as they are takes 8."
    ),
    # the picture
    "realnvp.input.way": "Where the picture comes from",
    "realnvp.input.sheet": "{count} digits to choose from",
    "realnvp.input.canvas": "Canvas for a digit of your own",
    # the result
    "realnvp.result.says": (
        "**Left** the picture x. **Middle** z = f(x): the same 784 numbers, as noise. **Right** f⁻¹(z), "
        "computed from z alone."
    ),
    "realnvp.result.alt": (
        "The picture, z as noise (blue below 0, orange above), and the picture that came back from z"
    ),
    "realnvp.error": "largest error of the way back",
    "realnvp.error.help": (
        "Largest |x − f⁻¹(f(x))| over the 784 numbers. What is left is the rounding of float32: the way "
        "back is exact by construction, not learned."
    ),
    "realnvp.changed": "grey levels that changed",
    "realnvp.log_det": "log |det J|",
    "realnvp.log_det.help": "By how much the flow stretches volumes around this picture, as a logarithm.",
    "realnvp.inside": "numbers of z within ±1",
    "realnvp.inside.help": "68% of standard normal numbers lie there.",
    "realnvp.chance": "All of the picture costs {total} bits: the flow gives it a chance of about {power}.",
    "realnvp.noise.next": "Other noise between the grey levels",
    "realnvp.noise.help": (
        "Grey levels are whole numbers, densities want continuous ones: noise in [0, 1) is added first. See "
        "Dequantisation."
    ),
    # coupling by coupling
    "realnvp.journey.title": "To noise and back, coupling by coupling",
    "realnvp.journey.about": (
        "Drag to the right: {count} couplings, one after the other, turn the picture into noise. Drag to "
        "the left: back again. The first picture comes from the net that goes **there**; the second from "
        "the net that goes **back** and was given nothing but z. Each coupling first shifts and scales all "
        "numbers of a channel alike (b and γ, learned, the same for every picture). Then half of them stay "
        "and say how the other half is stretched (s) and shifted (t): whoever has the half that stayed can "
        "undo it."
    ),
    "realnvp.strip.there": "there: from x",
    "realnvp.strip.back": "back: from z",
    "realnvp.strip.scale": "s: stretched by eˢ",
    "realnvp.strip.shift": "t: shifted by t",
    "realnvp.read.layer": "coupling",
    "realnvp.read.each": "log |det J| of it",
    "realnvp.read.sum": "sum so far",
    "realnvp.read.bits": "bits/dim if this were z",
    "realnvp.read.difference": "there against back",
    "realnvp.at.x": "x",
    "realnvp.at.k": "after coupling {n}",
    "realnvp.at.z": "z",
    "realnvp.mark.squeeze": "After coupling {k}: 2 × 2 pixels become 4 channels",
    "realnvp.mark.split": "After coupling {k}: half of the numbers is done",
    "realnvp.journey.alt": (
        "The picture between two couplings on its way to noise, the same on its way back, s and t"
    ),
    "realnvp.journey.hint": "The line over the slider: bits per dimension if the flow ended there.",
    "realnvp.journey.legend": (
        "Every number is shown at its pixel. Under s and t: dark numbers stay as γ and b left them, grey "
        "ones are part of z already (a split has taken them out). s is drawn between −1 and 1."
    ),
    "realnvp.journey.says": (
        "Without any coupling the picture would cost {start} bits per dimension; after the last one it "
        "costs {end}. Coupling {best} gains most. There and back differ by {error} at most."
    ),
    # bits
    "realnvp.chances.title": "How likely is a picture?",
    "realnvp.chances.about": (
        "GANs cannot say it, VAEs and diffusion models give a bound. A flow computes the density of x "
        "exactly: how likely z is, times how much the flow stretches there. In bits per dimension, so that "
        "pictures of other sizes compare:"
    ),
    "realnvp.chances.progress": "Unseen digits: {done} of {total}",
    "realnvp.chances.held": "{count} unseen digits",
    "realnvp.chances.samples": "{count} samples of the flow",
    "realnvp.chances.chart": (
        "Bits per dimension of unseen digits and of samples, with your picture among them"
    ),
    "realnvp.stranger.alt": "A black picture, your picture inverted, grey noise",
    "realnvp.stranger.black": "all black",
    "realnvp.stranger.inverted": "your picture inverted",
    "realnvp.stranger.noise": "grey noise",
    "realnvp.stranger.bits": "{name}: {bits}",
    "realnvp.stranger.even": "no model: 8 bits for 256 levels",
    "realnvp.chances.says": (
        "Unseen digits cost **{mean}** ± {sd}; {place} of them cost no more than your picture. The flow's "
        "own samples cost {own}. For the uniform noise between the levels this is an upper bound of −log₂ "
        "P(grey levels): see below."
    ),
    "realnvp.chances.strangers": (
        "**Likely is not the same as typical.** Grey noise costs {noise} bits and an inverted digit "
        "{inverted}: the flow is surprised. But the black picture costs only {black}, less than any of the "
        "digits (the cheapest: {least}), although nobody would call it a digit. Densities are high where "
        "pictures are simple, and that alone does not tell what belongs to the data (Nalisnick et al. "
        "2019)."
    ),
    "realnvp.noises.title": "Dequantisation",
    "realnvp.noises.about": (
        "A density over whole numbers could grow without bound: the flow would put a spike on every grey "
        "level. So every level is spread evenly over an interval of length 1 by uniform noise u. Here is "
        "your picture with {count} noises; the line is their mean:"
    ),
    "realnvp.noises.chart": "Bits per dimension of the same picture with different noise",
    "realnvp.noises.mean": "mean",
    "realnvp.noises.mean.help": (
        "Jensen: E[−log p(x + u)] ≥ −log ∫ p(x + u) du = −log P(x). It is what papers report."
    ),
    "realnvp.noises.spread": "standard deviation",
    "realnvp.noises.tighter": "tighter bound",
    "realnvp.noises.tighter.help": "−log of the mean of {count} densities instead of the mean of their −log.",
    "realnvp.noises.says": (
        "One noise against another changes log p by {nats} nats: small per pixel, large for a picture. "
        "Learned noise (variational dequantisation, Flow++) narrows the gap."
    ),
    # samples
    "realnvp.samples.title": "From noise to pictures",
    "realnvp.samples.about": (
        "Draw 784 normal numbers, run the net backwards: one pass, no steps. Temperature multiplies the "
        "noise; below 1 pictures come from nearer to the middle of what was learned."
    ),
    "realnvp.seed": "Seed",
    "realnvp.seed.next": "Other noise",
    "realnvp.temperature": "Temperature",
    "realnvp.temperature.help": "z = temperature × noise. 1 is what the flow was trained for.",
    "realnvp.samples.alt": "{count} samples of seed {seed}",
    "realnvp.samples.hint": "Point at a sample to read its bits per dimension.",
    "realnvp.samples.one": "sample {n}: {bits} bits per dimension",
    "realnvp.samples.says": (
        "At temperature {temperature} they cost {bits} bits per dimension on average. The judge, a "
        "classifier that never met the flow, is at least {least} sure of {sure} of {count}."
    ),
    "realnvp.samples.honest": (
        "Many are strokes rather than digits: this flow has 0.45 M numbers and was trained for {minutes} minutes on "
        "one thread. A likelihood pays for every pixel, and most of the bits are in the edges of strokes; "
        "GANs and diffusion models of the same size look better, but tell bits only as a bound or not at "
        "all."
    ),
    # walk
    "realnvp.walk.title": "From one digit to another",
    "realnvp.walk.about": (
        "Your picture and a second one, each turned into z; then every z in between, turned back. Since the "
        "flow is exact, both ends are the pictures themselves. A judge, a classifier that never met the "
        "flow, says which digit it reads."
    ),
    "realnvp.walk.sheet": "{count} digits for the other end",
    "realnvp.walk.way": "Way through z",
    "realnvp.walk.way.help": (
        "Normal numbers lie near a sphere of radius √784 = 28. A straight line cuts through it, the arc "
        "stays on it."
    ),
    "realnvp.walk.arc": "arc",
    "realnvp.walk.straight": "straight",
    "realnvp.walk.z": "through z",
    "realnvp.walk.pixels": "mixing pixels",
    "realnvp.walk.bits": "bits/dim, {way}",
    "realnvp.walk.judge": "judge, {way}",
    "realnvp.judge.none": "no digit",
    "realnvp.walk.share": "{share} of the way",
    "realnvp.walk.alt": "From your picture to the other digit, through z and by mixing pixels",
    "realnvp.walk.chart": "Bits per dimension along both ways",
    "realnvp.walk.x": "share of the way",
    "realnvp.walk.says": (
        "Half-way a picture costs {z} bits per dimension through z, and {pixels} where pixels are mixed. "
        "There ‖z‖ is {length}; samples have about {typical}."
    ),
    # numbers
    "realnvp.numbers.title": "One number through one coupling",
    "realnvp.numbers.about": (
        "Choose a coupling, click a pixel: everything that happens to its number, and how it is undone."
    ),
    "realnvp.numbers.alt": "s of coupling {n} at every pixel",
    "realnvp.numbers.hint": "Click a pixel.",
    "realnvp.numbers.picture": (
        "s: orange is stretched, blue is shrunk; dark numbers change by γ and b alone, grey ones are done."
    ),
    "realnvp.numbers.what": "Show",
    "realnvp.what.y": "y from x",
    "realnvp.what.x": "x from y",
    "realnvp.what.scale": "s",
    "realnvp.what.shift": "t",
    "realnvp.numbers.stays": (
        "Channel {c}, row {i}, column {j} belongs to the half that **stays**: b = {b} is added to it and "
        "the sum multiplied by γ = {gamma}, as everywhere in its channel; no s, no t. It helps to say what "
        "happens to others."
    ),
    "realnvp.numbers.changes": (
        "Channel {c}, row {i}, column {j} **changes**: s = {s}. First b = {b} is added, then the sum is "
        "multiplied by γeˢ = {times}, then t = {t} is added."
    ),
    "realnvp.numbers.undo": (
        "The net's number is the one that the way back computed from z alone, through all couplings after "
        "this one."
    ),
    "realnvp.numbers.none": "This number stays: s and t are 0 by the mask. Click one of the other half.",
    "realnvp.numbers.scale": (
        "The net's s: {net}; difference {difference}. tanh and r keep s small, so that no coupling can "
        "explode."
    ),
    "realnvp.jacobian.title": "Its Jacobian is a triangle",
    "realnvp.jacobian.alt": "Jacobian of {size} numbers: a triangle below the diagonal",
    "realnvp.jacobian.about": (
        "{size} numbers around the pixel, all others held still. Each was moved a little, and what all of "
        "them did was written down: brute force, no formula. The {stay} that stay come first, each "
        "scaled by its γ alone. They do not hear the {change} that change, so the corner above is empty; "
        "and those that change do not hear each other, so they make a diagonal."
    ),
    "realnvp.jacobian.brute": "log |det J|, by elimination",
    "realnvp.jacobian.brute.help": (
        "slogdet of the {size} × {size} matrix of central differences, in float64."
    ),
    "realnvp.jacobian.sum": "sum of s and log γ",
    "realnvp.jacobian.sum.help": (
        "What the flow adds up: a triangle's determinant is the product of its diagonal."
    ),
    "realnvp.jacobian.says": (
        "They differ by {difference}. Largest number above the diagonal blocks: {above}."
    ),
    "realnvp.jacobian.whole": (
        "All {numbers} numbers of this coupling: log |det J| = {total}. Elimination would need n³ steps for "
        "it, the sum n."
    ),
    # the plane
    "realnvp.live.title": "A flow of the plane, trained while you watch",
    "realnvp.live.about": (
        "Eight couplings for points with two coordinates. Untrained it is a round cloud; training raises "
        "the density where the points are, nothing else. No judge, no noise schedule: the loss is −log p "
        "itself."
    ),
    "realnvp.live.cloud": "Points",
    "realnvp.live.cloud.moons": "two moons",
    "realnvp.live.cloud.spiral": "spiral",
    "realnvp.live.cloud.squares": "squares",
    "realnvp.live.cloud.own": "your own",
    "realnvp.live.canvas": "Canvas for points of your own",
    "realnvp.live.own": "Draw points; until then the two moons stand in.",
    "realnvp.live.more": "Train {steps} more steps",
    "realnvp.live.more.help": "Adam, 256 points a step; up to {most} steps.",
    "realnvp.live.another": "Other first weights",
    "realnvp.live.progress": "Training: step {done} of {total}",
    "realnvp.live.strip.density": "density p(x)",
    "realnvp.live.strip.samples": "samples (orange) over the points (blue)",
    "realnvp.live.strip.data": "the points",
    "realnvp.live.at": "step {steps}",
    "realnvp.live.alt": "Density and samples while the flow learns: {cloud}",
    "realnvp.live.loss": "mean −log p of unseen points",
    "realnvp.live.loss.help": (
        "In nats. Lower is better; the entropy of what the points were drawn from is the floor."
    ),
    "realnvp.live.chart": "Mean −log p of unseen points by step",
    "realnvp.live.x": "steps",
    "realnvp.live.integral": "∫ p(x) dx",
    "realnvp.live.integral.help": (
        "The density summed over 181 × 181 places of the square [−5, 5]². It is 1 after any number of "
        "steps: what is gained in one place is lost in another."
    ),
    "realnvp.live.error": "largest error of the way back",
    "realnvp.live.error.help": "Over {count} unseen points: |x − f⁻¹(f(x))|.",
    "realnvp.live.couplings.title": "Through the couplings",
    "realnvp.live.couplings.about": (
        "Each of the {count} couplings moves one coordinate only, by what the other one says. Left: the "
        "points on their way to z, on the grid of z as it lies there. Right: normal noise on its way back, "
        "with the circles of radius 1, 2 and 3."
    ),
    "realnvp.live.strip.there": "the points",
    "realnvp.live.strip.back": "samples",
    "realnvp.live.between": "in coupling {n}",
    "realnvp.live.couplings.alt": "Points between the couplings, over the bent grid of z",
    "realnvp.live.couplings.hint": "Right is towards z, left is towards x.",
    "realnvp.live.couplings.legend": (
        "Lines never cross and never tear: a flow bends the plane but cannot cut it. That is why separate "
        "moons or squares keep a thin bridge between them."
    ),
    "realnvp.live.spot.title": "Density at a place",
    "realnvp.live.spot.alt": "Density of the plane; a click picks a place",
    "realnvp.live.spot.hint": "Click a place.",
    "realnvp.live.spot.says": (
        "x = {x} goes to z = {z} and comes back with an error of {error}. Its density is **{density}**."
    ),
    # inside
    "realnvp.inside.title": "Inside",
    "realnvp.inside.about": (
        "Every layer from x to z, or back. Click one to see its tensors for your picture. Tensors are named as in the "
        "code, which counts from 0: `coupling.4` is coupling 5."
    ),
    "realnvp.inside.way": "Way",
    "realnvp.inside.there": "x to z",
    "realnvp.inside.back": "z to x",
    "realnvp.inside.tap": "Tensor",
    "realnvp.inside.input": "What goes in: see the pictures at the top of the page.",
    "realnvp.inside.squeeze": (
        "Only puts numbers elsewhere: 2 × 2 pixels and 4 channels. Its Jacobian is a permutation, log |det "
        "J| = 0."
    ),
    "realnvp.inside.split": (
        "Half of the channels goes to z as it is; the other half goes on. Nothing is computed, log |det J| "
        "= 0."
    ),
    "realnvp.inside.numbers": "How a single number comes about: One number through one coupling, above.",
    # notes
    "realnvp.notes.title": "Notes and sources",
    "realnvp.notes.tests": "Shown by: {names}",
    "realnvp.note.title": (
        "**The study notes have only the heading “Flow-based”.** What belongs under it: an invertible f "
        "turns x into z; probability is kept, so the density of x is that of z times the factor by which f "
        "stretches volumes. Everything else on this page (couplings, masks, squeeze, split) is there to "
        "make f⁻¹ and the determinant cheap."
    ),
    "realnvp.note.others": (
        "**Beside its neighbours.** A VAE has an encoder and a decoder that only roughly undo each other, a "
        "small code, and a bound of log p. A GAN has no way back and no p. Diffusion has noise of full size "
        "too, but hundreds of steps. A flow is exact in both directions and pays for it: every layer must "
        "keep all numbers and be undone."
    ),
    "realnvp.note.differs": (
        "**Where it differs from the paper.** 20 couplings with small nets of three convolutions; Glow's "
        "normalisation, set by the first batch, instead of batch norm; the logit uses 0.05 + 0.9 v/256, "
        "where the paper has 0.05 + 0.95 v/256: black and white are treated alike. Bits per dimension are "
        "for 28 × 28 pictures with 256 grey levels; the unseen digits that ship here have 16 greys, which "
        "changes the mean a little against the report (256 greys)."
    ),
    "realnvp.paper.realnvp": "Couplings, masks, squeeze, multi-scale.",
    "realnvp.paper.glow": "Normalisation by the first batch; temperature.",
    "realnvp.paper.theis": "Why likelihood and looks need not agree; uniform dequantisation.",
    "realnvp.paper.flowpp": "Learned dequantisation.",
    "realnvp.paper.know": "Simple pictures get high densities.",
    # take away
    "realnvp.take.title": "Take away",
    "realnvp.take.about": "The link to this very view; the picture, its z and what came back; z as numbers.",
}
