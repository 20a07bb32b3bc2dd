"""Words about the tensors inside the VAE's two nets."""

MESSAGES: dict[str, str] = {
    "vae_encoder.tap.conv1": (
        "The first filters slide over the picture in steps of two: strokes and edges answer."
    ),
    "vae_encoder.tap.conv2": "Combinations of strokes, at a quarter of the picture's resolution.",
    "vae_encoder.tap.hidden": (
        "The whole picture in a few dozen numbers: everything mean and variance are made from."
    ),
    "vae_encoder.tap.mean": "The middle of the picture's cloud of codes; 0 is where the KL term pulls it.",
    "vae_encoder.tap.logvar": (
        "The logarithm of the cloud's variance, number by number: 0 means that this number says nothing of "
        "the picture."
    ),
    "vae_decoder.tap.hidden": "The code spread over a few dozen units.",
    "vae_decoder.tap.maps": "The first maps: 7 × 7 places that say roughly where ink will be.",
    "vae_decoder.tap.conv1": (
        "Every place made four and looked at together with its neighbours: strokes take shape."
    ),
    "vae_decoder.tap.conv2": "The same at full resolution: width and edges of the strokes.",
    "vae_decoder.tap.logits": (
        "The picture before the sigmoid: above 0 a pixel is rather white, below 0 rather black."
    ),
}
