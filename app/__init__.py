"""Vitrine from a Python prompt.

    from app import upscale
    result = upscale("photo.jpg", scale=2)
    result.save("photo_x2.png")

    from app import classify
    for name, probability in classify("photo.jpg"):
        print(f"{probability:.0%} {name}")

    from app import draw_digits
    picture = draw_digits("2026", seed=1)
    picture.save("2026.png")

    from app import embed_nodes
    vectors = embed_nodes("edges.csv", method="line", dim=32)

Importing this package loads nothing else: each function imports what it needs when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from PIL.Image import Image

    from app.engine.embed import Progress as EmbedProgress
    from app.images import Picture
    from models.card import ModelCard

    Source = str | PathLike[str] | bytes | Image

__all__ = ["classify", "draw_digits", "embed_nodes", "open_image", "upscale"]


def open_image(source: Source) -> Image:
    """A picture as Pillow RGB, or RGBA where it has transparency: upright, first frame, 8 bits a channel.

    source: a path, the bytes of a file, or a Pillow image. The colour profile stays in `info`, so that `save` keeps it.
    Raises FileNotFoundError, or ValueError with a sentence where it is no picture that can be read.
    """
    return _pillow(_picture(source))


def upscale(
    source: Source,
    scale: int = 2,
    weights: str | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> Image:
    """The picture enlarged by SwinIR, as a Pillow image; transparency and colour profile are kept.

    weights: an id of the card, by default the embedded ones of this scale. progress: called with tiles done, tiles in
    all and seconds to go. Raises FileNotFoundError, or ValueError with a sentence.
    """
    from app.engine import EngineError, load
    from app.engine.upscale import upscale as by_tiles
    from models.registry import MODELS

    picture = _picture(source)
    wanted = _known(MODELS["swinir"], weights or f"x{scale}")
    pixels = picture.rgb
    try:
        for step in by_tiles(load("swinir", wanted), picture.rgb):
            if progress is not None:
                progress(step.done, step.total, step.eta)
            if step.result is not None:
                pixels = step.result
    except EngineError as error:
        raise ValueError(_sentence(error)) from error
    return _pillow(picture.with_pixels(pixels))


def classify(source: Source, weights: str = "emoji", count: int = 5) -> list[tuple[str, float]]:
    """The `count` likeliest classes of a picture by ResNet18: (name, probability), best first.

    Raises FileNotFoundError, or ValueError with a sentence.
    """
    from app.engine import EngineError, load
    from app.engine.classify import class_names, classify as by_net
    from models.registry import MODELS

    picture = _picture(source)
    wanted = _known(MODELS["resnet18"], weights)
    try:
        model = load("resnet18", wanted)
        found = by_net(model, picture.flattened(), count)
    except EngineError as error:
        raise ValueError(_sentence(error)) from error
    names = class_names(model)
    return [
        (names[index] if index < len(names) else str(index), probability) for index, probability in found.top
    ]


def draw_digits(
    digits: str,
    seed: int = 0,
    steps: int = 50,
    guidance: float | None = None,
    scale: int = 8,
    progress: Callable[[int, int, float | None], None] | None = None,
) -> Image:
    """Digits drawn from noise by the diffusion model, side by side in a grey Pillow image, 28 * scale pixels high.

    digits: such as "2026". seed: another one, another handwriting; the page draws the same from the same numbers.
    guidance: how strongly the class is asked for, by default as the weights' report recommends.
    progress: called with steps done, steps in all and seconds to go. Raises ValueError with a sentence.
    """
    import numpy as np
    from PIL import Image as pillow

    from app.engine import EngineError, load
    from app.engine.diffuse import MAX_SAMPLES, Request, sample
    from app.engine.film import to_pixels

    if not digits or not all(sign in "0123456789" for sign in digits):
        raise ValueError(f"digits such as '2026', not {digits!r}")
    if not isinstance(scale, int) or scale < 1:
        raise ValueError(f"scale is a whole number from 1, not {scale!r}")
    wanted = [int(sign) for sign in digits]
    rows: list[np.ndarray] = []
    try:
        model = load("ddpm", "digits")
        strength = float(model.report.get("guidance", 1.5)) if guidance is None else guidance
        for first in range(0, len(wanted), MAX_SAMPLES):
            labels = tuple(wanted[first : first + MAX_SAMPLES])
            index = tuple(range(first, first + len(labels)))
            request = Request(labels, seed, steps, guidance=strength, index=index)
            for step in sample(model, request):
                if progress is not None:
                    progress(step.done, step.total, step.eta)
                if step.result is not None:
                    rows.extend(to_pixels(step.result.samples))
    except EngineError as error:
        raise ValueError(_sentence(error)) from error
    picture = pillow.fromarray(np.concatenate(rows, axis=1))
    return picture.resize((picture.width * scale, picture.height * scale), pillow.Resampling.NEAREST)


def embed_nodes(
    source: str | PathLike[str] | bytes,
    method: str = "deepwalk",
    progress: Callable[[int, int, float | None], None] | None = None,
    **settings: object,
) -> dict[str, np.ndarray]:
    """A float32 vector for every node of a graph file, by name, trained here: (dim,) each.

    source: a path or the bytes of an edge list (CSV, TSV), GraphML, GEXF, node-link JSON or adjacency CSV.
    method: "deepwalk", "line", "node2vec", "struc2vec" or "sdne". settings: the method's own, such as dim=64, seed=0.
    progress: called with steps done, steps in all and seconds to go.
    Raises FileNotFoundError, or ValueError with a sentence.
    """
    from app.engine import EngineError
    from app.engine.base import finish
    from app.engine.embed import train
    from app.graphs import BadGraph, read

    data = source if isinstance(source, bytes) else _file(source).read_bytes()
    try:
        graph = read(data).graph
        steps = train(method, graph, settings)
        run = finish(_told(steps, progress) if progress else steps)
    except (BadGraph, EngineError) as error:
        raise ValueError(_sentence(error)) from error
    return dict(zip(graph.names, run.final, strict=True))


def _told(
    steps: Iterator[EmbedProgress], progress: Callable[[int, int, float | None], None]
) -> Iterator[EmbedProgress]:
    for step in steps:
        progress(step.done, step.total, step.eta)
        yield step


def _known(card: ModelCard, weights: str) -> str:
    known = [entry.id for entry in card.weights]
    if weights not in known:
        raise ValueError(f"{card.title} has no weights {weights!r}; it has {', '.join(known)}")
    return weights


def _file(source: str | PathLike[str]) -> Path:
    from pathlib import Path

    path = Path(source).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    return path


def _picture(source: Source) -> Picture:
    """Read whatever the user gave."""
    import io

    from app.images import BadImage, decode

    name = ""
    if isinstance(source, bytes):
        data = source
    elif isinstance(source, str | PathLike):
        path = _file(source)
        data, name = path.read_bytes(), path.name
    elif hasattr(source, "save"):
        buffer = io.BytesIO()
        source.save(buffer, "PNG" if source.mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16") else "TIFF")
        data = buffer.getvalue()
    else:
        raise TypeError(f"a path, bytes or a Pillow image, not {type(source).__name__}")
    try:
        return decode(data, name)
    except BadImage as error:
        raise ValueError(_sentence(error)) from error


def _pillow(picture: Picture) -> Image:
    import numpy as np
    from PIL import Image

    planes = picture.rgb if picture.alpha is None else np.dstack([picture.rgb, picture.alpha])
    image = Image.fromarray(planes)
    if picture.icc is not None:
        image.info["icc_profile"] = picture.icc
    return image


def _sentence(error: object) -> str:
    """The English sentence of an error that names a message; the message's name where no catalogue has it."""
    reason, details = getattr(error, "reason", ""), getattr(error, "details", {})
    try:
        from app.text import t

        return str(t(reason, **details))
    except (ImportError, KeyError):
        return str(error)
