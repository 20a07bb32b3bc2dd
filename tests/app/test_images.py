"""Pictures in and out: the hostile uploads, every format and mode, colours, location removed, damaged files."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from typing import Any

import numpy as np
import pillow_heif
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageCms

from app import images
from app.assets.samples import FOLDER, SAMPLES
from app.images import BadImage, Picture, decode, encode, shrink, to_srgb
from app.text import t, using
from tests.hostile import Expected, chunk, hostile_files, photo, png, rotated_jpeg, saved

HOSTILE = hostile_files()


def told(error: BadImage) -> str:
    """The sentence of an error in both languages; a missing one, or a missing number, raises."""
    sentences = []
    for language in ("en", "zh"):
        with using(language):
            sentences.append(t(error.reason, **error.details))
    assert all(len(s) > 1 and "{" not in s for s in sentences)
    return sentences[0]


@pytest.mark.parametrize(("name", "data", "right"), HOSTILE, ids=[name for name, _, _ in HOSTILE])
def test_hostile_uploads(name: str, data: bytes, right: Expected) -> None:
    if right.refused:
        with pytest.raises(BadImage) as caught:
            decode(data, name)
        assert caught.value.reason == right.refused
        told(caught.value)
        return
    picture = decode(data, name)
    assert (picture.width, picture.height) == right.size
    assert picture.notes == right.notes
    assert picture.rgb.dtype == np.uint8 and picture.rgb.shape == (*right.size[::-1], 3)
    assert right.corner is None or np.abs(picture.rgb[0, 0].astype(int) - right.corner).max() <= 12
    assert len(picture.sha) == 64
    assert decode(encode(picture, "PNG")).rgb.tobytes() == picture.rgb.tobytes()
    for note in picture.notes:
        told(BadImage(note))


def test_there_are_thirteen() -> None:
    assert len(HOSTILE) == 13


# ---------------------------------------------------------------- limits


def test_limits_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(photo(200, 100), "PNG")
    monkeypatch.setenv("VITRINE_MAX_INPUT_MEGAPIXELS", "0.01")
    with pytest.raises(BadImage) as caught:
        decode(data)
    assert caught.value.details == dict(megapixels="0.02", limit="0.01")
    assert "0.02 megapixels" in told(caught.value)
    monkeypatch.setenv("VITRINE_MAX_INPUT_MEGAPIXELS", "1")
    monkeypatch.setenv("VITRINE_MAX_UPLOAD_MB", "0.001")
    with pytest.raises(BadImage) as caught:
        decode(data)
    assert caught.value.reason == "image.too_many_bytes" and told(caught.value)
    monkeypatch.setenv("VITRINE_MAX_UPLOAD_MB", "1")
    monkeypatch.setenv("VITRINE_MIN_INPUT_SIDE", "101")
    with pytest.raises(BadImage) as caught:
        decode(data)
    assert caught.value.details == dict(width=200, height=100, limit=101) and told(caught.value)


def test_a_side_longer_than_files_hold() -> None:
    with pytest.raises(BadImage) as caught:
        decode(saved(Image.new("L", (70_000, 1)), "PNG"))
    assert caught.value.reason == "image.too_long" and told(caught.value)


def _lying_headers() -> dict[str, bytes]:
    """Small files that claim to be huge, in the formats whose header is easy to forge."""
    huge = 30_000
    gif = bytearray(saved(photo(), "GIF"))
    gif[6:10] = huge.to_bytes(2, "little") * 2
    bmp = bytearray(saved(photo(), "BMP"))
    bmp[18:26] = huge.to_bytes(4, "little") * 2
    tiff = bytearray(saved(photo(), "TIFF"))
    for tag in (b"\x00\x01", b"\x01\x01"):
        at = tiff.find(tag, tiff.find(b"\x00\x01"))
        kind = tiff[at + 2]
        tiff[at + 8 : at + 12] = (
            huge.to_bytes(4, "little") if kind == 4 else huge.to_bytes(2, "little") + b"\0\0"
        )
    webp = bytearray(saved(photo(), "WEBP", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"))
    at = webp.find(b"VP8X") + 12
    webp[at : at + 6] = (16_383 - 1).to_bytes(3, "little") * 2
    jpeg = bytearray(saved(photo(), "JPEG"))
    at = jpeg.find(b"\xff\xc0") + 5
    jpeg[at : at + 4] = huge.to_bytes(2, "big") * 2
    ico = BytesIO()
    Image.new("RGBA", (16, 16)).save(ico, "ICO", sizes=[(16, 16)])
    icon = bytearray(ico.getvalue())
    at = icon.find(b"IHDR") + 4
    icon[at : at + 8] = huge.to_bytes(4, "big") * 2
    ppm = b"P6 30000 30000 255\n" + bytes(100)
    qoi = b"qoif" + huge.to_bytes(4, "big") * 2 + b"\x03\0" + bytes(100)
    files: dict[str, bytes | bytearray] = dict(
        gif=gif, bmp=bmp, tiff=tiff, webp=webp, jpeg=jpeg, icon=icon, ppm=ppm, qoi=qoi
    )
    return {name: bytes(data) for name, data in files.items()}


LYING = _lying_headers()


@pytest.mark.parametrize("name", LYING)
def test_headers_that_claim_hundreds_of_megapixels(name: str) -> None:
    with pytest.raises(BadImage) as caught:
        decode(LYING[name])
    assert caught.value.reason in ("image.too_many_pixels", "image.damaged")
    if name not in ("webp",):  # its frame contradicts its canvas, which is found first
        assert caught.value.reason == "image.too_many_pixels"
    told(caught.value)


def test_bombs_take_no_memory() -> None:
    """The peak of a process that opens every bomb stays near what it had before."""
    code = """
