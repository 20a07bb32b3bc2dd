"""Image files in, pixels out, and back again. numpy and Pillow only.

`decode` reads what a user uploads: every raster format that Pillow knows, and HEIC. It refuses by the size that
the header states before any pixel is decoded, it applies the orientation, and it answers everything that it cannot
read with a BadImage whose reason is a message id. `encode` writes a file with the transparency, the colour profile
and the camera's notes of the original, and without its location.

Colours: pixels stay in the file's own RGB encoding (`Picture.rgb`), so that an upscaled file can carry the original
profile and lose no colour. `Picture.srgb` is what a screen and a network expect. CMYK, Lab and grey profiles have
no place in an RGB file: those pixels are converted to sRGB at once.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import ExifTags, Image, ImageCms, UnidentifiedImageError

from app.settings import settings

MAX_SIDE = 65_535  # the longest side that JPEG and most viewers hold
STRIP = 20  # from this ratio of sides on, a note says what a network will see of the picture
STRIP_NOTE = "image.note.strip"
TINY = 8  # the same below this many pixels a side

# Left out: EPS and WMF run a drawing program, the others need a handler that is not there or hold no still picture.
LEFT_OUT = frozenset({"BUFR", "EPS", "GRIB", "HDF5", "IPTC", "MPEG", "WMF"})
RAW_SUFFIXES = frozenset(
    {".3fr", ".arw", ".cr2", ".cr3", ".dng", ".erf", ".nef", ".nrw", ".orf", ".pef", ".raf", ".rw2", ".srw"}
)
NOT_READ = (  # (offset, bytes there, name): known files that are no raster image Pillow reads
    (0, b"\xff\x0a", "JPEG XL"),
    (0, b"\0\0\0\x0cJXL ", "JPEG XL"),
    (0, b"PK\x03\x04", "ZIP"),
    (0, b"\x1f\x8b", "GZIP"),
    (0, b"\x1aE\xdf\xa3", "WebM"),
    (4, b"ftypcrx", "RAW"),
    (4, b"ftypisom", "MP4"),
    (4, b"ftypmp4", "MP4"),
    (4, b"ftypqt", "MOV"),
    (8, b"CR\x02", "RAW"),
    (0, b"FUJIFILM", "RAW"),
)
DAMAGED = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"RIFF",
    b"8BPS",
    b"qoif",
    b"\0\0\0\x0cjP",
)

EXTENSION = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "TIFF": "tif"}
MIME = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "TIFF": "image/tiff"}
SAVE_OPTIONS: dict[str, dict[str, object]] = {
    "PNG": dict(compress_level=4),
    "JPEG": dict(quality=95, subsampling=0),
    "WEBP": dict(quality=95, alpha_quality=100),
    "TIFF": dict(compression="tiff_adobe_deflate"),
}
LONGEST = {"JPEG": 65_535, "WEBP": 16_383}  # pixels a side that the format can hold
KERNELS = {
    "nearest": Image.Resampling.NEAREST,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}

pillow_heif.register_heif_opener()
warnings.filterwarnings(
    "ignore", category=Image.DecompressionBombWarning
)  # our own, lower limit is checked below


class BadImage(ValueError):
    """A file that is not taken. `reason` is a message id, `details` the numbers and names in its sentence."""

    def __init__(self, reason: str, **details: object):
        super().__init__(f"{reason}: {details}" if details else reason)
        self.reason, self.details = reason, details


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded image, upright.

    rgb: uint8 (H, W, 3) in the file's own RGB encoding. alpha: uint8 (H, W), None where all is opaque; pixels that it
    hides altogether have the colour of their visible neighbours.
    icc: the profile of `rgb`, None for sRGB. exif: what the camera noted, without location, orientation, thumbnail
    and maker notes. format: Pillow's name. notes: message ids that the user should read. sha: SHA-256 of the file.
    The arrays are read-only: pictures are shared between sessions.
    """

    rgb: np.ndarray
    alpha: np.ndarray | None = None
    icc: bytes | None = None
    exif: bytes | None = None
    format: str = "PNG"
    notes: tuple[str, ...] = ()
    sha: str = ""

    @property
    def height(self) -> int:
        return self.rgb.shape[0]

    @property
    def width(self) -> int:
        return self.rgb.shape[1]

    @cached_property
    def srgb(self) -> np.ndarray:
        """uint8 (H, W, 3) for a screen or a network; the very array `rgb` where it is sRGB already."""
        return to_srgb(self.rgb, self.icc)

    def flattened(self, background: tuple[int, int, int] = (255, 255, 255)) -> np.ndarray:
        """`srgb` laid on one colour where it is transparent, uint8 (H, W, 3)."""
        return self.srgb if self.alpha is None else _lay_on(self.srgb, self.alpha, background)

    def with_pixels(self, rgb: np.ndarray) -> Picture:
        """The same picture with other pixels, for example upscaled ones: the alpha is resized to them."""
        alpha = self.alpha
        if alpha is not None and alpha.shape != rgb.shape[:2]:
            alpha = resize(alpha, (rgb.shape[1], rgb.shape[0]), "bicubic")
        return replace(self, rgb=rgb, alpha=alpha)


