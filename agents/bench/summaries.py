"""Summaries measured on collections: what their tree retrieves, against BM25 and a search given as many papers.

A heading of a text by people is a facet; the cited documents that have most of its words are its evidence, and it is
covered if one of them was retrieved (ConTReGen §5.5.2).
"""

import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from agents.bench.arms import answer, plain
from agents.bench.cases import Case
from agents.bench.lines import lines, records
from agents.bench.measures import difference, share_found
from agents.builtin.terms import terms
from agents.search.wishes import Wishes
from agents.summary.events import ROOT
from agents.summary.loop import board_of, summarize
from agents.summary.state import SummaryState
from agents.summary.tree import level
from agents.summary.wishes import SummaryWishes

LEAST_HEADINGS = 2
"""A text with fewer headings than these is not divided into facets."""
COMPARED = ("recall", "facet_coverage")
DIGITS = 6

Measures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Text:
    """A text by people on a question."""

    id: str
    cites: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """The measures of one question: of the tree, and of BM25 and the search with as many papers."""

    question: str
    tree: Measures
    bm25: Measures
    spar: Measures


def read_texts(folder: Path) -> dict[str, Text]:
    """The texts in `folder` by their question; none if it has no such file. Raises `CollectionError`."""
    if not any((folder / name).is_file() for name in ("answers.jsonl", "answers.jsonl.gz")):
        return {}
    return {text.id: text for _, text in records(lines(folder, "answers.jsonl"), Text)}


async def measure(cases: Iterable[Case], texts: Mapping[str, Text], wishes: SummaryWishes) -> AsyncIterator[SummaryRow]:
    """A row for each question as soon as it is answered."""
    for case in cases:
        facets = _facets(case, texts.get(case.question.id))
        start = time.perf_counter()
        state = await _summary(case, wishes)
        seconds = time.perf_counter() - start
        found = _documents(case, state, wishes.depth)
        searched = await answer("spar", case, Wishes(limit=max(len(found), 1), seed=wishes.seed))
        bm25 = [one.document for one in plain(case, len(found))]
        spar = [one.document for one in searched.ranking][: len(found)]
        measures = {**_retrieved(found, case, facets), **_text(state), "seconds": seconds}
        for depth in range(wishes.depth):
            measures[f"recall_depth_{depth}"] = share_found(_documents(case, state, depth), case.grades)
        yield SummaryRow(case.question.id, measures, _retrieved(bm25, case, facets), _retrieved(spar, case, facets))


async def _summary(case: Case, wishes: SummaryWishes) -> SummaryState:
    board = board_of()
    async for _ in summarize(case.question.text, case.desk, replace(wishes, seconds=None), board, today=case.today):
        pass
    return board.state


def _documents(case: Case, state: SummaryState, depth: int) -> list[str]:
    """The documents of the nodes down to `depth`, each once."""
    works = dict.fromkeys(work for node in state.nodes if level(node) <= depth for work in state.works(node))
    named = ((work, case.document_of(state.findings.found[work].paper)) for work in works)
    return list(dict.fromkeys(document or f"work {work}" for work, document in named))


def _facets(case: Case, text: Text | None) -> list[set[str]]:
    """For each heading the documents that are evidence for it; headings without any cannot be measured."""
    if text is None or len(text.headings) < LEAST_HEADINGS or case.world is None:
        return []
    papers = {document: paper for document in text.cites if (paper := case.world.paper(document))}
    vocabulary = {document: set(terms(f"{one.title} {one.abstract}")) for document, one in papers.items()}
    asked = set(terms(case.question.text))
    found = []
    for heading in text.headings:
        words = {term for term in terms(heading) if not term.isdigit()}
        words = words - asked or words
        evidence = {document for document, had in vocabulary.items() if words and 2 * len(words & had) >= len(words)}
        found += [evidence] if evidence else []
    return found


