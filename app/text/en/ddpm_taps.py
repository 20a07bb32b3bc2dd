"""Words about the tensors inside DDPM's U-Net and the judge of digits."""

MESSAGES: dict[str, str] = {
    "ddpm.tap.sinusoid": (
        "The step t, written as cosines and sines of many wavelengths: neighbouring steps look alike, distant ones do "
        "not."
    ),
    "ddpm.tap.time": "What the network makes of the step: a learned vector that says how much noise to expect.",
    "ddpm.tap.label": "The learned vector of the wanted class. The last one means “no class in particular”.",
    "ddpm.tap.embedding": (
        "Time and class in one vector. Every residual block reads it; it is all that the network knows of either."
    ),
    "ddpm.tap.resnet.shift": (
        "What time and class add here: one number for each channel, the same at every pixel of the map."
    ),
    "ddpm.tap.resnet.hidden": "The first convolution's answer, already moved by time and class.",
    "ddpm.tap.resnet.norm": (
        "The same, normalised in groups of channels and bent by SiLU: what the second convolution reads."
    ),
    "ddpm.tap.resnet.out": "What leaves the block: its input plus what the two convolutions want to change.",
    "ddpm.tap.attention.q": "What each pixel of the map asks for, by head.",
    "ddpm.tap.attention.k": "What each pixel offers to be found by, by head.",
    "ddpm.tap.attention.v": "What each pixel hands over when another one looks at it, by head.",
    "ddpm.tap.attention.weights": (
        "How much each pixel (query) takes from each other one (key). Every row sums to 1; no pixel is out of reach."
    ),
    "ddpm.tap.attention.heads": "What each pixel has gathered from the others, before the heads are mixed.",
    "ddpm.tap.attention.out": "The map, with what attention gathered added to it.",
    "ddpm.tap.down": "Half as many rows and columns: fine detail stays behind and travels through the skips.",
    "ddpm.tap.up": "Twice as many rows and columns: every pixel repeated, then smoothed by a learned convolution.",
    "ddpm.tap.skip": (
        "Carried straight from the way down to the way up, where it is stacked under the coarser map. It brings back "
        "the detail that halving lost."
    ),
    "ddpm.tap.final": "The last feature maps: the output is a weighted sum of 3 × 3 neighbourhoods of these.",
    "ddpm.tap.output": (
        "The prediction, as large as the picture. Taken away in the right measure, it leaves a little less noise."
    ),
    "digit_judge.tap.conv": "Answers of learned 3 × 3 filters; what is negative becomes 0.",
    "digit_judge.tap.features": (
        "The digit as a list of 64 numbers, each from all 7 × 7 places. Distances between digits are measured here."
    ),
    "digit_judge.tap.logits": "One number for each digit. Their softmax is what the judge believes.",
}
