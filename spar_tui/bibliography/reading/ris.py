"""Read RIS files: from `TY - JOUR` to `ER - `, as written by reference managers and publishers."""

import re
from collections.abc import Iterator
from functools import lru_cache

from cache.originals import Original
from connectors.identifiers import READERS
from connectors.records.build import ANY_YEAR, is_preprint_venue, iso_date, month_named, told_date
from connectors.records.clean import clean_text, harmless
from connectors.records.matching import title_key
from spar_tui.bibliography.edtf import edtf, first_day, is_plain, is_state, of_issue, of_ris, of_words
from spar_tui.bibliography.field_table import KNOWN
from spar_tui.bibliography.format_tables import fields_by_member, members_of
from spar_tui.bibliography.keyword_lists import keywords_in_ris
from spar_tui.bibliography.kinds import (
    CSL_TYPES,
    OF_CONFERENCES,
    PUBLISHER_IS_VENUE,
    Kind,
    finer_type,
    kind_of_type,
    numbers_in_csl,
    type_in,
)
from spar_tui.bibliography.reading.csl_json import raw_entry_of
from spar_tui.bibliography.reading.entries import RawEntry, found_of, no_date
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.name_lines import names_in
from spar_tui.bibliography.reading.tagged import TaggedRecord, tagged_records, unended
from spar_tui.bibliography.reading.translation import PRINTED, RIS_TAGS, FieldTable, Record, csl_day, record_of

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
    records = list(tagged_records(text, tag_lines(text), _begins, ("TI", "T1"), "ER"))
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


def _begins(tag: str, record: TaggedRecord, _: bool) -> bool:
    """Whether a record begins; some databases write other tags before the type."""
    return tag == "TY" and bool(record.all("TY"))


