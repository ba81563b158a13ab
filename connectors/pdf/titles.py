"""Find where a title ends and the venue begins."""

import re

_STOP = re.compile(r"([.?!])[\"”’)\]]?\s+")
_OPENING, _CLOSING = "“„«", "”»"
_LONGEST_WORD = 40
_ABBREVIATIONS = frozenset(
    "vs dr st mr mrs ms prof no nos vol e.g i.e cf approx resp inc u.s u.k spp ssp var ca fig sect ch".split()
)
_SMALL_VENUES = re.compile(
    r"(?:arxiv|bioRxiv|medRxiv|eLife|npj|iScience|mBio|e-print|https?:|www\.|doi:|pp?\. ?\d|in:? [A-Z])"
)
_VENUE = re.compile(
    r"(?:in\b:?|arxiv|corr\b|proceedings|proc\b|journal|transactions|ph\.? ?d|master|technical report|tech\. rep"
    r"|available|retrieved|https?:|doi|advances in|lecture notes|ieee|acm\b|springer|elsevier|preprint|curran"
    r"|university|press\b|bioRxiv|medRxiv|nature\b|science\b|association for|unpublished|manuscript|thesis|url\b"
    r"|accessed|online)",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"(?:[A-Z][\w]{0,9}\.\s*){2,}|[A-Z][\w]{0,9}\.\s[A-Z][\w]{0,9}\.?\s(?:[A-Z]\s)?\d")
_ISSUE = re.compile(
    r"(?<!\d)\d+\s*(?:\(\d|[:,;]|[–-]\d|$)|\b(?:vol|pp?|no)\b\.?\s*\d|\((?:1[6-9]|20)\d\d\)|\b(?:1[6-9]|20)\d\d\b"
)
_VOLUME_AND_YEAR = re.compile(r"\s*(?:\d{1,4}\s)?\((?:1[6-9]|20)\d\d\)")
_TAIL = re.compile(
    r"(?:(?<!\s)\s+)?\[(?:J|C|M|D|R|EB/OL|J/OL|Online|Internet)\].*"
    r"|(?:,\s*|(?<!\s)\s+)?\(?\d{1,3}(?:st|nd|rd|th) (?:ed|edition)\b.*|,\s*vol(?:ume|\.)? \d.*"
    r"|(?:,|(?<!\s))\s+https?:\S*$|(?:,|(?<!\s))\s+arxiv(?: preprint)?(?:[:\s].*|$)|,\s+(?:1[6-9]|20)\d\d[a-z]?$"
    r"|,\s+in:?\s+(?:proc|[A-Z]).*",
    re.IGNORECASE | re.DOTALL,
)


def first_sentence(text: str) -> tuple[str, str]:
    """Split `text` into its first sentence, without its full stop, and the rest."""
    for stop in _STOP.finditer(text):
        before, after = text[: stop.start()], text[stop.end() :]
        if before.strip() and _is_end(before, stop[1], after):
            closing = stop[1] if stop[1] in "?!" else ""
            return before + closing, after
    return text.rstrip(". "), ""


def _is_end(before: str, sign: str, after: str) -> bool:
    if after[:1].islower() and not _SMALL_VENUES.match(after):
        return False
    if sign == ".":
        last = before[-_LONGEST_WORD:].split()[-1].lower().lstrip("([")
        return last not in _ABBREVIATIONS
    # After a question mark the subtitle may follow: then the venue comes only after the next full stop.
    following, rest = after.partition(". ")[::2]
    subtitle = rest and not _VENUE.match(after) and not _ISSUE.search(following) and len(following.split()) > 1
    return not (subtitle and (_VENUE.match(rest) or _ISSUE.search(rest[:120])) and "," not in following)


def is_venue(text: str) -> bool:
    """Whether `text` is a venue and not a title: `Phys. Rev. Lett. 5`, `Nature 521, 436 (2015)`."""
    bare = text.strip()
    if _ABBREVIATED.match(bare):
        return True
    words = bare.split()
    return (
        len(words) <= 6
        and bare[:1].isupper()
        and re.search(r"\s\d+$|\s\d+\s*[,(:]", bare) is not None
        and (sum(word[:1].islower() for word in words) <= 1 and ":" not in bare)
    )


def ends_with_venue(text: str) -> str:
    """Return the title at the beginning of `text`, in which commas separate title, venue and year; "" if there is
    none."""
    parts = text.split(",")
    venue = next((index for index, part in enumerate(parts) if _starts_venue(part.strip(), index)), len(parts))
    if venue == 0:
        return ""
    if 1 < venue < len(parts) and (
        (_is_publisher(parts[venue - 1]) and parts[venue].strip(" .").isdecimal())
        or _VOLUME_AND_YEAR.match(parts[venue])
    ):
        venue -= 1  # `Journal, 70 (1998)`
    title = ",".join(parts[:venue])
    sentence, rest = first_sentence(title)
    return sentence if rest or venue == len(parts) else title


def _is_publisher(part: str) -> bool:
    words = [word for word in part.split() if word not in ("of", "and", "&", "for", "the")]
    return 0 < len(words) <= 5 and all(word[0].isupper() for word in words)


def _starts_venue(part: str, index: int) -> bool:
    if is_venue(part) or _ABBREVIATED.match(part):
        return True
    if index == 0:
        return False
    return (
        _VENUE.match(part) is not None
        or re.fullmatch(r"(?:19|20)\d\d\.?", part) is not None
        or (re.search(r"[\s(](?:\d+\s*\((?:1[6-9]|20)\d\d\)|\((?:1[6-9]|20)\d\d\))", part) is not None)
    )


def tidy(title: str) -> str:
    """Return `title` without additions of citation styles: quotation marks, a kind in brackets, an edition, a
    volume."""
    text = title.strip(" \t,;")
    while (shorter := _TAIL.sub("", text).rstrip(" ,;")) != text and shorter:
        text = shorter
    return _unquoted(text.strip(" '`*_.")).strip(" .,;:")


def _unquoted(text: str) -> str:
    """Return `text` without quotation marks around all of it, or a single unmatched one."""
    openings, closings = (sum(map(text.count, marks)) for marks in (_OPENING, _CLOSING))
    around = text[:1] in _OPENING and text[-1:] in _CLOSING and openings == closings == 1
    if around or (openings > closings and text[:1] in _OPENING):
        text = text[1:]
    if around or (closings > openings and text[-1:] in _CLOSING):
        text = text[:-1]
    return text if text.count('"') % 2 == 0 else text.strip('"')
