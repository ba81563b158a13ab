"""Turn the selection of papers in a message into steps that choose them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from agents.reading.names import LibraryNames
from agents.reading.parts.words import MessageWords
from agents.reading.reading import PaperSelection, ToolCall, call
from agents.reading.tokens import tokens_of
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from agents.tools.paper_names import named_papers
from agents.tools.tool import ToolContext, ToolError
from cache.conditions.filters import filter_by
from cache.conditions.table import ROWS
from cache.store import PaperId


class ChoosingSteps(NamedTuple):
    """Steps that choose papers, and the names by which later steps refer to those papers."""

    calls: tuple[ToolCall, ...]
    names: tuple[str, ...]
    onward: bool = True


@dataclass(frozen=True)
class MessageContext:
    """The context of a message: its words, the library and the conversation. `before` are the steps of the previous
    turn; `pending` are the steps of a request about one paper, if the person was asked which one, and `offered` the
    names of the papers offered. `failed` are the first steps offered for the last message, if it was not understood and
    left no list. `after` is the tool of the clause before, in a message of several; `slips` are misspelt words,
    each with the word that it is read as."""

    message: str
    reader: MessageWords
    names: LibraryNames
    context: ToolContext
    before: tuple[ToolCall, ...] = ()
    before_onward: bool = False
    pending: tuple[ToolCall, ...] = ()
    offered: tuple[str, ...] = ()
    retried: bool = False
    failed: tuple[ToolCall, ...] | None = None
    after: str = ""
    slips: tuple[tuple[str, str], ...] = ()

    @property
    def shown(self) -> int:
        return len(self.context.shown)

    @property
    def said(self) -> frozenset[str]:
        """The words of the message, also those that ask for an act."""
        return frozenset(token.key for token in tokens_of(self.message))

    @property
    def question(self) -> str:
        """The message as a question to papers."""
        return self.message.strip()[:2_000]

    def note_of(self, name: str) -> str:
        """Return the person's note on the paper of this name; "" if it has none, or if no paper is called so."""
        numbers = self.named([name])
        return self.names.note_of(numbers[0]) if numbers and len(numbers) == 1 else ""

    def named(self, names: Sequence[str]) -> tuple[PaperId, ...] | None:
        """Return the papers of these names; None if one of them is not found."""
        try:
            return named_papers(names, self.context)
        except ToolError:
            return None

    def titles(self, names: Sequence[str]) -> list[str]:
        """Return the titles of the papers of these names; [] if one of them is not found."""
        return self.names.titles(self.named(names) or ())

    @property
    def has_it(self) -> bool:
        """Whether "it" can only mean one paper."""
        return self.context.focus is not None or self.shown == 1


def chosen(selection: PaperSelection, turn: MessageContext, default: Sequence[str] = ()) -> ChoosingSteps | None:
    """Return how to choose the papers of `selection`; None if it does not say which and there is no `default`."""
    if selection.names and not selection.given and not selection.order:
        return ChoosingSteps((), tuple(dict.fromkeys(selection.names)))
    if rest := others_of(selection, turn):
        return ChoosingSteps((), tuple(f"#{number}" for number in rest))
    if not selection.is_chosen and not selection.order and not selection.noun:
        return ChoosingSteps((), tuple(default)) if default else None
    plain = not has_conditions(selection) and not selection.order and not selection.unknown and not selection.whole
    if plain and selection.onward and not turn.shown:  # the list before was not shown, such as a count
        return ChoosingSteps((), ("@all",)) if turn.context.candidates else None
    if plain and turn.shown:
        return ChoosingSteps((), ("@shown",))
    if plain and selection.absent:
        return None
    return papers_with(selection, {}, turn)


