"""`spar whence`: which paper of the library, and which page, a quote is from."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from connectors.records.clean import clean_text
from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.errors import UsageError
from spar_tui.phrases import counted
from spar_tui.shown_list import note_list
from spar_tui.terminal import DASH, Style, answer_style, note, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.evidence.whence import Origin


def whence(
    words: Annotated[
        list[str],
        typer.Argument(metavar="WORDS…", help="The quote; - reads it from standard input.", show_default=False),
    ],
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Find the paper and page that a quote is from.

    Searches the library on this machine: titles, abstracts, and the texts of PDFs that spar fetch keeps. The quote may
    have line breaks, another case, and some words left out, added or changed. Prints the paper's own words, with
    differences in [brackets]. Names no paper that lacks much of the quote; a short quote must match nearly word for
    word."""
    quote = _quote(words)
    from agents.evidence.whence import whence as origins_of
    from cache import page_texts
    from spar_tui.reports.origins import origin_object

    with open_store(read_settings()) as store:
        origins, coverage = origins_of(store, quote), page_texts.coverage(store)
        note_list(store, listed=[origin.paper for origin in origins])
    if as_json:
        objects = [origin_object(origin, rank) for rank, origin in enumerate(origins, start=1)]
        say_json({"quote": quote, "origins": objects, "full_texts": coverage.papers})
    else:
        for rank, origin in enumerate(origins, start=1):
            say(*_lines(origin, rank, answer_style(plain)))
    if not origins:
        read = counted(coverage.papers, "full text") if coverage.papers else "no full text"
        note(f"spar: no title or abstract of the library has these words; searched {read}.")
    if len(origins) > 1:
        note(f"spar: {len(origins)} papers match the quote about equally well; it may be from any of them.")
    return 0 if origins else 3


def _quote(words: list[str]) -> str:
    """Return the cleaned quote. Raises `UsageError` if it is too short or too long."""
    from agents.builtin.text.words import placed_words
    from agents.evidence.whence import LONGEST, SHORTEST

    raw = sys.stdin.read(20_000) if words == [DASH] else " ".join(words)
    quote = clean_text(raw, 20_000)
    number = len(placed_words(quote))
    if number < SHORTEST:
        short = counted(number, "word")
        raise UsageError(f'the quote has {short}; give {SHORTEST} or more: spar whence "words of the paper".')
    if number > LONGEST:
        raise UsageError(f"the quote has {number} words; the limit is {LONGEST}. One sentence is enough.")
    return quote


def _lines(origin: "Origin", rank: int, style: Style) -> list[str]:
    from agents.evidence.whence import certainty, differences_text
    from spar_tui.cli.listing import paper_entry
    from spar_tui.reports.origins import marked, place_text

    text = f"“{marked(origin, lambda word: f'[{word}]')}”"
    certain = f"On {place_text(origin)}, " if origin.page else f"In {place_text(origin)}, "
    return [
        *paper_entry(rank, origin.paper, style),
        *style.wrapped(f"{certain}{certainty(origin)}:", "     ", "green" if not origin.turns else "yellow"),
        *style.wrapped(text, "     "),
        *style.wrapped(differences_text(origin), "     ", "yellow" if origin.turns else "dim"),
    ]
