"""A model, done: its card says everything, and says it right. Holds for every model of the registry."""

from __future__ import annotations

import ast
import re
from dataclasses import fields

import pytest
import torch

from app.text import LANGUAGES, catalogue
from models.card import ModelCard, Weights
from models.registry import MODELS, by_slug
from models.taps import record, taps_of
from tests.contract.helpers import CARDS, EVERY_WEIGHTS, WEIGHTS_IDS, build, config_of, examples, sizes
from tests.imports import ROOT, sources

each_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.slug)
each_weights = pytest.mark.parametrize(("card", "weights"), EVERY_WEIGHTS, ids=WEIGHTS_IDS)

KINDS = {"feature_map", "attention", "tokens", "heads", "mask", "vector", "logits", "nodes", "edges"}
OPTIONAL_FIELDS = {"errata", "part_of"}


@each_card
def test_every_field_is_filled(card: ModelCard):
    for field in fields(card):
        assert getattr(card, field.name) or field.name in OPTIONAL_FIELDS, field.name
    for field in fields(card.paper):
        assert getattr(card.paper, field.name), field.name
    assert card.paper.url.startswith("https://")
    assert re.fullmatch(r"[a-z][a-z0-9_]*", card.slug)
    assert (ROOT / "models" / card.family).is_dir()
    assert (ROOT / "pages" / f"{card.page}.py").is_file()


def test_slugs_sections_and_pages_are_one_to_one():
    heads = [card for card in CARDS if not card.part_of]
    for values in ([c.slug for c in CARDS], [c.section for c in heads], [c.page for c in heads]):
        assert len(set(values)) == len(values)
    for card in CARDS:
        if card.part_of:
            head = MODELS[card.part_of]
            assert (card.section, card.page, card.family) == (head.section, head.page, head.family)
            assert not head.part_of and list(MODELS).index(card.part_of) < list(MODELS).index(card.slug)
    assert list(MODELS) == [card.slug for card in CARDS]
    with pytest.raises(ValueError, match="two cards"):
        by_slug((CARDS[0], CARDS[0]))


@each_card
def test_one_slug_names_everything(card: ModelCard):
    """One file a model; nets of one paper that only work together may share that of their page, two halves of one net
    (autoencoder_kl_encoder, autoencoder_kl_decoder) the file that is named like it."""
    code = card.module.split(":")[0]
    whole = card.slug.removesuffix("_encoder").removesuffix("_decoder") if card.part_of else card.slug
    assert code in {f"models.{card.family}.{name}" for name in (card.slug, card.page, whole)}
    assert f"models.{card.family}.{card.slug}_card" in sources()
    assert card.folder.name == card.slug


@each_weights
def test_weights_entry(card: ModelCard, weights: Weights):
    assert card.weights_by_id(weights.id) is weights
    assert weights.licence and weights.graph and weights.config
    assert weights.origin in ("embedded", "official")
    if weights.origin == "official":
        assert weights.url.startswith("https://") and weights.layout
        assert re.fullmatch(r"[0-9a-f]{0,64}", weights.sha256)
    else:
        assert not weights.url


def test_an_unknown_id_is_named():
    with pytest.raises(KeyError, match="nothing"):
        CARDS[0].weights_by_id("nothing")


# ---------------------------------------------------------------- words


@each_card
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tap_has_its_sentence(card: ModelCard, language: str):
    messages = catalogue(language)
    for spec in card.taps(card.tiny):
        assert messages.get(spec.text, "").strip(), f"{spec.text} in {language}"


# ---------------------------------------------------------------- formulas and source lines

KATEX = set(
    """frac sqrt sum prod int max min exp log tanh softmax text mathrm mathbf mathbb mathcal hat bar tilde vec
    alpha beta gamma delta Delta epsilon varepsilon eta theta lambda mu nu pi rho sigma Sigma tau phi Phi psi omega
    cdot cdots ldots dots times odot otimes oplus ast star circ partial nabla infty in notin le leq ge geq ne neq
    approx sim equiv to mapsto leftarrow rightarrow Rightarrow left right big Big bigl bigr begin end quad qquad
    cos sin top prime lVert rVert lvert rvert lfloor rfloor lceil rceil langle rangle Vert mid displaystyle operatorname
    underbrace overbrace underset overset substack cup textstyle Pr propto tfrac varnothing""".split()
)


def check_latex(formula: str) -> None:
    """Raise AssertionError where braces, \\left and \\right or environments do not match, or a word is not KaTeX's."""
    bare = (
        formula.replace(r"\\", " ").replace(r"\{", "").replace(r"\}", "")
    )  # without line breaks and set braces
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0, f"brace closed too early: {formula}"
    assert depth == 0, f"brace left open: {formula}"
    assert len(re.findall(r"\\left(?![a-z])", bare)) == len(re.findall(r"\\right(?![a-z])", bare)), formula
    open_environments: list[str] = []
    for way, name in re.findall(r"\\(begin|end)\{(\w+)", bare):
        if way == "begin":
            open_environments.append(name)
        else:
            assert open_environments and open_environments.pop() == name, f"environments cross: {formula}"
    assert not open_environments, f"environment left open: {formula}"
    unknown = set(re.findall(r"\\([A-Za-z]+)", bare)) - KATEX
    assert not unknown, f"{sorted(unknown)} in {formula}"
    assert not re.search(r"[_^]\s*(?=[_^}]|$)", bare), f"empty index: {formula}"


