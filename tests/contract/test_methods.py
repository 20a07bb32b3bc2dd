"""A method that is trained on the spot, done: its card says everything, and what it names is there."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re

import pytest

from models.card import MethodCard
from models.registry import METHODS, MODELS
from tests.contract.test_card import check_latex
from tests.imports import ROOT, sources

each_method = pytest.mark.parametrize("card", METHODS.values(), ids=lambda card: card.slug)


@each_method
def test_card(card: MethodCard):
    for field in dataclasses.fields(card):
        assert getattr(card, field.name) or field.name in {"errata", "part_of"}, field.name
    for field in dataclasses.fields(card.paper):
        assert getattr(card.paper, field.name), field.name
    assert card.paper.url.startswith("https://")
    assert re.fullmatch(r"[a-z][a-z0-9_]*", card.slug) and card.slug not in MODELS
    assert f"models.{card.family}.{card.slug}_card" in sources()
    assert (ROOT / "pages" / f"{card.page}.py").is_file()
    check_latex(card.formula)
    if card.part_of:
        head = METHODS[card.part_of]
        assert (card.section, card.page, card.family) == (head.section, head.page, head.family)
        assert not head.part_of


@each_method
def test_what_the_card_names_is_there(card: MethodCard):
    """The function trains a graph with the dataclass of its settings, whose defaults are complete."""
    module, function, settings = card.module.split(":")
    assert module == f"models.{card.family}.{card.slug}"
    found = importlib.import_module(module)
    assert list(inspect.signature(getattr(found, function)).parameters) == ["graph", "config"]
    config = getattr(found, settings)()
    assert dataclasses.is_dataclass(config) and config.seed == 0 and config.dim > 0
