"""The picture: a sample at once, a refused file changes nothing, a link asks for its file."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from app.assets.samples import PHOTOS
from app.images import STRIP_NOTE, decode
from app.text import t
from app.widgets.image_input import SHA, parse_sha
from app.widgets.pictures import Brought, Shelf


def png(seed: int, side: int = 32) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (side, side, 3), np.uint8)).save(out, "PNG")
    return out.getvalue()


def page() -> None:
    import streamlit as st

    from app.assets.samples import PHOTOS
    from app.widgets import image_input, state

    state.enter("try")
    if "bytes" in st.session_state:
        image_input._take("in", image_input.own_param(), st.session_state.pop("bytes"), "my *file*.png")
    flags = {name: st.session_state.get(name, False) for name in ("strips", "keeps_alpha")}
    source = image_input.image_input("in", PHOTOS, **flags)
    st.markdown(f"now {source.sample_id} {source.picture.width} {source.sha}")


def start(**query: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def bring(app: AppTest, data: bytes) -> AppTest:
    app.session_state["bytes"] = data
    return app.run()


def now(app: AppTest) -> list[str]:
    assert not app.exception
    return next(m.value for m in app.markdown if m.value.startswith("now")).split()[1:]


def test_the_first_sample_is_there_at_once():
    assert now(start())[0] == PHOTOS[0].id


def test_a_link_chooses_a_sample():
    assert now(start(sample=PHOTOS[1].id))[0] == PHOTOS[1].id
    assert now(start(sample="nothing"))[0] == PHOTOS[0].id


def test_a_long_strip_is_remarked_only_where_that_is_true():
    """Pages that frame the ink neither upscale nor look at the square in the middle."""
    strip = io.BytesIO()
    Image.new("RGB", (400, 10), (200, 40, 60)).save(strip, "PNG")
    app = bring(start(), strip.getvalue())
    assert now(app)[1] == "400" and t(STRIP_NOTE) not in [c.value for c in app.caption]
    app.session_state["strips"] = True
    assert t(STRIP_NOTE) in [c.value for c in app.run().caption]


def test_a_transparent_picture_is_laid_on_white_and_that_is_said():
    glass = io.BytesIO()
    Image.new("RGBA", (40, 40), (200, 40, 60, 90)).save(glass, "PNG")
    app = bring(start(), glass.getvalue())
    assert t("input.transparent") in [c.value for c in app.caption]
    app.session_state["keeps_alpha"] = True
    assert t("input.transparent") not in [c.value for c in app.run().caption]
    app.session_state["keeps_alpha"] = False
    assert t("input.transparent") not in [c.value for c in bring(app, png(5)).caption]


def test_ones_own_picture_and_a_refused_one():
    app = bring(start(), png(1))
    sample, width, sha = now(app)
    assert (sample, width) == ("None", "32")
    assert app.query_params["sha"] == sha[:SHA]
    bring(app, b"this is text")
    assert now(app) == [sample, width, sha], "the previous picture stays"
    assert app.error[0].value == t("image.text")
    bring(app, png(2))
    assert now(app)[2] != sha and not app.error


def test_a_link_asks_for_its_file_and_knows_it():
    data = png(3)
    sha = decode(data).sha
    app = start(sha=sha[:SHA])
    assert now(app)[0] == PHOTOS[0].id, "a sample meanwhile"
    assert app.info[0].value == t("input.link.ask", sha=sha[:SHA])
    bring(app, png(4))
    assert now(app)[0] == "None", "another picture is taken, with a word about it"
    assert len(app.warning) == 1
    bring(app, data)
    assert now(app)[2] == sha
    assert not app.warning and not app.info


def test_one_may_go_on_without_it():
    app = start(sha="0" * SHA)
    app.button(key="in.without").click().run()
    assert not app.info and "sha" not in app.query_params
    bring(app, png(5))
    assert now(app)[0] == "None"


@pytest.mark.parametrize("bad", ["x", "0" * 15, "0" * 17, "g" * 16, "0" * 64])
def test_a_bad_hash_in_a_link_is_nothing(bad):
    with pytest.raises(ValueError):
        parse_sha(bad)
    assert not start(sha=bad).info


def brought(seed: int, side: int) -> Brought:
    return Brought(decode(png(seed, side)), f"{seed}.png")


def test_the_shelf_is_bounded_and_private():
    one = 32 * 32 * 3
    shelf: Shelf[Brought] = Shelf(per_session=2 * one, in_all=3 * one)
    items = [brought(i, 32) for i in range(4)]
    for item in items[:3]:
        shelf.put("a", item)
    assert shelf.get("a", items[0].picture.sha) is None, "the oldest went"
    assert shelf.get("a", items[2].picture.sha[:SHA]) is items[2]
    assert shelf.get("b", items[2].picture.sha) is None
    assert shelf.get("a", "") is None
    shelf.put("b", items[2])
    shelf.put("b", items[3])
    assert shelf.nbytes <= 3 * one
    assert shelf.get("b", items[3].picture.sha) is items[3]
    large = brought(9, 200)
    shelf.put("b", large)
    assert shelf.get("b", large.picture.sha) is large, "the current one stays whatever its size"
    shelf.forget("b")
    shelf.forget("a")
    assert shelf.nbytes == 0