def _original(record: TaggedRecord) -> Original:
    """Return the record as it is in the file; keywords on lines of their own keep their line breaks."""
    tagged = ((tag, ("\n" if tag == "KW" else " ").join(filter(None, parts))) for tag, parts in record.tagged)
    tagged = ((more[1], "et al.,") if tag == "N1" and (more := _MORE.fullmatch(text)) else (tag, text)
              for tag, text in tagged)  # fmt: skip
    lines = tuple((tag, harmless(text)) for tag, text in tagged if text and tag not in ("TY", "ID"))
    return Original("ris", harmless(record.first("TY")), harmless(record.first("ID")), lines)


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse a record."""
    kind, record = kind_of_type(original), record_in(original)
    stated = next(filter(None, map(original.value, ("PY", "Y1", "DA"))), "")
    joined = [text for tag, text in original.fields if tag in ("AU", "A1") and len(names_in(text)) > 1]
    # For a preprint, RIS has only a type of unpublished works; its identifiers or its server tell it.
    unpublished = kind == "preprint" and not is_preprint_venue(original.value("PB"))
    item = record.item | {"custom": record.custom}
    raw = raw_entry_of(item, "unpublished" if unpublished else kind, original, line)
    raw.names += [("doi", text) for tag, text in original.fields if tag == "DO"][1:]
    raw.faults = [
        *(no_date(stated) if raw.date is None else []),
        *(f"“{clean_text(line, 60)}” is read as {len(names_in(line))} people" for line in joined),
    ]
    return raw


@lru_cache(maxsize=8)  # an export looks at each record several times
def record_in(original: Original) -> Record:
    """Return the item of a record. Its member `noted` has the less common fields in notes, and `edtf` a date that CSL
    cannot express."""
    kind = kind_of_type(original)
    csl_type = "edited book" if kind == "collection" else type_in("csl", kind, finer_type(original, kind))
    item, custom, further = record_of([("type", csl_type), *_fields(original, kind)], _TABLE, kind)
    values = {field[1]: field[2] for tag, text in original.fields
              if tag == "N1" and (field := FIELD_IN_NOTE.fullmatch(text))}  # fmt: skip
    details = {"volume": values.pop("volume-of-thesis", ""), "edition": values.pop("edition", "")}
    keywords = keywords_in_ris([text for tag, text in original.fields if tag == "KW"])
    item |= {name: value for name, value in {**details, "keyword": keywords, "noted": values}.items() if value}
    further += [("L1", "file", text) for tag, text in original.fields if tag == "L1" and text.startswith("http")]
    further += [(tag, "", text) for tag, text in original.fields if tag in _PRINTED]
    if article := original.value("C7"):
        item.setdefault("page", article)
    if "director" in values and "director" in item:  # the authors are others
        item["author"] = item.pop("director")
    if numbers_in_csl(kind)[0] == "number" and {"issue", "number"} <= item.keys():
        further.append(("IS", "issue", item.pop("issue")))
    return _with_date(Record(item, custom, further), original)


def _fields(original: Original, kind: Kind) -> Iterator[tuple[str, str]]:
    """Yield the fields, except dates and keywords, with each value under the tag that stands for what it holds."""
    tags = {tag for tag, _ in original.fields}
    swapped = {"T2": "C3", "C3": "T2"} if kind in OF_CONFERENCES and "C3" in tags else {}  # then T2 has the conference
    journal = next(filter(None, map(original.value, ("T2", "JF", "JO", "JA", "BT"))), "")
    in_pubmed = any(_OF_PUBMED.search(text) for tag, text in original.fields if tag in ("DB", "DP"))
    start, end = original.value("SP"), original.value("EP")
    authors = [[text for tag, text in original.fields if tag == name] for name in ("AU", "A1")]
    notes = (text for tag, text in original.fields if tag == "N1" and not FIELD_IN_NOTE.fullmatch(text))
    yield "N1", "\n\n".join(dict.fromkeys(notes))
    for tag, text in sorted(original.fields, key=lambda field: _RANKS.get(field[0], 0)):
        match tag:
            case "PY" | "Y1" | "DA" | "KW" | "N1":
                continue
            case "A1" if authors[0] == authors[1]:  # some programs write the list under both tags
                continue
            case "BT" if not tags & {"TI", "T1", "CT"}:
                yield "TI", text
            case "J2" if journal or kind in PUBLISHER_IS_VENUE:
                yield "short", text
            case "JA" | "J1" | "JO" if journal and title_key(text) != title_key(journal) and "J2" not in tags:
                yield "short", text
            case "SP" if not end or (_RANGE.search(start) and not _RANGE.search(end)):
                yield "pages", text
            case "EP" if _RANGE.search(start) and not _RANGE.search(end):
                continue
            case "M3" if READERS["doi"](text):  # some programs write it there
                yield "DO", text
            case "AN" if in_pubmed and text.isdecimal():
                yield "PM", text
            case "U1" if text.endswith("[pmid]"):
                yield "PM", text.removesuffix("[pmid]")
            case "N2" if "AB" not in tags:
                yield "AB", text
            case "JA" | "J1" | "JO" if title_key(text) == title_key(journal) and text != journal:
                continue  # the same name in other letters
            case _:
                yield swapped.get(tag, tag), text


def _with_date(record: Record, original: Original) -> Record:
    """Add the date of a record, or the state in its place, and the words that no other format can express."""
    values = {tag: original.value(tag) for tag in ("DA", "PY", "Y1")}
    first, year = values["PY"] or values["Y1"] or values["DA"], values["PY"] or values["Y1"]
    stated = [*(of_issue(values[tag], year[:4]) for tag in ("DA", "Y1")), *map(of_ris, values.values())]
    date = next((date for date in stated if date and not is_plain(date)), of_ris(year))
    day = told_date(values["DA"] or year, year) or iso_date(first_day(of_ris(first)), earliest=ANY_YEAR)
    item = record.item | {"edtf": date, "issued": csl_day(day) if day else {"literal": first}}
    if is_state(first):
        item.setdefault("status", clean_text(first))
    first_dates = [(tag, text) for tag, text in values.items() if text]
    words = [(tag, "", _unread(text, year[:4])) for tag, text in first_dates if not is_state(text)]
    words += [(tag, "", text) for tag, text in original.fields if tag in values and (tag, text) not in first_dates]
    return Record(item, record.custom, [*record.further, *(field for field in words if field[2])])


def _unread(date: str, year: str) -> str:
    """Return the words of a RIS date that no other format can express, such as a season beside a month; else ""."""
    words = re.sub(r"T[\d:.]+Z?", "", date.split("/", 3)[-1])
    is_read = edtf(date) or of_words(date) or not (is_plain(of_ris(date)) and is_plain(of_issue(date, year)))
    return "" if is_read or all(map(month_named, re.findall(r"[^\W\d_]+", words))) else clean_text(words)


_NOTED = (names.key for names in KNOWN if not names.ris or (names.only and "ris" in names.only[0]))
FIELD_IN_NOTE = re.compile(rf"(volume-of-thesis|edition|{'|'.join(_NOTED)}): (\S.*)")
"""A field in a note, because it has no tag, or because its tag holds something else for the kind of work."""
_MEMBERS = members_of("ris")
_TABLE = FieldTable(
    {tag: tag for tag in RIS_TAGS} | _MEMBERS | {"type": "type"},
    {name: name for name in CSL_TYPES} | {"edited book": "book"},
    order="inverted",
)
_PRINTED = {tag for member, tags in fields_by_member("ris").items() for tag in tags
            if member in PRINTED or member.isupper()} - {"A2", "A3", "A4"}  # fmt: skip
"""Tags of texts that an entry in another format contains, unless they could not be read."""
_RANKS = {tag: rank for member, tags in fields_by_member("ris").items() if member != "author"
          for rank, tag in enumerate(tags)}  # fmt: skip
"""The rank of a tag among those for the same field; of several values the first counts."""
_OF_PUBMED = re.compile(r"pubmed|medline", re.IGNORECASE)
_RANGE = re.compile(r"[0-9a-zA-Z]\s*[-‐-―−]+\s*[0-9a-zA-Z]")
_MORE = re.compile(r"(AU|ED|A[1-4]): et al\.")
"""A note on more people than these tags name, as exports write it."""