@each_card
def test_formulas(card: ModelCard):
    check_latex(card.formula)
    for spec in card.taps(card.tiny):
        assert spec.formula, f"{spec.name} has no formula"
        check_latex(spec.formula)


@pytest.mark.parametrize(
    "bad", [r"\frac{a", r"a}", r"\left(a", r"\begin{cases}a", r"\end{cases}", r"a\\b}", r"\foo", "a_"]
)
def test_bad_formulas_are_noticed(bad: str):
    with pytest.raises(AssertionError):
        check_latex(bad)


def definition(source: str) -> ast.AST:
    """Node of "module:Class.method". Raises LookupError where it is not there."""
    module, _, qualified = source.partition(":")
    node: ast.AST = ast.parse(sources()[module].read_text("utf-8"))
    for name in qualified.split("."):
        inside = [n for n in ast.iter_child_nodes(node) if getattr(n, "name", None) == name]
        if not inside:
            raise LookupError(source)
        node = inside[0]
    return node


@each_card
def test_source_lines_are_there(card: ModelCard):
    for spec in card.taps(card.tiny):
        assert isinstance(definition(spec.source), ast.FunctionDef), spec.name


# ---------------------------------------------------------------- taps and the drawing


@each_card
def test_taps_of_card_and_model_are_the_same(card: ModelCard):
    model = build(card, card.tiny)
    ours = {spec.name: spec for spec in card.taps(card.tiny)}
    theirs = taps_of(model)
    assert len(ours) == len(card.taps(card.tiny)), "a tap stands twice on the card"
    assert set(ours) == set(theirs)
    for name, tap in theirs.items():
        assert (tap.axes, tap.kind) == (ours[name].axes, ours[name].kind), name
        assert tap.kind in KINDS


@each_card
def test_axes_fit_the_arrays_in_the_order_of_the_card(card: ModelCard):
    model = build(card, card.tiny)
    for size in sizes(card):
        inputs = examples(card, card.tiny, 2, size)
        with torch.inference_mode(), record() as tensors:
            output = model(*inputs.values())
        assert list(tensors) == [spec.name for spec in card.taps(card.tiny)]
        assert output.ndim == len(card.output.axes)
        for spec in card.taps(card.tiny):
            assert tensors[spec.name].ndim == len(spec.axes), spec.name
            if "batch" in spec.axes:
                assert tensors[spec.name].shape[spec.axes.index("batch")] == 2, spec.name


@each_card
def test_taps_change_nothing(card: ModelCard):
    """With and without a recorder, the very same output; tensors kept are not overwritten later."""
    model = build(card, card.tiny)
    inputs = examples(card, card.tiny, 1, sizes(card)[0])
    with torch.inference_mode():
        plain = model(*inputs.values())
        with record() as tensors:
            assert torch.equal(model(*inputs.values()), plain)
        again = {name: tensor.clone() for name, tensor in tensors.items()}
        model(*inputs.values())
        with record(list(again)[:1]) as few:
            model(*inputs.values())
    assert all(torch.equal(tensors[name], again[name]) for name in again)
    assert list(few) == list(again)[:1]


@each_card
def test_drawing(card: ModelCard):
    """Blocks come after what feeds them; every tap belongs to one; all but the first are fed."""
    blocks = card.blocks(card.tiny)
    seen: set[str] = set()
    for block in blocks:
        assert block.name not in seen, f"{block.name} stands twice"
        assert set(block.inputs) <= seen, f"{block.name} is fed by something later"
        assert bool(block.inputs) != (block.kind == "input"), block.name
        seen.add(block.name)
    assert {spec.block for spec in card.taps(card.tiny)} <= seen


# ---------------------------------------------------------------- sizes


@each_weights
def test_parameter_count(card: ModelCard, weights: Weights):
    """The formula on the card counts what the model of these sizes has; nothing is allocated."""
    config = config_of(card, weights)
    model = build(card, config, device="meta")
    assert card.parameters(config) == sum(p.numel() for p in model.parameters())


@each_card
def test_tiny_is_tiny(card: ModelCard):
    assert card.parameters(card.tiny) == sum(p.numel() for p in build(card, card.tiny).parameters()) < 500_000


# ---------------------------------------------------------------- errata


@each_card
def test_every_erratum_is_a_test(card: ModelCard):
    names = set()
    for module, file in sources().items():
        if module.startswith("tests."):
            names |= set(re.findall(r"^\s*def test_(E\d+)_", file.read_text("utf-8"), re.MULTILINE))
    assert set(card.errata) <= names
