"""Measure a corpus of made works: `python -m tests.benchmarks.corpus FOLDER [--works 100000]`.

Prints how fast it is built, how large it is on the disk and in memory, how long searches take with 1, 4 and 16 clients,
and how long RefChain's look-ups take. What is made and built stays in FOLDER and is used again.

Beside each search stands LanceDB on the same table: it is asked for the same words, and gives the same 25 rows with the
same two columns, title and abstract and the record, as an Arrow table that nobody reads. The two take turns within a
second of each other, so that what else the machine does falls on both. Each question is asked once: 160 other ones for
each number of clients, of two to seven words from titles.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from cache.corpus.index import SHOWN, Index
from cache.corpus.ingest import build
from cache.corpus.place import WORKS
from cache.corpus.rows import WorkFilter
from cache.corpus.table import Database
from cache.fulltext import words_of
from connectors.identifiers import Identifier
from tests.benchmarks.corpus.making import write_parts

PART = 50_000
ASKED, TURN = 160, 16
"""Questions for each number of clients, and how many are asked before it is the other's turn."""
CLIENTS = (1, 4, 16)


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
        build(place, files, WorkFilter(), lambda file: None)
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
    known = index.lookup([Identifier("openalex", "W3")])
    _print("most cited, 25", _times(lambda _: index.citations(known, 25), range(20)))
    print(f"memory              {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10,.0f} MB at most")


def _measure_searches(index: Index, place: str) -> None:
    table = Database(place).open()[WORKS]

    def bare(question: str) -> None:
        asked = table.search(" ".join(words_of(question)), query_type="fts", fts_columns="text")
        asked.select([*SHOWN, "_score"]).limit(25).to_arrow()

    questions = _questions(index, ASKED * len(CLIENTS) + TURN)
    for question in questions[-TURN:]:
        index.search(question)
        bare(question)
    for round, clients in enumerate(CLIENTS):
        ours, theirs = list[float](), list[float]()
        spent = [0.0, 0.0]
        for turn in range(round * ASKED, (round + 1) * ASKED, TURN):
            asks: list[tuple[Callable[[str], object], list[float], int]] = [(index.search, ours, 0), (bare, theirs, 1)]
            for ask, times, who in asks if turn // TURN % 2 else asks[::-1]:  # who is second finds a warm cache
                start = time.process_time()
                times += _times(ask, questions[turn : turn + TURN], clients)
                spent[who] += time.process_time() - start
        _print(f"search, {clients} at once", ours)
        _print(f"LanceDB, {clients} at once", theirs)
        pairs = [statistics.median(ours) / statistics.median(theirs), _p95(ours) / _p95(theirs), spent[0] / spent[1]]
        print("of LanceDB's        {:10.2f} at p50, {:.2f} at p95; processor time {:.2f}".format(*pairs))


def _questions(index: Index, many: int) -> list[str]:
    """Words from the titles of works all over the corpus."""
    works = index.info().works
    numbers = np.linspace(1, works, many).astype(int).tolist()
    titles = [paper.title.split() for paper in index.lookup([Identifier("openalex", f"W{one}") for one in numbers])]
    chance = np.random.default_rng(11)
    chance.shuffle(titles)
    return [" ".join(title[: chance.integers(2, 8)]) for title in titles]


def _times(ask: Callable[[Any], object], asked: Sequence[object], clients: int = 1) -> list[float]:
    def timed(one: object) -> float:
        start = time.perf_counter()
        ask(one)
        return 1e3 * (time.perf_counter() - start)

    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(timed, asked))


def _print(what: str, times: Sequence[float]) -> None:
    print(f"{what:<19} {statistics.median(times):10.1f} ms p50, {_p95(times):.1f} ms p95")


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


main()
