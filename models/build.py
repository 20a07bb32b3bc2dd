"""Make the model that a card describes: the one place where a card's `module` is imported."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from torch import nn

from models.card import ModelCard


def build(card: ModelCard, config: Mapping[str, Any]) -> nn.Module:
    """A model of these sizes with fresh weights, in eval mode.

    Raises TypeError or ValueError where the config is not one of the model's.
    """
    module, model, model_config = card.module.split(":")
    code = importlib.import_module(module)
    net: nn.Module = getattr(code, model)(getattr(code, model_config)(**config))
    return net.eval()
