"""What is measured: each entry is one call of `spar bench`, and what it prints is kept as it came."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLLECTIONS = (
    "cf", "cacm", "csfcube", "scholarqabench", "neurips_relatedwork", "scifact", "aicorpus_small",
)  # fmt: skip
STEPS = ("understanding", "refchain", "evolution", "rerank")
"""The steps of the search that are left out, one at a time."""
_JUDGED = {"perfect": "perfect", "wrong about one in five": "noisy:0.2"}
_KEPT = (
    "recall@5", "recall@50", "recall@100", "precision@10", "f1@10", "ndcg@10", "raw_recall", "papers", "kept",
    "kept_precision", "kept_recall", "kept_f1", "calibration_error", "reliability", "vs_rm3+links",
)  # fmt: skip
"""Figures of a search that the page needs: the data file holds no others."""
_KEPT_OF_PEOPLE = ("ndcg@5", "hit@5", "ndcg@5_of_100", "hit@5_of_100", "vs_vanilla")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: `name` says for what, `arguments` are those of `spar bench` after the collection."""

    name: str
    collection: str
    arguments: tuple[str, ...]


def calls(queries: int) -> Iterator[Call]:
    """All that is measured, with at most so many questions a collection."""
    half = ("--half", "report", "--queries", str(queries))
    arms = ",".join(["bm25", "rm3+links", "spar", *(f"spar-{step}" for step in STEPS)])
    for name in COLLECTIONS:
        yield Call("search", name, (*half, "--arms", arms))
    for name in COLLECTIONS:
        for judge, how in _JUDGED.items():
            yield Call(f"judge: {judge}", name, (*half, "--arms", "spar", "--judge", how))
    for name in ("neurips_relatedwork", "scholarqabench"):
        yield Call("summary", name, ("--summary", *half))
    people = ("--half", "report", "--queries", str(10 * queries))
    yield Call("recommendation", "citeulike_a", ("--recommend", *people))
    yield Call("conversation", "citeulike_a", ("--converse", *half))


def measured(call: Call, folder: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """What `spar bench` says; raises `CalledProcessError` if it fails, with its words on standard error."""
    command = [sys.executable, "-m", "spar_tui", "bench", str(folder / call.collection), *call.arguments]
    ran = subprocess.run([*command, "--quiet", "--json"], env=environment, stdout=subprocess.PIPE, check=True)
    said: dict[str, Any] = json.loads(ran.stdout)
    if "arms" in said and call.name != "summary":
        said["arms"] = {arm: _of(said["arms"][arm], _KEPT) for arm in said["arms"]}
    for history in said.get("histories", ()):
        history["arms"] = {arm: _of(history["arms"][arm], _KEPT_OF_PEOPLE) for arm in history["arms"]}
    return {"name": call.name, "arguments": ["spar", "bench", call.collection, *call.arguments], "said": said}


def _of(figures: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: figures[name] for name in names if name in figures}
