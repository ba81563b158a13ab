"""What a paper is about in a source's own words: author keywords, subject headings, topics, categories."""

from collections.abc import Iterable
from itertools import islice

from connectors.records.clean import whole_text

KEYWORDS_CAP = 40
KEYWORD_CAP = 200
"""Nothing longer is a keyword; what is, is left out, for a cut one is not the source's word."""
_READ = 10 * KEYWORDS_CAP


def keywords_of(told: Iterable[object]) -> tuple[str, ...]:
    """`told` cleaned, in its order and case, none twice in whatever case; what is no keyword is left out."""
    texts = (whole_text(text, KEYWORD_CAP) for text in islice(told, _READ))
    return distinct(text for text in texts if any(map(str.isalnum, text)))


def distinct(keywords: Iterable[str]) -> tuple[str, ...]:
    """The first `KEYWORDS_CAP` of `keywords` that differ by more than case; of those that do not, the first stays."""
    first: dict[str, str] = {}
    for keyword in keywords:
        first.setdefault(keyword.casefold(), keyword)
    return tuple(islice(first.values(), KEYWORDS_CAP))