import resource, sys
from tests.app.test_images import LYING
from tests.hostile import photo, png_bomb, saved
from app.images import BadImage, decode
decode(saved(photo(), "PNG"))
bombs = [*LYING.values(), png_bomb(20_000)]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for data in bombs:
    try:
        decode(data)
        sys.exit("taken")
    except BadImage:
        pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    grown = int(done.stdout) / (1024 if sys.platform != "darwin" else 1024**2)
    assert grown < 60, f"{grown:.0f} MB"


# ---------------------------------------------------------------- what is no picture


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\n\xef\xbb\xbf<?xml version='1.0'?><!-- x --><svg/>", "image.vector"),
        ('<?xml version="1.0" encoding="UTF-16"?><svg/>'.encode("utf-16"), "image.vector"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "image.vector"),
        (b"\xd7\xcd\xc6\x9a" + bytes(60), "image.vector"),
        (b"%PDF-1.7\n", "image.pdf"),
        (b"PK\x03\x04" + bytes(60), "image.not_read"),
        (b"\xff\x0a" + bytes(60), "image.not_read"),
        (b"\0\0\0\x20ftypisom" + bytes(60), "image.not_read"),
        (b"II*\0\x10\0\0\0CR\x02\0" + bytes(60), "image.raw"),
        (b"\x89PNG\r\n\x1a\n", "image.damaged"),
        (b"\xff\xd8\xff", "image.damaged"),
        (b"\0\0\0\x20ftypheic" + bytes(9), "image.damaged"),
        (b"\x00", "image.not_an_image"),
        (bytes(range(256)) * 9, "image.not_an_image"),
        ("文字" * 3000, "image.text"),
        (b"#!/bin/sh\nrm -rf /\n", "image.text"),
    ],
)
def test_other_files(data: bytes | str, reason: str) -> None:
    with pytest.raises(BadImage) as caught:
        decode(data.encode() if isinstance(data, str) else data)
    assert caught.value.reason == reason
    told(caught.value)


def test_camera_raw_by_its_ending() -> None:
    with pytest.raises(BadImage, match="image.raw"):
        decode(saved(photo(), "TIFF"), "DSC_0001.NEF")


# ---------------------------------------------------------------- formats and modes

