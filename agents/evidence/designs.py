"""The design of a study, where its title or its abstract names it as its own."""

import re

from agents.builtin.text.sentences import sentences
from connectors.paper import Paper

_DESIGNS = {
    "meta-analysis": r"meta-?\s?analys[ei]s",
    "systematic review": r"systematic(?:ally)? review\w*|umbrella review|scoping review",
    "randomized trial": r"randomi[sz]ed (?:\S+ ){0,4}?trials?|randomly (?:assigned|allocated)|\brct\b",
    "cohort study": r"cohort stud(?:y|ies)|(?:prospective|retrospective) (?:\S+ )?(?:cohort|study)",
    "case-control study": r"case-?\s?control(?:led)? stud(?:y|ies)",
    "cross-sectional study": r"cross-?\s?sectional",
    "case series": r"case (?:series|reports?)",
    "survey of people": r"questionnaires?|interviews? with|surveyed",
    "benchmark": r"benchmarks?",
}
"""Those that say most come first: a meta-analysis of trials is not a trial."""
_OWN = re.compile(r"\b(?:we|our|this (?:study|trial|paper|review|article|work)|design|methods?|objectives?)\b", re.I)


def design_of(paper: Paper) -> str:
    """Return the design of the study; "" where nothing says it."""
    own = " ".join(one for one in sentences(paper.abstract) if _OWN.search(one))
    for text in (paper.title, own):
        for name, pattern in _DESIGNS.items():
            if re.search(pattern, text, re.IGNORECASE):
                return name
    return "review" if paper.type == "review" else ""
