"""Vitrine from a Python prompt.

    from app import upscale
    result = upscale("photo.jpg", scale=2)
    result.save("photo_x2.png")

    from app import classify
    for name, probability in classify("cat.jpg"):
        print(name, probability)

Importing this package loads nothing else: each function imports what it needs when it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["classify", "open_image", "upscale"]

Source = "str | PathLike[str] | bytes | Image"


def open_image(source: str | PathLike[str] | bytes | Image) -> Image:
    """A picture as Pillow RGB, or RGBA where it has transparency: EXIF-rotated, first frame, 8 bits a channel.

    source: a path, the bytes of a file, or a Pillow image. Raises FileNotFoundError, or ValueError with a sentence
    where it is no picture we can read.
    """
    import numpy as np
    from PIL import Image

    picture = _picture(source)
    if picture.alpha is None:
        return Image.fromarray(picture.rgb)
    return Image.fromarray(np.dstack([picture.rgb, picture.alpha]))


def upscale(
    source: str | PathLike[str] | bytes | Image,
    scale: int = 2,
    weights: str | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> Image:
    """The picture enlarged by SwinIR, as a Pillow image; transparency is kept (enlarged by Lanczos).

    weights: an id of the card, by default the embedded ones of this scale. progress: called with tiles done, tiles in
    all, seconds to go. Raises FileNotFoundError, or ValueError with a sentence.
    """
    import numpy as np
    from PIL import Image

    from app.engine import EngineError, load
    from app.engine import upscale as tiled
    from models.registry import MODELS

    picture = _picture(source)
    wanted = weights or f"x{scale}"
    known = [entry.id for entry in MODELS["swinir"].weights]
    if wanted not in known:
        raise ValueError(f"SwinIR has no weights {wanted!r} (scale {scale}); it has {', '.join(known)}")
    try:
        model = load("swinir", wanted)
        result = None
        for step in tiled.upscale(model, picture.rgb):
            if progress is not None:
                progress(step.done, step.total, step.eta)
            result = step.result
    except EngineError as error:
        raise ValueError(_sentence(error)) from error
    if picture.alpha is None:
        return Image.fromarray(result)
    return Image.fromarray(np.dstack([result, tiled.upscale_alpha(picture.alpha, tiled.scale_of(model))]))


def classify(
    source: str | PathLike[str] | bytes | Image, weights: str = "emoji", count: int = 5
) -> list[tuple[str, float]]:
    """The `count` likeliest classes of a picture by ResNet18: (name, probability), best first.

    Raises FileNotFoundError, or ValueError with a sentence.
    """
    from app.engine import EngineError, load
    from app.engine import classify as by_net
    from models.registry import MODELS

    picture = _picture(source)
    known = [entry.id for entry in MODELS["resnet18"].weights]
    if weights not in known:
        raise ValueError(f"ResNet18 has no weights {weights!r}; it has {', '.join(known)}")
    try:
        model = load("resnet18", weights)
        found = by_net.classify(model, picture.rgb, count)
    except EngineError as error:
        raise ValueError(_sentence(error)) from error
    names = by_net.class_names(model)
    return [
        (names[index] if index < len(names) else str(index), probability) for index, probability in found.top
    ]


def _picture(source: str | PathLike[str] | bytes | Image) -> Any:
    """Picture of app.images from whatever the user gave."""
    import io

    from app.images import BadImage, decode

    name = ""
    if isinstance(source, bytes):
        data = source
    elif hasattr(source, "save"):
        buffer = io.BytesIO()
        source.save(buffer, "PNG")
        data = buffer.getvalue()
    else:
        path = Path(source).expanduser()
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {path}")
        data, name = path.read_bytes(), path.name
    try:
        return decode(data, name)
    except BadImage as error:
        raise ValueError(_sentence(error)) from error


def _sentence(error: Any) -> str:
    """The sentence of an error that names a message; the message's name where the catalogue is not there."""
    try:
        from app.text import t

        return str(t(error.reason, **error.details))
    except (ImportError, KeyError):
        return str(error)
