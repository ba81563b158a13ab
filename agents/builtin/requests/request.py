"""A request as a whole: its sentences one by one, each read by the first of the readers that knows what it wants."""

import re

from agents.builtin.requests import acts
from agents.builtin.requests.scene import Call, Reading, Scene

_POLITE = re.compile(
    r"^(?:(?:hi|hello|hey|ok|okay|well|so|and|then|now|also|please|pls|plz|thanks?|great|good|nice|cool|perfect|alright|right|hm+|actually)\b[\s,.!:-]*"
    r"|(?:could|can|would|will)\s+(?:you|u|we)\s+(?:please\s+|kindly\s+|also\s+|maybe\s+)*|(?:i(?:'d|\s+would)\s+like\s+(?:you\s+)?to|i\s+want\s+(?:you\s+)?to|i\s+need\s+(?:you\s+)?to|let'?s|let\s+me|help\s+me(?:\s+to)?|i'?m\s+looking\s+for|i\s+am\s+looking\s+for|i\s+wonder(?:\s+(?:if|whether))?(?:\s+you\s+(?:could|can))?|is\s+it\s+possible\s+to|do\s+me\s+a\s+favou?r\s+and|go\s+ahead\s+and|kindly)\s+(?=\w))+",
    re.IGNORECASE,
)  # fmt: skip
_POLITE_END = re.compile(r"[\s,]*(?:\b(?:please|pls|plz|thanks?(?:\s+(?:you|a\s+lot))?|thx|for\s+me|if\s+(?:you\s+can|possible)|now|ok)\b[\s.!?]*)+$", re.IGNORECASE)  # fmt: skip
_COMMAND = r"(?:save|bookmark|shelve|unsave|tag|untag|label|note|mark|sort|rank|order|show|list|summari[sz]e|export|write|give|cite|check|search|recommend|add|remove|take|keep|like|dislike|dismiss|undo|find|tell|filter|drop|put|only|print)"
_JOINT = re.compile(rf"\s*(?:;|\.\s+|,?\s+(?:and\s+)?then\s+|,\s*(?:and\s+)?|\s+and\s+(?:also\s+|then\s+)?)(?=(?:please\s+)?{_COMMAND}\b)", re.IGNORECASE)  # fmt: skip
READERS: tuple[acts.Act, ...] = (
    acts.undo, acts.fetch, acts.past_runs, acts.export, acts.check, acts.note, acts.unsave, acts.tag, acts.save, acts.mark,
    acts.own_profile, acts.remember, acts.summarize, acts.search, acts.recommend, acts.links, acts.facts, acts.shelf,
    acts.take, acts.one_paper, acts.chosen,
)  # fmt: skip
"""Asked in this order: what is most plainly said goes first, papers by what they are like come last."""
_THANKS = re.compile(r"(?:thanks?(?:\s+you)?(?:\s+(?:a\s+lot|so\s+much|very\s+much))?|thx|ty|cheers|great|perfect|nice|cool|ok|okay|good)", re.IGNORECASE)  # fmt: skip
_GREETING = re.compile(
    r"(?:hi|hello|hey|good\s+(?:morning|evening|afternoon|day))(?:\s+(?:there|spar))?", re.IGNORECASE
)
_HELP = re.compile(r"(?:help|\?|what\s+can\s+(?:you|i)\s+(?:do|ask|say)(?:\s+here)?|how\s+(?:do|does)\s+(?:this|it|you)\s+work|what\s+(?:do\s+you|else)\s+(?:do|know)|commands?|usage)", re.IGNORECASE)  # fmt: skip


def read_request(message: str, scene: Scene) -> Reading:
    """What `message` asks for, as steps over the tools; not understood where no reader knows what it wants."""
    text = " ".join(message.split())
    bare = text.strip(" .!?")
    if _THANKS.fullmatch(bare):
        return Reading(reply="You are welcome.")
    if _GREETING.fullmatch(bare) or _HELP.fullmatch(bare or "?"):
        return Reading(reply=ABILITIES)
    whole = _read(text, scene)
    parts = _parts(text)
    if len(parts) > 1:
        together = _together(parts, scene)
        if together is not None:
            return together
    if whole is not None:
        return whole
    return Reading(understood=False)


def _parts(text: str) -> list[str]:
    """The commands of a message; one that stands in quotation marks is none."""
    spans = [match.span() for match in re.finditer(r"[\"“][^\"”]*[\"”]", text)]
    cuts = [match for match in _JOINT.finditer(text) if not any(start < match.start() < end for start, end in spans)]
    note = re.search(r"\bnote\b[^:]*:", text, re.IGNORECASE)
    parts, begin = [], 0
    for cut in cuts:
        if note and cut.start() > note.end():
            break  # what follows is the note
        parts.append(text[begin : cut.start()])
        begin = cut.end()
    return [part.strip(" ,;") for part in (*parts, text[begin:]) if part.strip(" ,;.")]


def _together(parts: list[str], scene: Scene) -> Reading | None:
    """The plan of several commands, each on what the one before left; None if one of them is not understood."""
    calls: list[Call] = []
    onward = False
    for place, part in enumerate(parts):
        after = scene if not place else _after(scene, calls)
        reading = _read(part, after)
        if reading is None or not reading.calls:
            return None
        steps = list(reading.calls)
        if place == 0:
            onward = reading.onward
        elif not reading.onward and steps[0].tool in ("filter", "resemble", "rank", "list", "shelf"):
            return None  # it would begin anew: rather one request than two that forget each other
        calls = _joined(calls, steps)
    return Reading(tuple(calls), onward)


def _after(scene: Scene, calls: list[Call]) -> Scene:
    """What the next command is read against."""
    from dataclasses import replace

    chosen = any(call.tool not in ("save", "tag", "note", "mark", "remember", "unsave") for call in calls)
    return replace(scene, candidates=scene.candidates or 1, shown=scene.shown or 10) if chosen else scene


def _joined(before: list[Call], after: list[Call]) -> list[Call]:
    """Saving and tagging the same papers is one step; a list in the middle is only of use where papers of it are
    pointed at."""
    if before and after and before[-1].tool == "save" and after[0].tool == "tag" and "add" in after[0].arguments:
        same = after[0].arguments.get("papers") in (["@shown"], ["@it"], before[-1].arguments.get("papers"))
        if same:
            tags = [*before[-1].arguments.get("tags", []), *after[0].arguments["add"]]
            return [*before[:-1], Call("save", {**before[-1].arguments, "tags": tags}), *after[1:]]
    return [*before, *after]


def _read(text: str, scene: Scene) -> Reading | None:
    """One command."""
    bare = _POLITE_END.sub("", _POLITE.sub("", text.strip())).strip(" .?!,")
    if not bare:
        return None
    for read in READERS:
        if (reading := read(bare, scene)) is not None:
            return reading
    return None


ABILITIES = (
    "I can look into your library (“papers by Robertson since 1990”, “how many of my saved papers are unread?”), compare"
    " (“like BERT but not about translation”), order (“the most cited first”), look at one (“the second's abstract”, “who"
    " cites it?”), search the sources (“search for query expansion”), summarize (“summarize what these say about"
    " latency”), recommend (“what should I read next?”), and with your yes save, tag and note."
)
