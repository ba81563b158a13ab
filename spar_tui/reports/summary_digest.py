"""The parts of a summary around its text: open questions, papers to read first, and how it was made. They follow
from the run and its records, whoever wrote the text."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from agents.builtin.text.words import letters_of
from agents.evidence.open_problems import open_problem
from agents.run.findings import SourceTally, outcome_of
from agents.summary.events import ROOT, Cell, Citation, NodeWritten
from agents.summary.state import SummaryState
from agents.summary.writing.sections import belonging, is_told, sections
from connectors.paper import Paper, WorkId
from spar_tui.phrases import counted, papers_text
from spar_tui.source_phrases import GIVEN_PAPERS, source_text

_MOST_OPEN = 6
_MOST_FIRST = 4
_OVERVIEW = re.compile(
    r"(?<!\bpeer )(?<!\bcode )(?<!\bbook )(?<!\bhousehold )(?<!\bonline )(?<!\bproduct )\b"
    r"(?:(?:survey|review|overview|tutorial|primer)(?: of| on| and|:|\.?$)|introduction to)",
    re.IGNORECASE,
)
"""The beginning or end of an overview's title; a peer review and a household survey do not count."""
_DOUBTS = {
    "partly": "supported by quotes only in part",
    "unchecked": "not checked by the model against quotes",
    "omitted": "left out as repeated or beyond the limit of length",
}
"""What is said of the sentences that a text counts."""


class OpenProblem(NamedTuple):
    """An open question: words of the paper `work` or, without one, what the papers of a section do not say."""

    text: str
    work: WorkId | None = None


def open_problems(state: SummaryState) -> list[OpenProblem]:
    """Return what the sections found missing, each once, then sentences of cited papers that name an open problem."""
    texts = [sentence.text for text in state.written.values() for sentence in text.sentences]
    cells = [cell.quote for table in state.tables.values() for row in table.rows for cell in row.cells]
    used = {letters_of(words) for words in (*texts, *cells)}
    gaps = dict.fromkeys(gap for section in sections(state) if (gap := _gap(state, section)))
    problems = ((work, open_problem(state.findings.found[work].paper.abstract)) for work in state.cited)
    quoted: dict[str, OpenProblem] = {}
    for work, words in problems:
        quoted.setdefault(letters_of(words), OpenProblem(words, work))
    fresh = [problem for letters, problem in quoted.items() if letters and letters not in used]
    return [*map(OpenProblem, gaps), *fresh[:_MOST_OPEN]]


def _gap(state: SummaryState, section: str) -> str:
    """Return what a section's papers do not say; for the topic, this is at the head of the text instead."""
    text = state.written.get(section)
    return "" if text is None or section == ROOT else text.gap


def first_reads(state: SummaryState) -> list[tuple[WorkId, str]]:
    """Return a few cited papers to read first, each with the reason: an overview, the one cited by most sections,
    the most cited, the newest."""
    papers = {work: state.findings.found[work].paper for work in state.cited}
    papers = {work: paper for work, paper in papers.items() if not paper.retracted}
    if len(papers) <= _MOST_FIRST:
        return []
    reasons: dict[WorkId, str] = {}
    for work, why in _firsts(state, papers):
        reasons.setdefault(work, why)
    return list(reasons.items())[:_MOST_FIRST]


def _firsts(state: SummaryState, papers: dict[WorkId, Paper]) -> Iterator[tuple[WorkId, str]]:
    overviews = [work for work, paper in papers.items() if _OVERVIEW.search(paper.title)]
    if overviews:
        yield max(overviews, key=lambda work: papers[work].citation_count or 0), "by its title an overview"
    citing = Counter(work for node in state.written for work in set(state.cited_in(node)) if work in papers)
    most = max(papers, key=lambda work: citing[work])
    if citing[most] > 1:
        yield most, f"cited in {citing[most]} sections here"
    counts = {work: count for work, paper in papers.items() if (count := paper.citation_count)}
    if counts:
        famous = max(counts, key=lambda work: counts[work])
        yield famous, f"cited {counted(counts[famous], 'time')}; none here is known to be cited more often"
    dated = {work: year for work, paper in papers.items() if (year := paper.year)}
    if dated:
        newest = max(dated, key=lambda work: dated[work])
        alone = sum(year == dated[newest] for year in dated.values()) == 1
        yield newest, "the newest" if alone else f"among the newest, from {dated[newest]}"


def years(state: SummaryState) -> str:
    """Return the years of the cited papers, as in `2004 to 2023`; "" if none is known."""
    span = sorted({year for work in state.cited if (year := state.findings.found[work].paper.year)})
    return "" if not span else str(span[0]) if len(span) == 1 else f"{span[0]} to {span[-1]}"


def provenance(state: SummaryState) -> str:
    """Say who wrote the text and from how many papers."""
    built_in = [node for node, text in state.written.items() if text.by != "model"]
    removals = sum(section.cut for section in state.written.values())
    lost = sum(section.lost for section in state.written.values())
    span = f" ({span})" if (span := years(state)) else ""
    papers = f"{papers_text(len(state.cited))}{span} of {len(state.works_below(ROOT)):,} kept for it"
    if len(built_in) == len(state.written):
        author = _basis(
            state, "because no sentence of the model passed the checks" if removals else "no model wrote it"
        )
    else:
        model = state.started.model if state.started else None
        author = f"Written by a language model{f' ({model})' if model else ''}; {_basis(state, '')}"
        fallen = sum(is_fallback(state, state.written[node]) for node in built_in)
        author += f"; {fallen} of {len(state.written)} sections are quotes only and say so" if fallen else ""
    remarks = (
        f" {counted(removals, 'sentence')} without support in a paper {'was' if removals == 1 else 'were'} cut."
        if removals
        else ""
    )
    remarks += f" {counted(lost, 'citation')} without support {'was' if lost == 1 else 'were'} removed." if lost else ""
    remarks += "".join(f" {doubt}." for doubt in doubts(state))
    missing = [f"“{state.title(node)}”" for node, section in state.dropped.items()
               if section.check == "relevant" and section.by == "model"]  # fmt: skip
    nothing = f" No paper found answers {' or '.join(missing)}." if missing else ""
    return f"{author}. It cites {papers}.{remarks}{nothing}"


