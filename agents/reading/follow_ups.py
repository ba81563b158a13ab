"""Messages that only make sense after another: "only the recent ones", "and hydrogen?", "anything else by her?"."""

import re
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

from agents.reading.choosing import (
    ChoosingSteps,
    MessageContext,
    One,
    chosen,
    has_conditions,
    numbers_of,
    one_paper,
    steps,
)
from agents.reading.cues import INTERJECTIONS, INTERROGATIVES, NEGATIONS
from agents.reading.numbers import phrases
from agents.reading.parts.cued import negation_at
from agents.reading.reading import MessagePlan, PaperSelection, ToolCall, named
from agents.reading.tokens import LONGEST, SENTENCE_ENDS, folded, last_word, tokens_of, written

_AGREES = frozenset(
    "y yes yep yeah yup sure ok okay k aye absolutely definitely certainly agreed agree confirm confirmed approved"
    " approve accepted accept granted correct exactly indeed ja oui si alright affirmative please".split()
)
_REFUSES = frozenset(
    "n no nope nah nay cancel stop abort not never nein non undo wait forget rejected reject declined decline refuse"
    " nevermind skip scrap against".split()
)
_UNDOES = frozenset("undo forget cancel never nevermind".split())
_DOES = frozenset("do go proceed apply execute perform".split())
_CHANGES = {
    word: frozenset(tools.split("|"))
    for word, tools in (
        pair.split("=")
        for pair in "save=save bookmark=save keep=save add=save|tag|note|remember append=note remove=unsave|tag"
        " delete=unsave|note drop=unsave|tag tag=tag|save label=tag mark=mark write=note|remember note=note"
        " remember=remember erase=note rename=tag like=mark rate=mark dismiss=mark".split()
    )
}
"""Words for a change, and the tools that make it."""
_BESIDE = frozenset(
    "thanks thank you then now spar it them that this these those all both so everything of course ahead on for the"
    " is are right fine good great perfect lovely well and just leave let be as was alone mind better rather i am me"
    " a my yet thing way really want did mean".split()
).union(INTERJECTIONS)
_UNSURE = frozenset("maybe perhaps probably possibly unsure guess suppose what huh eh".split())
_KNOWN = _AGREES | _REFUSES | _DOES | _CHANGES.keys() | _BESIDE | _UNSURE
_PHRASES = {
    "yes": "of course|that is fine|that is right|that is what i meant|sounds good|looks good|fine by me|make it"
    " so|why not"
    "|by all means|you may|you can|carry it out|carry on|go for it|works for me|no objections|no problem|that"
    " would be good"
    "|that would be great|that would be nice|that would be lovely|all good",
    "no": "hold on|not at all|i changed my mind|i have changed my mind|leave it|leave them|let it be|better not"
    "|rather not"
    "|not now|not yet|maybe later|do not bother|none of them|no way|keep it as it is|leave it as it is|that is wrong"
    "|keep it|keep them|actually keep it|not this time|absolutely not|certainly not|of course not",
}
"""Phrases for yes or no."""


def consent(text: str, tools: Collection[str] = ()) -> bool | None:
    """Return whether an answer to a proposed change is yes or no; None if it is neither or says anything else.

    A yes that names a change by none of `tools` is not consent: "remove it" when the proposal is to save.
    """
    words = _words(text)
    if not words or len(words) >= LONGEST or not _KNOWN.issuperset(words):
        return None
    agrees = any(word in _AGREES for word in words)
    if any(word in _REFUSES for word in words):
        return None if agrees and "please" not in words else False
    named = [_CHANGES[word] for word in words if word in _CHANGES]
    ordered = words[0] in _CHANGES and len(words) > 1
    if any(word in _UNSURE for word in words) or not (agrees or ordered or any(word in _DOES for word in words)):
        return None
    if tools and any(could.isdisjoint(tools) for could in named):
        return None
    return True if "?" not in text else None


def agrees(text: str) -> bool:
    """Whether a message says yes and nothing else."""
    return consent(text) is True and _CHANGES.keys().isdisjoint(_words(text))


def refuses(text: str) -> bool:
    """Whether a message says no and asks for nothing, such as to undo or to remove something."""
    words = {*_words(text)}
    return consent(text) is False and words.isdisjoint(_CHANGES.keys() | _UNDOES)


def is_doubtful(text: str, tools: Collection[str] = ()) -> bool:
    """Whether an answer only uses words for yes, no or a change, but is neither a clear yes nor a clear no: "yes and
    no", "maybe"."""
    words = _words(text)
    spoken = any(word in _AGREES | _REFUSES | _UNSURE or (word in _CHANGES and word == words[0]) for word in words)
    return bool(words) and spoken and _KNOWN.issuperset(words) and consent(text, tools) is None


