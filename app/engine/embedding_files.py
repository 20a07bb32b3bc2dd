"""An embedding as a file for other programs: CSV, npz, word2vec's text form, and a zip for TensorBoard's projector.

Nine digits are written, with which float32 comes back exactly. The same embedding gives the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.graph.graph import NONE, Graph

DIGITS = "%.9g"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the least date of a zip


@dataclass(frozen=True, eq=False)
class Embedding:
    """Vectors float32 (N, d) of the N nodes of a graph. label_names: as the files shall call the graph's labels.

    about: how they were made (method and settings), of texts and numbers.
    """

    graph: Graph
    vectors: np.ndarray
    label_names: Sequence[str] = ()
    about: Mapping[str, Any] | None = None

    @property
    def labels(self) -> list[str] | None:
        """The label of each node, "" for none; None where the graph has no labels."""
        if self.graph.labels is None:
            return None
        names = self.label_names or self.graph.label_names
        return ["" if label == NONE else names[label] for label in self.graph.labels.tolist()]


def as_csv(embedding: Embedding) -> bytes:
    """A header and a row for each node: its name, its label where there are labels, its numbers x1 … xd."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    labels = embedding.labels
    dims = [f"x{i + 1}" for i in range(embedding.vectors.shape[1])]
    writer.writerow(["node", *([] if labels is None else ["label"]), *dims])
    for v, (name, row) in enumerate(zip(embedding.graph.names, _numbers(embedding.vectors), strict=True)):
        writer.writerow([name, *([] if labels is None else [labels[v]]), *row])
    return out.getvalue().encode()


def as_npz(
    embedding: Embedding, moments: np.ndarray | None = None, epochs: np.ndarray | None = None
) -> bytes:
    """Arrays that np.load reads without pickle: vectors (N, d), names (N,), source, target, weight (E,), about (JSON);
    labels (N,) and label_names where there are labels.

    moments, epochs: (S, N, d) and (S,), the way of the training, where it shall travel too.
    """
    graph = embedding.graph
    arrays: dict[str, np.ndarray] = {
        "vectors": embedding.vectors,
        "names": np.array(graph.names, dtype=np.str_),
        "source": graph.source,
        "target": graph.target,
        "weight": graph.weight,
        "about": np.array(json.dumps(dict(embedding.about or {}), ensure_ascii=False)),
    }
    if graph.labels is not None:
        arrays["labels"] = graph.labels
        arrays["label_names"] = np.array([*(embedding.label_names or graph.label_names)], dtype=np.str_)
    if moments is not None and epochs is not None:
        arrays |= {"moments": moments, "epochs": epochs}
    return _zip({f"{name}.npy": _npy(array) for name, array in arrays.items()})


def as_word2vec(embedding: Embedding) -> bytes:
    """word2vec's text form, as gensim's KeyedVectors.load_word2vec_format reads it: "N d", then a name and d numbers.

    White space ends a name there, so it becomes "_"; names that would be the same are numbered.
    """
    lines = [f"{len(embedding.vectors)} {embedding.vectors.shape[1]}"]
    tokens = words(embedding.graph.names)
    lines += [" ".join([t, *row]) for t, row in zip(tokens, _numbers(embedding.vectors), strict=True)]
    return ("\n".join(lines) + "\n").encode()


def as_projector(embedding: Embedding, name: str = "embedding") -> bytes:
    """A zip for TensorBoard's projector: tensors.tsv and metadata.tsv, which projector.tensorflow.org loads as they
    are, and the projector_config.pbtxt with which a local TensorBoard finds them in its log folder."""
    graph, labels = embedding.graph, embedding.labels
    columns = [list(map(_one_line, graph.names)), [str(d) for d in graph.degree.tolist()]]
    header = ["node", "degree"]
    if labels is not None:
        columns.append(list(map(_one_line, labels)))
        header.append("label")
    rows = [header, *map(list, zip(*columns, strict=True))]
    config = (
        f'embeddings {{\n  tensor_name: "{re.sub(r"[^A-Za-z0-9_.-]", "_", name)}"\n'
        '  tensor_path: "tensors.tsv"\n  metadata_path: "metadata.tsv"\n}\n'
    )
    return _zip(
        {
            "tensors.tsv": _lines("\t".join(row) for row in _numbers(embedding.vectors)),
            "metadata.tsv": _lines("\t".join(row) for row in rows),
            "projector_config.pbtxt": config.encode(),
        }
    )


def words(names: Sequence[str]) -> list[str]:
    """A token without white space for each name, each once: "A b" is "A_b", and "A_b_2" where that is taken."""
    taken: set[str] = set()
    tokens = []
    for name in names:
        plain = token = re.sub(r"\s+", "_", name) or "_"
        number = 1
        while token in taken:
            number += 1
            token = f"{plain}_{number}"
        taken.add(token)
        tokens.append(token)
    return tokens


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _numbers(vectors: np.ndarray) -> list[list[str]]:
    return [[DIGITS % x for x in row] for row in vectors.tolist()]


def _lines(lines: Any) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def _zip(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
