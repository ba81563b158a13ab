"""Questions back for messages that were not fully understood: the words in doubt, and the nearest possible actions."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from math import exp
from typing import NamedTuple

from pydantic import ValidationError

from agents.builtin.ranking.word_vectors import is_common, is_known
from agents.builtin.text.terms import terms
from agents.reading.acts.act import WHICH, ActFit
from agents.reading.acts.likely import LikelyAct, likely_states
from agents.reading.acts.lists import COUNT
from agents.reading.acts.shelf import changing_acts
from agents.reading.choosing import MessageContext, conditions_of
from agents.reading.cues import INTERROGATIVES, NEGATIONS, NOUNS, state_of
from agents.reading.names import NEAR
from agents.reading.parts.words import near_words
from agents.reading.reading import MessagePlan, Option, ToolCall, Unknown, call
from agents.reading.tokens import folded
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from cache.conditions.wording import quoted

Again = Callable[[str], MessagePlan]
"""Reads another message instead of this one, without asking back."""
MOST = 3
"""Maximum number of options offered at once."""
_MOST_READ = 8
"""Maximum number of options looked for; some have no wording."""
_KINDS = {
    "author": "author called",
    "venue": "journal or conference called",
    "tag": "tag",
    "word": "paper with the word",
    "subject": "paper about",
    "name": "paper with the name or word",
    "note": "note with",
    "read": "paper that you marked as read",
    "stars": "stars: papers are liked or disliked, not",
    "paper": "paper that is called or about",
}


_NO_CHANGE = " Nothing was done."


class UnclearMessage(NamedTuple):
    """A message that was not understood: the acts that fit, how likely all acts are, its runs of whole clauses, the
    longest first, and how to read another message."""

    turn: MessageContext
    fits: Sequence[ActFit]
    likely: Mapping[str, LikelyAct]
    clauses: Sequence[str]
    again: Again

    def share(self, act: str) -> float:
        """Return the probability of an act."""
        return self.likely[act].share if act in self.likely else 0.0


def asked_back(unclear: UnclearMessage, reading: MessagePlan) -> MessagePlan:
    """Turn the reading into a question back: no action, and up to three options, the likely acts first."""
    turn, fits = unclear.turn, unclear.fits
    reading = replace(reading, unknown=(*reading.unknown, *_misspelt(turn, reading)))
    most = 1 if turn.retried else _MOST_READ
    options = tuple(islice(_distinct(turn, _options(unclear, reading)), most))
    unheld = [unknown for unknown in reading.unknown if unknown.kind == "unheld"]
    if unheld:
        what = quoted([part.text for part in unheld])
        return MessagePlan(
            act=reading.act,
            understood=False,
            options=options,
            reply=f"I cannot answer that: the library has no data on {what}. The text of a paper may say it.",
        )
    strange = [unknown for unknown in reading.unknown if unknown.text not in reading.rest]
    sentences = [f"Your library has no {_KINDS[unknown.kind]} “{unknown.text}”." for unknown in strange]
    misspelt = {part.text for part in reading.unknown if any(_is_like(part.text, near) for near in part.near)}
    names = [word for word in reading.rest if word not in misspelt and _is_strange_name(turn, word)]
    if names:
        sentences.append(f"Your library has no paper with the name or word {quoted(names[:3], 'or')}.")
    if rest := [word for word in reading.rest if word not in names]:
        sentences.append(f"I did not understand {quoted(rest[:6])}.")
    if reading.rest and reading.calls and not misspelt and not _finds(turn, reading.calls[0]):
        sentences.append("No paper matches the other words.")
    if not sentences:
        sentences.append(reading.reply or "I did not understand that.")
    lacking = [WHICH] if fits and fits[0].reading.reply == WHICH else []
    replies = [*([] if reading.calls else [reading.reply]), *lacking]
    sentences += [reply for reply in replies if reply and reply not in sentences]
    return MessagePlan(
        act=reading.act,
        understood=False,
        reply="\n".join([sentences[0].removesuffix(_NO_CHANGE) + _NO_CHANGE, *sentences[1:]]),
        options=options,
        rest=reading.rest,
        unknown=reading.unknown,
    )


def asked_between(
    turn: MessageContext,
    meant: MessagePlan,
    fit: ActFit | None,
    others: Sequence[ActFit],
    likely: Mapping[str, LikelyAct],
) -> MessagePlan | None:
    """Ask whether a message means what was read, the reading of `fit`, or one of the others; None if these can do
    nothing else."""
    options = (option for _, option in _acts_nearest(turn, others, likely, MessagePlan()))
    other = next((option for option in options if option.calls != meant.calls and _is_chosen(option.calls)), None)
    last = meant.calls[-1]
    shows = last.tool in ("export", "summarize", "list") or last.arguments.keys() == {"paper"}
    if other is None or (shows and _choosing(other.calls) == _choosing(meant.calls)):
        return None  # the same papers in another form or order
    both = (other, _called(turn, fit, meant.calls, meant.onward))
    return MessagePlan(act=meant.act, understood=False, reply=f"That could mean two things.{_NO_CHANGE}", options=both)


def _choosing(calls: Sequence[ToolCall]) -> Sequence[ToolCall]:
    """Return the steps that choose papers, before those that sort and show them."""
    return [step for step in calls[:-1] if step.tool != "rank"]


def _misspelt(turn: MessageContext, reading: MessagePlan) -> Iterator[Unknown]:
    """Yield the leftover words that no reader of a part has called unknown but that resemble known ones."""
    named = {word for unknown in reading.unknown for word in unknown.text.split()}
    for token in turn.reader.tokens:
        is_strange = token.text not in named and token.key not in turn.reader.own
        if token.text in reading.rest and is_strange and (near := near_words(turn.reader, token)):
            yield Unknown("word", token.text, near)


def _is_like(word: str, near: str) -> bool:
    """Whether two words differ by a few letters only."""
    from rapidfuzz import fuzz

    return fuzz.ratio(folded(word), folded(near)) >= NEAR


def _is_strange_name(turn: MessageContext, word: str) -> bool:
    """Whether a leftover word is written like a name, and no paper has it."""
    token = next((token for token in turn.reader.tokens[1:] if token.text == word), None)
    return (
        token is not None
        and token.is_capital
        and token.key not in turn.reader.own
        and not (turn.names.is_subject(word) or turn.names.is_author(word))
    )


def _options(unclear: UnclearMessage, reading: MessagePlan) -> Iterator[Option]:
    """Yield other meanings: with similar words in place of unknown ones, a clause alone, the likely acts, the message
    without the unknown words, a search."""
    turn, fits, again = unclear.turn, unclear.fits, unclear.again
    yield from () if reading.rest else reading.options
    nearest = _acts_nearest(turn, fits, unclear.likely, reading)
    if reading.reply == WHICH and not (reading.rest or reading.unknown):
        strange = dict.fromkeys(part for fit in fits for part in fit.reading.unknown if _is_slip(turn, part))
        yield from () if turn.retried else islice(_with_nearest(turn, [*strange], again), 1)
        yield from (*(option for _, option in islice(nearest, MOST - 1)), _SAVED_LAST)
        return
    if not turn.retried:
        requests = (_read_again(clause, again) for clause in unclear.clauses[:_MOST_CLAUSES])
        parts = (option for option in requests if option and option.calls[0] != ToolCall("filter"))
        yield from islice((option for option in parts if option.calls[-1].tool != "ask_papers"), 1)
    slips = [part for part in reading.unknown if part.kind != "word" or _is_slip(turn, part)]
    if slips and not turn.retried:
        yield from _with_nearest(turn, slips, again)
    words = [
        token.text
        for token in turn.reader.tokens
        if token.key not in turn.reader.own | NOUNS and turn.reader.has_meaning(token)
    ]
    is_topic = any(turn.names.is_subject(word) or all(map(is_known, terms(word))) for word in words)
    named = any(unknown.kind != "word" for unknown in reading.unknown)  # which other papers may have
    elsewhere: list[tuple[float, Option]] = []
    if is_topic:
        elsewhere.append((unclear.share("search") + named, Option("{}", (call("search", question=" ".join(words)),))))
    changes = not fits or fits[0].act.name in {COUNT.name, *changing_acts()}
    if not (INTERROGATIVES.isdisjoint(turn.reader.keys) or changes):
        asking = call("ask_papers", question=turn.message[:_LONGEST])
        elsewhere.append((unclear.share("ask") + named, Option("{}", (asking,))))
    options = sorted([*islice(nearest, MOST), *elsewhere], key=lambda row: -row[0])
    yield from (option for _, option in options)
    if len(slips) < len(reading.unknown) and not turn.retried:
        yield from _with_nearest(turn, reading.unknown, again)
    yield from (option for fit in fits if fit.reading.calls for option in fit.reading.options)
    yield from _ALWAYS


def _with_nearest(turn: MessageContext, unknown: Sequence[Unknown], again: Again) -> Iterator[Option]:
    """Yield the papers with titles similar to an unknown one, and options for the message with every unknown name
    replaced by the most similar one, then with the second most similar one in one place."""
    titles = [near for part in unknown if part.kind == "paper" for near in part.near[:2]]
    yield from (Option(f"“{title}”", (call("paper", paper=title),), True) for title in titles)
    for other in (None, *(part for part in unknown if len(part.near) > 1)):
        message = turn.message
        for slip, word in turn.slips:
            message = _replaced(message, slip, word)
        for part in unknown:
            message = _replaced(message, part.text, part.near[part is other]) if part.near else message
        if message != turn.message and (option := _read_again(message, again, beside=turn.message)) is not None:
            yield option
    people = [near for part in unknown for near in part.near[:1] if turn.names.is_author(near)]
    yield from (Option("{}", (call("filter", authors=[person]), ToolCall("list"))) for person in people)


def _replaced(message: str, text: str, near: str) -> str:
    start = message.casefold().find(text.casefold())
    return message if start < 0 else f"{message[:start]}{near}{message[start + len(text) :]}"


def _read_again(message: str, again: Again, *, beside: str = "") -> Option | None:
    """Return the actions of another message as an option; None if it is not fully understood, not even without words
    that it has in common with `beside`."""
    reading = again(message)
    if not (reading.is_whole and reading.understood and reading.calls):
        shared = all(word in beside for word in reading.rest)
        return next((option for option in reading.options[:1] if shared and option.label.startswith("{}, ")), None)
    return Option(f"“{message.strip()}”", reading.calls, reading.onward)


def _finds(turn: MessageContext, step: ToolCall) -> bool:
    """Whether any paper matches the conditions of a step; True if it has none, or too long ones."""
    try:
        wanted = FILTER_ARGUMENTS.model_validate(step.arguments).wanted if step.tool == "filter" else None
    except ValidationError:
        return True
    return wanted is None or not wanted.terms or bool(turn.names.matching_among(wanted, None))


def _is_slip(turn: MessageContext, word: Unknown) -> bool:
    """Whether an unknown word is no word of English, or nearly one of the reader: "form" for "from", not "hand" for
    "had"."""
    near = [near for near in word.near if near in turn.reader.own | NOUNS]
    if is_common(folded(word.text)):
        return any(sorted(each) == sorted(folded(word.text)) for each in near)
    return bool(near) or not all(map(is_known, terms(word.text)))


def _leaves_negated(turn: MessageContext, strange: Set[str]) -> bool:
    """Whether, without the words `strange`, a message loses a "not" but keeps what it negates, and so would mean the
    opposite."""
    keys = [token.key for token in turn.reader.tokens if turn.reader.has_meaning(token)]
    return any(key in NEGATIONS & strange and behind not in strange for key, behind in pairwise((*keys, "")))


def _without(calls: Sequence[ToolCall], strange: set[str]) -> tuple[ToolCall, ...]:
    """Return the steps without the unknown words; () if the rest no longer says which papers."""
    left: list[ToolCall] = []
    for step in calls:
        given = dict(step.arguments)
        if step.tool == "filter":
            for name in _TEXTS & given.keys():
                phrases = (
                    " ".join(word for word in text.split() if folded(word) not in strange) for text in given[name]
                )
                given[name] = [text for text in phrases if text]
            given = {name: value for name, value in given.items() if value != []}
            if not given and (step.arguments or all(other.tool != "rank" for other in calls)):
                return ()
        left.append(ToolCall(step.tool, given))
    return tuple(left)


def _distinct(turn: MessageContext, options: Iterator[Option]) -> Iterator[Option]:
    """Yield the options that differ and whose conditions papers of the library meet, or that correct the message. A
    list says what a count does."""
    seen: list[Sequence[ToolCall]] = []
    for option in options:
        counted = option.calls[:-1] if option.calls[-1:] == (ToolCall("list"),) else option.calls
        if _can_find(turn, option) and counted not in seen and _is_chosen(option.calls):
            seen.append(counted)
            yield option


def _can_find(turn: MessageContext, option: Option) -> bool:
    """Whether papers of the library meet the conditions of an option, or it corrects the message."""
    steps = (*option.told, *option.calls)
    return option.label.startswith("“") or (bool(steps) and _finds(turn, steps[0]))


def _acts_nearest(
    turn: MessageContext, fits: Sequence[ActFit], likely: Mapping[str, LikelyAct], reading: MessagePlan
) -> Iterator[tuple[float, Option]]:
    """Yield the acts that the message most likely asks for, one of each kind, with the slots that it fills, without the
    words that were not understood; with a score of how likely they are and how well they fit."""
    kinds: set[str] = set()
    own = next((fit for fit in fits if fit.act.name == reading.act), None)
    readings = [(reading, own), *((fit.reading, fit) for fit in fits if fit is not own)]
    rows = [(*likely.get(meant.act, LikelyAct(0.0, meant.act)), meant, fit) for meant, fit in readings]
    scores = [share * exp(-_LEFT * (fit.cost if fit else 0)) for share, _, _, fit in rows]
    states = cache(lambda: likely_states(turn.reader))  # the model is loaded only if a reading leaves words over
    for score, (_, kind, meant, fit) in sorted(zip(scores, rows, strict=True), key=lambda row: -row[0]):
        if kind in kinds:
            continue
        option = next(_left_out(turn, meant, fit), None)
        for each in (_with_states(states, meant, option), option):
            if each is not None and _can_be_done(each.calls, turn) and _can_find(turn, each):
                kinds.add(kind)
                yield score, each


_IS_SAID = 0.5
"""Minimum probability of a state that is offered as a condition."""


def _with_states(
    states: Callable[[], Mapping[str, float]], reading: MessagePlan, option: Option | None
) -> Option | None:
    """Return an option, or what was read, with the states and the order of papers that the words left over likely mean,
    such as "still waiting for me"; None if they mean none."""
    calls = option.calls if option is not None else reading.calls
    if not reading.rest or (option is not None and option.told) or not (calls and calls[0].tool == "filter"):
        return None
    given, behind = dict(calls[0].arguments), calls[1:]
    for state, share in states().items():
        name, value = state_of(state)
        if share >= _IS_SAID and name != "order":
            given.setdefault(name, value)
        elif share >= _IS_SAID and behind and all(step.tool != "rank" for step in behind):
            behind = (*behind[:-1], call("rank", by=value), *behind[-1:])
    steps = (ToolCall("filter", given), *behind)
    return Option("{}", steps, reading.onward) if steps != calls else None


_LEFT = 0.25
"""How much the cost of a reading counts beside the logarithm of its probability."""


def _left_out(turn: MessageContext, reading: MessagePlan, fit: ActFit | None) -> Iterator[Option]:
    """Yield what was read of a message, without the words that were not understood."""
    left = list(dict.fromkeys((*reading.rest, *(unknown.text for unknown in reading.unknown))))
    strange = {folded(word) for text in left for word in text.split()}
    behind = f", without {quoted(left[:3])}" if left else ""
    if _leaves_negated(turn, strange):
        return
    if calls := _without(reading.calls, strange):
        option = _called(turn, fit, calls, reading.onward)
        yield option._replace(label=option.label + behind)
        return
    yield from (option._replace(label="{}" + behind) for option in reading.options)


def _is_chosen(calls: Sequence[ToolCall]) -> bool:
    """Whether steps that change, export or summarize papers do so to papers that were chosen, not to all."""
    return len(calls) < 2 or calls[0] != ToolCall("filter") or calls[-1].tool in ("list", "query")


def _can_be_done(calls: Sequence[ToolCall], turn: MessageContext) -> bool:
    """Whether "it", if the steps use it, means one paper, and "these" means any."""
    names = {name for step in calls for name in (*step.arguments.get("papers", ()), step.arguments.get("paper"))}
    return (turn.has_it or "@it" not in names) and (turn.shown > 0 or "@shown" not in names)


def _called(turn: MessageContext, fit: ActFit | None, calls: tuple[ToolCall, ...], onward: bool) -> Option:
    """Return an act as an option; for a fact or a query, the label of the act describes the step."""
    tool, label = calls[-1].tool, fit.act.label if fit else ""
    if tool == "paper" and "a paper" in label:
        return Option(label.replace("a paper", f"“{calls[-1].arguments['paper']}”"), calls, onward)
    if tool != "query" or not label:
        return Option("{}", calls, onward)
    given = conditions_of(fit.papers, turn) if fit and fit.papers else {}
    return (
        Option(f"{label}, of {{}}", calls, onward, (ToolCall("filter", given),))
        if given
        else Option(label, calls, onward)
    )


_TEXTS = frozenset({"words", "any_words", "title_words", "without"})
"""Conditions on the words of papers."""
_MOST_CLAUSES = 4
"""Maximum number of runs of clauses that are read alone."""
_LONGEST = 2_000
_SAVED_LAST = Option(
    "show the papers saved last", (ToolCall("filter", {"saved": True}), call("rank", by="last_saved"), ToolCall("list"))
)
_ALWAYS = (_SAVED_LAST, Option("{}", (ToolCall("recommend"),)), Option("{}", (ToolCall("runs"),)))
"""Options that fit any message."""