# ---------------------------------------------------------------- reading


def decode(data: bytes, name: str = "") -> Picture:
    """Read an image file. `name` is only looked at for the ending of camera raw files, and kept nowhere.

    Raises BadImage, and nothing else, where the file is empty, too large (bytes, pixels or sides), no image,
    a kind that is not read (vector, PDF, raw, video), damaged or cut short.
    """
    _check_bytes(data, name)
    _check_hidden_sizes(data)
    try:
        with Image.open(BytesIO(data), formats=_formats()) as image:
            _check_size(*image.size)
            _check_kind(image)
            image.load()
            _check_size(*image.size)  # an icon's real size is known only now
            return _picture(image, data)
    except BadImage:
        raise
    except UnidentifiedImageError:
        raise _not_identified(data) from None
    except Image.DecompressionBombError as error:
        pixels = re.search(r"\((\d+) pixels\)", str(error))
        raise _too_many_pixels(int(pixels[1]) if pixels else 2 * (Image.MAX_IMAGE_PIXELS or 0)) from None
    except MemoryError:
        raise BadImage("image.out_of_memory") from None
    except (
        Exception
    ):  # Pillow's plugins meet damaged files with every kind of exception, SyntaxError included
        raise BadImage("image.damaged") from None


@cache
def _formats() -> tuple[str, ...]:
    Image.init()
    return tuple(name for name in Image.ID if name not in LEFT_OUT)


def _check_bytes(data: bytes, name: str) -> None:
    """Refuse what its first bytes, its length or its ending already tell."""
    limit = settings().max_upload_mb
    if not data:
        raise BadImage("image.empty")
    if len(data) > limit * 1e6:
        raise BadImage("image.too_many_bytes", megabytes=_rounded(len(data) / 1e6), limit=_rounded(limit))
    start = data[:4096].lstrip(b"\xef\xbb\xbf\0 \t\r\n")
    if start.startswith(b"%PDF"):
        raise BadImage("image.pdf")
    if (
        start.startswith((b"%!PS", b"\xc5\xd0\xd3\xc6", b"\xd7\xcd\xc6\x9a"))
        or data[40:44] == b" EMF"
        or _is_svg(start)
    ):
        raise BadImage("image.vector")
    for offset, magic, kind in NOT_READ:
        if data[offset : offset + len(magic)] == magic:
            raise BadImage("image.raw") if kind == "RAW" else BadImage("image.not_read", kind=kind)
    if Path(name).suffix.lower() in RAW_SUFFIXES:
        raise BadImage("image.raw")


def _is_svg(start: bytes) -> bool:
    text = start.replace(b"\0", b"").lower()  # UTF-16 too
    return text.lstrip(b"\xff\xfe").startswith(b"<") and b"<svg" in text


