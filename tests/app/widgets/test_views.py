"""The picture widgets and the tap views in a page, without a browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.text import t, using
from app.widgets.inside import WORDS, block_words, default_block, label_words, opened_for, taps_of_block
from app.widgets.picture import window_rect
from app.widgets.tap_views import MOST_ROWS, VIEWS, mask_classes, side_of
from app.widgets.tensor import shape_words, source_of, statistics
from models.registry import MODELS

DEMO = Path(__file__).with_name("demo_views.py")


@pytest.fixture(scope="module")
def demo() -> AppTest:
    return AppTest.from_file(str(DEMO), default_timeout=60).run()


def texts(at: AppTest) -> list[str]:
    return [element.value for element in at.text]


def test_the_demo_draws_everything(demo):
    assert not demo.exception
    assert "photo pick None" in texts(demo) and "runs 1" in texts(demo)


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_kind_of_tap(kind, code):
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.query_params["lang"] = code
    at.session_state["kind"] = kind
    at.run()
    assert not at.exception
    assert any(line.startswith("seen ") for line in texts(at))
    with using(code):
        first = t("picture.hint")
    assert first in [m.value for m in at.markdown]


def test_an_index_beyond_the_tensor_falls_back():
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.session_state["kind"] = "feature_map"
    at.session_state["tap-feature_map.channel"] = 4000
    at.session_state["vitrine.pick:tap-feature_map.cell"] = (999, 999)
    at.run()
    assert not at.exception
    assert "seen {'channel': 0} None" in texts(at)


def test_a_chosen_cell_shows_its_number():
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.session_state["kind"] = "feature_map"
    at.session_state["tap-feature_map.channel"] = 17
    at.session_state["vitrine.pick:tap-feature_map.cell"] = (9, 7)
    at.run()
    assert any(line.startswith("seen {'channel': 17, 'row': 7, 'column': 9} 0.70746") for line in texts(at))


def test_tokens_that_are_places_stand_at_their_places():
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.session_state["kind"] = "places"
    at.session_state["tap-places.channel"] = 1
    at.session_state["vitrine.pick:tap-places.cell"] = (3, 5)
    at.run()
    assert not at.exception
    assert f"seen {{'channel': 1, 'row': 5, 'column': 3}} {(5 * 8 + 3) * 2 + 1.0}" in texts(at)


def test_tokens_of_a_text_are_rows_and_the_padding_is_left_out():
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.session_state["kind"] = "words"
    at.session_state["vitrine.pick:tap-words.cells"] = (4, 2)
    at.run()
    assert not at.exception
    assert "seen {'token': 2, 'channel': 4} 20.0" in texts(at)
    at.session_state["vitrine.pick:tap-words.cells"] = (4, 3)
    at.run()
    assert "seen {} None" in texts(at), "there are three words"


@pytest.mark.parametrize(("kind", "query"), [("listening", 5), ("reading", 1)])
def test_attention_to_words_is_a_bar_for_each_word(kind, query):
    """Places that read words are all there; of words that read words, the three there are, and the padding is not."""
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.session_state["kind"] = kind
    at.session_state[f"tap-{kind}.query"] = 5
    at.run()
    assert not at.exception
    assert t("inside.row_over_words", query=query) in [c.value for c in at.caption]
    assert f"seen {{'head': 0, 'query': {query}, 'key': 2}} 0.625" in texts(at)


def test_a_row_of_a_graphs_node_is_counted_over_all_nodes():
    """Of 900 nodes the second four hundred are shown: the fifth row of the picture is node 404, in the second head."""
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.session_state["kind"] = "nodes"
    at.session_state["tap-nodes.block"] = 1
    at.session_state["tap-nodes.head"] = 1
    at.session_state["vitrine.pick:tap-nodes.cells"] = (2, 4)
    at.run()
    assert not at.exception
    node = MOST_ROWS + 4
    value = (node * 2 + 1) * 4 + 2
    assert f"seen {{'head': 1, 'node': {node}, 'channel': 2}} {float(value)}" in texts(at)


def test_the_link_restores_a_pick():
    at = AppTest.from_file(str(DEMO), default_timeout=60)
    at.query_params["at"] = "33,70"
    at.run()
    assert "photo pick (33, 70)" in texts(at)


def test_window_of_a_pick():
    rect = window_rect((33, 70), 8)
    assert (rect.x, rect.y, rect.width, rect.height) == (32, 64, 8, 8)


# ---------------------------------------------------------------- pure parts


def test_source_is_read_and_not_imported():
    source = source_of("models.vision.swinir:WindowAttention.bias")
    assert source is not None and source.path == "models/vision/swinir.py"
    lines = Path(source.path).read_text().splitlines() if Path(source.path).exists() else None
    assert source.text.lstrip().startswith("def bias(self)")
    if lines is not None:
        assert lines[source.line - 1] == source.text.splitlines()[0]
    assert source_of("models.vision.swinir:Nobody.forward") is None
    assert source_of("models.nowhere:f") is None
    assert source_of("os:system") is None
    assert source_of("models...etc:f") is None


@pytest.mark.parametrize("slug", MODELS)
def test_every_tap_has_lines_words_and_a_block(slug):
    card = MODELS[slug]
    for weights in card.weights:
        blocks = card.blocks(weights.config)
        names = {block.name for block in blocks}
        for tap in card.taps(weights.config):
            assert tap.block in names, tap.name
            assert not tap.source or source_of(tap.source) is not None, tap.source
        chosen = default_block(blocks, card.taps(weights.config))
        assert taps_of_block(card, weights.config, chosen)
        assert all(block_words(blocks).values())
        for name in names:
            assert opened_for(blocks, name) <= names


def test_blocks_are_called_in_the_language_of_the_page():
    labels = {b.label for card in MODELS.values() for w in card.weights for b in card.blocks(w.config)}
    with using("en"):
        assert {label_words(label) for label in labels} == labels, "English is what the cards say"
    with using("zh"):
        said = {label: label_words(label) for label in labels}
    assert said["Conv 7×7, BN, ReLU"] == "卷积 7×7, BN, ReLU"
    assert said["RSTB 1: conv + skip"] == "RSTB 1: 卷积 + 跳跃连接"
    kept = {"W [h, mean] → 16", "BasicBlock layer1.0", "W-MSA"}
    assert {said[label] for label in kept} == kept, "formulas and names of code stay"
    for words in WORDS:
        assert any(words in label for label in labels), words


def test_statistics():
    s = statistics(np.array([3.0, -4.0, 0.0, np.nan, np.inf]))
    assert (s.minimum, s.maximum, s.norm, s.odd, s.size) == (-4.0, 3.0, 5.0, 2, 5)
    assert s.zeros == pytest.approx(1 / 3)
    assert statistics(np.array([np.nan])).odd == 1


def test_words_of_a_shape():
    with using("en"):
        assert shape_words((1, 64), ("batch", "channel")) == "batch 1 × channel 64"
        assert shape_words((2,), ("nonesuch",)) == "nonesuch 2"
    with using("zh"):
        assert shape_words((1, 64), ("batch", "channel")) == "批次 1 × 通道 64"
    assert side_of(64) == 8 and side_of(63) is None


def test_kinds_of_masks_of_a_shifted_picture():
    mask = np.zeros((6, 4, 4))
    mask[2, 0, 1] = mask[5, 0, 1] = -100
    mask[4, 2, 3] = -100
    assert mask_classes(mask) == [0, 2, 4]
