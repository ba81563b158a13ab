"""Read a message: choose the act that leaves the fewest words unexplained, handle follow-ups, otherwise ask back."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from agents.reading.acts.act import Act, MatchedMessage, form, matches, no_papers
from agents.reading.acts.lists import CHANGING, LIST
from agents.reading.acts.shelf import verbs_of_changes
from agents.reading.acts.table import ACTS
from agents.reading.acts.talk import small_talk_reply
from agents.reading.asking_back import asked_back
from agents.reading.choosing import MessageContext, has_conditions, one_paper
from agents.reading.cues import FILLERS, INTERJECTIONS, NEGATIONS, cue_words
from agents.reading.follow_ups import NO_LIST, agrees, followed_up, narrows, refuses, which_was_meant
from agents.reading.names import LibraryNames
from agents.reading.numbers import phrases
from agents.reading.questions import answered_by_papers, question_begin
from agents.reading.ranking import is_possible, ranked
from agents.reading.reader import MessageReader
from agents.reading.reading import MessagePlan, Option, ToolCall, paper_named
from agents.reading.tokens import tokens_of
from agents.tools.tool import ToolContext
from cache.store import PaperId

_COURTESY = FILLERS.union(("finally",)) - frozenset(
    "of in on at from by into with for about up over around out as but among within between have got has had did does"
    " what which".split()
)
_BEFORE_COURTESY = frozenset(
    "dear send help mind glad love great cool nice perfect wish right alright believe think curious quickly"
    " first remind trying go ahead much lot if whether no".split()
).union(INTERJECTIONS)
"""Words without a meaning before a courtesy or a punctuation mark."""
_BEHIND = phrases(
    "please|thanks|thank you|for me|?|!|.|now|then|spar|if you can|if possible|, please|ok|too|again|as well|first|"
    "in one sentence|in a sentence|in a few words|in short|briefly|in brief|do i have|do we have|are there|have i got|"
    "everywhere|, what do i have|, what have i got|a lot|so far|and so on|and the like|until now|up to now|if it is"
    " possible|if that is possible|if you do not mind|if you would|would you|will you|could you|right now|today|instead"
    "|,"
) + tuple(
    ("in", *number.split(), unit)
    for number in ("a few", "few", "a couple of", *"two three four five 2 3 4 5 10 50 100 200".split())
    for unit in ("sentences", "lines", "words", "paragraphs", "points")
)
_MARKS = frozenset(".,:;!?-")
_DETERMINERS = frozenset("the my our all this that these those both it them everything".split())
_SHOWS = frozenset({"list", "count", "fact"})
"""Acts that no verb of a change asks for."""
_MOST_FORMS = 40
"""Maximum number of matches of one form to try per message."""


def read_message(turn: MessageContext) -> MessagePlan:
    """Return the reading of a message, or a question back if a word is left over or no act matches."""
    end = len(turn.reader.keys)
    if not any(map(str.isalnum, "".join(turn.reader.keys))):
        return MessagePlan(reply="Say what you would like to know or do.", understood=False)
    if (talk := small_talk(turn)) is not None:
        return talk
    if (request := _behind_small_talk(turn)) is not None:
        return read_message(request)
    if agrees(turn.message):
        return MessagePlan(reply="No change is waiting for a yes. Nothing was done.", understood=False)
    if refuses(turn.message) and not turn.pending:
        return MessagePlan(reply="Nothing was done.")
    if (settled := which_was_meant(turn)) is not None:
        return settled
    if (question := _of_first(turn)) is not None:
        return question
    best = _best(turn, 0, end)
    if turn.failed is not None and best.is_whole and narrows(turn):
        before = tuple(call for call in turn.failed if call.tool == "filter")
        options = (*[Option("{}", (*before, *best.calls))] * bool(before), Option("{}", best.calls, best.onward))
        return MessagePlan(reply=NO_LIST, understood=False, options=options)
    if best.act == LIST.name or not (best.is_whole and best.understood):
        followed = followed_up(turn)
        if followed is not None and followed.is_whole:
            return followed
    if not best.is_whole:
        parted = _in_parts(turn, end)
        if parted is not None:
            return parted
    if best.options and not best.understood and not best.rest:
        return best
    fits = [] if best.is_whole and best.understood else ranked(turn)
    answered = answered_by_papers(turn, best, question_begin(turn, _starts(turn.reader.keys, 0, end)))
    meant = answered or best
    if meant.is_whole and meant.understood:
        about_it = any(map(_is_it, meant.calls)) and not turn.has_it
        if not about_it or turn.shown:
            return _about_it(meant, turn) if about_it else meant
        best = no_papers()
    return asked_back(turn, best, fits, lambda message: read_message(turn_of_words(turn, message)))


def _of_first(turn: MessageContext) -> MessagePlan | None:
    """Return the reading of a request behind the paper that it is about: "the second - who wrote it?"; None if the
    message does not begin with a paper."""
    keys = turn.reader.keys
    for position in (at for at in range(1, len(keys) - 1) if keys[at] in _MARKS):
        topic = turn.reader.read(0, position, one=True)
        if topic.rest or topic.unknown or not (topic.names or topic.single or topic.definite):
            continue
        paper = one_paper(topic, turn)
        numbers = turn.named([paper.name]) if paper.name and not paper.calls else None
        if numbers and len(numbers) == 1:
            about = replace(turn, context=replace(turn.context, focus=numbers[0]))
            reading = _best(about, position + 1, len(keys))
            if reading.is_whole and reading.understood and any(map(_is_it, reading.calls)):
                return replace(reading, calls=_about(paper.name, reading.calls), onward=True)
    return None


def small_talk(turn: MessageContext, end: int | None = None) -> MessagePlan | None:
    """Return the reply to small talk such as thanks and greetings, in the words up to `end`; None for others."""
    reply = small_talk_reply(turn.reader.keys[:end])
    return MessagePlan(reply=reply) if reply else None


def _behind_small_talk(turn: MessageContext) -> MessageContext | None:
    """Return the context of the request behind a greeting or thanks: "Good morning! Which are unread?"; None if the
    message does not begin so."""
    keys = turn.reader.keys
    end = next((at for at, key in enumerate(keys) if not any(map(str.isalnum, key))), 0)
    if not end or small_talk(turn, end) is None:
        return None
    other = turn_of_words(turn, turn.message[turn.reader.tokens[end].end :].lstrip())
    return replace(other, retried=turn.retried) if any(map(str.isalnum, "".join(other.reader.keys))) else None


def _about_it(reading: MessagePlan, turn: MessageContext) -> MessagePlan:
    """Ask which of the papers shown last "it" means."""
    numbers = turn.context.shown[:5]
    titles = turn.names.titles(numbers)
    options = (
        Option(f"“{title}”", _about(f"#{number}", reading.calls), reading.onward)
        for number, title in zip(numbers, titles, strict=False)
    )
    reply = f"That could mean each of the {turn.shown} papers shown last."
    return replace(reading, understood=False, calls=(), reply=reply, options=tuple(options))


def _about(name: str, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the steps with the paper of this name in place of "it"."""
    return tuple(_renamed(call, [name]) if _is_it(call) else call for call in calls)


