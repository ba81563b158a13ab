"""How fast a recommendation is: `python -m tests.benchmarks.recommending.speed [--papers 10000] [--history 200]`.

The library has titles, abstracts and references; the texts are those of a collection, again and again under other
names. Prints processor time and peak memory: the first time, when every paper is read, then in the same process and in
a fresh one, offline and without a model.
"""

import argparse
import contextlib
import gzip
import io
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from cache import papers, shelf
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper
from spar_tui.workspace import open_store, read_settings
from tests.benchmarks.library_100k import generated

COLLECTION = Path(__file__).parents[4] / "shared" / "collections" / "aicorpus_small" / "docs.jsonl.gz"
REFERENCES = 20
"""Works that a paper cites: half of them among its neighbours in the file, the rest anywhere."""
NEW_WORDS = 0.1
"""The part of a text's words that a copy has others for."""
ARGUMENTS = ["recommend", "--offline", "--no-model", "--plain"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--history", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--home", type=Path, help="where the library is kept, so that it is made once")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPAR_HOME"] = str(wanted.home or folder)
        with open_store(read_settings()) as store:
            fill(store, wanted.papers, wanted.history)
        print(f"papers {wanted.papers:,}, history {wanted.history:,}")
        print(f"first time      {1e3 * _seconds(_fresh):8.0f} ms")
        fresh = [_seconds(_fresh) for _ in range(wanted.runs)]
        print(f"fresh process   {1e3 * statistics.median(fresh):8.0f} ms")
        print(f"peak memory     {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:8.0f} MB")
        _same_process()
        same = [_seconds(_same_process) for _ in range(wanted.runs)]
        print(f"same process    {1e3 * statistics.median(same):8.0f} ms")
        print(f"peak memory     {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


def _seconds(what: Callable[[], None]) -> float:
    """The processor time that `what` takes, in this process and in those that it waits for."""
    before = os.times()
    what()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def _fresh() -> None:
    subprocess.run([sys.executable, "-m", "spar_tui", *ARGUMENTS], check=True, capture_output=True)


def _same_process() -> None:
    from spar_tui.cli.arguments import RunFlags
    from spar_tui.cli.lists.filter_words import ListFlags
    from spar_tui.cli.verbs.recommend import recommend

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        recommend(flags=RunFlags(offline=True, no_model=True, plain=True), listed=ListFlags())


def fill(store: Store, wanted: int, history: int) -> None:
    """So many papers, so many of them on the shelf; an empty store is filled, no other."""
    if shelf.numbers_on_shelf(store):
        return
    numbers = list(dict.fromkeys(papers.remember(store, islice(_papers(), wanted))))
    _save(store, numbers, history)


def _save(store: Store, numbers: Sequence[int], history: int) -> None:
    """Papers of three neighbourhoods, as a person with three subjects has them."""
    chance = random.Random(5)
    starts = [int(len(numbers) * share) for share in (0.2, 0.5, 0.8)]
    near = [number for start in starts for number in numbers[start : start + history]]
    shelf.put(store, chance.sample(near, min(history, len(near))))


def _papers() -> Iterator[Paper]:
    chance = random.Random(7)
    documents = _documents()
    documents.sort(key=lambda document: sorted(document["title"].lower().split(), key=len)[-1])
    words = sorted({word for document in documents for word in document["title"].split()})
    number = 0
    while True:
        for document in documents:
            number += 1
            cited = [max(number - chance.randrange(1, 200), 1) for _ in range(REFERENCES // 2)]
            cited += [chance.randrange(1, 100_000) for _ in range(REFERENCES // 2)]
            yield Paper(
                _varied(document["title"], words, chance) + f" {number}",
                _varied(document["abstract"], words, chance),
                tuple(Author(*reversed(name.rpartition(" ")[::2])) for name in document.get("authors") or ())[:5],
                str(document["year"]) if document.get("year") else None,
                document.get("venue") or "",
                identifiers=(Identifier("s2", f"CorpusId:{number}"),),
                references=tuple(Identifier("s2", f"CorpusId:{other}") for other in dict.fromkeys(cited)),
            )


def _documents() -> list[dict[str, Any]]:
    """Those of the collection; where it is not, made up ones."""
    if not COLLECTION.exists():
        return [{"title": one.title, "abstract": one.abstract, "year": 2020} for one in generated(5_000)]
    with gzip.open(COLLECTION, "rt", encoding="utf-8") as lines:
        return [document for document in map(json.loads, lines) if document.get("abstract")]


def _varied(text: str, words: list[str], chance: random.Random) -> str:
    return " ".join(chance.choice(words) if chance.random() < NEW_WORDS else word for word in text.split())


if __name__ == "__main__":
    main()
