"""Window arithmetic of SwinIR against plain loops, for sizes nobody chose."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

from models.vision.swinir import (
    MASKED,
    SwinIR,
    SwinIRConfig,
    pad_to_windows,
    relative_position_index,
    shift_mask,
    window_partition,
    window_reverse,
)

windows = st.sampled_from([2, 3, 4, 7, 8])
counts = st.integers(1, 4)
quick = settings(max_examples=40, deadline=None)


@quick
@given(windows, counts, counts, st.integers(1, 3), st.integers(1, 5))
def test_partition_and_reverse_are_inverse(size: int, rows: int, columns: int, batch: int, channels: int):
    h, w = rows * size, columns * size
    x = torch.arange(batch * h * w * channels, dtype=torch.float32).view(batch, h, w, channels)
    cut = window_partition(x, size)
    assert cut.shape == (batch, rows * columns, size * size, channels)
    assert torch.equal(window_reverse(cut, size, h, w), x)
    # position n of window k, both counted row by row
    for window in range(rows * columns):
        top, left = window // columns * size, window % columns * size
        piece = x[:, top : top + size, left : left + size].reshape(batch, size * size, channels)
        assert torch.equal(cut[:, window], piece)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 8])
def test_relative_position_index_by_hand(size: int):
    side = 2 * size - 1
    expected = [
        [(qr - kr + size - 1) * side + (qc - kc + size - 1) for kr in range(size) for kc in range(size)]
        for qr in range(size)
        for qc in range(size)
    ]
    assert relative_position_index(size).tolist() == expected
    assert set(np.unique(expected)) == set(range(side * side))


def mask_by_hand(h: int, w: int, size: int, shift: int) -> np.ndarray:
    """A pair may attend where rolling did not bring it together: both kept their distance in the picture."""
    rows = np.roll(np.arange(h), -shift)
    columns = np.roll(np.arange(w), -shift)
    found = []
    for top in range(0, h, size):
        for left in range(0, w, size):
            at = [(r, c) for r in range(top, top + size) for c in range(left, left + size)]
            true = np.array([(rows[r], columns[c]) for r, c in at])
            rolled = np.array(at)
            same = (true[:, None] - true[None, :]) == (rolled[:, None] - rolled[None, :])
            found.append(np.where(same.all(-1), 0.0, MASKED))
    return np.array(found)


@quick
@given(windows, counts, counts, st.data())
def test_shift_mask_by_hand(size: int, rows: int, columns: int, data: st.DataObject):
    shift = data.draw(st.integers(1, size - 1))
    mask = shift_mask(rows * size, columns * size, size, shift, torch.zeros(()))
    assert np.array_equal(mask.numpy(), mask_by_hand(rows * size, columns * size, size, shift))
    assert torch.equal(mask, mask.transpose(1, 2))  # who may see whom is mutual
    assert (mask.diagonal(dim1=1, dim2=2) == 0).all()  # everyone sees itself


@quick
@given(windows, st.integers(1, 40), st.integers(1, 40))
def test_padding_reflects(size: int, h: int, w: int):
    x = torch.arange(h * w, dtype=torch.float32).view(1, 1, h, w)
    padded = pad_to_windows(x, size)
    up = (-(-h // size) * size, -(-w // size) * size)
    assert padded.shape[2:] == up
    assert torch.equal(padded[..., :h, :w], x)
    array = x[0, 0].numpy()
    for axis, (side, wanted) in enumerate(zip((h, w), up, strict=True)):
        mode = "reflect" if wanted - side < side else "symmetric"
        amount = [(0, 0), (0, 0)]
        amount[axis] = (0, wanted - side)
        array = np.pad(array, amount, mode=mode)  # type: ignore[call-overload]
    assert np.array_equal(padded[0, 0].numpy(), array)


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.sampled_from([2, 3, 4]))
def test_any_size_comes_out_scaled(h: int, w: int, scale: int):
    model = SwinIR(SwinIRConfig.tiny(scale=scale)).eval()
    with torch.inference_mode():
        assert model(torch.rand(1, 3, h, w)).shape == (1, 3, scale * h, scale * w)


def test_batch_items_do_not_mix():
    torch.manual_seed(0)
    model = SwinIR(SwinIRConfig.tiny()).eval()
    x = torch.rand(3, 3, 12, 20)
    with torch.inference_mode():
        whole = model(x)
        for i in range(3):
            assert torch.allclose(model(x[i : i + 1]), whole[i : i + 1], atol=1e-6)
