"""Acts: actions of a conversation without a model, each with the words that ask for it in any order."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

from agents.reading.choosing import (
    MessageContext,
    chosen,
    each_named,
    has_conditions,
    keep_to_list,
    keep_to_shelf,
    one_paper,
    other_number,
    people_meant,
)
from agents.reading.cues import NOUNS
from agents.reading.reading import MessagePlan, Option, PaperSelection, ToolCall, Unknown
from agents.reading.tokens import written
from agents.tools.tool import PAGE
from cache.conditions.filters import filter_by
from cache.store import PaperId
from connectors.query.stopwords import STOP_WORDS

WORDS = {
    name: "".join(words.split())
    for name, words in (
        row.split(None, 1)
        for row in re.split(
            r"\n(?=\S)",
            """
PUT put|add|place|stick|attach|assign|apply|slap|pin|insert|append|include|move|file|pop|enter|set|use
GIVE give|grant|award
GETS get|gets|receive|have|has|carry|bear|be_given
SHOULD should|must|ought|gets|receives|needs|need|shall|deserve|deserves|want|wants|would_like
SAVE save|keep|bookmark|shelve|store|retain|stash|preserve
REMOVE
 remove|delete|drop|strip|erase|clear|discard|scrap|ditch|dump|purge|wipe|bin|trash|toss|lose|cut|strike|withdraw|
 eliminate|kill|unassign|get_rid_of|do_away_with|rid|take..off|take..out|take..away|take..from|throw..out|
 throw..away|throw..off|throw..from|kick..off|kick..out|kick..from|pull..off|pull..from|get..off|get..out|cross..off|
 chuck..out|chuck..away|clean..off|clean..out|out_with|away_with
SHELF
 shelf|library|collection|bookshelf|reading_list|saved_papers|saved|saved_list|my_list|my_papers|my_saved
EXTENT
 everywhere|anywhere|throughout|entirely|completely|altogether|wherever_it_is_used|everything_it_is_on|
 all_papers_it_is_on|everything_that_has_it|whatever_has_it
LABELS tag|tags|label|labels|keyword|category
NOTE note|notes|comment|comments|annotation|annotations|remark|remarks|memo|reminder
WRITE write|jot|scribble|record|make|leave|put|add|attach|save|stick|slap|note|append|enter|pop
MARK mark|set|return|flag|record|count|tick|register|consider|log|treat|put
DONE read|finished|reading|done
GOT_THROUGH
 read|finished|finish|completed|got_through|get_through|went_through|gone_through|been_through|made_it_through|
 got_round|done_with|worked_through
RATING rating|ratings|like|dislike|thumb|thumbs|vote|opinion|judgement|judgment
CHANGE change|edit|update|replace|rewrite|alter|modify|correct|amend|overwrite|turn|make|set
RENAME rename|relabel|retag|rechristen|respell
CITES citations|citation_count|citation_counts|number_of_citations|cites|citation|count_of_citations|times_cited
CITED cited|cite|cites|citing|quoted|quote|quotes
WROTE
 wrote|written|write|writes|authored|penned|published|made|coauthored|co-authored|came_up_with|come_up_with|
 invented|proposed|introduced
APPEARED
 published|publish|appear|appeared|appears|come_out|came_out|came|come|comes|out|printed|released|presented|issued|
 written|posted|uploaded|put_out|come..out|came..out|go_online|went_online|publication|published_in
SAY say|says|said|find|found|finds|report|reports|conclude|show|claim|argue|tell|state|teach|reveal|suggest
EXPORT export|download|print|output|format|convert|generate|produce
BIBLIOGRAPHY
 bibliography|reference_list|list_of_references|works_cited|literature_list|citation|citations|reference|references|
 citation_entry|entry|entries|bib_file|bib_entry|record|records|file|bibliographies
SEARCH search|look|hunt|browse|google|query|scout|trawl|find|fetch
ONLINE
 online|on_the_web|in_the_sources|from_the_sources|on_the_internet|the_web|the_internet|the_sources|the_literature|
 sources|elsewhere|out_there|outside_my_library
