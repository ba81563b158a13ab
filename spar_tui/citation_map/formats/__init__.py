"""The citation map as text for other programs."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from connectors.entry_points import loaded

if TYPE_CHECKING:
    from spar_tui.citation_map.formats.picture import Picture

MapFormat = Literal["dot", "graphml", "json", "mermaid", "svg"]
WRITERS: Mapping[MapFormat, str] = {
    "dot": "spar_tui.citation_map.formats.dot:dot",
    "graphml": "spar_tui.citation_map.formats.graphml:graphml",
    "json": "spar_tui.citation_map.formats.json_map:json_map",
    "mermaid": "spar_tui.citation_map.formats.mermaid:mermaid",
    "svg": "spar_tui.citation_map.formats.svg:svg",
}
ENDINGS: Mapping[MapFormat, str] = {
    "dot": ".dot", "graphml": ".graphml", "json": ".json", "mermaid": ".mmd", "svg": ".svg",
}  # fmt: skip


def written(picture: "Picture", format: MapFormat) -> str:
    """Return `picture` in a format, ending with a line break."""
    writer: Callable[[Picture], str] = loaded(WRITERS[format])
    return writer(picture)


def format_of_name(name: str) -> MapFormat | None:
    """Return the format for a file's extension."""
    return next((format for format, ending in ENDINGS.items() if name.lower().endswith(ending)), None)
