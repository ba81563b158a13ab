"""`spar library`, `spar whence`: find papers and quotes among all papers found so far, on this machine alone."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from connectors.paper import Paper
from connectors.records.clean import clean_text
from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.cli.lists.filter_words import (
    FormatOption,
    ReverseFlag,
    SortOption,
    check_limit,
    filter_of,
    lines_of,
    order_of,
    wider_hint,
)
from spar_tui.cli.lists.line_template import LIBRARY_FIELDS, paper_lines
from spar_tui.errors import UsageError
from spar_tui.phrases import counted, operators_as_words, papers_text
from spar_tui.shown_list import note_list
from spar_tui.terminal import DASH, Style, answer_style, note, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.evidence.whence import Origin
    from cache.conditions.filters import Filter
    from cache.conditions.orders import NamedOrder
    from cache.page_texts import Coverage
    from cache.passages import Passage
    from cache.store import Store


def library(
    words: Annotated[
        list[str],
        typer.Argument(metavar="WORDS…", help="Filter terms; a paper must match all of them.", show_default=False),
    ],
    sort: SortOption = None,
    reverse: ReverseFlag = False,
    limit: Annotated[int, typer.Option(metavar="N", help="How many papers to list (1 to 1000).")] = 25,
    template: FormatOption = None,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Search the library: all papers found so far.

    Searches this machine only, for saved and other papers. WORDS match title, abstract, authors or venue, with any
    ending. Other terms: year:2020.. year:..2010 year:2015..2020 cited:10.. venue:acl author:name author:nam* tag:x
    type:review is:open is:saved is:unread is:read is:retracted about:"two words" title:word, and "a phrase"; -
    before a term negates it; author:a|b matches either. With in:fulltext, WORDS match the texts of PDFs that spar
    fetch keeps, and the list names the pages. A shell removes quotes, so write '"a phrase"' and 'author:"Ada
    Lovelace"'."""
    check_limit(limit, 1000)
    from cache import fulltext, page_texts
    from cache.conditions.orders import OF_LIBRARY
    from cache.conditions.scopes import LIBRARY
    from spar_tui.bibliography.keys import known_keys
    from spar_tui.cli.listing import paper_entry, passage_lines
    from spar_tui.reports.json_objects import paper_object, passage_object

    order, wanted = order_of(sort, "relevance", reverse, OF_LIBRARY), filter_of(words, LIBRARY)
    if not any(map(str.isalnum, str(wanted))):
        raise UsageError("there are no words to search for; give some: spar library dense retrieval.")
    if as_words := operators_as_words(" ".join(words), "all words must match, and a - before a word leaves papers out"):
        remark(f"{as_words}.")
    lines = lines_of(template, LIBRARY_FIELDS, as_json)
    with open_store(read_settings()) as store:
        matches = fulltext.chosen(store, wanted, order.order.name, limit + 1, order.reverse)
        silent = bool(matches) or wanted.in_full_texts
        hint = "" if silent else wider_hint(wanted, lambda begun: len(fulltext.chosen_numbers(store, begun)))
        matches, more = matches[:limit], "; --limit lists more" if len(matches) > limit else ""
        objects = [paper_object(paper, rank) for rank, paper in enumerate(matches, start=1)]
        passages = [_passages(store, paper, wanted) for paper in matches]
        if wanted.in_full_texts:
            objects = [record | {"passages": [passage_object(passage) for passage in some]}
                    for record, some in zip(objects, passages, strict=True)]  # fmt: skip
        looked_through = _looked_through(page_texts.coverage(store)) if wanted.in_full_texts else ""
        note_list(store, listed=matches)
        if lines:
            say(*paper_lines(lines, objects, lambda: known_keys(store, matches)))
    if as_json:
        say_json({"papers": objects})
        return 0 if matches else 3
    style = answer_style(plain)
    for rank, paper in enumerate(matches if not lines else [], start=1):
        say(*paper_entry(rank, paper, style), *passage_lines(passages[rank - 1], style))
    if matches:
        note(f"{papers_text(len(matches))} of the library for {wanted}, {_first(order, wanted)}{more}{looked_through}")
    elif looked_through:
        remark(f"no paper of the library matches {wanted}{looked_through}")
    else:
        hint = hint or "fewer words find more, and spar search asks the sources"
        remark(f"no paper of the library matches {wanted}; {hint}.")
    return 0 if matches else 3


def _passages(store: "Store", paper: Paper, wanted: "Filter") -> "list[Passage]":
    """Return the passages of the paper's full text with the words, if full texts are searched."""
    from cache import page_texts, papers

    number = papers.number_of(store, paper) if wanted.in_full_texts else None
    return page_texts.passages(store, number, wanted) if number is not None else []


def _looked_through(coverage: "Coverage") -> str:
    """Say how many full texts were searched, and how many could not be."""
    remark = f"; {counted(coverage.papers, 'full text')} searched" if coverage.papers else "; no full texts are stored"
    if not coverage.unread:
        return remark if coverage.papers else f"{remark}, and spar fetch PAPER adds some"
    saved = "saved paper has a PDF" if coverage.unread == 1 else "saved papers have PDFs"
    them = "it" if coverage.unread == 1 else "them"
    return f"{remark}; {coverage.unread:,} {saved} not read yet; spar fetch PAPER reads {them}"


def _first(order: "NamedOrder", wanted: "Filter") -> str:
    """Name the papers that come first."""
    from cache.conditions.orders import named
    from cache.fulltext import looks_up_words

    near = order.order.needs == "words" and looks_up_words(wanted)
    return order.words if near or order.order.needs != "words" else named("found", order.reverse).words


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
        remark(f"no title or abstract of the library has these words; searched {read}.")
    if len(origins) > 1:
        remark(f"{len(origins)} papers match the quote about equally well; it may be from any of them.")
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
