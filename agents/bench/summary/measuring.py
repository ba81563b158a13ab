"""Measure summaries on collections: the papers of their tree and the content of their text, against BM25 and a search
with as many papers.

A heading of a text by people is a facet; the cited documents with most of its words are its evidence, and it is covered
if one of them was retrieved (ConTReGen §5.5.2). BM25's text is an extract of its papers with the same number of words,
chosen in the same way.
"""

import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import fmean
from typing import Any

from agents.bench.closed_world import Case
from agents.bench.measures import Measures, averages, compared, relevant, share_found
from agents.bench.run import answer, plain
from agents.bench.summary.judges import JudgedSentence, Lexicon, TextJudge, WordJudge, citation_quality
from agents.bench.summary.rubrics import Criteria, Rubrics
from agents.bench.table import aligned, gain_lines, number
from agents.builtin.text.terms import terms
from agents.evidence.extracts import extracts
from agents.llm.model import Model
from agents.search.options import SearchOptions
from agents.summary.events import ROOT, Sentence
from agents.summary.kind import SUMMARY
from agents.summary.loop import summarize
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from agents.summary.tree import level
from connectors.paper import Paper, WorkId

LEAST_HEADINGS = 2
"""Minimum number of headings that divide a text into facets."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """The measures of one question: for the tree, and for BM25 and the search with as many papers."""

    question: str
    tree: Measures
    bm25: Measures
    spar: Measures


async def measure(
    cases: Iterable[Case],
    rubrics: Mapping[str, Rubrics],
    options: SummaryOptions,
    judge: TextJudge | None = None,
    model: Model | None = None,
) -> AsyncIterator[SummaryRow]:
    """Yield a row for each question once it is answered. Texts are judged by words alone without a `judge`, and
    written by rules without a `model`."""
    for case in cases:
        rubric = rubrics.get(case.question.id, Rubrics())
        facets = _facets(case, rubric)
        start = time.perf_counter()
        state = await _summary(case, options, model)
        seconds = time.perf_counter() - start
        documents = _documents(case, state, options.depth)
        searched = await answer("spar", case, SearchOptions(limit=max(len(documents), 1), seed=options.seed))
        bm25 = [entry.document for entry in plain(case, len(documents))]
        spar = [entry.document for entry in searched.ranking][: len(documents)]
        measures = {**_retrieved(documents, case, facets), **_text(state), "seconds": seconds}
        if relevant(case.grades):
            for depth in range(options.depth):
                measures[f"recall_depth_{depth}"] = share_found(_documents(case, state, depth), case.grades)
        text = list(dict.fromkeys(sentence.text for sentence in _sentences(state)))
        papers = [paper for document in bm25 if case.world and (paper := case.world.paper(document))]
        extracted = _extracted(case, papers, sum(len(sentence.split()) for sentence in text))
        judging = judge or WordJudge(_lexicon(state, papers))
        measures |= await citation_quality(
            [_cited(state, sentence) for sentence in _sentences(state)], judging.entailed
        )
        yield SummaryRow(
            case.question.id,
            measures | await _coverage(text, rubric.criteria, judging),
            _retrieved(bm25, case, facets) | await _coverage(extracted, rubric.criteria, judging),
            _retrieved(spar, case, facets),
        )


async def _summary(case: Case, options: SummaryOptions, model: Model | None) -> SummaryState:
    board = SUMMARY.board()
    resources, options = replace(case.resources, model=model), replace(options, seconds=None)
    async for _ in summarize(case.question.text, resources, options, board, today=case.today):
        pass
    return board.state


def _documents(case: Case, state: SummaryState, depth: int) -> list[str]:
    works = dict.fromkeys(work for node in state.nodes if level(node) <= depth for work in state.works(node))
    pairs = ((work, case.document_of(state.findings.found[work].paper)) for work in works)
    return list(dict.fromkeys(document or f"work {work}" for work, document in pairs))


def _facets(case: Case, rubric: Rubrics) -> list[set[str]]:
    """Return for each heading the documents that are its evidence; headings without any are left out."""
    if len(rubric.headings) < LEAST_HEADINGS or case.world is None:
        return []
    papers = {document: paper for document in rubric.cites if (paper := case.world.paper(document))}
    vocabulary = {document: set(terms(f"{paper.title} {paper.abstract}")) for document, paper in papers.items()}
    question_terms = set(terms(case.question.text))
    facets = []
    for heading in rubric.headings:
        words = {term for term in terms(heading) if not term.isdigit()}
        words = words - question_terms or words
        evidence = {document for document, had in vocabulary.items() if words and 2 * len(words & had) >= len(words)}
        facets += [evidence] if evidence else []
    return facets


def _retrieved(documents: Sequence[str], case: Case, facets: Sequence[set[str]]) -> dict[str, float]:
    retrieved = set(documents)
    measures = {"recall": share_found(documents, case.grades)} if relevant(case.grades) else {}
    measures["papers"] = float(len(documents))
    if facets:
        measures["facet_coverage"] = fmean(bool(evidence & retrieved) for evidence in facets)
    return measures


def _sentences(state: SummaryState) -> list[Sentence]:
    return [sentence for node in state.nodes if node in state.written for sentence in state.written[node].sentences]


def _text(state: SummaryState) -> dict[str, float]:
    """Return the measures that need no judge: shares of quotes that occur in their papers, of citations of papers in
    the tree, and of sentences without citations, and counts."""
    tree = set(state.works_below(ROOT))
    sentences = _sentences(state)
    cited = [
        (state.findings.work(citation.work), citation.quote)
        for sentence in sentences
        for citation in sentence.citations
    ]
    papers = state.findings.papers
    verbatim = [quote in papers[work].abstract or quote in papers[work].title for work, quote in cited]
    measures = {
        "facets": float(len(state.nodes) - 1),
        "left_out": float(len(state.dropped) + len(state.merged)),
        "sentences": float(len(sentences)),
        "calls": float(state.findings.cost.calls),
        "asked": float(sum(tally.asked for tally in state.findings.sources.values())),
    }
    if cited:
        measures |= {"quotes_verbatim": fmean(verbatim), "citations_in_tree": fmean(work in tree for work, _ in cited)}
    if sentences:
        measures["uncited"] = fmean(not sentence.citations for sentence in sentences)
    return measures


def _cited(state: SummaryState, sentence: Sentence) -> JudgedSentence:
    quotes: dict[int, list[str]] = {}
    for citation in sentence.citations:
        quotes.setdefault(state.findings.work(citation.work), []).append(citation.quote)
    return JudgedSentence(sentence.text, tuple(" ".join(of_paper) for of_paper in quotes.values()))


def _extracted(case: Case, papers: Sequence[Paper], words: int) -> list[str]:
    """Return the plain text: the most informative sentences of `papers`, as long as the summary in total."""
    return [
        extract.text
        for extract in extracts(
            case.question.text, {WorkId(number): paper for number, paper in enumerate(papers)}, words, a_paper=inf
        )
    ]


def _lexicon(state: SummaryState, papers: Sequence[Paper]) -> Lexicon:
    """Return the lexicon of the papers of both systems, each paper once."""
    read = {
        paper.id: paper for paper in (*(state.findings.found[work].paper for work in state.works_below(ROOT)), *papers)
    }
    return Lexicon(f"{paper.title} {paper.abstract}" for paper in read.values())


async def _coverage(text: Sequence[str], criteria: Criteria, judge: TextJudge) -> dict[str, float]:
    """Return for each measure the weighted share of its criteria that `text` meets, and the number of words."""
    measures = {"words": float(sum(len(sentence.split()) for sentence in text))}
    for measure, group in criteria.items():
        shares = await judge.met(group, text) if text else [0.0] * len(group)
        weights = sum(criterion.weight for criterion in group)
        measures[measure] = sum(criterion.weight * share for criterion, share in zip(group, shares, strict=True)) / (
            weights or 1.0
        )
    return measures


COMPARED = ("recall", "facet_coverage", "text_coverage", "rubric_coverage", "aspect_coverage")
SYSTEMS = ("tree", "bm25", "spar")


def report(
    name: str, rows: Sequence[SummaryRow], half: str, options: SummaryOptions, judge: str = "words"
) -> dict[str, Any]:
    """Return the `--json` object: averages over the questions with a measure, and the tree against both others."""
    systems = {
        "tree": [row.tree for row in rows],
        "bm25": [row.bm25 for row in rows],
        "spar": [row.spar for row in rows],
    }
    arms: dict[str, Any] = {
        system: dict(averages(some, dict.fromkeys(name for row in some for name in row)))
        for system, some in systems.items()
    }
    for other in ("bm25", "spar"):
        arms["tree"][f"vs_{other}"] = {
            measure: gain
            for measure in COMPARED
            if (gain := _compared(systems["tree"], systems[other], measure, options.seed))
        }
    settings = {"half": half, "depth": options.depth, "branch": options.branch, "seed": options.seed, "judge": judge}
    return {"collection": name, "queries": len(rows), **settings, "arms": arms}


def _compared(ours: Sequence[Measures], theirs: Sequence[Measures], measure: str, seed: int) -> dict[str, float | None]:
    pairs = [
        (our[measure], their[measure])
        for our, their in zip(ours, theirs, strict=True)
        if measure in our and measure in their
    ]
    if not pairs:
        return {}
    return {**compared([our for our, _ in pairs], [their for _, their in pairs], seed), "questions": len(pairs)}


def lines_of(result: Mapping[str, Any]) -> list[str]:
    """Format a report as aligned columns."""
    tree, count = result["arms"]["tree"], result["queries"]
    title = f"{result['collection']} · {count} question{'' if count == 1 else 's'} · half: {result['half']}"
    size = f"summaries of depth {result['depth']}, {result['branch']} facets a node"
    lines = [f"{title} · {size} · texts judged by {result['judge']}", ""]
    names = [name for name, value in tree.items() if isinstance(value, float)]
    lines += aligned(
        [
            ["", *SYSTEMS],
            *([name, *(number(result["arms"][system].get(name), 3) for system in SYSTEMS)] for name in names),
        ]
    )
    gains = (
        (f"tree against {other}", f"{measure} ({gain['questions']} questions)", gain)
        for other in ("bm25", "spar")
        for measure, gain in tree[f"vs_{other}"].items()
    )
    return [*lines, "", *gain_lines(gains, "with as many papers")]