def _retrieved(documents: Sequence[str], case: Case, facets: Sequence[set[str]]) -> dict[str, float]:
    there = set(documents)
    measures = {"recall": share_found(documents, case.grades), "papers": float(len(documents))}
    if facets:
        measures["facet_coverage"] = fmean(bool(evidence & there) for evidence in facets)
    return measures


def _text(state: SummaryState) -> dict[str, float]:
    """What can be checked of the text: quotes that stand in their papers, papers of the tree, sentences without any."""
    tree = set(state.works_below(ROOT))
    sentences = [one for node in state.nodes if node in state.written for one in state.written[node].sentences]
    cited = [(state.findings.work(one.work), one.quote) for sentence in sentences for one in sentence.citations]
    papers = state.findings.papers
    stands = [quote in papers[work].abstract or quote in papers[work].title for work, quote in cited]
    measures = {
        "facets": float(len(state.nodes) - 1),
        "left_out": float(len(state.dropped) + len(state.merged)),
        "sentences": float(len(sentences)),
        "calls": float(state.findings.cost.calls),
        "asked": float(sum(tally.asked for tally in state.findings.sources.values())),
    }
    if cited:
        measures |= {"quotes_verbatim": fmean(stands), "citations_in_tree": fmean(work in tree for work, _ in cited)}
    if sentences:
        measures["uncited"] = fmean(not one.citations for one in sentences)
    return measures


def report(name: str, rows: Sequence[SummaryRow], half: str, wishes: SummaryWishes) -> dict[str, Any]:
    """The object of `--json`: averages over the questions that have a measure, and the tree against both others."""
    arms = {"tree": [row.tree for row in rows], "bm25": [row.bm25 for row in rows], "spar": [row.spar for row in rows]}
    averages: dict[str, Any] = {arm: _averages(some) for arm, some in arms.items()}
    for other in ("bm25", "spar"):
        averages["tree"][f"vs_{other}"] = {
            measure: told
            for measure in COMPARED
            if (told := _compared(arms["tree"], arms[other], measure, wishes.seed))
        }
    asked = {"half": half, "depth": wishes.depth, "branch": wishes.branch, "seed": wishes.seed}
    return {"collection": name, "queries": len(rows), **asked, "arms": averages}


def _averages(rows: Sequence[Measures]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: round(fmean(row[name] for row in rows if name in row), DIGITS) for name in names}


def _compared(ours: Sequence[Measures], theirs: Sequence[Measures], measure: str, seed: int) -> dict[str, float | None]:
    pairs = [(one[measure], other[measure]) for one, other in zip(ours, theirs, strict=True) if measure in one]
    if not pairs:
        return {}
    told = difference([one for one, _ in pairs], [other for _, other in pairs], seed)
    ratio = told.ratio if told.ratio is None else round(told.ratio, DIGITS)
    return {
        "baseline": round(told.baseline, DIGITS),
        "difference": round(told.difference, DIGITS),
        "low": round(told.low, DIGITS),
        "high": round(told.high, DIGITS),
        "ratio": ratio,
        "questions": len(pairs),
    }


def lines_of(result: Mapping[str, Any]) -> list[str]:
    """A report as aligned columns."""
    tree, count = result["arms"]["tree"], result["queries"]
    title = f"{result['collection']} · {count} question{'' if count == 1 else 's'} · half: {result['half']}"
    told = [f"{title} · summaries of depth {result['depth']}, {result['branch']} facets a node", ""]
    told += [f"{name:<20} {value:>9.3f}" for name, value in tree.items() if isinstance(value, float)]
    for other in ("bm25", "spar"):
        for measure, one in tree[f"vs_{other}"].items():
            ratio = "-" if one["ratio"] is None else f"{one['ratio']:.2f}"
            told += ["", f"{measure} against {other} with as many papers ({one['questions']} questions)"]
            means = f"{one['baseline'] + one['difference']:.3f} : {one['baseline']:.3f}"
            interval = f"{one['difference']:+.3f} ({one['low']:+.3f} to {one['high']:+.3f})"
            told.append(f"  {means}, difference {interval}, ratio {ratio}")
    return told