def _check_size(width: int, height: int) -> None:
    """Refuse by the sides that the header states. Small and long pictures are legal."""
    least = int(settings().min_input_side)
    if min(width, height) < max(1, least):
        raise BadImage("image.too_small", width=width, height=height, limit=max(1, least))
    if max(width, height) > MAX_SIDE:
        raise BadImage("image.too_long", side=max(width, height), limit=MAX_SIDE)
    if width * height > settings().max_input_megapixels * 1e6:
        raise _too_many_pixels(width * height)


def _too_many_pixels(pixels: int) -> BadImage:
    limit = _rounded(settings().max_input_megapixels)
    return BadImage("image.too_many_pixels", megapixels=_rounded(pixels / 1e6), limit=limit)


def _rounded(number: float) -> str:
    """A number for a sentence: three figures, no trailing zeros."""
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"


def _check_hidden_sizes(data: bytes) -> None:
    """Icons wrap whole PNG and JPEG 2000 files, decoded at sizes that the icon's own header does not state."""
    if not data.startswith((b"\0\0\1\0", b"\0\0\2\0", b"icns")):
        return
    for found in re.finditer(
        rb"IHDR(.{4})(.{4})|ihdr(.{4})(.{4})|\xff\x4f\xff\x51.{4}(.{4})(.{4})", data, re.DOTALL
    ):
        first, second = (int.from_bytes(side, "big") for side in found.groups() if side is not None)
        if first * second > settings().max_input_megapixels * 1e6:
            raise _too_many_pixels(first * second)


def _check_kind(image: Image.Image) -> None:
    """Refuse a camera's raw file: the first picture in it is a small preview, which would be taken for the photo."""
    if image.format == "TIFF":
        tags = image.getexif()
        if 50706 in tags or tags.get(254) == 1:  # DNGVersion, "reduced resolution"
            raise BadImage("image.raw")
    if any(tile[0] == "fits_gzip" for tile in getattr(image, "tile", ())):
        raise BadImage("image.not_read", kind="FITS (gzip)")  # older Pillows unpack it without a limit


def _not_identified(data: bytes) -> BadImage:
    if data.startswith(DAMAGED) or data[4:8] == b"ftyp":
        return BadImage("image.damaged")
    try:
        text = data[:4096].decode("utf-8", errors="strict" if len(data) <= 4096 else "ignore")
    except UnicodeDecodeError:
        return BadImage("image.not_an_image")
    printable = sum(letter.isprintable() or letter.isspace() for letter in text)
    return BadImage("image.text" if text and printable == len(text) else "image.not_an_image")


def _picture(image: Image.Image, data: bytes) -> Picture:
    """Turn a loaded image upright, bring it to 8-bit RGB, and note what was done to it."""
    kind, exif = image.format or "", _exif(image)
    notes = []
    if kind != "PSD" and kind != "MPO" and _frames(image):  # layers and stereo pairs are one picture
        notes.append("image.note.first_frame")
    upright = _upright(image)
    rgb, alpha, icc, said = _to_rgb(upright)
    notes += said
    if _is_deep(image, data) and "image.note.stretched" not in notes:
        notes.append("image.note.eight_bits")
    height, width = rgb.shape[:2]
    if max(width, height) >= STRIP * min(width, height):
        notes.append(STRIP_NOTE)
    if min(width, height) < TINY:
        notes.append("image.note.tiny")
    digest = hashlib.sha256(data).hexdigest()
    return Picture(rgb, alpha, icc, exif, kind, tuple(dict.fromkeys(notes)), digest)


def _frames(image: Image.Image) -> bool:
    """Whether the file holds more than the first picture. A damaged second frame does not matter."""
    try:
        return bool(getattr(image, "is_animated", False))
    except Exception:
        return False


