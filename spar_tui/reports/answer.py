"""An answer to a question, as lines and as the object of `spar ask --json`."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from agents.evidence.choosing import has_all_words
from agents.evidence.designs import design_of
from agents.summary.events import ROOT, Citation, Side, Verdict
from agents.summary.state import SummaryState
from connectors.paper import WorkId
from connectors.records.visible import visible
from spar_tui.math_text import warned_title
from spar_tui.phrases import quotation
from spar_tui.reports.json_objects import cost_object, json_fields, paper_object, source_objects
from spar_tui.reports.summary_text import DISAGREE, Marks, Parts, line_of, marker, sentence_parts
from spar_tui.terminal import Style

VERDICTS: Mapping[Verdict, str] = {
    "yes": "Yes",
    "no": "No",
    "mixed": "Mixed",
    "unsettled": "Not settled by these papers",
    "silent": "These papers do not say",
    "other": "",
}
_HEADINGS = ("", "Paper", "Year", "Design", "Quote")
_PAPER, _DESIGN, _QUOTE = 1, 3, 4
_GAP = 2
"""Spaces between the columns of a table."""
_NARROWEST = 30
_WIDE = 110
"""Minimum terminal width for quotes beside their papers; narrower columns would break them into words."""
_INDENT = 4
_QUOTES = 3
"""Number of quotes above a list of papers."""
_QUOTES_ONLY = "Quotes nearest to the question. No model read them, so nothing is concluded:"
_SILENT_BY_WORDS = "Judged by words alone, no sentence of {} bears on the question."
_LEFT_OUT = "The model's answer was left out because its quotes do not support it. What they support:"
_NOTHING_HELD = "The model gave no answer that its quotes support."
_STOPPED = "The answer was stopped before it quoted a paper."
_NO_PAPER = "No paper was found for this question, so there is nothing to answer it from."
_UNREAD = "Nothing can be quoted: no abstract and no full text of these papers is known."


def answer_lines(state: SummaryState, style: Style) -> list[str]:
    """Return the answer, each sentence with its citation marks, then the evidence as a table."""
    first, *more = _lines(state, Marks(state).of)
    section = state.written.get(ROOT)
    lines = [*style.wrapped(first, "", "bold"), *(line for text in more for line in style.wrapped(text, ""))]
    if section and section.gap:
        lines += ["", *style.wrapped(section.gap, "")]
    whole = whole_abstract(state)
    return [*lines, *_evidence(state, style), *(["", *style.wrapped(whole, "")] if whole else [])]


def short_answer(state: SummaryState, names: Mapping[str, str]) -> list[str]:
    """Return the answer above the list of papers on which it rests, or a few quotes if there is no answer.

    Its marks are the `names` of papers by their ids, or the id of a paper outside the list. Empty if no quote is
    relevant and no model says that the papers do not answer.
    """
    by_model = state.answered is not None and state.answered.by == "model"
    if not (state.evidence and (state.evidence.quotes or (by_model and state.evidence.read))):
        return []
    if state.evidence.far and not by_model:
        return []

    def mark(works: Iterable[WorkId]) -> str:
        papers = dict.fromkeys(state.findings.found[state.findings.work(work)].paper.id for work in works)
        return f"[{', '.join(names.get(paper, paper) for paper in papers)}]" if papers else ""

    lines = _lines(state, mark)
    if len(lines) == 1 and not _verdict(state):
        quotes = state.evidence.quotes[:_QUOTES]
        lines += [f"{quotation(quote.quote, quote.page)} {mark([quote.work])}" for quote in quotes]
    return lines


def _lines(state: SummaryState, mark: Callable[[Iterable[WorkId]], str]) -> list[str]:
    return [line_of(parts, mark) for parts in paragraphs_of(state)]


def paragraphs_of(state: SummaryState) -> list[Parts]:
    """Return the first line of a finished answer (its first sentence with the verdict, or the reason why there is
    none), then its further sentences, with their citations."""
    section, mark, verdict = state.written.get(ROOT), marker(state), _verdict(state)
    sentences = [sentence_parts(state, sentence, mark) for sentence in (section.sentences if section else ())]
    has_quotes = bool(state.evidence and state.evidence.quotes)
    if verdict == "silent":
        unread = bool(state.evidence and not state.evidence.read)
        if unread or not state.works(ROOT):
            return [(_UNREAD if state.works(ROOT) else _NO_PAPER,)]
        if state.answered and state.answered.by == "model":
            return [(f"{VERDICTS[verdict]}.",)]
        silent = _SILENT_BY_WORDS.format("this paper" if len(state.works(ROOT)) == 1 else "these papers")
        return [(f"{silent} The nearest:" if has_quotes else silent,)]
    if verdict and sentences:
        (words, *marks), label = sentences[0], VERDICTS[verdict]
        first = str(words).removeprefix(DISAGREE) if verdict == "mixed" else words
        return [(f"{label}: {first}" if label else first, *marks), *sentences[1:]]
    if state.answered and state.answered.by == "model":
        nothing = f"{_NOTHING_HELD} Quotes on the question:" if has_quotes else _NOTHING_HELD
        return [(_LEFT_OUT if sentences else nothing,), *sentences]
    return [(_QUOTES_ONLY if has_quotes else _STOPPED,)]


def whole_abstract(state: SummaryState) -> str:
    """Return the abstract of the only paper quoted, in which a person may find what words do not show; "" if there are
    several, a model judged it, the paper is merely the nearest or the quotes have all words of the question."""
    if state.answered is None or state.answered.by == "model" or state.evidence is None or state.evidence.far:
        return ""
    works = {quote.work for quote in state.evidence.quotes} or {*state.works(ROOT)}
    if len(works) != 1:
        return ""
    (paper,) = (state.findings.found[work].paper for work in works)
    quotes = " ".join(quote.quote for quote in state.evidence.quotes)
    if not paper.abstract or has_all_words(state.topic, paper, quotes):
        return ""
    return f"The whole abstract: {quotation(paper.abstract)}"


def _verdict(state: SummaryState) -> Verdict | None:
    return state.answered.verdict if state.answered else None


def _evidence(state: SummaryState, style: Style) -> Iterator[str]:
    """Yield the cited or quoted papers: in a wide terminal a table of paper, year, design if known, and quotes,
    otherwise each paper with its quotes below."""
    sides = [(side, [_row(state, *paper) for paper in papers]) for side, papers in sides_of(state)]
    rows = [row for _, some in sides for row in some]
    widths = _widths([_HEADINGS, *rows], style.width) if style.width >= _WIDE else []
    if rows and widths:
        yield from ("", *_cells(_HEADINGS, widths, style, "dim"))
    for side, some in sides:
        yield from ("", *style.wrapped(f"{side}:", "", "bold")) if side else ()
        for row in some:
            yield from _cells(row, widths, style) if widths else _stacked(row, style)


def _row(state: SummaryState, number: int, work: WorkId, quotes: Sequence[Citation]) -> Sequence[str]:
    paper = state.findings.found[work].paper
    title = f"{warned_title(paper)}\n{paper.id}"
    text = "\n".join(quotation(quote.quote, quote.page) for quote in quotes)
    return f"[{number}]", title, str(paper.year or "no date"), design_of(paper), text


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the widths of the columns: paper names and quotes share the width that the others leave."""
    longest = [max(len(line) for row in rows for line in row[column].split("\n")) for column in range(len(_HEADINGS))]
    if not any(row[_DESIGN] for row in rows[1:]):
        longest[_DESIGN] = 0
    rest = max(width - sum(longest) + longest[_PAPER] + longest[_QUOTE] - _GAP * (len(longest) - 1), _NARROWEST)
    longest[_PAPER] = min(longest[_PAPER], rest // 3)
    longest[_QUOTE] = rest - longest[_PAPER]
    return longest


def _cells(row: Sequence[str], widths: Sequence[int], style: Style, *styles: str) -> Iterator[str]:
    """Yield the lines of a table row, as many as its highest cell has."""
    cells = [[line for raw in cell.split("\n") for line in textwrap.wrap(visible(raw), width)] if width else []
             for cell, width in zip(row, widths, strict=True)]  # fmt: skip
    for lines in zip_longest(*cells, fillvalue=""):
        padded = [line.ljust(width) for line, width in zip(lines, widths, strict=True) if width]
        yield style.paint((" " * _GAP).join(padded).rstrip(), *styles)


def _stacked(row: Sequence[str], style: Style) -> Iterator[str]:
    """Yield a row as two indented paragraphs, if there is no space for quotes beside the paper."""
    number, paper, year, design, quotes = row
    title, name = paper.split("\n")
    yield from style.wrapped(" · ".join(filter(None, (f"{number} {title}", year, design, name))), "")
    for quote in quotes.split("\n"):
        yield from style.wrapped(quote, " " * _INDENT)


def sides_of(state: SummaryState) -> Iterator[tuple[str, list[tuple[int, WorkId, list[Citation]]]]]:
    """Yield the cited or quoted papers by side: its heading, "" if no paper takes a side, and each paper with its
    number and quotes."""
    numbered = [(number, work, quotes) for number, (work, quotes) in enumerate(quotes_of(state).items(), start=1)]
    by_model = state.answered is not None and state.answered.by == "model"
    heading = "Papers for {}" if by_model else "Papers whose words suggest {}"
    sides: dict[Side | None, str] = {"yes": heading.format("yes"), "no": heading.format("no"), None: "Other papers"}
    by_side = {side: [pair for pair in numbered if side_of(state, pair[1]) == side] for side in sides}
    takes_sides = bool(by_side["yes"] or by_side["no"])
    yield from ((name if takes_sides else "", by_side[side]) for side, name in sides.items() if by_side[side])


def side_of(state: SummaryState, work: WorkId) -> Side | None:
    """Return the side that a paper supports."""
    yes, no = (state.answered.yes, state.answered.no) if state.answered else ((), ())
    side_works = map(state.findings.work, yes), map(state.findings.work, no)
    return "yes" if work in side_works[0] else "no" if work in side_works[1] else None


def quotes_of(state: SummaryState) -> dict[WorkId, list[Citation]]:
    """Return the quotes of each cited work, ordered by number, those of the text first; a quote inside another is
    left out."""
    section = state.written.get(ROOT)
    citations = [
        citation
        for sentence in (section.sentences if section else ())
        for citation in sentence.citations
        if citation.quote
    ]
    by_work: dict[WorkId, list[Citation]] = {work: [] for work in state.cited}
    for citation in (*citations, *(state.evidence.quotes if state.evidence else ())):
        quotes = by_work[state.findings.work(citation.work)]
        if not any(citation.quote in other.quote or other.quote in citation.quote for other in quotes):
            quotes.append(citation)
    return by_work


_QUOTE_FIELDS = "quote page described"


def answer_object(run: str, state: SummaryState) -> dict[str, Any]:
    """Return an answer as an object. Sentences and quotes name papers by their numbers in `evidence`."""
    section, numbers = state.written.get(ROOT), {work: number for number, work in enumerate(state.cited, start=1)}
    return {
        "run": run,
        "question": state.topic,
        "verdict": _verdict(state),
        "written_by": state.answered.by if state.answered else None,
        "sentences": [
            {
                "text": sentence.text,
                "contested": sentence.contested,
                "citations": [
                    json_fields(citation, _QUOTE_FIELDS) | {"number": numbers[state.findings.work(citation.work)]}
                    for citation in sentence.citations
                ],
            }
            for sentence in (section.sentences if section else ())
        ],
        "missing": (section.gap or None) if section else None,
        **{count: getattr(section, count, 0) for count in ("cut", "partly", "unchecked", "omitted")},
        "evidence": [
            {
                "number": numbers[work],
                "speaks_for": side_of(state, work),
                "design": design_of(state.findings.found[work].paper) or None,
                "quotes": [json_fields(quote, _QUOTE_FIELDS) for quote in quotes],
                "paper": paper_object(state.findings.found[work].paper, numbers[work]),
            }
            for work, quotes in quotes_of(state).items()
        ],
        "papers_found": len(state.works(ROOT)),
        "papers_read": state.evidence.read if state.evidence else 0,
        "sources": source_objects(state.findings.sources, {}),
        "cost": cost_object(state.findings.cost, state.finished.seconds if state.finished else None),
    }  # fmt: skip
