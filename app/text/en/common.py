"""Words of the frame around every page."""

MESSAGES: dict[str, str] = {
    "shell.language": "Language",
    "shell.privacy": "Runs on this machine. Pictures are not stored and not sent anywhere else.",
    "header.paper": "{authors}, *[{title}]({url})*, {year}. In the study notes: {section}.",
    "badge.engine": "Engine",
    "badge.weights": "Weights",
    "badge.parameters": "Parameters",
    "badge.run": "Last run",
    "error.unexpected": (
        "Something went wrong that we did not foresee. Nothing of yours is lost: change a setting or reload the "
        "page. Error number {number} is in the server's log."
    ),
    "family.cnn": "Convolution",
    "family.recurrent": "Recurrence",
    "family.generative": "Generation",
    "family.attention": "Attention",
    "family.vision": "Vision transformers",
    "family.language": "Language",
    "family.multimodal": "Pictures and words",
    "family.graph": "Graphs",
    "progress.start": "Start",
    "progress.cancel": "Cancel",
    "progress.again": "Start again",
    "progress.cancelled": "Stopped. Nothing was changed.",
    "progress.preparing": "Getting ready …",
    "progress.step": "{done} of {total}",
    "progress.eta": "about {time} left",
    "progress.seconds": "{n:.0f} s",
    "progress.minutes": "{n:.0f} min",
    "progress.busy": "Another task of yours is still running; it stops within a moment.",
}
