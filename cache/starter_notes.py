"""What earlier versions kept of the starter shelf: its notes stood as abstracts, and were quoted as the papers' words.

They are told apart where they are read, by the source that is remembered of every field; what is stored stays as it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

_SHELF = "starter"
_QUOTED, _CITED = "Its papers are quoted ", "Its papers are cited "
"""What a section said whose papers' sentences, which may have been notes, stood elsewhere; and what it says now."""


def note_apart(paper: dict[str, Any]) -> dict[str, Any]:
    """A stored paper with an abstract that is the shelf's note as what it is, `described`; any other paper as it is."""
    origins = paper.get("provenance", ())
    if "abstract" not in paper or not any((field, source) == ("abstract", _SHELF) for field, source, *_ in origins):
        return paper
    rest = {name: value for name, value in paper.items() if name != "abstract"}
    renamed = [["described" if field == "abstract" else field, *details] for field, *details in origins]
    return {**rest, "described": paper.get("abstract", ""), "provenance": sorted(renamed)}


def notes_apart(contents: Iterable[Any]) -> Iterator[Any]:
    """The contents of a run's events, from its first on, in which no note of the shelf is an abstract or a quote.

    A paper is told under `paper`, the number of its work under `work`; a quote stands within what names its work.
    """
    notes: dict[int, list[_Noted]] = defaultdict(list)
    for content in contents:
        if not isinstance(content, dict):
            yield content
        elif isinstance(paper := content.get("paper"), dict):
            apart = note_apart(paper)
            if apart is not paper:
                notes[content["work"]].append(_Noted(apart["described"], apart["title"]))
            yield {**content, "paper": apart}
        else:
            yield _unquoted(content, notes) if notes else content


class _Noted(NamedTuple):
    note: str
    title: str


def _unquoted(value: Any, notes: Mapping[int, list[_Noted]], work: int | None = None) -> Any:
    """`value` with what it quotes from a note as `described` instead; `work` is the one that it speaks of."""
    if isinstance(value, list):
        return [_unquoted(item, notes, work) for item in value]
    if not isinstance(value, dict):
        return value
    work = value.get("work", work)
    within = {name: _unquoted(item, notes, work) for name, item in value.items()}
    quote = within.get("quote")
    if quote and any(quote in item.note and quote not in item.title for item in notes.get(work or 0, ())):
        within |= {"quote": "", "described": quote}
    if str(within.get("gap", "")).startswith(_QUOTED):
        within["gap"] = within["gap"].replace(_QUOTED, _CITED, 1)
    return within
