"""ModelCard: what a model is, what goes in, what can be seen inside, where its weights come from.

Imports no torch: cards are read by the slim install, by pages before a model is loaded, and by the tests.
Sentences are message ids of `app/text`; names, numbers and formulas are here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WEIGHTS_ROOT = Path(__file__).parent / "weights"


@dataclass(frozen=True, kw_only=True)
class Paper:
    title: str
    authors: str
    year: int
    url: str


@dataclass(frozen=True, kw_only=True)
class InputSpec:
    """One input of the net.

    axes: names; dynamic: the axes of any size. multiple_of: rows and columns come in whole multiples.
    sizes: the axes that are not dynamic, each a number or the name of the config's entry that holds it.
    dtype: "float32", or "int64" for numbers that name something (a step, a class): each lies in [0, below).
    below: a number, or the name of the config's entry that holds it, "num_classes + 1" is one more than that; or the
    name of an axis of another input, whose length in this run it is (the ends of edges are numbers of nodes).
    default: value of an optional input (an intervention such as `mask_strength`), None for a required one.
    shape: of an optional input, which is filled with `default`; () is a scalar.
    """

    name: str
    axes: tuple[str, ...]
    dynamic: tuple[str, ...] = ()
    sizes: Mapping[str, int | str] = field(default_factory=dict)
    multiple_of: int = 1
    minimum: int = 1
    dtype: str = "float32"
    below: int | str = 0
    default: float | None = None
    shape: tuple[int, ...] = ()

    def fixed(self, config: Mapping[str, Any]) -> dict[str, int]:
        """Lengths of the axes that have one length only, in a model of these sizes."""
        return {axis: _number(size, config) for axis, size in self.sizes.items()}

    def limit(self, config: Mapping[str, Any], lengths: Mapping[str, int]) -> int:
        """Integers of this input are smaller than this, in a run whose axes have these lengths."""
        return _number(self.below, {**config, **lengths})


def _number(said: int | str, config: Mapping[str, Any]) -> int:
    if not isinstance(said, str):
        return said
    name, _, more = said.partition(" + ")
    return int(config[name]) + int(more or 0)


@dataclass(frozen=True, kw_only=True)
class TapSpec:
    """One tensor that can be looked at. `block` is the node of the architecture that it belongs to.

    text: message id of its sentence. formula: LaTeX. source: "module:qualified.name" of the lines that compute it.
    """

    name: str
    axes: tuple[str, ...]
    kind: str
    block: str
    text: str
    formula: str = ""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A node of the architecture drawing: its name, the nodes that feed it, and what kind of thing it is."""

    name: str
    inputs: tuple[str, ...]
    kind: str
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """One set of weights of a model: its sizes, its graph, where it comes from, how its input is prepared.

    config: keyword arguments of the model's config. graph: file stem in the model's weights folder.
    origin "embedded": `<id>.safetensors` and `<id>.json` (the training report) in that folder, or in the folder of
    the model `tensors_of`, where two have the same tensors.
    offered: False for weights that nobody chooses by themselves (snapshots of a training).
    origin "official": url, size in bytes, sha256 (whole, or the published prefix), licence; `layout` names the
    key map in models/checkpoints.
    """

    id: str
    origin: str
    config: Mapping[str, Any]
    graph: str
    preprocess: Mapping[str, Any] = field(default_factory=dict)
    url: str = ""
    size: int = 0
    sha256: str = ""
    licence: str = ""
    layout: str = ""
    offered: bool = True
    tensors_of: str = ""


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """The single truth about a model.

    module: "models.vision.swinir:SwinIR:SwinIRConfig", imported only by the torch engine and the exporter.
    taps, blocks: functions of a config mapping. section: heading of the study notes it stands under.
    page: file stem in pages/. formula: LaTeX of its central idea.
    part_of: slug of the model on whose page this one helps (a discriminator, a judge): it has no entry of its own
    in the navigation, and stands under the same section.
    """

    slug: str
    title: str
    family: str
    section: str
    paper: Paper
    module: str
    inputs: tuple[InputSpec, ...]
    output: InputSpec
    weights: tuple[Weights, ...]
    taps: Callable[[Mapping[str, Any]], tuple[TapSpec, ...]]
    blocks: Callable[[Mapping[str, Any]], tuple[Block, ...]]
    parameters: Callable[[Mapping[str, Any]], int]
    formula: str
    page: str
    tiny: Mapping[str, Any]
    part_of: str = ""
    errata: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return WEIGHTS_ROOT / self.slug

    def weights_by_id(self, weights_id: str) -> Weights:
        """Raises KeyError for an unknown id."""
        for weights in self.weights:
            if weights.id == weights_id:
                return weights
        raise KeyError(f"{self.slug} has no weights {weights_id!r}; it has {[w.id for w in self.weights]}")

    def graph_path(self, weights: Weights) -> Path:
        return self.folder / f"{weights.graph}.onnx.gz"

    def embedded_path(self, weights: Weights) -> Path:
        folder = WEIGHTS_ROOT / weights.tensors_of if weights.tensors_of else self.folder
        return folder / f"{weights.id}.safetensors"

    def report_path(self, weights: Weights) -> Path:
        return self.embedded_path(weights).with_suffix(".json")


@dataclass(frozen=True, kw_only=True)
class MethodCard:
    """The single truth about a method that is trained on the spot, on the visitor's own data, and has no weights.

    module: "models.graph.line:train:Config", the function that trains and the dataclass of its settings.
    Everything else as in ModelCard.
    """

    slug: str
    title: str
    family: str
    section: str
    paper: Paper
    module: str
    formula: str
    page: str
    part_of: str = ""
    errata: tuple[str, ...] = ()


Card = ModelCard | MethodCard
