"""A summary as Markdown: the text with numbered citations, and the supporting words of each reference."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, get_args

from agents.summary.events import ROOT, Cell, Citation, NodeWritten, Sentence
from agents.summary.state import SummaryState
from agents.summary.tree import level, numbered
from agents.summary.writing.sections import is_told, sections
from connectors.paper import Paper, WorkId, all_authors
from spar_tui.bibliography.markdown import escaped
from spar_tui.math_text import unmarked
from spar_tui.phrases import OWN_NOTE, counted, papers_text, quotation
from spar_tui.reports.summary_digest import doubts, first_reads, how_made, open_problems, years

CitationStyle = Literal["numbers", "keys", "latex", "autocite"]
CITATION_STYLES: tuple[CitationStyle, ...] = get_args(CitationStyle)
OPEN_OF_THESE = "These papers leave the following open. Other papers may answer it."
EXTRACTED = "Not written by the model: sentences of the papers."
"""Note at a section written by rules in a text of which a model wrote the rest."""
DISAGREE = "Papers disagree here: "
"""Beginning of a sentence whose papers contradict each other, whoever wrote it."""
_AUTHORS = 6
"""Number of authors that a reference names; the others are counted."""
_FIRST = re.compile(r"^(\d+)([.)])|^([+-])")
_STOP = re.compile(r"(?:\\?[.!?]){1,9}$")
"""The end of a sentence, before which its citation goes; Markdown may have escaped it."""
_ADDRESS = re.compile(r"https?://[^\s<>]+")


def markdown(state: SummaryState, marks: "Marks | None" = None, *, listed: bool = True) -> list[str]:
    """Return the lines of a summary, or of its outline if it has no text; `marks` are its citations, by default
    numbers. Without `listed` there is no reference list, only the supporting words."""
    if ROOT not in state.written:
        return outline(state)
    marks = marks or Marks(state)
    lines = [f"# {escaped(state.topic)}"]
    if state.cited:
        lines += ["", f"> {provenance(state, escaped)}"]
    lines += _beginning(state, marks)
    nodes = [node for node in sections(state) if is_told(state, node)]
    numbers = numbered(nodes)
    for node in nodes:
        if node != ROOT:
            lines += ["", f"{'#' * (level(node) + 1)} {numbers[node]} {escaped(state.title(node))}"]
            lines += _paragraph(state, marks, state.written.get(node))
        lines += _table(state, marks, node)
    lines += [*_open_problems(state, marks), *_first_reads(state, marks), *_references(state, marks, numbers, listed)]
    origin = ["", "## How it was made", "", *(f"- {line}" for line in how_made(state, escaped))]
    return [*lines, *origin, *_left_out(state)]


def outline(state: SummaryState) -> list[str]:
    """Return the tree only, each facet with its question and its papers."""
    lines, numbers = [f"# {escaped(state.topic)}"], numbered(state.nodes)
    for node in state.nodes:
        if node != ROOT:
            lines += ["", f"{'#' * (level(node) + 1)} {numbers[node]} {escaped(state.title(node))}"]
            lines += ["", _line(state.question(node))]
        papers = [state.findings.found[work].paper for work in state.works(node)]
        lines += ["", *(f"- {reference(paper)}" for paper in papers)] if papers else []
    return [*lines, *_left_out(state)]


def reference(paper: Paper) -> str:
    """Format a paper for a reference list, from its record only."""
    authors = all_authors(paper, _AUTHORS) or "Unknown authors"
    title = f"{'RETRACTED: ' if paper.retracted else ''}{unmarked(paper.title, paper.retracted)}"
    where = f" *{escaped(paper.venue)}*." if paper.venue else ""
    page = paper.page or ""
    address = f" <{page}>" if _ADDRESS.fullmatch(page) else f" {escaped(paper.id)}" if paper.identifiers else ""
    stop = "" if title.endswith((".", "!", "?")) else "."
    return f"{escaped(authors)} ({paper.year or 'no date'}). {escaped(title)}{stop}{where}{address}"


def _line(text: str) -> str:
    """Return `text` for the beginning of a line."""
    return _no_list(escaped(text))


def _no_list(text: str) -> str:
    """Escape a number or a dash at the beginning of the escaped `text` that would begin a list."""
    return _FIRST.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", text)


def provenance(state: SummaryState, formatted: Callable[[str], str] = str) -> str:
    """Say who wrote the text and from how many papers; `formatted` formats the model's name."""
    built_in = [node for node, text in state.written.items() if text.by != "model"]
    removals = sum(section.cut for section in state.written.values())
    lost = sum(section.lost for section in state.written.values())
    span = f" ({span})" if (span := years(state)) else ""
    papers = f"{papers_text(len(state.cited))}{span} of {len(state.works_below(ROOT)):,} kept for it"
    support = _support(state)
    if len(built_in) == len(state.written):
        author = _extract_of(
            support, "because no sentence of the model passed the checks" if removals else "no model wrote it"
        )
    else:
        model = state.started.model if state.started else None
        author = f"Written by a language model{f' ({formatted(model)})' if model else ''}; {_behind_citations(support)}"
        fallen = sum(is_fallback(state, state.written[node]) for node in built_in)
        author += f"; {fallen} of {len(state.written)} sections are quotes only and say so" if fallen else ""
    remarks = (
        f" {counted(removals, 'sentence')} without support in a paper {'was' if removals == 1 else 'were'} cut."
        if removals
        else ""
    )
    remarks += f" {counted(lost, 'citation')} without support {'was' if lost == 1 else 'were'} removed." if lost else ""
    remarks += "".join(f" {doubt}." for doubt in doubts(state))
    missing = [f"“{formatted(state.title(node))}”" for node, section in state.dropped.items()
               if section.check == "relevant" and section.by == "model"]  # fmt: skip
    nothing = f" No paper found answers {' or '.join(missing)}." if missing else ""
    return f"{author}. It cites {papers}.{remarks}{nothing}"