NEW new|fresh|further|additional|newer|recent|latest|more
SUMMARIZE summarize|sum_up|sum..up|summary|overview|synopsis|digest|recap|abridge|condense|outline|gist|boil..down
COMPARE
 compare|contrast|comparison|difference|differences|differ|versus|vs|how..different|in_common|compared|juxtapose|
 similarities|stack_up|stacks_up|measure_up|side_by_side
RECOMMEND recommend|suggest|recommendation|recommendations|suggestions|suggestion|advise|propose|recommended
LIKED like|love|liked|loved|enjoyed|enjoy|adore|adored|appreciated
HATED dislike|disliked|hate|hated|loathe|loathed|detest|detested
""".strip(),
        )
    )
}
"""Words with one meaning in the table of acts. `_` joins the words of a phrase, `..` stands for any words between."""

LABELS, EXTENT = (frozenset(WORDS[name].split("|")) for name in ("LABELS", "EXTENT"))
Phrase = tuple[str, ...]


class Anchor(NamedTuple):
    """Alternative phrases of a pattern, the longest first, and how much each tells: a function word little."""

    phrases: tuple[Phrase, ...]
    firsts: frozenset[str]
    weight: float


class Pattern(NamedTuple):
    """Words that ask for an act together: `anchors` must occur and `optional` may, in any order, beside the values of
    `slots`. The first anchor of the mood "!" is the verb of an order, of "." what the person did; "?" is a question to
    be answered with yes or no; the anchors of ">" stand in their order, and no other words before them."""

    mood: str
    anchors: tuple[Anchor, ...]
    optional: tuple[Anchor, ...]
    slots: frozenset[str]


FUNCTION = 0.3
"""How much a function word tells, or counts if it is left over, beside another word."""
_GAP = 2
"""Maximum number of characters between two words that stand side by side."""


def pattern(text: str) -> Pattern:
    """Parse a pattern: `a|b` are alternatives, `[a]` is optional, `{a}` is a slot, a word in capitals is from
    `WORDS`."""
    mood, *parts = text.split() if text[0] in "!.?>" else ("", *text.split())
    anchors = tuple(_anchor(part) for part in parts if part[0] not in "{[")
    optional = tuple(_anchor(part.strip("[]")) for part in parts if part[0] == "[")
    return Pattern(mood, anchors, optional, frozenset(part.strip("{}") for part in parts if part[0] == "{"))


def _anchor(text: str) -> Anchor:
    spelled = "|".join(WORDS.get(part, part) for part in text.split("|"))
    phrases = dict.fromkeys(tuple(each.replace("..", "_.._").split("_")) for each in spelled.split("|") if each)
    ordered = tuple(sorted(phrases, key=lambda words: -len(words)))
    tells = any(word not in STOP_WORDS for words in ordered for word in words)
    return Anchor(ordered, frozenset(words[0] for words in ordered), 1.0 if tells else FUNCTION)


@dataclass(frozen=True)
class MatchedMessage:
    """A message, or a part of it, whose words ask for an act, with the tokens of each slot. If `given` is set, this
    selection fills the slots for papers. `selections` are what the plan read from slots, `texts` the slots that it used
    as text."""

    turn: MessageContext
    spans: Mapping[str, tuple[int, int]]
    given: PaperSelection | None = None
    selections: list[tuple[str, PaperSelection]] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)

    def papers(self, slot: str = "papers", *, one: bool = False, shelf: bool = False) -> PaperSelection:
        """Return the papers that a slot means; with `shelf`, those of the slot "papers" that are saved, if any are."""
        start, end = self.spans.get(slot, (0, 0))
        if self.given is not None:
            selection = self.given if slot in self.spans else PaperSelection()
        else:
            selection = self.turn.reader.read(start, end, one=one)
        if shelf and slot == "papers" and not (one and is_singular(selection)):
            keep_to_shelf(selection, self.turn)
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
        parted = any(first.end + _GAP < second.start for first, second in pairwise(tokens))
        text = self.turn.message[tokens[0].start : tokens[-1].end] if tokens and not parted else written(tokens)
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
        used_text = [str([*call.arguments.values()]).casefold() for call in calls]
        used = {*_WORDS.findall(" ".join(used_text))}
        rest = [*reading.rest]
        for slot, selection in self.selections:
            as_text = used if slot in self.texts else ()
            rest += [word for word in selection.rest if not {*_WORDS.findall(word.casefold())} <= {*as_text}]
        rest += [text.pronoun for text in selections if text.pronoun and not people_meant(text, self.turn)]
        numbers = {*map(int, re.findall(r"\d{1,9}", " ".join(used))), PAGE, self.turn.shown, None}
        rest += [f"{selection.count}" for selection in selections if selection.count not in numbers and calls]
        if calls and not _IS_FOUND.search(" ".join(used_text)):
            rest += [word for selection in selections for word in _unused(selection, calls, used)]
        reader = self.turn.reader
        for slot in self.spans.keys() - self.texts - {slot for slot, _ in self.selections}:
            unread = reader.tokens[slice(*self.spans[slot])]
            rest += [token.text for token in unread if reader.has_meaning(token) and token.key not in NOUNS]

        def all_of(name: str) -> tuple[Any, ...]:
            values = (value for selection in selections for value in getattr(selection, name))
            return tuple(dict.fromkeys((*getattr(reading, name), *values)))

        reply, options = reading.reply, reading.options
        if unsaved := max((selection.unsaved for selection in selections), default=0) if calls else 0:
            more = "1 more in the library is" if unsaved == 1 else f"{unsaved:,} more in the library are"
            reply = f"This is about your saved papers; {more} not on your shelf.\n{reply}".strip()
            options = (*options, Option("{}", tuple(map(_of_library, calls)), reading.onward))
        for selection in selections if calls and calls[-1].tool != "list" else ():
            if number := other_number(selection, self.turn):
                reply = f"{number:,} paper{'s match' if number > 1 else ' matches'}, not {selection.expected}."
                reading, calls, options = replace(reading, understood=False), (), (Option("{}", calls, reading.onward),)
        return replace(
            reading,
            calls=calls,
            reply=_contradiction(against) if against else reply,
            options=options,
            rest=tuple(dict.fromkeys(rest)),
            unknown=all_of("unknown"),
            taken=all_of("taken"),
        )


_WORDS = re.compile(r"\w+")
_IS_FOUND = re.compile(r"#\d| in \(")
"""What steps name papers by, if the reader has found them: their numbers."""


def _unused(selection: PaperSelection, calls: Sequence[ToolCall], used: Set[str]) -> Iterator[str]:
    """Yield the conditions of a selection that no step has."""
    arguments = {name for call in calls for name in call.arguments}
    for name, value in (pair for given in (selection.given, *selection.also) for pair in given.items()):
        if isinstance(value, list):
            yield from (str(text) for text in value if not {*_WORDS.findall(str(text).casefold())} <= used)
        elif name not in arguments:
            yield from (term.row.name for term in filter_by(**{name: value}).terms)


Plan = Callable[[MatchedMessage], MessagePlan | None]
"""Returns the plan of an act for a sentence; None if the sentence asks for something else."""


class Act(NamedTuple):
    """An action that messages can ask for: its patterns, the plan for a match, its label and an example message."""

    name: str
    patterns: tuple[Pattern, ...]
    plan: Plan
    label: str
    example: str

    @property
    def words(self) -> frozenset[str]:
        """The words of the patterns."""
        anchors = (anchor for row in self.patterns for anchor in (*row.anchors, *row.optional))
        return frozenset(word for anchor in anchors for phrase in anchor.phrases for word in phrase)


class ActFit(NamedTuple):
    """An act with the reading of a message for it; a lower `cost` fits better. `papers` are those of its first slot,
    `words` the positions of the words that ask for the act."""

    act: Act
    reading: MessagePlan
    cost: float
    papers: PaperSelection | None = None
    words: frozenset[int] = frozenset()


def fixed_plan(*calls: ToolCall, reply: str = "") -> Plan:
    """Return a plan with the same steps or the same reply whatever the slots hold."""
    return lambda sentence: MessagePlan(calls=calls, reply=reply)


def acts(table: str, plans: Mapping[str, Plan]) -> tuple[Act, ...]:
    """Return the acts of a table. A row is a line with name, label and example, and indented lines below with the
    patterns, separated by semicolons."""
    return tuple(
        Act(name, patterns(text), plans[name], label, example) for (name, label, example), text in rows_of(table, 3)
    )


def rows_of(table: str, width: int) -> Iterator[tuple[list[str], str]]:
    """Yield the `width` cells of each row of a table, and its patterns."""
    for row in re.split(r"\n(?=\S)", table.strip()):
        head, _, text = row.partition("\n")
        yield [cell.strip("- ") for cell in re.split(r"(?<=\s)\|(?=\s)", head, maxsplit=width - 1)], text


def patterns(text: str) -> tuple[Pattern, ...]:
    """Return the patterns in a text, which semicolons separate."""
    text = re.sub(r"\|\s+", "|", text)
    return tuple(pattern(" ".join(part.split())) for part in text.split(";") if part.strip())


def _of_library(step: ToolCall) -> ToolCall:
    """Return a step without the condition that papers are saved."""
    return ToolCall(step.tool, {name: value for name, value in step.arguments.items() if name != "saved"})


def _contradiction(against: Mapping[str, Any]) -> str:
    """Return the sentence that two conditions exclude each other."""
    name, values = next(iter(against.items()))
    terms = [term for value in values for term in filter_by(**{name: value}).terms]
    states = " and ".join(f"{'not ' if term.negated else ''}{term.row.name}" for term in terms)
    return f"No paper can be {states} at once."


_ASKING = frozenset((",", word) for word in ("which", "what", "who", "how"))
"""Words that begin a question behind papers: "unlike the first, which are on bees?" asks for no change."""
_EACH = frozenset({"each", "every", "all"})
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
        return MessagePlan(calls=(*paper.calls, *plan(paper.name)), onward=paper.onward, taken=paper.taken)
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
    sentence: MatchedMessage, make: Callable[[tuple[str, ...]], ToolCall], *, one: bool = False, shelf: bool = True
) -> MessagePlan | None:
    """Return the plan of a change; `make` returns the step for named papers, with `one` for a single paper, with
    `shelf` for saved ones if any are."""
    turn = sentence.turn
    words = sentence.words("papers") if sentence.has("papers") else []
    if any(pair in _ASKING for pair in pairwise(words)):
        return None
    sentence.texts.discard("papers")
    if several := each_named(*sentence.spans.get("papers", (0, 0)), turn):
        sentence.texts.add("papers")
        names = [(name,) for name in several] if one else [tuple(several)]
        return MessagePlan(calls=tuple(map(make, names)), onward=True)
    selection = sentence.papers(one=True, shelf=shelf)
    keep_to_list(selection, turn)
    default: tuple[str, ...] = ()
    if not sentence.has("papers"):
        default = ("@it",) if turn.has_it else ("@shown",) if turn.shown else ()
    single = _EACH.isdisjoint(words) and (selection.single or (selection.definite and is_singular(selection)))
    if (one or single) and not selection.names:
        reading = about_one(selection, turn, lambda name: (make((name,)),))
        if reading.calls or reading.options or (reading.unknown and selection.definite):
            return reading
    choice = chosen(selection, turn, default)
    unsaid = choice is not None and choice.calls == (ToolCall("filter"),) and not selection.whole
    if choice is None or unsaid:  # "tag the papers", before any were shown
        return no_papers()
    return MessagePlan(calls=(*choice.calls, make(choice.names)), onward=choice.onward)
