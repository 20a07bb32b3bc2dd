"""The home page."""

MESSAGES: dict[str, str] = {
    "home.nav": "Home",
    "home.title": "Vitrine",
    "home.lead": "A glass case for neural networks.",
    "home.about": (
        "Put your own picture or graph in, see the result, then look inside: every layer’s numbers, the formula that "
        "made them, and the lines of code that compute it. Change something and watch what breaks."
    ),
    "home.rooms": "On show",
    "home.open": "Open {title}",
    "home.parameters": "{n} parameters",
    "home.trained_live": "Trained while you watch, on your own graph",
    "home.not_rendered": "The picture of this model has not been rendered yet.",
    "home.swinir.sentence": "Makes a small picture larger, looking through windows that shift from layer to layer.",
    "home.swinir.alt": (
        "A photograph of a cat under the shifted windows of one layer; in each window, what its middle pixel attends "
        "to glows."
    ),
    "home.resnet18.sentence": "Says what is in a picture; each block adds a correction to what came before.",
    "home.resnet18.alt": "One photograph, then feature maps of the network’s four stages, coarser and coarser.",
    "home.ddpm.sentence": "Makes digits and emoji out of noise; a slider goes through every step of the way.",
    "home.ddpm.alt": (
        "Seven rows of pictures: noise at the left turns step by step into a handwritten digit at the right."
    ),
    "home.dcgan_generator.sentence": (
        "Paints digits from random numbers, against a critic that tries to find them out."
    ),
    "home.dcgan_generator.alt": (
        "Digits that the generator paints while the random numbers behind them change little by little."
    ),
    "home.vae_encoder.sentence": (
        "Encodes digits as small clouds of codes, and paints what lies between two of your own."
    ),
    "home.vae_encoder.alt": (
        "A map of codes decoded place by place: digits that flow into each other, with coloured dots where "
        "unseen digits lie."
    ),
    "home.realnvp.sentence": "Turns a digit into noise and back exactly, and tells how likely it is, bit by bit.",
    "home.realnvp.alt": "Digits, a row each, that turn into noise coupling by coupling.",
    "home.latent_diffusion.sentence": (
        "Draws emoji from words, English or Chinese, and shows where each word is heard while it does."
    ),
    "home.latent_diffusion.alt": "Six rows of pictures: at the left noise, at the right what a word asked for.",
    "home.note": "How to use it",
    "home.step.input": "**Input.** Take a sample, or your own file, the clipboard or the camera.",
    "home.step.inside": "**Inside.** Click a layer, then a pixel: the number there is computed again before your eyes.",
    "home.step.play": "**Play.** Drop a mask, silence a branch, and compare.",
    "home.step.take": "**Take away.** Copy a link to exactly this view, or save the figure and its numbers.",
}
