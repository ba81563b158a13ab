"""Nouns for papers in a message, and what stands around them."""

from itertools import takewhile

from agents.reading.cues import SINGULARS
from agents.reading.parts.chunk import Say
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection, Unknown
from agents.reading.tokens import written

_BEFORE_NOUNS = frozenset("of in on by from to with about for as at into".split())
"""Words behind which a new phrase begins: "my note on the paper" does not say whose the paper is."""


def noun_at(message: MessageWords, position: int) -> Say:
    """That papers are meant; one of a singular, and saved ones behind `my`."""
    word = message.keys[position]
    phrase = takewhile(lambda key: key not in _BEFORE_NOUNS, reversed(message.keys[max(0, position - 5) : position]))
    mine = "my" in phrase and word in ("paper", "papers", "article", "articles", "publication", "publications")

    def say(selection: Selection) -> None:
        selection.noun = True
        if word in SINGULARS:
            selection.single = True
        if mine:
            selection.add("saved", True)

    return say


def whole_library(selection: Selection) -> None:
    """All papers are meant, not those spoken of before."""
    selection.noun = selection.whole = True


def unheld(message: MessageWords, position: int, behind: int) -> Say:
    """Something that the library does not hold."""
    text = written(message.tokens[position:behind])
    return lambda selection: selection.unknown.append(Unknown("unheld", text))
