"""The citation map of a search: the citations among its relevant papers, by year, and its drawing."""

from collections.abc import Mapping
from typing import Literal

MapFormat = Literal["dot", "graphml", "json", "mermaid", "svg"]
ENDINGS: Mapping[MapFormat, str] = {
    "dot": ".dot", "graphml": ".graphml", "json": ".json", "mermaid": ".mmd", "svg": ".svg",
}  # fmt: skip


def format_of_name(name: str) -> MapFormat | None:
    """Return the format for a file's extension."""
    return next((format for format, ending in ENDINGS.items() if name.lower().endswith(ending)), None)
