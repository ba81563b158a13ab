"""What papers must not be about: "not about patents", "no surveys", "without reinforcement learning"."""

import re

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.likeness import named_at_start
from agents.builtin.requests.phrases import Phrases

_NOT = Phrases("""
    [and|but] [that|which] ((do|does|are|is|should|must) not|not|never|nothing|none|no|without|excluding|exclude|
        except|except for|other than|apart from|minus|avoiding|skip|skipping|leaving out|leave out|rather than|
        instead of) [the ones|those|papers|articles|anything|any|ones|stuff|work|things] [that|which] [are|is|be|
        being] [about|on|mention|mentioning|concerning|dealing with|deal with|related to|involving|involve|use|uses|
        using|in the area of|covering|cover|speak of|talk about|talking about|focused on|focusing on|of|with|
        containing|contain]
""")
_STATES = re.compile(
    r"^(?:read|saved|open|yet|only|sure|too|so|be|in|at|from|by|have|been|my|many|much)\b", re.IGNORECASE
)
_MOST = 12
"""Things that are excluded, at most."""
_PARTS = re.compile(r"\s*(?:,(?: (?:or|nor|and))?|\bor\b|\bnor\b)\s*")


def read_exclusions(choice: Choice) -> None:
    """Phrases that must not stand in a paper; papers that are named there are to be far from."""
    begin = 0
    for _ in range(_MOST):
        if (found := _NOT.find(choice.text[begin:])) is None:
            return
        rest = choice.text[begin + found.end :].lstrip()
        if not rest or _STATES.match(rest):
            begin += found.end
            continue
        names, length = named_at_start(choice, rest)
        choice.text = f"{choice.text[: begin + found.start]} , {rest[length:]}".strip()
        if names and all(choice.scene.is_title(name) or name.startswith("@") for name in names):
            choice.unlike += names
            continue
        for part in _PARTS.split(rest[:length].strip(" \"'")):
            if phrase := topic_of(part) or part.strip():
                choice.add("without", phrase.strip(" \"'"))
