"""The DDPM page: input, result, branch, the forward process, take away."""

MESSAGES: dict[str, str] = {
    # head and input
    "ddpm.sentence": (
        "Begins with nothing but noise and takes a little of it away at each step, until a picture is left. "
        "Drag the "
        "slider through the steps: all of them are there, nothing is computed again."
    ),
    "ddpm.score.other": "{nearest_in_group:%} of samples are nearest to drawings of their group",
    "ddpm.score": "{agreement:%} of samples read as asked",
    "ddpm.weights.digits": "Handwritten digits, 28 × 28",
    "ddpm.weights.digits.about": "Small and quick; trained for this app, on a processor.",
    "ddpm.weights.emoji": "Emoji, 32 × 32 in colour",
    "ddpm.weights.emoji.about": "Small and quick; trained for this app on drawings in several styles.",
    "ddpm.limits.digits": "These weights know grey handwritten digits of 28 × 28 pixels and nothing else.",
    "ddpm.judge": (
        "The judge is a small classifier that learned from other digits than the generator. It is right on "
        "{percent} of {count} digits that it has not seen: it, too, can be wrong."
    ),
    "digit_judge.weights.digits": "Judge of digits",
    "ddpm.limits.emoji": (
        "So small a network learns the colours and outlines of an emoji better than its meaning: many "
        "samples are "
        "fantasy. Nobody judges them here but you."
    ),
    "ddpm.class": "What should appear?",
    "ddpm.class.help": (
        "The class is told to the network at every step. “Any” tells it nothing and lets the noise decide; "
        "“mixed” "
        "gives each sample a class of its own."
    ),
    "ddpm.class.mix": "mixed",
    "ddpm.class.none": "any",
    "ddpm.seed": "Seed of the noise",
    "ddpm.seed.help": (
        "A whole number. The same seed, steps and settings give the same picture, on any machine."
    ),
    "ddpm.dice": "Another",
    "ddpm.samples": "Samples",
    "ddpm.steps": "Steps",
    "ddpm.steps.help": (
        "The network was trained on 1000 small steps. DDIM leaps over most of them; with few steps each "
        "leap is "
        "larger and its error, too. 1000 steps take a while: progress is shown, and you can stop."
    ),
    "ddpm.guidance": "Guidance",
    "ddpm.guidance.help": (
        "How far to go beyond “any” towards the class: 0 ignores the class, 1 is the class alone, more "
        "exaggerates "
        "it. From 2 on samples become more typical and more alike. Costs a second run of the network at "
        "each step."
    ),
    "ddpm.how": "How it is sampled: {sampler}",
    "ddpm.sampler": "Sampler",
    "ddpm.sampler.help": (
        "DDIM follows the predicted noise and needs few steps. DDPM adds fresh noise after each step, as "
        "in the "
        "original paper, and wants many."
    ),
    "ddpm.eta": "Fresh noise η (DDIM)",
    "ddpm.eta.help": (
        "How much new noise each step adds: 0 none, so the first noise decides everything; 1 as much as "
        "DDPM. DDPM "
        "itself has no choice."
    ),
    "ddpm.clip": "Hold the predicted picture between black and white",
    "ddpm.clip.help": (
        "As the original sampler does. Without it early guesses overshoot, and with few steps or strong "
        "guidance the "
        "picture may run away."
    ),
    "ddpm.running": "Taking the noise away …",
    "ddpm.progress": "step {done} of {total}",
    "ddpm.meanwhile": "Below, for now, is the same noise in {steps} steps.",
    "ddpm.before": "Below is the run before: seed {seed}, {steps} steps, guidance {guidance}.",
    # the path
    "ddpm.strip.x_t": "xₜ, what the network is given",
    "ddpm.strip.x_0": "x̂₀, the picture it expects",
    "ddpm.strip.epsilon": "ε̂, the noise it finds",
    "ddpm.path.alt": "The path of {count} samples from noise to picture; the slider chooses the step",
    "ddpm.path.hint": "Drag, play, or use the arrow keys. The sections below follow when you let go.",
    "ddpm.position.done": "t = 0, the picture",
    "ddpm.read.alpha_bar": "ᾱₜ, the signal’s share of the variance",
    "ddpm.read.snr": "signal : noise",
    "ddpm.sample": "Sample {n}",
    "ddpm.sample.bold": "**Sample {n}.**",
    "ddpm.look": "Look into",
    "ddpm.look.help": "The sample that the sections inside and play show.",
    # judge and neighbours
    "ddpm.verdict.agrees": "The judge reads **{digit}** ({percent}), as asked.",
    "ddpm.verdict.differs": "The judge reads **{digit}** ({percent}), but {asked} was asked for.",
    "ddpm.verdict.unsure": "The judge is not sure that this is a digit: at best a **{digit}** ({percent}).",
    "ddpm.verdict.free": "The judge reads **{digit}** ({percent}); no class was asked for.",
    "ddpm.asked": "Asked for: {asked}.",
    "ddpm.near.alt": "Sample {n}, and beside it the three training pictures that are most like it",
    "ddpm.near.usual": (
        "At its right the most similar training pictures, the first at a distance of {distance}. Real ones "
        "of this "
        "kind are mostly {quarter} to {more} away from theirs: this one is no copy."
    ),
    "ddpm.near.copy": (
        "At its right the most similar training pictures, the first at a distance of only {distance}. Of "
        "real ones "
        "of this kind, 19 in 20 are further than {low} from theirs: this one may be a copy."
    ),
    "ddpm.near.far": (
        "At its right the most similar training pictures, the first at a distance of {distance}. Real ones "
        "of this "
        "kind are mostly {quarter} to {more} away from theirs: this one is unlike anything the network has "
        "seen."
    ),
    "ddpm.when": "**When does it know?** How sure the judge is of the digit in x̂₀, step by step.",
    "ddpm.when.alt": "The judge’s probability of the digit over the steps, one line a sample",
    "ddpm.when.x": "step",
    "ddpm.when.y": "judge, %",
    # branch
    "ddpm.branch": "Branch",
    "ddpm.branch.about": (
        "Go back to a step, change your mind, and go on from there. Early on everything is still open; "
        "later the "
        "picture is fixed and only details give way."
    ),
    "ddpm.branch.here": "Branch from step {step} (t = {t})",
    "ddpm.branch.hint": (
        "The slider above chooses the step (at its end, a step is suggested): drag it back, let go, then "
        "press."
    ),
    "ddpm.branch.drop": "Drop the branch",
    "ddpm.branch.at": "Branched at step {step} of {steps}, t = {t}.",
    "ddpm.branch.class": "From here on it should become",
    "ddpm.branch.as_it_was": "as before",
    "ddpm.branch.seed": "Seed from here on",
    "ddpm.branch.seed.help": (
        "Names the fresh noise of the remaining steps. It matters where fresh noise is added: DDPM, or η "
        "above 0."
    ),
    "ddpm.branch.dice": "Other noise",
    "ddpm.branch.dice.help": "Another seed from here on; where no fresh noise was added so far, η goes to 1.",
    "ddpm.branch.eta": "Fresh noise η from here on",
    "ddpm.branch.same": (
        "Nothing is changed yet: both ways are the same. Choose another class, or other noise."
    ),
    "ddpm.branch.no_noise": (
        "With η = 0 no fresh noise is added, so another seed changes nothing. Raise η, or press “Other "
        "noise”."
    ),
    "ddpm.branch.show": "Compare",
    "ddpm.branch.before": "as it was",
    "ddpm.branch.after": "the branch",
    "ddpm.branch.gap": "difference (RMS)",
    "ddpm.branch.mark": "the fork",
    "ddpm.branch.alt": "Both paths and their difference; the slider chooses the step, a tick marks the fork",
    "ddpm.branch.path.hint": (
        "The curve over the slider is the difference of both at each step; up to the tick they are one."
    ),
    "ddpm.branch.ends": (
        "Sample {n}: without the branch the judge reads **{before}** ({sure} %), with it **{after}** "
        "({surer} %)."
    ),
    "ddpm.branch.early": (
        "At the fork there was little but noise, so the change could still decide what appears."
    ),
    "ddpm.branch.middle": "At the fork the outline was there already: the change has to make do with it.",
    "ddpm.branch.late": (
        "At the fork the picture was all but finished: whatever you change, hardly anything follows."
    ),
    # forward
    "ddpm.forward": "Forward: let a picture drown",
    "ddpm.forward.about": (
        "Training goes the other way: it takes a picture and adds noise. That can be done in t small "
        "steps, or "
        "in one "
        "leap, for the sum of many normal noises is again a normal noise. Take a picture of your own and "
        "compare."
    ),
    "ddpm.forward.walking": "Walking a thousand steps …",
    "ddpm.forward.jump": "Jump to t (0 to {total})",
    "ddpm.forward.closed": "in one leap",
    "ddpm.forward.steps": "step by step",
    "ddpm.forward.alt": "The picture under growing noise: in one leap at the left, step by step at the right",
    "ddpm.forward.hint": (
        "The leap uses one and the same noise at every t; the walk draws fresh noise at each step."
    ),
    "ddpm.forward.zero": (
        "At t = 0 no noise has been added: both are the picture itself. Choose a larger t to compare."
    ),
    "ddpm.forward.histogram": "Histograms of the pixel values of both ways, over each other",
    "ddpm.forward.value": "pixel value",
    "ddpm.forward.agrees": (
        "**They agree.** At t = {t} the cumulative histograms of {values} values each are at most {gap} % "
        "apart; equal "
        "distributions are further apart than {chance} % once in a hundred tries. The noise in the walk "
        "has the "
        "mean "
        "{mean} and the deviation {deviation}; 0 and 1 are due."
    ),
    "ddpm.forward.apart": (
        "At t = {t} the cumulative histograms of {values} values each are {gap} % apart; equal "
        "distributions are "
        "further apart than {chance} % once in a hundred tries, and this is such a try. The noise in the "
        "walk "
        "has the "
        "mean {mean} and the deviation {deviation}; 0 and 1 are due."
    ),
    # take away
    "ddpm.take": "Take away",
    "ddpm.take.about": (
        "The link restores everything on this page. The film shows xₜ above and x̂₀ below; the sheet has "
        "both "
        "in ten "
        "steps; the NPZ holds every kept step as numbers."
    ),
    "ddpm.take.film": "The path as a film that plays in any browser",
    "ddpm.take.sheet": "Ten steps of each sample on one sheet",
    "ddpm.take.numbers": "x, x0 and epsilon of every kept step, with t and alpha_bar, for numpy",
}
