"""Words of the VAE page."""

MESSAGES: dict[str, str] = {
    "vae_encoder.sentence": (
        "An encoder turns a digit into a few numbers, a decoder turns them back. The VAE encodes into a small "
        "cloud instead of a point, and a second term of its loss keeps all clouds near the origin."
    ),
    "vae_encoder.score": "ELBO {elbo:.1f} nats on {held_out} unseen digits",
    "vae_encoder.score.other": (
        "squared error {mean_squared_error_of_the_mean_code:.4f} on {held_out} unseen digits"
    ),
    "vae_decoder.score": "ELBO {elbo:.1f} nats on {held_out} unseen digits",
    "vae_decoder.score.other": (
        "squared error {mean_squared_error_of_the_mean_code:.4f} on {held_out} unseen digits"
    ),
    "vae_encoder.weights.digits2": "VAE, 2 numbers",
    "vae_encoder.weights.ae2": "Autoencoder, 2 numbers",
    "vae_encoder.weights.digits16": "VAE, 16 numbers",
    "vae_encoder.weights.ae16": "Autoencoder, 16 numbers",
    "vae_encoder.weights.beta025": "VAE, 16 numbers, β = ¼",
    "vae_encoder.weights.beta4": "VAE, 16 numbers, β = 4",
    "vae_decoder.weights.digits2": "VAE, 2 numbers",
    "vae_decoder.weights.ae2": "Autoencoder, 2 numbers",
    "vae_decoder.weights.digits16": "VAE, 16 numbers",
    "vae_decoder.weights.ae16": "Autoencoder, 16 numbers",
    "vae_decoder.weights.beta025": "VAE, 16 numbers, β = ¼",
    "vae_decoder.weights.beta4": "VAE, 16 numbers, β = 4",
    "vae.a": "Picture A",
    "vae.b": "Picture B",
    "vae.which": "Look at",
    "vae.vae.short": "VAE",
    "vae.ae.short": "autoencoder",
    "vae.encoder": "Encoder",
    "vae.decoder": "Decoder",
    "vae.net.digits2": "VAE, 2 numbers",
    "vae.net.ae2": "Autoencoder, 2 numbers",
    "vae.net.digits16": "VAE, β = 1",
    "vae.net.ae16": "Autoencoder",
    "vae.net.beta025": "VAE, β = ¼",
    "vae.net.beta4": "VAE, β = 4",
    # input
    "vae.input.about": (
        "Choose two pictures: digits that no net here was trained on, digits that you draw, or pictures of "
        "your own."
    ),
    "vae.input.way": "{name} comes from",
    "vae.input.alt": "{name} as the encoder gets it, 28 × 28 greys",
    "vae.input.sheet": "{count} digits to choose {name} from",
    "vae.input.canvas": "Canvas for {name}",
    # between
    "vae.between.title": "From A to B",
    "vae.between.about": (
        "Both pictures are encoded; what lies between their codes is decoded. Drag the slider: nothing is "
        "computed any more. Along the way a **judge**, a classifier that learned from other digits, says "
        "which digit it sees and how sure it is. It also learned from pictures that are no digits, mixtures "
        "for instance, and is as unsure as can be of those: then it says “no digit” (all ten at about 10%)."
    ),
    "vae.size": "Size of the code",
    "vae.size.n": "{n} numbers",
    "vae.way.vae_straight": "VAE, straight",
    "vae.way.vae_arc": "VAE, on the arc",
    "vae.way.ae_straight": "Autoencoder, straight",
    "vae.way.pixels": "Pixels mixed",
    "vae.way.vae_straight.short": "VAE, straight",
    "vae.way.vae_arc.short": "VAE, arc",
    "vae.way.ae_straight.short": "AE, straight",
    "vae.way.ae_arc.short": "AE, arc",
    "vae.way.pixels.short": "pixels mixed",
    "vae.judge.none": "no digit",
    "vae.between.judge": "judge: {way}",
    "vae.between.length": "‖z‖: {way}",
    "vae.between.share": "{a} A, {b} B",
    "vae.between.alt": "Four ways from picture A to picture B",
    "vae.between.middle": "half-way",
    "vae.between.chart": "How sure the judge is along each way",
    "vae.between.x": "share of B",
    "vae.between.y": "judge’s certainty",
    "vae.between.says": (
        "**Half-way** the judge reads {vae_straight} on the VAE’s straight way, {vae_arc} on its arc, "
        "{ae_straight} in the autoencoder, and {pixels} where only pixels are mixed."
    ),
    "vae.between.lengths": (
        "The VAE’s straight way passes at length {straight} from the origin, the arc at {arc}; codes of "
        "unseen digits have length {usual} on average. The further inside, the fewer codes the decoder has "
        "seen, and it answers with an average."
    ),
    "vae.between.ends": (
        "The ends are the nets’ own reconstructions of A and B; the mixed pixels begin and end with the "
        "pictures."
    ),
    "vae.many.title": "Was that luck? {count} pairs",
    "vae.many.chart": "Share of pairs whose middle the judge is sure of",
    "vae.many.about": (
        "{count} pairs of unseen digits of two different classes, and the judge’s certainty half-way. It "
        "counts as sure from {sure} on; of the digits themselves it is sure for {real}."
    ),
    "vae.many.ae": (
        "Mixing pixels gives a digit in {pixels} of the pairs, both nets far more often. But the "
        "**autoencoder** is not worse here: {ae_straight} of its straight middles are digits, of the VAE’s "
        "{vae_straight}; on the arc it is {ae_arc} and {vae_arc}. Thousands of digits crowd the autoencoder’s "
        "map, so between two of them there are others. Where the VAE earns its second term is the next "
        "section: places that no picture was encoded to."
    ),
    "vae.many.vae": (
        "Mixing pixels gives a digit in {pixels} of the pairs. Of the VAE’s straight middles {vae_straight} "
        "are digits, of the autoencoder’s {ae_straight}; on the arc {vae_arc} and {ae_arc}. The clearest "
        "difference comes in the next section: places that no picture was encoded to."
    ),
    "vae.many.two": (
        "Two numbers are too few for ten digits: both nets blur, and the judge, which knows sharp digits "
        "only, is hardly ever sure ({vae_straight} and {ae_straight} on the straight way, {vae_arc} and "
        "{ae_arc} on the arc, {pixels} of mixed pixels). That says more of the blur than of the middle: "
        "compare with 16 numbers."
    ),
    # prior
    "vae.prior.title": "Pictures from nothing",
    "vae.prior.about": (
        "Draw z at random and decode it. The KL term made the codes of the VAE look like a standard normal "
        "cloud, so a draw from that cloud lands among them. Nothing of the kind holds for the autoencoder."
    ),
    "vae.prior.seed": "Seed",
    "vae.prior.next": "Other codes",
    "vae.prior.vae": "**VAE**, z from N(0, I)",
    "vae.prior.ae": "**Autoencoder**, the same z",
    "vae.prior.fitted": "**Autoencoder**, z from a normal fitted to its codes",
    "vae.prior.vae.short": "VAE",
    "vae.prior.ae.short": "autoencoder",
    "vae.prior.fitted.short": "autoencoder with a fitted normal",
    "vae.prior.alt": "{count} pictures from random codes: {kind}",
    "vae.prior.sure": "The judge is sure of {share} of {count} such pictures.",
    "vae.prior.two": (
        "With two numbers both give digits, blurred ones: {vae} and {ae} convince the judge. The same z falls "
        "on a small part of the autoencoder’s map that happens to be inhabited; 0, 2 and 6 live elsewhere and "
        "hardly ever come. A normal fitted to all its codes ({fitted}) reaches the others too. With 16 "
        "numbers there is far more room to miss: choose them above."
    ),
    "vae.prior.says": (
        "From the same random numbers the judge is sure of {vae} of the VAE’s pictures and of {ae} of the "
        "autoencoder’s. The autoencoder can be helped afterwards: once all its codes are known, a normal "
        "fitted to them brings it to {fitted}. The VAE needs no such second step: its prior was part of the "
        "training."
    ),
    # moons
    "vae.moons.title": "Half moon and full moon, tried",
    "vae.moons.about": (
        "The notes train on a half moon and a full moon and ask for the picture between. Four small nets with "
        "**one** number as code are trained as you read: with and without noise and KL, on those two pictures "
        "alone or on {phases} phases from half to full. All go straight from the half moon’s code to the full "
        "moon’s."
    ),
    "vae.moons.progress": "Training: {done} of {total} nets",
    "vae.moons.ae_two": "AE, two moons",
    "vae.moons.vae_two": "VAE, two moons",
    "vae.moons.ae_all": "AE, all phases",
    "vae.moons.vae_all": "VAE, all phases",
    "vae.moons.nearest": "nearest moon {lit} lit, off {off}",
    "vae.moons.at": "{share} of the way: {lit} should be lit",
    "vae.moons.alt": "From half moon to full moon by four nets",
    "vae.moons.chart": "How far each picture is from the nearest real moon, along the way",
    "vae.moons.x": "share of the way",
    "vae.moons.y": "off the nearest moon",
    "vae.moons.says": (
        "Trained on **two** moons neither net finds the three-quarter moon: at worst they are {ae_two} (AE) "
        "and {vae_two} (VAE) off any moon, half of it grey. Noise only decides where one picture gives way to "
        "the other. Trained on **all phases** both pass from moon to moon ({ae_all} and {vae_all} off at "
        "worst). What noise and KL add is an even pace: half-way, where 75% should be lit, the autoencoder "
        "shows {ae_lit}, the VAE {vae_lit}. The picture between must have been seen; noise does not invent "
        "it."
    ),
    # map
    "vae.plane.title": "The map of all codes",
    "vae.plane.about": (
        "With two numbers the whole space of codes is a sheet of paper. Every tile is decoded from the place "
        "where it lies; every dot is the code of an unseen digit. **A** and **B** are your pictures (by the "
        "nets with two numbers), the line is the straight way between them."
    ),
    "vae.plane.codes": "Show the codes of unseen digits",
    "vae.plane.alt": "{net}: {cells} × {cells} places decoded, with codes of unseen digits",
    "vae.plane.hint": "Click a place to decode it.",
    "vae.plane.says.digits2": (
        "Codes of unseen digits: mean ({m1}, {m2}), spread ({s1}, {s2}), near the 0 and 1 that the KL term "
        "asks for. Each is a cloud with σ = {sigma} on average; the white rings are two σ of A and B. The "
        "dashed line is the arc."
    ),
    "vae.plane.says.ae2": (
        "Codes of unseen digits: mean ({m1}, {m2}), spread ({s1}, {s2}): nothing asked them to be anywhere, "
        "so they stretch as far as they like and leave empty land. Each is a single point; σ is {sigma}."
    ),
    "vae.plane.one": "**z = ({z1}, {z2})**. The judge reads {judge}. The ten nearest codes are of {digits}.",
    "vae.plane.middle": (
        "Half-way between A and B, **z = ({z1}, {z2})**. The judge reads {judge}. The ten nearest codes are "
        "of {digits}."
    ),
    "vae.plane.one.alt": "The picture decoded from this place",
    # noise
    "vae.noise.title": "The noise in the code",
    "vae.noise.about": (
        "The encoder does not give a code but a cloud: a mean μ and a spread σ for each number, and z = μ + "
        "σ·ε with fresh ε every time. Writing it so lets the gradient pass to μ and σ (the "
        "*reparameterisation trick*). Here are 16 draws, the same ε at every step; the slider stretches σ."
    ),
    "vae.noise.vae": "VAE: σ of the encoder, stretched",
    "vae.noise.ae": "Autoencoder with as much noise",
    "vae.noise.kept": "{net}: read as without noise",
    "vae.noise.at": "{times} × σ",
    "vae.noise.usual": "σ as trained",
    "vae.noise.alt": "{count} samples of the code, decoded",
    "vae.noise.units": (
        "The autoencoder gives no σ. It gets the VAE’s average one as the same share of the spread of its own "
        "codes."
    ),
    "vae.noise.kl.line": "KL = ½(σ² − 1 − log σ²), at μ = 0",
    "vae.noise.kl.title": "KL of one number against the logarithm of its variance",
    "vae.noise.says": (
        "KL of this picture’s cloud: **{usual}** nats with σ as trained, **{now}** with {times} × σ. Towards "
        "no noise the term −½ log σ² grows, towards much noise ½σ² does: the KL term is what keeps the noise "
        "finite (E12)."
    ),
    # bound
    "vae.bound.title": "The bound in numbers",
    "vae.bound.about": (
        "The VAE maximises a lower bound of log p(x). All terms of it for one picture, in nats, summed over "
        "pixels and over the numbers of the code; grey levels are read as chances of white."
    ),
    "vae.bound.reconstruction": "E log p(x|z)",
    "vae.bound.reconstruction.help": "The reconstruction term, averaged over {draws} draws of z.",
    "vae.bound.kl": "KL",
    "vae.bound.kl.help": "In closed form, summed over the numbers of the code.",
    "vae.bound.elbo": "ELBO",
    "vae.bound.elbo.help": "Reconstruction minus KL; reconstruction from {draws} draws.",
    "vae.bound.importance": "Bound with K = {count}",
    "vae.bound.importance.help": (
        "The logarithm of the mean of K importance weights, averaged over as many groups of K as {draws} "
        "draws hold."
    ),
    "vae.bound.k": "Draws K",
    "vae.bound.k.help": "How many draws the sampled KL and the importance-weighted bound use.",
    "vae.bound.kl.chart": "KL of each number of the code",
    "vae.bound.kl.one": (
        "The closed form gives **{exact}**. One draw of log q(z|x) − log p(z) gives {sampled}: more draws are "
        "needed."
    ),
    "vae.bound.kl.says": (
        "The closed form gives **{exact}**; {count} draws of log q(z|x) − log p(z) give **{sampled}** ± "
        "{error}, {off} standard errors away."
    ),
    "vae.bound.iw": "importance-weighted bound",
    "vae.bound.elbo.line": "ELBO",
    "vae.bound.iw.chart": "The importance-weighted bound against the number of draws",
    "vae.bound.iw.x": "log₂ K",
    "vae.bound.nats": "nats",
    "vae.bound.iw.says": (
        "ELBO **{elbo}**, with {most} weighted draws **{best}**: {gain} nats of the gap to log p(x) were only "
        "that q(z|x) is not the true posterior. With K = 1 the bound is the ELBO, up to the noise of the "
        "draws."
    ),
    "vae.bound.worked": "The largest KL worked out",
    "vae.bound.worked.about": "Number z{i} of this picture: μ = {mean}, log σ² = {logvar}.",
    # beta
    "vae.beta.title": "β: how much the second term weighs",
    "vae.beta.about": (
        "Reconstruction and KL pull against each other. Four trainings with the same nets and data: no noise "
        "and no KL, then KL with weight ¼, 1 and 4. β = 1 is the bound itself."
    ),
    "vae.beta.net": "Net",
    "vae.beta.kl": "KL",
    "vae.beta.reconstruction": "−E log p(x|z)",
    "vae.beta.active": "Numbers in use",
    "vae.beta.error": "Squared error",
    "vae.beta.yours": "KL of A · B",
    "vae.beta.table": (
        "Nats for each of {count} unseen digits (grey levels as chances of white). A number is in use where "
        "its KL is above 0.01 on average; the squared error is that of the decoded mean, for each pixel."
    ),
    "vae.beta.line": "β = 4, 1, ¼ from left to right",
    "vae.beta.chart": "Distortion against rate, for three values of beta",
    "vae.beta.rate": "rate: KL (nats)",
    "vae.beta.distortion": "distortion (nats)",
    "vae.beta.says": (
        "KL is what the code costs, distortion what is lost. A larger β buys a cheaper code with a blurrier "
        "picture; the ELBO, minus the sum of both, is best near β = 1."
    ),
    "vae.beta.alt": "{name} and its reconstructions by four nets",
    "vae.beta.rows": (
        "Rows: autoencoder, β = ¼, β = 1, β = 4. Columns: the picture; its mean code decoded; five draws of "
        "its code decoded. The autoencoder’s draws do not differ; with a large β they differ in what the code "
        "no longer tells."
    ),
    # inside
    "vae.inside.title": "Inside",
    "vae.inside.about": (
        "Click a block: its tensor, its formula, the lines of our source, and one number worked out."
    ),
    "vae.inside.net": "Net",
    "vae.inside.of": "Trained as",
    "vae.inside.encoder.input": "The picture, 28 × 28 numbers from 0 (black) to 1 (white).",
    "vae.inside.decoder.input": "The code: here the mean that the encoder gives the picture.",
    "vae.inside.output": "The two vectors together: mean and log variance.",
    "vae.number.title": "One number worked out",
    "vae.number.conv": "Place ({place}): a 3 × 3 window over every channel before it, {terms} products.",
    "vae.number.doubled": (
        "Place ({place}): every pixel before it was made four, then a 3 × 3 window over every channel, "
        "{terms} products."
    ),
    "vae.number.linear": "Place ({place}): every number before it times its weight, {terms} products.",
    # notes
    "vae.notes.title": "Notes and papers",
    "vae.notes.tests": "Tests: {names}",
    "vae.note.E12": (
        "**E12** The notes stretch the noise “without limit” and see in the noise the difference from an "
        "autoencoder. In the paper the encoder gives μ and log σ² for each picture, and the KL term keeps σ "
        "finite and μ near 0. For one number: KL is {zero} at μ = 0, σ² = 1; {half} at μ = 1; {wide} at log "
        "σ² = 4 and {wider} at 8; {narrow} at log σ² = −20, as good as no noise. Without the KL term nothing "
        "holds σ up, it falls towards 0, and the VAE becomes an autoencoder again."
    ),
    "vae.note.moon": (
        "**Half moon and full moon.** The notes tell that between two codes an autoencoder gives an "
        "unrecognisable picture, and that noise mends it: half-way stands the three-quarter moon. Tried above "
        "with two moons, half-way stands no such moon, with noise or without. Once every phase was seen, both "
        "nets have moons between. With thousands of digits and {size} numbers it is the same: the judge is "
        "sure of {ae} of the autoencoder’s straight middles and of {vae} of the VAE’s. What the autoencoder "
        "really lacks shows away from its codes: random z decode to no digit."
    ),
    "vae.note.derivation": (
        "**VAE derivation.** The notes give only the title. The bound and its gap: the last term is never "
        "negative, so the ELBO never exceeds log p(x), and it is tight where q is the true posterior."
    ),
    "vae.paper.vae": "The bound (eq. 3), the reparameterised estimate (eq. 10), KL of normals (appendix B).",
    "vae.paper.iw": "The tighter bound from K weighted draws (eq. 8).",
    "vae.paper.beta": "What a larger weight of the KL term does to the code.",
    "vae.paper.rate": "KL as rate, reconstruction as distortion.",
    "vae.paper.arc": "Why ways through normal codes should follow the arc.",
    # take away
    "vae.take.title": "Take away",
    "vae.take.about": (
        "The link restores pictures, size, step, places on the maps, noise, K, seed and tensor; a picture of "
        "your own never travels, the link asks for the file. The files hold both pictures, their "
        "reconstructions and codes."
    ),
}
