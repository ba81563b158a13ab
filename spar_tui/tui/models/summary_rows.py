"""What the app shows of a summary: the tree of its facets, and the rows of its text. No clock and no terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from agents.summary.events import ROOT
from agents.summary.state import SummaryState
from agents.summary.tree import level, parent
from agents.summary.writing.sections import section_of, sections
from connectors.paper import Paper, WorkId, short_authors
from spar_tui.math_text import title_text
from spar_tui.reports.summary_text import TextRow, body, left_out, marker
from spar_tui.tui.models.search_trail import Branch

MOST_ROWS = 1_500
"""A longer list is slow; the file that `w` writes has all rows."""
Step = Literal["search", "plan", "verify", "write"]
STEPS: tuple[Step, ...] = ("search", "plan", "verify", "write")


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
    yield TextRow(
        f"why:{node}", "remark", (f"Left out: {reason_gone(state, node) or 'the facet above was left out'}.",)
    )
    yield from _papers(state, map(state.findings.work, state.retrieved.get(node, ())))


def _unwritten(state: SummaryState, node: str) -> Iterator[TextRow]:
    if node != ROOT:
        yield TextRow(f"q:{node}", "heading", (state.question(node),))
    if state.written and node not in sections(state):
        yield TextRow(f"none:{node}", "remark", (f"Covered in “{state.title(section_of(state, node))}”.",))
    works = state.works(node)
    if works:
        yield from _papers(state, works)
    elif node in state.retrieved:
        yield TextRow(f"none:{node}", "remark", ("No papers found.",))
    else:
        yield TextRow(f"none:{node}", "remark", ("No papers yet.",))


def _document(state: SummaryState, node: str) -> Iterator[TextRow]:
    """Yield the text of a node, then its papers; for the topic the cited ones, and the facets left out."""
    yield from body(state, node)
    numbers = {work: number for number, work in enumerate(state.cited, start=1)}
    if node == ROOT:
        yield from left_out(state)
        works: Sequence[WorkId] = state.cited
    else:
        works = sorted(state.works_below(node), key=lambda work: numbers.get(work, len(numbers) + 1))
    if works:
        yield TextRow("h:papers", "heading", ("References" if node == ROOT else "Papers",))
        yield from _papers(state, works)


def _papers(state: SummaryState, works: Iterable[WorkId]) -> Iterator[TextRow]:
    mark = marker(state)
    for work in dict.fromkeys(works):
        paper = state.findings.found[work].paper
        yield TextRow(f"p:{work}", "paper", (mark(work), title_text(paper)), byline(paper))


def byline(paper: Paper) -> str:
    """Return the authors of a paper, its year and venue, and whether it was retracted."""
    who = f"{short_authors(paper) or 'Unknown authors'} {paper.year or 'no date'}"
    return " · ".join(filter(None, ["RETRACTED" if paper.retracted else "", who, paper.venue]))