def _is_it(call: ToolCall) -> bool:
    return "@it" in (*call.arguments.get("papers", ()), call.arguments.get("paper"))


def _best(turn: MessageContext, start: int, end: int) -> MessagePlan:
    """Return the reading of these words that leaves the fewest of them unexplained."""
    best, least = MessagePlan(understood=False), (10_000, 0, 0, 0)
    verb = _changing_verb(turn.reader.keys, start, end)
    for position, (act, spans, literal, passed) in enumerate(_formed(turn, start, end)):
        sentence = MatchedMessage(turn, spans)
        reading = act.plan(sentence)
        if reading is None or not is_possible(reading):
            continue
        reading = sentence.accounted(reading)
        if verb and not any(call.tool in CHANGING for call in reading.calls) and act.name.partition(":")[0] in _SHOWS:
            reading = replace(reading, rest=tuple(dict.fromkeys((verb, *reading.rest))))
        left = len(reading.rest) + 2 * len(reading.unknown) + (not reading.understood and not reading.options)
        rank = (
            4 * left
            + 3 * (not reading.understood and bool(reading.options))
            + reading.weak
            - min(literal, 3) * (act is not LIST),
            -literal,
            passed,
            position,
        )
        if rank < least:
            best, least = replace(reading, act=act.name), rank
    return best


