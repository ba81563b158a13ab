"""Correct what earlier versions stored of the starter shelf: its notes as abstracts, quoted as the papers' words.

They are separated on reading, by the source of every field; the stored data stay unchanged.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

_SHELF = "starter"
_QUOTED, _CITED = "Its papers are quoted ", "Its papers are cited "
"""Sentences about papers whose quotes may have been notes: the stored wording, and its replacement."""


def note_apart(paper: dict[str, Any]) -> dict[str, Any]:
    """Return a stored paper with the shelf's note as `described` instead of as abstract; other papers unchanged."""
    origins = paper.get("provenance", ())
    if "abstract" not in paper or not any((field, source) == ("abstract", _SHELF) for field, source, *_ in origins):
        return paper
    rest = {name: value for name, value in paper.items() if name != "abstract"}
    renamed = [["described" if field == "abstract" else field, *details] for field, *details in origins]
    return {**rest, "described": paper.get("abstract", ""), "provenance": sorted(renamed)}


def notes_apart(contents: Iterable[Any]) -> Iterator[Any]:
    """Yield the contents of a run's events, from the first on, without notes of the shelf as abstracts or quotes.

    A paper is under `paper`, the number of its work under `work`; a quote is inside the object that names its work.
    """
    notes: dict[int, list[_StarterNote]] = defaultdict(list)
    for content in contents:
        if not isinstance(content, dict):
            yield content
        elif isinstance(paper := content.get("paper"), dict):
            apart = note_apart(paper)
            if apart is not paper:
                notes[content["work"]].append(_StarterNote(apart["described"], apart["title"]))
            yield {**content, "paper": apart}
        else:
            yield _unquoted(content, notes) if notes else content


class _StarterNote(NamedTuple):
    note: str
    title: str


def _unquoted(value: Any, notes: Mapping[int, list[_StarterNote]], work: int | None = None) -> Any:
    """Return `value` with quotes from notes moved to `described`; `work` is the work that it is about."""
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
