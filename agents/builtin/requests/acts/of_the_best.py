"""One thing of a paper that is told by its place in an order: "the abstract of the newest one", "who cites the most
cited paper by Salton"."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from agents.builtin.requests.meant import Meant, meant
from agents.builtin.requests.references import IT
from agents.builtin.requests.scene import Call, Reading, Scene

Read = Callable[[str, Scene], Reading | None]
_BEST = re.compile(
    r"\b(?:the|my) (?:very )?(?:most|least|newest|oldest|latest|earliest|highest|best)(?= )", re.IGNORECASE
)
_STOP = re.compile(r"[:;,?!]")
_SEVERAL = re.compile(r"\b(?:papers|articles|ones|preprints|works|first)$", re.IGNORECASE)
_ONE = frozenset({"paper", "references", "citations", "similar", "note"})
"""Steps that are about one paper."""
_MOST_WORDS = 14
"""Words that tell which paper is meant, at most."""


def of_the_best(text: str, scene: Scene, reads: Sequence[Read]) -> Reading | None:
    """What is asked of the paper that comes first in an order, where that is one thing: the rest of the request is read
    as one about "it"."""
    for begin, end in _told(text):
        about_it = f"{text[:begin]}it{text[end:]}"
        asked = next(filter(None, (read(about_it, _looking(scene)) for read in reads)), None)
        if asked is None or not all(map(_is_of_it, asked.calls)) or asked.reply:
            continue
        one = meant(text[begin:end], scene)
        if one and one.calls and one.calls[-1].tool == "rank":
            calls = (*one.calls, *(_of(one, call) for call in asked.calls))
            return Reading(calls, one.onward)
    return None


def _told(text: str) -> Iterator[tuple[int, int]]:
    """Where a paper is told by an order, the longest way first."""
    for found in _BEST.finditer(text):
        stop = _STOP.search(text, found.end())
        clause = text[: stop.start()] if stop else text
        ends = [space.start() for space in re.finditer(r" |$", clause) if space.start() > found.end()][:_MOST_WORDS]
        yield from ((found.start(), end) for end in reversed(ends) if not _SEVERAL.search(text[found.start() : end]))


def _looking(scene: Scene) -> Scene:
    return replace(scene, looked=1, focused=True, shown=max(scene.shown, 1), candidates=scene.candidates or 1)


def _is_of_it(call: Call) -> bool:
    """Whether a step asks one thing of "it"; all of it is only another list."""
    return (
        call.tool in _ONE and call.arguments.get("paper") == IT and (call.tool != "paper" or "parts" in call.arguments)
    )


def _of(one: Meant, call: Call) -> Call:
    return Call(call.tool, {**call.arguments, "paper": one.papers[0]})
