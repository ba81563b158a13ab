"""Questions in everyday words: "how do I stop my chatbot from making things up" names nothing but a chatbot.

Everyday verbs and pronouns are rare in abstracts, so they would weigh more than the one word that tells.
"""

import re

from agents.builtin.question_parsing.phrases import content_words

EVERYDAY = frozenset(
    """actually all always annoying anything away awful bad begin best better big bigger bit bother come
    comes cool decent do does doing done easier easily easy enough ever everyone everything fast faster feel feels
    fit fits fix get gets getting give gives go goes going good got great guy guys happen happening happens
    hate helps huge just keep keeping keeps kind know let lets like little look looks lot lots made make makes
    making maybe mean means mess much never nice nobody okay people pretty put quick quickly
    quite really say saying says someone something sort stop stopping stops stuff take takes taking
    talk tell telling tells thing things think trick tricks try trying up want wants way ways weird
    worse worst wrong""".split()
)
_SPOKEN = re.compile(r"\b(?:[Ii](?:['’]m)?\s(?=[a-z])|(?:my|me|myself|our)\b)")
_ASKED_BY_ONE = re.compile(
    r"\s*(?:how|why|what|when|where|can|could|should|do|does)\s(?:\w+\s){0,2}?(?:i|we|people)\s", re.IGNORECASE
)
_ASKING_WHY = re.compile(r"\s*(?:how|why|what|can|does|do|is|are|should|will)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’]\w+)?")
LONGEST = 12
"""Telling words of a question that is taken for one of everyday life; a longer one says what it means."""


def without_everyday_words(subject: str, question: str) -> str:
    """The words of `subject` that may name what `question` is about; "" if it is not asked in everyday words, if all
    of its words tell, or none does."""
    words = content_words(subject)
    if len(words) > LONGEST or re.search(r"[.?!;]\s", subject):
        return ""
    everyday = [word for word in _WORD.findall(subject) if word.lower() in EVERYDAY]
    alone = _SPOKEN.search(subject) or _ASKED_BY_ONE.match(question)
    if not (alone or (len(everyday) > 1 and _ASKING_WHY.match(question))):
        return ""
    kept = [word for word in words if word.lower() not in EVERYDAY]
    return " ".join(kept) if everyday or len(kept) < len(words) else ""
