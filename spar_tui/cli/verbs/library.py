"""`spar library`: all papers that were ever found, searched on this machine alone."""

from typing import Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.errors import UsageError


def library(
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS…", help="What the papers are about.", show_default=False)
    ],
    limit: Annotated[int, typer.Option(metavar="N", help="How many papers to list (1 to 1000).")] = 25,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Search the library: all papers that were ever found.

    They are searched on this machine, saved or not; nobody is asked."""
    if not 1 <= limit <= 1000:
        raise UsageError("--limit must be from 1 to 1000.")
    from cache import fulltext
    from spar_tui.cli.listing import paper_entry
    from spar_tui.phrases import papers_text
    from spar_tui.reports.json_objects import dump, paper_object
    from spar_tui.terminal import answer_style, note, say
    from spar_tui.workspace import open_store, read_settings

    text = " ".join(words)
    if not fulltext.words_of(text):
        raise UsageError("there are no words to look for; give some: spar library dense retrieval.")
    with open_store(read_settings()) as store:
        found = fulltext.search(store, text, limit=limit + 1)
    found, more = found[:limit], "; --limit lists more" if len(found) > limit else ""
    if as_json:
        say(dump({"papers": [paper_object(paper, rank) for rank, paper in enumerate(found, start=1)]}))
        return 0 if found else 3
    style = answer_style(plain)
    for rank, paper in enumerate(found, start=1):
        say(*paper_entry(rank, paper, style))
    if found:
        note(f"{papers_text(len(found))} of the library, the nearest to these words first{more}")
    else:
        note("spar: no paper of the library has these words; spar search asks the sources.")
    return 0 if found else 3
