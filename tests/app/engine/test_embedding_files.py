"""Files of an embedding come back exactly, also in the programs that they are for; names of any kind included."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings, strategies as st

from app.engine.embedding_files import Embedding, as_csv, as_npz, as_projector, as_word2vec, words
from models.graph.graph import Graph
from models.graph.samples import davis, karate

RNG = np.random.default_rng(0)
ODD = Graph.of(
    [0, 1, 2, 3],
    [1, 2, 3, 4],
    names=["A b", "A_b", 'quote " and, comma', "tab\tand\nline", "冉阿让"],
    labels=[0, 1, -1, 0, 1],
    label_names=["one", "two\tparts"],
)


def made(graph: Graph, dim: int = 5) -> Embedding:
    numbers = RNG.normal(size=(graph.count, dim)) * 10.0 ** RNG.integers(-30, 30, (graph.count, dim))
    return Embedding(graph, numbers.astype(np.float32), about={"method": "line", "dim": dim})


@pytest.mark.parametrize("graph", [karate(), davis(), ODD], ids=["karate", "davis", "odd"])
def test_csv(graph):
    embedding = made(graph)
    rows = list(csv.reader(io.StringIO(as_csv(embedding).decode(), newline="")))
    assert rows[0] == ["node", "label", "x1", "x2", "x3", "x4", "x5"]
    assert [row[0] for row in rows[1:]] == list(graph.names)
    assert [row[1] for row in rows[1:]] == embedding.labels
    assert np.array_equal(np.array([row[2:] for row in rows[1:]], dtype=np.float32), embedding.vectors)


def test_a_graph_without_labels_has_no_column_for_them():
    graph = karate().with_labels(None)
    assert as_csv(made(graph)).startswith(b"node,x1,")
    with zipfile.ZipFile(io.BytesIO(as_projector(made(graph)))) as archive:
        assert archive.read("metadata.tsv").splitlines()[0] == b"node\tdegree"
    assert "labels" not in np.load(io.BytesIO(as_npz(made(graph))), allow_pickle=False)


def test_npz_has_the_graph_and_the_way_of_the_training():
    embedding = made(ODD)
    moments = np.stack([0 * embedding.vectors, embedding.vectors])
    data = np.load(io.BytesIO(as_npz(embedding, moments, np.array([0.0, 2.0]))), allow_pickle=False)
    assert np.array_equal(data["vectors"], embedding.vectors)
    assert data["names"].tolist() == list(ODD.names)
    assert np.array_equal(data["moments"], moments) and data["epochs"].tolist() == [0, 2]
    assert json.loads(str(data["about"])) == {"method": "line", "dim": 5}
    back = Graph.of(data["source"], data["target"], data["weight"], names=data["names"].tolist(),
                    labels=data["labels"], label_names=data["label_names"].tolist())  # fmt: skip
    assert back.key == ODD.key


@pytest.mark.parametrize("graph", [karate(), davis(), ODD], ids=["karate", "davis", "odd"])
def test_gensim_reads_the_word2vec_form(graph, tmp_path):
    embedding = made(graph)
    path = tmp_path / "vectors.txt"
    path.write_bytes(as_word2vec(embedding))
    read = KeyedVectors.load_word2vec_format(str(path), binary=False)
    assert read.index_to_key == words(graph.names)
    assert np.array_equal(read.vectors, embedding.vectors)


@given(st.lists(st.text(min_size=1, max_size=8), max_size=12, unique=True))
@settings(max_examples=80, deadline=None)
def test_every_name_has_a_word_of_its_own(names):
    found = words(names)
    assert len(set(found)) == len(names)
    assert all(word and word.split() == [word] for word in found)


def test_the_projector_finds_its_files():
    embedding = made(ODD)
    with zipfile.ZipFile(io.BytesIO(as_projector(embedding, 'run "1"'))) as archive:
        tensors = np.loadtxt(io.BytesIO(archive.read("tensors.tsv")), delimiter="\t", dtype=np.float32)
        metadata = [line.split("\t") for line in archive.read("metadata.tsv").decode().splitlines()]
        config = archive.read("projector_config.pbtxt").decode()
    assert np.array_equal(tensors, embedding.vectors)
    assert metadata[0] == ["node", "degree", "label"] and len(metadata) == 1 + ODD.count
    assert metadata[4] == ["tab and line", "2", "one"] and metadata[5] == ["冉阿让", "1", "two parts"]
    for name in ("tensors.tsv", "metadata.tsv", "run__1_"):
        assert f'"{name}"' in config


def test_the_same_embedding_gives_the_same_bytes():
    embedding = made(karate())
    for write in (as_csv, as_npz, as_word2vec, as_projector):
        assert write(embedding) == write(embedding)
