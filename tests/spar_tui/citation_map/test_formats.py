"""The map for other programs: each format can be read again, whatever stands in titles, names and questions."""

import json
import re
from xml.etree import ElementTree

from hypothesis import given

from spar_tui.citation_map import ENDINGS, MapFormat, format_of_name
from spar_tui.citation_map.formats import written
from spar_tui.citation_map.layout import Picture
from spar_tui.citation_map.phrases import NO_LINKS
from tests.rows import each
from tests.spar_tui.citation_map.maps import HOSTILE, a_map, a_picture, paper_of, pictures

SVG, GRAPHML = "{http://www.w3.org/2000/svg}", "{http://graphml.graphdrawing.org/xmlns}"
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_ATTRIBUTES = rf"\[(?:\w+=(?:\w+|{_QUOTED})(?:, )?)*\]"
_DOT_LINES = {
    "head": re.compile(r"digraph citations \{|\}"),
    "setting": re.compile(rf"  label={_QUOTED}; labelloc=b; rankdir=RL;|  node {_ATTRIBUTES};"),
    "node": re.compile(rf"  (w\d+|y\d*) {_ATTRIBUTES};"),
    "rank": re.compile(r"  \{ rank=same(?:; \w+)+; \}"),
    "edge": re.compile(rf"  (\w+) -> (\w+) {_ATTRIBUTES};"),
}
_MERMAID_TEXT = r"""\["[\w .,:'()/\-#;]*"\]"""
_MERMAID_LINES = {
    "head": re.compile(rf"flowchart RL|  caption{_MERMAID_TEXT}|  subgraph y(?:\d+|none){_MERMAID_TEXT}|  end"),
    "node": re.compile(rf"    (w\d+){_MERMAID_TEXT}"),
    "edge": re.compile(r"  (w\d+) --> (w\d+)"),
}


def lines_by_kind(text: str, kinds: dict[str, re.Pattern[str]]) -> dict[str, list[re.Match[str]]]:
    """The lines of `text`, each of which must be of one of `kinds`."""
    found: dict[str, list[re.Match[str]]] = {kind: [] for kind in kinds}
    for line in text.removesuffix("\n").split("\n"):
        kind, match = next(
            ((kind, match) for kind, form in kinds.items() if (match := form.fullmatch(line))), ("", None)
        )
        assert match is not None, line
        found[kind].append(match)
    return found


def links(picture: Picture) -> set[tuple[str, str]]:
    return {(f"w{citing}", f"w{cited}") for citing, cited in picture.drawn.links}


def nodes(picture: Picture) -> set[str]:
    return {f"w{one.work}" for one in picture.drawn.papers}


@given(pictures())
def test_dot_holds_the_papers_and_links_and_nothing_that_a_title_has_slipped_in(picture: Picture) -> None:
    found = lines_by_kind(written(picture, "dot"), _DOT_LINES)
    assert {one[1] for one in found["node"] if one[1].startswith("w")} == nodes(picture)
    assert {(one[1], one[2]) for one in found["edge"] if one[1].startswith("w")} == links(picture)


@given(pictures())
def test_mermaid_holds_the_papers_and_links_and_nothing_that_a_title_has_slipped_in(picture: Picture) -> None:
    found = lines_by_kind(written(picture, "mermaid"), _MERMAID_LINES)
    assert {one[1] for one in found["node"]} == nodes(picture)
    assert {(one[1], one[2]) for one in found["edge"]} == links(picture)


@given(pictures())
def test_graphml_is_xml_with_the_papers_and_links(picture: Picture) -> None:
    root = ElementTree.fromstring(written(picture, "graphml").encode())
    assert {one.get("id") for one in root.iter(f"{GRAPHML}node")} == nodes(picture)
    assert {(one.get("source"), one.get("target")) for one in root.iter(f"{GRAPHML}edge")} == links(picture)


@given(pictures())
def test_svg_is_xml_with_a_box_for_each_paper_and_an_arrow_for_each_link(picture: Picture) -> None:
    root = ElementTree.fromstring(written(picture, "svg").encode())
    assert {one.get("id") for one in root.iter(f"{SVG}g")} == nodes(picture)
    assert len([one for one in root.iter(f"{SVG}path") if one.get("marker-end")]) == len(links(picture))
    assert {one.tag for one in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "title", "style", "defs", "marker", "path", "rect", "g", "text")
    }


@given(pictures())
def test_json_comes_back_with_the_titles_as_they_are(picture: Picture) -> None:
    told = json.loads(written(picture, "json"))
    assert [one["title"] for one in told["papers"]] == [one.paper.title for one in picture.drawn.papers]
    assert {(f"w{one['citing']}", f"w{one['cited']}") for one in told["links"]} == links(picture)


@each("format", ENDINGS)
def test_no_format_holds_what_steers_a_terminal_or_cannot_be_written(format: MapFormat) -> None:
    picture = a_picture(a_map([paper_of(title, 2000 + at, title) for at, title in enumerate(HOSTILE)], [(1, 0)]))
    text = written(picture, format)
    text.encode("utf-8", "replace").decode()
    assert "\x1b" not in text
    assert "\x00" not in text


@each("format", ENDINGS)
def test_a_map_without_links_says_so_in_the_picture_itself(format: MapFormat) -> None:
    text = written(a_picture(a_map([paper_of("One"), paper_of("Two", 2019)])), format)
    assert NO_LINKS[:20] in text
    assert "One" in text


def test_a_file_is_written_in_the_format_that_its_ending_says() -> None:
    assert [format_of_name(f"map{ending}") for ending in ENDINGS.values()] == list(ENDINGS)
    assert format_of_name("map.png") is None
