"""Fits the built-in judge's weights on one half of the questions of open test collections.

    python tools/fit_weights.py FOLDER... [--queries N] [--rounds 2] [--semantic MODEL | --words TABLES]

Each question is searched without a model; then the evidence of all papers it found is set against the labels. The
weights maximise the listwise likelihood of the relevant papers (softmax over the papers of a question, Cao and others
2007), every collection counting the same. Then the probability is fitted to them and to the facts of the whole pool,
every collection and every question counting the same: labels that come from citations are incomplete, so it is that of
being labelled. The cut is that with the best F1 of what is kept, beside that of the first ten.
With --semantic, the folder of a model, those weights are fitted by which papers are judged that are compared by meaning
too; with --words, a folder of tables of word vectors that each have not read one collection, those with word vectors.
With both papers are kept from the same probability on as without.
The other half of the questions is not looked at: `spar bench --half report` is for it.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from agents.bench.closed_world import Case, answerable, chosen, closed_cases
from agents.bench.collections import read_collection
from agents.bench.measures import relevant
from agents.builtin.ranking import features as evidence
from agents.builtin.ranking import relevance, word_vectors
from agents.builtin.ranking.features import FEATURES, MEANING, WORD_VECTORS, features, meanings
from agents.builtin.ranking.relevance import FILES, POOL_FACTS, assess, pool_facts, to_compare, with_word_vectors
from agents.meaning.kept import KeptVectors
from agents.meaning.transformer import Transformer
from agents.run.control import Control
from agents.run.retrieval.meaning import meanings_of, pool_of
from agents.search.filters import admitted
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.session import Session
from cache.store import Store

PENALTY = 0.02
SEMANTIC_PENALTY = 0.01
"""Chosen by five-fold cross-validation on the tuning halves: cosines lie close together, so their weight is large."""
POOL_PENALTY = 0.001
CUTS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
"""Coarse, for the best F1 is a flat top and the questions are few."""
FIRST = 10
PLACE = Path(relevance.__file__).parent


class Example(NamedTuple):
    """The papers that one question found: their evidence, whether each is relevant, and how many would be."""

    collection: str
    question: str
    rows: NDArray[np.float32]
    labels: NDArray[np.float64]
    wanted: int


async def example(case: Case, collection: str, beyond: tuple[str, ...]) -> Example:
    """What a search without a model finds for a question, and what speaks for it, `beyond` the usual, too."""
    board = SEARCH.board()
    async for _ in search(case.question.text, case.resources, replace(SearchOptions(limit=100)), board):
        pass
    state = board.state
    assert state.understood is not None
    works, _ = admitted(state.papers, state.understood)
    works = {work: works[work] for work in sorted(works, key=lambda work: works[work].id)}
    pool = pool_of(case.question.text, works, {work: state.found[work].found_by for work in works})
    rows = features(pool)
    if beyond == WORD_VECTORS:
        rows = with_word_vectors(pool, rows)
    if beyond == (MEANING,) and len(rows):
        session = Session(case.question.text, case.resources, SearchOptions(), board, Control())
        cosines = await meanings_of(session, pool.question, works, to_compare(assess(pool, rows=rows)))
        rows = np.column_stack([rows, meanings(replace(pool, cosines=cosines))])
    grades = [case.grades.get(case.document_of(paper) or "", 0) for paper in works.values()]
    labels = np.array([float(grade > 0) for grade in grades])
    return Example(collection, case.question.text, rows, labels, len(relevant(case.grades)))


def examples(
    folder: Path, most: int | None, beyond: tuple[str, ...], embeddings: KeptVectors | None, tables: Path | None
) -> Iterator[Example]:
    """The examples of the tuning half of a collection, those without a find included."""
    collection = read_collection(folder)
    if tables:
        look_up_in(tables / f"{folder.name}.npz")
    for case in closed_cases(collection, chosen(answerable(collection), "tune", most), embeddings):
        sample = asyncio.run(example(case, folder.name, beyond))
        if len(sample.labels):
            yield sample


def look_up_in(table: Path) -> None:
    """Let word vectors be those of `table`."""
    word_vectors.TABLE = str(table.resolve())
    word_vectors._table.cache_clear()
    evidence._meant.cache_clear()


def fit(samples: list[Example], penalty: float) -> NDArray[np.float64]:
    """The listwise weights."""
    samples = [sample for sample in samples if 0 < sample.labels.sum() < len(sample.labels)]
    sizes = Counter(sample.collection for sample in samples)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, slope = penalty * float(weights @ weights), 2 * penalty * weights
        for sample in samples:
            odds = sample.rows @ weights
            chances = np.exp(odds - odds.max())
            chances /= chances.sum()
            share = sample.labels / sample.labels.sum() / sizes[sample.collection]
            value -= float(share @ np.log(chances + 1e-12))
            slope = slope + sample.rows.T @ (chances / sizes[sample.collection] - share)
        return value, slope

    fitted: NDArray[np.float64] = minimize(loss, np.zeros(samples[0].rows.shape[1]), jac=True, method="L-BFGS-B").x
    return fitted


class Calibration(NamedTuple):
    """The slope of the evidence, what the facts of the pool are worth, and the intercept of the log-odds."""

    slope: float
    pool: NDArray[np.float64]
    intercept: float

    def probabilities(self, sample: Example, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """That of each paper of `one`."""
        evidence = self.slope * (sample.rows @ weights)
        odds = evidence + np.array(pool_facts(sample.question, sample.rows, evidence)) @ self.pool + self.intercept
        chances: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
        return chances


def calibrate(samples: list[Example], weights: NDArray[np.float64]) -> Calibration:
    """The log-odds by logistic regression (Platt 1999), every collection and within it every question the same."""
    sizes = Counter(sample.collection for sample in samples)
    columns, labels, shares = [], [], []
    for sample in samples:
        evidence, size = sample.rows @ weights, len(sample.labels)
        facts = pool_facts(sample.question, sample.rows, evidence)
        columns.append(np.column_stack([evidence, np.ones(size), np.tile(facts, (size, 1))]))
        labels.append(sample.labels)
        shares.append(np.full(size, 1 / size / sizes[sample.collection]))
    rows, wanted, share = np.vstack(columns), np.concatenate(labels), np.concatenate(shares)
    penalty = np.array([0.0, 0.0, *[POOL_PENALTY] * len(POOL_FACTS)])

    def loss(line: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = rows @ line
        value = float(share @ (np.logaddexp(0, odds) - wanted * odds)) + float(penalty @ line**2)
        return value, rows.T @ (share * (1 / (1 + np.exp(-odds)) - wanted)) + 2 * penalty * line

    line = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x
    # `best` is told by the evidence as it is weighed in the end.
    pool = np.array(
        [weight / line[0] if name == "best" else weight for name, weight in zip(POOL_FACTS, line[2:], strict=True)]
    )
    return Calibration(float(line[0]), pool, float(line[1]))


def cut(samples: list[Example], weights: NDArray[np.float64], calibration: Calibration) -> float:
    """The probability from which on to keep papers: the mean over collections of how many times the F1 of the first ten
    that of the kept ones is (geometric, for it is a ratio)."""
    rows: dict[str, list[list[float]]] = {}
    for sample in samples:
        chances = calibration.probabilities(sample, weights)
        kept = [chances >= least for least in CUTS]
        first = np.argsort(-chances, kind="stable")[:FIRST]
        rows.setdefault(sample.collection, []).append([_f1(sample, first), *(_f1(sample, which) for which in kept)])
    means = [np.mean(of_one, axis=0) for of_one in rows.values()]
    gains = np.mean([np.log((mean[1:] + 1e-9) / (mean[0] + 1e-9)) for mean in means], axis=0)
    return CUTS[int(gains.argmax())]


def _f1(sample: Example, which: NDArray[Any]) -> float:
    chosen = sample.labels[which]
    return 2 * float(chosen.sum()) / (len(chosen) + sample.wanted)


def write(beyond: tuple[str, ...], weights: NDArray[np.float64], calibration: Calibration, keep: float) -> None:
    """Write the weights where the judge reads them."""
    names = [*FEATURES, *beyond]
    fitted = {
        "evidence": {
            name: round(float(calibration.slope * weight), 3) for name, weight in zip(names, weights, strict=True)
        },
        "pool": {name: round(float(weight), 3) for name, weight in zip(POOL_FACTS, calibration.pool, strict=True)},
        "intercept": round(calibration.intercept, 3),
        "keep": keep,
    }
    (PLACE / FILES[beyond]).write_text(json.dumps(fitted, indent=2) + "\n", "utf-8")
    relevance.weights.cache_clear()
    print(json.dumps(fitted, indent=2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="collections, one folder each")
    parser.add_argument("--queries", type=int, default=60, help="questions a collection at most")
    parser.add_argument("--rounds", type=int, default=2, help="the search itself depends on the weights: fit again")
    parser.add_argument("--semantic", type=Path, metavar="MODEL", help="fit the weights with meaning, by this model")
    parser.add_argument("--words", type=Path, metavar="TABLES", help="fit the weights with word vectors, by NAME.npz")
    options = parser.parse_args()
    with TemporaryDirectory() as kept, Store.open(Path(kept) / "vectors.db") as store:
        embeddings = KeptVectors(Transformer(options.semantic), store) if options.semantic else None
        beyond = (MEANING,) if embeddings else WORD_VECTORS if options.words else ()
        for _ in range(options.rounds):
            samples = [
                sample
                for folder in options.folders
                for sample in examples(folder, options.queries, beyond, embeddings, options.words)
            ]
            weights = fit(samples, SEMANTIC_PENALTY if embeddings else PENALTY)
            calibration = calibrate(samples, weights)
            keep = relevance.weights().keep if beyond else cut(samples, weights, calibration)
            write(beyond, weights, calibration, keep)


if __name__ == "__main__":
    main()