def _words(text: str) -> list[str]:
    text_words = f" {' '.join(token.key for token in tokens_of(text) if any(map(str.isalnum, token.key)))} "
    for word, spellings in _PHRASES.items():
        for phrase in sorted(spellings.split("|"), key=len, reverse=True):
            text_words = text_words.replace(f" {phrase} ", f" {word} ")
    return text_words.split()


# Offers

_NUMBER = re.compile(
    r"(?:(?:no|please|yes|rather|then|ok(?:ay)?|i meant?|take|do|try)[ ,]+)*"
    r"(?:(?:reading|option|choice) )?(?P<n>[1-9])[.)!]?(?: (?:please|instead|then))?",
    re.IGNORECASE,
)
_LEAST_WORDS = 2
"""Minimum number of words that identify an option; a single word could be a new request."""


def taken(text: str, labels: Sequence[str]) -> int | None:
    """Return the index in `labels` of the option that `text` chooses; None if it matches none or several."""
    plain_text = " ".join(text.split()).strip(" .!?")
    if not labels or not plain_text:
        return None
    if number := _NUMBER.fullmatch(plain_text):
        position = int(number["n"]) - 1
        return position if position < len(labels) else None
    words = _plain(plain_text)
    if len(words) < _LEAST_WORDS:
        return None
    begun = [position for position, label in enumerate(labels) if _plain(label)[: len(words)] == words]
    return begun[0] if len(begun) == 1 else None


