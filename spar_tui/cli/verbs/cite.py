"""`spar cite`: the key of a saved paper, by some words of it; `spar pick`: keys of papers picked from a list."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from connectors.paper import short_authors
from spar_tui.cli.lists.filter_words import filter_of
from spar_tui.errors import Failure, Interrupted, NothingFound, UsageError
from spar_tui.math_text import warned_title
from spar_tui.phrases import counted
from spar_tui.terminal import note, remark, say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from cache.shelf import ShelfRow
    from cache.store import Store

CiteFormat = Annotated[str, "--format FORMAT", "key, latex, markdown (pandoc) or typst."]


def citing_as(format_name: str) -> Callable[[str], str]:
    """Return how to write a key in this format. Raises `UsageError` for an unknown format."""
    from spar_tui.bibliography.citing import FORMATS

    if format_name not in FORMATS:
        raise UsageError(f"--format: unknown format {format_name!r}; choose from {', '.join(FORMATS)}.")
    return FORMATS[format_name]


def cite(
    words: Annotated[
        list[str],
        "<WORDS…>",
        ("Beginnings of words in title, authors, venue, year or key, a whole key, or filter terms of spar shelf."),
    ],
    format_name: CiteFormat = "key",
    limit: Annotated[int, "N", "Maximum number of keys (1 or more), one per line."] = 1,
) -> int:
    r"""Print the citation key of a saved paper.

    Prints the key of the best match on standard output, and its title and the number of other matches on standard
    error. --format also writes \cite{key}, [@key] or @key. A paper without a key gets one, as in spar export. Exits
    with 3 if nothing matches."""
    from cache import shelf
    from spar_tui.bibliography.citing import nearest
    from spar_tui.cli.verbs.shelf import keys_of_shelf

    citation, text = citing_as(format_name), " ".join(words)
    if not text.strip():
        raise UsageError("there are no words to look for; give some: spar cite vaswani attention.")
    with open_store(read_settings()) as store:
        names = _names_of_saved(store)
        rows = _matching_rows(store, names, text)
        entries = shelf.entries(store, [row.number for row in rows[:limit]])
        keys = keys_of_shelf(store, entries)
    if not rows:
        near = nearest([key for name in names.values() for key in name], text)
        hint = f"the nearest keys are {', '.join(near)}" if near else "spar shelf lists the saved papers"
        remark(f"no saved paper matches {text}; {hint}.")
        return 3
    say(*map(citation, keys))
    for paper in (entry.paper for entry in entries):
        year = f"({paper.year or 'no date'})"
        note(" ".join(filter(None, [short_authors(paper), year, warned_title(paper)])))
    if others := len(rows) - len(entries):
        note(f"{counted(others, 'more match', 'more matches')}; -n {len(rows)} prints all")
    return 0


def _matching_rows(store: "Store", names: Mapping[int, Sequence[str]], text: str) -> "list[ShelfRow]":
    """Return the saved papers that match, best first, but one with exactly this key first. Raises `UsageError`."""
    from cache import shelf
    from cache.conditions.scopes import SHELF
    from spar_tui.bibliography.citing import matching, others

    own = next((number for number, keys in names.items() if text.strip().casefold() in map(str.casefold, keys)), None)
    try:
        condition = filter_of([text], SHELF)
    except UsageError:
        if own is None:
            raise
        return [row for row in shelf.rows(store) if row.number == own]
    rows = matching(shelf.rows(store, filters=others(condition)), names, condition)
    return sorted(rows, key=lambda row: row.number != own)


def _names_of_saved(store: "Store") -> dict[int, list[str]]:
    from cache import citation_keys, shelf

    numbers, names = shelf.numbers_on_shelf(store), dict[int, list[str]]()
    for key, number in citation_keys.all_keys(store).items():
        if number in numbers:
            names.setdefault(number, []).append(key)
    return names


def pick(
    words: Annotated[list[str] | None, "<WORDS…>", "The first filter of the list, as for spar shelf."] = None,
    format_name: CiteFormat = "key",
) -> int:
    """Pick saved papers from a list and print their citation keys.

    Prints one key per line. In a pipe, the list appears on the terminal and the keys go to standard output. Space
    marks a paper, Enter chooses the marked ones or the one under the cursor, / filters, Esc cancels (exit code 130).
    A paper without a key gets one, as in spar export."""
    from cache import shelf
    from cache.conditions.scopes import SHELF
    from spar_tui.cli.verbs.shelf import keys_of_shelf

    citation = citing_as(format_name)
    text = " ".join(words or [])
    filter_of([text], SHELF)
    settings = read_settings()
    with open_store(settings) as store:
        rows = shelf.rows(store)
        if not rows:
            raise NothingFound("no papers are on the shelf; spar save PAPER adds papers.")
        if os.environ.get("TERM", "dumb") == "dumb":
            raise Failure("this terminal cannot draw a list (TERM is dumb); `spar cite WORDS` gives a key without one.")
        from spar_tui.tui.picking.screen import picked

        entries = shelf.entries(store, picked(settings, store, rows, text))
        if not entries:
            raise Interrupted("nothing was chosen.")
        keys = keys_of_shelf(store, entries)
    say(*map(citation, keys))
    return 0
