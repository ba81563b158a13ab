"""Works that real bibliographies cite, the edge cases, and their references as pandoc 3.9 writes them.

`python -m tests.spar_tui.bibliography.reference_records` writes those anew with the pandoc that is installed.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.names import Name
from spar_tui.bibliography.pandoc import pandoc_references
from spar_tui.bibliography.styles import STYLES, CitationStyle
from spar_tui.bibliography.styles.items import reference_of, shown, style_item
from tests.spar_tui.bibliography.edge_records import edge_entries

_FOLDER = Path(__file__).with_name("references")


@cache
def reference_entries() -> tuple[Entry, ...]:
    """Books with edition and volume, chapters with editors, theses, reports, preprints, web pages, …"""
    records: list[dict[str, Any]] = json.loads((_FOLDER / "records.json").read_text("utf-8"))
    for record in records:
        for people in {"names", "editors"} & record.keys():
            record[people] = tuple(Name(**one) for one in record[people])
    return (*(Entry(**record) for record in records), *edge_entries())


def by_pandoc(style: str) -> dict[str, str]:
    """The stored reference of each entry, without its number."""
    lines = (_FOLDER / f"{style}.txt").read_text("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


def unnumbered(text: str, style: CitationStyle) -> str:
    """The reference without the number 1."""
    return text.removeprefix(style.number.format(1).strip()).strip()


def of_installed_pandoc(entry: Entry, style: CitationStyle) -> str:
    """What the pandoc that is installed writes now, without the number."""
    item = style_item(reference_of(entry), style.doi_as_url)
    return unnumbered(shown(pandoc_references([item], style.file)[0].text), style)


def _write() -> None:
    """Each entry by itself, so that no letter or dash tells of its neighbours."""
    for name, style in STYLES.items():
        lines = []
        for entry in reference_entries():
            lines.append(f"{entry.key}\t{of_installed_pandoc(entry, style)}\n")
        (_FOLDER / f"{name}.txt").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    _write()
