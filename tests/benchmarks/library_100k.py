"""How fast a large library is: `python -m tests.benchmarks.library_100k [--papers 100000]`.

Prints import rate, search times, recall, start-up, file size and peak memory.
"""

import argparse
import gzip
import json
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import count, islice
from pathlib import Path

from cache import fulltext, papers
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper

COLLECTION = Path(__file__).parents[3] / "shared" / "collections" / "aicorpus_small"
HARD: tuple[str, ...] = (
    "deep learning model",
    "language models",
    "neural network learning",
    "model",
    "learning",
    "we propose a method",
)
HARD += ("large language model performance on tasks", "training data", "results show that the proposed approach")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=100_000)
    wanted: int = parser.parse_args().papers
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library.db"
        with Store.open(path) as store:
            _measure_import(store, wanted)
            _measure_searches(store)
        print(f"file            {path.stat().st_size / 1e6:8.0f} MB")
        start = time.perf_counter()
        Store.open(path).close()
        print(f"open, checked   {1e3 * (time.perf_counter() - start):8.1f} ms")
        start = time.perf_counter()
        Store.open(path).close()
        print(f"open again      {1e3 * (time.perf_counter() - start):8.1f} ms")
    print(f"peak memory     {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


def _measure_import(store: Store, wanted: int) -> None:
    originals = list(_collection()) or list(generated(5_000))
    start = time.perf_counter()
    numbers = papers.remember(store, islice(_copies(originals), wanted))
    seconds = time.perf_counter() - start
    print(f"papers          {len(set(numbers)):8d} of {len(numbers)}")
    print(f"import          {len(numbers) / seconds:8.0f} papers/s")
    start = time.perf_counter()
    again = papers.remember(store, islice(_copies(originals), 5_000))
    print(f"import again    {len(again) / (time.perf_counter() - start):8.0f} papers/s")
    assert again == numbers[:5_000]


def _measure_searches(store: Store) -> None:
    questions = [json.loads(line)["text"] for line in _lines("queries.jsonl")] or [
        paper.title for paper in generated(300)
    ]
    for name, texts in (("questions", questions), ("common words", list(HARD) * 10)):
        for bounds in ((None, None), (date(2018, 1, 1), date(2022, 12, 31))):
            times = []
            for text in texts:
                start = time.perf_counter()
                fulltext.search(store, text, *bounds)
                times.append(1e3 * (time.perf_counter() - start))
            p95 = statistics.quantiles(times, n=20)[-1]
            label = f"{name}{', 5 years' if bounds[0] else ''}"
            print(f"search p50, p95, most {statistics.median(times):6.1f} {p95:6.1f} {max(times):6.1f} ms  ({label})")


def _lines(name: str) -> list[str]:
    path = COLLECTION / name
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _collection() -> Iterator[Paper]:
    path = COLLECTION / "docs.jsonl.gz"
    if not path.exists():
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, document in enumerate(map(json.loads, lines)):
            yield Paper(
                title=document["title"],
                abstract=document.get("abstract") or "",
                authors=tuple(Author(*reversed(name.rpartition(" ")[::2])) for name in document.get("authors") or ()),
                date=str(document["year"]) if document.get("year") else None,
                venue=document.get("venue") or "",
                identifiers=(Identifier("s2", f"CorpusId:{number + 1}"),),
            )


def generated(wanted: int) -> Iterator[Paper]:
    chance = random.Random(7)
    words = [f"{'bcdfghklmnprst'[n % 14]}{'aeiou'[n % 5]}{'lmnrstvz'[n % 8]}{n:x}" for n in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    for number in range(wanted):
        text = chance.choices(words, weights, k=130)
        yield Paper(
            " ".join(text[:9]),
            " ".join(text[9:]),
            (Author(chance.choice(words[:500]), "A."),),
            str(2000 + number % 25),
            "Proceedings",
            identifiers=(Identifier("s2", f"CorpusId:{number + 1}"),),
        )


def _copies(originals: list[Paper]) -> Iterator[Paper]:
    """The papers again and again, under new identifiers, a new surname and a later number in the title."""
    for copy in count():
        for number, paper in enumerate(originals):
            if copy == 0:
                yield paper
                continue
            yield replace(
                paper,
                title=f"{paper.title} {copy}",
                authors=tuple(
                    replace(person, family=f"{person.family}{'abcdefgh'[copy % 8]}") for person in paper.authors
                ),
                identifiers=(Identifier("s2", f"CorpusId:{copy * len(originals) + number + 1}"),),
            )


if __name__ == "__main__":
    main()
