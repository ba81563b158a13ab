"""Interpret a person's answer to a question: yes or no to a change, or one of several options."""

import re
from collections.abc import Collection, Sequence

from agents.reading.cues import INTERJECTIONS
from agents.reading.tokens import LONGEST, tokens_of

_AGREES = frozenset(
    "y yes yep yeah yup sure ok okay k aye absolutely definitely certainly agreed agree confirm confirmed"
    " approved approve"
    " accepted accept granted correct exactly indeed ja oui si alright affirmative please".split()
)
_REFUSES = frozenset(
    "n no nope nah nay cancel stop abort not never nein non undo wait forget rejected reject declined decline"
    " refuse nevermind"
    " skip scrap against".split()
)
_DOES = frozenset("do go proceed apply execute perform".split())
_CHANGES = {
    word: frozenset(tools.split("|"))
    for word, tools in (
        pair.split("=")
        for pair in "save=save bookmark=save keep=save add=save|tag|note|remember append=note remove=unsave|tag"
        " delete=unsave|note drop=unsave|tag tag=tag|save label=tag mark=mark write=note|remember note=note"
        " remember=remember erase=note rename=tag like=mark rate=mark dismiss=mark".split()
    )
}
"""Words for a change, and the tools that make it."""
_BESIDE = frozenset(
    "thanks thank you then now spar it them that this these those all both so everything of course ahead on for the"
    " is are right fine good great perfect lovely well and just leave let be as was alone mind better rather i am me"
    " a my yet thing way really want did mean".split()
).union(INTERJECTIONS)
_UNSURE = frozenset("maybe perhaps probably possibly unsure guess suppose what huh eh".split())
_PHRASES = {
    "yes": "of course|that is fine|that is right|that is what i meant|sounds good|looks good|fine by me|make it"
    " so|why not"
    "|by all means|you may|you can|carry it out|carry on|go for it|works for me|no objections|no problem|that"
    " would be good"
    "|that would be great|that would be nice|that would be lovely|all good",
    "no": "hold on|not at all|i changed my mind|i have changed my mind|leave it|leave them|let it be|better not"
    "|rather not"
    "|not now|not yet|maybe later|do not bother|none of them|no way|keep it as it is|leave it as it is|that is wrong"
    "|keep it|keep them|actually keep it|not this time|absolutely not|certainly not|of course not",
}
"""Phrases for yes or no."""


def consent(text: str, tools: Collection[str] = ()) -> bool | None:
    """Return whether an answer to a proposed change is yes or no; None if it is neither or says anything else.

    A yes that names a change by none of `tools` is not consent: "remove it" when the proposal is to save.
    """
    words = _words(text)
    if not words or len(words) >= LONGEST or not all(map(_is_known, words)):
        return None
    agrees = any(word in _AGREES for word in words)
    if any(word in _REFUSES for word in words):
        return None if agrees and "please" not in words else False
    named = [_CHANGES[word] for word in words if word in _CHANGES]
    ordered = words[0] in _CHANGES and len(words) > 1
    if any(word in _UNSURE for word in words) or not (agrees or ordered or any(word in _DOES for word in words)):
        return None
    if tools and any(could.isdisjoint(tools) for could in named):
        return None
    return True if "?" not in text else None


def is_doubtful(text: str, tools: Collection[str] = ()) -> bool:
    """Whether an answer only uses words for yes, no or a change, but is neither a clear yes nor a clear no: "yes and
    no", "maybe"."""
    words = _words(text)
    spoken = any(word in _AGREES | _REFUSES | _UNSURE or (word in _CHANGES and word == words[0]) for word in words)
    return bool(words) and spoken and all(map(_is_known, words)) and consent(text, tools) is None


def _words(text: str) -> list[str]:
    said = f" {' '.join(token.key for token in tokens_of(text) if any(map(str.isalnum, token.key)))} "
    for word, phrases in _PHRASES.items():
        for phrase in sorted(phrases.split("|"), key=len, reverse=True):
            said = said.replace(f" {phrase} ", f" {word} ")
    return said.split()


def _is_known(word: str) -> bool:
    return (
        word in _AGREES or word in _REFUSES or word in _DOES or word in _CHANGES or word in _BESIDE or word in _UNSURE
    )


# Offers

_NUMBER = re.compile(
    r"(?:(?:no|please|yes|rather|then|ok(?:ay)?|i meant?|take|do|try)[ ,]+)*"
    r"(?:(?:reading|option|choice) )?(?P<n>[1-9])[.)!]?(?: (?:please|instead|then))?",
    re.IGNORECASE,
)
_LEAST_WORDS = 2
"""Minimum number of words that identify an option; a single word could be a new request."""


def taken(text: str, labels: Sequence[str]) -> int | None:
    """Return the index in `labels` of the option that `text` chooses; None if it matches none or several."""
    said = " ".join(text.split()).strip(" .!?")
    if not labels or not said:
        return None
    if number := _NUMBER.fullmatch(said):
        place = int(number["n"]) - 1
        return place if place < len(labels) else None
    words = _plain(said)
    if len(words) < _LEAST_WORDS:
        return None
    begun = [place for place, label in enumerate(labels) if _plain(label)[: len(words)] == words]
    return begun[0] if len(begun) == 1 else None


def _plain(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
