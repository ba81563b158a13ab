"""The likeliest reading of a request, and others that it could be meant by.

The rules read a request as a whole. Where that leaves a doubt, its clauses are read as well: people say what they
want in one of them, and in another why, or how. The reading with the least doubt is taken; what of the request it
leaves out is named. The nearest wordings that the rules are known to read are other readings. Where the rules are at a
loss, one that has all words of the request is taken for it, and one that is clearly the nearest, if it only looks at
papers or chooses some: which wording that is, `read_as` says.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from agents.builtin.requests.readings.doubt import NO_NAME, NO_SUBJECT, NUMBER, UNREAD, doubt_of
from agents.builtin.requests.readings.unheeded import unheeded_negations
from agents.builtin.requests.readings.unread import content_words, is_heard, numbers_unread
from agents.builtin.requests.readings.wordings import abstracted, wordings
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Call, Other, Reading, Scene
from agents.builtin.requests.sentences.verbatim import QUOTED
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
_LIKE_ENOUGH, _SURE_WORDING, _TELLING_WORDING = 0.2, 0.45, 0.6
"""From this closeness on a wording is another reading; is taken, where the rules are at a loss and it has all words of
the request; says that a request which leaves no doubt could be of another kind."""
_MOST_WORDINGS = 8
"""Wordings that are looked at."""
_ECHO = 0.3
"""How much of its closeness another wording that asks for the same adds."""
_CLEAR, _AHEAD, _WELL_AHEAD, _SAID = 0.4, 1.2, 2.0, 0.5
"""From this likelihood on a wording is taken where the rules are at a loss, if it is so many times as likely as any
that asks for something else, as any that does more than look, and has this share of the words of the request that say
something."""
_FACT = re.compile(r"\b(?:who|whose|whom|when|where|why|how)\b", re.IGNORECASE)
"""What asks for more than papers: a wording without it would leave the question out."""
_LOOKS = frozenset({"filter", "list", "paper", "profile", "query", "rank", "resemble", "runs", "shelf", "take"})
"""What changes nothing that the person keeps and asks no source."""
_CHANGES = frozenset({"save", "unsave", "tag", "note", "mark", "remember"})


class _Near(NamedTuple):
    """What the wording that is nearest of those that ask for it asks for; `likelihood` rests on all of them."""

    closeness: float
    likelihood: float
    said: str
    reading: Reading


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
    near = _worded(message, scene)
    meant = _clearly_meant(near, message) if least >= NO_SUBJECT else None
    if meant:
        stands = [Other(best.calls, best.onward)] if best.calls else []
        best = meant.reading._replace(read_as=meant.said, others=(*stands, *best.others))
    also = [Other(one.reading.calls, one.reading.onward, one.said) for one in near if one.reading.calls != best.calls]
    return best._replace(others=(*best.others, *also, *_by_or_about(best, scene)))


def _clearly_meant(near: Sequence[_Near], message: str) -> _Near | None:
    """That of the nearest wordings that a request which the rules are at a loss with is taken for, if any."""
    for one in near:
        if one.closeness >= _SURE_WORDING and _share_said(one.said, message) == 1:
            return one
    if not near or not _only_looks(near[0]) or near[0].likelihood < _CLEAR:
        return None
    first, *rivals = near
    if any(first.likelihood < (_AHEAD if _only_looks(one) else _WELL_AHEAD) * one.likelihood for one in rivals):
        return None
    answers = _FACT.search(message) is None or _FACT.search(first.said) is not None
    heeds = not unheeded_negations(message, first.reading.calls)
    return first if answers and heeds and _share_said(first.said, message) >= _SAID else None


def _only_looks(one: _Near) -> bool:
    return {call.tool for call in one.reading.calls} <= _LOOKS


def _share_said(said: str, message: str) -> float:
    """The share of the words of the message that say something which a wording has."""
    there = {stem for word in content_words(said) for stem in terms(word)}
    asked = {stem for word in content_words(message) for stem in terms(word)}
    return len(asked & there) / len(asked) if asked else 1.0


def _worded_otherwise(whole: Reading, message: str, scene: Scene) -> Iterator[Other]:
    """What the nearest wording asks for, where it is near and asks for something of another kind."""
    for one in _worded(message, scene, _TELLING_WORDING, most=1):
        if whole.calls and _kinds(one.reading) != _kinds(whole):
            yield Other(one.reading.calls, one.reading.onward, one.said)


def _kinds(reading: Reading) -> set[str]:
    return {call.tool for call in reading.calls} - {"filter", "list", "take"}


def _worth(word: str) -> float:
    """What it costs to leave a word out: a name says more than another."""
    return _LEFT_OUT * (2 if word[:1].isupper() and not is_heard(word.casefold()) else 1)


def _worded(message: str, scene: Scene, least: float = _LIKE_ENOUGH, most: int = _MOST_WORDINGS) -> list[_Near]:
    """What the `most` nearest wordings that are known ask for, those at least so close, the likeliest first; each plan
    once."""
    found: list[_Near] = []
    near = wordings().near(abstracted(message, scene), scene.candidates is not None)
    read: dict[str, Reading] = {}
    for closeness, said in takewhile(lambda one: one[0] >= least, islice(near, most)):
        if said not in read:
            reading = read_request(said, scene)
            read[said] = reading if doubt_of(reading, said, scene) < UNREAD else Reading()
        reading = read[said]
        same = next((place for place, one in enumerate(found) if one.reading.calls == reading.calls), None)
        if same is not None:
            found[same] = found[same]._replace(likelihood=found[same].likelihood + _ECHO * closeness)
        elif reading.calls:
            found.append(_Near(closeness, closeness, said, reading))
    return sorted(found, key=lambda one: -one.likelihood)


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
    """Parts of the message, the longest first, each with the clauses that are left out: one in the middle, or those at
    its ends."""
    quoted = [found.span() for found in QUOTED.finditer(message)]
    cuts = [cut for cut in _CUT.finditer(message) if not any(begin < cut.start() < end for begin, end in quoted)]
    ends = [0, *(cut.end() for cut in cuts), len(message)]
    clauses = [message[begin:end] for begin, end in pairwise(ends)]
    count = len(clauses)
    if not 1 < count <= _MOST_CLAUSES:
        return
    for place in range(1, count - 1):
        kept = "".join((*clauses[:place], *clauses[place + 1 :])).strip(" ,;:–—-")
        yield kept, [clauses[place].strip(" ,;:.?!–—-")]
    for size in range(count - 1, 0, -1):
        for begin in range(count - size + 1):
            kept = "".join(clauses[begin : begin + size]).strip(" ,;:–—-")
            left = [clause.strip(" ,;:.?!–—-") for clause in (*clauses[:begin], *clauses[begin + size :])]
            yield kept, left
