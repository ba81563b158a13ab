"""Parse the venue and its numbers from the text after the title of a reference."""

import re
from typing import NamedTuple

from connectors.pdf.names import is_list_of_names
from connectors.records.clean import clean_text

_YEAR = r"(?:1[6-9]|20)\d\d[a-z]?"
_RANGE = r"[A-Za-z]?\d\w{0,9}(?: ?[-–—]{1,2} ?[A-Za-z]?\d\w{0,9})?"
_LEAD = re.compile(rf"^[\s.,:;”\"’)\]]*(?:\({_YEAR}\)[\s.,:;]*)?(?:in\b:? )?", re.IGNORECASE)
_END = re.compile(
    rf"[,;.]? ?[(\[]?\b{_YEAR}[)\]]?(?= ?(?:[,;.:)]|$))"
    r"|[,;:.]? ?\(?\b(?:vol(?:ume)?|no|pp?|pages?|chap(?:ter)?|art(?:icle)?|issue|iss)\b[. ]{0,2}(?=[A-Z]?\d)"
    r"|[,;]? \d{1,4} ?(?=[(:,;.]|$)|,? \d{1,6} ?[-–] ?\d|, ?\d|;|\s[(\[]?https?:|\bdoi\b|\b10\.\d{4}"
    r"|, [A-Z]\. ?(?:[A-Z]\. ?){0,3}[A-Z][\w’'-]+(?=,| and )|[,(] ?(?:eds?|editors?)\b"
    r"|\babs/|:? ?\[?\b(?:\d{4}\.\d{4,5}|[a-z-]{2,10}/\d{7})\b|,? ?\bURL\b|\s\(ed",
    re.IGNORECASE,
)
"""Text after the name of a journal or of proceedings that is not part of it."""
_VOLUME = re.compile(
    r"\bvol(?:ume)?s?\b[. ]{0,2}(?P<named>[A-Z]?\d{1,5})"
    rf"|(?<![\w.])(?P<first>\d{{1,4}}), ?(?:no\.? ?)?(?P<second>\d{{1,5}}) ?\({_YEAR}\)"
    rf"|(?<![\w.])(?!{_YEAR} ?\))(?P<before>[A-Z]?\d{{1,4}})"
    rf" ?\((?!{_YEAR}\))(?P<issue>(?:Suppl\.? ?)?\d[\d\s./–-]{{0,12}})\)"
    rf"|(?<![\w./:–-])(?!{_YEAR}\b)(?P<bare>\d{{1,4}})"
    rf" ?(?:[:,;] ?(?=(?:no\.?|pp?\.?|art\w*\.?)? ?[A-Za-z]?\d)|\((?={_YEAR}\)))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\b(?:no|issue|iss|number)\b[. ]{0,2}(\d{1,4}(?:[-–/]\d{1,4})?)", re.IGNORECASE)
_PAGES = re.compile(rf"\b(?:pp?|pages?)\b[. ]?[. ]?(?P<named>{_RANGE})", re.IGNORECASE)
_AFTER_VOLUME = re.compile(rf" ?(?:\((?:{_YEAR})\))? ?[:,;]? ?(?:art(?:icle)?\.? ?)?(?P<pages>{_RANGE})", re.IGNORECASE)
_BARE_RANGE = re.compile(r"(?<![\w./:–-])(?P<pages>[A-Z]?\d{1,6} ?[-–—]{1,2} ?[A-Z]?\d{1,6})(?![\w/])")
_EDITORS = re.compile(r",? \(?(?:editors?|eds?)\b\.?\)?[,:] ", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>\"“”]+")
_ARXIV = re.compile(r"(?:ar\s?xiv|corr)\b", re.IGNORECASE)
_VENUE_CAP = 300


class Printed(NamedTuple):
    """The name of the journal, proceedings or publisher, and the numbers after it; "" if missing."""

    venue: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""


def printed_in(rest: str) -> Printed:
    """Parse `rest`, the text after the title. Never raises."""
    text = _LEAD.sub("", rest, count=1)
    if (editors := _EDITORS.search(text[:_VENUE_CAP])) and is_list_of_names(text[: editors.start()]):
        text = text[editors.end() :]
    if _ARXIV.match(text):
        return Printed("arXiv")
    end = _END.search(text)
    venue = _first_name(text[: end.start() if end else _VENUE_CAP]).strip(' .,;:[]"“”')
    venue += ")" if venue.count("(") > venue.count(")") else ""
    numbers = _ADDRESS.sub(" ", text[end.start() if end else len(venue) :])
    volume = _VOLUME.search(numbers)
    number, pages = _NUMBER.search(numbers), _PAGES.search(numbers)
    if pages is None and volume:
        pages = _after(numbers, volume, number)
    pages = pages or _BARE_RANGE.search(numbers)
    return Printed(
        clean_text(venue, _VENUE_CAP) if any(map(str.isalpha, venue)) else "",
        next((part for part in volume.group("named", "first", "before", "bare") if part), "") if volume else "",
        (volume["second"] or volume["issue"] or "" if volume else "").strip() or (number[1] if number else ""),
        re.sub(r" ?[-–—]{1,2} ?", "-", next(iter(pages.groupdict().values()))) if pages else "",
    )


def _first_name(text: str) -> str:
    """Return `text` up to the full stop that ends a name; after one or two words it is an abbreviation, as in `Phys.
    Rev. Lett.`"""
    pieces = text.split(". ")
    short = next((index for index, piece in enumerate(pieces) if len(piece.split()) > 2), len(pieces))
    return ". ".join(pieces[: short + 1])


def _after(text: str, volume: re.Match[str], number: re.Match[str] | None) -> re.Match[str] | None:
    """Return the pages right after the volume or its issue; a year does not count."""
    start = number.end() if number and number.start() >= volume.end() - 1 else volume.end()
    match = _AFTER_VOLUME.match(text, start)
    return None if match is None or re.fullmatch(_YEAR, match["pages"]) else match


def address_in(raw: str) -> str:
    """Return the first web address of a reference; "" without one."""
    match = _ADDRESS.search(raw)
    return match[0].rstrip(".,;:)]") if match else ""
