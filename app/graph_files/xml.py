"""GraphML and GEXF, read by one pass of expat that builds no tree and takes no entities."""

from __future__ import annotations

import re
from xml.parsers import expat

from app.graph_files.build import BadGraph, Builder, Note, quote


def read_xml(text: str, builder: Builder) -> str:
    """Either format in one pass. Entity declarations are refused: that is how a small file grows without end."""
    reader = _XmlReader(builder)
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.entity
    try:
        parser.Parse(re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise BadGraph("graph.xml_damaged", line=f"{error.lineno:,}") from None
    if not reader.kind:
        raise BadGraph("graph.xml_form", root=quote(reader.root))
    return reader.finish()


class _XmlReader:
    """Handlers of one parse. Nodes inside nodes count as nodes; a second graph in the file is left out."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.root = self.kind = ""
        self.graphs = self.depth = 0
        self.one_way = -1
        self.keys: dict[str, tuple[str, str]] = {}  # id -> (for what, name)
        self.defaults: dict[str, str] = {}
        self.nodes: list[int] = []  # the nodes that are open, innermost last
        self.edge: dict[str, str] | None = None
        self.edges: list[tuple[str, str, str, int]] = []  # ends may be declared later
        self.data: str | None = None  # key of the text that comes
        self.words: list[str] = []
        self.declared = ""  # key whose declaration is open: a default may follow
        self.attributes_of = ""

    def entity(self, *_: object) -> None:
        raise BadGraph("graph.xml_entities")

    def start(self, tag: str, values: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if not self.root:
            self.root = name
            self.kind = name if name in ("graphml", "gexf") else ""
            if not self.kind:
                raise BadGraph("graph.xml_form", root=quote(name))
        if name == "graph":
            self.depth += 1
            self.graphs += self.depth == 1
            if self.depth == 1 and self.graphs == 1:
                said = values.get("edgedefault", values.get("defaultedgetype", "")).lower()
                self.one_way = {"directed": 1, "undirected": 0, "mutual": 0}.get(said, -1)
        elif name == "key":
            self.declared = values.get("id", "")
            self.keys[self.declared] = (values.get("for", "all"), values.get("attr.name", self.declared))
        elif name == "attributes":
            self.attributes_of = values.get("class", "node")
        elif name == "attribute":
            self.declared = values.get("id", "")
            self.keys[self.declared] = (self.attributes_of, values.get("title", self.declared))
        elif name == "default":
            self.data, self.words = self.declared, []
        elif self.graphs <= 1:
            self._inside(name, values)

    def _inside(self, name: str, values: dict[str, str]) -> None:
        if name == "node":
            number = self.builder.new_node(values.get("id", ""))
            self.nodes.append(number)
            if self.kind == "gexf" and "label" in values:
                self.builder.titles.setdefault("label", {})[number] = values["label"]
        elif name == "edge":
            self.edge = values
        elif name == "hyperedge":
            raise BadGraph("graph.hyperedges")
        elif name == "data":
            self.data, self.words = values.get("key", ""), []
        elif name == "attvalue":
            self._value(values.get("for", values.get("id", "")), values.get("value", ""))

    def text(self, words: str) -> None:
        if self.data is not None:
            self.words.append(words)

    def end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2]
        if name == "graph":
            self.depth -= 1
        elif name == "data" and self.data is not None:
            self._value(self.data, "".join(self.words))
            self.data = None
        elif name == "default" and self.data is not None:
            self.defaults[self.data] = "".join(self.words)
            self.data = None
        elif name == "node" and self.nodes and self.graphs <= 1:
            self.nodes.pop()
        elif name == "edge" and self.edge is not None:
            values = self.edge
            said = values.get("directed", values.get("type", "")).lower()
            one_way = {"true": 1, "directed": 1, "false": 0, "undirected": 0, "mutual": 0}.get(
                said, self.one_way
            )
            ends = values.get("source", ""), values.get("target", "")
            if len(self.edges) >= 2 * self.builder.most_edges:
                self.builder.too_many_edges()
            self.edges.append((*ends, values.get("weight", ""), one_way))
            self.edge = None

    def _value(self, key: str, value: str) -> None:
        title = self.keys.get(key, ("", key))[1]
        if self.edge is not None:
            if title.lower() == "weight":
                self.edge["weight"] = value
        elif self.nodes and title:
            self.builder.attribute(self.nodes[-1], title, value)

    def finish(self) -> str:
        builder = self.builder
        usual = "1"
        for key, value in self.defaults.items():
            of, title = self.keys.get(key, ("", ""))
            if of in ("edge", "all") and title.lower() == "weight":
                usual = value
            if of in ("node", "all") and title:
                given = builder.attributes.setdefault(title, {})
                for node in range(len(builder.index)):
                    given.setdefault(node, value.strip())
        for source, target, weight, one_way in self.edges:
            w = builder.weight((weight or usual).strip())
            builder.edge(builder.known(source), builder.known(target), w, one_way)
        if self.graphs > 1:
            builder.notes.append(Note("graph.note.first_graph"))
        return self.kind
