"""Words that must stand in the title."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases

_HAS = (
    "(with|having|containing|contain|contains|mention|mentions|have|has|say|says|use|uses|that have|that contain|that"
    " mention|whose title has|the)"
)
_WORDS = "[the] [word/words/term/terms/phrase] [both]"
_IN = "(in|within) (the/their/its title/titles|title/titles)"
_TITLE_HAS = (
    "[(whose|where [the]|with [a|the]|in the|having [a|the]|with|having)] title/titles [that|which]"
    " (contain/contains/containing/mention/mentions/mentioning/has/have/having/say/says/with/including/includes/use"
    "|starts with|start with|begins with|begin with|starting with|beginning with)"
)
_IN_TITLE = Phrases(f"""
    [{_HAS}] {_WORDS} <words:quoted> and <more:quoted> {_IN}
    [{_HAS}] {_WORDS} <words:quoted> {_IN}
    {_HAS} {_WORDS} <words:few> and <more:word> {_IN}
    {_HAS} {_WORDS} <words:few> {_IN}
    <words:word> {_IN}
    {_TITLE_HAS} {_WORDS} <words:quoted> and [the] [word] <more:quoted>
    {_TITLE_HAS} {_WORDS} <words:quoted>
    {_TITLE_HAS} {_WORDS} both <words:word> and <more:word>
    {_TITLE_HAS} {_WORDS} <words>
    <words:quoted> (stands|appears|occurs|is) {_IN}
    <words:word> (stands|appears|occurs|is) {_IN}
""")

_TITLE_ORDER = re.compile(r"\b(?:in|by|into) title order\b", re.IGNORECASE)


def read_titles(choice: Choice) -> None:
    """What titles must hold."""
    if _TITLE_ORDER.search(choice.text) is not None:
        return
    if slots := choice.take(_IN_TITLE):
        choice.add("title_words", *(slots[name].strip("\"'") for name in ("words", "more") if name in slots))
