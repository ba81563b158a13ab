"""`spar library`, `spar whence`: find papers and quotes among all papers found so far, on this machine alone."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from connectors.records.clean import clean_text
from spar_tui.cli.arguments import OutputFlags
from spar_tui.cli.lists.filter_words import (
    FormatOption,
    ReverseFlag,
    SortOption,
    filter_of,
    lines_of,
    order_of,
    wider_hint,
)
from spar_tui.cli.lists.line_template import LIBRARY_FIELDS, paper_lines
from spar_tui.errors import UsageError
from spar_tui.phrases import counted, operators_as_words, papers_text
from spar_tui.shown_list import note_list
from spar_tui.terminal import DASH, Style, note, remark, say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.evidence.whence import Origin
    from cache.conditions.filters import Filter
    from cache.conditions.orders import NamedOrder
    from cache.page_texts import Coverage
    from cache.passages import Passage


def library(
    words: Annotated[list[str], "<WORDS…>", "Filter terms; a paper must match all of them."],
    sort: SortOption = None,
    reverse: ReverseFlag = False,
    limit: Annotated[int, "N", "How many papers to list (1 to 1000)."] = 25,
    template: FormatOption = None,
    *,
    output: OutputFlags,
) -> int:
    """Search the library: all papers found so far.

    Searches this machine only, for saved and other papers. WORDS match title, abstract, authors or venue, with any
    ending. Other terms: year:2020.. year:..2010 year:2015..2020 cited:10.. venue:acl author:name author:nam* tag:x
    type:review is:open is:saved is:unread is:read is:retracted about:"two words" title:word, and "a phrase"; -
    before a term negates it; author:a|b matches either. With in:fulltext, WORDS match the texts of PDFs that spar
    fetch keeps, and the list names the pages. A shell removes quotes, so write '"a phrase"' and 'author:"Ada
    Lovelace"'."""
    from cache import fulltext, page_texts, papers
    from cache.conditions.orders import OF_LIBRARY
    from cache.conditions.scopes import LIBRARY
    from spar_tui.bibliography.citation_key import known_keys
    from spar_tui.cli.listing import paper_entry, passage_lines
    from spar_tui.reports.json_objects import paper_objects

    order, condition = order_of(sort, "relevance", reverse, OF_LIBRARY), filter_of(words, LIBRARY)
    if not any(map(str.isalnum, str(condition))):
        raise UsageError("there are no words to search for; give some: spar library dense retrieval.")
    if as_words := operators_as_words(" ".join(words), "all words must match, and a - before a word leaves papers out"):
        remark(f"{as_words}.")
    lines, in_texts = lines_of(template, LIBRARY_FIELDS, output.as_json), condition.in_full_texts
    with open_store(read_settings()) as store:
        matches = fulltext.chosen(store, condition, order.order.name, limit + 1, order.reverse)
        hint = ""
        if not (matches or in_texts):
            hint = wider_hint(condition, lambda wider: len(fulltext.chosen_numbers(store, wider)))
        matches, more = matches[:limit], "; --limit lists more" if len(matches) > limit else ""
        objects = paper_objects(matches)
        quotes: list[Sequence[Passage]] = [()] * len(matches)
        for at, number in enumerate(papers.numbers_of(store, matches) if in_texts else ()):
            quotes[at] = page_texts.passages(store, number, condition) if number is not None else ()
            objects[at]["passages"] = [{"page": passage.page, "text": passage.text} for passage in quotes[at]]
        coverage = _coverage_text(page_texts.coverage(store)) if in_texts else ""
        note_list(store, listed=matches)
        if lines:
            say(*paper_lines(lines, objects, lambda: known_keys(store, matches)))

    def listing(style: Style) -> Iterator[str]:
        for rank, (paper, passages) in enumerate(zip(matches, quotes, strict=True), start=1):
            yield from (*paper_entry(rank, paper, style), *passage_lines(passages, style))

    if not lines:
        output.say({"papers": objects}, listing)
    if matches and not output.as_json:
        note(f"{papers_text(len(matches))} of the library for {condition}, {_first(order, condition)}{more}{coverage}")
    elif not output.as_json:
        hint = f"; {hint or 'fewer words find more, and spar search asks the sources'}."
        remark(f"no paper of the library matches {condition}{coverage or hint}")
    return 0 if matches else 3