class _Support(NamedTuple):
    """Whether any support of a text is a quote, a quote from a page of a PDF, or spar's own note."""

    quoted: bool
    on_page: bool
    noted: bool


def _support(state: SummaryState) -> _Support:
    texts, tables = state.written.values(), state.tables.values()
    support: list[Citation | Cell] = [
        citation for text in texts for sentence in text.sentences for citation in sentence.citations
    ]
    support += [cell for table in tables for row in table.rows for cell in row.cells]
    return _Support(
        any(item.quote for item in support), any(item.page for item in support), any(item.described for item in support)
    )


def _extract_of(support: _Support, why: str) -> str:
    if support.noted and not support.quoted:
        return "Made from spar's own notes on the papers, not from their text; it has no quotes"
    extract = (
        f"Quotes only, {why}: every sentence in quotation marks is copied word for word from the abstract it cites"
    )
    extract += ", or from the page of the PDF given after it" if support.on_page else ""
    return f"{extract}; text marked as spar's note is not from the paper it cites" if support.noted else extract


def _behind_citations(support: _Support) -> str:
    if not support.noted:
        origin = ", or from the page of its PDF that is given" if support.on_page else ""
        return f"the quote for every citation is copied from the paper's title or abstract{origin}"
    if not support.quoted:
        return "every citation is based on spar's own note on the paper, not on its text"
    origin = ", or from the page of its PDF that is given" if support.on_page else ""
    return (
        f"every citation has a quote from the paper's title or abstract{origin}, or is marked as based on spar's own "
        "note"
    )


def support_text(support: Citation | Cell, as_text: Callable[[str], str] = str) -> str:
    """Return the words that support a citation or fill a cell: the paper's in quotation marks, with the page unless
    they are from its abstract; spar's own are marked as such."""
    if support.quote:
        return quotation(as_text(support.quote), support.page)
    return f"{as_text(support.described)} ({OWN_NOTE})" if support.described else ""


def _beginning(state: SummaryState, marks: "Marks") -> list[str]:
    """Return the topic's own text: what was not found, then its sentences, as a list if sections follow."""
    section = state.written[ROOT]
    missing = ["", f"*{escaped(section.gap)}*"] if section.gap else []
    if len(sections(state)) == 1 or not section.sentences:
        return [*missing, *_paragraph(state, marks, section)]
    by = ["", f"*{EXTRACTED}*"] if is_fallback(state, section) else []
    sentences = [f"- {_sentence(marks, section, sentence)}" for sentence in section.sentences]
    return [*missing, "", "## TL;DR", *by, "", *sentences]


def _paragraph(state: SummaryState, marks: "Marks", section: NodeWritten | None) -> list[str]:
    """Return the text of a section: a model's paragraph, or quotes as a list of findings by year, each with similar
    statements of other papers below."""
    if section is None or not section.sentences:
        return []
    if section.by == "model":
        return ["", " ".join(_sentence(marks, section, sentence) for sentence in section.sentences)]
    by = ["", f"*{EXTRACTED}*"] if is_fallback(state, section) else []
    findings = list(_by_paper(state, section))
    years = [_year(state, some) for some in findings]
    steps = [after - before if before and after else 0 for before, after in pairwise(years)]
    widest = steps.index(max(steps)) + 1 if max(steps, default=0) > 0 else None
    return [*by, "", *(f"{'  ' * some[0].alike}- {_when(year, index == widest)}{_finding(marks, section, some)}"
                       for index, (year, some) in enumerate(zip(years, findings, strict=True)))]  # fmt: skip


def is_fallback(state: SummaryState, written: NodeWritten) -> bool:
    """Whether rules wrote this section of a text of which a model wrote others."""
    by_model = any(section.by == "model" for section in state.written.values())
    return by_model and written.by != "model" and bool(written.sentences)


