"""The likeliest reading of a request, and others that it could be meant by.

The rules read a request as a whole. Where that leaves a doubt, its clauses are read as well: people say what they
want in one of them, and in another why, or how. The reading with the least doubt is taken; what of the request it
leaves out is named. The nearest wordings that the rules are known to read are other readings; one that has all words
of the request is taken for it.
"""

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from agents.builtin.requests.readings.doubt import NO_NAME, NO_SUBJECT, NUMBER, QUOTED, UNREAD, doubt_of
from agents.builtin.requests.readings.unread import content_words, is_heard, numbers_unread
from agents.builtin.requests.readings.wordings import abstracted, wordings
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Call, Other, Reading, Scene
from agents.builtin.text.terms import terms

_CUT = re.compile(r"(?<=[\w\"'”’)])(?:\s*[.?!;:]+\s+|\s+[-–—]+\s+|,\s+)(?=\S)")
_ASKS = re.compile(
    r"(?:what|which|who|whose|when|where|how|show|list|give|tell|find|recommend|suggest|summarize)\b", re.IGNORECASE
)
"""How a clause begins that asks for something by itself: it is the last to be left out."""
_MOST_CLAUSES = 5
_LEFT_OUT = 0.5
"""What a clause that is left out costs, for each word of it that says something."""
_MARGIN = 1.0
"""So much less doubtful another reading must be to be taken in place of that of the whole."""
_LIKE_ENOUGH, _SURE_WORDING, _TELLING_WORDING = 0.25, 0.45, 0.6
"""From this closeness on a wording is another reading; is taken, where the rules are at a loss; says that a request
which leaves no doubt could be of another kind."""
_MOST_WORDINGS = 8
"""Wordings that are looked at."""
_CHANGES = frozenset({"save", "unsave", "tag", "note", "mark", "remember"})


def likeliest(message: str, scene: Scene) -> Reading:
    """What `message` asks for, read as a whole, by its clauses, or as the nearest wording that is known; `others` are
    readings that are nearly as likely."""
    whole = read_request(message, scene)
    doubt = doubt_of(whole, message, scene)
    if doubt < UNREAD:
        others = (*whole.others, *_by_or_about(whole, scene), *_worded_otherwise(whole, message, scene))
        return whole._replace(others=others)
    best, least = whole, doubt
    for kept, left in _shorter(message) if doubt >= _MARGIN else ():
        reading = read_request(kept, scene)
        if not reading.calls or any(call.tool in _CHANGES for call in reading.calls):
            continue
        lost = [word for clause in left for word in content_words(clause)]
        cost = doubt_of(reading, kept, scene) + min(sum(map(_worth, lost)), NO_NAME)
        cost += _MARGIN * any(_ASKS.match(clause) for clause in left)
        cost += NUMBER * sum(len(numbers_unread(clause, reading.calls)) for clause in left)
        if cost < least - (_MARGIN if best is whole else 0):
            unread = (*reading.unread, *(left if lost else ()))
            best, least = reading._replace(unread=unread), cost
    if whole.reply:
        return best
    also = [*best.others]
    for near, said, reading in _worded(message, scene):
        if near >= _SURE_WORDING and least >= NO_SUBJECT and _says_all(said, message):
            best, least = reading._replace(read_as=said), 0.0
        elif reading.calls != best.calls:
            also.append(Other(reading.calls, reading.onward, said))
    return best._replace(others=(*also, *_by_or_about(best, scene)))


def _says_all(said: str, message: str) -> bool:
    """Whether a wording has all words of the message that say something."""
    there = {stem for word in content_words(said) for stem in terms(word)}
    return all(stem in there for word in content_words(message) for stem in terms(word))


def _worded_otherwise(whole: Reading, message: str, scene: Scene) -> Iterator[Other]:
    """What the nearest wording asks for, where it is near and asks for something of another kind."""
    for near, said, reading in islice(_worded(message, scene), 1):
        if near >= _TELLING_WORDING and whole.calls and _kinds(reading) != _kinds(whole):
            yield Other(reading.calls, reading.onward, said)


def _kinds(reading: Reading) -> set[str]:
    return {call.tool for call in reading.calls} - {"filter", "list", "take"}


def _worth(word: str) -> float:
    """What it costs to leave a word out: a name says more than another."""
    return _LEFT_OUT * (2 if word[:1].isupper() and not is_heard(word.casefold()) else 1)


def _worded(message: str, scene: Scene) -> Iterator[tuple[float, str, Reading]]:
    """The nearest wordings that are known, with what they ask for; each plan once."""
    seen: list[tuple[Call, ...]] = []
    near = wordings().near(abstracted(message, scene), scene.candidates is not None)
    for closeness, said in islice(near, _MOST_WORDINGS):
        reading = read_request(said, scene)
        if closeness < _LIKE_ENOUGH or not reading.calls or reading.calls in seen:
            continue
        if doubt_of(reading, said, scene) < UNREAD:
            seen.append(reading.calls)
            yield closeness, said, reading


def _by_or_about(reading: Reading, scene: Scene) -> Iterator[Other]:
    """The same papers by somebody in place of about a word that is a name as well: "Turing"."""
    first = reading.calls[0] if reading.calls else Call("")
    words = first.arguments.get("words", ()) if first.tool == "filter" else ()
    names = tuple(word for word in words if word.istitle() and " " not in word and scene.is_author(word))
    if names:
        given = {**first.arguments, "words": tuple(word for word in words if word not in names), "authors": names}
        call = Call("filter", {name: value for name, value in given.items() if value not in ((), [])})
        yield Other((call, *reading.calls[1:]), reading.onward)


def _shorter(message: str) -> Iterator[tuple[str, list[str]]]:
    """Parts of the message, the longest first, each with the clauses that are left out."""
    quoted = [found.span() for found in QUOTED.finditer(message)]
    cuts = [cut for cut in _CUT.finditer(message) if not any(begin < cut.start() < end for begin, end in quoted)]
    ends = [0, *(cut.end() for cut in cuts), len(message)]
    clauses = [message[begin:end] for begin, end in pairwise(ends)]
    count = len(clauses)
    if not 1 < count <= _MOST_CLAUSES:
        return
    for size in range(count - 1, 0, -1):
        for begin in range(count - size + 1):
            kept = "".join(clauses[begin : begin + size]).strip(" ,;:–—-")
            left = [clause.strip(" ,;:.?!–—-") for clause in (*clauses[:begin], *clauses[begin + size :])]
            yield kept, left
