"""A question about what the sentence before it has named: "The second one looks interesting. What does its abstract
say?" asks for the second one's abstract."""

import re

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import ALL, IT, SHOWN, known_names_in
from agents.builtin.requests.scene import Scene

_TWO = re.compile(r"(?P<topic>[^?!.;]{4,160})[.;!–]+\s+(?:and |so |then |but )*(?P<asked>[^?]{4,300}\??)\s*$")
_ASKED = re.compile(
    r"(?:what|which|who|whose|when|where|how|by|in|on|is|are|was|were|has|have|had|does|do|did|tell|show|give|list"
    r"|can|could)\b",
    re.IGNORECASE,
)
_ASKS_ITSELF = Phrases("""
    (show|list|find|give|get|search|recommend|suggest|save|unsave|tag|untag|note|mark|sort|rank|order|drop|remove|undo
        |compare|summarize|export|only|what|which|who|when|where|how|is|are|does|do|did|has|no|not|wrong)
        [<:text>]
""")
_IT = re.compile(r"\b(?P<whose>its|(?:that|this|the) (?:one|paper|article|work)'s)\b"
                 r"|\b(?:it|that one|this one|(?:that|this) (?:paper|article|work))\b", re.IGNORECASE)  # fmt: skip
_PLACE = re.compile(
    r"\b(?:the |that |number |no\. ?|paper )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last"
    r"|#?\d{1,3}(?:st|nd|rd|th)?)(?: (?:one|paper|entry|article))?\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"([^\"]{2,200})\"")
_NAME = re.compile(
    r"[A-Z\d][\w+.-]*(?::? (?:(?:of|the|and|for|in|to|a|an|is|with|on|from|by|at|via|as) ){0,2}[A-Z\d][\w+.-]*){0,14}"
)
_MOST = 6
"""Stretches that are tried as a name."""


def with_its_topic(text: str, scene: Scene) -> str:
    """A question with the name in place of the pronoun that stands for it; `text` itself where there is none."""
    found = _TWO.fullmatch(text)
    if found is None or _ASKED.match(found["asked"]) is None or _ASKS_ITSELF.match(found["topic"]) is not None:
        return text
    if _IT.search(found["asked"]) is None or not (name := _named(found["topic"], scene)):
        return text
    return _IT.sub(lambda it: f"{name}'s" if it["whose"] else name, found["asked"], count=1)


_DISLOCATED = re.compile(r"(?P<topic>[^,;:.!?]{2,160}?)(?:[,;:.!]| [–-]) +(?P<rest>[^?]{4,300})")
_CHANGE = re.compile(
    r"(?:so |and |please |then |now |just )*(?:save|unsave|tag|untag|label|mark|flag|set|dismiss|hide|remove|delete"
    r"|drop|take|put|pull|kick|throw|add|bookmark|like|dislike|give|rate|export|cite|summarize|get|move|keep|store)\b",
    re.IGNORECASE,
)
_THEM = re.compile(r"\b(?:them(?: both| all)?|both(?: of them)?|the two(?: of them)?|these|those)\b", re.IGNORECASE)
_AS_SUCH = re.compile(
    r"\b(?:as such|accordingly|so|too|as well)\b|^(?:mark|note|tick|flag) (?:it|this|that)(?: off)?$", re.IGNORECASE
)


def with_its_name(text: str, scene: Scene) -> str:
    """A wish with the name of its paper in place of the pronoun: "AutoGen, please dismiss it" asks to dismiss AutoGen,
    "AutoGen can go, take it off my shelf" to take that off."""
    found = _DISLOCATED.fullmatch(text)
    if found is None or _ASKS_ITSELF.match(found["topic"]) is not None:
        return text
    topic, rest = found["topic"].strip(), found["rest"]
    names = known_names_in(topic, scene, every=True)
    if len(names) > 1 and (them := _THEM.search(rest)) and _CHANGE.match(rest):
        return f"{rest[: them.start()]}{topic}{rest[them.end() :]}"
    if _IT.search(rest) is None:
        return text
    if len(names) == 1 and names[0] not in (IT, SHOWN, ALL):
        name = topic
    elif _CHANGE.match(rest) is None or _AS_SUCH.search(rest) or not (name := _named(topic, scene)):
        return text
    return _IT.sub(lambda it: f"{name}'s" if it["whose"] else name, rest, count=1)


def _named(topic: str, scene: Scene) -> str:
    """The name of the one paper that a sentence speaks of, as it stands there."""
    if quoted := _QUOTED.search(topic):
        return quoted[0] if scene.is_title(quoted[1]) else ""
    tried = [found[0] for found in _NAME.finditer(topic)][:_MOST]
    tried += [word for name in tried for word in name.split()[1:2]]  # "The WordNet paper"
    names = [name for name in tried if scene.is_title(name)]
    if names:
        return max(names, key=len)
    if scene.shown and (place := _PLACE.search(topic)) and len(known_names_in(place[0], scene, every=True)) == 1:
        return place[0]
    return ""
