"""Which venue, year, author, type or tag has how many papers, in whatever order it is asked: "by unread papers, what is
the top tag", "the year that accounts for the largest number of papers"."""

import re
from collections.abc import Iterator

from agents.builtin.requests.facts.tables import GROUPS, SHOWN, table_of
from agents.builtin.requests.in_any_order.of_papers import papers_told
from agents.builtin.requests.references import number_of
from agents.builtin.requests.scene import Reading, Scene


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NAMES = {
    "first_author": r"first authors?",
    "author": r"authors?|persons?|people|researchers?|writers?",
    "venue": r"(?:publication )?venues?|journals?|conferences?|outlets?",
    "decade": r"decades?",
    "year": r"(?:publication |publishing )?years?(?: of (?:publication|appearance))?",
    "type": r"(?:publication |paper |document )?(?:types?|kinds?)(?: of (?:publications?|papers?|documents?))?",
    "language": r"languages?",
    "tag": r"tags?|labels?",
}
_GROUP = {
    name: _words(
        rf"(?:^|(?<=\s)|(?<=[(:,]))(?:(?:one )?of )?(?:the |my |all )*\b(?:{said})\b(?: of mine)?(?!'s (?:papers"
        rf"|work))(?! (?:\d|(?-i:[A-Z])\w|papers?\b|articles?\b|proceedings\b))"
    )
    for name, said in _NAMES.items()
}
_MOST = _words(
    r"(?<!\bat )\b(?:the )?(?:most|largest|biggest|greatest|highest|top|commonest|maximum|maximal|main|dominant"
    r"|leading)\b(?! (?:recent|cited"
    r"|relevant|influential|similar|important|popular|interesting))"
)
_FEWEST = _words(
    r"(?<!\bat )\b(?:the )?(?:least|fewest|smallest|lowest|rarest|minimum)\b(?! (?:recent|cited|relevant|similar))"
)
_EACH = _words(
    r"\b(?:for |in |of |under |with |from )?(?:each|every|per)\b|\b(?:distribution|breakdown|tabulation|table"
    r"|tabulate|histogram|statistics|overview"
    r"|split|grouped|broken down|counted) (?:of |up )?|\b(?:according to|by)(?= (?:publication |the )?(?:type|year"
    r"|venue|journal|kind|decade|tag|language)s?\b)"
)
_HOW_MANY = _words(r"\b(?:number|numbers|count|counts|how many|how often|totals?|usage)\b")
_BOUND = _words(
    r"\b(?P<sign>more than|over|above|at least|fewer than|less than|under|below|at most"
    r"|no more than) (?P<count>\d{1,4}|one|two"
    r"|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)(?: (?:different |of the |of my )?(?:papers?"
    r"|articles|publications|works"
    r"|entries|times|records))"
)
_SIGNS = {"more than": ">", "over": ">", "above": ">", "at least": ">=", "fewer than": "<", "less than": "<",
          "under": "<", "below": "<", "at most": "<=", "no more than": "<="}  # fmt: skip
_FIRST_FEW = _words(
    r"\b(?P<n>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b(?= (?:\w+ ){0,2}$)|\btop (?P<m>\d{1,2}|two"
    r"|three|four|five|six|seven|eight|nine|ten)\b"
)
_BESIDE = _words(
    r"\b(?:numbers?|counts?|counting|share|part|portion|majority|used|use|uses|usage|useful|given|give|often"
    r"|frequent|frequently|commonly|common"
    r"|appears?|appeared|occurs?|occur|occurring|turns?|turned|turn|shows?|crops?|pops?|represented|accounts?"
    r"|contributes?|contributed|come|comes|came|published|publish"
    r"|written|wrote|write|writes|attached|assigned|favou?rite|productive|prolific|list needed|etc|tabulation"
    r"|how many|how often|of which|in which|on which|under which|from which)\b"
)
_A_PAPER = _words(
    r"\b(?:which|what|the|that|this|a|an|any) (?:\w+ )?(?:paper|article|one paper|preprint)\b(?!s)|\b(?:it|his"
    r"|her)\b|\b(?:average|mean|median|sum|cited|citations?|percent\w*|recent|newest|oldest)\b"
)
_CHANGE = _words(
    r"(?:please |can you |could you |kindly |and |also |then |now )*(?:save|unsave|tag (?!with)|untag|label|note"
    r"|mark|add|bookmark|sort|rank"
    r"|order|arrange|export|remove|drop|search|recommend|suggest|summarize|compare|keep|cite|rename|delete)\b"
)
_LONGEST = 50
"""Words of a question, at most."""


def tabled(text: str, scene: Scene) -> Reading | None:
    """A table of numbers of papers; None where anything else is said."""
    if len(text.split()) > _LONGEST or _CHANGE.match(text) is not None or _A_PAPER.search(text) is not None:
        return None
    bound = _BOUND.search(text)
    most, fewest, each = _MOST.search(text), _FEWEST.search(text), _EACH.search(text)
    if not (bound or most or fewest or (each and _HOW_MANY.search(text))):
        return None
    for name in GROUPS:
        for group in _GROUP[name].finditer(text):
            if each and any(other.start() > each.start() for other in _named(text)) and group.start() < each.start():
                continue  # "how many papers are there of each": what stands behind it is meant
            rest = f"{text[: group.start()]} , {text[group.end() :]}"
            rest = _BOUND.sub(" , ", rest) if bound else rest
            for pattern in (_MOST, _FEWEST, _EACH, _BESIDE):
                rest = pattern.sub(" ", rest)
            choice = papers_told(f"papers , {rest}", scene)
            if choice is None or choice.order or choice.every_tag:
                continue
            having = f" HAVING papers {_SIGNS[bound['sign'].lower()]} {number_of(bound['count'])}" if bound else ""
            first = _FIRST_FEW.search(text[: group.start() + 1])
            limit = choice.limit or (number_of(first["n"] or first["m"]) if first and not bound else SHOWN)
            return table_of(
                name, choice, by_size=not (each and not most and not fewest), fewest=bool(fewest and not most),
                limit=limit if (most or fewest) and not bound else 0, having=having,
            )  # fmt: skip
    return None


def _named(text: str) -> Iterator[re.Match[str]]:
    for pattern in _GROUP.values():
        yield from pattern.finditer(text)
