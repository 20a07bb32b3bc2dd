"""Inside the U-Net of the DDPM page, its play section, and the notes."""

MESSAGES: dict[str, str] = {
    # choosing a view
    "ddpm_inside.title": "Inside",
    "ddpm_inside.lead": (
        "One evaluation of the network: step **{step}** of {steps}, **t = {t}**, asked for **{name}**. Move the "
        "slider above and everything here follows."
    ),
    "ddpm_inside.view": "What to look at",
    "ddpm_inside.view.network": "The whole network",
    "ddpm_inside.view.skips": "Skips",
    "ddpm_inside.view.attention": "Attention",
    "ddpm_inside.view.clock": "The clock",
    "ddpm_inside.join": ", ",
    # the whole network
    "ddpm_inside.net.about": (
        "The picture goes down on the left, ever smaller and with more channels, and up again on the right. At every "
        "level a skip hands the way up what the way down had before it was halved."
    ),
    "ddpm_inside.net.alt": "The U-Net: blocks down on the left, up on the right, skips across",
    "ddpm_inside.net.hint": (
        "Click a block, or reach it with Tab and press Enter, to see its tensors. Dashed arrows are skips; a block "
        "with *t* is told the time and the class."
    ),
    "ddpm_inside.net.tap": "Tensor",
    "ddpm_inside.net.input": "What goes in: the picture at t = {t}",
    "ddpm_inside.net.step": (
        "Two whole numbers go in here: **t = {t}** (counted from 0, so {shown} as the paper counts) and the label "
        "**{label}** ({name})."
    ),
    "ddpm_inside.block.input": "Noisy picture",
    "ddpm_inside.block.output": "Prediction",
    "ddpm_inside.block.step": "t, class",
    "ddpm_inside.block.time": "Embedding",
    "ddpm_inside.block.conv_in": "Conv in",
    "ddpm_inside.block.conv_out": "Conv out",
    "ddpm_inside.block.block": "ResNet",
    "ddpm_inside.block.attention": "Attention",
    "ddpm_inside.block.pool": "Halve",
    "ddpm_inside.block.upsample": "Double",
    "ddpm_inside.skip_n": "skip {n}",
    # worked numbers
    "ddpm_inside.worked": "One number, worked out again",
    "ddpm_inside.worked.cell": (
        "`{name}`, {cell}. Pick another cell above; until then it is the largest one of what is on show."
    ),
    "ddpm_inside.worked.copy": "`{name}` is a copy of `{twin}`; that is where its numbers are made.",
    "ddpm_inside.no_sum": (
        "A number of this tensor is not a sum of a few products: it is a copy, a table entry or a norm over a whole "
        "group of channels."
    ),
    "ddpm_inside.agreement": "Recomputed {again}, the network has {stored}: {apart} apart.",
    # skips
    "ddpm_inside.skips.about": (
        "What crosses the U at this step. Bright is where a skip has much to say; each map has a scale of its own. "
        "The first ones see pixels, the last ones see the shape as a whole."
    ),
    "ddpm_inside.skips.alt": "{count} skips as maps of how strong they are at each place",
    "ddpm_inside.skips.hint": "Click a map to see all of its channels below.",
    "ddpm_inside.skips.tile": "skip {n} · {channels} × {rows}²",
    "ddpm_inside.skips.one": "Skip {n}, given by “{source}”",
    # attention
    "ddpm_inside.attention.about": (
        "Every pixel of a small map reads from every other one. Click a pixel of the picture: the brighter a place, "
        "the more was read from it."
    ),
    "ddpm_inside.attention.layer": "Attention block",
    "ddpm_inside.attention.over": "Picture under it",
    "ddpm_inside.over.x0": "Predicted picture",
    "ddpm_inside.over.x_t": "Noisy picture",
    "ddpm_inside.attention.alt": "The picture at t = {t}, with what the chosen pixel listens to laid over it",
    "ddpm_inside.attention.film": "Attention over it",
    "ddpm_inside.attention.hint": "Click or tap the pixel that should ask.",
    "ddpm_inside.attention.head": "head {n}",
    "ddpm_inside.attention.heads": "The same pixel in each of the {count} heads, one scale for all",
    "ddpm_inside.attention.heads.alt": "What the chosen pixel reads, in each of {count} heads",
    "ddpm_inside.attention.heads.hint": "Click a cell: it chooses the head, and the pair that is worked out below.",
    "ddpm_inside.attention.says": (
        "Head {head} spreads its attention over about **{number}** of {tokens} places; the most heard one gets "
        "{best}%, the pixel itself {itself}%. On average it reads from {far} cells away; looking everywhere alike "
        "would give {even}."
    ),
    "ddpm_inside.attention.pair": "One pair",
    "ddpm_inside.attention.output": "What is gathered",
    "ddpm_inside.attention.of_pair": "Head {head}: the cell at {query} asks the one at {key}.",
    "ddpm_inside.attention.gathers": (
        "Head {head}, channel {channel}: the values of all places, weighed by the attention. Eight terms are the "
        "largest."
    ),
    "ddpm_inside.way.down": "down, {cells} × {cells}",
    "ddpm_inside.way.mid": "middle, {cells} × {cells}",
    "ddpm_inside.way.up": "up, {cells} × {cells}",
    "ddpm_inside.way.nth": ", no. {n}",
    # the clock
    "ddpm_inside.clock.about": (
        "The network is one and the same at every step; it has to be told the time. t = {t} (for the network {told}, "
        "it counts from 0) becomes the column under the mark: cosines in the upper half, sines in the lower, fast "
        "above and slow below. Neighbouring t look alike, distant ones do not."
    ),
    "ddpm_inside.clock.alt": "{channels} cosines and sines of t from 1 to {steps}, with t = {t} marked",
    "ddpm_inside.clock.hint": (
        "t runs from 1 on the left to {steps} on the right; {half} cosines above, {half} sines below."
    ),
    "ddpm_inside.adds": "What the clock adds",
    "ddpm_inside.adds.about": (
        "Two linear layers turn the column and the class into one vector, and each residual block turns that into "
        "one number for every channel, added at all pixels alike. Here for all t at once."
    ),
    "ddpm_inside.adds.block": "Residual block",
    "ddpm_inside.adds.alt": "What is added to each of {channels} channels, for every t",
    "ddpm_inside.adds.hint": "{count} channels downwards, t to the right. Click a channel.",
    "ddpm_inside.adds.line": "What is added to channel {channel} as t changes",
    "ddpm_inside.adds.y": "added to channel {channel}",
    "ddpm_inside.no_class": "no class",
    "ddpm_inside.adds.agreement": (
        "Worked out from the weights; at this t the network itself has the same numbers, {apart} apart at most. Over "
        "all t the least moved channel of this block changes by {least}, the most moved one by {most}."
    ),
    "ddpm_inside.adds.worked": "The sum behind channel {channel} at t = {t}",
    "ddpm_inside.lies": "What if it is told another time?",
    "ddpm_inside.lies.about": (
        "The same noisy picture, but the network is told another t. It then expects another amount of noise, and "
        "finds another picture under it. The notes’ network is not given t at all (E22)."
    ),
    "ddpm_inside.lies.x": "the picture at t = {t}",
    "ddpm_inside.lies.true": "told the truth, t = {t}: noise of size {noise}",
    "ddpm_inside.lies.told": "told t = {t}: noise of size {noise}",
    "ddpm_inside.lies.reading": (
        "Each picture is the clean one that the network believes in, cut to black and white. The size is the spread "
        "of the noise it believes in; noise as it is drawn has 1."
    ),
    # play: skips
    "ddpm_inside.play": "Play",
    "ddpm_inside.cut": "Cut a skip on the way",
    "ddpm_inside.cut.about": (
        "From a step of your choice on, multiply what some skips carry. The path before that step stays as it was; "
        "the rest is computed again with the same noise, and lies beside the untouched one."
    ),
    "ddpm_inside.cut.skips": "Which skips",
    "ddpm_inside.cut.skip": "skip {n} ({shape})",
    "ddpm_inside.cut.strength": "Their strength",
    "ddpm_inside.cut.off": "cut",
    "ddpm_inside.cut.from": "From how far along the path",
    "ddpm_inside.cut.where": "From step {step} of {steps} on (t = {t}), sample {n}.",
    "ddpm_inside.cut.none": "Choose one or more skips.",
    "ddpm_inside.cut.show": "Show",
    "ddpm_inside.cut.untouched": "untouched",
    "ddpm_inside.cut.changed": "with the skips changed",
    "ddpm_inside.cut.end": "**{which}**: {says}",
    "ddpm_inside.cut.gap": "difference (rms)",
    "ddpm_inside.cut.alt": "Both paths from noise to picture, and their difference",
    "ddpm_inside.cut.mark": "from here on the skips are changed",
    "ddpm_inside.cut.hint": "The line over the slider is the difference of both paths.",
    "ddpm_inside.cut.says": (
        "At the end both pictures differ by {gap} (root of the mean square; black and white are 2 apart). Cut early, "
        "a skip changes what appears; cut late, it only spoils how it is finished."
    ),
    "ddpm_inside.each": "Cut each skip alone",
    "ddpm_inside.each.whole": "untouched",
    "ddpm_inside.each.gap": "{gap} away",
    "ddpm_inside.each.reads": "read as {digit}",
    # play: guidance
    "ddpm_inside.guide": "With a class, without one, and beyond",
    "ddpm_inside.guide.about": (
        "At each step the network is asked twice: once with the class and once with none. Guidance takes the "
        "answer without a class and adds g times the difference between the two. Here is this one step."
    ),
    "ddpm_inside.guide.class": "Class",
    "ddpm_inside.guide.same": "as asked: {name}",
    "ddpm_inside.guide.amount": "Guidance g",
    "ddpm_inside.guide.none": "noise found, no class",
    "ddpm_inside.guide.with": "noise found, “{name}”",
    "ddpm_inside.guide.difference": "difference: what “{name}” adds",
    "ddpm_inside.guide.guided": "noise with g = {g}",
    "ddpm_inside.guide.x0_none": "picture behind it, no class",
    "ddpm_inside.guide.x0_with": "picture behind it, “{name}”",
    "ddpm_inside.guide.x0_difference": "what “{name}” changes in it",
    "ddpm_inside.guide.x0_guided": "picture behind it, g = {g}",
    "ddpm_inside.guide.alt": "Where the class changes the noise that is found",
    "ddpm_inside.guide.hint": "Orange: with the class more is taken for noise there; blue: less. Click a pixel.",
    "ddpm_inside.guide.at": "Pixel x {x}, y {y}.",
    "ddpm_inside.guide.agreement": "Pixel x {x}, y {y}. The path above has {stored}: {apart} apart.",
    "ddpm_inside.guide.red": "The numbers are those of its red channel; the map is the mean of all three.",
    "ddpm_inside.guide.share": "difference, as a share of the noise",
    "ddpm_inside.guide.line": "How much the class changes the noise that is found, along the path",
    "ddpm_inside.guide.axis": "step",
    "ddpm_inside.guide.says": (
        "On this path “{name}” matters most at step {step} (t = {t}): there it changes the noise by {share}%."
    ),
    # schedules
    "ddpm_inside.schedule": "Noise schedules",
    "ddpm_inside.schedule.about": (
        "How fast the picture drowns is a choice. These weights were trained with the schedule “{name}”. Beside it "
        "the other usual one, and the one of the notes, whose β ends at 0.002 instead of 0.02 (E13)."
    ),
    "ddpm_inside.schedule.curve": "Curve",
    "ddpm_inside.schedule.alpha_bar": "ᾱ, signal left",
    "ddpm_inside.schedule.beta": "β, noise of one step",
    "ddpm_inside.schedule.snr": "signal to noise",
    "ddpm_inside.schedule.linear": "linear",
    "ddpm_inside.schedule.cosine": "cosine",
    "ddpm_inside.schedule.notes": "the notes’",
    "ddpm_inside.schedule.here": "At t = {t}:",
    "ddpm_inside.schedule.cell": "{name}, t = {t}: {signal}% of the picture",
    "ddpm_inside.schedule.cells": "The finished sample, drowned by each schedule",
    "ddpm_inside.schedule.says": (
        "At the end of 1000 steps ᾱ is {linear} with the linear schedule, and {notes} with the notes’ one: √ᾱ = "
        "**{signal}%** of the picture would still shine through, and sampling could not begin with pure noise."
    ),
    # samplers
    "ddpm_inside.samplers": "DDPM against DDIM",
    "ddpm_inside.samplers.about": (
        "Your sample from the same noise, with other samplers and other numbers of steps. DDIM with η = 0 adds no "
        "noise on the way: the picture depends on the first noise alone, so more steps only make it more exact. With "
        "η = 1 each step adds as much fresh noise as DDPM with the posterior’s variance does."
    ),
    "ddpm_inside.samplers.button": "Run all {runs}",
    "ddpm_inside.samplers.note": "{steps} steps in all, about {time}.",
    "ddpm_inside.samplers.progress": "step {done} of {total}",
    "ddpm_inside.samplers.ddim0": "**DDIM, η = 0**: no noise on the way",
    "ddpm_inside.samplers.ddim1": "**DDIM, η = 1**: as much noise as DDPM’s posterior",
    "ddpm_inside.samplers.large": "**DDPM of the first paper**, σ² = β: made for all 1000 steps",
    "ddpm_inside.samplers.ddim0.short": "DDIM, η = 0",
    "ddpm_inside.samplers.ddim1.short": "DDIM, η = 1",
    "ddpm_inside.samplers.large.short": "DDPM, σ² = β",
    "ddpm_inside.samplers.steps": "{n} steps",
    "ddpm_inside.samplers.reads": "{digit}, {p}%",
    "ddpm_inside.samplers.line": "How far fewer steps end from {n} steps",
    "ddpm_inside.samplers.x": "steps",
    "ddpm_inside.samplers.y": "difference (rms)",
    "ddpm_inside.samplers.says": (
        "How far each run ends from the one with {n} steps. Without noise the runs come together. With noise each "
        "number of steps meets other noise and ends elsewhere."
    ),
    # notes
    "ddpm_inside.notes": "The notes, and where they differ",
    "ddpm_inside.notes.about": (
        "What the study notes say about diffusion, what the papers and their code do, and the number that shows it: "
        "it is computed while you read. The tests are in `{file}`."
    ),
    "ddpm_inside.note.E13": (
        "The notes let β run from 0.0001 to 0.002. The paper and its code end at **0.02**: only then is the picture "
        "gone after 1000 steps."
    ),
    "ddpm_inside.note.E13.number": (
        "ᾱ at the end: {right:.3e}, with the notes’ β {notes:.4f}. √ᾱ of the picture would be left: {signal:.1f}% "
        "instead of {left:.2f}%."
    ),
    "ddpm_inside.note.E14": (
        "In the second line of the substitution both noises are printed as $z_2$. The last one is **$z_1$**. Only "
        "because the two are independent do their variances add up to $1-\\alpha_t\\alpha_{{t-1}}$."
    ),
    "ddpm_inside.note.E14.number": (
        "α = 0.9, then 0.8; variance of 50 000 draws: {right:.3f} with two noises (exactly {exact:.2f}), {notes:.3f} "
        "with the same one twice."
    ),
    "ddpm_inside.note.E15": (
        "$\\bar\\alpha_t$ is printed as a product up to T, which would be one and the same number for every t. It is "
        "the product **up to t**."
    ),
    "ddpm_inside.note.E15.number": "ᾱ₁ = {first:.4f}, ᾱ₅₀₀ = {middle:.6f}, ᾱ₁₀₀₀ = {last:.3e}.",
    "ddpm_inside.note.E16": (
        "The notes write $z_t$ both for the noise of step t and for all of the noise in $x_t$, and $\\mathcal N(0,1)$ "
        "for a whole picture. What the U-Net learns is **the summed noise ε**, one number a pixel from "
        "$\\mathcal N(0,I)$, and not that of the last step."
    ),
    "ddpm_inside.note.E16.number": (
        "Read back from x₅₀₀, x₀ is off by {right:.0e} with the summed noise, by {notes:.1f} with the noise of step "
        "500."
    ),
    "ddpm_inside.note.E17": (
        "The density of the normal distribution lacks σ in front of the root: it is "
        "$\\frac{{1}}{{\\sigma\\sqrt{{2\\pi}}}}\\,e^{{-(x-\\mu)^2/2\\sigma^2}}$."
    ),
    "ddpm_inside.note.E17.number": "For σ = 2 the integral is {right:.4f}, in the notes’ form {notes:.4f}.",
    "ddpm_inside.note.E18": (
        "In the exponent of the posterior the brackets close too early, in both lines. All three terms stand inside "
        "of $-\\tfrac12[\\,\\cdot\\,]$, and the sign is ∝ rather than =."
    ),
    "ddpm_inside.note.E18.number": (
        "α = (0.9, 0.8), x₀ = 1, x₂ = 0.5: mean {mean:.5f}, variance {variance:.5f}. As printed, the first line has "
        "+{square:.0f} x² in the exponent, which is no density, and the second a mean of {literal:.4f}."
    ),
    "ddpm_inside.note.E19": (
        "The mean of the posterior is derived, its variance is not: "
        "$\\tilde\\beta_t=\\frac{{1-\\bar\\alpha_{{t-1}}}}{{1-\\bar\\alpha_t}}\\beta_t$."
    ),
    "ddpm_inside.note.E19.number": "β̃₂ = {second:.4e} while β₂ = {beta:.5e}; β̃₁ = {first:g}.",
    "ddpm_inside.note.E20": (
        "Σ “is learnable, but usually $\\sigma_tI$”. In DDPM it is fixed and not trained, and it is "
        "**$\\sigma_t^2I$**, with $\\sigma_t^2=\\beta_t$ or $\\tilde\\beta_t$. Learning it came later (Improved "
        "DDPM)."
    ),
    "ddpm_inside.note.E20.number": (
        "One reverse step at t = 101, 50 000 draws: spread {found:.5f}. √β = {root:.5f}, β = {beta:.5f}."
    ),
    "ddpm_inside.note.E21": (
        "β < 1 is not enough for $\\bar\\alpha_t$ to go to 0 (and the limit runs over t, not n): the sum of all β "
        "must diverge."
    ),
    "ddpm_inside.note.E21.number": (
        "β = 1/(t+1)² is below 1, yet ᾱ stays at {stays:.4f}, however many steps. With β = 0.01 it is {falls:.1e} "
        "after 2000."
    ),
    "ddpm_inside.note.E22": (
        "“Algorithm:” stands there with nothing under it. Training: draw t evenly, noise the picture, minimise "
        "$\\lVert\\epsilon-\\epsilon_\\theta(x_t,t)\\rVert^2$; **the U-Net is given t**. Sampling: begin with "
        "$x_T\\sim\\mathcal N(0,I)$, take the mean and add $\\sigma_tz$, but at the last step z = 0. The released "
        "sampler cuts the predicted $x_0$ to [−1, 1]."
    ),
    "ddpm_inside.note.E22.number": (
        "Two seeds, the same x₁: they end {last:g} apart. One step earlier it is {before:.3f}."
    ),
    "ddpm_inside.paper.ddpm": "The model, the loss, and sampling in 1000 steps.",
    "ddpm_inside.paper.ddim": "The same network in far fewer steps; η.",
    "ddpm_inside.paper.improved": "The cosine schedule, a learned variance, steps left out.",
    "ddpm_inside.paper.guidance": "Classifier-free guidance: one network, with and without a class.",
    "ddpm_inside.paper.v": "Prediction of v, and distillation to few steps.",
}
