"""What folding events into a search's state costs as a run grows: `python -m tests.benchmarks.folding`.

A run of as many events (most of them papers found or judged, a hundredth joined to others) is folded from nothing, as
replay does. Told are the microseconds of the processor an event, and that figure against the smallest run's: folding is
linear if it stays near 1.
"""

import gc
import time
from collections.abc import Iterator

from agents.run.events import FoundBy, PaperFound, SourceAnswered, WorksJoined
from agents.search.events import Event, PaperJudged, PapersAssessed
from agents.search.kind import SEARCH
from connectors.paper import WorkId
from tests.agents.scripted import paper

SIZES = (1_000, 10_000, 100_000)
BURST = 100
"""Works between two answers of a source."""


def events(most: int) -> Iterator[Event]:
    """`most` events of a made-up run."""
    one, told = paper("Sparse retrieval of passages", "10.1000/a"), 0
    for work in map(WorkId, range(most)):
        burst: list[Event] = [
            PaperFound(work, one, FoundBy("openalex", f"query {work // BURST}", work % BURST + 1)),
            PaperJudged(work, 0.5, by="model"),
        ]
        if work % BURST == 0:
            burst.append(SourceAnswered("openalex", f"query {work // BURST}", "ok", BURST))
        if work % 100 == 99:
            burst.append(WorksJoined(WorkId(work - 1), work))
        if work % (most // 10) == 0:
            burst.append(PapersAssessed(tuple((known, 0.4) for known in map(WorkId, range(0, work, 10)))))
        for event in burst:
            if told == most:
                return
            told += 1
            yield event


def an_event(size: int) -> float:
    """The microseconds of the processor for each of `size` events."""
    run = list(events(size))
    gc.collect()
    began = time.process_time()
    SEARCH.folded(run)
    return (time.process_time() - began) / size * 1e6


def main() -> None:
    least = 0.0
    for size in SIZES:
        each = an_event(size)
        least = least or each
        print(f"{size:>7,} events: {each:6.1f} µs each, {each / least:4.2f} of the first")


if __name__ == "__main__":
    main()
