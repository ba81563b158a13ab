"""Find the reference lists in a paper."""

import re
from collections.abc import Sequence
from itertools import pairwise

_TITLES = (
    "references|referencesandnotes|referencesandfurtherreading|referencescited|referencelist|listofreferences"
    "|citedreferences|bibliography|bibliographicreferences|selectedbibliography|selectedreferences|workscited"
    "|literaturecited|literature|citedliterature|notesandreferences|additionalreferences|onlinereferences"
    "|supplementaryreferences|supplementalreferences|methodsreferences|appendixreferences|furtherreading"
    "|références|bibliographie|literatur|literaturverzeichnis|quellen|referencias|bibliografía|referências"
    "|bibliografia|riferimentibibliografici|литература|списоклитературы|参考文献|參考文獻|참고문헌"
)
_NUMBERING = r"(?:(?:\d{1,2}|[ivxIVX]{1,5}|[A-Z])(?:\.\d{1,2})*[.:)]?)?"
_HEADING = re.compile(rf"{_NUMBERING}(?:{_TITLES})[.:]?", re.IGNORECASE)
_RUN_IN = re.compile(r"\s*(?:references|bibliography)(?:\s*[.:])?\s+(?=\[1\]|1\.\s|\(1\)\s)", re.IGNORECASE)
_END = re.compile(
    r"(?:appendi(?:x|ces)|supplement(?:ary|al)?\b|supporting information|acknowledge?ments?|author contributions?"
    r"|about the authors?|author biograph|biograph(?:y|ies)|conflicts? of interest|competing interests?"
    r"|data availability|code availability|funding|ethic\w+ statement|neurips paper checklist|paper checklist|checklist"
    r"|affiliations?:|additional information|correspondence|publisher.s note|extended data|figure legends?"
    r"|table of contents|list of (?:figures|tables)|index$|methods$|online methods|reporting summary)",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"A(?:\.1)?[.:]?\s{1,3}[A-Z][\w\- ]{3,50}")
_HEADING_CAP = 60
_SECTIONS_CAP = 50


def sections(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first line and the line after the last of every reference list, in order and without overlap."""
    starts = [number + 1 for number, line in enumerate(lines) if is_heading(line)][:_SECTIONS_CAP]
    if not starts:
        return []
    bounds = pairwise([*starts, len(lines) + 1])
    return [(start, _end(lines, start, min(after - 1, len(lines)))) for start, after in bounds]


def is_heading(line: str) -> bool:
    """Whether a line is the heading of a reference list, with any letter spacing."""
    return len(line) <= _HEADING_CAP and _HEADING.fullmatch("".join(line.split())) is not None


def split_run_in(lines: Sequence[str]) -> list[str]:
    """Split headings that share a line with the first reference into lines of their own."""
    split: list[str] = []
    for line in lines:
        match = _RUN_IN.match(line)
        split += [match[0], line[match.end() :]] if match else [line]
    return split


def _end(lines: Sequence[str], start: int, most: int) -> int:
    for number in range(start, most):
        if ends_list(lines[number], before=lines[number - 1] if number > start else "x"):
            return number
    return most


def ends_list(line: str, before: str) -> bool:
    """Whether `line`, which follows `before`, is the heading after a reference list."""
    text = line.strip()
    if not text or len(text) > _HEADING_CAP or text[-1] in ".,;-" or _looks_cut(before):
        return False
    bare = re.sub(r"^(?:\d{1,2}|[A-Z]|[IVX]{1,4})[.:]?\s+", "", text)
    if _END.match(bare):
        return True
    # A single letter before capitals can be an author's initial: only after a gap it is an appendix.
    return not before.strip() and _LETTERED.fullmatch(text) is not None


def _looks_cut(before: str) -> bool:
    """Whether the previous line runs on, so that this one is inside a reference."""
    return (
        before.rstrip()[-1:] in (",", "-", ":", ";", "&")
        or re.search(r"\b(?:and|in|of|the)$", before.lower()) is not None
    )
