"""How long a turn of the assistant takes without a model:
`python -m tests.benchmarks.conversing [--papers 10000] [--home DIR]`.

The library is that of `tests.benchmarks.recommending.speed`. Prints the processor time of each of 20 messages, the
middle of several runs in one process; the first time, when every paper is read to be compared, is told apart.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from agents.bench.conversing.world import Talk
from cache.store import Store
from spar_tui.workspace import open_store, read_settings
from tests.benchmarks.recommending.speed import fill

AIM = 0.3
"""Seconds of processor time that a turn may take."""
CONVERSATIONS = (
    ("papers on query rewriting since 2015 with more than 10 citations", "only the ones about neural models",
     "sort them by date", "show the second's abstract", "who cites it?"),
    ("papers like “{title}” but not about translation", "which of these suit me best?", "the next ten",
     "how many of them are about parsing?"),
    ("how many papers on my shelf are about parsing?", "what should I read next?", "save the first and tag it rag",
     "no"),
    ("papers about language models", "rank these by relevance to speech recognition", "undo",
     "what did I search last week?"),
    ("my shelf", "which authors do I have the most papers of?", "tell me about “{title}”"),
)  # fmt: skip
"""20 messages, those of a line in one conversation; `{title}` is that of a paper in the library."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--home", type=Path, help="where the library is kept, so that it is made once")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPAR_HOME"] = str(wanted.home or folder)
        with open_store(read_settings()) as store:
            fill(store, wanted.papers, 200)
            title = some_title(store)
            first = seconds_of(Talk(store), f"papers like “{title}”")
            runs = [turns(store, title) for _ in range(wanted.runs)]
    middle = {message: statistics.median(run[message] for run in runs) for message in runs[0]}
    print(f"first comparison {1e3 * first:6.0f} ms")
    for message, seconds in sorted(middle.items(), key=lambda told: told[1]):
        print(f"{1e3 * seconds:6.0f} ms  {message}")
    late = sum(seconds > AIM for seconds in middle.values())
    print(f"{len(middle)} messages, middle {1e3 * statistics.median(middle.values()):.0f} ms, over the aim: {late}")


def turns(store: Store, title: str) -> dict[str, float]:
    """The processor time of every message."""
    found: dict[str, float] = {}
    for messages in CONVERSATIONS:
        talk = Talk(store)
        for message in messages:
            found[message] = seconds_of(talk, message.format(title=title))
    return found


def seconds_of(talk: Talk, message: str) -> float:
    began = time.process_time()
    talk.say(message)
    return time.process_time() - began


def some_title(store: Store) -> str:
    """That of the paper in the middle of the library."""
    with store.reading() as db:
        [(title,)] = db.execute(
            "SELECT title FROM papers ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM papers)"
        ).fetchall()
    return str(title)


if __name__ == "__main__":
    main()
