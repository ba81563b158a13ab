"""A summary as Markdown: the text with numbered citations, and what each reference was cited for."""

import re
from collections.abc import Callable, Sequence

from agents.summary.events import ROOT, Cell, Citation, NodeWritten, Sentence
from agents.summary.state import SummaryState
from agents.summary.tree import in_order, level, numbered
from connectors.paper import Paper, WorkId, short_authors
from spar_tui.bibliography.markdown import escaped
from spar_tui.browser import page_of
from spar_tui.phrases import OWN_NOTE, counted, papers_text

DISAGREE = "Papers disagree here: "
"""How a sentence begins whose papers contradict each other, whoever wrote it."""
_FIRST = re.compile(r"^(\d+)([.)])|^([+-])")
_ADDRESS = re.compile(r"https?://[^\s<>]+")


def markdown(state: SummaryState) -> list[str]:
    """The lines of a summary, or of its outline if it has no text."""
    if ROOT not in state.written:
        return outline(state)
    lines = [f"# {escaped(state.topic)}"]
    if state.cited:
        lines += ["", f"> {provenance(state, escaped)}"]
    for node in state.nodes:
        if node != ROOT:
            lines += ["", _heading(state, node)]
        lines += _text(state, node)
        lines += _table(state, node)
    return [*lines, *_left_out(state), *_references(state)]


def outline(state: SummaryState) -> list[str]:
    """The tree alone, each facet with its question and its papers."""
    lines = [f"# {escaped(state.topic)}"]
    for node in state.nodes:
        if node != ROOT:
            lines += ["", _heading(state, node)]
            lines += ["", _line(state.question(node))]
        papers = [state.findings.found[work].paper for work in state.works(node)]
        lines += ["", *(f"- {reference(paper)}" for paper in papers)] if papers else []
    return [*lines, *_left_out(state)]


def reference(paper: Paper) -> str:
    """A paper as a reference list names it, by its record alone."""
    who = short_authors(paper) or "Unknown authors"
    title = f"{'RETRACTED: ' if paper.retracted else ''}{paper.title}"
    where = f" *{escaped(paper.venue)}*." if paper.venue else ""
    page = page_of(paper) or ""
    address = f" <{page}>" if _ADDRESS.fullmatch(page) else f" {escaped(paper.id)}" if ":" in paper.id else ""
    ended = "" if title.endswith((".", "!", "?")) else "."
    return f"{escaped(who)} ({paper.year or 'no date'}). {escaped(title)}{ended}{where}{address}"


def _heading(state: SummaryState, node: str) -> str:
    return f"{'#' * (level(node) + 1)} {numbered(state.nodes)[node]} {escaped(state.title(node))}"


def _line(text: str) -> str:
    """`text` at the beginning of a line."""
    return _no_list(escaped(text))


def _no_list(text: str) -> str:
    """`text`, which is escaped, without a number or a dash that would begin a list at the beginning of a line."""
    return _FIRST.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", text)


def provenance(state: SummaryState, named: Callable[[str], str] = str) -> str:
    """Who wrote the text, out of how much; the model's name as `named` gives it."""
    built_in = [node for node in state.nodes if state.written[node].by != "model"]
    cut = sum(one.cut for one in state.written.values())
    papers = f"{papers_text(len(state.cited))} of {len(state.works_below(ROOT)):,} found for it"
    quoted, noted = _support(state)
    if len(built_in) == len(state.nodes):
        who = _extract_of(quoted, noted)
    else:
        model = state.started.model if state.started else None
        who = f"Written by a language model{f' ({named(model)})' if model else ''}; {_behind_citations(quoted, noted)}"
        who += "; sentences in quotation marks are such quotes" if built_in and quoted else ""
    dropped = (
        f" {counted(cut, 'sentence')} without support in a paper {'was' if cut == 1 else 'were'} cut." if cut else ""
    )
    return f"{who}. It cites {papers}.{dropped}"


def _support(state: SummaryState) -> tuple[bool, bool]:
    """Whether anything in the text stands so in a paper, and whether anything stands in spar's notes on papers."""
    written, tables = state.written.values(), state.tables.values()
    support: list[Citation | Cell] = [
        one for text in written for sentence in text.sentences for one in sentence.citations
    ]
    support += [cell for table in tables for row in table.rows for cell in row.cells]
    return any(one.quote for one in support), any(one.described for one in support)


