"""Acts: actions of a conversation without a model, with the sentences that ask for them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from agents.reading.choosing import MessageContext, chosen, each_named, has_conditions, one_paper, people_meant
from agents.reading.cues import NOUNS
from agents.reading.reading import MessagePlan, Option, PaperSelection, ToolCall, Unknown
from agents.tools.tool import PAGE
from cache.conditions.filters import filter_by
from cache.store import PaperId


class Element(NamedTuple):
    """An element of a form: alternative words or a slot, perhaps optional. The words behind it begin with one of
    `firsts`, or with anything if `open`."""

    words: tuple[tuple[str, ...], ...] = ()
    slot: str = ""
    optional: bool = False
    firsts: frozenset[str] = frozenset()
    open: bool = False


Spans = Mapping[str, tuple[int, int]]
"""For each slot, the index of its first token and the index after its last."""


@lru_cache(maxsize=1_024)
def form(text: str) -> tuple[Element, ...]:
    """Parse a form: `a|b` are alternatives, `a_b` is two words, `[a]` is optional, `{a}` is a slot, `{a?}` a slot that
    may be empty."""
    elements: list[Element] = []
    firsts, is_open = frozenset[str](), False
    for element in map(_element, reversed(text.split())):
        elements.append(element._replace(firsts=firsts, open=is_open))
        begins = frozenset(words[0] for words in element.words)
        firsts, is_open = (firsts | begins, is_open or bool(element.slot)) if element.optional else (begins, not begins)
    return tuple(reversed(elements))


def _element(text: str) -> Element:
    if text.startswith("{"):
        return Element(slot=text.strip("{?}"), optional="?" in text)
    optional = text.startswith("[")
    words = tuple(tuple(alternative.split("_")) for alternative in text.strip("[]").split("|"))
    return Element(words, optional=optional)


def matches(elements: Sequence[Element], keys: Sequence[str], start: int, end: int) -> Iterator[Spans]:
    """Yield all ways in which the tokens from `start` to `end` match the form, shortest slots first."""
    yield from _from(elements, 0, keys, start, end, {})


def _from(
    elements: Sequence[Element],
    index: int,
    keys: Sequence[str],
    position: int,
    end: int,
    spans: dict[str, tuple[int, int]],
) -> Iterator[Spans]:
    if index == len(elements):
        if position == end:
            yield dict(spans)
        return
    element = elements[index]
    if element.slot:
        least = position if element.optional else position + 1
        if index == len(elements) - 1:
            ends: Iterable[int] = (end,) if end >= least else ()
        elif element.open:
            ends = range(least, end + 1)
        else:
            ends = [position for position in range(least, end) if keys[position] in element.firsts]
            ends += [end] if all(rest.optional for rest in elements[index + 1 :]) and end >= least else []
        for behind in ends:
            yield from _from(elements, index + 1, keys, behind, end, {**spans, element.slot: (position, behind)})
        return
    for words in element.words:
        if position + len(words) <= end and tuple(keys[position : position + len(words)]) == words:
            yield from _from(elements, index + 1, keys, position + len(words), end, spans)
    if element.optional:
        yield from _from(elements, index + 1, keys, position, end, spans)


@dataclass(frozen=True)
class MatchedMessage:
    """A message, or a part of it, that matches a form, with the tokens of each slot. If `given` is set, no form
    matched, and this selection fills the slots for papers. `selections` are what the plan read from slots, `texts` the
    slots that it used as text."""

    turn: MessageContext
    spans: Spans
    given: PaperSelection | None = None
    selections: list[tuple[str, PaperSelection]] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)

    def papers(self, slot: str = "papers", *, one: bool = False) -> PaperSelection:
        start, end = self.spans.get(slot, (0, 0))
        if self.given is not None:
            selection = self.given if slot in self.spans else PaperSelection()
        else:
            selection = self.turn.reader.read(start, end, one=one)
        self.selections.append((slot, selection))
        return selection

    def has(self, slot: str) -> bool:
        start, end = self.spans.get(slot, (0, 0))
        return end > start if self.given is None else slot in self.spans

    def words(self, slot: str) -> list[str]:
        start, end = self.span(slot)
        return self.turn.reader.keys[start:end]

    def text(self, slot: str) -> str:
        """Return the words of a slot as written in the message, without punctuation and quotation marks around them."""
        start, end = self.span(slot)
        tokens = self.turn.reader.tokens[start:end]
        if len(tokens) == 1:
            return tokens[0].text
        text = self.turn.message[tokens[0].start : tokens[-1].end] if tokens else ""
        return text.strip(' \t:,;.!?"“”')

    def span(self, slot: str) -> tuple[int, int]:
        """Return where the words of a slot begin and end, and note that the plan uses them as text."""
        self.texts.add(slot)
        return self.spans.get(slot, (0, 0))

    def accounted(self, reading: MessagePlan) -> MessagePlan:
        """Add the selections that a plan read to its reading, so that a step uses every word of a slot or `rest` has
        it."""
        selections = [selection for _, selection in self.selections]
        against = next((selection.against for selection in selections if selection.against), {})
        calls = () if against else reading.calls
        used = {*_WORDS.findall(" ".join(str([*call.arguments.values()]) for call in calls).casefold())}
        rest = [*reading.rest]
        for slot, selection in self.selections:
            as_text = used if slot in self.texts else ()
            rest += [word for word in selection.rest if not {*_WORDS.findall(word.casefold())} <= {*as_text}]
        rest += [text.pronoun for text in selections if text.pronoun and not people_meant(text, self.turn)]
        numbers = {*map(int, re.findall(r"\d{1,9}", " ".join(used))), PAGE, self.turn.shown, None}
        rest += [f"{selection.count}" for selection in selections if selection.count not in numbers and calls]
        reader = self.turn.reader
        for slot in self.spans.keys() - self.texts - {slot for slot, _ in self.selections}:
            unread = reader.tokens[slice(*self.spans[slot])]
            rest += [token.text for token in unread if reader.has_meaning(token) and token.key not in NOUNS]

        def all_of(name: str) -> tuple[Any, ...]:
            values = (value for selection in selections for value in getattr(selection, name))
            return tuple(dict.fromkeys((*getattr(reading, name), *values)))

        return replace(
            reading,
            calls=calls,
            reply=_contradiction(against) if against else reading.reply,
            rest=tuple(dict.fromkeys(rest)),
            unknown=all_of("unknown"),
            taken=all_of("taken"),
        )


_WORDS = re.compile(r"\w+")
Plan = Callable[[MatchedMessage], MessagePlan | None]
"""Returns the plan of an act for a sentence; None if the sentence asks for something else."""


class Act(NamedTuple):
    """An action that messages can ask for: its forms, the plan for a match, its label and an example message."""

    name: str
    forms: tuple[str, ...]
    plan: Plan
    label: str
    example: str


class ActFit(NamedTuple):
    """An act with the reading of a message for it; a higher `score` fits better. `papers` are those of its first
    slot."""

    act: Act
    reading: MessagePlan
    score: float
    papers: PaperSelection | None = None


def fixed_plan(*calls: ToolCall, reply: str = "") -> Plan:
    """Return a plan with the same steps or the same reply whatever the slots hold."""
    return lambda sentence: MessagePlan(calls=calls, reply=reply)


def acts(table: str, plans: Mapping[str, Plan]) -> tuple[Act, ...]:
    """Return the acts of a table. A row is a line with name, label and example, and indented lines below with the
    forms, separated by semicolons."""
    return tuple(Act(name, forms, plans[name], label, example) for (name, label, example), forms in rows_of(table, 3))


def rows_of(table: str, width: int) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Yield the `width` cells of each row of a table, and its forms."""
    for row in re.split(r"\n(?=\S)", table.strip()):
        head, _, forms = row.partition("\n")
        yield [cell.strip("- ") for cell in re.split(r"(?<=\s)\|(?=\s)", head, maxsplit=width - 1)], sentences(forms)