LOSSLESS: dict[str, dict[str, Any]] = {
    "PNG": {},
    "BMP": {},
    "DIB": {},
    "IM": {},
    "JPEG2000": dict(irreversible=False),
    "PCX": {},
    "PPM": {},
    "QOI": {},
    "SGI": {},
    "TGA": dict(compression="tga_rle"),
    "TIFF": dict(compression="tiff_lzw"),
    "WEBP": dict(lossless=True),
    "DDS": {},
    "ICO": {},
}
LOSSY: dict[str, dict[str, Any]] = {
    "JPEG": dict(quality=95, subsampling=0),
    "MPO": dict(quality=95, subsampling=0),
    "AVIF": dict(quality=95, subsampling="4:4:4"),
    "GIF": {},
}
PIXELS = arrays(np.uint8, st.tuples(st.integers(1, 24), st.integers(1, 24), st.just(3)))
MANY = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("fmt", LOSSLESS)
@MANY
@given(rgb=PIXELS)
def test_lossless_formats_give_the_same_pixels(fmt: str, rgb: np.ndarray) -> None:
    image = Image.fromarray(rgb)
    options = dict(LOSSLESS[fmt]) | (dict(sizes=[image.size]) if fmt == "ICO" else {})
    picture = decode(saved(image, fmt, **options))
    assert np.array_equal(picture.rgb, rgb)
    assert picture.alpha is None


@pytest.mark.parametrize("fmt", LOSSY)
def test_lossy_formats_come_close(fmt: str) -> None:
    picture = decode(saved(photo(), fmt, **LOSSY[fmt]))
    difference = np.abs(picture.rgb.astype(int) - np.asarray(photo()))
    assert picture.rgb.shape == (64, 96, 3) and difference.mean() < 6


@pytest.mark.parametrize("fmt", ["PNG", "WEBP", "TIFF", "TGA", "JPEG2000", "DDS", "QOI"])
@MANY
@given(rgba=arrays(np.uint8, st.tuples(st.integers(2, 16), st.integers(2, 16), st.just(4))))
def test_transparency_is_kept(fmt: str, rgba: np.ndarray) -> None:
    options = dict(lossless=True, exact=True) if fmt == "WEBP" else LOSSLESS[fmt]
    picture = decode(saved(Image.fromarray(rgba), fmt, **options))
    alpha = np.full(rgba.shape[:2], 255, np.uint8) if picture.alpha is None else picture.alpha
    assert np.array_equal(alpha, rgba[:, :, 3])
    assert np.array_equal(picture.rgb[alpha > 0], rgba[:, :, :3][alpha > 0])


@MANY
@given(rgba=arrays(np.uint8, st.tuples(st.integers(1, 16), st.integers(1, 16), st.just(4))))
@pytest.mark.parametrize("fmt", ["PNG", "TIFF"])
def test_our_own_files_give_the_picture_back(fmt: str, rgba: np.ndarray) -> None:
    solid = (rgba[:, :, 3] == 255).all()
    picture = Picture(rgba[:, :, :3], None if solid else rgba[:, :, 3])
    again = decode(encode(picture, fmt))
    assert np.array_equal(again.rgb[rgba[:, :, 3] > 0], picture.rgb[rgba[:, :, 3] > 0])
    assert (again.alpha is None) == (picture.alpha is None)
    assert again.alpha is None or np.array_equal(again.alpha, rgba[:, :, 3])


@pytest.mark.parametrize("fmt", list(images.EXTENSION))
def test_saved_files_keep_what_the_format_can(fmt: str) -> None:
    picture = decode(rotated_jpeg()).with_pixels(np.asarray(photo()))
    data = encode(Picture(picture.rgb, picture.rgb[:, :, 0], wide_gamut(), picture.exif), fmt)
    again = decode(data)
    assert again.icc == wide_gamut() and again.exif == picture.exif and again.format == fmt
    assert (again.alpha is None) == (fmt == "JPEG")


def test_formats_have_their_limits() -> None:
    strip = Picture(np.zeros((1, 70_000, 3), np.uint8))
    for fmt in ("JPEG", "WEBP"):
        with pytest.raises(BadImage) as caught:
            encode(strip, fmt)
        assert caught.value.reason == "image.cannot_save" and told(caught.value)
    assert len(encode(strip, "PNG")) > 0


def grey(values: np.ndarray, fmt: str = "TIFF") -> Picture:
    return decode(saved(Image.fromarray(values), fmt))


