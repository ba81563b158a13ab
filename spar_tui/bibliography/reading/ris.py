"""Read RIS files: from `TY - JOUR` to `ER - `, as written by reference managers and publishers."""

import re
from itertools import chain

from cache.originals import Original
from connectors.isbn import serials
from connectors.records.build import ANY_YEAR, is_preprint_venue, iso_date, told_date
from connectors.records.clean import clean_text, harmless
from connectors.records.publication import first_to_last, page_range
from spar_tui.bibliography.edtf import first_day, of_ris
from spar_tui.bibliography.field_table import SPONSORED
from spar_tui.bibliography.keyword_lists import keywords_in_ris
from spar_tui.bibliography.kinds import (
    IN_ISSUES,
    IN_SESSIONS,
    NAMES,
    OF_CONFERENCES,
    OF_LAW,
    PUBLISHER_IS_VENUE,
    VERSIONED,
    Kind,
    degree_in,
    kind_in_ris,
    numbers_in_csl,
    paper_type,
)
from spar_tui.bibliography.languages import tag_of
from spar_tui.bibliography.more_fields import is_field_of_ris, noted_detail, page_count, tags_of_editors
from spar_tui.bibliography.reading.entries import RawEntry, found_of, no_date, without_et_al
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.name_lines import names_in, people_in
from spar_tui.bibliography.reading.noted import arxiv_class_in, noted
from spar_tui.bibliography.reading.tagged import TaggedRecord, tagged_records, unended

_TYPE_LINE = re.compile(
    r"^\ufeff?([ \t]*+(?:[0-9]{1,6}[.):]?[ \t]++)?)(TY|ty)([ \t]*+)([-‐-―−])([ \t]*+)[A-Za-z]{3,8}[ \t]*+$",
    re.MULTILINE,
)
"""The line with a record's type, which shows how the file writes its tags."""


_TAGS = "A[1-4BDNUV]|BT|C[1-8ANPTY]|D[ABOP]|E[DPRT]|I[DS]|J[12AFO]|KW|L[1-4ABK]|M[1-3]|N[12V]|OP|P[BPY]"
_TAGS = f"(?:{_TAGS}|R[INP]|S[ENPTV]|T[1-3AITY]|U[1-5R]|V[LO]|Y[12])"
"""The tags of the standard and of reference managers."""


def tag_lines(text: str) -> re.Pattern[str]:
    """Return the pattern of a line with a tag, in the notation of `text`.

    The standard has capitals, two blanks before the hyphen and one after. Databases omit some blanks, indent lines or
    number records, and word processors write dashes. A deviation is allowed if type lines have it; otherwise
    `AB-initio` and `O2 - poor` are text. Tags of the standard may have one blank in any file.
    """
    type_lines = [match.groups() for match in _TYPE_LINE.finditer(text)]
    before = "[ \\t]*+(?:[0-9]{1,6}[.):]?[ \\t]++)?" if any(indent for indent, *_ in type_lines) else ""
    gaps = sorted({"  ", *(gap for _, _, gap, *_ in type_lines)}, key=len, reverse=True)
    dashes = "".join(sorted({"-", *(dash for *_, dash, _ in type_lines)}))
    after_tag = "" if any(not space for *_, space in type_lines) else "(?:[ \\t]|$)"
    letters = "A-Za-z" if any(tag == "ty" for _, tag, *_ in type_lines) else "A-Z"
    gap = "|".join(map(re.escape, gaps))
    return re.compile(f"{before}([{letters}][{letters}0-9])(?:{gap}|(?<={_TAGS}) )[{dashes}]{after_tag}[ \\t]*(.*)")


