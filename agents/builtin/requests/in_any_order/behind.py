"""What is asked of the one paper that comes first, behind the question which one that is: "which of mine is the oldest,
and in which year did it appear"."""

import re
from collections.abc import Callable

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.facts.sql import MOST_NUMBERS, can_tell, clauses_of, where
from agents.builtin.requests.in_any_order.parts import parts_asked
from agents.builtin.requests.references import IT
from agents.builtin.requests.scene import Reading, Scene, step

_CUT = re.compile(
    r"\s*[,;:?(–]+\s*(?:(?:and|plus|with|n|as well as|along with|together with|also|including)\s+)?"
    r"|\s+-\s+|\s+(?P<joint>and|plus|with|n|as well as|along with|together with)\s+",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|it's|that|this|the|their|what|when|where|who|which|how|by whom)\b", re.IGNORECASE
)
"""What a thing is asked with, where it could as well be something that the paper must have: "with a note"."""
_TITLE = re.compile(
    r"(?:and |its |the |what |how |is |it |'s |was |which |one |paper )*(?:title|name|called|titled|entitled|named"
    r"|one|paper)"
    r"(?: is it| it is| is that| that is)?[ ?.!)]*",
    re.IGNORECASE,
)
_LONGEST = 16
"""Words of what is asked behind, at most."""


def with_parts_behind(text: str, scene: Scene, read: Callable[[str, Scene], Reading | None]) -> Reading | None:
    """The paper that comes first in an order, and what is asked of it behind that; None where nothing is. `read` reads
    the first half."""
    for cut in _CUT.finditer(text):
        told, asked = text[: cut.start()], text[cut.end() :].strip(" .!)")
        if len(told.split()) < 2 or not 0 < len(asked.split()) <= _LONGEST:
            continue
        if cut["joint"] == "with" and _POINTS_BACK.match(asked) is None:
            continue
        parts = parts_asked(asked)
        if not parts and _TITLE.fullmatch(asked) is None:
            continue
        reading = read(told, scene)
        if reading is None or not reading.calls or not _is_one(reading):
            continue
        if sql := _in_one(reading, parts, scene):
            return reading._replace(calls=(step("query", sql=sql),))
        paper = (step("paper", paper=IT, parts=list(parts)),) if parts else ()
        return reading._replace(calls=(*reading.calls, *paper))
    return None


def _is_one(reading: Reading) -> bool:
    """Whether one paper is shown, the first in an order."""
    last = reading.calls[-1]
    ranked = any(call.tool == "rank" for call in reading.calls)
    return ranked and last.tool == "list" and last.arguments.get("limit") == 1


_COLUMNS = {"date": "date", "citations": "citations", "venue": "venue", "authors": "authors"}
_ORDERS = {"citations": "citations DESC", "fewest_citations": "citations", "newest": "date DESC", "oldest": "date"}


def _in_one(reading: Reading, parts: tuple[str, ...], scene: Scene) -> str:
    """A query that tells the paper and what is asked of it; "" where no query can."""
    *filters, rank, _ = reading.calls
    order = _ORDERS.get(rank.arguments.get("by", "")) if rank.tool == "rank" else None
    if not parts or order is None or len(filters) > 1 or not set(parts) <= set(_COLUMNS):
        return ""
    conditions = dict(filters[0].arguments) if filters else {}
    if (
        (filters and filters[0].tool != "filter")
        or not can_tell(conditions)
        or (reading.onward and not 0 < len(scene.numbers) <= MOST_NUMBERS)
    ):
        return ""
    choice = Choice("", scene, conditions=conditions, onward=reading.onward)
    columns = ", ".join(("id AS paper", "title", *(_COLUMNS[part] for part in parts)))
    known = f"{order.split()[0]} IS NOT NULL"
    return f"SELECT {columns} FROM papers{where(known, *clauses_of(choice))} ORDER BY {order}, id LIMIT 1"
