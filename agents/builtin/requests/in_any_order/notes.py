"""A note that is announced in any words: "please attach the following note to BEIR: …", "BEIR, new note: …"."""

import re

from agents.builtin.requests.changes.noting import MOST
from agents.builtin.requests.in_any_order.papers_meant import papers_meant
from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.references import IT, SHOWN, similarity
from agents.builtin.requests.scene import Call, Reading, Scene, plan

_NOTE = r"(?:note|comment|remark|annotation|memo|reminder)"
_WRITES = frozenset(
    """
    note comment remark annotation memo reminder following new short little brief quick another additional own
    attach attached append appended add added record recorded stick pin pinned write written leave left jot jotted
    scribble make enter entered place placed drop down under beneath beside next onto read reads say says saying
    words text wording content like mind
    """.split()
)
HEARD.update(_WRITES)
_ANNOUNCED = re.compile(rf"\b{_NOTE}\b", re.IGNORECASE)
_ASKS = re.compile(
    r"^(?:which|what|how|papers|list|show|find|do|does|did|is|are|was|has|have|delete|erase|remove|clear|drop the"
    r"|search|look|summar|recommend|sort|only|export)\b|\b(?:with|without|has|have|had) (?:a|an|any|no|my|the) "
    rf"{_NOTE}\b(?! (?:to|on|for|about|at|with)\b)",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"\s*:\s+|[\s,;]+(?:saying|that says|that reads|which says|which reads|to the effect"
    r"|with the (?:text|words|content)|namely)(?: that)?:?\s+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"(?P<text>[^\"]{2,})\"|(?<!\w)'(?P<single>[^']{2,})'(?!\w)")
_SEVERAL = re.compile(r"\b(?:these|those|them|all|each|both|every|they|two|three|four|five)\b", re.IGNORECASE)
_EXACT = 95
_MOST_CUTS = 3


def note_written(text: str, scene: Scene) -> Reading | None:
    """A note, with the papers that it is about and what it says; None where nothing plainly announces one."""
    if _ANNOUNCED.search(text) is None or _ASKS.search(text) is not None:
        return None
    cuts = list(_BEGINS.finditer(text))[:_MOST_CUTS]
    for cut in (*(cut for cut in reversed(cuts[1:]) if _ends_a_title(text[: cut.start()], scene)), *cuts[:1]):
        if reading := _note(text[: cut.start()], text[cut.end() :], scene):
            return reading
    quoted = _QUOTED.search(text)
    if quoted is None or scene.is_title(said := quoted["text"] or quoted["single"]):
        return None
    return _note(f"{text[: quoted.start()]} {text[quoted.end() :]}", said, scene)


def _ends_a_title(head: str, scene: Scene) -> bool:
    """Whether the colon before the end of `head` belongs to a title: "note on XGBoost: A Scalable System"."""
    words = head.split()
    tails = (" ".join(words[place:]) for place in range(max(len(words) - 20, 0), len(words)))
    return any(":" in tail and similarity(tail, scene.title_of(tail)) >= _EXACT for tail in tails)


def _note(head: str, said: str, scene: Scene) -> Reading | None:
    if _ANNOUNCED.search(head) is None or not said.strip(" \"'"):
        return None
    papers = papers_meant(head, _WRITES, scene)
    if papers is None or papers.calls:
        return None
    names = papers.papers
    if names == [SHOWN]:
        several = _SEVERAL.search(head) is not None
        if not (scene.shown if several else scene.has_it):
            return None
        names = [f"@{place}" for place in range(1, min(scene.shown, MOST) + 1)] if several else [IT]
    return plan(*(Call("note", {"paper": name, "text": said.strip(" \"'")}) for name in names[:MOST]))
