"""How often cited, and free to read: "at least 100 citations", "cited more than 50 times", "open access"."""

import re
from typing import NamedTuple

from agents.builtin.question_parsing.spans import Span

_COUNT = r"(?P<count>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})\s*(?P<thousand>k)?"
_LEAST = r"(?:at\s+least|no\s+(?:less|fewer)\s+than|not\s+(?:less|fewer)\s+than|(?:a\s+)?minimum(?:\s+of)?|min\.?|>=|≥)"
_MORE = r"(?P<more>more\s+than|over|above|greater\s+than|>|exceeding)"
_LINK = r"(?:(?:,\s*)?(?:(?:that|which)\s+)?(?:with|having|have|has|that\s+have|which\s+have|and)\s+)?"
_CITED = r"(?:(?:that|which)\s+(?:are|were|have\s+been|has\s+been|is|was)\s+)?cited"
_CITATIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LINK}(?:{_LEAST}|{_MORE})\s*{_COUNT}\s+citations?\b(?:\s+or\s+more)?",
        rf"{_LINK}{_COUNT}\s*(?:\+|or\s+more|plus)\s*citations?\b",
        rf"{_LINK}{_COUNT}\s+citations?\s+or\s+more\b",
        rf"{_CITED}\s+(?:by\s+)?(?:{_LEAST}|{_MORE})\s*{_COUNT}\s*(?:times|others|(?:other\s+)?papers)\b",
        rf"{_CITED}\s+{_COUNT}\s*(?:\+\s*times|times\s+or\s+more|or\s+more\s+times)",
        rf"\bcitations?\s*(?:count\s*)?(?:>=|≥|(?P<more>>|above|over))\s*{_COUNT}",
        rf"\bminimum\s+citations?(?:\s+count)?(?:\s+of)?\s*:?\s*{_COUNT}",
    )
)
_DOCUMENTS = (
    r"(?:papers?|articles?|publications?|literature|preprints?|full[\s-]texts?|pdfs?|surveys?|reviews?|studies)"
)
_PUBLISHED = r"(?:journals?|conferences?|venues?|papers?|publications?|articles?)"
_FREE = (
    r"(?:open[\s-]access|free(?:ly)?[\s-](?:available|accessible|readable)|free\s+(?:to\s+read|full[\s-]texts?|pdfs?))"
)
_OPEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_FREE}(?=\s+{_DOCUMENTS}\b(?!\s+(?:citations?|advantage|publishing)))",
        r"\bfree(?=\s+(?:papers|articles|pdfs?)\b)",
        rf"(?<=apers |icles |udies |rveys |views )(?:(?:that|which)\s+(?:are|is)\s+)?(?:only\s+)?{_FREE}\b",
        rf"\b(?:only|must\s+be|(?:that|which)\s+are|available\s+(?:as|in))\s+{_FREE}\b(?!\s+(?:data|code|soft|tool))",
        rf"[,(;]\s*(?:and\s+)?(?:only\s+)?{_FREE}(?:\s+only)?(?=\s*[).,;?]*\s*$)",
        rf"\b{_FREE}\s+only\b",
        r"\bwith\s+(?:an?\s+)?(?:open[\s-]access|free(?:ly\s+available)?)\s+(?:full[\s-]texts?|pdfs?|versions?)\b",
    )
)


_RENOWNED = re.compile(
    r"(?:,\s*)?\b(?:(?:preferably|ideally|mainly)\s+)?(?:(?:published\s+)?(?:from|in|by)\s+)?(?:the\s+)?"
    r"(?:top(?:[\s-](?:tier|ranked|quality))?|high[\s-](?:impact|quality|ranking)|prestigious|reputable|renowned|leading)\s+"
    rf"(?:(?:academic|scientific|international|peer-reviewed)\s+)?{_PUBLISHED}(?:,?\s+(?:and|or)\s+{_PUBLISHED})*",
    re.IGNORECASE,
)


class Conditions(NamedTuple):
    """The fewest citations that were asked for, if any; whether papers must be free to read; whether renowned work is
    preferred."""

    min_citations: int | None
    open_access: bool
    renowned: bool
    spans: tuple[Span, ...]


def read_conditions(text: str) -> Conditions:
    """What `text` (see `plain`) demands of papers beside their subject. "Highly cited" names no number."""
    counts = [match for pattern in _CITATIONS for match in pattern.finditer(text)]
    renowned = [*_RENOWNED.finditer(text)]
    free = [match for pattern in _OPEN for match in pattern.finditer(text)]
    return Conditions(
        max(map(_fewest, counts), default=None),
        bool(free),
        bool(renowned),
        tuple(Span(*match.span()) for match in (*counts, *free, *renowned)),
    )


def _fewest(match: re.Match[str]) -> int:
    """ "More than 50" is at least 51."""
    count = int(match["count"].replace(",", "")) * (1000 if match["thousand"] else 1)
    return count + 1 if match.groupdict().get("more") else count
