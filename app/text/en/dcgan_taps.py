"""Words about the tensors inside DCGAN's two nets."""

MESSAGES: dict[str, str] = {
    "dcgan_generator.tap.project.conv": (
        "Each of the numbers in z brings a learned 4 × 4 pattern for every channel; this is their weighted sum."
    ),
    "dcgan_generator.tap.up1.conv": (
        "Every place stamps its own 4 × 4 pattern onto a grid twice as fine, two cells apart; where stamps overlap "
        "they add up."
    ),
    "dcgan_generator.tap.up2.conv": (
        "The stamps of the second doubling: from 8 × 8 to 16 × 16, where strokes become visible."
    ),
    "dcgan_generator.tap.out": (
        "After batch norm and ReLU: what is negative becomes 0, what remains goes on to the next size."
    ),
    "dcgan_generator.tap.paint": (
        "The picture before tanh. Large numbers here will be fully white or fully black."
    ),
    "dcgan_generator.tap.picture": "The finished picture: tanh presses every number into −1 (black) … 1 (white).",
    "dcgan_discriminator.tap.down1.conv": (
        "The first filters slide over the picture in steps of two: strokes, ends and edges answer."
    ),
    "dcgan_discriminator.tap.down2.conv": (
        "Combinations of strokes, at a quarter of the picture's resolution, before batch norm."
    ),
    "dcgan_discriminator.tap.down3.conv": (
        "Only 4 × 4 places are left; each has seen 22 × 22 pixels of the picture, so most of a digit."
    ),
    "dcgan_discriminator.tap.out": (
        "After LeakyReLU: negative answers are kept at a fifth, so that a gradient still reaches the generator."
    ),
    "dcgan_discriminator.tap.evidence": (
        "How much each sixteenth of the map speaks for a real picture (positive) or a made one (negative); their sum "
        "is the logit."
    ),
    "dcgan_discriminator.tap.logit": (
        "The verdict: above 0 it takes the picture for real, below 0 for made. The sigmoid of it is D(x)."
    ),
}