def _changing_verb(keys: Sequence[str], start: int, end: int) -> str:
    """Return the verb of a request that can only be for a change, as in "tag the first"; "" if there is none."""
    begins = max(position for position in _starts(keys, start, end) if position == start or position < end - 1)
    is_order = keys[begins : begins + 1] and keys[begins] in verbs_of_changes() - FILLERS
    return keys[begins] if is_order and not _DETERMINERS.isdisjoint(keys[begins + 1 : begins + 2]) else ""


def _formed(turn: MessageContext, start: int, end: int) -> Iterator[tuple[Act, dict[str, tuple[int, int]], int, int]]:
    """Yield the acts with a form that the words from `start` to `end` match, with or without courtesies around it: the
    act, its slots, the number of fixed words, and the number of courtesy words at the end."""
    keys = turn.reader.keys
    present = frozenset(keys[start:end])
    ends = sorted(_ends(keys, start, end))
    starts = list(_starts(keys, start, end))
    for act, text, literal in forms_with(present):
        elements = form(text)
        tried = 0
        for first in starts:
            for last in ends:
                for spans in matches(elements, keys, first, last):
                    tried += 1
                    if tried > _MOST_FORMS:
                        break
                    yield act, dict(spans), literal, end - last
    for first in starts:
        if first == start or not (FILLERS | _MARKS).issuperset(keys[start:first]):
            yield from ((LIST, {"papers": (first, last)}, 0, end - last) for last in ends if last > first)


def _starts(keys: Sequence[str], start: int, end: int) -> Iterator[int]:
    """Yield the possible starts of the message: its first word, and each word after nothing but courtesies."""
    yield start
    for position in range(start, end - 1):
        key, behind = keys[position : position + 2]
        says = key not in _COURTESY and any(map(str.isalnum, key))
        if key in _BEFORE_COURTESY:
            says = behind not in _COURTESY | _BEFORE_COURTESY and any(map(str.isalnum, behind))
        if says:
            return
        if any(map(str.isalnum, behind)):
            yield position + 1


def _ends(keys: Sequence[str], start: int, end: int) -> Iterator[int]:
    """Yield the possible ends of the message: its end, and the start of each courtesy there."""
    seen, open_ = {end}, [end]
    yield end
    while open_:
        position = open_.pop(0)
        for phrase in _BEHIND:
            before = position - len(phrase)
            if before > start and tuple(keys[before:position]) == phrase and before not in seen:
                seen.add(before)
                open_.append(before)
                yield before


def _in_parts(turn: MessageContext, end: int) -> MessagePlan | None:
    """Return both readings of a message with two requests, "save it and tag it thesis"; None unless both are
    understood."""
    keys = turn.reader.keys
    for position in range(1, end - 1):
        if keys[position] not in ("and", ",", "then", ";", ".", "but"):
            continue
        behind = position + 1
        while behind < end and keys[behind] in ("and", "then", "also", "please", ","):
            behind += 1
        if behind >= end:
            continue
        first = _best(turn, 0, position)
        if not (first.is_whole and first.understood and first.calls):
            continue
        second = _best(_after(turn, first), behind, end)
        listed = first.calls[-1].tool == "list"
        of_one = any(call.arguments.get("paper") == "@it" for call in second.calls)
        if listed and of_one:
            continue  # "it" could be any paper of the list
        if second.is_whole and second.understood and second.calls and second.act != "list":
            return _joined(first, second)
        selection = turn.reader.read(behind, end)
        if second.act == "list" and second.is_whole and selection.order and not has_conditions(selection):
            return replace(first, calls=(*(call for call in first.calls if call.tool != "list"), *second.calls))
    return None


def _after(turn: MessageContext, first: MessagePlan) -> MessageContext:
    """Return the context of a request behind another one: "it" or "them" can mean the papers of the first."""
    if paper_named(first.calls) not in ("", "@all"):
        return turn if turn.has_it else replace(turn, context=replace(turn.context, focus=PaperId(0)))
    if turn.shown or first.calls[-1].tool not in CHANGING:
        return turn
    several = (PaperId(0), PaperId(0))
    return turn_of_words(replace(turn, context=replace(turn.context, shown=several, candidates=several)), turn.message)


