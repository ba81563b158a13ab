"""The reference for texts on a question: a text by people, experts' criteria, and aspects."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.bench.collections import lines, records
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms

LEAST_TERMS = 4
"""A sentence with fewer terms says too little to be a criterion."""
_MARK = re.compile(r"(?:(?<!\s)\s+)?\[[\d,;\s–-]+\]")


@dataclass(frozen=True, slots=True)
class Criterion:
    """Something a text should say. `evidence` are passages that say it, if known."""

    text: str
    weight: float = 1.0
    evidence: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[str, ...]:
        """Claims; a text meets the criterion if it states one of them."""
        return self.evidence or (self.text,)


Criteria = Mapping[str, tuple[Criterion, ...]]
"""Criteria by measure."""


@dataclass(frozen=True, slots=True)
class Rubrics:
    """What is known of a good answer to one question: citations, headings, content."""

    cites: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    criteria: Criteria = field(default_factory=dict)


def read_rubrics(folder: Path) -> dict[str, Rubrics]:
    """Read the rubrics of each question from `answers.jsonl`, `rubrics.jsonl` and `aspects.jsonl`, as far as they
    exist. Raises `CollectionError`."""
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
        """The sentences with at least `LEAST_TERMS` different terms, without their reference marks."""
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
    """Read the records of a file in `folder`; none if it does not exist."""
    if any((folder / candidate).is_file() for candidate in (name, f"{name}.gz")):
        for _, record in records(lines(folder, name), kind):
            yield record
