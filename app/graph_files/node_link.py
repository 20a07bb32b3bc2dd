"""Graphs as JSON: node-link as networkx, d3 and Cytoscape write it, or a list of pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.graph_files.build import BadGraph, Builder, quote


def read_json(text: str, builder: Builder) -> str:
    try:
        found = json.loads(text)
    except RecursionError:
        raise BadGraph("graph.json_form") from None
    except json.JSONDecodeError as error:
        raise BadGraph("graph.json_damaged", line=f"{error.lineno:,}") from None
    except ValueError:  # a number of thousands of digits
        raise BadGraph("graph.json_form") from None
    if isinstance(found, list):
        _json_pairs(found, builder)
        return "json"
    if isinstance(found.get("graph"), dict) and "nodes" in found["graph"]:
        found = found["graph"]
    if isinstance(found.get("elements"), dict):  # Cytoscape wraps each entry in "data"
        found = {**found, **found["elements"]}
    nodes, links = found.get("nodes"), found.get("links", found.get("edges"))
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise BadGraph("graph.json_form")
    ids = _json_nodes(nodes, builder)
    directed = found.get("directed")
    one_way = int(directed) if isinstance(directed, bool) else -1
    for link in links:
        entry = _unwrapped(link)
        u, v = (_json_end(entry, name, ids, builder) for name in ("source", "target"))
        builder.edge(u, v, _json_weight(entry.get("weight", entry.get("value", 1)), builder), one_way)
    return "json"


def _unwrapped(entry: object) -> dict[str, Any]:
    if isinstance(entry, dict) and isinstance(entry.get("data"), dict):
        entry = entry["data"]
    if not isinstance(entry, dict):
        raise BadGraph("graph.json_form")
    return entry


def _word(value: object) -> str:
    """An id or attribute of a JSON file as text. Raises BadGraph for an object."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return str(value).lower() if value is not None else ""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else f"{value:.6e}" if abs(value) < 10**300 else ""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list) and len(value) <= 8 and not any(isinstance(v, list | dict) for v in value):
        return "(" + ", ".join(_word(v) for v in value) + ")"  # networkx writes the nodes of a grid so
    raise BadGraph("graph.json_form")


def _json_nodes(nodes: list[Any], builder: Builder) -> bool:
    """Take the nodes over; returns whether they have ids (otherwise links count them from 0)."""
    ids = False
    for k, node in enumerate(nodes):
        if not isinstance(node, dict):
            builder.new_node(_word(node))
            ids = True
            continue
        entry = _unwrapped(node)
        key = next((key for key in ("id", "key", "name") if key in entry), None)
        ids |= key in ("id", "key")
        number = builder.new_node(_word(entry[key]) if key else str(k))
        for title, value in entry.items():
            if title != key and isinstance(value, str | int | float | bool):
                builder.attribute(number, title, _word(value))
    return ids


def _json_end(entry: Mapping[str, Any], name: str, ids: bool, builder: Builder) -> int:
    if name not in entry:
        raise BadGraph("graph.json_form")
    value = entry[name]
    if isinstance(value, dict):  # d3 writes the whole node here
        value = value.get("id", value.get("name"))
    if not ids and isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value < len(builder.index):
            return value
        raise BadGraph("graph.unknown_node", name=quote(value))
    return builder.known(_word(value))


def _json_weight(value: object, builder: Builder) -> float:
    return builder.weight(_word(value) if not isinstance(value, float) else repr(value))


def _json_pairs(pairs: list[Any], builder: Builder) -> None:
    """[["a", "b"], ["b", "c", 0.5], …]"""
    for pair in pairs:
        if not isinstance(pair, list) or not 2 <= len(pair) <= 3:
            raise BadGraph("graph.json_form")
        u, v = builder.node(_word(pair[0])), builder.node(_word(pair[1]))
        builder.edge(u, v, _json_weight(pair[2], builder) if len(pair) == 3 else 1.0)