def read_ris(text: str) -> FileEntries:
    """Return the records of a RIS file; each ends with `ER`, or where the type of the next one is given."""
    records = list(tagged_records(text, tag_lines(text), _begins, "ER"))
    problems = unended(records)
    if bibtex_start := _BIBTEX.search(text):
        line = text.count("\n", 0, bibtex_start.start(1)) + 1
        problems.append(Problem(line, "", "BibTeX begins here; put it into a file of its own", to_end=True))
    problems += [
        Problem(record.line, record.first("ID"), "it has no type (TY); the rest was read", taken=True)
        for record in records
        if not record.all("TY")
    ]
    return found_of((raw_entry(_original(record), record.line) for record in records), problems)


_BIBTEX = re.compile(r"^ER[ \t]*-[ \t]*\n\s*(@\w+[ \t]*\{[^\s,{}]+,)", re.MULTILINE)


def _begins(tag: str, record: TaggedRecord | None, _: bool) -> bool:
    """Whether a record begins; some databases write other tags before the type."""
    return record is None or (tag == "TY" and bool(record.all("TY")))


def _original(record: TaggedRecord) -> Original:
    """Return the record as it is in the file; keywords on lines of their own keep their line breaks."""
    tagged = ((tag, ("\n" if tag == "KW" else " ").join(filter(None, parts))) for tag, parts in record.tagged)
    tagged = ((more[1], "et al.,") if tag == "N1" and (more := _MORE.fullmatch(text)) else (tag, text)
              for tag, text in tagged)  # fmt: skip
    lines = tuple((tag, harmless(text)) for tag, text in tagged if text and tag not in ("TY", "ID"))
    return Original("ris", harmless(record.first("TY")), harmless(record.first("ID")), lines)


