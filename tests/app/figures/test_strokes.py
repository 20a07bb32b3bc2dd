"""Strokes become points of a plot, and digits as MNIST holds them."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures.strokes import grey, like_mnist, points_of


def line(*places: tuple[float, float]) -> np.ndarray:
    return np.array(places)


def test_points_count_upward():
    assert points_of([]).shape == (0, 2)
    found = points_of([line((0.25, 0.1)), line((1, 1), (0, 0))])
    assert np.allclose(found, [(0.25, 0.9), (1, 0), (0, 1)])


def test_a_line_is_white_on_black_and_as_wide_as_the_pen():
    picture = grey([line((0.5, 0.1), (0.5, 0.9))], 28, brush=4 / 28)
    assert picture.shape == (28, 28) and picture.dtype == np.uint8
    assert (picture[14] > 200).sum() == 4 and picture[14, 13] == 255
    assert picture[:, :10].max() == 0 and picture[:, 18:].max() == 0
    dot = grey([line((0.25, 0.75))], 28, brush=6 / 28)  # a single place is a dot
    rows, columns = np.nonzero(dot > 127)
    assert abs(rows.mean() + 0.5 - 21) < 0.2 and abs(columns.mean() + 0.5 - 7) < 0.2


@pytest.mark.parametrize("scale", [0.15, 0.4, 0.9])
@pytest.mark.parametrize("corner", [0.0, 0.1])
def test_a_digit_is_sized_and_centred_like_mnist(scale, corner):
    one = corner + scale * line((0.4, 0.0), (0.5, 0.0), (0.5, 1.0))
    bar = corner + scale * line((0.2, 1.0), (0.8, 1.0))
    picture = like_mnist([one, bar]).astype(float)
    rows, columns = np.nonzero(picture > 20)
    assert 18 <= max(np.ptp(rows), np.ptp(columns)) + 1 <= 22  # 20 pixels, give or take soft edges
    y, x = np.mgrid[0:28, 0:28] + 0.5
    assert abs((picture * x).sum() / picture.sum() - 14) < 0.6
    assert abs((picture * y).sum() / picture.sum() - 14) < 0.6


def test_nothing_and_a_dot():
    assert like_mnist([]).max() == 0
    assert like_mnist([np.zeros((0, 2))]).max() == 0
    assert (like_mnist([line((0.9, 0.9))]) > 127).any()
