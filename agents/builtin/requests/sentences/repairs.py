"""A message as it was put better, or as the readers know it."""

import re

from agents.builtin.requests.sentences.otherwise.asking import ASKING
from agents.builtin.requests.sentences.otherwise.changes import CHANGES
from agents.builtin.requests.sentences.otherwise.figures import FIGURES
from agents.builtin.requests.sentences.otherwise.papers import PAPERS
from agents.builtin.requests.sentences.otherwise.runs import RUNS
from agents.builtin.requests.sentences.rewriting import rewritten

_REPAIR = re.compile(
    r"[,;.–-]+\s*(?:i mean|i meant|or rather|or better|better said|correction|let me rephrase|in other words|that is"
    r" to say)[\s,:]+"
    r"(?=(?:how|what|which|who|when|where|show|list|find|give|count|save|tag|sort|rank|order|papers|is|are|do|does"
    r"|did)\b)",
    re.IGNORECASE,
)
_OF_WHICH = re.compile(
    r"^(?:and )?(?:out of|of|from among|among|from) (?P<what>[^,;:?]+?),? (?P<asked>which|what(?: share| percentage"
    r"| percent| fraction| proportion| part)?|how many|who)"
    r"(?P<one> ones?)? (?P<rest>(?:is|are|was|were|has|have|had|do|did|does|came|come|got|would|fits?|suits?|cites?"
    r"|appeared|carry|carries|bears?|lacks?|needs?)\b.*)$",
    re.IGNORECASE,
)
_WHICH_BEHIND = re.compile(
    r"^(?P<what>(?:the |my |all |saved |unread |papers )[^,;:?.]*)(?:[:;,]| [-–—])\s+(?:and )?(?P<asked>which|how many)"
    r"(?P<one> ones?)?(?: of (?:them|these|those))? (?P<rest>(?:is|are|was|were|has|have|had|do|did|came|got)\b.*)$",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:all )?(?:of )?(?:these|those|them|it|(?:the|my) [^ ]+ (?:tags|venues|authors|years|journals)|my tags)"
    r"(?: papers)?|(?:which|what)\b.*",
    re.IGNORECASE,
)


def turned(text: str) -> str:
    """A question with what it is of behind it: "of my saved papers, which is the newest" asks which of them is."""
    found = _OF_WHICH.match(text) or _WHICH_BEHIND.match(text)
    if found is None or (_POINTS.fullmatch(found["what"]) and " " not in found["asked"]):
        return text
    return f"{found['asked']} of {found['what']} {found['rest']}"


_MEANT = re.compile(
    r"^(?:(?:no,? )?(?:(?:not|wrong) (?:that|this|the|it)?(?: (?:one|paper))?|no|oops|sorry|wait|ah)"
    r"(?:,? (?:wait|no|sorry))*[,;.: –-]+(?:but )?|(?=i meant\b))"
    r"i (?:meant|mean|wanted|was (?:thinking of|talking about))(?: to say)? (?P<name>[^?!;]+?)"
    r"(?:[.?!;,]+ (?P<rest>(?:how|what|who|when|where|which|is|was|are|does|did|has|have|show|save|tag|cite|export)"
    r"\b.+))?[.?! ]*$",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:that one|this one|that|this|it)\b(?! (?:i|you|are|have)\b)", re.IGNORECASE)


def meant_instead(text: str) -> str:
    """What is asked of the paper that was meant: "not that one, I meant BERT. When did it appear?"."""
    found = _MEANT.match(text)
    if found is None:
        return text
    rest = found["rest"] or ""
    return _IT.sub(lambda _: f'"{found["name"].strip()}"', rest, count=1) if _IT.search(rest) else rest or found["name"]


_OTHERWISE = (*ASKING, *RUNS, *CHANGES, *PAPERS, *FIGURES)


def repaired(text: str) -> str:
    """A message as it was put better, or as the readers know it: what stands before "I mean" is left out."""
    found = _REPAIR.search(text)
    if found:
        return text[found.end() :]
    return turned(meant_instead(rewritten(text, _OTHERWISE)))