def _basis(state: SummaryState, why: str) -> str:
    """Say what supports the text; `why` it is an extract, "" if a model wrote a part of it."""
    support: list[Citation | Cell] = [
        citation for text in state.written.values() for sentence in text.sentences for citation in sentence.citations
    ]
    support += [cell for table in state.tables.values() for row in table.rows for cell in row.cells]
    quoted, noted = any(item.quote for item in support), any(item.described for item in support)
    on_page = any(item.page for item in support)
    if why and noted and not quoted:
        return "Made from spar's own notes on the papers, not from their text; it has no quotes"
    if why:
        page = ", or from the page of the PDF given after it" * on_page
        note = "; text marked as spar's note is not from the paper it cites" * noted
        copied = "every sentence in quotation marks is copied word for word from the abstract it cites"
        return f"Quotes only, {why}: {copied}{page}{note}"
    if noted and not quoted:
        return "every citation is based on spar's own note on the paper, not on its text"
    origin = "from the paper's title or abstract" + ", or from the page of its PDF that is given" * on_page
    if noted:
        return f"every citation has a quote {origin}, or is marked as based on spar's own note"
    return f"the quote for every citation is copied {origin}"


def is_fallback(state: SummaryState, written: NodeWritten) -> bool:
    """Whether rules wrote this section of a text of which a model wrote others."""
    by_model = any(section.by == "model" for section in state.written.values())
    return by_model and written.by != "model" and bool(written.sentences)


def how_made(state: SummaryState) -> list[str]:
    """Return sentences on the run: date, papers, queries, and results of each source."""
    if state.started is None:
        return []
    facets = state.nodes[1:]
    total, relevant = len(state.findings.found), len(state.works_below(ROOT))
    queries = dict.fromkeys(plan.query for plan in state.findings.planned)
    summed = (
        f"Made on {state.started.today}: {counted(len(queries), 'query', 'queries')}, {papers_text(total)} found, "
        f"{relevant:,} kept for the topic and {counted(len(facets), 'facet')}, {len(state.cited):,} cited."
    )
    tallies = state.findings.sources
    lines = [
        summed,
        *_bounds(state.started.since, state.started.until),
        *(_source(name, tally) for name, tally in sorted(tallies.items()) if outcome_of(tally) != "waiting"),
    ]
    own = [node for node in sections(state) if node != ROOT]
    lines += [f"{state.title(node)}: asked as {state.query(node)}." for node in own]
    by_model = [sentence for text in state.written.values() if text.by == "model" for sentence in text.sentences]
    if by_model:
        several = sum(
            len({state.findings.work(citation.work) for citation in sentence.citations}) > 1 for sentence in by_model
        )
        lines.append(f"Of {counted(len(by_model), 'sentence')} by the model {several:,} cite two papers or more.")
    lines += [_fallen(state.title(node), text) for node in sections(state)
             if (text := state.written.get(node)) and (text.cut or text.lost)]  # fmt: skip
    nodes = [node for node in own if is_told(state, node)]
    for section in nodes:
        beside = [state.title(node) for node in belonging(state, section)]
        if beside:
            lines.append(f"{state.title(section)} also uses papers on {', '.join(beside)}.")
    if silent := [state.title(node) for node in own if node not in nodes]:
        lines.append(f"Without a section, because little is left to say about them: {', '.join(silent)}.")
    return lines


def _source(name: str, tally: SourceTally) -> str:
    """Say what a source answered, or how many of the given papers match."""
    if papers := GIVEN_PAPERS.get(name):
        return f"Only {papers} were searched: {counted(tally.found, 'record')} matched the queries."
    return f"{name} {source_text(tally)}."


def doubts(state: SummaryState) -> list[str]:
    """Say how many sentences are supported only in part, were not checked by the model, or are left out."""
    counts = {doubt: sum(getattr(text, field) for text in state.written.values()) for field, doubt in _DOUBTS.items()}
    return [
        f"{counted(number, 'sentence')} {'is' if number == 1 else 'are'} {doubt}"
        for doubt, number in counts.items()
        if number
    ]


def _fallen(title: str, text: NodeWritten) -> str:
    """Say how much of a model's text of a section was removed."""
    numbers = {"sentence": text.cut, "citation": text.lost}
    losses = " and ".join(counted(number, noun) for noun, number in numbers.items() if number)
    instead = "" if text.by == "model" or not text.sentences else "; this text is not by the model"
    return f"Removed from {title}: {losses} without support{instead}."


def _bounds(since: date | None, until: date | None) -> list[str]:
    """Say which dates papers could have; empty without bounds."""
    bounds = [f"{word} {day}" for word, day in (("since", since), ("until", until)) if day]
    if not bounds:
        return []
    rule = "by the dates known when they were found. A paper dated to a year or a month counts if any day of it is in"
    return [f"Only papers published {' and '.join(bounds)}, {rule} the range; a paper without a date never does."]
