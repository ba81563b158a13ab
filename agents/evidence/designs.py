"""The design of a study, if its title or abstract states it."""

import re

from agents.builtin.text.sentences import sentences
from connectors.paper import Paper

_DESIGNS = {
    "meta-analysis": r"meta-?\s?analys[ei]s",
    "systematic review": r"(?:systematic(?:ally)?|umbrella|scoping) review\w*",
    "randomized trial": r"randomi[sz]ed,? (?:\S+ ){0,4}?trials?\b|randomly (?:assigned|allocated)\b",
    "cohort study": r"cohort stud(?:y|ies)\b|(?:prospective|retrospective) (?:\S+ )?cohort\b",
    "case-control study": r"case-?\s?control(?:led)? stud(?:y|ies)\b",
    "cross-sectional study": r"cross-?\s?sectional\b",
    "prospective study": r"\bprospective (?:\S+ )?stud(?:y|ies)\b",
    "retrospective study": r"\bretrospective (?:\S+ )?(?:stud(?:y|ies)|analysis)\b",
    "case report": r"\bcase (?:series|reports?)\b",
}
"""The most specific first: a meta-analysis of trials is not a trial."""
_OWN = re.compile(
    r"\b(?:we|our|design|methods?|objectives?"
    r"|(?:this|the present) (?:\S+ ){0,4}?(?:study|trial|paper|review|article|work))\b",
    re.IGNORECASE,
)


def design_of(paper: Paper) -> str:
    """Return the design of the study, "" if it is not stated."""
    statements = " ".join(sentence for sentence in sentences(paper.abstract) if _OWN.search(sentence))
    for text in (paper.title, statements):
        for name, pattern in _DESIGNS.items():
            if re.search(pattern, text, re.IGNORECASE):
                return name
    return "review" if paper.type == "review" else ""
