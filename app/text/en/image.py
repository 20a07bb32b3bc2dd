"""What is said about an uploaded picture: what is wrong with it, what the limit is, what to do."""

MESSAGES: dict[str, str] = {
    "image.empty": "The file is empty (0 bytes). Choose it again, or save it again where it comes from.",
    "image.too_many_bytes": (
        "The file has {megabytes} MB; this server takes at most {limit} MB. Save it smaller, for example as JPEG."
    ),
    "image.too_many_pixels": (
        "The picture has {megapixels} megapixels; this server takes at most {limit}. "
        "Reduce it or cut a part out of it."
    ),
    "image.too_long": "One side has {side} pixels; at most {limit} are possible. Cut the picture into pieces.",
    "image.too_small": (
        "The picture has {width} × {height} pixels; each side needs at least {limit}. Choose a larger one."
    ),
    "image.out_of_memory": "There is not enough memory for this picture just now. Reduce it, or try again later.",
    "image.not_an_image": "This is no picture that can be read. Choose a PNG, JPEG, WebP, TIFF, GIF, BMP or HEIC file.",
    "image.text": "This file holds text and no picture, whatever its name says. Choose a PNG, JPEG or HEIC file.",
    "image.damaged": (
        "The picture is damaged or was cut short, so it is not shown half. Copy or download the file again."
    ),
    "image.vector": (
        "This is a vector drawing (SVG, EPS or WMF): it has no pixels, and vector drawings are not read. "
        "Export it as PNG."
    ),
    "image.pdf": "This is a PDF document, not a picture. Export the page as PNG.",
    "image.raw": (
        "This is a camera's raw file; only the small preview in it could be read. "
        "Develop it and export a JPEG or TIFF."
    ),
    "image.not_read": "This is a file of the kind {kind}, which is not read here. Export a picture as PNG or JPEG.",
    "image.cannot_save": (
        "{format} files hold at most {limit} pixels a side; this picture has {side}. Save it as PNG or TIFF."
    ),
    "image.note.first_frame": "The file holds several pictures; the first one is used.",
    "image.note.eight_bits": "The file has more than 8 bits a channel; it is worked on with 8.",
    "image.note.stretched": "Its values state no range: the smallest is shown black, the largest white.",
    "image.note.converted": "Its colours (CMYK or Lab) were converted to sRGB.",
    "image.note.bad_profile": "Its colour profile is broken and was left out.",
    "image.note.strip": "A very long strip: upscaling takes it whole, a classifier sees only the square in its middle.",
    "image.note.tiny": "A very small picture: there is little in it for a network to see.",
    "image.sample.coffee": "A cup of coffee on a wooden table",
    "image.sample.chelsea": "A tabby cat's face",
    "image.sample.astronaut": "The astronaut Eileen Collins in an orange suit",
    "image.sample.rocket": "A rocket on its launch pad in the evening",
    "image.sample.china": "A painted Chinese tower above a lake",
    "image.sample.flower": "An orange dahlia before dark leaves",
    "image.sample.fox": "A fox's face, drawn in the Fluent style",
    "image.sample.hamburger": "A hamburger, drawn in the Noto style",
    "image.sample.elephant": "An elephant, drawn in the Twemoji style",
    "image.sample.sailboat": "A sailboat, drawn in the OpenMoji style",
    "image.sample.bus": "A bus, drawn in the Fluent style",
    "image.sample.digit": "A handwritten 3, white on black",
}
