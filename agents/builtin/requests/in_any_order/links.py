"""What cites a paper and what it cites, in whatever order that is asked: "by which others is it cited", "what has
Toolformer among its references"."""

import re

from agents.builtin.requests.in_any_order.words import NAME, SAY_NOTHING, named, words_in
from agents.builtin.requests.references import IT
from agents.builtin.requests.scene import Reading, Scene, plan, step

_LIST = r"(?:references?|reference-list|refs|bibliography|works cited|sources|literature)"
_BESIDE = r"(?:\w+ ){0,3}?"
_WITHIN = "(?:among|in|on|within)"
_CITED_BY = re.compile(
    r"\b(?:cites?|citing|cited|refers? to|referring to|references|builds? (?:up)?on|building on|quotes?|using)"
    rf" (?:the )?{NAME}"
    rf"|{NAME} (?:is |was |has |been |being |gets? )*cited\b|\b(?:is|was|has|been) {NAME} (?:been )?{_BESIDE}cited\b"
    rf"|{NAME} {_BESIDE}{_WITHIN} (?:its|their|the|whose) {_LIST}"
    rf"|\b(?:whose|its|their) {_LIST} {_BESIDE}{NAME}",
)
_CITES = re.compile(
    rf"\b{_LIST} {_BESIDE}(?:of|in|from|by|for) {_BESIDE}{NAME}|{NAME} (?!{_WITHIN})(?:s )?{_BESIDE}{_LIST}"
    rf"|{NAME} (?!{_WITHIN})(?:\w+ ){{0,2}}?(?:cites?|refers?|references|builds?|quotes?)\b"
    rf"|\bcited {_BESIDE}(?:by|in) {_BESIDE}{NAME}"
    rf"|\b(?:does|did|do|has|have) {NAME} (?:itself )?(?:cited?|refer|build|quoted?|reference)\b",
)
_LINKS = frozenset(
    """cite cites cited citing refer refers referring reference references reference-list refs bibliography build builds
    building upon quote quotes quoted using works sources literature among include includes contain contains itself who
    whom papers articles publications studies ones others other everything list else later own""".split()
)
_BESIDE_NAMES = SAY_NOTHING | _LINKS
_COUNTED = re.compile(r"\b(?:how|number|count|most|least|times|often|average|total|more|less|fewer)\b", re.IGNORECASE)
_LONGEST = 40
"""Words of a question, at most."""


def linked_to_one(text: str, scene: Scene) -> Reading | None:
    """The papers that cite the one that is named, or that it cites; None where more is said, or both could be."""
    words = list(words_in(text))
    if not 1 < len(words) <= _LONGEST or _COUNTED.search(text) or not any(word.said in _VERBS for word in words):
        return None
    for found in named(text, words, _BESIDE_NAMES, scene):
        if len(found.papers) > 1 or any(word not in _BESIDE_NAMES for word in found.rest):
            continue
        if found.papers[0][:1] == "@" and found.papers[0] != IT and not 0 < int(found.papers[0][1:]) <= scene.shown:
            continue
        cited, cites = _CITED_BY.search(found.told) is not None, _CITES.search(found.told) is not None
        if cited != cites:
            return plan(step("citations" if cited else "references", paper=found.papers[0]))
    return None


_VERBS = frozenset(
    """cite cites cited citing refer refers references reference refs bibliography reference-list quotes builds
    build""".split()
)