def _joined(first: MessagePlan, second: MessagePlan) -> MessagePlan:
    """Join two readings; "them" in the second means the papers of the first."""
    chooses = {"filter", "rank", "take", "resemble"}
    calls = [call for call in first.calls if call.tool != "list" or second.calls[0].tool == "list"]
    named = first.calls[-1].arguments
    names = named.get("papers") or ([named["paper"]] if "paper" in named else None)
    later = list(second.calls)
    if any(call.tool in chooses for call in first.calls):
        later = [_renamed(call, ["@all"] if names is None else names) for call in later]
    elif names is not None:
        later = [_renamed(call, names) for call in later]
    later = [call for call in later if call not in calls]
    return MessagePlan(act=second.act, calls=(*calls, *later), onward=first.onward, taken=(*first.taken, *second.taken))


def _renamed(call: ToolCall, names: Sequence[str]) -> ToolCall:
    """Replace "them" or "it" in a step with these names."""
    given = dict(call.arguments)
    if "papers" in given:
        before = ([*names] if name in ("@shown", "@it", "@all") else [name] for name in given["papers"])
        given["papers"] = [name for named in before for name in named]
    if given.get("paper") in ("@it", "@shown") and len(names) == 1:
        given["paper"] = names[0]
    return ToolCall(call.tool, given)


# The words of the table

_WORD = re.compile(r"[a-z]+")
_SLOT = re.compile(r"\{[^}]*\}")
SUBJECTS_TOO = frozenset(
    "data review reviews search searches test tests research learning deep query online study work".split()
)
"""Words of forms that are often subjects of papers too."""


@lru_cache(maxsize=1)
def _anchored() -> tuple[tuple[Act, str, tuple[frozenset[str], ...]], ...]:
    """Return each form with the alternatives for each of its fixed words."""
    rows = []
    for act in ACTS:
        for text in act.forms:
            parts = [part for part in text.split() if part[0] not in "{["]
            words = tuple([frozenset([alternative.split("_")[0] for alternative in part.split("|")]) for part in parts])
            rows.append((act, text, words))
    return tuple(rows)


def forms_with(present: frozenset[str]) -> Iterator[tuple[Act, str, int]]:
    """Yield the forms that a message with these words can match, each with its number of fixed words."""
    for act, text, anchors in _anchored():
        for words in anchors:
            if words.isdisjoint(present):
                break
        else:
            yield act, text, len(anchors)


@lru_cache(maxsize=1)
def own_words() -> frozenset[str]:
    """Return all words that the reader itself understands.

    If such a word is left over, the message asks for more than was understood. It is not a subject unless a cue
    introduces it.
    """
    text = " ".join([text for act in ACTS for text in act.forms])
    return (frozenset(_WORD.findall(_SLOT.sub(" ", text))) | cue_words() | FILLERS | NEGATIONS) - SUBJECTS_TOO


# The context of a message


def turn_of(
    message: str,
    context: ToolContext,
    today: date,
    before: Sequence[ToolCall] = (),
    *,
    before_onward: bool = False,
    pending: Sequence[ToolCall] = (),
    offered: Sequence[str] = (),
    failed: tuple[ToolCall, ...] | None = None,
) -> MessageContext:
    """Return the context of `message`; see `MessageContext` for `before`, `pending`, `offered` and `failed`."""
    names = LibraryNames(context.store)
    reader = MessageReader(
        tokens_of(message),
        names,
        today,
        shown=len(offered) or len(context.shown),
        focus=context.focus,
        candidates=context.candidates is not None,
        own=own_words(),
    )
    return MessageContext(
        message, reader, names, context, tuple(before), before_onward, tuple(pending), tuple(offered), failed=failed
    )


def turn_of_words(turn: MessageContext, message: str) -> MessageContext:
    """Return the same context for another message, which is read without asking back again."""
    return replace(turn, message=message, reader=turn.reader.of(tokens_of(message)), retried=True)
