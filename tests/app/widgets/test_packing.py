"""Pictures on their way to the browser: what arrives is what was sent, within its limits."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, strategies as st
from PIL import Image

from app.widgets.packing import (
    ATLAS_SIDE,
    LOSSLESS_PIXELS,
    SHOWN_PIXELS,
    Encoded,
    as_uint8,
    content_id,
    encode,
    pack,
    shrink,
    unpack,
)


def opened(data: bytes) -> np.ndarray:
    picture = Image.open(io.BytesIO(data))
    return np.asarray(picture.convert(picture.palette.mode) if picture.palette else picture)


@given(
    st.dictionaries(st.text(max_size=5), st.one_of(st.integers(), st.text(), st.none(), st.booleans())),
    st.lists(st.binary(max_size=50), max_size=3),
)
def test_a_message_comes_back(header, blobs):
    header.pop("files", None)
    files = [Encoded(blob, "image/png", 1, 1, str(i)) for i, blob in enumerate(blobs)]
    found, parts = unpack(pack(header, files))
    assert parts == blobs
    assert {k: v for k, v in found.items() if k != "files"} == header


def test_known_files_travel_by_name():
    files = [Encoded(b"abc", "image/png", 1, 1, "a"), Encoded(b"defg", "image/png", 1, 1, "b")]
    header, parts = unpack(pack({}, files, known={"a"}))
    assert parts == [b"", b"defg"]
    assert [(f["id"], f["size"]) for f in header["files"]] == [("a", 0), ("b", 4)]


def test_small_and_exact_pictures_arrive_without_loss():
    rng = np.random.default_rng(0)
    for image, exact in (
        (rng.integers(0, 256, (90, 120, 3), np.uint8), False),
        (rng.integers(0, 256, (300, 400, 3), np.uint8), True),
        (rng.integers(0, 256, (300, 400, 4), np.uint8), False),
        (rng.integers(0, 256, (50, 70), np.uint8), False),
    ):
        file = encode(image, exact)
        assert file.mime == "image/png" and np.array_equal(opened(file.data), image)
        assert (file.height, file.width) == image.shape[:2]


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("count", [1, 2, 200, 256, 257])
def test_few_colours_travel_in_a_palette(channels, count):
    rng = np.random.default_rng(count)
    colours = np.unique(rng.integers(0, 256, (4 * count, channels), np.uint8), axis=0)[:count]
    image = colours[rng.integers(0, len(colours), (70, 90))]
    image[0].reshape(-1, channels)[: len(colours)] = colours[:90]
    image[1:4].reshape(-1, channels)[: len(colours)] = colours
    data = encode(image, exact=True).data
    found = Image.open(io.BytesIO(data))
    assert (found.mode == "P") == (count <= 256)
    assert np.array_equal(np.asarray(found.convert("RGBA" if channels == 4 else "RGB")), image)


def test_photos_travel_as_fine_jpeg():
    y, x = np.mgrid[0:900, 0:1200]
    photo = np.stack([x % 256, y % 256, (x + y) // 9 % 256], -1).astype(np.uint8)
    assert photo[..., 0].size > LOSSLESS_PIXELS
    file = encode(photo, exact=True)
    assert file.mime == "image/jpeg"
    assert np.abs(opened(file.data).astype(int) - photo).mean() < 2


def test_huge_pictures_are_shrunk():
    image = np.zeros((3000, 4000, 3), np.uint8)
    file = encode(image)
    assert file.width * file.height <= SHOWN_PIXELS
    assert file.width / file.height == pytest.approx(4 / 3, rel=1e-2)
    assert shrink(np.zeros((1, 9_000_000), np.uint8), SHOWN_PIXELS).shape == (1, ATLAS_SIDE)
    assert encode(np.zeros((70_000, 10, 3), np.uint8)).height == ATLAS_SIDE


def test_equal_pictures_have_equal_names_and_one_pixel_tells():
    image = np.zeros((2000, 2000, 3), np.uint8)
    other = image.copy()
    other[1234, 567, 1] = 1
    assert content_id(image) == content_id(image.copy())
    assert content_id(image) != content_id(other)
    assert content_id(image) != content_id(image.reshape(1000, 4000, 3))
    assert content_id(image[::2]) == content_id(np.ascontiguousarray(image[::2]))


def test_what_counts_as_a_picture():
    assert as_uint8(np.array([[0.0, 0.5, 1.0, 2.0, np.nan]])).tolist() == [[0, 128, 255, 255, 0]]
    assert as_uint8(np.array([[True, False]])).tolist() == [[255, 0]]
    assert as_uint8(np.zeros((2, 3, 1), np.uint8)).shape == (2, 3)
    assert as_uint8(Image.new("P", (4, 2))).shape == (2, 4, 3)
    assert as_uint8(Image.new("CMYK", (4, 2))).shape == (2, 4, 3)
    for bad in (
        np.zeros((2, 2, 5), np.uint8),
        np.zeros(4, np.uint8),
        np.zeros((0, 4), np.uint8),
        np.zeros((2, 2), np.int64),
    ):
        with pytest.raises(ValueError, match="a picture"):
            as_uint8(bad)