def _is_deep(image: Image.Image, data: bytes) -> bool:
    """Whether the file holds more than 8 bits a sample."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return True
    if image.format == "PNG":
        return data[24:25] == b"\x10"
    bits = image.getexif().get(258, 8) if image.format == "TIFF" else 8
    return any(isinstance(b, int) and b > 8 for b in (bits if isinstance(bits, tuple) else (bits,)))


TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _upright(image: Image.Image) -> Image.Image:
    """Apply the orientation that the file states (asked for after loading: TIFF and HEIF turn themselves)."""
    try:
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:
        return image
    turn = TURNS.get(orientation) if isinstance(orientation, int) else None
    if turn is None:
        return image
    turned = image.transpose(turn)
    turned.info = image.info
    return turned


# ---------------------------------------------------------------- pixels


def _to_rgb(image: Image.Image) -> tuple[np.ndarray, np.ndarray | None, bytes | None, list[str]]:
    """rgb (H, W, 3), alpha (H, W) or None, the profile that rgb is in, and notes, from an image of any mode."""
    notes: list[str] = []
    icc = image.info.get("icc_profile") or None
    space = _space_of(icc)
    if icc is not None and space is None:
        notes.append("image.note.bad_profile")
    alpha: np.ndarray | None = None
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        key = image.info.get("transparency")
        values = np.asarray(image)
        if isinstance(key, int) and image.mode != "F":
            alpha = np.where(values == key, 0, 255).astype(np.uint8)
        grey, stretched = _eight_bits(values)
        if stretched:
            notes.append("image.note.stretched")
        image = Image.fromarray(grey)
    elif image.has_transparency_data:
        grey_pair = image.mode in ("L", "LA", "La")
        both = image.convert("LA" if grey_pair else "RGBA")
        alpha = np.asarray(both.getchannel("A"))
        image = both.convert("L" if grey_pair else "RGB")
    elif image.mode in ("1", "P"):
        image = image.convert("L" if image.mode == "1" else "RGB")

    kept: bytes | None = None
    if image.mode == "LAB":
        image = _convert(image, ImageCms.createProfile("LAB"))
        notes.append("image.note.converted")
    elif image.mode == "CMYK":
        converted = _try_convert(image, icc) if space == "CMYK" else None
        image = image.convert("RGB") if converted is None else converted
        notes.append("image.note.converted")
    elif image.mode == "L" and space == "GRAY":
        converted = _try_convert(image, icc)
        image = image.convert("RGB") if converted is None else converted
    else:
        image = image if image.mode == "RGB" else image.convert("RGB")
        kept = icc if space == "RGB" else None
    if alpha is not None and alpha.min(initial=255) == 255:
        alpha = None
    if alpha is not None:
        image = _fill_invisible(image, alpha)
    return _pixels(image), None if alpha is None else _frozen(alpha), kept, notes


def _fill_invisible(image: Image.Image, alpha: np.ndarray) -> Image.Image:
    """Give fully transparent pixels of an RGB image the colour of what is visible near them.

    Drawings often hide black there, and a network or a resampling would drag it into the edge as a dark fringe.
    Halve the picture, weighted by alpha, until every pixel has a colour; then fill each level from the coarser one.
    """
    if alpha.min(initial=255) > 0 or not alpha.any():
        return image
    level = image.copy()
    level.putalpha(Image.fromarray(alpha))
    level = level.convert("RGBa")  # premultiplied: what is invisible weighs nothing
    levels = [level]
    while max(level.size) > 1:
        level = level.reduce(2)
        levels.append(level)
    filled = levels.pop().convert("RGBA").convert("RGB")
    while levels:
        level = levels.pop()
        visible = level.getchannel("a").point([0] + [255] * 255)
        own = image if not levels else level.convert("RGBA").convert("RGB")
        filled = Image.composite(own, filled.resize(level.size, Image.Resampling.BILINEAR), visible)
    return filled


def _pixels(image: Image.Image) -> np.ndarray:
    """uint8 (H, W, 3) of an RGB image, copied in bands: at once it would take the memory of two more copies."""
    width, height = image.size
    rgb = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, 256):
        rgb[top : top + 256] = np.asarray(image.crop((0, top, width, min(height, top + 256))))
    return _frozen(rgb)


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _eight_bits(values: np.ndarray) -> tuple[np.ndarray, bool]:
    """Grey values of any depth as uint8, and whether their own range was stretched to black and white.

    16-bit values count to 65535. Wider integers and floats state no range: [0, 1], [0, 255] and [0, 65535] are
    taken for what they look like, everything else is stretched from its smallest to its largest finite value.
    """
    if values.dtype.itemsize == 2 and values.dtype.kind == "u":
        table = ((np.arange(65_536) * 255 + 32_767) // 65_535).astype(np.uint8)
        return table[values], False
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return np.zeros(values.shape, np.uint8), True
    low, high = float(finite.min()), float(finite.max())
    stretched = False
    if values.dtype.kind == "f" and low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= 0 and high <= 255:
        low, high = 0.0, 255.0
    elif low >= 0 and high <= 65_535:
        low, high = 0.0, 65_535.0
    else:
        stretched = True
    span = high - low or 1.0
    scaled = np.nan_to_num(values.astype(np.float64), nan=low, posinf=high, neginf=low)
    return np.rint((scaled - low) * (255 / span)).clip(0, 255).astype(np.uint8), stretched


@lru_cache(maxsize=32)
def _space_of(icc: bytes | None) -> str | None:
    """The colour space of a profile: "RGB", "GRAY", "CMYK", ...; None where there is none or it is broken."""
    if icc is None:
        return None
    try:
        space = ImageCms.ImageCmsProfile(BytesIO(icc)).profile.xcolor_space.strip()
        if space == "RGB":
            _transform_of(icc, "RGB")
        return space
    except Exception:
        return None


def _transform_of(source: bytes | ImageCms.core.CmsProfile, mode: str) -> ImageCms.ImageCmsTransform:
    """From a profile to sRGB, as a photo editor does it: relative colorimetric, black point compensated."""
    profile = ImageCms.ImageCmsProfile(BytesIO(source) if isinstance(source, bytes) else source)
    return ImageCms.buildTransform(
        profile,
        ImageCms.createProfile("sRGB"),
        mode,
        "RGB",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def _convert(image: Image.Image, source: bytes | ImageCms.core.CmsProfile) -> Image.Image:
    converted = ImageCms.applyTransform(image, _transform_of(source, image.mode))
    assert converted is not None  # only None when done in place
    return converted


def _try_convert(image: Image.Image, icc: bytes | None) -> Image.Image | None:
    """To sRGB by the file's own profile; None where the profile does not fit its pixels."""
    try:
        return None if icc is None else _convert(image, icc)
    except Exception:
        return None