def test_sixteen_bits_are_scaled_not_clipped() -> None:
    ramp = np.linspace(0, 65_535, 256).round().astype(np.uint16)[None].repeat(2, 0)
    right = np.arange(256)
    for fmt in ("PNG", "TIFF"):
        picture = grey(ramp, fmt)
        assert np.abs(picture.rgb[0, :, 0].astype(int) - right).max() <= 1
        assert picture.notes[0] == "image.note.eight_bits"
    big_endian = png(256, 2, 16, 0, (b"\0" + ramp[0].astype(">u2").tobytes()) * 2)
    assert np.array_equal(decode(big_endian).rgb, grey(ramp).rgb)


@pytest.mark.parametrize(("colour", "channels"), [(2, 3), (4, 2), (6, 4)])
def test_sixteen_bit_colour_and_alpha(colour: int, channels: int) -> None:
    row = np.linspace(0, 65_535, 64 * channels).astype(">u2")
    picture = decode(png(64, 8, 16, colour, (b"\0" + row.tobytes()) * 8))
    values = (row.astype(float) / 257).reshape(64, channels)
    shown = values[:, :3] if channels > 2 else values[:, :1].repeat(3, 1)
    assert np.abs(picture.rgb[0] - shown).max() <= 1.1
    assert (picture.alpha is not None) == (channels in (2, 4))
    assert picture.alpha is None or np.abs(picture.alpha[0] - values[:, -1]).max() <= 1.1
    assert picture.notes == ("image.note.eight_bits",)


@pytest.mark.parametrize(
    ("values", "first", "last", "stretched"),
    [
        (np.array([[0.0, 0.5, 1.0]], np.float32), 0, 255, False),
        (np.array([[0.25, 0.5, 0.75]], np.float32), 64, 191, False),
        (np.array([[0.0, 128.0, 255.0]], np.float32), 0, 255, False),
        (np.array([[-3.0, 0.0, 9.0]], np.float32), 0, 255, True),
        (np.array([[np.nan, 0.0, np.inf]], np.float32), 0, 255, False),
        (np.array([[np.nan, np.nan]], np.float32), 0, 0, True),
        (np.array([[0, 300, 65_535]], np.int32), 0, 255, False),
        (np.array([[0, 1, 2_000_000]], np.int32), 0, 255, True),
        (np.array([[7, 7, 7]], np.int32), 7, 7, False),
    ],
)
def test_floats_and_wide_integers(values: np.ndarray, first: int, last: int, stretched: bool) -> None:
    picture = grey(np.repeat(values, 8, 0))
    assert (int(picture.rgb[0, 0, 0]), int(picture.rgb[0, -1, 0])) == (first, last)
    assert ("image.note.stretched" in picture.notes) == stretched


@pytest.mark.parametrize(
    "mode", ["1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr", "LAB", "I;16", "I", "F"]
)
def test_every_mode_becomes_rgb(mode: str) -> None:
    source = photo().convert("L").convert("I;16") if mode == "I;16" else None
    if mode == "LAB":
        source = ImageCms.profileToProfile(
            photo(), ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB"
        )
    image = source or (photo().convert("RGBA").convert("P") if mode == "PA" else photo()).convert(mode)
    image.info.clear()
    rgb, alpha, icc, _ = images._to_rgb(image)
    assert rgb.shape == (64, 96, 3) and rgb.dtype == np.uint8
    assert alpha is None and icc is None
    if mode in ("RGB", "RGBA", "YCbCr", "LAB"):
        assert np.abs(rgb.astype(int) - np.asarray(photo())).mean() < 3


def test_one_bit_and_grey_transparency() -> None:
    dots = Image.new("1", (16, 16))
    dots.paste(1, (8, 0, 16, 16))
    assert decode(saved(dots, "PNG")).rgb[0, [0, 15]].tolist() == [[0] * 3, [255] * 3]
    image = photo().convert("L")
    value = image.getpixel((0, 0))
    picture = decode(saved(image, "PNG", transparency=value))
    assert picture.alpha is not None and picture.alpha[0, 0] == 0
    assert np.array_equal(picture.alpha == 0, np.asarray(image) == value)


def test_sixteen_bit_grey_with_a_transparent_value() -> None:
    row = b"\0" + np.array([1000, 2000] * 8, ">u2").tobytes()
    picture = decode(png(16, 8, 16, 0, row * 8, chunk(b"tRNS", (1000).to_bytes(2, "big"))))
    assert picture.alpha is not None and picture.alpha[0, :2].tolist() == [0, 255]