def sentences(text: str) -> tuple[str, ...]:
    """Return the forms in a text, which semicolons separate."""
    return tuple(" ".join(form.split()) for form in text.split(";") if form.strip())


def _contradiction(against: Mapping[str, Any]) -> str:
    """Return the sentence that two conditions exclude each other."""
    name = next(iter(against))
    terms = (*filter_by(**{name: True}).terms, *filter_by(**{name: False}).terms)
    states = " and ".join(f"{'not ' if term.negated else ''}{term.row.name}" for term in terms)
    return f"No paper can be {states} at once."


_ASKING = frozenset((",", word) for word in ("which", "what", "who", "how"))
"""Words that begin a question behind papers: "unlike the first, which are on bees?" asks for no change."""
WHICH = "Which papers do you mean? Name one, or ask for some first."


def no_papers() -> MessagePlan:
    """Ask which papers are meant."""
    return MessagePlan(reply=WHICH, understood=False)


def about_one(
    selection: PaperSelection, turn: MessageContext, plan: Callable[[str], tuple[ToolCall, ...]]
) -> MessagePlan:
    """Return the plan about the one paper that a selection means. Ask which paper if several match; report the most
    similar titles if none does."""
    paper = one_paper(selection, turn)
    if paper.name:
        return MessagePlan(calls=(*paper.calls, *plan(paper.name)), onward=paper.onward)
    if paper.several:
        return which_of(turn, paper.several, plan)
    if not has_conditions(selection) or selection.rest or selection.unknown:
        return no_papers()
    words = " ".join([*selection.given.get("words", ()), *selection.given.get("authors", ())])
    return MessagePlan(onward=True, unknown=(Unknown("paper", words or "that", tuple(turn.names.near_title(words))),))


