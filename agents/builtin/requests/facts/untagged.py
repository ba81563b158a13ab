"""Saved papers without a tag."""

import re

from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.facts.sql import clauses_of, where
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.scene import Reading, Scene, plan, step

_UNTAGGED = Phrases("""
    [that|which] (without|with no|that have no|have no|lacking|no) [any|a] tags/tag/labels
    [that|which] [are|is] not [yet] tagged [yet] [at all]
""")


_TAGGED_SO = re.compile(r" *(?:as|with|by|under|in)\b", re.IGNORECASE)
_HOW_MANY = Phrases("how many <:text>", "[{what_is}] [the] (number|count) of <:text>", "count <:text>")


def untagged(said: str, scene: Scene) -> Reading | None:
    """Saved papers without a tag."""
    found = _UNTAGGED.find(said)
    if found is None or _TAGGED_SO.match(said[found.end :]):
        return None
    behind = said[found.end :].strip(" \"'?.!,").split()
    if behind and behind[0].strip("\"',") in scene.tags:
        return None  # which are without that tag
    choice = read_choice(f"papers {said[: found.start]} , {said[found.end :]}", scene)
    choice.conditions.pop("words", None)
    choice.conditions["saved"] = True
    clauses = ["id NOT IN (SELECT paper FROM tags)", *clauses_of(choice)]
    what, order = ("count(*) AS papers", "") if _HOW_MANY.match(said) else ("id AS paper, title", " ORDER BY id")
    sql = f"SELECT {what} FROM papers{where(*clauses)}{order}"
    return plan(step("query", sql=sql), onward=choice.onward)
