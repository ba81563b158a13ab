"""Bounds of citations and authors in a message."""

from agents.reading.cues import BOUNDS
from agents.reading.numbers import by_first
from agents.reading.parts.chunk import Chunk, applying
from agents.reading.parts.words import MessageWords

_BOUNDS = by_first(BOUNDS)


def bound_at(message: MessageWords, place: int) -> Chunk | None:
    """`cited more than 100 times`, `with at least three authors`, `over 50 citations`."""
    at = place
    if message.keys[at] in ("cited", "with", "having", "have", "has", "got", "by", "received"):
        at += 1
    if message.stands(("between",), at) and (both := _between(message, place, at + 1)):
        return both
    least, most, shift = False, False, 0
    if words := message.phrase_at(_BOUNDS, at):
        least, most, shift = BOUNDS[words]
        at += len(words)
    counted = message.number_at(at)
    if counted is None:
        return None
    number, at = counted
    if message.stands(("+",), at):
        least, at = True, at + 1
    or_more, or_fewer, at = _open_end(message, at)
    noun = message.keys[at] if at < message.end else ""
    is_cited = noun in ("citations", "citation", "cites") or (
        noun in ("times", "time") and message.keys[place] == "cited"
    )
    if not is_cited and noun in ("times",) and message.stands(("cited",), at - 1):
        is_cited = True
    if message.keys[place] == "cited" and message.keys[at - 1] in ("once", "twice"):
        is_cited, at = True, at - 1
    shared = bound_at(message, at + 1) if noun in ("and", "but", "or") and at + 1 < message.end else None
    if shared is not None:  # "more than 10 but fewer than 50 citations"
        is_cited = bool({"min_citations", "max_citations"} & shared.alone.given.keys())
    elif not is_cited and noun not in ("authors", "author", "people"):
        return None
    kind = "citations" if is_cited else "authors"
    end = at if shared else at + 1
    more_behind, fewer_behind, end = _open_end(message, end)
    least, most = least or or_more or more_behind, most or or_fewer or fewer_behind
    bounds = {f"min_{kind}": least or not most, f"max_{kind}": most or not least}
    return Chunk(end, applying({name: number + shift for name, holds in bounds.items() if holds}))


def _open_end(message: MessageWords, place: int) -> tuple[bool, bool, int]:
    """Whether `or more` or `or fewer` stands at `place`, and where the words behind it begin."""
    if message.stands(("or", "more"), place):
        return True, False, place + 2
    if message.stands(("or", "fewer"), place) or message.stands(("or", "less"), place):
        return False, True, place + 2
    return False, False, place


def _between(message: MessageWords, place: int, at: int) -> Chunk | None:
    """`cited between 1000 and 1100 times`."""
    first = message.number_at(at)
    if first is None or not message.stands(("and",), first[1]):
        return None
    second = message.number_at(first[1] + 1)
    if second is None or second[1] >= message.end:
        return None
    noun = message.keys[second[1]]
    if noun not in ("citations", "times", "cites", "authors"):
        return None
    kind = "authors" if noun == "authors" else "citations"
    return Chunk(second[1] + 1, applying({f"min_{kind}": first[0], f"max_{kind}": second[0]}))
