"""How well words tell what supports a sentence: `python -m tests.benchmarks.entailment`.

Experts wrote the answers of ScholarQABench and cited papers for their sentences, whose passages the collection holds.
A sentence with its own papers should be supported more than the same sentence with as many other papers: of the same
answer (hard) or of another question's (easy). Prints the area under the ROC curve and what passes the threshold.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from agents.bench.collections import lines, read_collection, records
from agents.bench.summary.judges import SUPPORTED, Lexicon
from agents.builtin.text.sentences import sentences

FOLDER = Path(__file__).parents[3] / "shared" / "collections" / "scholarqabench"
_MARK = re.compile(r"\s*\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Answer:
    """An expert's answer; [n] in it is `cites[n]`."""

    id: str
    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supports:
    """The support of cited sentences by their own papers, by others of the answer, by those of another question."""

    own: list[float]
    same_answer: list[float]
    other_question: list[float]


def measured(folder: Path, seed: int = 0) -> Supports:
    """The supports of every sentence that cites papers, where there are as many others to cite."""
    dice = Random(seed)
    passages = {document.id: f"{document.title}. {document.abstract}" for document in read_collection(folder).documents}
    answers = [record for _, record in records(lines(folder, "answers.jsonl"), Answer)]
    lexicon = Lexicon(passages.values())
    found = Supports([], [], [])

    def support(claim: str, papers: Sequence[str]) -> float:
        return lexicon.support(claim, " ".join(passages[paper] for paper in papers))

    for answer in answers:
        for sentence in sentences(answer.text):
            places = dict.fromkeys(map(int, _MARK.findall(sentence)))
            own = [answer.cites[place] for place in places if place < len(answer.cites)]
            beside = [one for one in answer.cites if one not in own]
            elsewhere = [one for other in answers if other.id != answer.id for one in other.cites if one not in own]
            claim = _MARK.sub("", sentence)
            if own and len(beside) >= len(own):
                found.own.append(support(claim, own))
                found.same_answer.append(support(claim, dice.sample(beside, len(own))))
                found.other_question.append(support(claim, dice.sample(elsewhere, len(own))))
    return found


def area(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The area under the ROC curve: how often one of `higher` is above one of `lower`."""
    return sum((one > other) + (one == other) / 2 for one in higher for other in lower) / (len(higher) * len(lower))


def passing(some: Sequence[float]) -> float:
    """The share that counts as supported."""
    return sum(one >= SUPPORTED for one in some) / len(some)


def main() -> None:
    """Print the figures."""
    if not FOLDER.is_dir():
        sys.exit("needs ../shared/collections/scholarqabench")
    found = measured(FOLDER)
    print(f"{len(found.own)} sentences with citations; {passing(found.own):.2f} of them pass with their own papers")
    for name, others in (("the same answer", found.same_answer), ("other questions", found.other_question)):
        print(f"papers of {name}: AUC {area(found.own, others):.3f}, {passing(others):.2f} pass")


if __name__ == "__main__":
    main()
