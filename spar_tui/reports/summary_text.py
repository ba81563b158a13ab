"""The text of a summary as rows, which files and the app show: its headings, sentences and quotes with their citations,
tables, and the lists after them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal, get_args

from agents.summary.events import ROOT, Cell, Citation, NodeWritten, Sentence
from agents.summary.state import SummaryState
from agents.summary.tree import level, numbered
from agents.summary.writing.sections import is_told, sections
from connectors.paper import WorkId
from spar_tui.math_text import title_text
from spar_tui.phrases import OWN_NOTE, quotation
from spar_tui.reports.summary_digest import first_reads, is_fallback, open_problems, provenance

Kind = Literal["heading", "about", "remark", "text", "item", "cells", "gone", "paper"]
"""`about` says who wrote the text; neighboring `text` rows are a paragraph, `item` rows a list, `cells` rows a table;
`gone` is a facet left out."""
CitationStyle = Literal["numbers", "keys", "latex", "autocite"]
CITATION_STYLES: tuple[CitationStyle, ...] = get_args(CitationStyle)
OPEN_OF_THESE = "These papers leave the following open. Other papers may answer it."
EXTRACTED = "Not written by the model: sentences of the papers."
"""Note at a section that rules wrote, if a model wrote other sections."""
DISAGREE = "Papers disagree here: "
"""Beginning of a sentence whose papers contradict each other, whoever wrote it."""
CLOSING = (".", "!", "?", ":")
"""Marks that follow a citation without a space."""
_STOP = re.compile(r"[.!?]{1,9}$")
"""The end of a sentence, before which its citation goes."""


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A citation: its number in the text (0 if the paper is not cited), and what supports the words before it, as
    `support_text`, unless these words say it."""

    number: int
    work: WorkId
    support: tuple[str, ...] = ()


Parts = tuple[str | CitationMark, ...]
Mark = Callable[..., CitationMark]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row of the text: words and citations; `note` is the line below. `key` stays while the summary grows, `depth` is
    the level of a heading or item, `columns` are the names of the cells that follow the citation."""

    key: str
    kind: Kind
    parts: Parts
    note: str = ""
    depth: int = 0
    columns: tuple[str, ...] = ()

    @property
    def cited(self) -> tuple[CitationMark, ...]:
        return tuple(part for part in self.parts if isinstance(part, CitationMark))

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(part for part in self.parts if isinstance(part, str))


def line_of(parts: Parts, mark: Callable[[Iterable[WorkId]], str], formatted: Callable[[str], str] = str) -> str:
    """Return words and citations as a line; neighboring citations have one `mark`."""
    line, works = "", list[WorkId]()
    for part in (*parts, ""):
        if isinstance(part, CitationMark):
            works.append(part.work)
            continue
        cited = mark(works) if works else ""
        apart = part and not part.startswith(CLOSING)
        line += f"{' ' * bool(line and cited)}{cited}{' ' * bool(cited and apart)}{formatted(part)}"
        works = []
    return line


class Marks:
    """The citation marks of a text: numbers, or keys of a bibliography in the syntax of Pandoc (`[@key]`), LaTeX
    (`\\cite{key}`) or biblatex (`\\autocite{key}`)."""

    def __init__(self, state: SummaryState, style: CitationStyle = "numbers", keys: Mapping[WorkId, str] | None = None):
        self._state, self._style, self._keys = state, style, keys or {}
        self._numbers = {work: number for number, work in enumerate(state.cited, start=1)}

    def of(self, works: Iterable[WorkId]) -> str:
        """Return the mark for some works that the text cites."""
        cited_works = {self._state.findings.work(work) for work in works}
        ordered_works = sorted(cited_works, key=lambda work: self._numbers[work])
        if self._style == "numbers":
            return f"[{', '.join(str(self._numbers[work]) for work in ordered_works)}]"
        keys = [self._keys[work] for work in ordered_works]
        if self._style == "keys":
            return f"[{'; '.join(f'@{key}' for key in keys)}]"
        return f"\\{'cite' if self._style == 'latex' else 'autocite'}{{{','.join(keys)}}}"

    def entry(self, work: WorkId) -> str:
        """Return the beginning of a work's entry in the reference list."""
        return f"{self._numbers[work]}." if self._style == "numbers" else f"- `{self._keys[work]}`:"


def marker(state: SummaryState) -> Mark:
    """Return a function that makes the citation mark of a work, with the words that support what it cites."""
    numbers = {work: number for number, work in enumerate(state.cited, start=1)}
    return lambda work, *support: CitationMark(numbers.get(work, 0), work, support)


def support_text(support: Citation | Cell) -> str:
    """Return the words that support a citation or fill a cell: the paper's in quotation marks, with the page unless
    they are from its abstract; spar's own are marked as such."""
    if support.quote:
        return quotation(support.quote, support.page)
    return f"{support.described} ({OWN_NOTE})" if support.described else ""


