"""A digit to work on: unseen, drawn or brought."""

MESSAGES: dict[str, str] = {
    "digits.digit": "Unseen digits",
    "digits.draw": "Draw",
    "digits.picture": "Upload",
    "digits.hint": "Click a digit to take it.",
    "digits.digit_n": "digit {digit}, hand {n}",
    "digits.held": "Digit {digit}",
    "digits.unseen": "Held out of the training.",
    "digits.drawn": "Your drawing",
    "digits.drawn.as": "Sized and centred as MNIST does its digits.",
    "digits.undrawn": "It stands in until you draw.",
    "digits.framed": (
        "Framed as MNIST does it: grey, the ink 20 pixels long and centred by weight in 28 × 28, white on "
        "black."
    ),
    "digits.inverted": (
        "Inverted, because the ink was dark on light; then framed as MNIST does it: the ink 20 pixels long "
        "and centred by weight in 28 × 28."
    ),
    "digits.empty": (
        "Nothing in this picture stands out from its ground: the contrast is below {least} of that between black and "
        "white. The network gets plain black."
    ),
    "digits.on_black": "Where the picture is transparent it is laid on black, because its ink is light: the network "
    "sees no transparency.",
}
