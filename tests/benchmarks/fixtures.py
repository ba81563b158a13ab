"""What the sources make of every recorded reply: `python -m tests.benchmarks.fixtures`.

Per service: replies read, refused with a named error, crashed; and for OpenAlex, whether every word of every inverted
abstract came back in its place.
"""

import json
import sys
from collections import Counter
from importlib import import_module

from connectors.errors import SourceError
from tests.connectors.recordings import ABSENT, body, rows

READERS = {
    "arxiv": "arxiv",
    "openalex": "openalex",
    "semanticscholar": "semantic_scholar",
    "pubmed": "pubmed",
    "europepmc": "europepmc",
    "crossref": "crossref",
    "google": "google",
    "unpaywall": "unpaywall",
    "datacite": "datacite",
    "dblp": "dblp",
}


def main() -> int:
    if not any(map(rows, READERS)):
        print(ABSENT)
        return 2
    crashed = 0
    for service, module in READERS.items():
        read = import_module(f"tests.connectors.{module}.fixtures").read
        outcomes: Counter[str] = Counter()
        refusals: Counter[str] = Counter()
        for row in rows(service):
            try:
                read(row, body(row))
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
    print(_abstracts())
    return 1 if crashed else 0


def _abstracts() -> str:
    """Words of the rebuilt abstracts against the positions of their indexes."""
    from connectors.openalex.work import abstract_of

    works = words = same = 0
    for row in (row for row in rows("openalex") if row["file"].endswith(".json")):
        parsed = json.loads(body(row))
        for work in parsed.get("results", [parsed]) if isinstance(parsed, dict) else []:
            index = work.get("abstract_inverted_index") if isinstance(work, dict) else None
            if index:
                positions = sum(len(places) for places in index.values())
                works, words = works + 1, words + positions
                same += len(abstract_of(index).split(" ")) == positions
    return f"openalex abstracts: {same} of {works} have as many words as their index has positions ({words:,} words)"


if __name__ == "__main__":
    sys.exit(main())