def papers_with(selection: PaperSelection, condition: Mapping[str, Any], turn: MessageContext) -> ChoosingSteps:
    """Return how to choose the papers of `selection` that also meet a condition."""
    if selection.given.keys() & condition.keys():  # both must match, each in a step of its own
        narrowed = replace(selection, also=[*selection.also, dict(condition)])
    else:
        narrowed = replace(selection, given={**selection.given, **condition})
    calls, onward = steps(narrowed, turn)
    if selection.place:
        return ChoosingSteps((*calls, selection.listed), ("@shown",), onward)
    return ChoosingSteps(calls, (f"@top{selection.limit}",) if selection.limit else ("@all",), onward)


_BOTH = frozenset({"both", "them", "these", "all", ":", ",", "of", "-"})
"""Words that refer to papers named before."""


def each_named(start: int, end: int, turn: MessageContext, parted: Collection[str] = ("and", ",", "&")) -> list[str]:
    """Return the names of papers in a list such as "BERT and the dropout paper", separated by the words `parted`; [] if
    it is not such a list."""
    keys = turn.reader.keys
    names: list[str] = []
    begin = start
    while end > start and keys[end - 1] in _BOTH:
        end -= 1  # "the first and the second: save both"
    titled = {at for title in turn.reader.titles if title.whole for at in range(title.start, title.end)}
    joints = [at for at in range(start, end) if keys[at] in parted and at not in titled]
    marked = [at for at in joints if keys[at + 1 : at + 2] and keys[at + 1] in ("the", "that", "this")]
    for position in (*(marked or joints), end):
        if position > begin:
            selection = turn.reader.read(begin, position, one=True)
            bare = selection.given.keys() == {"words"} and not selection.noun
            cited = selection.given.keys() == {"authors", "since", "until"}  # "Lee 2020"
            single = selection.names or selection.definite or bare or cited
            paper = one_paper(selection, turn) if single and not selection.rest and not selection.unknown else One()
            if not paper.name or paper.calls:
                return []
            names += [paper.name] if paper.name != "@it" or not names else []  # "BERT, … about it"
        begin = position + 1
    return names if len(names) > 1 else []


def has_conditions(selection: PaperSelection) -> bool:
    """Whether the selection has any condition on papers."""
    return bool(
        selection.given
        or selection.also
        or selection.like
        or selection.like_words
        or selection.among is not None
        or bool(selection.pronoun)
    )


def steps(selection: PaperSelection, turn: MessageContext) -> tuple[tuple[ToolCall, ...], bool]:
    """Return the steps that choose and sort papers, and whether they continue with the papers mentioned before."""
    given = conditions_of(selection, turn)
    if number := other_number(selection, turn):
        matches = "1 paper that matches" if number == 1 else f"{number} papers that match"
        selection.taken.append(f"“the {selection.expected}” as the {matches}")
    calls: list[ToolCall] = []
    bare_order = selection.order and not has_conditions(selection) and not selection.noun and not selection.names
    onward = selection.onward or bool(bare_order and turn.context.candidates is not None)
    if (
        onward
        and not selection.place
        and turn.before
        and turn.before[-1].tool == "list"
        and turn.before[-1].arguments.get("limit")
    ):
        calls.append(call("take", papers=["@shown"]))
    if selection.among is not None:
        calls.append(call("take", papers=[f"#{number}" for number in selection.among]))
    elif selection.names:
        calls.append(call("take", papers=selection.names))
    if given or not (calls or selection.like or selection.like_words or onward):
        calls.append(ToolCall("filter", given))
    calls += [ToolCall("filter", more) for more in selection.also]
    if selection.like or selection.like_words:
        calls.append(call("resemble", papers=selection.like, words=selection.like_words))
    if selection.order:
        calls.append(call("rank", by=selection.order))
    return tuple(calls), onward


_OF_SHELF = frozenset(argument.name for row in ROWS if row.knows == "shelf" for argument in row.arguments)
"""Conditions that only saved papers can meet, or that say whether a paper is saved."""