def _by_paper(state: SummaryState, section: NodeWritten) -> Iterator[tuple[Sentence, ...]]:
    """Group consecutive sentences of an extract that are from the same papers."""
    works = state.findings.work
    for _, some in groupby(
        section.sentences, lambda sentence: [works(citation.work) for citation in sentence.citations]
    ):
        yield tuple(some)


def _year(state: SummaryState, some: Sequence[Sentence]) -> int | None:
    """Return the year of the one paper that `some` quote."""
    years = [state.findings.found[state.findings.work(citation.work)].paper.year for citation in some[0].citations]
    return years[0] if len(years) == 1 else None


def _when(year: int | None, linked: bool) -> str:
    """Return the beginning of a finding. Only years justify linking words between quotes; opposite words do not
    prove opposite findings."""
    return "" if not year else f"More recently ({year}): " if linked else f"{year}: "


def _finding(marks: "Marks", section: NodeWritten, some: Sequence[Sentence]) -> str:
    """Return the consecutive quotes of one paper, cited once."""
    mark = marks.of(citation.work for citation in some[0].citations)
    texts = [_sentence(marks, section, sentence) for sentence in some]
    return " ".join([*(text.removesuffix(f" {mark}") for text in texts[:-1]), texts[-1]])


def _sentence(marks: "Marks", section: NodeWritten, sentence: Sentence) -> str:
    """Return a sentence with its marks; an extracted one in the form of `support_text`."""
    if section.by == "model":
        first = DISAGREE if sentence.contested else ""
        return first + with_mark(_line(sentence.text), marks.of(citation.work for citation in sentence.citations))
    return " ".join(
        f"{_no_list(support_text(citation, escaped))} {marks.of([citation.work])}" for citation in sentence.citations
    )


def with_mark(sentence: str, mark: str) -> str:
    """Insert the citation mark before the full stop of `sentence`."""
    words, stop = apart_from_stop(sentence)
    return f"{words} {mark}{stop}" if mark else sentence


def apart_from_stop(sentence: str) -> tuple[str, str]:
    """Split `sentence` into its words and the full stop or other mark at its end."""
    stop = _STOP.search(sentence)
    return (sentence[: stop.start()], stop[0]) if stop else (sentence, "")


def _table(state: SummaryState, marks: "Marks", node: str) -> list[str]:
    table = state.tables.get(node)
    rows = [row for row in table.rows if any(map(support_text, row.cells))] if table else []
    if not rows:
        return []
    columns = [cell.column for cell in rows[0].cells]
    lines = ["", f"| paper | {' | '.join(map(escaped, columns))} |", f"|{'---|' * (len(columns) + 1)}"]
    for row in rows:
        cells = [support_text(cell, escaped) for cell in row.cells]
        lines.append(f"| {marks.of([row.work])} | {' | '.join(cells)} |")
    return lines


def _open_problems(state: SummaryState, marks: "Marks") -> list[str]:
    entries = [
        f"- {_line(problem.text)}"
        if problem.work is None
        else f"- “{escaped(problem.text)}” {marks.of([problem.work])}"
        for problem in open_problems(state)
    ]
    return ["", "## Open problems", "", f"*{OPEN_OF_THESE}*", "", *entries] if entries else []


def _first_reads(state: SummaryState, marks: "Marks") -> list[str]:
    papers = state.findings.found
    entries = [f"- {escaped(papers[work].paper.title)} {marks.of([work])}: {why}" for work, why in first_reads(state)]
    return ["", "## First reads", "", *entries] if entries else []


def _left_out(state: SummaryState) -> list[str]:
    entries = [
        f"- ~~{escaped(state.title(node))}~~: {escaped(omission.reason)}" for node, omission in state.left_out.items()
    ]
    return ["", "## Facets left out", "", *entries] if entries else []


def _references(state: SummaryState, marks: "Marks", numbers: Mapping[str, str], listed: bool) -> list[str]:
    support: dict[WorkId, dict[str, dict[str, None]]] = {}
    for node, number in numbers.items():
        section = state.written.get(node)
        for sentence in section.sentences if section and section.by == "model" else ():
            for citation in sentence.citations:
                quotes = support.setdefault(state.findings.work(citation.work), {})
                quotes.setdefault(support_text(citation, escaped), {})[number or "beginning"] = None
    lines = []
    for work in state.cited:
        behind = [
            f"   - {', '.join(sections_citing)}: {words}" for words, sections_citing in support.get(work, {}).items()
        ]
        if listed:
            lines += [f"{marks.entry(work)} {reference(state.findings.found[work].paper)}", *behind]
        elif behind:
            lines += [f"- {marks.of([work])}", *behind]
    return ["", f"## {'References' if listed else 'Behind the citations'}", "", *lines] if lines else []


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
