"""Write the tables of README.md from the settings and the cards: `python -m tests.readme`."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

from app.settings import PREFIX, Settings
from app.text import using
from app.widgets import header
from models.card import ModelCard, Weights
from models.registry import METHODS, MODELS

README = Path(__file__).parents[1] / "README.md"

MEANING = {
    "engine": "`torch` or `onnx`; otherwise torch on a GPU and ONNX Runtime elsewhere",
    "language": "`en` or `zh`; otherwise what the browser asks for",
    "threads": "threads of one model; 0: every core",
    "cache": "where downloaded weights are kept",
    "model_memory_mb": "memory of the models that are kept loaded, MB",
    "queue_length": "runs that may wait for one model",
    "max_taps_mb": "tensors that one run may show, MB",
    "max_run_megapixels": "what a network takes at once, untiled",
    "max_input_megapixels": "largest picture that is read",
    "max_output_megapixels": "largest picture that is made",
    "max_upload_mb": "largest file that is taken, MB",
    "max_graph_edges": "edges of the largest graph that is taken",
    "max_graph_nodes": "nodes of the largest graph that is taken",
    "min_input_side": "smallest side of a picture, pixels",
    "tile": "side of a tile when enlarging, pixels; 0: by memory",
}
OTHER = {
    "WEIGHTS_MIRROR": ("", "address of a folder that official weights are fetched from instead of their own"),
}
RAW = {"threads": "0", "cache": "~/.cache/vitrine"}  # the default before it is resolved on a machine


def settings_table() -> str:
    rows = ["| variable | default | what it sets |", "|---|---|---|"]
    for field in fields(Settings):
        value = RAW.get(
            field.name, f"{field.default:g}" if isinstance(field.default, float) else field.default
        )
        rows.append(
            f"| `{PREFIX}{field.name.upper()}` | {f'`{value}`' if value != '' else ''} | {MEANING[field.name]} |"
        )
    rows += [f"| `{PREFIX}{name}` | {value} | {meaning} |" for name, (value, meaning) in OTHER.items()]
    return "\n".join(rows)


def score(card: ModelCard, weights: Weights) -> str:
    """What the training report of embedded weights says, in the words of the page; "" where they do not apply."""
    path = card.report_path(weights)
    if weights.origin != "embedded" or not path.is_file():
        return ""
    with using("en"):
        return header.score(card.slug, json.loads(path.read_text("utf-8")))


def models_table() -> str:
    rows = ["| model | weights | parameters | score | licence | source |", "|---|---|---|---|---|---|"]
    for card in MODELS.values():
        code = card.module.split(":")[0].replace(".", "/")
        title = f"[{card.title}]({code}.py) ([{card.paper.year}]({card.paper.url}))"
        for weights in (weights for weights in card.weights if weights.offered):
            count = header.number(card.parameters(weights.config))
            source = "here" if weights.origin == "embedded" else f"[official]({weights.url})"
            cells = (
                title,
                f"`{weights.id}`",
                count,
                score(card, weights),
                weights.licence,
                source,
            )
            rows.append("| " + " | ".join(cells) + " |")
            title = ""
    return "\n".join(rows)


def methods_table() -> str:
    rows = ["| method | section | paper |", "|---|---|---|"]
    for card in METHODS.values():
        code = card.module.split(":")[0].replace(".", "/")
        paper = f"[{card.paper.title}]({card.paper.url}), {card.paper.year}"
        rows.append(f"| [{card.title}]({code}.py) | {card.section} | {paper} |")
    return "\n".join(rows)


def filled(text: str) -> str:
    """The README with its tables as they should be."""
    for name, table in (
        ("settings", settings_table()),
        ("models", models_table()),
        ("methods", methods_table()),
    ):
        pattern = re.compile(rf"(<!-- {name}:[^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = pattern.subn(lambda m, table=table: f"{m[1]}\n{table}\n\n{m[2]}", text)  # type: ignore[misc]
        if found != 1:
            raise ValueError(f"README.md has no place for the table of {name}")
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")
