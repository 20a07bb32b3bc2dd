"""Small models, inputs and states that fit any card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.build import build as build_on_cpu
from models.card import ModelCard, Weights
from models.examples import example
from models.registry import MODELS

CARDS = list(MODELS.values())
EVERY_WEIGHTS = [(card, weights) for card in CARDS for weights in card.weights]
WEIGHTS_IDS = [f"{card.slug}-{weights.id}" for card, weights in EVERY_WEIGHTS]
EMBEDDED = [(card, weights) for card, weights in EVERY_WEIGHTS if weights.origin == "embedded"]
EMBEDDED_IDS = [f"{card.slug}-{weights.id}" for card, weights in EMBEDDED]


def build(card: ModelCard, config: Mapping[str, Any], device: str = "cpu") -> nn.Module:
    """A model of these sizes in eval mode; device "meta" makes shapes without values."""
    with torch.device(device):
        return build_on_cpu(card, config)


def shake(model: nn.Module, seed: int = 0) -> nn.Module:
    """Move every tensor off its start, batch norm statistics included, so that nothing is trivially equal."""
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if value.is_floating_point():
                if name.endswith("running_var"):
                    value.uniform_(0.5, 2, generator=random)
                else:
                    value.add_(torch.randn(value.shape, generator=random) * 0.05)
    return model


def state_of(model: nn.Module) -> dict[str, np.ndarray]:
    """What a weights file holds."""
    return {k: v.detach().numpy() for k, v in model.state_dict().items() if v.is_floating_point()}


def sizes(card: ModelCard) -> list[tuple[int, int]]:
    """Two legal sizes of the model's picture: near the smallest, and a larger one of another form.

    A model of one size only takes no notice of them.
    """
    spec = next((spec for spec in card.inputs if "row" in spec.dynamic), card.inputs[0])
    step = spec.multiple_of

    def at_least(n: int) -> int:
        return -(-max(n, spec.minimum) // step) * step

    return [(at_least(spec.minimum + step), at_least(24)), (at_least(40), at_least(65))]


def examples(
    card: ModelCard, config: Mapping[str, Any], batch: int, size: tuple[int, int]
) -> dict[str, Tensor]:
    """A random input of each kind, in the order in which the model takes them.

    A batch of graphs is one graph, `size` nodes and edges for each of them.
    """
    lengths = {
        "batch": batch,
        "row": size[0],
        "column": size[1],
        "node": batch * size[0],
        "edge": batch * size[1],
    }
    return {
        spec.name: torch.from_numpy(example(spec, config, lengths, seed=i))
        for i, spec in enumerate(card.inputs)
    }


def config_of(card: ModelCard, weights: Weights) -> dict[str, Any]:
    """Sizes of a set of weights: the card's, with the training report's on top where there is one."""
    import json

    path = card.report_path(weights)
    report = json.loads(path.read_text("utf-8")) if weights.origin == "embedded" and path.exists() else {}
    return {**weights.config, **report.get("config", {})}
