"""Words of the latent diffusion page."""

MESSAGES: dict[str, str] = {
    # head and input
    "latent_diffusion.sentence": (
        "Write a word, get a picture. The noise is not taken out of pixels but out of 16 × 16 latents; a decoder "
        "turns them into 64 × 64 pixels at the end, and the words are heard at every step."
    ),
    "latent_diffusion.score": "{agrees_of_20:%} recognised among 20 words",
    "latent_diffusion.weights.emoji": "Emoji, 64 × 64",
    "text_encoder.weights.emoji": "Words about emoji",
    "autoencoder_kl_encoder.weights.emoji": "Emoji, 64 × 64",
    "autoencoder_kl_decoder.weights.emoji": "Emoji, 64 × 64",
    "latent_diffusion.first": "dog",
    "latent_diffusion.text": "What should appear?",
    "latent_diffusion.text.help": (
        "English or Chinese: a thing, with a colour or a ground if you like. The list of words is small."
    ),
    "latent_diffusion.examples": "green dog|blue heart|purple flower|dog on blue|house line drawing|企鹅黄色背景",
    "latent_diffusion.names": "All {count} things",
    "latent_diffusion.names.about": (
        "What it was taught to draw. It also knows these colours, for the thing (“blue heart”) and for the ground "
        "behind it (“cat on blue”): {colours}. And it can leave the colours out: “cat line drawing”."
    ),
    "latent_diffusion.comma": ", ",
    "latent_diffusion.start_token": "(start)",
    "latent_diffusion.reads": "It reads: {words}.",
    "latent_diffusion.reads.empty": "Without words it draws whatever the noise suggests.",
    "latent_diffusion.reads.nothing": "No word that it knows: it draws whatever the noise suggests.",
    "latent_diffusion.unknown": "Not among its {count} words, and left out: {words}.",
    "latent_diffusion.cut": "It reads at most {most} words; those beyond are left out.",
    "latent_diffusion.seed": "Seed of the noise",
    "latent_diffusion.seed.help": (
        "The same seed, words and settings give the same picture, on any machine, but for the rounding of the engines."
    ),
    "latent_diffusion.dice": "Another",
    "latent_diffusion.samples": "Samples",
    "latent_diffusion.steps": "Steps",
    "latent_diffusion.steps.help": "DDIM steps out of the 1000 of training. Fewer are quicker and coarser.",
    "latent_diffusion.guidance": "Guidance",
    "latent_diffusion.guidance.help": (
        "How far to go beyond “no words” towards the words: 0 ignores them, 1 is the words alone, more exaggerates "
        "them. Needs a second run of the network at each step."
    ),
    "latent_diffusion.text.unfit": (
        "The text in the link is longer than {most} characters, or holds some that cannot be printed."
    ),
    "latent_diffusion.running": "Drawing …",
    "latent_diffusion.progress": "step {done} of {total}",
    "latent_diffusion.before": "Below is the run before: “{text}”, seed {seed}, {steps} steps.",
    # result
    "latent_diffusion.strip.z_t": "zₜ, the latents it is given",
    "latent_diffusion.strip.z_0": "ẑ₀, the latents it expects",
    "latent_diffusion.strip.x_0": "the same, decoded",
    "latent_diffusion.strip.expected": "x̂₀, the picture it expects",
    "latent_diffusion.path.alt": (
        "{count} samples on their way from noise to picture: latents and decoded pictures; the slider "
        "chooses the step"
    ),
    "latent_diffusion.path.hint": "Drag, play, or use the arrow keys. The sections below follow when you let go.",
    "latent_diffusion.path.about": (
        "Latents are four maps of 16 × 16 numbers, drawn as a square of four: orange above zero, blue below, "
        "from −3 to 3. The U-Net only ever sees these maps."
    ),
    "latent_diffusion.done": "the picture",
    "latent_diffusion.read.alpha_bar": "ᾱₜ, the signal’s share of the variance",
    "latent_diffusion.read.snr": "signal : noise",
    "latent_diffusion.sample": "Sample {n}",
    "latent_diffusion.sample.alt": "Sample {n} for “{text}”",
    "latent_diffusion.verdict": "The emoji classifier sees: {name} ({percent}).",
    "latent_diffusion.limits": (
        "The classifier was never told the words. It knows 120 things in their own colours: of line drawings, of "
        "things in another colour and of the other hundred words it can only guess. So small a model draws some "
        "things only roughly."
    ),
    "latent_diffusion.look": "Look into",
    "latent_diffusion.step": "step",
    # closer
    "latent_diffusion.closer": "Look closer",
    "latent_diffusion.closer.choice": "Which view",
    "latent_diffusion.closer.here": "Sample {n}, step {step} of {steps}, t = {t}. The slider above moves it.",
    "latent_diffusion.closer.done": (
        "Sample {n}. The slider is at the finished picture, so this is the last step before it: {step} of {steps}, "
        "t = {t}."
    ),
    "latent_diffusion.view.words": "Where words are heard",
    "latent_diffusion.view.weigh": "Weigh a word",
    "latent_diffusion.view.guide": "Guidance",
    "latent_diffusion.view.language": "Text encoder",
    "latent_diffusion.view.inside": "Networks",
    # where words look
    "latent_diffusion.words.about": (
        "In cross-attention every place of the latents asks a question (Q) and every word offers an answer (K, V). "
        "The brighter a place, the more of what it hears comes from this word: the mean over all heads and "
        "transformers of the U-Net."
    ),
    "latent_diffusion.words.alt": (
        "The expected picture, and over it where each of {count} tokens is heard, step by step"
    ),
    "latent_diffusion.words.hint": "Click a place to see how it mixes its words.",
    "latent_diffusion.words.scale": (
        "Each word has its own scale, from its quietest place of all steps to its loudest. “(start)” stands before "
        "every text; a place that needs none of the words listens to it."
    ),
    "latent_diffusion.words.place": "What the place in row {row}, column {column} listens to",
    "latent_diffusion.words.by_step": "How much each word is heard over the whole picture",
    "latent_diffusion.words.by_step.alt": "Mean share of attention of each word over the steps",
    "latent_diffusion.words.worked": "One number of what this place hears",
    "latent_diffusion.words.layer": "Transformer",
    "latent_diffusion.layer.down": "on the way down, level {level}, no. {n}",
    "latent_diffusion.layer.mid": "in the middle",
    "latent_diffusion.layer.up": "on the way up, level {level}, no. {n}",
    "latent_diffusion.words.sum": (
        "Channel {channel}, the strongest: {heads} heads × {words} words, each with its attention times what "
        "the word "
        "has to say."
    ),
    "latent_diffusion.words.sum.alone": (
        "Channel {channel}, the strongest: {heads} heads, each with its attention to the start (all there is) "
        "times what the start has to say."
    ),
    # weigh
    "latent_diffusion.weigh.about": (
        "Multiply the attention to one word and draw the same noise again (prompt-to-prompt calls it "
        "“re-weighting”): 0 takes it out, more than 1 says it louder, less than 0 pushes away from it."
    ),
    "latent_diffusion.word": "Word",
    "latent_diffusion.weigh.factor": "Times",
    "latent_diffusion.weigh.before": "as it was",
    "latent_diffusion.weigh.after": "the word × {factor}",
    "latent_diffusion.weigh.alt": "The same noise with the word as it was, and weighted; and the difference",
    "latent_diffusion.weigh.change": (
        "In the finished picture this changes a pixel by {levels} of 255 levels on average."
    ),
    "latent_diffusion.weigh.note": (
        "The weight acts behind the softmax, so the other words keep their shares. The prediction without words is "
        "scaled at the same position too; the mean of the words, which the residual blocks hear, is not."
    ),
    # guidance
    "latent_diffusion.guide.about": (
        "The network predicts twice: with the words and with the empty text. Guidance goes along the difference, "
        "beyond the words’ own prediction. What it predicts is v = √ᾱ ε − √(1 − ᾱ) z₀, a mixture of noise and latents "
        "from which both follow; the paper predicts the noise ε itself. The same noise with several amounts:"
    ),
    "latent_diffusion.guide.none": "w = 0, no words",
    "latent_diffusion.guide.alone": "w = 1, the words alone",
    "latent_diffusion.guide.more": "w = {amount}",
    "latent_diffusion.guide.alt": "The same noise with {count} amounts of guidance, step by step",
    "latent_diffusion.guide.numbers": "Guidance at this step, in numbers",
    "latent_diffusion.guide.v_none": "v without words",
    "latent_diffusion.guide.v_words": "v with the words",
    "latent_diffusion.guide.v_guided": "guided, w = {amount}",
    "latent_diffusion.guide.where": "where the words change it",
    "latent_diffusion.guide.agreement": (
        "The number that the words change most: map {channel}, row {row}, column {column}. From it ẑ₀ = {again}; the "
        "path has {stored}, apart by {apart}."
    ),
    # picture
    "latent_diffusion.picture": "From a picture",
    "latent_diffusion.picture.choice": "What becomes of it",
    "latent_diffusion.way.img2img": "Draw over it",
    "latent_diffusion.way.vae": "Image VAE alone",
    "latent_diffusion.picture.framed": "Its middle square, {side} × {side} pixels.",
    "latent_diffusion.img2img.about": (
        "A picture instead of pure noise: it is encoded, noised as far as the strength says, and from there denoised "
        "with the words “{text}”. The network is never shown the picture itself."
    ),
    "latent_diffusion.img2img.about.silent": (
        "A picture instead of pure noise: it is encoded, noised as far as the strength says, and from there denoised "
        "without words. The network is never shown the picture itself."
    ),
    "latent_diffusion.img2img.strength": "Strength",
    "latent_diffusion.img2img.strength.help": (
        "How much of the way is walked again: 0 leaves the picture, 1 leaves only noise of it."
    ),
    "latent_diffusion.img2img.steps": "int({strength} · {steps}) = **{left}** of {steps} steps are made.",
    "latent_diffusion.img2img.given": "given",
    "latent_diffusion.img2img.encoded": "encoded and decoded",
    "latent_diffusion.img2img.noised": "noised, decoded",
    "latent_diffusion.img2img.made": "the result",
    "latent_diffusion.img2img.alt": "From the given picture to the result",
    "latent_diffusion.img2img.none": "No step is left: the result is the picture, through the image VAE.",
    "latent_diffusion.img2img.path": "The way from the noised picture to the result",
    # image VAE
    "latent_diffusion.vae.about": (
        "The image VAE makes {numbers} numbers out of {pixels}: four maps of {side} × {side}, one number where there "
        "were {share}. Diffusion in so few numbers is what makes the rest affordable."
    ),
    "latent_diffusion.vae.silent": "Silence a map",
    "latent_diffusion.vae.silent.help": "Its numbers become 0 before decoding: what goes missing was in this map.",
    "latent_diffusion.vae.no_map": "none",
    "latent_diffusion.vae.map": "map {n}",
    "latent_diffusion.vae.map.alt": "map {n} of the latents, from {low} to {high}",
    "latent_diffusion.vae.back": "decoded, {psnr} dB",
    "latent_diffusion.vae.lost": "what was lost",
    "latent_diffusion.vae.alt": "The picture, its four maps of latents, the decoded picture, the difference",
    "latent_diffusion.vae.held_out": "On {count} drawings in a style it had never seen: {psnr} dB on average.",
    "latent_diffusion.vae.scale": (
        "The encoder gives a mean and a standard deviation for every number. This picture’s means spread by {raw}; "
        "times the scale {scale} by {scaled}, about as much as the noise. The standard deviation is {sd} on average: "
        "a small cloud, as in every VAE."
    ),
    # text encoder
    "latent_diffusion.language.about": (
        "A transformer of two layers turns the words into the vectors that cross-attention reads. It was trained "
        "together with the U-Net and knows {count} words and characters, English and Chinese. It reads the text once, "
        "before the first step."
    ),
    "latent_diffusion.language.layer": "Layer",
    "latent_diffusion.language.head": "head {n}",
    "latent_diffusion.language.head.alt": "Attention of head {n} between the tokens {words}",
    "latent_diffusion.language.heads": (
        "Who reads whom: a row for each reading token, a column for each that is read."
    ),
    "latent_diffusion.language.row": "What “{word}” reads, mean over the heads",
    "latent_diffusion.language.near": "Nearest to “{word}”: cosine of the encoder’s outputs, each word read alone",
    "latent_diffusion.language.start": "The start is no word; choose another.",
    # inside
    "latent_diffusion.inside.about": (
        "Four networks work together. The U-Net is seen at the chosen step, the text encoder with the words, the image "
        "VAE’s halves with the finished picture."
    ),
    "latent_diffusion.inside.net": "Network",
    "latent_diffusion.net.unet": "U-Net",
    "latent_diffusion.net.text": "Text encoder",
    "latent_diffusion.net.encoder": "Image encoder",
    "latent_diffusion.net.decoder": "Image decoder",
    "latent_diffusion.inside.none": "This block hands its input on; choose another to see its tensors.",
    "latent_diffusion.inside.tokens": "Tokens: {words}. What lies behind them is padding that nobody reads.",
    "latent_diffusion.inside.tap": "Tensor",
    # notes
    "latent_diffusion.notes": "Notes",
    "latent_diffusion.note.E23": (
        "**E23.** The notes have CLIP as a fixed part, and give neither scale nor schedule nor attention. "
        "CLIP, frozen, "
        "is Stable Diffusion’s choice; the paper trains a transformer of its own with the U-Net, as here. Needed "
        "besides: latents times a scale that brings them to about unit spread (0.18215 in Stable Diffusion, {scale} "
        "here); betas that are linear in their *root*, from √0.00085 to √0.012; cross-attention with Q from the "
        "picture, K and V from the words (768 numbers a word there, {dim} here).\n\n"
        ":material/calculate: At the end of 1000 steps ᾱ = {root}; betas linear themselves would leave {straight}."
    ),
    "latent_diffusion.note.E24": (
        "**E24.** The notes call a conditioning on an image “img2img”, and add noise while generating. "
        "Img2img encodes "
        "the picture, noises it to the step int(strength · steps), and denoises with the words: the picture is no "
        "input of the network. From words alone one starts with pure noise and adds none.\n\n"
        ":material/calculate: Strength 0.75 of {steps} steps: {left} steps are made. Strength 0: none ({none})."
    ),
    "latent_diffusion.notes.score": (
        "**How good is it?** Of {samples} pictures the emoji classifier prefers the asked word to 19 others in "
        "{share} (English {english}, Chinese {chinese}); real drawings through the image VAE reach "
        "{ceiling}. "
        "Of colour and thing that training never showed together, both are right in {both}."
    ),
    "latent_diffusion.paper.ldm": "Latents, cross-attention, the image VAE.",
    "latent_diffusion.paper.guidance": "With and without the words, and beyond.",
    "latent_diffusion.paper.ddim": "The sampler.",
    "latent_diffusion.paper.v": "To predict v, which is what this network does.",
    "latent_diffusion.paper.sdedit": "To begin with a noised picture.",
    "latent_diffusion.paper.p2p": "Cross-attention maps of words, and their weights.",
    "latent_diffusion.paper.attention": "The text encoder’s layers.",
    # take away
    "latent_diffusion.take": "Take away",
    "latent_diffusion.take.about": "The link restores everything on this page. Files are made when you press.",
    "latent_diffusion.take.pictures": "The finished pictures alone:",
}
