"""How many errors in freshly written sentences the rules catch: `python -m tests.benchmarks.fresh [work|report]`.

Sentences of abstracts, each with true sentences in other words and false ones: with another unit, of another magnitude,
with the number of another quantity, or with a negation or direction turned. The rules were mended on those of `work`,
which are from one half of the papers. Prints what they judged wrong, and how many of each kind they stop.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from agents.summary.writing.grounding import grounded
from connectors.paper import Paper, WorkId

TRUE = "true"


def main(half: str) -> None:
    """Print the figures."""
    size, stopped = Counter[str](), Counter[str]()
    for row in json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")):
        quote = row.pop("quote")
        paper = Paper(title=row.pop("title"), abstract=quote)
        for kind, texts in row.items() if row.pop("half") == half else ():
            for text in texts:
                checked = grounded(text, [("p1", quote)], {"p1": (WorkId(1), paper)})
                is_stopped = checked.sentence is None or bool(checked.doubt)
                size[kind] += 1
                stopped[kind] += is_stopped
                if is_stopped is (kind == TRUE):
                    print(f"{kind}: {text}\n  {quote}", *checked.faults, checked.doubt)
    for kind in size:
        print(f"{kind:22s} {stopped[kind]} of {size[kind]} stopped")


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "report")
