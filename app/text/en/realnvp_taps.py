"""Words about the tensors inside RealNVP, on either way."""

MESSAGES: dict[str, str] = {
    "realnvp.tap.scale": (
        "s: by how much each number is stretched (above 0) or shrunk (below 0). 0 where numbers stay: "
        "γ and b alone change them."
    ),
    "realnvp.tap.shift": "t: what is added to each number after stretching. 0 where numbers stay.",
    "realnvp.tap.log_det": (
        "The logarithm of how much volumes grow: the sum of s, and of the normalisation's scale at every "
        "pixel."
    ),
    "realnvp.tap.state": (
        "The picture between two couplings, as many numbers as before: nothing is ever lost."
    ),
    "realnvp.tap.z": "The picture as noise: if the flow were perfect, independent standard normal numbers.",
    "realnvp.tap.x": "The picture made from z, still stretched by the logit: its sigmoid gives grey levels.",
}