def _plain(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


_OTHER = phrases(
    "no ,|no , i meant|i meant|no , i mean|i mean|what about|how about|and what about|and how about|and|or|same for|"
    "the same for|same question for|the same question for|same thing for|the same thing for|same with|the same with|"
    "same again for|the same again for|once more for|again for"
)
_NARROWING = phrases(
    "only|just|only show|show only|but only|now only|and only|just the|keep only|narrow down to|"
    "narrow that to|narrow that down to|narrow it to|narrow this to|narrow this down to|narrow them down to|"
    "of those only|narrow to|restrict to|which ones|which|limit to|show me only|filter by|filter|"
    "of which|narrow it down to|keep|the ones|ones|ok only|the one|now just"
)
_LEAVING = phrases("remove|hide|cut|drop|throw out|take out|get rid of|kick out|filter out")
"""Verbs that remove papers from a list or, if there is none, change papers."""
_CORRECTING = frozenset(
    "no nope not wait , i meant mean typo just only rather actually instead please - but".split()
) | frozenset(INTERJECTIONS)
"""Words before the papers that the last change was meant for: "no wait, just the second one"."""
_CORRECTS = frozenset("no nope meant mean sorry oops wait typo".split())
_OF_PAPERS = frozenset({"save", "unsave", "tag", "note", "mark", "export"})
_DEFINITE = frozenset({"the", "that", "this"})
_TIMES = frozenset("older newer earlier later".split())
_MARKS = frozenset(",-:")
_FACETS = tuple(
    frozenset(names.split())
    for names in (
        "words any_words title_words tags", "authors any_authors", "venues", "since until years", "types", "read",
        "rating", "saved", "saved_since saved_until", "min_citations max_citations",
    )
)  # fmt: skip
"""Groups of conditions: a new one replaces the old ones of its group."""
_SINGLE = ({"venues"}, {"types"})
"""Conditions of which papers have one value, so that none can meet two."""


def followed_up(turn: MessageContext) -> MessagePlan | None:
    """Return the reading of a message that continues the previous request; None if it does not."""
    if not turn.before:
        return None
    keys, end = turn.reader.keys, last_word(turn.reader.keys)
    if not SENTENCE_ENDS.isdisjoint(keys[:end]):
        return None
    instead = end > 1 and keys[end - 1] == "instead"
    end -= instead
    if (corrected := _corrected(turn, keys, end, instead=instead)) or (corrected := _widened(turn, keys, end)):
        return corrected
    start = max(_behind(keys, _OTHER, end), _corrects(keys, end))
    meant = turn.reader.read(start, end, one=any("paper" in call.arguments for call in turn.before))
    replaces = _is_apart(meant, turn) or (turn.before_onward and _corrects(keys, end) and _replaces(meant, turn))
    if turn.context.earlier and not meant.onward and not meant.rest and replaces:
        return replace(_narrowed(turn, meant), calls=(ToolCall("undo"), *_narrowed(turn, meant).calls))
    other = _another(turn, _at_venue(turn, start, end) or meant, start) if start or instead else None
    if other is not None:
        return other
    if turn.context.candidates is None:
        return None
    begin = _behind(keys, _LEAVING, end)
    left_out = negation_at(turn.reader, begin - 1) if begin else None
    if left_out is not None and left_out.end == end:
        return _narrowed(turn, left_out.alone)
    added = start if {"words", "any_words", "authors"}.isdisjoint(meant.given) else 0  # "what about 2019?"
    start = _behind(keys, _NARROWING, end) or added
    selection = turn.reader.read(start or _corrects(keys, end) or _begin(keys), end)
    if selection.names or not (has_conditions(selection) or selection.order or selection.count) or selection.others:
        return None
    fragment = (
        keys[_begin(keys)] != "what"  # "what did I save today?" asks anew
        and (not selection.noun or "ones" in keys or keys[end - 1] == "one")
        and not ({"words", "any_words", "authors"} & selection.given.keys())
    )
    if not start and fragment and not selection.onward and _replaces(selection, turn, _SINGLE):
        return _another(turn, selection, start)
    if start or (fragment and not selection.pronoun) or selection.onward:
        return _narrowed(turn, selection)
    return None


NO_LIST = "The last request was not understood, so it left no list to narrow. Nothing was done."


def narrows(turn: MessageContext) -> bool:
    """Whether a message only narrows or sorts a list: "only the recent ones", "of which unread?", "sort by year"."""
    keys, end = turn.reader.keys, len(turn.reader.keys)
    only = _behind(keys, (*_NARROWING, ("and",)), end)
    selection = turn.reader.read(only, end)
    if has_conditions(selection):
        without = not NEGATIONS.isdisjoint(keys[:2]) and not selection.noun
        return without or (only > 0 and (not selection.noun or not {"one", "ones"}.isdisjoint(keys)))
    return bool(selection.order) and not selection.noun


def which_was_meant(turn: MessageContext) -> MessagePlan | None:
    """Return the request before, for the paper that this message names: "the treadmill one" after "That could mean 4
    papers."; None if the person was not asked which paper, or the message says more."""
    if not turn.pending:
        return None
    keys = turn.reader.keys
    if consent(turn.message) is False and "undo" not in keys:
        return MessagePlan(reply="Nothing was done.")
    if not (NEGATIONS - {"no"}).isdisjoint(keys):
        return None  # "not the second" names no paper
    end = last_word(keys)
    start = next((position for position in range(end) if keys[position] not in _CORRECTING), end)
    selection = turn.reader.read(start, end, one=True)
    is_reference = selection.names or selection.definite or not selection.noun
    paper = one_paper(selection, turn) if is_reference and not (selection.rest or selection.unknown) else One()
    name = paper.name
    if name[:1] == "@":  # the number of a paper that was offered
        name = turn.offered[int(name[1:]) - 1] if name[1:].isdigit() and int(name[1:]) <= len(turn.offered) else ""
    if not name or paper.calls:
        return None
    return _with(selection, tuple(named(call, name) for call in turn.pending), True)


def _is_apart(selection: PaperSelection, turn: MessageContext) -> bool:
    """Whether no paper can be of the dates wanted and of those by which the request before narrowed its list."""
    before = next((call.arguments for call in turn.before if call.tool == "filter"), {})
    (since, until), (given, behind) = ((given.get("since"), given.get("until")) for given in (selection.given, before))
    return turn.before_onward and bool((until and given and until < given) or (since and behind and since > behind))


def _replaces(selection: PaperSelection, turn: MessageContext, facets: Iterable[Set[str]] = _FACETS) -> bool:
    """Whether the request before has another value of one of these conditions."""
    before = {name for call in turn.before if call.tool == "filter" for name in call.arguments}
    return any(before & facet and facet & selection.given.keys() for facet in facets)


def _begin(keys: list[str]) -> int:
    """Return the index of the first word that is not an interjection."""
    return next((at for at, key in enumerate(keys) if key not in INTERJECTIONS and key not in _MARKS), 0)


def _corrects(keys: list[str], end: int) -> int:
    """Return the index after the words that correct the request before: "oh no, sorry, I meant"; 0 if there are
    none."""
    start = next((position for position in range(end) if keys[position] not in _CORRECTING), end)
    return start if start < end and not _CORRECTS.isdisjoint(keys[:start]) else 0


def _behind(keys: list[str], phrases: tuple[tuple[str, ...], ...], end: int) -> int:
    """Return the index after the longest of these phrases at the beginning or after interjections; 0 if none."""
    begin = _begin(keys)
    behind = (begin + len(phrase) for phrase in phrases if tuple(keys[begin : begin + len(phrase)]) == phrase)
    return max((index for index in behind if index < end), default=0)


def corrected(turn: MessageContext, begin: int, end: int, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the steps of a clause, for the papers with which the next clause corrects it: "… sorry, I meant the
    second"; () if it corrects nothing."""
    keys = turn.reader.keys
    if _CORRECTS.isdisjoint(keys[begin:end]) or calls[-1].tool not in _OF_PAPERS:
        return ()
    reading = _corrected(replace(turn, before=tuple(calls)), keys, end, instead=False, begin=begin)
    start = next((at for at in range(begin, end) if keys[at] not in _CORRECTING), end)
    added, tag = calls[-1].arguments.get("add", ()), turn.reader.tokens[start : last_word(keys[:end])]
    if reading is None and len(added) == 1 and len(tag) == 1 and turn.reader.has_meaning(tag[0]):
        return (*calls[:-1], ToolCall(calls[-1].tool, {**calls[-1].arguments, "add": [tag[0].text]}))
    return (*calls[:-1], *reading.calls) if reading else ()


def _corrected(turn: MessageContext, keys: list[str], end: int, *, instead: bool, begin: int = 0) -> MessagePlan | None:
    """Return the change proposed last, applied to other papers: "no, the second one", "not the second one"."""
    change = turn.before[-1]
    start = next((position for position in range(begin, end) if keys[position] not in _CORRECTING), end)
    if change.tool not in _OF_PAPERS or start == end or not (start > begin or instead):
        return None
    selection = turn.reader.read(start, end, one=True)
    among = replace(selection, onward=True)
    if has_conditions(selection) and not selection.names and numbers_of(among, turn):
        selection = among
    paper = one_paper(selection, turn)
    choice = ChoosingSteps(paper.calls, (paper.name,)) if paper.name else chosen(selection, turn)
    if choice is None or selection.rest or selection.unknown:
        return None
    names = list(choice.names)
    if keys[start - 1] == "not":
        meant, without = turn.named(change.arguments.get("papers", ())), turn.named(names)
        names = [f"#{number}" for number in meant or () if number not in (without or ())]
        if choice.calls or not names:
            return None
    given = {**change.arguments, **({"paper": names[0]} if "paper" in change.arguments else {})}
    given |= {"papers": names} if "papers" in given else {}
    return _with(selection, (*choice.calls, ToolCall(change.tool, given)), choice.onward)


def _widened(turn: MessageContext, keys: list[str], end: int) -> MessagePlan | None:
    """Return the list shown last with more papers: those that a condition left out, "the older ones too", or those with
    another value of it, "2017 too", "include PLOS as well"."""
    first = next((call for call in turn.before if call.tool == "filter"), None)
    wide = {"too", "also", "include", "including"} & {*keys[:end]} or keys[end - 2 : end] == ["as", "well"]
    begin = _begin(keys) + (keys[_begin(keys)] == "or")  # "or by Kim"
    wide = wide or begin > _begin(keys)
    if first is None or not wide or _behind(keys, _NARROWING, end):
        return None
    selection = turn.reader.read(begin if begin < end else 0, end)
    given, more = dict(first.arguments), selection.given
    words = {word.casefold() for word in selection.rest} - _TIMES - {"include", "including", "also", "too"}
    if words or selection.unknown or selection.also or selection.names:
        return None
    if _TIMES & {*keys} and "ones" in keys:
        given = {name: value for name, value in given.items() if name not in ("since", "until")}
    elif more.keys() <= {"since", "until"} and more.keys() == given.keys() & {"since", "until"} and more:
        given |= {name: (min if name == "since" else max)(given[name], more[name]) for name in more}
    else:
        facet = next((facet for facet in _FACETS if facet & given.keys() and facet & more.keys()), None)
        name = "".join(more) if len(more) == 1 else ""
        held = "".join(facet & given.keys()) if facet else ""
        if not isinstance(more.get(name), list) or not held:
            return None
        kind = name if name == held == "tags" else _EITHER.get(name, name)
        if (held != kind and _EITHER.get(held, held) != kind) or (held != kind and len(given[held]) > 1):
            return None
        values = [*given.pop(held), *more[name]]
        given[kind] = list(dict.fromkeys(values))
    if given == first.arguments:
        return None
    calls = tuple(ToolCall("filter", given) if call is first else call for call in turn.before)
    return MessagePlan(act="follow-up", calls=calls, onward=turn.before_onward)


_EITHER = {"words": "any_words", "tags": "any_words", "authors": "any_authors"}
"""For conditions whose values must all hold, those of which one must."""


def _at_venue(turn: MessageContext, start: int, end: int) -> PaperSelection | None:
    """Return the only venue with these words in its name, if the request before was for papers of a venue."""
    if any("venues" in call.arguments for call in turn.before if call.tool == "filter"):
        text = written(turn.reader.tokens[start:end])
        venues = [name for name in turn.names.near_venue(text) if folded(text) in folded(name)]
        return PaperSelection(given={"venues": venues}) if len(venues) == 1 else None
    return None


_OF_TEXTS = {"ask_papers": "question", "summarize": "topic"}
"""Tools that answer from the texts of papers, each with its argument for what to look for."""


def _asked(turn: MessageContext, start: int) -> str:
    """Return the words behind "and" if they are a question or if texts of papers have them; "" if not."""
    tokens = turn.reader.tokens[start : last_word(turn.reader.keys)]
    if tokens and tokens[0].key in INTERROGATIVES:
        return written(tokens)
    told = [token for token in tokens if turn.reader.has_meaning(token)]
    return written(tokens) if told and all(turn.names.is_subject(token.text) for token in told) else ""


def same_of_another(turn: MessageContext, begin: int, end: int, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the fact that a clause asks of one paper for the paper of the next, which only repeats words of it: "… and
    how many has the bee one?"; () if the next clause does not."""
    keys = turn.reader.keys
    paper = next((at for at in range(begin, end) if keys[at] in _DEFINITE), end)
    repeats = begin < paper < end and {*keys[begin:paper]} <= {*keys[:begin]}
    if not repeats or {call.tool for call in calls} != {"paper"}:
        return ()
    selection = turn.reader.read(paper, end, one=True)
    another = _another(replace(turn, before=tuple(calls[-1:])), selection, paper)
    return another.calls if another and another.is_whole else ()


def _another(turn: MessageContext, selection: PaperSelection, start: int) -> MessagePlan | None:
    """Return the previous request with another subject: "and malaria?" after "papers on hydrogen"."""
    question = turn.before[-1]
    if question.tool in _OF_TEXTS and (words := _asked(turn, start)):  # "and school absence?"
        asked = ToolCall(question.tool, {**question.arguments, _OF_TEXTS[question.tool]: words})
        return _with(PaperSelection(), (*turn.before[:-1], asked), turn.before_onward)
    about_one = next((call for call in turn.before if call.tool in ("paper", "references", "citations")), None)
    if about_one is not None:
        paper = one_paper(selection, turn)
        if paper.name and not selection.order:
            return _with(selection, (ToolCall(about_one.tool, {**about_one.arguments, "paper": paper.name}),), True)
        return None
    if not has_conditions(selection) or selection.among is not None or selection.onward or selection.pronoun:
        return None
    first = next((call for call in turn.before if call.tool in ("filter", "search")), None)
    if first is None or selection.names:
        return None
    if first.tool == "search":
        words = " ".join(selection.given.get("words", ()))
        return _with(selection, (ToolCall("search", {**first.arguments, "question": words}),), False) if words else None
    given: dict[str, Any] = dict(first.arguments)
    wanted = _in_the_same_sense(selection.given, given)
    taken_place = False
    for facet in _FACETS:
        if facet & wanted.keys():
            taken_place = taken_place or bool(facet & given.keys())
            given = {name: value for name, value in given.items() if name not in facet}
    if not taken_place:
        return None
    calls = tuple(ToolCall("filter", {**given, **wanted}) if call is first else call for call in turn.before)
    return _with(selection, (*calls, *(ToolCall("filter", more) for more in selection.also)), turn.before_onward)


def _in_the_same_sense(wanted: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return `wanted` with dates of saving if the request before has these: "and in May?" after "saved in April"."""
    saved = {"since": "saved_since", "until": "saved_until"}
    if before.keys().isdisjoint(saved.values()) or not before.keys().isdisjoint(saved):
        return wanted
    return {saved.get(name, name): value for name, value in wanted.items()}


def _narrowed(turn: MessageContext, selection: PaperSelection) -> MessagePlan:
    calls, _ = steps(replace(selection, onward=True), turn)
    return _with(selection, (*calls, selection.listed), True)


def _with(selection: PaperSelection, calls: tuple[ToolCall, ...], onward: bool) -> MessagePlan:
    return MessagePlan(
        act="follow-up",
        calls=calls,
        onward=onward,
        rest=tuple(selection.rest),
        unknown=tuple(selection.unknown),
        taken=tuple(selection.taken),
    )
