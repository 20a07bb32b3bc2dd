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
    "digits.empty": "There is nothing to see in this picture: one flat tone. The network gets plain black.",
}