def which_of(
    turn: MessageContext, numbers: Sequence[PaperId], plan: Callable[[str], tuple[ToolCall, ...]]
) -> MessagePlan:
    """Ask which of several papers is meant."""
    first = numbers[:5]
    options = tuple(
        Option(f"“{title}”", plan(f"#{number}"), True)
        for number, title in zip(first, turn.names.titles(first), strict=False)
    )
    several = f"{len(numbers):,} papers" if len(numbers) > 1 else "another paper"
    return MessagePlan(reply=f"That could mean {several}.", understood=False, options=options)


def is_singular(selection: PaperSelection) -> bool:
    """Whether words mean a single paper: "the first paper", "the trial"."""
    words = selection.given.get("words", ())
    return selection.single or (bool(words) and not selection.noun and not words[-1].endswith("s"))


def changed(
    sentence: MatchedMessage, make: Callable[[tuple[str, ...]], ToolCall], *, one: bool = False
) -> MessagePlan | None:
    """Return the plan of a change; `make` returns the step for named papers, with `one` for a single paper."""
    turn = sentence.turn
    if any(pair in _ASKING for pair in pairwise(sentence.words("papers") if sentence.has("papers") else ())):
        return None
    sentence.texts.discard("papers")
    if several := each_named(*sentence.spans.get("papers", (0, 0)), turn):
        sentence.texts.add("papers")
        return MessagePlan(calls=(make(tuple(several)),), onward=True)
    selection = sentence.papers(one=True)
    default: tuple[str, ...] = ()
    if not sentence.has("papers"):
        default = ("@it",) if turn.has_it else ("@shown",) if turn.shown else ()
    if (one or selection.single or (selection.definite and is_singular(selection))) and not selection.names:
        reading = about_one(selection, turn, lambda name: (make((name,)),))
        if reading.calls or reading.options:
            return reading
    choice = chosen(selection, turn, default)
    if choice is None:
        return no_papers()
    return MessagePlan(calls=(*choice.calls, make(choice.names)), onward=choice.onward)