def body(state: SummaryState, node: str = ROOT) -> Iterator[TextRow]:
    """Yield the text of a node and of the nodes below it, as far as written; after that of the topic, the open problems
    and what to read first."""
    nodes, below = [section for section in sections(state) if is_told(state, section)], state.below(node)
    places, mark = numbered(nodes), marker(state)
    if ROOT in below and ROOT in state.written:
        if state.cited:
            yield TextRow("about", "about", (provenance(state),))
        if gap := state.written[ROOT].gap:
            yield TextRow("gap", "remark", (gap,))
    for section in [section for section in nodes if section in below]:
        written, is_short = state.written.get(section), section == ROOT and len(nodes) > 1
        if section != ROOT:
            title = f"{places[section]} {state.title(section)}"
            yield TextRow(f"h:{section}", "heading", (title,), depth=level(section))
        elif is_short and (written is None or written.sentences):
            yield TextRow("h:tldr", "heading", ("TL;DR",), depth=1)
        if written is None:
            yield TextRow(f"wait:{section}", "remark", ("Not written yet.",))
        else:
            yield from _section(state, section, written, is_short, mark)
        yield from _table(state, section, mark)
    if ROOT in below and state.finished is not None:
        yield from _open_problems(state, mark)
        yield from _first_reads(state, mark)


def left_out(state: SummaryState) -> Iterator[TextRow]:
    """Yield the facets left out, with the reasons."""
    if state.left_out:
        yield TextRow("h:gone", "heading", ("Facets left out",), depth=1)
    for node, gone in state.left_out.items():
        yield TextRow(f"gone:{node}", "gone", (state.title(node), f": {gone.reason}"))


def _section(state: SummaryState, node: str, written: NodeWritten, is_short: bool, mark: Mark) -> Iterator[TextRow]:
    """Yield a model's sentences, or quotes as a list of findings by year, each with similar statements of other papers
    below; a short text above others is a list of sentences."""
    if is_fallback(state, written):
        yield TextRow(f"by:{node}", "remark", (EXTRACTED,))
    if written.by == "model" or is_short:
        kind: Kind = "item" if is_short else "text"
        for index, sentence in enumerate(written.sentences):
            parts = sentence_parts(state, sentence, mark) if written.by == "model" else _quotes(state, [sentence], mark)
            yield TextRow(f"s:{node}:{index}", kind, parts)
        return
    findings = list(_by_paper(state, written))
    found_years = [_year(state, some) for some in findings]
    steps = [after - before if before and after else 0 for before, after in pairwise(found_years)]
    widest = steps.index(max(steps)) + 1 if max(steps, default=0) > 0 else None
    for index, (year, some) in enumerate(zip(found_years, findings, strict=True)):
        words, *marks = _quotes(state, some, mark)
        parts = (f"{_when(year, index == widest)}{words}", *marks)
        yield TextRow(f"s:{node}:{index}", "item", parts, depth=int(some[0].alike))


def sentence_parts(state: SummaryState, sentence: Sentence, mark: Mark) -> Parts:
    """Return a sentence of a model with its citations before its full stop."""
    support: dict[WorkId, list[str]] = {}
    for citation in sentence.citations:
        support.setdefault(state.findings.work(citation.work), []).append(support_text(citation))
    marks = [mark(work, *quotes) for work, quotes in support.items()]
    first = DISAGREE if sentence.contested else ""
    words = _STOP.sub("", sentence.text)
    return (f"{first}{words}", *sorted(marks, key=lambda part: part.number), sentence.text[len(words) :])


def _quotes(state: SummaryState, some: Sequence[Sentence], mark: Mark) -> Parts:
    """Return the quotes of extracted sentences; consecutive ones of one paper are cited once."""
    citations = [citation for sentence in some for citation in sentence.citations]
    groups = groupby(citations, lambda citation: state.findings.work(citation.work))
    return tuple(part for work, own in groups for part in (" ".join(map(support_text, own)), mark(work)))


def _by_paper(state: SummaryState, section: NodeWritten) -> Iterator[tuple[Sentence, ...]]:
    """Group consecutive sentences of an extract that are from the same papers."""
    works = state.findings.work
    for _, some in groupby(
        section.sentences, lambda sentence: [works(citation.work) for citation in sentence.citations]
    ):
        yield tuple(some)


def _year(state: SummaryState, some: Sequence[Sentence]) -> int | None:
    """Return the year of the one paper that `some` quote."""
    found_years = [
        state.findings.found[state.findings.work(citation.work)].paper.year for citation in some[0].citations
    ]
    return found_years[0] if len(found_years) == 1 else None


def _when(year: int | None, linked: bool) -> str:
    """Return the beginning of a finding. Only years justify linking words between quotes; opposite words do not
    prove opposite findings."""
    return "" if not year else f"More recently ({year}): " if linked else f"{year}: "


def _table(state: SummaryState, node: str, mark: Mark) -> Iterator[TextRow]:
    table = state.tables.get(node)
    for row in table.rows if table else ():
        work, cells = state.findings.work(row.work), tuple(map(support_text, row.cells))
        if any(cells):
            columns = tuple(cell.column for cell in row.cells)
            yield TextRow(f"t:{node}:{work}", "cells", (mark(work), *cells), columns=columns)


def _open_problems(state: SummaryState, mark: Mark) -> Iterator[TextRow]:
    problems = open_problems(state)
    if problems:
        yield TextRow("h:open", "heading", ("Open problems",), depth=1)
        yield TextRow("open", "remark", (OPEN_OF_THESE,))
    for index, (words, work) in enumerate(problems):
        parts: Parts = (words,) if work is None else (f"“{words}”", mark(work))
        yield TextRow(f"open:{index}", "item", parts)


def _first_reads(state: SummaryState, mark: Mark) -> Iterator[TextRow]:
    reads = first_reads(state)
    if reads:
        yield TextRow("h:first", "heading", ("First reads",), depth=1)
    for work, why in reads:
        title = title_text(state.findings.found[work].paper)
        yield TextRow(f"first:{work}", "item", (title, mark(work), f": {why}"))
