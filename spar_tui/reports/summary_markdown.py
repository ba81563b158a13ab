"""A summary as Markdown: the text with numbered citations, and the supporting words of each reference."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from agents.summary.events import ROOT
from agents.summary.state import SummaryState
from agents.summary.tree import level, numbered
from connectors.paper import Paper, WorkId, all_authors
from spar_tui.bibliography.markdown import escaped
from spar_tui.math_text import unmarked
from spar_tui.reports.summary_digest import how_made
from spar_tui.reports.summary_text import Marks, TextRow, body, left_out, line_of

_AUTHORS = 6
"""Number of authors that a reference names; the others are counted."""
_FIRST = re.compile(r"^(\d+)([.)])(?!\S)|^([+-])(?![^\s-])")
_ADDRESS = re.compile(r"https?://[^\s<>]+")


def markdown(state: SummaryState, marks: Marks | None = None, *, listed: bool = True) -> list[str]:
    """Return the lines of a summary, or of its outline if it has no text; `marks` are its citations, by default
    numbers. Without `listed` there is no reference list, only the supporting words."""
    if ROOT not in state.written:
        return outline(state)
    marks, rows = marks or Marks(state), list(body(state))
    origin = ["", "## How it was made", "", *(f"- {escaped(line)}" for line in how_made(state))]
    lines = [f"# {escaped(state.topic)}", *_blocks(rows, marks), *_references(state, rows, marks, listed), *origin]
    return [*lines, *_blocks(left_out(state), marks)]


def _blocks(rows: Iterable[TextRow], marks: Marks) -> Iterator[str]:
    """Yield the lines of rows; neighboring rows of one kind are a paragraph, a list or a table."""

    def line(row: TextRow) -> str:
        return _no_list(line_of(row.parts, marks.of, escaped))

    for kind, group in groupby(rows, lambda row: row.kind):
        block = list(group)
        match kind:
            case "heading" | "remark":
                for row in block:
                    yield from ("", f"{'#' * (row.depth + 1)} {line(row)}" if kind == "heading" else f"*{line(row)}*")
            case "about" | "text":
                yield from ("", f"{'> ' * (kind == 'about')}{' '.join(map(line, block))}")
            case "cells":
                columns = block[0].columns
                yield from ("", _cells("paper", *map(escaped, columns)), f"|{'---|' * (len(columns) + 1)}")
                yield from (_cells(marks.of([row.cited[0].work]), *map(escaped, row.words)) for row in block)
            case "gone":
                yield from ("", *(f"- ~~{escaped(row.words[0])}~~{escaped(row.words[1])}" for row in block))
            case _:
                yield from ("", *(f"{'  ' * row.depth}- {line(row)}" for row in block))


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def outline(state: SummaryState) -> list[str]:
    """Return the tree only, each facet with its question and its papers."""
    lines, numbers = [f"# {escaped(state.topic)}"], numbered(state.nodes)
    for node in state.nodes:
        if node != ROOT:
            lines += ["", f"{'#' * (level(node) + 1)} {numbers[node]} {escaped(state.title(node))}"]
            lines += ["", _no_list(escaped(state.question(node)))]
        papers = [state.findings.found[work].paper for work in state.works(node)]
        lines += ["", *(f"- {reference(paper)}" for paper in papers)] if papers else []
    return [*lines, *_blocks(left_out(state), Marks(state))]


def reference(paper: Paper) -> str:
    """Format a paper for a reference list, from its record only."""
    authors = all_authors(paper, _AUTHORS) or "Unknown authors"
    title = f"{'RETRACTED: ' if paper.retracted else ''}{unmarked(paper.title, paper.retracted)}"
    where = f" *{escaped(paper.venue)}*." if paper.venue else ""
    page = paper.page or ""
    address = f" <{page}>" if _ADDRESS.fullmatch(page) else f" {escaped(paper.id)}" if paper.identifiers else ""
    stop = "" if title.endswith((".", "!", "?")) else "."
    return f"{escaped(authors)} ({paper.year or 'no date'}). {escaped(title)}{stop}{where}{address}"


def _no_list(text: str) -> str:
    """Escape what would begin a list or a rule at the beginning of the escaped `text`; `1.2` and `-0.5` do not."""
    return _FIRST.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", text)


def _references(state: SummaryState, rows: Iterable[TextRow], marks: Marks, listed: bool) -> list[str]:
    """Return the cited papers, each with the words that support sentences and the sections of these."""
    support: dict[WorkId, dict[str, dict[str, None]]] = {}
    section = "beginning"
    for row in rows:
        if row.kind == "heading" and row.depth and row.key != "h:tldr":
            section = row.words[0].partition(" ")[0]
        for mark in row.cited:
            for words in mark.support:
                support.setdefault(mark.work, {}).setdefault(words, {})[section] = None
    lines = []
    for work in state.cited:
        behind = [f"   - {', '.join(places)}: {escaped(words)}" for words, places in support.get(work, {}).items()]
        if listed:
            lines += [f"{marks.entry(work)} {reference(state.findings.found[work].paper)}", *behind]
        elif behind:
            lines += [f"- {marks.of([work])}", *behind]
    return ["", f"## {'References' if listed else 'Behind the citations'}", "", *lines] if lines else []
