"""How well words tell a cited paper from a random one: `python -m tests.benchmarks.source_check [work|report|scifact]`.

Citing sentences of `../shared/claims/citation_integrity` with the passages of the paper that they cite, and with those
of a random other one. A digest of its text puts a sentence into the half to work on or to report; `COVERED` was chosen
on the first as the share that 1 % of the cited papers do not reach. `scifact` has
claims with whole abstracts, which is what `spar lint` mostly has.
"""

import gzip
import json
import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from agents.builtin.text.terms import terms
from agents.evidence.source_check import COVERED, LEAST_TERMS, covered

SHARED = Path(__file__).parents[3] / "shared"
HALVES = ("work", "report")
_CITATION = re.compile(r"<\|[^|]*\|>")


def main() -> None:
    asked = sys.argv[1] if len(sys.argv) > 1 else "report"
    texts, claims = _scifact() if asked == "scifact" else _citations()
    dice = Random(1)
    mine = [(sentence, paper) for sentence, paper in claims
            if asked in ("scifact", _half(sentence)) and len(set(terms(sentence))) >= LEAST_TERMS]  # fmt: skip
    others = [dice.choice([paper for paper in dice.sample(sorted(texts), 2) if paper != own]) for _, own in mine]
    own = sorted(covered(sentence, texts[paper]) for sentence, paper in mine)
    random = sorted(covered(sentence, texts[paper]) for (sentence, _), paper in zip(mine, others, strict=True))
    print(f"{asked}: {len(mine)} sentences, AUC {_auc(own, random):.3f}, 1 % of the cited papers below "
          f"{own[len(own) // 100]:.3f}")  # fmt: skip
    print(f"below {COVERED}: {_below(own):.1%} of the cited papers, {_below(random):.1%} of random ones")


def _citations() -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The texts by their papers, and the sentences with the paper that each cites."""
    folder = SHARED / "claims" / "citation_integrity"
    texts = {str(row["doc_id"]): " ".join(row["abstract"]) for row in _rows(folder / "corpus.jsonl.gz")}
    claims = [(_CITATION.sub(" ", row["claim"]), str(row["cited_doc_ids"][0]))
              for name in ("claims_train", "claims_dev") for row in _rows(folder / f"{name}.jsonl.gz")]  # fmt: skip
    return texts, claims


def _scifact() -> tuple[dict[str, str], list[tuple[str, str]]]:
    rows = _rows(SHARED / "collections" / "scifact" / "docs.jsonl.gz")
    texts = {str(row["id"]): f"{row['title']} {row['abstract']}" for row in rows}
    claims = [(row["claim"], str(paper)) for row in _rows(SHARED / "claims" / "scifact" / "claims_train.jsonl.gz")
              for paper in row["cited_doc_ids"] if str(paper) in texts]  # fmt: skip
    return texts, claims


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _half(sentence: str) -> str:
    return HALVES[sha256(sentence.encode()).digest()[0] % 2]


def _auc(own: Sequence[float], random: Sequence[float]) -> float:
    """How often a cited paper has more than a random one, a tie counted as half."""
    return sum(bisect_left(random, one) + bisect_right(random, one) for one in own) / (2 * len(own) * len(random))


def _below(shares: Sequence[float]) -> float:
    return bisect_left(shares, COVERED) / len(shares)


if __name__ == "__main__":
    main()
