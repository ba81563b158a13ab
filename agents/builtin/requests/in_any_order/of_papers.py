"""The papers that a question is about, where nothing else of it is left over."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.counts import read_citation_counts
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.choosing.subject import told_subject
from agents.builtin.requests.facts.sql import THESE
from agents.builtin.requests.in_any_order.words import only_asks
from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.scene import Scene

_THIS_SET = re.compile(
    r"\b(?:within |in |of |for |from |over |among |across )*(?:this|that|the(?: current| present| above)?|these) "
    r"(?:set|group|list|lot|bunch|batch|selection|pile|collection|papers|ones)\b(?= *(?:$|[,;.?!):]))"
    r"|\bof it\b|\bthere\b(?= *[?.!]*$)",
    re.IGNORECASE,
)
_SOME_OF = re.compile(
    r"\b(?:any|one|each|every one|all|some|either|none)(?: papers?)? of (?=(?:them|these|those)\b)", re.IGNORECASE
)
_STOP = re.compile(r"[.?!;:]+(?= |$)")
_BEGIN = re.compile(
    r"^(?:(?:papers|please|just|only|now|let us|let me|i am|i want to|,) )*(?:take|taking|consider|considering"
    r"|look(?:ing)? at|regard|use|scope|base"
    r"|basis|among|amongst|within|for|of|from|in)(?: (?:just|only))? ,? ?(?=(?:all|everything|the|my|what|items"
    r"|papers)\b)",
    re.IGNORECASE,
)
"""How the papers are told of which something is asked then."""
_ANEW = re.compile(
    r"\b(?:library|shelf|saved|my|in here|overall|papers (?!in total|altogether)\w|articles|publications|preprints"
    r"|books"
    r"|surveys|reviews|theses|reports)\b",
    re.IGNORECASE,
)
"""What speaks of other papers than those that were spoken of before."""


def papers_told(text: str, scene: Scene) -> Choice | None:
    """What `text` says of papers, its words of asking left out; None where it says anything that is no condition."""
    bounds = Choice(" ".join(text.split()), scene)
    read_citation_counts(bounds)
    this = scene.candidates is not None and _THIS_SET.search(bounds.text) is not None
    rest = _THIS_SET.sub(" , ", bounds.text) if this else bounds.text
    rest = _BEGIN.sub("papers ", _STOP.sub(" , ", _SOME_OF.sub("", rest)).strip(" ,"))
    choice = read_choice(" ".join(rest.split()), scene)
    for name in ("words", "any_words", "without"):
        if phrases := choice.conditions.pop(name, ()):
            kept = [phrase for phrase in phrases if not only_asks(phrase)]
            if kept and (name != "words" or any(_is_strange(phrase, rest, scene) for phrase in kept)):
                return None
            if kept:
                choice.conditions[name] = tuple(kept)
    if choice.is_soft or choice.contradiction or choice.order_words or choice.prefer:
        return None
    choice.conditions = {**bounds.conditions, **choice.conditions}
    if scene.candidates is not None and not choice.onward:
        choice.onward = this or THESE.search(text) is not None or _ANEW.search(text) is None
    return choice


def _is_strange(phrase: str, text: str, scene: Scene) -> bool:
    """Whether a phrase is told as no subject, and no paper is about it or some reader listens for its words."""
    if f'"{phrase}"' in text or told_subject(text):
        return False
    return not scene.is_subject(phrase) or any(word in HEARD for word in phrase.lower().split())
