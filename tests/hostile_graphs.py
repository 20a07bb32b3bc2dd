"""Graph files that a user might upload and that must not harm the app, built by code."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Expected:
    """Either `refused` (the message id of the sentence), or a graph of so many nodes and edges with these notes."""

    refused: str = ""
    nodes: int = 0
    edges: int = 0
    notes: tuple[str, ...] = ()
    directed: bool = False


def billion_laughs() -> bytes:
    """Ten entities, each of ten of the one before: 10⁹ words in half a kilobyte."""
    entities = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    return (
        f'<?xml version="1.0"?><!DOCTYPE graphml [{entities}]>'
        '<graphml><graph edgedefault="undirected"><node id="&a9;"/></graph></graphml>'
    ).encode()


def outside_entity() -> bytes:
    """An entity that would read a file of the server."""
    return (
        b'<?xml version="1.0"?><!DOCTYPE gexf [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b'<gexf><graph><nodes><node id="1" label="&x;"/></nodes></graph></gexf>'
    )


GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="team" attr.type="string"><default>red</default></key>
<key id="d1" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="{direction}">
<node id="a"/><node id="b"><data key="d0">blue</data></node><node id="c"/>
<edge source="a" target="b"><data key="d1">2.5</data></edge><edge source="b" target="c"/>
</graph></graphml>"""

GEXF = """<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="directed">
<attributes class="node"><attribute id="0" title="club" type="string"/></attributes>
<nodes><node id="0" label="Ann"><attvalues><attvalue for="0" value="x"/></attvalues></node>
<node id="1" label="Bo"><attvalues><attvalue for="0" value="y"/></attvalues></node><node id="2" label="Cy"/></nodes>
<edges><edge id="0" source="0" target="1" weight="3"/><edge id="1" source="1" target="2"/></edges></graph></gexf>"""

LINKS = {
    "directed": False,
    "nodes": [{"id": "a", "club": "x"}, {"id": "b", "club": "y"}, {"id": 3}],
    "links": [{"source": "a", "target": "b", "weight": 2}, {"source": 3, "target": "a"}],
}


def hostile_graphs() -> list[tuple[str, bytes, Expected]]:
    """(file name, its bytes, what is right)."""
    return [
        ("empty.csv", b"", Expected("graph.empty_file")),
        ("blank.csv", b" \n\n \r\n", Expected("graph.empty_file")),
        ("remarks.txt", b"# only\n% remarks\n", Expected("graph.no_nodes")),
        ("laughs.graphml", billion_laughs(), Expected("graph.xml_entities")),
        ("outside.gexf", outside_entity(), Expected("graph.xml_entities")),
        ("cut.graphml", GRAPHML.format(direction="directed")[:-60].encode(), Expected("graph.xml_damaged")),
        ("page.html", b"<html><body>no graph</body></html>", Expected("graph.xml_form")),
        ("cut.json", json.dumps(LINKS)[:-9].encode(), Expected("graph.json_damaged")),
        ("deep.json", b"[" * 200_000, Expected("graph.json_form")),
        ("digits.json", b"[[1," + b"9" * 10_000 + b"]]", Expected("graph.json_form")),
        ("other.json", b'{"rows": [1, 2]}', Expected("graph.json_form")),
        ("book.xlsx", b"PK\x03\x04" + bytes(50), Expected("graph.not_read")),
        ("packed.csv.gz", gzip.compress(b"a,b\n"), Expected("graph.not_read")),
        ("binary.csv", bytes(range(256)) * 9, Expected("graph.not_a_graph")),
        ("latin.csv", "Zoë,José\n".encode("latin-1"), Expected("graph.not_utf8")),
        (
            "story.txt",
            b"It was the best of times it was\nthe worst of times, a tale\n",
            Expected("graph.prose"),
        ),
        ("names.txt", b"a\nb\nc\n", Expected("graph.one_column")),
        ("ragged.csv", b"a,b,1\nb,c,1\nc,d\nd,e,1\n", Expected("graph.ragged")),
        ("words.csv", b"source,target,weight\na,b,1\nb,c,heavy\n", Expected("graph.bad_weight_in_line")),
        ("mixed.csv", b"a,b,1\nb,c,2\nc,d,nan\n", Expected("graph.bad_weight_in_line")),
        ("minus.csv", b"a,b,1\nb,c,-2\n", Expected("graph.negative_weight_in_line")),
        ("huge.csv", b"a,b,1e308\na,b,1e308\nb,c,1\n", Expected("graph.huge_weights")),
        ("loops.csv", b"a,a\nb,b\n", Expected("graph.no_edges")),
        ("half.csv", b"source,target\na,b\nb,\n,c\n", Expected("graph.empty_name_in_line")),
        ("quote.csv", b'a,"b\n' + b"x" * 200_000, Expected("graph.damaged_line")),
        ("long.csv", b"a," + b"b" * 501 + b"\n", Expected("graph.long_name")),
        ("twice.json", b'{"nodes":[{"id":1},{"id":"1"}],"links":[]}', Expected("graph.twice")),
        (
            "stranger.json",
            b'{"nodes":[{"id":1}],"links":[{"source":1,"target":2}]}',
            Expected("graph.unknown_node"),
        ),
        (
            "hyper.graphml",
            b'<graphml><graph><node id="a"/><hyperedge/></graph></graphml>',
            Expected("graph.hyperedges"),
        ),
        ("matrix.csv", b"x,a,b,c\na,0,1,1\nb,1,0\nc,1,0,0\n", Expected("graph.ragged")),
        (
            "all_at_once.csv",
            b"Source;Target;Weight\r\na;b;0,5\r\nb;a;1\r\nb;b;2\r\nb;c;0\r\nlonely;;\r\nc;d;1\r\n",
            Expected(
                nodes=5,
                edges=3,
                notes=("graph.note.zero", "graph.note.merged", "graph.note.loops", "graph.note.isolated"),
            ),
        ),
        ("windows.csv", b"\xef\xbb\xbfa\tb\r\nb\tc\r\n", Expected(nodes=3, edges=2)),
        ("utf16.csv", "甲,乙\n乙,丙\n".encode("utf-16"), Expected(nodes=3, edges=2)),
        ("snap.txt", b"# Nodes: 3\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n", Expected(nodes=3, edges=2)),
        (
            "gephi.csv",
            b"Source,Target,Type,Weight\n1,2,Directed,1\n2,3,Undirected,2\n",
            Expected(nodes=3, edges=3, directed=True, notes=("graph.note.mixed",)),
        ),
        ("plain.graphml", GRAPHML.format(direction="undirected").encode(), Expected(nodes=3, edges=2)),
        ("plain.gexf", GEXF.encode(), Expected(nodes=3, edges=2, directed=True)),
        ("plain.json", json.dumps(LINKS).encode(), Expected(nodes=3, edges=2)),
        ("pairs.json", b'[["a", "b"], ["b", "c", 0.5]]', Expected(nodes=3, edges=2)),
        (
            "d3.json",
            b'{"nodes":[{"name":"x"},{"name":"y"}],"links":[{"source":0,"target":1,"value":4}]}',
            Expected(nodes=2, edges=1),
        ),
        ("named.csv", b",a,b,c\na,0,1,0\nb,1,0,2\nc,0,2,0\n", Expected(nodes=3, edges=2)),
        ("bare.csv", b"0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,0,0\n", Expected(nodes=4, edges=5, directed=True)),
    ]
