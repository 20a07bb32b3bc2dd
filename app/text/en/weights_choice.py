"""The choice of weights."""

MESSAGES: dict[str, str] = {
    "choice.label": "Weights",
    "choice.help": (
        "The embedded weights come with Vitrine and work at once. The others are the authors’ own; they are fetched "
        "only when you ask for them."
    ),
    "choice.embedded": "embedded",
    "choice.official": "official",
    "choice.yours": (
        "These weights come from the file that you gave. Names and shapes fit, but nothing proves that they are the "
        "official ones. Only you see them, while this tab is open."
    ),
    "choice.yours.forget": "Use the official ones instead",
    "choice.embedded_missing": "The embedded weights “{name}” are missing. Please get a fresh copy of Vitrine.",
    "choice.parameters": "{n} parameters",
    "choice.licence": "licence {licence}",
    "choice.get": "**{name}** is not on this machine yet. It comes from {host}; until then the embedded weights work.",
    "choice.size": "{megabytes} MB",
    "choice.size_unknown": "The host does not say beforehand how large the file is; usually 10 to 140 MB.",
    "choice.download": "Download",
    "choice.received": "{done} MB received",
    "choice.progress": "{done} of {total} MB",
    "choice.drop": "or drop the file here",
    "choice.drop.help": (
        "A .safetensors file works on every installation, a .pth file where PyTorch is installed. Names and shapes of "
        "every tensor are checked first."
    ),
}
