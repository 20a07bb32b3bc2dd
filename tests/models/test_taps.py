"""Taps keep what passes, for the one who asked, and never for another."""

from __future__ import annotations

import asyncio
import contextvars
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch
from torch import Tensor, nn

from models.taps import Tap, record, taps_of


class Twice(nn.Module):
    """y = 2 x, then z = y + 1, each seen."""

    def __init__(self) -> None:
        super().__init__()
        self.tap_y, self.tap_z = Tap("y", ("batch",), "vector"), Tap("z", ("batch",), "vector")

    def forward(self, x: Tensor) -> Tensor:
        return self.tap_z(self.tap_y(2 * x) + 1)


def test_nothing_is_kept_without_a_recorder():
    model, x = Twice(), torch.ones(3)
    model(x)
    with record() as tensors:
        pass
    model(x)
    assert tensors == {}


def test_only_what_is_asked_for_in_the_order_met():
    model, x = Twice(), torch.ones(3)
    with record(["z"]) as tensors:
        model(x)
    assert list(tensors) == ["z"] and torch.equal(tensors["z"], 2 * x + 1)
    with record() as tensors:
        model(x)
    assert list(tensors) == ["y", "z"]


def test_recorders_nest_and_close_after_an_error():
    model, x = Twice(), torch.ones(1)
    with record() as outer:
        with record() as inner:
            model(x)
        assert inner and not outer
        with pytest.raises(RuntimeError), record():
            raise RuntimeError
        model(x)
    assert outer


def test_two_taps_of_one_name_are_an_error():
    with pytest.raises(ValueError, match="'y'"):
        taps_of(nn.Sequential(Twice(), Twice()))


def test_eight_threads_on_one_model_never_see_each_other():
    """Each thread finds its own numbers at every tap, in every one of many rounds."""
    model, barrier = Twice(), Barrier(8)

    def visit(number: int) -> bool:
        fine = True
        for turn in range(200):
            x = torch.full((4,), float(number * 1000 + turn))
            barrier.wait()
            with record() as tensors:
                model(x)
            fine &= set(tensors) == {"y", "z"}
            fine &= torch.equal(tensors["y"], 2 * x) and torch.equal(tensors["z"], 2 * x + 1)
        return fine

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(visit, range(8)))


def test_a_thread_started_while_recording_records_nothing_of_its_own():
    model = Twice()
    with record() as tensors, ThreadPoolExecutor(1) as pool:
        pool.submit(model, torch.ones(1)).result()
        assert tensors == {}


def test_tasks_of_one_thread_are_apart():
    model = Twice()

    async def visit(number: float) -> dict[str, Tensor]:
        with record() as tensors:
            await asyncio.sleep(0)
            model(torch.tensor([number]))
            await asyncio.sleep(0)
        return tensors

    async def both() -> list[dict[str, Tensor]]:
        return list(await asyncio.gather(visit(1.0), visit(2.0)))

    first, second = asyncio.run(both())
    assert first["y"].item() == 2 and second["y"].item() == 4


def test_a_copied_context_is_separate():
    model = Twice()

    def inside() -> dict[str, Tensor]:
        with record() as tensors:
            model(torch.ones(1))
        return tensors

    assert contextvars.copy_context().run(inside)
    with record() as after:
        pass
    assert after == {}


def test_a_check_ends_the_run():
    def give_up() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError), record(check=give_up):
        Twice()(torch.ones(1))


def test_gradients_pass_through():
    x = torch.ones(3, requires_grad=True)
    with record() as tensors:
        Twice()(x).sum().backward()
    assert x.grad is not None and torch.equal(x.grad, torch.full((3,), 2.0))
    assert tensors["y"].requires_grad
