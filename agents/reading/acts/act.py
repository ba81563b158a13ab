"""Acts: what can be done in a conversation without a model, and the sentences that ask for it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from agents.reading.choosing import Turn
from agents.reading.frames import Spans
from agents.reading.reading import Call, Reading
from agents.reading.selection import Selection


@dataclass(frozen=True)
class Sentence:
    """A message, or a part of it, that has a form of an act: what each slot holds. Where `given` is set, the message
    has no such form, and what was read of it fills the slots of papers."""

    turn: Turn
    spans: Spans
    given: Selection | None = None

    def papers(self, slot: str = "papers", *, one: bool = False) -> Selection:
        if self.given is not None:
            return self.given if slot in self.spans else Selection()
        start, end = self.spans.get(slot, (0, 0))
        return self.turn.reader.read(start, end, one=one)

    def has(self, slot: str) -> bool:
        if self.given is not None:
            return slot in self.spans
        start, end = self.spans.get(slot, (0, 0))
        return end > start

    def words(self, slot: str) -> list[str]:
        start, end = self.spans.get(slot, (0, 0))
        return self.turn.reader.keys[start:end]

    def text(self, slot: str) -> str:
        """The words of a slot as they stand in the message, without quotation marks around all of it."""
        start, end = self.spans.get(slot, (0, 0))
        tokens = self.turn.reader.tokens[start:end]
        if len(tokens) == 1:
            return tokens[0].text
        text = self.turn.message[tokens[0].start : tokens[-1].end] if tokens else ""
        return text.strip(' \t:,;.!?"“”')


Plan = Callable[[Sentence], Reading | None]
"""Reads the plan of an act out of a sentence; None where the sentence asks for something else."""


class Act(NamedTuple):
    """Something that can be done: its forms, the plan for one of them, what it is called, and an example."""

    name: str
    forms: tuple[str, ...]
    plan: Plan
    label: str
    example: str


def fixed_plan(*calls: Call, reply: str = "") -> Plan:
    """The same steps or the same reply, whatever the slots hold."""
    return lambda sentence: Reading(calls=calls, reply=reply)


def acts(table: str, plans: Mapping[str, Plan]) -> tuple[Act, ...]:
    """Return the acts of a table. A row has the name, the label and an example, and below it, indented, the forms,
    parted by semicolons."""
    listed: list[Act] = []
    for row in re.split(r"\n(?=\S)", table.strip()):
        head, _, forms = row.partition("\n")
        name, label, example = (cell.strip() for cell in head.split("|"))
        listed.append(Act(name, sentences(forms), plans[name], label, example))
    return tuple(listed)


def sentences(text: str) -> tuple[str, ...]:
    """Return the forms that a text lists, parted by semicolons."""
    return tuple(" ".join(form.split()) for form in text.split(";") if form.strip())
