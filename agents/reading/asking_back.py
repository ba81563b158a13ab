"""What is asked back where a message was not understood whole: which words, and the nearest things that can be done."""

from collections.abc import Callable, Iterator, Sequence

from agents.reading.acts import ACTS, LIST
from agents.reading.choosing import Turn
from agents.reading.cues import NOUNS
from agents.reading.reading import Call, Option, Reading, call
from agents.reading.selection import Unknown
from agents.reading.tokens import folded

Again = Callable[[str], Reading]
"""Reads other words in place of the message, which are not asked back."""
MOST = 3
"""Things that are offered at once."""
_KINDS = {
    "author": "author called",
    "venue": "journal or conference called",
    "tag": "tag",
    "word": "paper with the word",
    "note": "note with",
    "paper": "paper that is called or about",
}


def asked_back(turn: Turn, reading: Reading, again: Again) -> Reading:
    """The reading as a question back: nothing is done, and up to three things are offered."""
    unheld = [one for one in reading.unknown if one.kind == "unheld"]
    if unheld:
        what = _listed([f"“{one.text}”" for one in unheld])
        return Reading(
            act=reading.act,
            understood=False,
            options=tuple(_options(turn, reading, again))[:MOST],
            reply=f"The library does not hold {what}, so I cannot say: it is not in the library.",
        )
    strange = [one for one in reading.unknown if one.text not in reading.rest]
    told = [f"Your library has no {_KINDS[one.kind]} “{one.text}”." for one in strange]
    if reading.rest:
        told.append(f"I did not understand {_listed([f'“{word}”' for word in reading.rest[:6]])}.")
    if not told:
        told.append(reading.reply or "I did not understand that.")
    if not reading.calls and reading.reply and reading.reply not in told:
        told.append(reading.reply)
    options = tuple(_distinct(_options(turn, reading, again)))[:MOST]
    if not options:
        told += ["What can be done, for example:", *_examples(turn)]
    return Reading(
        act=reading.act,
        understood=False,
        reply="\n".join([told[0] + " Nothing was done.", *told[1:]]),
        options=options,
        rest=reading.rest,
        unknown=reading.unknown,
    )


def _options(turn: Turn, reading: Reading, again: Again) -> Iterator[Option]:
    """What could be meant: the words that are nearly so in place of those, the same without them, a search."""
    yield from reading.options
    for one in reading.unknown:
        for near in one.near[:2]:
            if (other := _in_place_of(turn, one, near, again)) is not None:
                yield other
    strange = {folded(word) for word in (*reading.rest, *(one.text for one in reading.unknown))}
    if reading.doubtful and reading.calls and (also := _also_about(reading.calls, reading.doubtful)):
        yield Option("{}", also, reading.onward)
    calls = _without(reading.calls, strange)
    if calls and not any(one.kind in ("author", "venue", "tag", "paper") for one in reading.unknown):
        left_out = _listed([f"“{word}”" for word in (reading.rest or [one.text for one in reading.unknown])[:3]])
        yield Option(f"{{}}, without {left_out}" if left_out else "{}", calls, reading.onward)
    words = [
        token.text
        for token in turn.reader.tokens
        if _tells(turn, token.key) or (folded(token.text) in strange and token.key not in turn.reader.own)
    ]
    if words:
        yield Option("{}", (call("search", question=" ".join(words)),))


def _in_place_of(turn: Turn, unknown: Unknown, near: str, again: Again) -> Option | None:
    """The same message with a name that the library has."""

    if turn.retried:
        return None
    if unknown.kind == "paper":
        return Option(f"“{near}”", (call("paper", paper=near),), True)
    start = turn.message.casefold().find(unknown.text.casefold())
    if start < 0:
        return None
    message = f"{turn.message[:start]}{near}{turn.message[start + len(unknown.text) :]}"
    reading = again(message)
    if not (reading.is_whole and reading.understood and reading.calls):
        return None
    return Option(f"“{message.strip()}”", reading.calls, reading.onward)


def _tells(turn: Turn, word: str) -> bool:
    return word not in turn.reader.own and word not in NOUNS and turn.names.is_subject(word)


def _also_about(calls: Sequence[Call], words: Sequence[str]) -> tuple[Call, ...]:
    """The steps with words, which nothing introduces, as a subject."""
    for place, one in enumerate(calls):
        if one.tool == "filter":
            given = {**one.arguments, "words": [*one.arguments.get("words", ()), *words]}
            return (*calls[:place], Call("filter", given), *calls[place + 1 :])
    return ()


def _without(calls: Sequence[Call], strange: set[str]) -> tuple[Call, ...]:
    """The steps without the words that the library does not have; none where nothing says any more which papers."""
    left: list[Call] = []
    for one in calls:
        given = dict(one.arguments)
        if one.tool == "filter":
            phrases = [
                " ".join(word for word in text.split() if folded(word) not in strange)
                for text in given.get("words", ())
            ]
            given = {**given, "words": [text for text in phrases if text]}
            given = {name: value for name, value in given.items() if value != []}
            if not given:
                return ()
        left.append(Call(one.tool, given))
    return tuple(left)


def _distinct(options: Iterator[Option]) -> Iterator[Option]:
    seen: list[tuple[Call, ...]] = []
    for option in options:
        if option.calls not in seen:
            seen.append(option.calls)
            yield option


def _examples(turn: Turn) -> Iterator[str]:
    """The acts whose examples and forms share most words with the message, each with its example."""
    words = set(turn.reader.keys)
    acts = [act for act in (LIST, *ACTS) if act.label and ":" not in act.name]
    ranked = sorted(acts, key=lambda act: -len(words & set(f"{act.label} {act.example}".split())))
    for act in ranked[:MOST]:
        yield f"- {act.label}: “{act.example}”"


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
