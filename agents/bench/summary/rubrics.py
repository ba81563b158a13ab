"""What a text on a question is measured by: a text by people, criteria that experts wrote, aspects they told apart."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.bench.jsonl import lines, records
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms

LEAST_TERMS = 4
"""A sentence with fewer terms says too little to be looked for."""
_MARK = re.compile(r"(?:(?<!\s)\s+)?\[[\d,;\s–-]+\]")


@dataclass(frozen=True, slots=True)
class Criterion:
    """Something a text should say. `evidence` are passages that say it, if there are any known."""

    text: str
    weight: float = 1.0
    evidence: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[str, ...]:
        """What a text that meets it says: one of these."""
        return self.evidence or (self.text,)


Criteria = Mapping[str, tuple[Criterion, ...]]
"""Criteria by the measure they make up."""


@dataclass(frozen=True, slots=True)
class Rubrics:
    """All that is known of a good answer to one question: what it cites, its headings, what it says."""

    cites: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    criteria: Criteria = field(default_factory=dict)


def read_rubrics(folder: Path) -> dict[str, Rubrics]:
    """The rubrics of each question, from those of `answers`, `rubrics` and `aspects.jsonl` that are in `folder`.

    Raises `CollectionError`.
    """
    texts = {answer.id: answer for answer in _read(folder, "answers.jsonl", _Answer)}
    criteria: dict[str, dict[str, tuple[Criterion, ...]]] = defaultdict(dict)
    for answer in texts.values():
        criteria[answer.id] |= {"text_coverage": answer.criteria}
    for rubric in _read(folder, "rubrics.jsonl", _Rubric):
        before = criteria[rubric.id].get("rubric_coverage", ())
        criteria[rubric.id] |= {"rubric_coverage": (*before, *rubric.criteria)}
    for need in _read(folder, "aspects.jsonl", _Need):
        criteria[need.id] |= {"aspect_coverage": tuple(Criterion(aspect.text) for aspect in need.aspects)}
    nothing = _Answer("")
    return {
        question: Rubrics(
            texts.get(question, nothing).cites,
            texts.get(question, nothing).headings,
            {measure: some for measure, some in criteria[question].items() if some},
        )
        for question in criteria
    }


@dataclass(frozen=True, slots=True)
class _Answer:
    id: str
    text: str = ""
    cites: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Its sentences, without their reference marks."""
        unmarked = (_MARK.sub("", sentence) for line in self.text.splitlines() for sentence in sentences(line))
        return tuple(Criterion(sentence) for sentence in unmarked if len(set(terms(sentence))) >= LEAST_TERMS)


@dataclass(frozen=True, slots=True)
class _Rubric:
    id: str
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class _Aspect:
    text: str


@dataclass(frozen=True, slots=True)
class _Need:
    id: str
    aspects: tuple[_Aspect, ...]


def _read(folder: Path, name: str, kind: type[Any]) -> Iterator[Any]:
    """The records of a file in `folder`; none where it is not there."""
    if any((folder / candidate).is_file() for candidate in (name, f"{name}.gz")):
        for _, record in records(lines(folder, name), kind):
            yield record
