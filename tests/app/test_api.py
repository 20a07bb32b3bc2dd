"""Three lines at a Python prompt."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import app
from app import classify, draw_digits, embed_nodes, open_image, upscale
from app.engine import EngineError
from tests.app.engine.helpers import photo


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    Image.fromarray(photo(40, 60)).save(path, quality=95)
    return path


def test_upscale_a_file(file: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int, float]] = []
    result = upscale(str(file), scale=2, progress=lambda *step: seen.append(step))
    result.save(tmp_path / "photo_x2.png")
    assert Image.open(tmp_path / "photo_x2.png").size == (120, 80)
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1]


def test_transparency_and_profile_are_kept() -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    rgba = np.dstack([photo(24, 32), np.tile(np.arange(32, dtype=np.uint8) * 8, (24, 1))])
    buffer = io.BytesIO()
    Image.fromarray(rgba).save(buffer, "PNG", icc_profile=profile)
    result = upscale(buffer.getvalue())
    assert result.mode == "RGBA" and result.size == (64, 48)
    alpha = np.asarray(result)[..., 3].astype(int)
    assert abs(alpha[10, 20] - 80) < 8
    assert open_image(buffer.getvalue()).mode == "RGBA"


def test_classify_a_file(file: Path) -> None:
    found = classify(file, count=3)
    assert len(found) == 3 and all(isinstance(name, str) for name, _ in found)
    assert found[0][1] >= found[1][1] >= found[2][1] > 0


def test_draw_digits(tmp_path: Path) -> None:
    seen: list[tuple[int, int, float | None]] = []
    picture = draw_digits("2026", seed=1, steps=5, progress=lambda *step: seen.append(step))
    picture.save(tmp_path / "2026.png")
    assert Image.open(tmp_path / "2026.png").size == (4 * 28 * 8, 28 * 8) and picture.mode == "L"
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1] == 5
    small = np.asarray(draw_digits("2026", seed=1, steps=5, scale=1))
    assert np.array_equal(small.repeat(8, 0).repeat(8, 1), np.asarray(picture))
    assert not np.array_equal(small[:, :28], small[:, 56:84])  # two of a kind, but not the same
    assert not np.array_equal(small, np.asarray(draw_digits("2026", seed=2, steps=5, scale=1)))
    assert draw_digits("0" * 17, steps=5, scale=1).size == (17 * 28, 28)
    for wrong in (
        dict(digits=""),
        dict(digits="2 6"),
        dict(digits="²"),
        dict(steps=4),
        dict(seed=-1),
        dict(scale=0),
    ):
        with pytest.raises(ValueError) as caught:
            draw_digits(**({"digits": "7"} | wrong))
        assert " " in str(caught.value)


def test_open_image_takes_a_path_bytes_or_a_picture(file: Path) -> None:
    opened = open_image(file)
    assert opened.mode == "RGB" and opened.size == (60, 40)
    assert np.array_equal(np.asarray(open_image(file.read_bytes())), np.asarray(opened))
    assert np.array_equal(np.asarray(open_image(opened)), np.asarray(opened))


def test_friendly_errors(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="there is no file"):
        upscale(tmp_path / "none.jpg")
    with pytest.raises(ValueError, match="it has x2, x4"):
        upscale(file, scale=7)
    with pytest.raises(ValueError, match="it has emoji"):
        classify(file, weights="cats")
    with pytest.raises(TypeError, match="a path, bytes or a Pillow image"):
        open_image(3)  # type: ignore[arg-type]
    (tmp_path / "text.png").write_text("not a picture")
    with pytest.raises(ValueError) as caught:
        open_image(tmp_path / "text.png")
    assert " " in str(caught.value)  # a sentence, not a message id
    monkeypatch.setattr(
        "app.engine.load", lambda *_: (_ for _ in ()).throw(EngineError("engine.unknown", engine="jax"))
    )
    with pytest.raises(ValueError, match="no engine called"):
        classify(file)


def test_the_docstring_says_how() -> None:
    assert app.__doc__ is not None and 'result.save("photo_x2.png")' in app.__doc__


@pytest.mark.parametrize("method", ["deepwalk", "line", "node2vec", "struc2vec", "sdne"])
def test_embed_nodes_of_a_file(method: str, tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("source,target\nann,bob\nbob,carl\ncarl,ann\ncarl,dora\n", "utf-8")
    seen: list[tuple[int, int, float | None]] = []
    vectors = embed_nodes(path, method, lambda *step: seen.append(step), dim=8, seed=3)
    assert set(vectors) == {"ann", "bob", "carl", "dora"}
    assert all(v.shape == (8,) and v.dtype == np.float32 and np.isfinite(v).all() for v in vectors.values())
    assert seen[-1][0] == seen[-1][1] > 0
    again = embed_nodes(path.read_bytes(), method, dim=8, seed=3)
    assert all(np.array_equal(again[name], v) for name, v in vectors.items())


def test_embed_nodes_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        embed_nodes(tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match="edge"):
        embed_nodes(b"source,target\n")
    with pytest.raises(ValueError, match="dim|dimension"):
        embed_nodes(b"a,b\nb,c\n", dim=-4)
    with pytest.raises(ValueError, match="word2vec|method"):
        embed_nodes(b"a,b\nb,c\n", method="word2vec")