def _extract_of(quoted: bool, noted: bool) -> str:
    if noted and not quoted:
        return "Made of spar's own notes on the papers, not of their words: it quotes nothing"
    extract = "Extracted, not written: every sentence in quotation marks stands so in the abstract it cites"
    return f"{extract}; what is marked as spar's note is no word of the paper it cites" if noted else extract


def _behind_citations(quoted: bool, noted: bool) -> str:
    if not noted:
        return "the quote behind every citation stands so in the paper's title or abstract"
    if not quoted:
        return "behind every citation stands spar's own note on the paper, no word of the paper's"
    return (
        "behind every citation stands a quote from the paper's title or abstract, or what is marked as spar's note and "
        "is no word of the paper"
    )


def support_text(support: Citation | Cell, as_text: Callable[[str], str] = str) -> str:
    """The words that support a citation or fill a cell: the paper's in quotation marks, spar's own marked as such."""
    if support.quote:
        return f"“{as_text(support.quote)}”"
    return f"{as_text(support.described)} ({OWN_NOTE})" if support.described else ""


def _text(state: SummaryState, node: str) -> list[str]:
    written = state.written.get(node)
    if written is None:
        return []
    told = " ".join(_sentence(state, written, one) for one in written.sentences)
    gap = f"*{escaped(written.gap)}*" if written.gap else ""
    parts = (told, gap) if written.by == "model" else (gap, told)  # an extract's is a doubt of all that follows
    return [line for part in parts if part for line in ("", part)]


def _sentence(state: SummaryState, written: NodeWritten, sentence: Sentence) -> str:
    """A sentence with its marks; an extracted one as `support_text`, and two that disagree with a word between."""
    first = DISAGREE if sentence.contested else ""
    if written.by == "model":
        return f"{first}{_line(sentence.text)} {_marks(state, [one.work for one in sentence.citations])}"
    cited = [f"{_no_list(support_text(one, escaped))} {_marks(state, [one.work])}" for one in sentence.citations]
    return f"{first}{cited[0]} against {cited[1]}." if sentence.contested else " ".join(cited)


def _marks(state: SummaryState, works: Sequence[WorkId]) -> str:
    numbers = sorted({state.cited.index(state.findings.work(work)) + 1 for work in works})
    return f"\\[{', '.join(map(str, numbers))}\\]"


def _table(state: SummaryState, node: str) -> list[str]:
    table = state.tables.get(node)
    if table is None or not table.rows:
        return []
    columns = [cell.column for cell in table.rows[0].cells]
    lines = ["", f"| paper | {' | '.join(map(escaped, columns))} |", f"|{'---|' * (len(columns) + 1)}"]
    for row in table.rows:
        cells = [support_text(cell, escaped) for cell in row.cells]
        lines.append(f"| {_marks(state, [row.work])} | {' | '.join(cells)} |")
    return lines


def _left_out(state: SummaryState) -> list[str]:
    """The facets that did not stand, and why."""
    gone = {**{node: one.reason for node, one in state.dropped.items()},
            **{node: one.reason for node, one in state.merged.items()}}  # fmt: skip
    if not gone:
        return []
    entries = [f"- ~~{escaped(state.title(node))}~~: {escaped(gone[node])}" for node in sorted(gone, key=in_order)]
    return ["", "## Facets left out", "", *entries]


def _references(state: SummaryState) -> list[str]:
    support: dict[int, list[tuple[str, str]]] = {}
    for node in state.nodes:
        written = state.written.get(node)
        for sentence in written.sentences if written and written.by == "model" else ():
            for one in sentence.citations:
                support.setdefault(state.findings.work(one.work), []).append((node, support_text(one, escaped)))
    lines, sections = [], numbered(state.nodes)
    for number, work in enumerate(state.cited, start=1):
        lines.append(f"{number}. {reference(state.findings.found[work].paper)}")
        for node, words in dict.fromkeys(support.get(work, ())):
            lines.append(f"   - {sections[node] or 'beginning'}: {words}")
    return ["", "## References", "", *lines] if lines else []
