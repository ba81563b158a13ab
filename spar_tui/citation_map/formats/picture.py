"""The data that every format draws."""

import re
from dataclasses import dataclass

from connectors.paper import WorkId
from connectors.records.visible import visible
from spar_tui.citation_map.known_links import CitationMap, MapPaper
from spar_tui.citation_map.layout import Columns
from spar_tui.citation_map.phrases import map_sentences

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Picture:
    """The laid-out map of the search `run`."""

    run: str
    drawn: CitationMap
    columns: Columns

    @property
    def caption(self) -> str:
        """The title of the map, and how complete it is."""
        return " ".join([f"Who cites whom: “{visible(self.drawn.question)}”.", *map_sentences(self.drawn)])

    @property
    def in_columns(self) -> list[tuple[int | None, list[MapPaper]]]:
        """The papers of each year, from top to bottom."""
        by_work = self.drawn.by_work
        return [(column.year, [by_work[work] for work in column.works]) for column in self.columns]


def node(work: WorkId) -> str:
    """Return the id of a paper within a picture."""
    return f"w{work}"


def xml_text(text: str) -> str:
    """Return `text` without characters that XML documents cannot contain in any form."""
    return _NO_XML.sub("", visible(text))
