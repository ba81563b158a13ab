"""A collection of twenty documents whose order for the question "coral" can be told by counting.

Document d01 says coral 11 times, d02 ten times, … d11 once, d12 to d20 never; all are equally long. Relevant are d02
(grade 2), d05 and d15; d03 is judged and not relevant. d02 cites d05 and d15; d20 cites d02, d05 and d15.
"""

import json
from pathlib import Path
from typing import Any

from agents.bench.collections import Collection, read_collection

NUMBERS = range(1, 21)
LENGTH = 12
LABELS = ("coral\td02\t2", "coral\td05\t1", "coral\td15\t1", "coral\td03\t0", "unjudged\td01\t0")


def doc(number: int) -> str:
    return f"d{number:02}"


def documents() -> list[dict[str, Any]]:
    cited = {"d02": ["d05", "d15"], "d20": ["d02", "d05", "d15"]}
    return [
        {
            "id": doc(number),
            "title": f"Study {number}",
            "abstract": " ".join(["coral"] * max(12 - number, 0) + ["sand"] * (LENGTH - max(12 - number, 0))),
            "authors": ["Ada Lovelace"],
            "year": 2000 + number,
            "venue": "Reefs",
            "references": cited.get(doc(number), []),
        }
        for number in NUMBERS
    ]


def questions() -> list[dict[str, Any]]:
    return [
        {"id": "coral", "text": "coral"},
        {"id": "hidden", "text": "coral", "exclude": ["d20", "d01"], "before": "2014-06-30"},
        {"id": "unjudged", "text": "coral"},
        {"id": "wordless", "text": "the of"},
    ]


def write(folder: Path, labels: tuple[str, ...] = LABELS, **files: list[dict[str, Any]]) -> Path:
    """The collection in `folder`; `docs` and `queries` replace its own records."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in {"docs": documents(), "queries": questions(), **files}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "qrels.tsv").write_text("".join(f"{line}\n" for line in labels), "utf-8")
    return folder


def collection(folder: Path) -> Collection:
    return read_collection(write(folder))
