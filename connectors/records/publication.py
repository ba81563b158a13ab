"""Build an `Imprint` from a source's values: volume, issue and pages in one spelling each."""

import re
from collections.abc import Iterable
from itertools import islice

from connectors.paper import Author, Imprint
from connectors.records.clean import NAME_CAP, clean_text, whole_text

PART_CAP = 60
"""Maximum length of a volume, an issue or a range of pages. Longer values are dropped, not cut."""

EDITORS_CAP = 1_000

_NOT_YET = re.compile(
    r"(?:ahead.of.print|online.first|first.online|in.press|forthcoming|epub\b.*|n/?a(?:-n/?a)?|no(?:-no)?|none|null"
    r"|0+|\W*)",
    re.I,
)
"""What publishers write before a number is assigned."""
_PAGES = re.compile(r"pp?\.\s*(?=[\dA-Za-z])", re.IGNORECASE)
_VOLUME_OF_ISSUE = re.compile(r"(\d+) (\d.*|(?:suppl|pt|spec|special)\b.*)", re.I)
_AFTERWORD = re.compile(r"(?:(?<!\s)\s+)?;\s*[a-z].*", re.I)
_DASH = re.compile(r"(?:(?<!\s)\s+)?[-‐-―−]+\s*")
_RANGE = re.compile(r"(?P<letters>[0-9]+\.[A-Za-z]+|[A-Za-z]*)(?P<first>[0-9]+)-(?P=letters)?(?P<last>[0-9]+)")
_PLAIN_RANGE = re.compile(r"[1-9][0-9]{0,6}(?:-[1-9][0-9]{0,6})?")
"""The form of most pages: nothing to clean, and no placeholder."""
_EDITION = re.compile(r"0*([1-9][0-9]*)(?:st|nd|rd|th|\.)?(?:\s+ed(?:ition|n)?\.?)?", re.IGNORECASE)
_ARXIV_CLASS = re.compile(r"[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2}|\.[a-z]+(?:-[a-z]+)?)?")
_WITHDRAWN = re.compile(r"[\[(]?(?:withdrawn|retracted)(?: article| paper| chapter)?(?:[\])]:?|:)\s*", re.IGNORECASE)
"""The mark that publishers and servers put before the title of a retracted work."""


def publication_of(
    *,
    volume: object = None,
    number: object = None,
    pages: object = None,
    publisher: object = None,
    arxiv_class: object = None,
    editors: Iterable[Author] = (),
) -> Imprint:
    """Return the imprint for a source's values; unusable values are dropped.

    A volume such as `12 5` is read as volume 12, number 5, unless the number is given separately.
    """
    own_volume, own_number = _part(volume), _part(number)
    if not own_number and (both := _VOLUME_OF_ISSUE.fullmatch(own_volume)):
        own_volume, own_number = both[1], both[2]
    if own_volume == "PP":  # IEEE's early access: number 99, pages from 1
        own_volume, own_number, pages = "", "", None
    area = _part(arxiv_class)
    return Imprint(
        own_volume,
        own_number,
        page_range(pages),
        clean_text(publisher, NAME_CAP),
        area if _ARXIV_CLASS.fullmatch(area) else "",
        tuple(islice(editors, EDITORS_CAP)),
    )


def page_range(raw: object) -> str:
    """Return pages as `100-110`, `E4832-E4841`, `e30` or `58-59, 61`; "" if `raw` holds no pages.

    A shortened last page is written out (`100-10`), and a range of one page becomes one number (`179 - 179`). Drops
    text after the pages (`; discussion 106`) and page numbers with hyphens (`2-1 - 2-9`), which are ambiguous.
    """
    if not (raw_pages := _part(raw)):
        return ""
    if _PLAIN_RANGE.fullmatch(raw_pages):
        return _written_out(raw_pages)
    text = _DASH.sub("-", _AFTERWORD.sub("", raw_pages))
    ranges = (part.strip("- ") for part in re.split("[,;]", text))
    pages = ", ".join(
        span for span in map(_written_out, ranges) if span.count("-") < 2 and not _NOT_YET.fullmatch(span)
    )
    return pages if len(pages) <= PART_CAP else ""


def whole_pages(pages: str) -> str:
    """Return `pages`, with a shortened last page of a range written out (`100--10`); "" for a placeholder such as "in
    press"."""
    if not (pages := _part(pages)):
        return ""
    match = _RANGE.fullmatch(_DASH.sub("-", pages))
    short = match and len(match["last"]) < len(match["first"])
    return _written_out(match[0]).replace("-", "--") if match and short else pages


def edition_number(text: str) -> int | None:
    """Return the number of an edition written as `3`, `3rd`, `3rd ed.` or `3. edn`; None for anything else."""
    match = _EDITION.fullmatch(text.strip())
    return int(match[1]) if match else None


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th` and so on."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def first_to_last(first: object, last: object) -> str:
    """Return the pages from `first` to `last`; "" without a first page."""
    start, end = _part(first), _part(last)
    return page_range(f"{start}-{end}" if end and end != start else start) if start else ""


def _part(raw: object) -> str:
    if isinstance(raw, str) and _PLAIN_RANGE.fullmatch(raw):
        return raw
    text = _PAGES.sub("", whole_text(raw, PART_CAP))
    return "" if not text or _NOT_YET.fullmatch(text) else text


def _written_out(pages: str) -> str:
    match = _RANGE.fullmatch(pages)
    if match and len(match["last"]) <= len(match["first"]):
        last_page = match["first"][: -len(match["last"])] + match["last"]
        if int(last_page) >= int(match["first"]):
            pages = f"{match['letters']}{match['first']}-{match['letters']}{last_page}"
    first, _, last = pages.partition("-")
    return first if first == last else pages


def without_withdrawal(title: str) -> str:
    """Return the title without the publisher's mark of withdrawal."""
    mark = _WITHDRAWN.match(title)
    return title[mark.end() :] if mark else title
