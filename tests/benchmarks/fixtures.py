"""What the sources make of every recorded reply: `python -m tests.benchmarks.fixtures`.

Per service: replies read, refused with a named error, crashed; and for OpenAlex, whether every word of every inverted
abstract came back in its place.
"""

import json
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

from connectors.errors import SourceError

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
READERS = {
    "arxiv": "arxiv",
    "openalex": "openalex",
    "semanticscholar": "semantic_scholar",
    "pubmed": "pubmed",
    "google": "google",
}


def main() -> int:
    if not FIXTURES.exists():
        print("shared/fixtures is not beside this checkout")
        return 2
    rows = json.loads((FIXTURES / "MANIFEST.json").read_text("utf-8"))["fixtures"]
    crashed = 0
    for service, module in READERS.items():
        read = import_module(f"tests.connectors.{module}.fixtures").read
        outcomes: Counter[str] = Counter()
        refusals: Counter[str] = Counter()
        for row in (row for row in rows if row["service"] == service):
            try:
                read(row, (FIXTURES / row["file"]).read_bytes())
                outcomes["read"] += 1
            except SourceError as error:
                outcomes["refused"] += 1
                refusals[type(error).__name__] += 1
            except Exception as error:  # noqa: BLE001  # a crash is what is counted here
                outcomes["crashed"] += 1
                print(f"  {row['file']}: {type(error).__name__}: {error}")
        crashed += outcomes["crashed"]
        named = ", ".join(f"{count} {name}" for name, count in refusals.most_common())
        print(
            f"{service:<16} {outcomes['read']:>3} read  {outcomes['refused']:>3} refused ({named})  "
            f"{outcomes['crashed']} crashed"
        )
    print(_abstracts(rows))
    return 1 if crashed else 0


def _abstracts(rows: list[dict[str, str]]) -> str:
    """Words of the rebuilt abstracts against the positions of their indexes."""
    from connectors.openalex.work import abstract_of

    works = words = same = 0
    for row in (row for row in rows if row["service"] == "openalex" and row["file"].endswith(".json")):
        body = json.loads((FIXTURES / row["file"]).read_text("utf-8"))
        for work in body.get("results", [body]) if isinstance(body, dict) else []:
            index = work.get("abstract_inverted_index") if isinstance(work, dict) else None
            if index:
                positions = sum(len(places) for places in index.values())
                works, words = works + 1, words + positions
                same += len(abstract_of(index).split(" ")) == positions
    return f"openalex abstracts: {same} of {works} have as many words as their index has positions ({words:,} words)"


if __name__ == "__main__":
    sys.exit(main())
