"""Measure a corpus of made works: `python -m tests.benchmarks.corpus FOLDER [--works 100000]`.

Prints how fast it is built, how large it is on the disk and in memory, how long searches take with 1, 4 and 16 clients,
beside those of LanceDB on the same table, and how long RefChain's look-ups take. What is made and built stays in FOLDER
and is used again.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cache.corpus.index import Index
from cache.corpus.ingest import build
from cache.corpus.place import WORKS
from cache.corpus.rows import Wanted
from cache.corpus.table import Database
from cache.fulltext import words_of
from connectors.identifiers import Identifier
from tests.benchmarks.corpus.making import write_parts

QUESTIONS = (
    "retrieval augmented generation for question answering",
    "graph neural networks for molecules",
    "causal discovery from observational data",
    "language model",
    "sample efficient reinforcement learning",
    "robustness of image classifiers to corruption",
    "we propose a method",
    "federated learning with heterogeneous clients",
)
PART = 50_000
ASKED = 160


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--works", type=int, default=100_000)
    options = parser.parse_args()
    dump, place = options.folder / str(options.works), str(options.folder / f"lance-{options.works}")
    dump.mkdir(parents=True, exist_ok=True)
    files = sorted(dump.glob("*.gz")) or write_parts(dump, options.works, max(1, options.works // PART))
    start = time.perf_counter()
    if not Path(place).exists():
        build(place, files, Wanted(), lambda file: None)
        seconds = time.perf_counter() - start
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        print(f"build               {options.works / seconds:10,.0f} works/s")
        spent = 1e6 * sum(one.ru_utime + one.ru_stime for one in used) / options.works
        print(f"processor           {spent:10,.0f} µs a work")
        print(
            f"memory, building    {used[0].ru_maxrss / 1024:10,.0f} MB, each parser {used[1].ru_maxrss / 1024:,.0f} MB"
        )
    index = Index(place)
    info = index.info()
    print(f"works, links, disk  {info.works:10,} {info.links:,} {(info.bytes or 0) / 1e6:,.0f} MB")
    _measure_searches(index, place)
    names = [Identifier("openalex", f"W{number}") for number in range(1, options.works, options.works // 50)]
    _print("50 look-ups", _times(lambda _: index.lookup(names), range(20)))
    names = [Identifier("doi", f"10.5555/w.{number}") for number in range(1, options.works, options.works // 50)]
    _print("50 by DOI", _times(lambda _: index.lookup(names), range(20)))
    [paper] = index.lookup([Identifier("openalex", "W3")])
    _print("most cited, 25", _times(lambda _: index.citations(paper, 25), range(20)))
    print(f"memory              {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10,.0f} MB at most")


def _measure_searches(index: Index, place: str) -> None:
    table = Database(place).open()[WORKS]

    def bare(question: str) -> None:
        asked = table.search(" ".join(words_of(question)), query_type="fts", fts_columns="text")
        asked.select(["key", "source", "text", "record", "_score"]).limit(25).to_arrow()

    for question in QUESTIONS:
        index.search(question)
    for clients in (1, 4, 16):
        _print(f"search, {clients} at once", _times(index.search, QUESTIONS * (ASKED // len(QUESTIONS)), clients))
        _print(f"LanceDB, {clients} at once", _times(bare, QUESTIONS * (ASKED // len(QUESTIONS)), clients))


def _times(ask: Callable[[Any], object], asked: Sequence[object], clients: int = 1) -> list[float]:
    def timed(one: object) -> float:
        start = time.perf_counter()
        ask(one)
        return 1e3 * (time.perf_counter() - start)

    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(timed, asked))


def _print(what: str, times: Sequence[float]) -> None:
    print(f"{what:<19} {statistics.median(times):10.1f} ms p50, {statistics.quantiles(times, n=20)[-1]:.1f} ms p95")


main()