@lru_cache(maxsize=32)
def _is_srgb(icc: bytes) -> bool:
    """Whether a profile moves no colour of a 9 x 9 x 9 grid by more than one step from sRGB."""
    steps = np.linspace(0, 255, 9).astype(np.uint8)
    grid = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(27, 27, 3)
    moved = np.asarray(_convert(Image.fromarray(grid), icc)).astype(int)
    return int(np.abs(moved - grid).max()) <= 1


def to_srgb(rgb: np.ndarray, icc: bytes | None) -> np.ndarray:
    """Pixels of an RGB profile as sRGB, uint8 (H, W, 3); the array itself where there is nothing to convert."""
    if icc is None or _is_srgb(icc):
        return rgb
    return _frozen(np.asarray(_convert(Image.fromarray(rgb), icc)))


def _lay_on(rgb: np.ndarray, alpha: np.ndarray, background: tuple[int, int, int]) -> np.ndarray:
    ground = Image.new("RGB", (rgb.shape[1], rgb.shape[0]), background)
    return np.asarray(Image.composite(Image.fromarray(rgb), ground, Image.fromarray(alpha)))


def resize(pixels: np.ndarray, size: tuple[int, int], kernel: str = "bicubic") -> np.ndarray:
    """Pillow's (antialiased) resampling of uint8 (H, W) or (H, W, 3) to size (width, height)."""
    return np.asarray(Image.fromarray(np.ascontiguousarray(pixels)).resize(size, KERNELS[kernel]))


