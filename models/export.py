"""Write the ONNX graph of a model without its weights.

One graph serves every set of weights of the same sizes: initializers keep their `state_dict` names and are left
external, to be bound when a session is made. Every tap is a named output after the model's own; the engine
drops those outputs from the plain session, so the plain path pays nothing for them.

    python -m models.export                 # every graph of the registry that is missing
    python -m models.export swinir:x2 --force
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn

from models.card import ModelCard
from models.registry import MODELS
from models.taps import record, taps_of


class WithTaps(nn.Module):
    """The model, returning (output, tap, tap, ...) in the order of `names`. Keeps the parameters' names."""

    def __init__(self, model: nn.Module, names: list[str]):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        with record(self.names) as tensors:
            output = self.model(*inputs)
        # a tap that is itself an input of the output node must not be merged with it
        return (output, *(tensors[name] for name in self.names))


def build(card: ModelCard, config: dict[str, Any]) -> nn.Module:
    """A model of these sizes with fresh weights, in eval mode."""
    module, model, model_config = card.module.split(":")
    code = importlib.import_module(module)
    return getattr(code, model)(getattr(code, model_config)(**config)).eval()
