"""Pictures on their way to the browser: encoded once, with one JSON header before them.

A components-v2 mount takes raw bytes only as its whole `data`, so a message is
[u32 little-endian header length][JSON header][file 1][file 2]...; the header tells each file's size.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

ATLAS_SIDE = 8192  # longest side of an atlas: every browser's canvas takes it
SHOWN_PIXELS = 4_000_000  # a picture beyond this is shrunk before it is sent
LOSSLESS_PIXELS = 600_000  # beyond this even an exact picture goes as fine JPEG


@dataclass(frozen=True)
class Encoded:
    """One picture file: its bytes, type, the size it was encoded at and a hash of its content."""

    data: bytes
    mime: str
    width: int
    height: int
    id: str


def as_uint8(image: Any) -> np.ndarray:
    """A picture as uint8 (H, W), (H, W, 3) or (H, W, 4).

    image: a PIL picture, or an array of those shapes: uint8, bool, or floating in [0, 1].
    Raises ValueError for any other shape, for an empty picture and for other types.
    """
    if isinstance(image, Image.Image):
        image = image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGB")
    array = np.asarray(image)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)) or 0 in array.shape:
        raise ValueError(f"a picture is (H, W), (H, W, 3) or (H, W, 4), not {array.shape}")
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]
    if array.dtype == np.bool_:
        return array.astype(np.uint8) * 255
    if np.issubdtype(array.dtype, np.floating):
        return (np.clip(np.nan_to_num(array), 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    if array.dtype != np.uint8:
        raise ValueError(f"a picture holds uint8, bool or floats in [0, 1], not {array.dtype}")
    return array


def content_id(array: np.ndarray, *more: object) -> str:
    """A hash of everything in the array and of `more`. (Streamlit's own only samples large arrays.)"""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(repr((array.shape, array.dtype.str, more)).encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def shrink(image: np.ndarray, limit: int) -> np.ndarray:
    """The picture with at most `limit` pixels and no side over ATLAS_SIDE.

    The aspect is kept unless it is extreme; the browser stretches what it gets to the true one.
    """
    height, width = image.shape[:2]
    if height * width <= limit and max(height, width) <= ATLAS_SIDE:
        return image
    factor = min(1.0, (limit / (height * width)) ** 0.5)
    across, down = (min(ATLAS_SIDE, max(1, int(side * factor))) for side in (width, height))
    picture = Image.fromarray(image)
    # whole factors first by plain averaging: fast however long a side is
    whole = (max(1, width // (2 * across)), max(1, height // (2 * down)))
    return np.asarray(picture.reduce(whole).resize((across, down), Image.Resampling.LANCZOS))


def paletted(image: np.ndarray) -> Image.Image | None:
    """The same pixels in palette mode, where at most 256 colours occur: a quarter of the bytes and of the time."""
    if image.ndim != 3:
        return None
    channels = image.shape[2]
    packed = np.zeros(image.shape[:2], np.uint32)
    for i in range(channels):
        packed |= image[..., i].astype(np.uint32) << (8 * i)
    if len(np.unique(packed[:: max(1, len(packed) // 16)])) > 256:  # a few rows tell a photograph
        return None
    colours, index = np.unique(packed, return_inverse=True)
    if len(colours) > 256:
        return None
    picture = Image.fromarray(index.reshape(packed.shape).astype(np.uint8)).convert("L")
    picture.putpalette(
        bytes(int(c) >> (8 * i) & 255 for c in colours for i in range(channels)), "RGBA"[:channels]
    )
    return picture


def file_bytes(image: np.ndarray, mime: str, quality: int = 92) -> bytes:
    """Encode uint8 pixels. JPEG has no transparency and full chroma, so that thin coloured lines stay."""
    out = io.BytesIO()
    if mime == "image/png":
        picture = paletted(image) or Image.fromarray(np.ascontiguousarray(image))
        picture.save(out, "PNG", compress_level=4)
        return out.getvalue()
    picture = Image.fromarray(np.ascontiguousarray(image))
    if mime == "image/webp":
        picture.save(out, "WEBP", quality=quality, method=2)
    else:
        picture.save(out, "JPEG", quality=quality, subsampling=0)
    return out.getvalue()


def encode(image: np.ndarray, exact: bool = False) -> Encoded:
    """Encode a picture for the screen: PNG where every pixel counts (exact, alpha, small), else JPEG.

    A picture of more than SHOWN_PIXELS is shrunk; the mount still speaks of its own pixels.
    """
    shown = shrink(image, SHOWN_PIXELS)
    pixels = shown.shape[0] * shown.shape[1]
    lossless = shown.ndim == 3 and shown.shape[2] == 4 or pixels <= (LOSSLESS_PIXELS if exact else 128 * 128)
    mime = "image/png" if lossless else "image/jpeg"
    data = file_bytes(shown, mime, 94)
    return Encoded(
        data, mime, shown.shape[1], shown.shape[0], hashlib.blake2b(data, digest_size=8).hexdigest()
    )


def pack(header: dict[str, Any], files: Sequence[Encoded] = (), known: Collection[str] = ()) -> bytes:
    """One message: the header gets the list `files`, then the files follow one another.

    known: ids of files that the browser has already; only their description is sent (size 0).
    """
    sent = [b"" if f.id in known else f.data for f in files]
    described = [
        dict(mime=f.mime, size=len(data), id=f.id, width=f.width, height=f.height)
        for f, data in zip(files, sent, strict=True)
    ]
    text = json.dumps(header | {"files": described}, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(text)) + text + b"".join(sent)


def unpack(message: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The inverse of `pack` (the browser does the same; here for tests)."""
    (size,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + size])
    at, files = 4 + size, []
    for described in header["files"]:
        files.append(message[at : at + described["size"]])
        at += described["size"]
    return header, files
