"""Positions are repeatable, on the page, and follow the graph."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.base import Cancel, Cancelled
from app.engine.layout import EXACT, _Mesh, layout, positions
from models.graph import samples
from models.graph.graph import Graph


def assert_on_the_page(place, graph):
    assert place.shape == (graph.count, 2) and place.dtype == np.float32
    assert np.all(np.isfinite(place)) and place.min() >= 0 and place.max() <= 1


@pytest.mark.parametrize("name", samples.SAMPLES)
def test_every_sample_has_its_places(name):
    graph = samples.build(name)
    place = positions(graph)
    assert_on_the_page(place, graph)
    assert np.array_equal(place, positions(graph))
    distances = np.linalg.norm(place[:, None] - place[None], axis=2)[np.triu_indices(graph.count, 1)]
    assert distances.min() > 1e-3, "two nodes on one spot"
    joined = np.linalg.norm(place[graph.source] - place[graph.target], axis=1)
    assert joined.mean() < 0.75 * distances.mean()


def test_a_path_is_drawn_as_a_line():
    path = Graph.of(np.arange(20), np.arange(1, 21))
    place = positions(path)
    assert np.ptp(place[:, 1]) < 0.05 and np.ptp(place[:, 0]) == pytest.approx(1)
    assert np.all(np.diff(place[:, 0]) > 0) or np.all(np.diff(place[:, 0]) < 0)


def test_components_stand_apart_and_lonely_nodes_in_rows():
    one = samples.karate()
    source = np.concatenate([one.source, one.source + 34, [70]])
    target = np.concatenate([one.target, one.target + 34, [71]])
    graph = Graph.of(source, target, count=90)
    place = positions(graph)
    assert_on_the_page(place, graph)
    boxes = [(place[graph.components == c].min(0), place[graph.components == c].max(0)) for c in range(3)]
    for i, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:i]:
            assert np.any(low > other_high) or np.any(other_low > high)
    assert len(np.unique(place, axis=0)) == 90
    assert_on_the_page(positions(Graph.of([], [], count=5)), Graph.of([], [], count=5))


def test_groups_of_a_large_graph_are_seen():
    graph = samples.sbm(blocks=4, size=300, inside=0.05, between=0.001, seed=3)
    assert graph.count > EXACT
    place = positions(graph)
    assert_on_the_page(place, graph)
    centres = np.array([place[graph.labels == c].mean(0) for c in range(4)])
    nearest = np.linalg.norm(place[:, None] - centres[None], axis=2).argmin(1)
    assert (nearest == graph.labels).mean() > 0.97


def test_mesh_repulsion_is_the_sum_over_pairs_where_points_are_far():
    rng = np.random.default_rng(0)
    place, mass = rng.normal(size=(40, 2)) * 30, rng.random(40) + 0.5
    apart = place[:, None] - place[None]
    squares = (apart**2).sum(2) + np.eye(40)
    exact = (apart / squares[..., None] * (mass[:, None] * mass[None])[..., None]).sum(1)
    found = _Mesh(256).repulsion(place, mass)
    assert np.linalg.norm(found - exact) < 0.05 * np.linalg.norm(exact)


def test_it_reports_and_can_be_cancelled():
    graph = samples.grid(40, 40)
    cancel = Cancel()
    seen = []
    with pytest.raises(Cancelled):
        for item in layout(graph, cancel=cancel):
            seen.append(item)
            if item.done == 3:
                cancel.set()
    assert len(seen) == 3 and seen[-1].total > 50 and seen[-1].result is None