def keep_to_list(selection: PaperSelection, turn: MessageContext) -> None:
    """Limit "the one that …" to the list before, or to the papers left out of it because they are not saved."""
    if selection.names or selection.onward or not selection.given or selection.like:
        return
    before = turn.before[0].arguments if turn.before and turn.before[0].tool == "filter" else {}
    unsaved = selection.ones and selection.given.get("saved") is False
    if before.get("saved") is True and (unsaved or selection.given == {"except_papers": ["@shown"]}):
        selection.given = {**before, "saved": False}  # "save the others", which that list left out
    elif (
        selection.ones
        and not selection.others
        and turn.context.candidates
        and numbers_of(replace(selection, onward=True), turn)
    ):
        selection.onward = True


def keep_to_shelf(selection: PaperSelection, turn: MessageContext) -> None:
    """Limit the papers that a message describes to those on the shelf, if there are any, unless it speaks of the whole
    library or of papers named or shown before."""
    conditions = {name for given in (selection.given, *selection.also) for name in given}
    elsewhere = selection.names or selection.onward or selection.like or selection.like_words or selection.whole
    elsewhere = elsewhere or selection.others or selection.among is not None
    if elsewhere or not conditions or conditions & _OF_SHELF:
        return
    every = numbers_of(selection, turn) or ()
    saved = turn.names.matching_among(filter_by(saved=True), every)
    if 0 < len(saved) < len(every):
        selection.add("saved", True)
        selection.unsaved = len(every) - len(saved)


def other_number(selection: PaperSelection, turn: MessageContext) -> int:
    """Return how many papers "the two …" or "both …" match; 0 if that is the number in the message, or none."""
    if not selection.expected or selection.order:
        return 0
    count = len(numbers_of(selection, turn) or ()) if has_conditions(selection) else selection.onward and turn.shown
    return count if count != selection.expected else 0


def conditions_of(selection: PaperSelection, turn: MessageContext) -> dict[str, Any]:
    """Return the arguments of the tool `filter`; a pronoun for a person means an author of the current paper."""
    given = dict(selection.given)
    if authors := people_meant(selection, turn):
        others = len(authors) > 1 and means_several(selection.pronoun)
        name, people = ("any_authors", authors) if others else ("authors", authors[:1])
        given[name] = [*given.get(name, ()), *people]
    return given


def means_several(pronoun: str) -> bool:
    """Whether words for people mentioned before mean all of them: "they", "her co-authors"."""
    return "author" in pronoun or not {"they", "them", "their"}.isdisjoint(pronoun.split())


def people_meant(selection: PaperSelection, turn: MessageContext) -> list[str]:
    """Return the people that the pronoun of a selection may mean: those mentioned before or, for "her co-authors",
    the other authors of the current paper."""
    people = authors_before(turn) if selection.pronoun else []
    if "co-author" not in selection.pronoun and "coauthor" not in selection.pronoun:
        return people
    focus = turn.context.focus or (turn.context.shown[0] if turn.shown else None)
    return [author for author in turn.names.authors_of(focus) if author not in people[:1]] if focus is not None else []


def authors_before(turn: MessageContext) -> list[str]:
    """Return the people mentioned before: the authors in the previous turn's filter, else those of the current
    paper."""
    for step in turn.before:
        authors = step.arguments.get("authors") or step.arguments.get("any_authors")
        if step.tool == "filter" and authors:
            return [str(author) for author in authors]
    focus = turn.context.focus or (turn.context.shown[0] if turn.shown else None)
    return turn.names.authors_of(focus) if focus is not None else []


def subject_before(turn: MessageContext) -> str:
    """Return the words, tags and authors by which the previous turn chose papers; "" if by none."""
    for step in turn.before:
        words = [text for name in ("words", "tags", "authors") for text in step.arguments.get(name, ())]
        if step.tool == "filter" and words:
            return " ".join(words)
    return ""


