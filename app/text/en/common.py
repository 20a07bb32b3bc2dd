"""Words of the frame around every page."""

MESSAGES: dict[str, str] = {
    "shell.language": "Language",
    "shell.privacy": "Runs on this machine. Pictures are not stored and not sent anywhere else.",
    "link.whole": "The link asks for “{name} = {value}”, which is no whole number from {least} to {most}.",
    "link.number": "The link asks for “{name} = {value}”, which is no number from {least} to {most}.",
    "link.choice": "The link asks for “{name} = {value}”, but there is only {choices}.",
    "link.unreadable": "The link asks for “{name} = {value}”, which this page does not have.",
    "link.left_out": "The page is shown as it is without that.",
    "header.paper": "{authors}, *[{title}]({url})*, {year}. In the study notes: {section}.",
    "input.samples": "Samples",
    "input.credit": "Picture: {credit}",
    "input.upload": "A picture of your own",
    "input.upload.help": "Any common kind of picture, up to {limit} MB. It stays in this machine's memory.",
    "input.upload.button": "Choose a file",
    "input.upload.drop": "or drop it here",
    "input.paste": "Paste",
    "input.paste.hint": "Takes the picture on your clipboard. Ctrl+V or ⌘V anywhere on the page does the same.",
    "input.paste.none": "There is no picture on the clipboard, or the browser keeps it from us. Try Ctrl+V or ⌘V.",
    "input.paste.large": "A pasted picture may have {limit} MB. Save it as a file and choose that.",
    "input.paste.name": "pasted picture",
    "input.camera": "Camera",
    "input.camera.help": "Browsers allow the camera on this machine itself and on https addresses, after you agree.",
    "input.camera.label": "Take a photograph",
    "input.current": "Your picture: {name}, {width} × {height} pixels",
    "input.transparent": "Where the picture is transparent it is laid on white: the network sees no transparency.",
    "input.link.ask": (
        "This link was made with its maker's own picture. Pictures do not travel with links: choose that file above "
        "to see the very same view (its fingerprint begins with {sha}). Until then a sample is shown."
    ),
    "input.link.other": (
        "{name} is not the picture this link was made with: its fingerprint differs. You see it all the same."
    ),
    "input.link.without": "Go on without it",
    "badge.engine": "Engine",
    "badge.weights": "Weights",
    "badge.parameters": "Parameters",
    "badge.run": "Last run",
    "error.unexpected": (
        "Something went wrong that we did not foresee. Nothing of yours is lost: change a setting or reload the "
        "page. Error number {number} is in the server's log."
    ),
    "nav.graph_embeddings": "Graph embeddings",
    "nav.graph_networks": "Graph neural networks",
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
}