# ---------------------------------------------------------------- orientation, animation, HEIC


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("fmt", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF", "HEIF"])
def test_orientation_is_applied_once(orientation: int, fmt: str) -> None:
    upright = photo()
    undo = {6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    turn = undo.get(orientation) or images.TURNS.get(orientation)
    exif = Image.Exif()
    exif[0x0112] = orientation
    lying = upright if turn is None else upright.transpose(turn)
    picture = decode(saved(lying, fmt, exif=exif.tobytes(), quality=95))
    assert np.abs(picture.rgb.astype(int) - np.asarray(upright)).mean() < 8
    assert b"\x01\x12" not in (picture.exif or b"")
    assert decode(encode(picture, "JPEG")).rgb.shape == (64, 96, 3)


@pytest.mark.parametrize("fmt", ["GIF", "PNG", "WEBP", "TIFF"])
def test_of_an_animation_the_first_frame_is_taken(fmt: str) -> None:
    frames = [Image.new("RGB", (12, 9), colour) for colour in ("red", "blue", "lime")]
    picture = decode(saved(frames[0], fmt, save_all=True, append_images=frames[1:]))
    assert picture.notes == ("image.note.first_frame",)
    assert np.abs(picture.rgb[0, 0].astype(int) - (255, 0, 0)).max() <= 6


def test_a_damaged_second_frame_does_not_matter() -> None:
    data = [d for name, d, _ in HOSTILE if name == "animated.gif"][0]
    assert decode(data[:-30]).rgb.shape == (16, 24, 3)


def test_heic_with_alpha_and_profile() -> None:
    image = photo().convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    buffer = BytesIO()
    heif = pillow_heif.from_pillow(image)
    heif.info["icc_profile"] = wide_gamut()
    heif.save(buffer, quality=95)
    picture = decode(buffer.getvalue(), "x.heic")
    assert picture.format == "HEIF" and picture.alpha is not None and picture.alpha[0, 0] < 20
    assert np.abs(picture.rgb.astype(int) - np.asarray(photo())).mean() < 6


# ---------------------------------------------------------------- colour


def cmyk_profile() -> bytes:
    """A small printer profile: a table of the Lab colours of the sixteen full overprints."""
    inks = np.array([[55, -37, -50], [48, 74, -3], [89, -5, 93], [16, 0, 0]], float)  # C, M, Y, K on paper
    table = bytearray()
    for corner in range(16):
        lab = np.array([95.0, 0.0, 0.0])
        for ink, colour in enumerate(inks):
            if corner >> (3 - ink) & 1:
                lab = np.array([lab[0] * colour[0] / 95, *(lab[1:] + colour[1:]) * (0.2 if ink == 3 else 1)])
        table += bytes([round(lab[0] * 2.55), *np.clip(np.rint(lab[1:] + 128), 0, 255).astype(int).tolist()])
    ramp = bytes(range(256))
    identity = b"".join(round(v * 65_536).to_bytes(4, "big") for v in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    lut = b"mft1\0\0\0\0" + bytes([4, 3, 2, 0]) + identity + ramp * 4 + bytes(table) + ramp * 3
    return profile(b"prtrCMYKLab ", [(b"A2B0", lut)])


def wide_gamut(gamma: float = 2.2) -> bytes:
    """A small RGB profile with the primaries of Adobe RGB (1998)."""
    return rgb_profile(
        (
            (0.6097559, 0.3111242, 0.0194811),
            (0.2052401, 0.6256560, 0.0608902),
            (0.1492240, 0.0632197, 0.7448387),
        ),
        gamma,
    )


def fixed(value: float) -> bytes:
    return round(value * 65_536).to_bytes(4, "big", signed=True)


def rgb_profile(columns: tuple[tuple[float, float, float], ...], gamma: float) -> bytes:
    """A matrix-and-gamma profile from its three XYZ columns."""
    tags = [
        (name, b"XYZ \0\0\0\0" + b"".join(map(fixed, column)))
        for name, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns, strict=True)
    ]
    curve = b"curv\0\0\0\0\0\0\0\1" + round(gamma * 256).to_bytes(2, "big")
    return profile(b"mntrRGB XYZ ", tags + [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")])


def profile(kind: bytes, tags: list[tuple[bytes, bytes]]) -> bytes:
    """An ICC profile, version 2. kind: its class, colour space and connection space."""
    white = fixed(0.9642) + fixed(1.0) + fixed(0.8249)
    tags = [
        (b"desc", b"desc\0\0\0\0" + (5).to_bytes(4, "big") + b"test\0" + bytes(78)),
        (b"cprt", b"text\0\0\0\0none\0"),
        (b"wtpt", b"XYZ \0\0\0\0" + white),
        *tags,
    ]
    table, body, offset = b"", b"", 128 + 4 + 12 * len(tags)
    for name, data in tags:
        data += bytes(-len(data) % 4)
        table += name + (offset + len(body)).to_bytes(4, "big") + len(data).to_bytes(4, "big")
        body += data
    size = offset + len(body)
    head = size.to_bytes(4, "big") + bytes(4) + b"\2\x10\0\0" + kind + bytes(12) + b"acsp" + bytes(28) + white
    return head.ljust(128, b"\0") + len(tags).to_bytes(4, "big") + table + body


def test_wide_colours_stay_in_the_file_and_are_converted_for_the_screen() -> None:
    data = saved(photo(), "PNG", icc_profile=wide_gamut())
    picture = decode(data)
    assert np.array_equal(picture.rgb, np.asarray(photo())) and picture.icc == wide_gamut()
    direct = ImageCms.profileToProfile(
        photo(),
        ImageCms.ImageCmsProfile(BytesIO(wide_gamut())),
        ImageCms.createProfile("sRGB"),
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        outputMode="RGB",
    )
    assert np.abs(picture.srgb.astype(int) - np.asarray(direct)).max() <= 1
    assert np.abs(picture.srgb.astype(int) - picture.rgb).max() > 20
    larger = picture.with_pixels(np.asarray(photo(192, 128)))
    again = decode(encode(larger, "PNG"))
    assert again.icc == wide_gamut() and np.array_equal(again.rgb, np.asarray(photo(192, 128)))


def test_a_profile_that_is_srgb_changes_nothing() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture = decode(saved(photo(), "PNG", icc_profile=srgb))
    assert picture.srgb is picture.rgb and picture.icc == srgb


@pytest.mark.parametrize("profile", [b"no profile at all", wide_gamut()[:150], bytes(200)])
def test_a_broken_profile_is_left_out_and_said(profile: bytes) -> None:
    picture = decode(saved(photo(), "PNG", icc_profile=profile))
    assert picture.icc is None and picture.notes == ("image.note.bad_profile",)
    assert np.array_equal(picture.srgb, np.asarray(photo()))


def test_a_profile_of_another_kind_is_left_out() -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    assert decode(saved(photo(), "PNG", icc_profile=lab)).icc is None


@pytest.mark.parametrize("fmt", ["JPEG", "TIFF"])
def test_cmyk_is_not_inverted(fmt: str) -> None:
    """Photoshop and libjpeg store CMYK JPEGs inverted, TIFF does not; white must stay white in both."""
    image = Image.new("CMYK", (32, 16), (0, 0, 0, 0))
    image.paste((255, 0, 0, 0), (16, 0, 32, 16))
    data = saved(image, fmt, quality=95)
    assert fmt != "JPEG" or b"Adobe" in data
    picture = decode(data)
    assert np.abs(picture.rgb[8, 4].astype(int) - 255).max() <= 4
    assert np.abs(picture.rgb[8, 28].astype(int) - (0, 255, 255)).max() <= 8
    assert picture.icc is None and picture.notes == ("image.note.converted",)


@pytest.mark.parametrize("fmt", ["JPEG", "TIFF"])
def test_cmyk_by_its_own_profile(fmt: str) -> None:
    image = Image.new("CMYK", (32, 16), (255, 0, 0, 0))
    image.paste((0, 0, 0, 0), (16, 0, 32, 16))
    picture = decode(saved(image, fmt, icc_profile=cmyk_profile()))
    assert picture.icc is None and picture.notes == ("image.note.converted",)
    red, green, blue = picture.rgb[0, 0].astype(int)
    assert (
        red < 60 and 120 < green < 190 and 180 < blue < 250
    )  # printed cyan, not the (0, 255, 255) of a bare formula
    assert picture.rgb[0, -1].min() >= 230  # paper


def test_a_profile_that_does_not_fit_the_pixels() -> None:
    """A CMYK profile in an RGB file, and the other way round: left out, the colours as they are."""
    assert np.array_equal(decode(saved(photo(), "PNG", icc_profile=cmyk_profile())).srgb, np.asarray(photo()))
    picture = decode(saved(Image.new("CMYK", (8, 8), (255, 0, 0, 0)), "TIFF", icc_profile=wide_gamut()))
    assert picture.icc is None and picture.rgb[0, 0].tolist() == [0, 255, 255]


@pytest.mark.parametrize("size", [(64, 48), (63, 1), (7, 90)])
def test_what_is_invisible_takes_the_colour_beside_it(size: tuple[int, int]) -> None:
    """A red and a blue half on hidden black: no dark pixel is left for an edge to pick up."""
    width, height = size
    rgba = np.zeros((height, width, 4), np.uint8)
    rgba[: max(1, height // 3), : width // 2] = (250, 20, 10, 255)
    rgba[: max(1, height // 3), width // 2 + 1 :] = (10, 20, 250, 255)
    picture = decode(saved(Image.fromarray(rgba), "PNG"))
    assert picture.alpha is not None and np.array_equal(picture.alpha, rgba[:, :, 3])
    shown = rgba[:, :, 3] > 0
    assert np.array_equal(picture.rgb[shown], rgba[:, :, :3][shown])
    assert picture.rgb[:, :, [0, 2]].astype(int).sum(axis=2).min() > 230
    assert decode(saved(Image.new("RGBA", (5, 4)), "PNG")).rgb.max() == 0  # nothing visible at all


def test_transparent_pictures_are_laid_on_a_colour() -> None:
    picture = decode([d for name, d, _ in HOSTILE if name == "palette.png"][0])
    flat = picture.flattened((255, 255, 255))
    assert flat[0, 0].tolist() == [200, 40, 60] and flat[0, -1].tolist() == [255, 255, 255]
    assert np.abs(flat[0, 10].astype(int) - (127, 255, 127)).max() <= 1
    assert decode(encode(picture, "JPEG")).rgb[0, -1].min() > 245
    larger = picture.with_pixels(np.zeros((20, 40, 3), np.uint8))
    assert larger.alpha is not None and larger.alpha.shape == (20, 40) and larger.alpha[0, -1] == 0


# ---------------------------------------------------------------- location


def test_no_saved_file_says_where() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x0132], exif[0x8298] = 6, "Maker", "2024:05:06 07:08:09", "A. Author"
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 51.0, 29.6), 3: "E", 4: (2.0, 17.0, 40.2)})
    exif.get_ifd(0x8769).update(
        {0x829A: 0.01, 0x8827: 200, 0x927C: b"MAKERNOTE 48.858 N", 0x9286: b"ASCII\0\0\0Paris"}
    )
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>48,51.49N</exif:GPSLatitude></x:xmpmeta>'
    iptc = b"Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x08\x1c\x02\x5a\0\x05Paris"
    data = saved(photo(), "JPEG", exif=exif, xmp=xmp, comment=b"taken in Paris")
    data = data[:2] + b"\xff\xed" + (len(iptc) + 2).to_bytes(2, "big") + iptc + data[2:]
    assert data.count(b"Paris") == 3 and b"GPSLatitude" in data
    picture = decode(data)
    for fmt in images.EXTENSION:
        out = encode(picture, fmt)
        for secret in (b"Paris", b"GPSLatitude", b"MAKERNOTE", b"48.858"):
            assert secret not in out, (fmt, secret)
        with Image.open(BytesIO(out)) as image:
            found = image.getexif()
            assert 0x8825 not in found and found.get(0x0112, 1) == 1 and len(found.get_ifd(0x8825)) == 0
            assert found[0x010F] == "Maker" and found[0x8298] == "A. Author"
            assert found.get_ifd(0x8769)[0x8827] == 200


def test_broken_exif_is_dropped() -> None:
    data = saved(photo(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xffgarbage")
    assert decode(data).rgb.shape == (64, 96, 3)


# ---------------------------------------------------------------- damaged files


def seeds() -> dict[str, bytes]:
    """One small valid file of each format that Pillow writes, and HEIC."""
    found: dict[str, bytes] = {}
    for fmt in (*LOSSLESS, *LOSSY, "ICNS", "HEIF", "SPIDER", "MSP", "XBM"):
        image = photo(33, 20)
        if fmt in ("MSP", "XBM"):
            image = image.convert("1")
        elif fmt == "SPIDER":
            image = image.convert("F")
        found[fmt] = saved(image, fmt, **(LOSSLESS | LOSSY).get(fmt, {}))
    found["CMYK"] = saved(photo(33, 20).convert("CMYK"), "JPEG", icc_profile=wide_gamut())
    found["16"] = saved(photo(33, 20).convert("L").convert("I;16"), "TIFF")
    found["progressive"] = saved(photo(33, 20), "JPEG", progressive=True)
    found["interlaced"] = png(8, 8, 8, 2, (b"\0" + bytes(24)) * 8, chunk(b"iCCP", b"x\0\0" + b"junk"))
    return found


SEEDS = seeds()


@pytest.mark.parametrize("fmt", SEEDS)
def test_files_cut_short_are_never_shown_half(fmt: str) -> None:
    """Whatever is cut off: either BadImage, or (where only a trailer is missing) every pixel as in the whole file."""
    whole = SEEDS[fmt]
    right = decode(whole).rgb
    for length in {*range(0, len(whole), max(1, len(whole) // 40)), len(whole) - 1, len(whole) - 2}:
        try:
            picture = decode(whole[:length])
        except BadImage as error:
            told(error)
        else:
            assert np.array_equal(picture.rgb, right), f"{length} of {len(whole)} bytes"


@pytest.mark.parametrize("fmt", SEEDS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_files_raise_nothing_else(fmt: str, data: st.DataObject) -> None:
    whole = bytearray(SEEDS[fmt])
    for _ in range(data.draw(st.integers(1, 6))):
        # mostly in the first bytes, where the sizes stand
        last = len(whole) - 1 if data.draw(st.booleans()) else min(len(whole) - 1, 80)
        whole[data.draw(st.integers(0, last))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([len(whole), len(whole), len(whole) // 2, len(whole) - 3]))
    try:
        picture = decode(bytes(whole[:cut]))
    except BadImage as error:
        told(error)
    else:
        assert picture.rgb.size <= 3 * 40e6
        if picture.rgb.size < 100_000:
            encode(picture, "PNG")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    try:
        decode(data)
    except BadImage as error:
        told(error)


# ---------------------------------------------------------------- helpers and samples


def test_shrink_gives_the_pair_that_is_scored() -> None:
    small, truth = shrink(np.asarray(photo(97, 63)), 2)
    assert truth.shape == (62, 96, 3) and small.shape == (31, 48, 3)
    assert np.array_equal(
        small, np.asarray(Image.fromarray(truth).resize((48, 31), Image.Resampling.BICUBIC))
    )
    with pytest.raises(BadImage):
        shrink(np.zeros((1, 9, 3), np.uint8), 2)


def test_pictures_are_read_only() -> None:
    picture = decode(saved(photo(), "PNG", icc_profile=wide_gamut()))
    for array in (picture.rgb, picture.srgb, to_srgb(picture.rgb, picture.icc)):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0, 0] = 1


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.id)
def test_samples(sample: Any) -> None:
    picture = decode(sample.path.read_bytes())
    assert min(picture.rgb.shape[:2]) >= 28
    assert picture.notes == () and picture.exif is None
    assert f"`{sample.path.relative_to(FOLDER)}`" in (FOLDER / "SOURCES.md").read_text("utf-8")
    told(BadImage(sample.alt))
    assert ", " in sample.credit


def test_samples_are_few_bytes() -> None:
    assert len({sample.id for sample in SAMPLES}) == len(SAMPLES)
    assert sum(sample.path.stat().st_size for sample in SAMPLES) <= 700_000


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    for _, data, _ in HOSTILE:
        try:
            decode(data, "my-secret-name.png")
        except BadImage as error:
            assert "secret" not in repr(error)
    written = capfd.readouterr()
    assert "secret" not in caplog.text + written.out + written.err
    assert written.out == "" and written.err == ""
