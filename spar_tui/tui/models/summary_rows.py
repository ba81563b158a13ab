"""What the app shows of a summary: the tree of its facets, and the rows of its text. No clock and no terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.summary.events import ROOT, NodeWritten, Sentence
from agents.summary.state import SummaryState
from agents.summary.tree import level, numbered, parent
from agents.summary.writing.sections import is_told, section_of, sections
from connectors.paper import Paper, WorkId, short_authors
from spar_tui.math_text import title_text
from spar_tui.reports.summary_digest import first_reads, open_problems
from spar_tui.reports.summary_markdown import (
    DISAGREE,
    EXTRACTED,
    OPEN_OF_THESE,
    apart_from_stop,
    is_fallback,
    provenance,
    support_text,
)
from spar_tui.tui.models.search_trail import Branch

MOST_ROWS = 1_500
"""A longer list is slow; the file that `w` writes has all rows."""
Kind = Literal["heading", "text", "quiet", "paper"]
Step = Literal["search", "plan", "verify", "write"]
STEPS: tuple[Step, ...] = ("search", "plan", "verify", "write")


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A citation: its number in the text (0 if the paper is not cited), and what supports the words before it, as
    `support_text`, unless these words say it."""

    number: int
    work: WorkId
    support: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row of the text: words and citations; `note` is the line below. `key` stays while the summary grows."""

    key: str
    kind: Kind
    parts: tuple[str | CitationMark, ...]
    note: str = ""

    @property
    def cited(self) -> tuple[CitationMark, ...]:
        return tuple(part for part in self.parts if isinstance(part, CitationMark))


# The tree


def facet_tree(state: SummaryState) -> tuple[Branch, ...]:
    """Return the topic with all facets ever planned below it; those left out have their reasons."""
    if state.started is None:
        return ()
    facets = state.facets
    below: dict[str, list[str]] = {}
    for node in facets:
        below.setdefault(parent(node), []).append(node)
    titles = {ROOT: state.topic, **{node: facet.title for node, facet in facets.items()}}

    def branch(node: str) -> Branch:
        reason = reason_gone(state, node)
        why = (Branch(f"why:{node}", reason, "quiet"),) if reason else ()
        children = (*why, *map(branch, below.get(node, ())))
        if state.gone(node):
            return Branch(f"at:{node}", titles[node], "gone", children, note="✗")
        return Branch(f"at:{node}", titles[node], "facet", children, note=_mark(state, node))

    return (branch(ROOT),)


def node_of(branch: Branch) -> str:
    """Return the node of the summary that a branch stands for."""
    return branch.key.partition(":")[2]


def reason_gone(state: SummaryState, node: str) -> str:
    """Return why a facet was dropped or merged; "" if it was not."""
    gone = state.merged.get(node) or state.dropped.get(node)
    return gone.reason if gone else ""


def _mark(state: SummaryState, node: str) -> str:
    """Return the state of a node (waiting, in progress, checked or written) and its number of papers; once all is done,
    only how many of them the text cites, for a node with a text of its own."""
    if state.finished is not None:
        cited = {*state.cited}.intersection(state.works_below(node))
        return str(len(cited)) if section_of(state, node) == node else ""
    if node not in state.retrieved:
        return "◌"
    checked = node == ROOT or (node, "relevant") in state.verified
    return f"{'✔' if section_of(state, node) in state.written else '○' if checked else '●'} {len(state.works(node))}"


# Progress


def step_of(state: SummaryState) -> tuple[Step, int, int]:
    """Return the current step, and how much of how much of it is done."""
    nodes = state.nodes
    if state.written:
        texts = sections(state)
        return "write", sum(node in state.written for node in texts), len(texts)
    if ROOT not in state.retrieved:
        return "search", 0, 1
    deepest = max(map(level, state.facets), default=0)
    here = [node for node in nodes if level(node) == deepest]
    for step, done in (
        ("verify", [(node, "needed") in state.verified for node in here if node != ROOT]),
        ("search", [node in state.retrieved for node in here]),
        ("verify", [(node, "relevant") in state.verified for node in here if node != ROOT]),
    ):
        if not all(done):
            return ("verify" if step == "verify" else "search"), sum(done), len(done)
    planned = [node in state.planned for node in here]
    if here and state.started and deepest < state.started.depth and not all(planned):
        return "plan", sum(planned), len(planned)
    return "write", 0, len(sections(state))


# The text


def rows(state: SummaryState, node: str) -> list[TextRow]:
    """Return the rows of a node: its text and all text below, as far as written; else its papers."""
    if state.started is None:
        return []
    if state.gone(node):
        own_rows = list(_gone(state, node))
    elif any(child in state.written for child in state.below(node)):
        own_rows = list(_document(state, node))
    else:
        own_rows = list(_unwritten(state, node))
    return own_rows[:MOST_ROWS]


def _gone(state: SummaryState, node: str) -> Iterator[TextRow]:
    yield TextRow(f"q:{node}", "heading", (state.question(node),))
    yield TextRow(f"why:{node}", "quiet", (f"Left out: {reason_gone(state, node) or 'the facet above was left out'}.",))
    yield from _papers(state, map(state.findings.work, state.retrieved.get(node, ())), {})


def _unwritten(state: SummaryState, node: str) -> Iterator[TextRow]:
    if node != ROOT:
        yield TextRow(f"q:{node}", "heading", (state.question(node),))
    if state.written and node not in sections(state):
        yield TextRow(f"none:{node}", "quiet", (f"Covered in “{state.title(section_of(state, node))}”.",))
    works = state.works(node)
    if works:
        yield from _papers(state, works, {})
    elif node in state.retrieved:
        yield TextRow(f"none:{node}", "quiet", ("No papers found.",))
    else:
        yield TextRow(f"none:{node}", "quiet", ("No papers yet.",))


def _document(state: SummaryState, node: str) -> Iterator[TextRow]:
    numbers = {work: number for number, work in enumerate(state.cited, start=1)}
    nodes, facets = [section for section in sections(state) if is_told(state, section)], state.facets
    places = numbered(nodes)
    if node == ROOT and ROOT in state.written:
        yield TextRow("about", "quiet", (provenance(state),))
    for section in nodes:
        if section not in state.below(node):
            continue
        if section != ROOT:
            yield TextRow(f"h:{section}", "heading", (f"{places[section]} {facets[section].title}",))
        elif len(nodes) > 1:
            yield TextRow("h:tldr", "heading", ("TL;DR",))
        written = state.written.get(section)
        if written is None:
            yield TextRow(f"wait:{section}", "quiet", ("Not written yet.",))
        else:
            yield from _section(state, section, written, numbers)
        yield from _table(state, section, numbers)
    if node == ROOT:
        yield from _around(state, numbers)
        yield from _left_out(state)
        works: Sequence[WorkId] = state.cited
    else:
        works = sorted(state.works_below(node), key=lambda work: numbers.get(work, len(numbers) + 1))
    if works:
        yield TextRow("h:papers", "heading", ("References" if node == ROOT else "Papers",))
        yield from _papers(state, works, numbers)


def _section(state: SummaryState, node: str, written: NodeWritten, numbers: Mapping[WorkId, int]) -> Iterator[TextRow]:
    if is_fallback(state, written):
        yield TextRow(f"by:{node}", "quiet", (EXTRACTED,))
    if node == ROOT and written.gap:
        yield TextRow(f"gap:{node}", "quiet", (written.gap,))
    for index, sentence in enumerate(written.sentences):
        parts = sentence_parts(state, written, sentence, numbers)
        yield TextRow(f"s:{node}:{index}", "text", parts)
    if not written.sentences:
        yield TextRow(f"none:{node}", "quiet", ("All sentences of its papers are in other sections.",))


def _around(state: SummaryState, numbers: Mapping[WorkId, int]) -> Iterator[TextRow]:
    """Yield the open problems and what to read first, once all is written."""
    if state.finished is None:
        return
    left_open = open_problems(state)
    if left_open:
        yield TextRow("h:open", "heading", ("Open problems",))
        yield TextRow("open", "quiet", (OPEN_OF_THESE,))
    for index, (words, work) in enumerate(left_open):
        if work is None:
            yield TextRow(f"open:{index}", "quiet", (words,))
        else:
            yield TextRow(f"open:{index}", "text", (f"“{words}” ", CitationMark(numbers.get(work, 0), work)))
    first = first_reads(state)
    if first:
        yield TextRow("h:first", "heading", ("First reads",))
    for work, why in first:
        title = title_text(state.findings.found[work].paper)
        yield TextRow(f"first:{work}", "text", (f"{title} ", CitationMark(numbers.get(work, 0), work), f": {why}"))


def sentence_parts(
    state: SummaryState, written: NodeWritten, sentence: Sentence, numbers: Mapping[WorkId, int]
) -> tuple[str | CitationMark, ...]:
    """A sentence with its citations before its full stop; each part of an extracted one as `support_text`, behind it
    its paper."""
    support: dict[WorkId, list[str]] = {}
    for citation in sentence.citations:
        support.setdefault(state.findings.work(citation.work), []).append(support_text(citation))
    if written.by == "model":
        cited = [CitationMark(numbers.get(work, 0), work, tuple(quotes)) for work, quotes in support.items()]
        first = DISAGREE if sentence.contested else ""
        words, stop = apart_from_stop(sentence.text)
        return (f"{first}{words}", *sorted(cited, key=lambda part: part.number), stop)
    parts: list[str | CitationMark] = []
    for citation in sentence.citations:
        work = state.findings.work(citation.work)
        parts += [f"{' ' if parts else ''}{support_text(citation)} ", CitationMark(numbers.get(work, 0), work)]
    return tuple(parts)


def _table(state: SummaryState, node: str, numbers: Mapping[WorkId, int]) -> Iterator[TextRow]:
    table = state.tables.get(node)
    for row in table.rows if table else ():
        work = state.findings.work(row.work)
        cells = " · ".join(f"{cell.column}: {words}" for cell in row.cells if (words := support_text(cell)))
        if cells:
            yield TextRow(f"t:{node}:{work}", "text", (CitationMark(numbers.get(work, 0), work), f" {cells}"))


def _left_out(state: SummaryState) -> Iterator[TextRow]:
    if state.left_out:
        yield TextRow("h:gone", "heading", ("Facets left out",))
    for node, gone in state.left_out.items():
        yield TextRow(f"gone:{node}", "quiet", (f"✗ {state.title(node)}: {gone.reason}",))


def _papers(state: SummaryState, works: Iterable[WorkId], numbers: Mapping[WorkId, int]) -> Iterator[TextRow]:
    for work in dict.fromkeys(works):
        paper = state.findings.found[work].paper
        yield TextRow(
            f"p:{work}", "paper", (CitationMark(numbers.get(work, 0), work), title_text(paper)), byline(paper)
        )


def byline(paper: Paper) -> str:
    """Return the authors of a paper, its year and venue, and whether it was retracted."""
    who = f"{short_authors(paper) or 'Unknown authors'} {paper.year or 'no date'}"
    return " · ".join(filter(None, ["RETRACTED" if paper.retracted else "", who, paper.venue]))
