"""What the SwinIR page works out in numpy, against small examples made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import app.assets
from app.figures.swinir_windows import Windows, locate, mask_of, relative_index
from pages.swinir_parts.numbers import (
    BLOCKY,
    Attention,
    attention_at,
    bias_by_offset,
    bias_table_key,
    blockiness,
    difference,
    entropy,
    head_terms,
    largest,
    leak,
    norm_map,
    plain_minus,
    score_words,
    scores_of,
    signed,
    unmasked_weights,
    weights_of,
)


def fake_taps(windows: Windows, heads: int = 3, d: int = 4, seed: int = 0) -> dict[str, np.ndarray]:
    """Taps of one layer "b" as the net would make them."""
    rng = np.random.default_rng(seed)
    n = windows.tokens
    q, k, v = rng.standard_normal((3, 1, windows.count, heads, n, d), np.float32)
    bias = rng.standard_normal((heads, n, n), np.float32)
    scores = (q / np.sqrt(d)) @ k.transpose(0, 1, 2, 4, 3) + bias
    from app.figures.swinir_windows import class_of

    mask = np.stack(
        [mask_of(windows.size, windows.shift, class_of(windows, w)) for w in range(windows.count)]
    )
    masked = scores + mask[None, :, None]
    weights = np.exp(masked - masked.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    parts = dict(q=q, k=k, v=v, bias=bias, scores=scores, weights=weights, out=weights @ v)
    return {f"b.attn.{name}": value.astype(np.float32) for name, value in parts.items()}


@pytest.fixture(params=[0, 4])
def attention(request: pytest.FixtureRequest) -> Attention:
    windows = Windows(height=20, width=15, size=8, shift=request.param)
    return attention_at(fake_taps(windows), "b", windows, x=14, y=1)


def test_recomputed_attention_agrees_with_the_taps(attention: Attention) -> None:
    for head in range(attention.heads):
        assert np.abs(scores_of(attention, head) - attention.scores[head]).max() < 1e-5
        assert np.abs(weights_of(attention, head) - attention.weights[head]).max() < 1e-6
        for channel in range(4):
            terms = head_terms(attention, head, channel)
            assert terms.sum() == pytest.approx(attention.out[head, channel], abs=1e-5)


def test_silenced_pixels_get_nothing(attention: Attention) -> None:
    silenced = attention.silenced
    assert silenced.any() == bool(attention.windows.shift)
    assert not silenced[attention.position]  # it always hears itself
    assert attention.weights[:, silenced].max(initial=0) < 1e-30
    if silenced.any():
        assert unmasked_weights(attention, 0)[silenced].sum() > 0.01
    assert attention.pixels[attention.position].tolist() == [1, 14]
    assert attention.padding.any()


def test_attention_is_that_of_the_picked_pixel() -> None:
    windows = Windows(height=16, width=16, size=8, shift=4)
    taps = fake_taps(windows)
    place = locate(windows, 15, 15)
    taps["b.attn.q"][0, place.window, 1, place.position] = 7.0
    found = attention_at(taps, "b", windows, 15, 15)
    assert (found.query[1] == 7.0).all()
    assert found.kind == "corner"
    assert int(found.silenced.sum()) == 48


def test_jpeg_blocks_are_noticed_and_clean_photographs_are_not_blamed() -> None:
    folder = Path(app.assets.__file__).parent / "swinir"
    for path in sorted(folder.iterdir()):
        if path.suffix in (".png", ".jpg"):
            image = np.asarray(Image.open(path).convert("RGB"))
            assert (blockiness(image) > BLOCKY) == path.stem.endswith("_jpeg"), path.name
    assert blockiness(np.zeros((64, 64, 3), np.uint8)) == 1.0
    assert blockiness(np.zeros((5, 64, 3), np.uint8)) == 1.0


def test_largest_terms_and_entropy() -> None:
    assert largest(np.array([0.1, -3.0, 2.0, 0.0]), 2).tolist() == [1, 2]
    assert entropy(np.full(64, 1 / 64)) == pytest.approx(64)
    assert entropy(np.eye(64)[3]) == pytest.approx(1)


def test_bias_by_offset_turns_query_minus_key_into_where_the_key_lies() -> None:
    table = np.random.default_rng(0).standard_normal((225, 2))
    full = table[relative_index(8).ravel()].reshape(64, 64, 2)
    shown = bias_by_offset(table)
    query, key = (3, 2), (5, 7)  # the key lies 2 below and 5 right of the query
    assert shown[1, 7 + 2, 7 + 5] == full[query[0] * 8 + query[1], key[0] * 8 + key[1], 1]
    assert bias_table_key("rstb.0.layer.1") == "rstb.0.layers.1.attn.relative_position_bias_table"


def test_norms_and_leaks() -> None:
    assert norm_map(np.full((1, 2, 3, 4), 2.0)).tolist() == [[4.0] * 3] * 2
    masked = np.zeros((1, 3, 10, 10), np.float32)
    unmasked = masked.copy()
    unmasked[0, 1, 0, 0], unmasked[0, 2, 5, 5] = 0.03, -0.01
    found = leak(difference(masked, unmasked), band=2)
    assert found.largest == pytest.approx(0.03)
    assert found.mean == pytest.approx(0.0004)
    assert found.changed == pytest.approx(0.02)
    assert found.edge_share == pytest.approx(0.75)
    assert found.edge_area == pytest.approx(0.64)
    assert leak(np.zeros((4, 4)), band=1).edge_share == 0.0


def test_numbers_are_written_with_a_true_minus_and_no_signed_zero() -> None:
    assert [signed(v, 2) for v in (2.75, -0.1, 0.0, -0.001)] == ["+2.75", "−0.10", "±0.00", "±0.00"]
    assert [score_words(v) for v in (1.25, -0.04, 0.0, -3.06)] == ["1.2", "0", "0", "−3.1"]
    assert [plain_minus(words) for words in ("-1.50", "-0.00", "0.25")] == ["−1.50", "0.00", "0.25"]
