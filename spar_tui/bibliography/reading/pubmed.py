"""Read files in PubMed's own format (.nbib), with lines such as `PMID- 123`. ERIC writes such files too."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from cache.originals import Original
from connectors.paper import Author
from connectors.records.build import author, author_from_name, is_generation
from connectors.records.matching import title_key
from connectors.records.medline import language_of, retracted, type_of, without_stop
from spar_tui.bibliography.edtf import of_issue
from spar_tui.bibliography.format_tables import members_of
from spar_tui.bibliography.kinds import NAMES, kind_in_csl
from spar_tui.bibliography.names import OTHERS
from spar_tui.bibliography.reading.csl_json import raw_entry_of
from spar_tui.bibliography.reading.entries import RawEntry, found_of, no_date, without_et_al
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.tagged import TaggedRecord, cut_off, tagged_records
from spar_tui.bibliography.reading.translation import PRINTED, FieldTable, Record, record_of

_LINE = re.compile(r"([A-Z]{2,4}) *-(?: (.*))?")
_NEXT_VALUE = "\x1f"
"""Separator before each value; cleaned text does not contain it."""
_PAGES_IN_SOURCE = re.compile(r"\d(?:\([^()]*\))?:([A-Za-z]{0,2}\d[\w-]*)\.")
"""The pages in `J Fens. 2020 May;14(7):e0299. doi: …`: records of articles with only a number lack the tag `PG`."""


def read_pubmed(text: str) -> FileEntries:
    """Return the records of a PubMed file (.nbib, .txt); each begins with `PMID-`, or in some files with `OWN`."""
    records = [*tagged_records(text, _LINE, _begins, ("TI",))]
    raw_entries = (raw_entry(Original("pubmed", "", "", tuple(_values(record))), record.line) for record in records)
    return found_of(raw_entries, cut_off(records, text))


def _begins(tag: str, _: TaggedRecord, blank: bool) -> bool:
    return tag == "PMID" or (tag == "OWN" and blank)


def _values(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    """Yield the tags and values of `record` as Biopython parses them, but without joining values of a repeated tag, and
    in the order of the file."""
    from Bio import Medline

    full_names = list(_full_names(record))
    lines = [f"{tag:<4}- {_NEXT_VALUE}{value}" for tag, value in full_names]
    for fields in Medline.parse(lines):  # type: ignore[no-untyped-call]  # Biopython types nothing
        values = {tag: iter("".join(text).split(_NEXT_VALUE)[1:]) for tag, text in fields.items()}
        yield from ((tag, value.strip()) for tag, _ in full_names for value in islice(values.get(tag, ()), 1))


def _full_names(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    """Yield the tags and values, with a full name also for an author who has only the short one among others."""
    before, full = "", len(record.all("FAU"))
    for tag, text in record.lines():
        if 0 < full < len(record.all("AU")) and tag == "AU" and before != "FAU":
            yield "FAU", _inverted(text)
        yield tag, text
        before = tag


def _inverted(name: str) -> str:
    """Return a short name such as `Roe AB Jr` as `Roe, AB, Jr`."""
    if "," in name:  # ERIC writes whole names
        return name
    words = name.split()
    suffix = [words.pop()] if len(words) > 2 and not words[-1].isupper() and is_generation(words[-1]) else []
    return ", ".join([" ".join(words[:-1]), words[-1], *suffix]) if words[-1:] and words[-1].isupper() else name


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse a record."""
    stated, item = original.value("DP"), record_in(original).item
    raw = raw_entry_of(item, kind_in_csl(item["type"]), original, line)
    raw.faults = no_date(stated) if raw.date is None else []
    raw.keywords = [text.removeprefix("*") for tag, text in original.fields if tag == "OT"]
    return raw


@lru_cache(maxsize=8)  # an export looks at each record several times
def record_in(original: Original) -> Record:
    """Return the item of a record, as `translation.record_of` does."""
    record = TaggedRecord.of(0, original.fields)
    kinds = [kind.lower() for kind in record.all("PT")]
    kind, title, venue = type_of(kinds), record.first("TI"), record.first("JT", "TA", "VTI")
    book = without_stop(record.first("BTI"))
    if book:  # PubMed distinguishes books from chapters by their titles
        venue = book if title else record.first("PB")
        kind = kind if kind not in ("article", "review", "chapter") else "chapter" if title else "book"
    source = _PAGES_IN_SOURCE.search(record.first("SO"))
    review = next((text for text in record.all("PT") if kind == "review" and type_of([text.lower()]) == "review"), "")
    ids = record.all("LID", "AID")
    own_kind = next(own_kind for own_kind, names in NAMES.items() if names.paper == kind or kind == "review")
    fields = [
        ("type", NAMES[own_kind].csl), ("genre", review), ("venue", venue),
        ("title", without_stop(title or book or record.first("TT"))),
        ("TT", without_stop(record.first("TT")) if title else ""),
        ("TA", short if title_key(short := record.first("TA")) != title_key(record.first("JT") or short) else ""),
        ("status", "retracted" if retracted(kinds) or record.all("RIN") else ""),
        ("LA", language_of(record.first("LA")) or ""),
        ("PG", "" if record.first("PG") or not source else source[1]),
        *(("DOI", text.removesuffix("[doi]").strip()) for text in ids if text.endswith("[doi]") or _DOI in text),
        *(("URL", text) for text in ids if text.startswith("http") and _DOI not in text),
        *(("AID", text) for text in dict.fromkeys(ids)
          if not (text.endswith("[doi]") or _DOI in text or text.startswith("http"))),
        *((tag, text) for tag, text in original.fields if tag not in _USED and (book or tag != "PL")),
    ]  # fmt: skip
    item, custom, further = record_of(fields, _TABLE, own_kind)
    editors = [author_from_name(text) for text in record.all("FED") or map(_inverted, record.all("ED"))]
    people = {"author": list(_authors(record)), "editor": list(filter(None, editors))}
    for role, listed in people.items():
        persons, more = without_et_al(listed)
        item |= {role: [*persons, *[OTHERS] * more]} if persons else {}
    further += [(tag, "", text) for tag, text in original.fields if _MEMBERS.get(tag) in PRINTED or tag == "BTI"]
    return Record(item | {"edtf": of_issue(record.first("DP"))}, custom, further)


_DOI = "doi.org/10."
_MEMBERS = members_of("pubmed")
_USED = frozenset("TI TT BTI FAU AU AUID CN FED ED JT TA LID AID OT LA PT".split())
"""Tags that `record_in` reads itself."""
_TABLE = FieldTable(_MEMBERS | {"type": "type"}, {names.csl: names.csl for names in NAMES.values()}, order="inverted")


def _authors(record: TaggedRecord) -> Iterator[Author]:
    """Yield the authors and groups in order; an id belongs to the person before it."""
    short = "AU" if not record.first("FAU") else "FAU"
    people = list[Author | None]()
    for tag, text in record.listed():
        if tag in (short, "CN"):
            people.append(author(text) if tag == "CN" else author_from_name(_inverted(text) if tag == "AU" else text))
        elif tag == "AUID" and people and (person := people[-1]):
            people[-1] = author(person.family, person.given, person.orcid or text, person.suffix)
    yield from filter(None, people)
