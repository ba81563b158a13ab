"""How often a text without a model begins with a finding: `python -m tests.benchmarks.findings [work|report] [-v]`.

Structured abstracts say of each sentence what it is: background, aim, method, result or conclusion. Their labels are
taken away, and sentences chosen as for a summary: one for its short text, the first one of a section (which sorts by
place), and all of a section; and the one quote for a paper. The question is the paper's own title, or that of the
nearest other paper, of which it knows less. Prints how many are a result or a conclusion, and how many are background;
beside the first and the last sentence, and any sentence by chance. A digest of its text puts an abstract into the half
to work on or to report. `-v` prints what was chosen from the background, `--shares` the numbers of `zones`: how many
sentences of each zone have each cue, and which zone follows which.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.builtin.text.sentences import sentences
from agents.builtin.text.zones import CUES, cues_in
from agents.evidence.choosing import best_quote
from agents.evidence.extracts import extracts
from connectors.paper import Paper, WorkId
from tests.benchmarks.evidence import HALVES, SHARED, half_of, rows

COLLECTIONS = ("scifact", "synergy_half", "csfcube")
SECTION = 60
"""Words of a section."""
_NAMES = {
    "background": "BACKGROUND INTRODUCTION CONTEXT RATIONALE IMPORTANCE UNLABELLED",
    "aim": "OBJECTIVE OBJECTIVES AIM AIMS PURPOSE GOAL HYPOTHESIS",
    "method": "METHOD METHODS MATERIAL MATERIALS DESIGN SETTING PARTICIPANTS PATIENTS SUBJECTS INTERVENTION "
    "INTERVENTIONS MEASUREMENT MEASUREMENTS MAIN DATA STUDY EXPOSURE EXPOSURES METHODOLOGY FUNDING EXPERIMENTAL",
    "result": "RESULT RESULTS FINDING FINDINGS PRINCIPAL",
    "conclusion": "CONCLUSION CONCLUSIONS INTERPRETATION SIGNIFICANCE DISCUSSION",
}
_KIND = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_LABEL = re.compile(
    rf"(?:^|(?<=[.!?)%] )|(?<=[.!?)%]))((?:{'|'.join(_KIND)})\b(?:[ /&,-]{{1,3}}(?:[A-Z]{{3,}}|AND|OF|&))*)(?::\s?|\s)"
    r"(?=[^\sa-z])"
)
TOLD = ("result", "conclusion")


class Structured(NamedTuple):
    """A paper without the labels of its abstract, and what each of its sentences is."""

    paper: Paper
    kinds: dict[str, str]


def structured(half: str) -> Iterator[Structured]:
    """The papers with a background or aim, a method, and a result or conclusion, by their labels."""
    for name in COLLECTIONS:
        for row in rows(SHARED / "collections" / name / "docs.jsonl.gz"):
            text = " ".join((row["abstract"] or "").replace("\\n", " ").split())
            if half_of(text) == half and (one := _apart(row["title"], text)):
                yield one


def _apart(title: str, text: str) -> Structured | None:
    before, *rest = _LABEL.split(text)
    kinds: dict[str, str] = {}
    for label, part in zip(rest[::2], rest[1::2], strict=True):
        # “METHODS AND RESULTS” is neither alone
        named = {_KIND[word] for word in re.findall(r"[A-Z]+", label) if word in _KIND}
        kind = next(iter(named)) if len(named) == 1 else "mixed"
        kinds |= dict.fromkeys(sentences(part), kind)
    whole = " ".join(part.strip() for part in rest[1::2])
    is_whole = not before.strip() and {"background", "aim"} & set(kinds.values()) and "result" in kinds.values()
    return Structured(Paper(title=title, abstract=whole), kinds) if is_whole else None


Chooser = Callable[[str, Paper], Sequence[str]]
WORK = WorkId(1)


def _short(question: str, paper: Paper) -> list[str]:
    return [one.text for one in extracts(question, {WORK: paper}, max_sentences=1)]


def _section(question: str, paper: Paper) -> list[str]:
    return [one.text for one in extracts(question, {WORK: paper}, SECTION)]


CHOOSERS: dict[str, Chooser] = {
    "short text": _short,
    "section begins": lambda question, paper: _section(question, paper)[:1],
    "section": _section,
    "quote": lambda question, paper: [best_quote(question, paper.title, paper.abstract)],
    "first sentence": lambda _, paper: sentences(paper.abstract)[:1],
    "last sentence": lambda _, paper: sentences(paper.abstract)[-1:],
    "any sentence": lambda _, paper: sentences(paper.abstract),
}


def print_shares(half: str) -> None:
    """The shares of cues in zones, and of zones after each zone and, last, at the beginning."""
    zones = {"background": 0, "aim": 0, "method": 1, "result": 2, "conclusion": 3}
    have, after = [[0] * 4 for _ in CUES], [[0.5] * 4 for _ in range(5)]  # half a sentence more than was seen
    size = Counter[int]()
    for one in structured(half):
        before = 4
        for text, zone in ((text, zones[kind]) for text, kind in one.kinds.items() if kind in zones):
            size[zone] += 1
            after[before][zone] += 1
            before = zone
            for cue in cues_in(text):
                have[cue][zone] += 1
    for (words, _), counts in zip(CUES, have, strict=True):
        print(*(f"{count / size[zone]:.2f}" for zone, count in enumerate(counts)), words)
    for row in after:
        print(*(f"{count / sum(row):.3f}" for count in row))


def main() -> None:
    """Print the figures."""
    half = next((one for one in sys.argv[1:] if one in HALVES), HALVES[0])
    if not SHARED.is_dir():
        sys.exit("needs ../shared")
    if "--shares" in sys.argv:
        print_shares(half)
        return
    some = list(structured(half))
    index = Bm25Index(f"{one.paper.title} {one.paper.abstract}" for one in some)
    titles = [one.paper.title for one in some]
    near = [titles[next((place for place in best(index.scores(title), 2) if place != at), at - 1)]
            for at, title in enumerate(titles)]  # fmt: skip
    print(f"{len(some)} abstracts of {half}; in %: result or conclusion, background or aim")
    for name, choose in CHOOSERS.items():
        line = f"{name:16s}"
        for title, questions in (("own title", titles), ("near title", near)):
            told = Counter[str]()
            for question, one in zip(questions, some, strict=True):
                for text in choose(question, one.paper):
                    kind = next((kind for own, kind in one.kinds.items() if text and own.startswith(text)), "")
                    told[kind] += 1
                    if "-v" in sys.argv and kind in ("background", "aim") and name == "short text":
                        print(f"  {kind}: {text}\n     for {question}")
            every = sum(number for kind, number in told.items() if kind) or 1
            shares = [100 * sum(told[kind] for kind in kinds) / every for kinds in (TOLD, ("background", "aim"))]
            line += f"   {title}: {shares[0]:5.1f} {shares[1]:5.1f} of {every:4d}"
        print(line)


if __name__ == "__main__":
    main()
