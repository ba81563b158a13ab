"""Places, counts and orders in a message: "the second", "5 papers", "the oldest"."""

from agents.reading.cues import NOUNS, cues_by_word
from agents.reading.numbers import ordinal
from agents.reading.parts.chunk import Chunk, Say, nothing
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection

_APPEARED = frozenset("came come out appeared appear published written printed".split())
_ON_TOP = (("on", "top"), ("at", "top"), ("at", "the", "top"))


def place_at(message: MessageWords, place: int) -> Chunk | None:
    """`the second`, `number 3`, `the first two`, `the last one`, `#4`."""
    at = place
    named = False
    if message.keys[at] in ("number", "no", "nr", "paper", "item", "result") and at + 1 < message.end:
        number = message.number_at(at + 1)
        if number is not None and message.tokens[at + 1].key.isdigit() and number[0] <= 100:
            named_place, behind = number
            return Chunk(behind, lambda selection: selection.names.append(f"@{named_place}"))
        return None
    word = message.keys[at]
    if word in ("first", "last", "top") and (number := message.number_at(at + 1)):
        count = number[0]
        return Chunk(number[1], _first(count, word == "last", is_top=word == "top"), False)
    if word == "last" and at > 0 and message.keys[at - 1] == "the":
        named = True
    rank = ordinal(word)
    if at > message.start and message.keys[at - 1] in _APPEARED and (rank == 1 or word == "last"):
        return order_at(message, at, at + 1, "oldest" if rank == 1 else "newest")  # "which came out first?"
    if rank is None and not named:
        return None
    behind = at + 1
    if behind < message.end and message.keys[behind] in ("one", "paper", "article", "result"):
        behind += 1
    if rank == 1 and message.stands(("author",), behind):
        return None
    return Chunk(behind, _at_place(message, rank))


def _at_place(message: MessageWords, rank: int | None) -> Say:
    place = rank if rank is not None else message.shown
    return lambda selection: selection.names.append(f"@{place}")


def _first(count: int, last: bool, *, is_top: bool) -> Say:
    def say(selection: Selection) -> None:
        selection.count, selection.last = count, last
        if is_top and not selection.order:
            selection.order = "top"

    return say


def count_at(message: MessageWords, place: int) -> Chunk | None:
    """`5 papers`, `five most cited`."""
    number = message.number_at(place)
    if number is None or number[0] == 0 or number[0] > 500 or number[1] >= message.end:
        return None
    behind = message.keys[number[1]]
    cues = [
        cue for cue in cues_by_word().get(behind, ()) if cue.kind == "order" and message.stands(cue.words, number[1])
    ]
    if behind in NOUNS or cues or behind in ("of", "recent") or is_type(message, number[1]):
        return Chunk(number[1], lambda selection: setattr(selection, "count", number[0]), False)
    return None


def order_at(message: MessageWords, place: int, behind: int, order: str) -> Chunk:
    """`the oldest`, `the two most cited`: an order, and how many papers of it."""
    if message.keys[place - 1 : place] == ["to"] or message.keys[max(0, place - 2) : place] == ["to", "the"]:
        return Chunk(behind, nothing, False)  # the other end: "from the oldest to the newest"
    noun = behind < message.end and message.keys[behind] in NOUNS and message.stands(("first",), behind + 1)
    number = message.number_at(behind)
    count = number[0] if number and number[0] <= 100 else None
    if number and count:
        behind = number[1]
    elif noun or message.stands(("first",), behind):
        behind += 1 + noun
    else:
        behind += next((len(words) for words in _ON_TOP if message.stands(words, behind)), 0)
    before = message.keys[max(0, place - 2) : place]
    is_last = not any(map(str.isalnum, "".join(message.keys[behind : message.end])))
    is_one = before[-1:] == ["the"] and before[0] != "by" and (is_last or message.keys[behind] == "of")

    def say(selection: Selection) -> None:
        if order == "fewest first":
            selection.order = "oldest" if selection.order == "newest" else "fewest_citations"
        else:
            selection.order = order
        selection.count = count or selection.count
        selection.noun = selection.noun or noun
        selection.single = selection.single or (is_one and not count)

    return Chunk(behind, say)


def is_type(message: MessageWords, place: int) -> bool:
    """Whether a type of publication stands here: `surveys`."""
    return any(cue.kind == "state" and cue.value[0] == "types" for cue in cues_by_word().get(message.keys[place], ()))