def shrink(rgb: np.ndarray, factor: int) -> tuple[np.ndarray, np.ndarray]:
    """(small, truth): the picture cut to whole multiples of `factor`, and Pillow's bicubic reduction of it.

    The pair on which super-resolution is scored. Raises BadImage where a side is shorter than the factor.
    """
    height, width = (side - side % factor for side in rgb.shape[:2])
    if min(height, width) < factor:
        raise BadImage("image.too_small", width=rgb.shape[1], height=rgb.shape[0], limit=factor)
    truth = np.ascontiguousarray(rgb[:height, :width])
    return resize(truth, (width // factor, height // factor), "bicubic"), truth


# ---------------------------------------------------------------- EXIF

# What a camera says of the exposure. Tags are kept by name, not dropped by name: a place can hide in the GPS block,
# in maker notes, in XMP, in IPTC records, in comments of unknown tags. Thumbnails show what a crop took away.
KEPT_TAGS = (
    ExifTags.Base.ImageDescription,
    ExifTags.Base.Make,
    ExifTags.Base.Model,
    ExifTags.Base.Software,
    ExifTags.Base.DateTime,
    ExifTags.Base.Artist,
    ExifTags.Base.Copyright,
)
KEPT_CAMERA_TAGS = (
    ExifTags.Base.ExposureTime,
    ExifTags.Base.FNumber,
    ExifTags.Base.ExposureProgram,
    ExifTags.Base.ISOSpeedRatings,
    ExifTags.Base.ExifVersion,
    ExifTags.Base.DateTimeOriginal,
    ExifTags.Base.DateTimeDigitized,
    ExifTags.Base.ShutterSpeedValue,
    ExifTags.Base.ApertureValue,
    ExifTags.Base.BrightnessValue,
    ExifTags.Base.ExposureBiasValue,
    ExifTags.Base.MaxApertureValue,
    ExifTags.Base.MeteringMode,
    ExifTags.Base.LightSource,
    ExifTags.Base.Flash,
    ExifTags.Base.FocalLength,
    ExifTags.Base.ColorSpace,
    ExifTags.Base.ExposureMode,
    ExifTags.Base.WhiteBalance,
    ExifTags.Base.DigitalZoomRatio,
    ExifTags.Base.FocalLengthIn35mmFilm,
    ExifTags.Base.SceneCaptureType,
    ExifTags.Base.LensMake,
    ExifTags.Base.LensModel,
)


def _exif(image: Image.Image) -> bytes | None:
    """The EXIF block to save again, or None. Broken blocks are dropped."""
    try:
        found = image.getexif()
        camera = found.get_ifd(ExifTags.IFD.Exif)
        kept = Image.Exif()
        for tag in KEPT_TAGS:
            if tag in found:
                kept[tag] = found[tag]
        noted = {int(tag): camera[tag] for tag in KEPT_CAMERA_TAGS if tag in camera}
        if noted:
            kept.get_ifd(ExifTags.IFD.Exif).update(noted)
        return kept.tobytes() if len(kept) or noted else None
    except Exception:
        return None


# ---------------------------------------------------------------- writing


def encode(picture: Picture, fmt: str = "PNG") -> bytes:
    """A file of one of the formats of EXTENSION, with the picture's alpha, profile and EXIF.

    JPEG holds no transparency: the picture is laid on white. Raises BadImage where a side is too long for the format.
    """
    limit = LONGEST.get(fmt, MAX_SIDE * 8)
    if max(picture.height, picture.width) > limit:
        side = max(picture.height, picture.width)
        raise BadImage("image.cannot_save", format=fmt, side=side, limit=limit)
    rgb = np.ascontiguousarray(picture.rgb)
    if picture.alpha is None:
        image = Image.fromarray(rgb)
    elif fmt == "JPEG":
        image = Image.fromarray(_lay_on(rgb, picture.alpha, (255, 255, 255)))
    else:
        image = Image.fromarray(rgb)
        image.putalpha(Image.fromarray(picture.alpha))  # in place: no second copy of a large picture
    options: dict[str, object] = dict(SAVE_OPTIONS[fmt])
    if picture.icc is not None:
        options["icc_profile"] = picture.icc
    if picture.exif is not None:
        options["exif"] = picture.exif
        options.pop("compression", None)  # libtiff takes no EXIF block; Pillow's own, plain TIFF does
    buffer = BytesIO()
    image.save(buffer, fmt, **options)
    return buffer.getvalue()
