"""Questions on the three subjects of the made-up libraries, each answered by three papers."""

import json
from pathlib import Path

from tests.agents.bench.test_recommending import documents

ASKED = ("papers on coral reef fish", "papers on neural network training")


def write(folder: Path) -> Path:
    """A collection with questions `q0` and `q1`; the first three papers of its subject answer each."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = [{"id": f"q{subject}", "text": text} for subject, text in enumerate(ASKED)]
    for name, rows in {"docs": documents(), "queries": asked}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    labels = [f"q{subject}\t{subject}-{number}\t1\n" for subject in range(len(ASKED)) for number in range(3)]
    (folder / "qrels.tsv").write_text("".join(labels), "utf-8")
    return folder
