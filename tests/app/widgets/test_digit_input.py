"""The digits on offer."""

from __future__ import annotations

import numpy as np

from app.widgets import digit_input


def test_three_digits_of_every_class_are_offered_and_none_was_trained_on() -> None:
    from models.generative.digit_files import train_digits

    pictures, labels = digit_input.offered()
    assert pictures.shape == (30, 28, 28) and (np.bincount(labels) == digit_input.EACH).all()
    assert (labels == np.tile(np.arange(10), 3)).all()
    trained = {one.tobytes() for one in train_digits()[0]}
    assert not trained & {one.tobytes() for one in pictures}