def _coverage_text(coverage: "Coverage") -> str:
    """Say how many full texts were searched, and how many could not be."""
    remark = f"; {counted(coverage.papers, 'full text')} searched" if coverage.papers else "; no full texts are stored"
    if not coverage.unread:
        return remark if coverage.papers else f"{remark}, and spar fetch PAPER adds some"
    papers = "saved paper has a PDF" if coverage.unread == 1 else "saved papers have PDFs"
    pronoun = "it" if coverage.unread == 1 else "them"
    return f"{remark}; {coverage.unread:,} {papers} not read yet; spar fetch PAPER reads {pronoun}"


def _first(order: "NamedOrder", condition: "Filter") -> str:
    """Name the papers that come first."""
    from cache.conditions.orders import named
    from cache.fulltext import looks_up_words

    near = order.order.needs == "words" and looks_up_words(condition)
    return order.words if near or order.order.needs != "words" else named("found", order.reverse).words


def whence(
    words: Annotated[list[str], "<WORDS…>", "The quote; - reads it from standard input."], *, output: OutputFlags
) -> int:
    """Find the paper and page that a quote is from.

    Searches the library on this machine: titles, abstracts, and the texts of PDFs that spar fetch keeps. The quote may
    have line breaks, another case, cut words at its ends, and some words left out. Prints the paper's own words, with
    differences in [brackets]. A quote with other words, numbers or negations than a paper is not from it; spar then
    prints the nearest passage, and what differs."""
    quote = _quote(words)
    from agents.evidence.whence import nearest
    from agents.evidence.whence import whence as origins_of
    from cache import page_texts

    with open_store(read_settings()) as store:
        origins, coverage = origins_of(store, quote), page_texts.coverage(store)
        near = None if origins else nearest(store, quote)
        passages = [near] if near else origins
        note_list(store, listed=[passage.paper for passage in passages])
    objects = [_origin_object(passage, rank) for rank, passage in enumerate(passages, start=1)]
    output.say(
        {
            "quote": quote,
            "origins": [] if near else objects,
            "nearest": objects[0] if near else None,
            "full_texts": coverage.papers,
        },
        lambda style: (line for rank, passage in enumerate(passages, start=1) for line in _lines(passage, rank, style)),
    )
    if not origins:
        searched = counted(coverage.papers, "full text") if coverage.papers else "no full text"
        remark(f"no title or abstract of the library has these words; searched {searched}.")
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

    origin_text = f"On page {origin.page:,} of its PDF" if origin.page else f"In its {origin.where}"
    doubtful = origin.altered or origin.turns
    return [
        *paper_entry(rank, origin.paper, style),
        *style.wrapped(f"{origin_text}, {certainty(origin)}:", "     ", "yellow" if doubtful else "green"),
        *style.wrapped(f"“{_marked(origin)}”", "     "),
        *style.wrapped(differences_text(origin), "     ", "yellow" if doubtful else "dim"),
    ]


def _marked(origin: "Origin") -> str:
    """Return the paper's own words, with those that the quote changes or omits in brackets; adjacent ones share a
    pair."""
    spans: list[tuple[int, int]] = []
    for start, end in origin.marks:
        if spans and not any(map(str.isalnum, origin.text[spans[-1][1] : start])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    text, position = "", 0
    for start, end in spans:
        text += f"{origin.text[position:start]}[{origin.text[start:end]}]"
        position = end
    return text + origin.text[position:]


def _origin_object(origin: "Origin", rank: int) -> dict[str, Any]:
    """Return a paper that a quote is from. `marks` are the start (from 0) and end of each part of `text` that
    differs."""
    from agents.evidence.whence import certainty
    from spar_tui.reports.json_objects import paper_object

    return {
        "rank": rank,
        "where": origin.where,
        "page": origin.page,
        "text": origin.text,
        "marks": [list(mark) for mark in origin.marks],
        "differences": [{"there": difference.there, "quoted": difference.quoted} for difference in origin.differences],
        "share": round(origin.share, 3),
        "certainty": certainty(origin),
        "turns_meaning": origin.turns,
        "paper": paper_object(origin.paper, rank),
    }
