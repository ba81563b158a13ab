"""How well sentences that bear on a question are found: `python -m tests.benchmarks.evidence [work|report]`.

SciFact's claims with the sentences that experts chose, put to their paper alone and to it with nine near ones: how
often one of the first three quotes is such a sentence, beside BM25 of sentences. PubMedQA's questions put to their own
abstract, to ten others, and to the nearest other: how often nothing is quoted, beside BM25, which always finds some
sentence with a word of the question. And claims as questions put to the paper that decides them: how many papers are
counted for a yes and for a no, of those that support and of those that refute. A digest of its text puts a claim into
the half to work on or to report.
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from agents.builtin.ranking.bm25 import Bm25Index, best, bm25, idf
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from agents.evidence.choosing import evidence
from agents.evidence.stances import stances
from connectors.paper import Paper

SHARED = Path(__file__).parents[3] / "shared"
QUOTES, NEAR, OTHERS = 3, 9, 10
HALVES = ("work", "report")
Quote = tuple[str, str]
"""The id of a paper and a sentence of it."""
Ranker = Callable[[str, Mapping[str, Paper]], list[Quote]]


class Claim(NamedTuple):
    """A claim, the paper that decides it, the sentences of it that do, and papers near to the claim."""

    text: str
    paper: str
    gold: frozenset[str]
    near: Sequence[str]


def by_evidence(question: str, papers: Mapping[str, Paper]) -> list[Quote]:
    """The quotes of this program."""
    return [(one.paper, one.text) for one in evidence(question, papers, a_paper=QUOTES)]


def by_bm25(question: str, papers: Mapping[str, Paper]) -> list[Quote]:
    """The sentences with a word of the question, by BM25 among those of the papers."""
    told = [(key, sentence) for key, paper in papers.items() for sentence in sentences(paper.abstract)]
    texts = [Counter(terms(sentence)) for _, sentence in told]
    weights = {term: idf(sum(term in text for text in texts), len(texts)) for term in dict.fromkeys(terms(question))}
    scores = bm25(weights, texts)
    order = sorted(range(len(told)), key=lambda place: -scores[place])
    return [told[place] for place in order if scores[place] > 0]


RANKERS: Mapping[str, Ranker] = {"bm25": by_bm25, "evidence": by_evidence}


def abstracts(collection: str = "scifact") -> dict[str, Paper]:
    """The papers of a collection by their ids."""
    return {row["id"]: Paper(title=row["title"], abstract=_text(row["abstract"]))
            for row in rows(SHARED / "collections" / collection / "docs.jsonl.gz")}  # fmt: skip


def claims(papers: Mapping[str, Paper], half: str) -> Iterator[Claim]:
    """The claims of SciFact with evidence; four whose sentences are numbered otherwise than here are left out."""
    index, ids = Bm25Index(f"{paper.title} {paper.abstract}" for paper in papers.values()), list(papers)
    for row in rows(SHARED / "claims" / "scifact" / "claims_train.jsonl.gz"):
        for name, labels in row["evidence"].items() if half_of(row["claim"]) == half else ():
            told = sentences(papers[name].abstract)
            gold = {place for label in labels for place in label["sentences"]}
            if max(gold) < len(told):
                near = [ids[place] for place in best(index.scores(row["claim"]), NEAR + 1) if ids[place] != name]
                yield Claim(row["claim"], name, frozenset(told[place] for place in gold), near[:NEAR])


def hits(ranker: Ranker, some: Sequence[Claim], papers: Mapping[str, Paper], alone: bool) -> float:
    """How often one of the first quotes is a sentence that experts chose."""
    found = 0
    for claim in some:
        among = {name: papers[name] for name in (claim.paper, *(() if alone else claim.near))}
        first = ranker(claim.text, among)[:QUOTES]
        found += any(name == claim.paper and sentence in claim.gold for name, sentence in first)
    return found / len(some)


def sides(papers: Mapping[str, Paper], half: str) -> Counter[tuple[str, str]]:
    """How many papers with this label are counted for a yes, for a no, or for neither."""
    told = Counter[tuple[str, str]]()
    for row in rows(SHARED / "claims" / "scifact" / "claims_train.jsonl.gz"):
        for name, labels in row["evidence"].items() if half_of(row["claim"]) == half else ():
            (label,) = {one["label"] for one in labels}
            question = f"Is it so? {row['claim']}"
            quotes = [(one.paper, one.text) for one in evidence(question, {name: papers[name]})]
            yes, no = stances(question, quotes)
            told[label, "yes" if yes else "no" if no else "neither"] += 1
    return told


def silence(ranker: Ranker, half: str) -> list[float]:
    """How often nothing is quoted from a question's own abstract, from ten others, and from the nearest other."""
    asked = list(rows(SHARED / "claims" / "scholarqabench_single" / "pubmed_test.jsonl.gz"))
    questions = [row["input"] for row in asked]
    papers = [Paper(title="", abstract=_text(row["gold_ctx"][0]["text"])) for row in asked]
    index, dice = Bm25Index(paper.abstract for paper in papers), Random(0)
    silent: list[tuple[bool, ...]] = []
    for place, question in enumerate(questions):
        if half_of(question) == half:
            others = [one for one in dice.sample(range(len(papers)), OTHERS + 1) if one != place][:OTHERS]
            nearest = next(one for one in best(index.scores(question), 2) if one != place)
            chosen = ([place], others, [nearest])
            silent.append(tuple(not ranker(question, {str(one): papers[one] for one in some}) for some in chosen))
    return [sum(column) / len(column) for column in zip(*silent, strict=True)]


def half_of(text: str) -> str:
    return HALVES[sha256(text.encode()).digest()[0] % 2]


def _text(told: Any) -> str:
    """Most abstracts are a list of their parts; line breaks are spelled out in some."""
    return " ".join((" ".join(told["contexts"]) if isinstance(told, dict) else told).replace("\\n", " ").split())


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def main() -> None:
    """Print the figures."""
    half = sys.argv[1] if len(sys.argv) > 1 else "work"
    if half not in HALVES or not SHARED.is_dir():
        sys.exit("python -m tests.benchmarks.evidence [work|report]; needs ../shared")
    papers = abstracts()
    some = list(claims(papers, half))
    for name, ranker in RANKERS.items():
        alone, among = (hits(ranker, some, papers, one) for one in (True, False))
        own, others, nearest = silence(ranker, half)
        print(f"{name:10s} first three of {len(some)} claims: paper alone {alone:.3f}, with nine near {among:.3f}; "
              f"nothing quoted: own {own:.3f}, ten others {others:.3f}, nearest other {nearest:.3f}")  # fmt: skip
    for (label, side), number in sorted(sides(papers, half).items()):
        print(f"{label}: {number} papers for {side}")


if __name__ == "__main__":
    main()
