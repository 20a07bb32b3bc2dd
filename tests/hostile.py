"""Files that a user might upload and that must not harm the app, built by code.

`hostile_files()` gives the thirteen of them with what is right for each; used by the decoder's tests and by the
browser tests.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import pillow_heif
from PIL import Image

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="red"/></svg>'


@dataclass(frozen=True)
class Expected:
    """Either `refused` (the message id of the sentence) or a decoded picture of size (width, height).

    notes: message ids shown with the picture. corner: the RGB of its top left pixel, within 12 steps.
    """

    refused: str = ""
    size: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()
    corner: tuple[int, int, int] | None = None


def photo(width: int = 96, height: int = 64) -> Image.Image:
    """A picture with a smooth ramp, an edge and some texture; its top left pixel is (200, 40, 60)."""
    y, x = np.mgrid[:height, :width]
    red = 200 - 150 * x / max(1, width - 1)
    green = 40 + 180 * y / max(1, height - 1)
    blue = np.where(x + y > (width + height) / 2, 220, 60) + 10 * np.sin(x * y / 7)
    return Image.fromarray(np.dstack([red, green, blue]).round().astype(np.uint8))


def saved(image: Image.Image, fmt: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, fmt, **options)
    return buffer.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *extra: bytes) -> bytes:
    """A PNG from its raw scan lines, for the depths that Pillow does not write."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    body = (
        chunk(b"IHDR", header)
        + b"".join(extra)
        + chunk(b"IDAT", zlib.compress(rows, 1))
        + chunk(b"IEND", b"")
    )
    return b"\x89PNG\r\n\x1a\n" + body


def png_bomb(side: int = 12_000) -> bytes:
    """A grey PNG of side x side pixels in a few kB (valid: it really would unpack)."""
    packer = zlib.compressobj(9)
    row = bytes(side // 8 + 1)
    body = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def sixteen_bit_png() -> bytes:
    """16-bit grey: black, middle grey and white columns; a decoder that clips shows the middle white."""
    row = b"\0" + struct.pack(">12H", *[32_896] * 4, *[0] * 4, *[65_535] * 4)
    return png(12, 10, 16, 0, row * 10)


def rotated_jpeg() -> bytes:
    """96 x 64 pixels lying on their side: EXIF orientation 6 asks for a turn by 90 degrees to the right."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Vitrine"
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 51.0, 29.6), 3: "E", 4: (2.0, 17.0, 40.2)})
    upright = photo(64, 96)
    return saved(upright.transpose(Image.Transpose.ROTATE_90), "JPEG", quality=95, subsampling=0, exif=exif)


def transparent_palette_png() -> bytes:
    """A palette of three colours, one of them half transparent and one invisible."""
    image = Image.new("P", (20, 10), 0)
    image.putpalette([200, 40, 60, 0, 255, 0, 0, 0, 255])
    image.paste(1, (7, 0, 14, 10))
    image.paste(2, (14, 0, 20, 10))
    return saved(image, "PNG", transparency=bytes([255, 128, 0]))


def animated_gif() -> bytes:
    frames = [Image.new("RGB", (24, 16), colour) for colour in ((200, 40, 60), (0, 0, 255), (0, 255, 0))]
    return saved(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=80)


def heic() -> bytes:
    buffer = BytesIO()
    pillow_heif.from_pillow(photo()).save(buffer, quality=90)
    return buffer.getvalue()


def files() -> Iterator[tuple[str, bytes, Expected]]:
    whole = saved(photo(400, 300), "JPEG", quality=90)
    yield "truncated.jpg", whole[: len(whole) // 2], Expected(refused="image.damaged")
    yield "bomb.png", png_bomb(), Expected(refused="image.too_many_pixels")
    cmyk = saved(Image.new("CMYK", (40, 30), (0, 255, 255, 0)), "JPEG", quality=95)
    yield "cmyk.jpg", cmyk, Expected(size=(40, 30), notes=("image.note.converted",), corner=(255, 0, 0))
    yield (
        "sixteen.png",
        sixteen_bit_png(),
        Expected(size=(12, 10), notes=("image.note.eight_bits",), corner=(128, 128, 128)),
    )
    dot = saved(Image.new("RGB", (1, 1), (200, 40, 60)), "PNG")
    yield "dot.png", dot, Expected(size=(1, 1), notes=("image.note.tiny",), corner=(200, 40, 60))
    strip = saved(photo(20_000, 10), "PNG")
    yield "strip.png", strip, Expected(size=(20_000, 10), notes=("image.note.strip",), corner=(200, 40, 60))
    yield (
        "animated.gif",
        animated_gif(),
        Expected(size=(24, 16), notes=("image.note.first_frame",), corner=(200, 40, 60)),
    )
    yield "rotated.jpg", rotated_jpeg(), Expected(size=(64, 96), corner=(200, 40, 60))
    yield "notes.png", "Just some notes, über alles.\n".encode() * 9, Expected(refused="image.text")
    yield "empty.png", b"", Expected(refused="image.empty")
    yield "drawing.svg", SVG, Expected(refused="image.vector")
    yield "palette.png", transparent_palette_png(), Expected(size=(20, 10), corner=(200, 40, 60))
    yield "phone.heic", heic(), Expected(size=(96, 64), corner=(200, 40, 60))


def hostile_files() -> list[tuple[str, bytes, Expected]]:
    """The thirteen uploads: (file name, its bytes, what is right)."""
    return list(files())
