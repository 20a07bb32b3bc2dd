"""PyTorch: on CUDA where there is one, otherwise on the CPU. The only file of app/ that imports torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

# Read by OpenMP when torch is loaded: waiting threads sleep. By default they spin, and with other work on the machine
# two spinning threads were measured slower than one, at three to four times the CPU time.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch
from torch import Tensor

from app.engine.base import Cancel, EngineError
from models.build import build
from models.card import ModelCard
from models.taps import record
from models.weights_io import check_state

# Equal to the other engine and to the whole picture: TensorFloat-32 would move outputs by 1e-3.
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False


def has_cuda() -> bool:
    return torch.cuda.is_available()


def device_name() -> str:
    return f"CUDA · {torch.cuda.get_device_name(0)}" if has_cuda() else "CPU"


class TorchRunner:
    """Runs one model with one set of weights. Raises BadWeights where the weights do not fit."""

    def __init__(
        self, card: ModelCard, config: Mapping[str, Any], state: Mapping[str, np.ndarray], threads: int
    ):
        self.threads = threads
        self.device = torch.device("cuda" if has_cuda() else "cpu")
        model = build(card, config)
        own = {
            name: tuple(value.shape)
            for name, value in model.state_dict().items()
            if value.is_floating_point()
        }
        check_state(state, own)
        tensors = {name: torch.from_numpy(state[name]) for name in own}
        # assign: on the CPU the model uses the arrays of `state` themselves; integer counters are not weights
        model.load_state_dict(tensors, strict=False, assign=True)
        self.model = model.requires_grad_(False).to(self.device)
        self._order = [spec.name for spec in card.inputs]

    def _tensors(self, feeds: Mapping[str, np.ndarray]) -> list[Tensor]:
        """The inputs, for a run in this thread: torch counts its workers for each thread anew, and another number of
        them would round sums in another order."""
        if torch.get_num_threads() != self.threads:
            torch.set_num_threads(self.threads)
        arrays = (feeds[name] for name in self._order)
        return [torch.from_numpy(x if x.flags.writeable else x.copy()).to(self.device) for x in arrays]

    def run(
        self, feeds: Mapping[str, np.ndarray], taps: Collection[str], cancel: Cancel | None
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Output and wanted taps. Raises Cancelled at the next tap that the model meets."""
        check: Callable[[], None] | None = None if cancel is None else cancel.check
        with torch.inference_mode(), record(taps, check) as kept:  # in the thread that runs the net
            if cancel is not None:
                cancel.check()
            try:
                output = self.model(*self._tensors(feeds))
                return to_numpy(output), {name: to_numpy(tensor) for name, tensor in kept.items()}
            except (torch.OutOfMemoryError, MemoryError) as error:
                kept.clear()
                raise EngineError("engine.out_of_memory") from error

    def gradient(self, feeds: Mapping[str, np.ndarray], tap: str, target: int) -> np.ndarray:
        """d output[0, target] / d tap by autograd; zeros where the output does not depend on the tap."""
        with torch.enable_grad(), record([tap]) as kept:
            inputs = [x.requires_grad_(True) for x in self._tensors(feeds)]
            output = self.model(*inputs)
            (found,) = torch.autograd.grad(output[0, target].sum(), kept[tap], allow_unused=True)
            return to_numpy(torch.zeros_like(kept[tap]) if found is None else found)

    def gradient_input(self, feeds: Mapping[str, np.ndarray], tap: str, index: tuple[int, ...]) -> np.ndarray:
        """d tap[index] / d first input by autograd (summed where `index` names a slice)."""
        with torch.enable_grad(), record([tap]) as kept:
            inputs = self._tensors(feeds)
            inputs[0].requires_grad_(True)
            self.model(*inputs)
            (found,) = torch.autograd.grad(kept[tap][index].sum(), inputs[0], allow_unused=True)
            return to_numpy(torch.zeros_like(inputs[0]) if found is None else found)


def to_numpy(x: Tensor) -> np.ndarray:
    return np.ascontiguousarray(x.detach().cpu().numpy())
