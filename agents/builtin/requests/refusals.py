"""Papers that are refused: "None of these. Show me papers about routing" leaves out what was shown and goes on."""

import re

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import SHOWN
from agents.builtin.requests.scene import Call, Reading, Scene, step

_REFUSAL = Phrases("""
    (no|nope|nah|wrong) [({these}|of these|of those|of them|there)] [either|again|please]
    (none|not one|nothing) of ({these}|those|them) [either|again|please|then|is it|fits|fit]
    not ({these}|it|that|this|this one|that one|right|quite|what i (want|meant|need|mean)|what i am looking for)
        [either]
    still (not (it|them|right|what i (want|meant|need|am looking for))|wrong)
    ({these}|that|this|it|they) (is|are) not (it|them|right|what i (want|meant|need|mean)|what i am looking for)
        [either]
    (something|anything) else
    (others|other ones|different ones) [please]
""")  # fmt: skip
_BEGINNING = re.compile(
    r"^(?:(?:i am|i'm) (?:looking|searching) for|i (?:want|need|meant|mean)|it(?: is|'s)(?: also)?"
    r"|they(?: are|'re)(?: also)?|(?:show|give|find) me(?: (?:\d+|five|ten|three))?(?: (?:other|others|more))?"
    r"|rather|try|only|just|also|but|and)\b\s*",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"^(?:something|anything|ones?|those|papers?|articles?|works?|a paper|the ones?)\b\s*", re.IGNORECASE
)
PAPERS = "papers "
CHOOSES = frozenset({"filter", "resemble", "rank", "list"})
"""Tools that choose among papers, as a refusal wants it."""


def wanted_instead(text: str) -> str | None:
    """What is said behind a refusal of what was shown, "" if nothing; None where nothing is refused."""
    head, mark, rest = next(
        ((text[: cut.start()], cut[0], text[cut.end() :]) for cut in re.finditer(r"\s*[.,;:!]+\s+|\s+[-–—]+\s+", text)),
        (text, "", ""),
    )
    if _REFUSAL.match(head.strip(" .,!")) is None:
        return None
    if not mark and " " not in head.strip():
        return None  # a mere no says nothing of papers
    rest = rest.strip(" .,!?") if mark else ""
    for _ in range(3):
        rest = _BEGINNING.sub("", rest)
    bare = _THINGS.sub("", rest)
    return f"{PAPERS}{bare}" if bare and bare.lower() != "others" else ""


def without_those_shown(reading: Reading | None, scene: Scene) -> Reading | None:
    """`reading` of what is wanted instead, without the papers that were shown: among the other candidates, or in the
    whole library where there are none. None where what is wanted is no choice of papers."""
    calls = list(reading.calls) if reading else [step("list")]
    if not calls or calls[0].tool not in CHOOSES:
        return None
    refused = {"except_papers": [SHOWN]}
    if calls[0].tool == "filter":
        calls[0] = Call("filter", {**calls[0].arguments, **refused})
    else:
        calls.insert(0, Call("filter", refused))
    more = scene.candidates is not None and scene.candidates > scene.shown
    return Reading(tuple(calls), onward=more)