def numbers_of(selection: PaperSelection, turn: MessageContext) -> list[PaperId] | None:
    """Return the papers that a selection matches now; None if that is only known after its steps, or if a condition is
    too long to be read."""
    if selection.like or selection.like_words:
        return None
    try:
        given = FILTER_ARGUMENTS.model_validate({**conditions_of(selection, turn)})
    except ValidationError:
        return None
    among: Sequence[PaperId] | None = turn.named(selection.names) if selection.names else selection.among
    excepted = turn.named(given.except_papers) if given.except_papers else ()
    if (selection.names and among is None) or excepted is None:
        return None
    if selection.onward and among is None:
        among = turn.context.candidates
    paper_ids = [number for number in turn.names.matching_among(given.wanted, among) if number not in excepted]
    for more in selection.also:
        paper_ids = turn.names.matching_among(FILTER_ARGUMENTS.model_validate(more).wanted, paper_ids)
    return paper_ids


def found_by(calls: Sequence[ToolCall], turn: MessageContext) -> list[PaperId]:
    """Return the papers that steps filter from the library, before the last one does something with them; [] if other
    steps choose or order them, or if a condition is too long to be read."""
    among: list[PaperId] | None = None
    for step in calls if calls[-1].tool == "filter" else calls[:-1]:
        if step.tool != "filter" or "except_papers" in step.arguments:
            return []
        try:
            among = turn.names.matching_among(FILTER_ARGUMENTS.model_validate(step.arguments).wanted, among)
        except ValidationError:
            return []
    return among or []


@dataclass(frozen=True)
class One:
    """A single paper by name, with the steps that find it. Otherwise `several` candidates, or nothing."""

    name: str = ""
    calls: tuple[ToolCall, ...] = ()
    onward: bool = True
    several: tuple[PaperId, ...] = ()
    taken: tuple[str, ...] = ()


def one_paper(selection: PaperSelection, turn: MessageContext) -> One:
    """Return the single paper that a selection means: by name or place, the first in an order, or the only match."""
    if selection.names and not selection.given:
        return (
            One(selection.names[0])
            if len(set(selection.names)) == 1
            else One(several=turn.named(selection.names) or ())
        )
    if selection.order:
        calls, names, onward = papers_with(replace(selection, count=1), {}, turn)
        return One(names[0], calls, onward)
    if rest := others_of(selection, turn):
        return One(f"#{rest[0]}") if len(rest) == 1 else One(several=tuple(rest))
    if not has_conditions(selection):
        if turn.has_it and (selection.onward or not selection.noun or selection.definite):
            return One("@it")
        return One(several=tuple(turn.context.shown[:3])) if selection.onward else One()
    numbers = numbers_of(selection, turn) or []
    words = [word for text in selection.given.get("words", ()) for word in text.split()]
    if not numbers and selection.definite and words:  # "the sleep survey", "the bed nets trial"
        untyped = {name: value for name, value in selection.given.items() if name != "types"}
        numbers = numbers_of(replace(selection, given={**untyped, "words": words}), turn) or []
    one = (selection.definite or selection.single) and selection.given.keys() <= {"words", "types"}
    if not numbers and words and one and (nearest := turn.names.with_most(words)) is not None:
        title = "".join(turn.names.titles([nearest]))
        return One(f"#{nearest}", taken=(f"“{' '.join(words)}” as “{title}”",))
    if words:
        titled = set(turn.names.in_titles(words))
        by_title = [number for number in numbers if number in titled]
        numbers = by_title or (numbers if selection.single or selection.definite or len(selection.given) > 1 else [])
    return One(f"#{numbers[0]}") if len(numbers) == 1 else One(several=tuple(numbers))


def others_of(selection: PaperSelection, turn: MessageContext) -> list[PaperId]:
    """Return the papers of the list before that are not shown now: "the other one"; [] if nothing else is meant."""
    if not (selection.others and selection.definite) or selection.given.keys() - {"except_papers"} or selection.order:
        return []
    context = turn.context
    now = set(context.shown) or ({context.focus} if context.focus is not None else set())
    lists = (context.candidates, *reversed(context.earlier))
    return next(([n for n in numbers if n not in now] for numbers in lists if numbers and not now >= {*numbers}), [])
