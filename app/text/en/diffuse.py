"""What the sampler of diffusion models says of a request it cannot follow."""

MESSAGES: dict[str, str] = {
    "diffuse.samples": "Between {least} and {most} samples can be drawn at once, not {value}.",
    "diffuse.label": "There is no class {value}: classes go from {least} to {most}, where {most} stands for none.",
    "diffuse.seed": "A seed is a whole number from {least} to {most}, not {value}.",
    "diffuse.steps": "Choose between {least} and {most} steps, not {value}.",
    "diffuse.eta": "Eta lies between {least} (no new noise) and {most} (as much as DDPM adds), and is {value} here.",
    "diffuse.guidance": "Guidance lies between {least} and {most}, and is {value} here.",
    "diffuse.choice": "“{value}” is not possible for {name}. Possible are: {known}.",
    "diffuse.index": "{samples} samples need as many numbers for their noise, not {count}.",
    "diffuse.start": "There is no step {value}: the path has the steps {least} to {most}.",
    "diffuse.start_picture": "The picture to go on from has the shape {given}; this model needs {wanted}, all finite.",
    "diffuse.skips": "This model has {skips} skips, and {count} factors were given.",
    "diffuse.skip": "A skip can be scaled by {least} to {most}, not by {value}.",
    "diffuse.text": "A text may have up to {most} letters; this one has {value}.",
    "diffuse.strength": (
        "The strength lies between {least} (the picture stays) and {most} (only noise is left), and is {value} here."
    ),
    "diffuse.tokens": "A text has {tokens} places for words, and {count} factors were given.",
    "diffuse.token": "A word can be weighted by {least} to {most}, not by {value}.",
    "diffuse.film": "A film needs at least one frame, each of {least} to {most} pixels a side.",
}