WITH_SERIES = frozenset[Kind](("book", "collection", "conference-volume", "booklet", "manual", "report", "standard"))
"""Kinds whose secondary title is that of their series; for a thesis it is the department."""


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse a record."""
    record = TaggedRecord.of(line, original.fields)
    record_type = original.type.upper()
    own_kind = kind_in_ris(record_type)
    own_venues = ("PB", "JO") if own_kind in WITH_SERIES else ("PB", "T2", "JO")
    venues = own_venues if own_kind in PUBLISHER_IS_VENUE else ("T2", "JF", "JO", "JA", "BT", "J2")
    venues = ("C3", *venues) if own_kind in OF_CONFERENCES else venues  # if it is there, T2 has the conference
    venues = (*venues, "A2") if own_kind in ("case", "standard") else venues  # the reporter, or who issued the standard
    names = [("doi", text) for text in record.all("DO") or record.all("M3")]
    texts = [note for note in record.all("N1") if not is_field_of_ris(note)] + record.all("RN")
    notes = [noted(note, names) for note in texts]
    names += [name for note in notes for name in note.names]
    names += [("pmid", text.removesuffix("[pmid]")) for text in record.all("U1") if text.endswith("[pmid]")]
    names += [("any", text) for text in record.all("AN", "C2") if re.match(r"(?:arxiv|pmid|pmc)", text, re.IGNORECASE)]
    in_pubmed = any(re.search(r"pubmed|medline", text, re.IGNORECASE) for text in record.all("DB", "DP"))
    names += [("pmid", text) for text in record.all("AN") * in_pubmed + record.all("PM") if text.isdecimal()]
    volume = record.first("VL")
    start, end = "" if page_count(original) else record.first("SP"), record.first("EP")
    pages = (
        page_range(start) if _RANGE.search(start) and not _RANGE.search(end) else first_to_last(start, end)
    ).replace("-", "--")
    of_editors, _ = tags_of_editors(original)
    # Some programs write the list of authors under both tags.
    of_authors = ("AU", *("A1",) * (record.all("A1") != record.all("AU")), *("A2",) * (own_kind in SPONSORED))
    editors = people_in(record.in_order(*of_editors), "inverted")
    author_lines = [] if "AU" in of_editors else record.in_order(*of_authors)
    authors, et_al = without_et_al(people_in(author_lines, "inverted"))
    joined = [line for line in author_lines if len(names_in(line)) > 1]
    day = first_day(of_ris(record.first("PY", "Y1", "DA")))
    date = told_date(record.first("DA", "PY", "Y1"), record.first("PY", "Y1")) or iso_date(day, earliest=ANY_YEAR)
    unpublished = own_kind == "preprint" and not is_preprint_venue(record.first("PB"))
    return RawEntry(
        line=record.line,
        key=original.key,
        # For a preprint, RIS has only a type of unpublished works; its identifiers or its server tell it.
        kind=paper_type("unpublished" if unpublished else own_kind, record.first("M3")),
        title=record.first("TI", "T1", "CT", "BT"),
        authors=authors,
        et_al=et_al,
        editors=editors,
        date=date,
        faults=[
            *(no_date(record.first("PY", "Y1", "DA")) if date is None else []),
            *(f"“{clean_text(line, 60)}” is read as {len(names_in(line))} people" for line in joined),
        ],
        venue=record.first(*venues),
        names=names,
        arxiv_class=next(filter(None, map(arxiv_class_in, record.all("AN", "C2", "N1"))), ""),
        url=record.first("UR", "L2", "L3", "LK"),
        abstract="\n".join(record.all("AB") or record.all("N2")),
        keywords=keywords_in_ris(record.all("KW")),
        language=tag_of(record.first("LA")).partition("-")[0],
        notes=[note.text for note in notes],
        files=record.all("L1"),
        details={
            "volume": noted_detail("volume-of-thesis", record.all("N1"))
            or ("" if degree_in(volume, own_kind) else volume),
            "pages": pages or "--".join(filter(None, (start, end))) or record.first("C7"),
            "publisher": record.first(*{"patent": ("PB", "A2")}.get(own_kind, () if own_kind in OF_LAW else ("PB",))),
            "address": record.first("CY", "PP"),
            "edition": noted_detail("edition", record.all("N1"))
            or ("" if own_kind in VERSIONED | IN_SESSIONS else record.first("ET")),
            "series": record.first("T3") or (record.first("T2") if own_kind in WITH_SERIES else ""),
        }
        | _serial_numbers(record, own_kind),
        original=original,
    )


def _serial_numbers(record: TaggedRecord, kind: Kind) -> dict[str, str]:
    """Return the numbers of a record: its issue, and ISBN or ISSN, which share a tag, by their form. Any other number
    counts as that of a report or patent, or else as the usual one for the kind of work."""
    is_number = numbers_in_csl(kind)[0] == "number"
    usual = "number" if is_number else "issn" if NAMES[kind].paper in ("article", "review") else "isbn"
    numbers = {"number": issue} if (issue := record.first("IS", "CP")) else {}
    for number in chain.from_iterable(map(serials, record.all("SN"))):
        digits = len(re.findall(r"[0-9Xx]", number))
        form = {8: "issn", 10: "isbn", 13: "isbn"}.get(digits, usual)
        name = usual if is_number and is_number_in("SN", number) else form
        numbers[name] = f"{numbers[name]}, {number}" if name in numbers and name == form else numbers.get(name, number)
    if kind not in IN_ISSUES and (number := record.first("M1", "SV")) and is_number_in("M1", number):
        numbers.setdefault("number", number)
    return numbers


def is_number_in(tag: str, text: str) -> bool:
    """Whether `text` in this tag is a number of the work itself: for SN no ISBN or ISSN, for others no remark."""
    if tag == "SN":
        return [*serials(text)] == [text] and not SERIAL.fullmatch(text)
    return _NUMBER.fullmatch(text) is not None


_NUMBER = re.compile(r"(?!10\.\d{4})(?:[\w./, -]{1,20}|(?=.*\d)[\w./:, -]{1,20})")
"""The number of a report or in a series; databases also write remarks into this tag."""
SERIAL = re.compile(r"[0-9Xx -]++(?:\([^()]*+\))?")
_RANGE = re.compile(r"[0-9a-zA-Z]\s*[-‐-―−]+\s*[0-9a-zA-Z]")
_MORE = re.compile(r"(AU|ED|A[1-4]): et al\.")
"""A note on more people than these tags name, as exports write it."""
