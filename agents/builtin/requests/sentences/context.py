"""What a first sentence only leads to: "Let's check arXiv. Find sparse retrieval there." searches arXiv for it."""

import re

from agents.builtin.requests.spoken_sources import ANY_SOURCE

_TWO = re.compile(r"(?P<said>[^.!?;:\"]{6,160})[.!;] +(?P<asked>[^\"]{6,300})", re.DOTALL)
_SOURCE = re.compile(rf"\b(?P<source>{ANY_SOURCE}|scopus|web of science|ieee xplore|acm dl)\b", re.IGNORECASE)
_LOOK_THERE = re.compile(
    r"(?:(?:could|can|would|will) you )?(?:please )?(?:query|search|try|check|ask) (?:it|there) for (?P<what>.+)",
    re.IGNORECASE,
)
_THERE = re.compile(r"(?:find|get|look for|search for|search)(?: me)? (?P<what>.+?) there\b(?P<rest>.*)", re.IGNORECASE)
_OF_A_RUN = re.compile(r"\b(?:search(?:ed|ing)?|summari[sz](?:ed|ing))\b", re.IGNORECASE)
_WHICH_RUNS = re.compile(
    r"(?:which|what) (?P<runs>searches|summaries|queries) (?:were|are) (?:those|these|they|that)\b[?. ]*", re.IGNORECASE
)
_WHEN = re.compile(
    r"\b(?P<when>(?:this|last) (?:week|month|year)|today|yesterday|(?:in|since) (?:january|february|march|april|may"
    r"|june|july|august|september|october|november|december))\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?P<subject>(?!(?:i|we|you|my|it|this|that|these|those|they|there|which|what|who|how)\b)[\w -]{3,60}?)"
    r" (?:seems?|looks?|appears?|is|are|keeps?|has been|have been|gets?|has become|have become) [\w ,'-]+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:so |now |please |then )*(?:can|could|would|will|what|which|who|how|when|where|find|show|list|search|look|give"
    r"|get|recommend|suggest|summari[sz]e|are there|is there)\b",
    re.IGNORECASE,
)


def without_context(text: str) -> str:
    """A request with what its first sentence says of it in the second; `text` itself where that says more than the
    second needs, as all that could be a condition."""
    found = _TWO.fullmatch(text)
    if found is None:
        return text
    said, asked = found["said"], found["asked"].strip()
    if (source := _SOURCE.search(said)) and len(said.split()) <= _FEW:
        if look := _LOOK_THERE.fullmatch(asked.rstrip(" ?.!")):
            return f"search {source['source']} for {look['what']}"
        if there := _THERE.fullmatch(asked):
            return f"search {source['source']} for {there['what']}{there['rest']}"
    if (runs := _WHICH_RUNS.fullmatch(asked)) and _OF_A_RUN.search(said):
        when = _WHEN.search(said)
        return f"which {runs['runs']} did i make{' ' + when['when'] if when else ''}"
    states = _STATES.fullmatch(said)
    if (
        states
        and _ASKS.match(asked)
        and set(states["subject"].lower().split()) <= set(re.findall(r"[\w-]+", asked.lower()))
    ):
        return asked
    return text


_FEW = 8
"""Words of a sentence that says no more than which source."""
