"""How well words tell a cited paper from a random one: `python -m tests.benchmarks.source_check [work|report]`.

Citing sentences of `../shared/claims/citation_integrity` with the passages of the paper that they cite, and with those
of a random other one. A digest of its text puts a sentence into the half to work on or to report; `COVERED` was chosen
on the first as the share that 1 % of the cited papers do not reach.
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

CLAIMS = Path(__file__).parents[3] / "shared" / "claims" / "citation_integrity"
HALVES = ("work", "report")
_CITATION = re.compile(r"<\|[^|]*\|>")


def main() -> None:
    half = sys.argv[1] if len(sys.argv) > 1 else "report"
    dice = Random(1)
    texts = {row["doc_id"]: " ".join(row["abstract"]) for row in _rows("corpus")}
    claims = [(_CITATION.sub(" ", row["claim"]), row["cited_doc_ids"][0])
              for name in ("claims_train", "claims_dev") for row in _rows(name)]  # fmt: skip
    mine = [(sentence, paper) for sentence, paper in claims
            if _half(sentence) == half and len(set(terms(sentence))) >= LEAST_TERMS]  # fmt: skip
    others = [dice.choice([paper for paper in dice.sample(sorted(texts), 2) if paper != own]) for _, own in mine]
    own = sorted(covered(sentence, texts[paper]) for sentence, paper in mine)
    random = sorted(covered(sentence, texts[paper]) for (sentence, _), paper in zip(mine, others, strict=True))
    print(f"{half}: {len(mine)} sentences, AUC {_auc(own, random):.3f}, 1 % of the cited papers below "
          f"{own[len(own) // 100]:.3f}")  # fmt: skip
    print(f"below {COVERED}: {_below(own):.1%} of the cited papers, {_below(random):.1%} of random ones")


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(CLAIMS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
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
