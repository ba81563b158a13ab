"""Bibliographies that other people keep, imported into an empty library and exported again in their own format.

What a file holds before and after is read by readers that share nothing with the program. Each entry is found again by
its key, and each field by its name; what is missing or changed is counted, with examples.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from cache import shelf
from cache.originals import Original
from cache.store import Store
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.exporting import ExportedPaper, export_papers
from spar_tui.bibliography.options import export_options
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.files import decoded, found_in, read_bytes
from spar_tui.bibliography.reading.shelving import Shelving, put_on_shelf
from spar_tui.errors import UserError
from tests.benchmarks.real.plain_reader import PlainEntry, plain_entries
from tests.spar_tui.bibliography.validators import biber_complaints, bibtex_complaints

BIBLIOGRAPHIES = Path(__file__).parents[4] / "shared" / "bibliographies"
BIBTEX = (".bib", ".bibtex", ".biblatex")
NO_WORKS = frozenset({"xdata", "set", "control", "ieeetranbstctl"})
NAMING = ("TI", "T1", "CT", "AU", "A1", "PY", "Y1", "SP")
"""The tags that tell a record of RIS from others; many files number their records anew."""
TELLING = ("title", "author", "year", "date", "volume", "number", "pages", "journal", "journaltitle", "booktitle",
           "publisher", "edition", "chapter", "doi", "type")  # fmt: skip
_TAG = re.compile(r"([A-Z][A-Z0-9])  ?-(?: (.*)|$)")


class Read(NamedTuple):
    """A file's entries by key; of a key that stands there twice, the first."""

    format: Format
    entries: Mapping[str, PlainEntry]


@dataclass
class Tally:
    """What became of the entries and fields of files."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def note(self, what: str, example: str, times: int = 1) -> None:
        self.counts[what] += times
        self.examples.setdefault(what, []).append(example)

    def printed(self, most: int) -> None:
        for what, count in sorted(self.counts.items()):
            print(f"{what}: {count:,}")
            for example in self.examples.get(what, [])[:most]:
                print(f"      {example[:200]}")


def real_bibliographies(folder: Path = BIBLIOGRAPHIES, examples: int = 5) -> bool:
    """Whether no entry, type or field is lost without a reason that is told."""
    tally = Tally()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        taken_and_given_back(file, tally)
    tally.printed(examples)
    lost, all_fields = tally.counts["fields lost"], tally.counts["fields"]
    if all_fields:
        print(f"fields lost: {100 * lost / all_fields:.3f} %")
    return not (tally.counts["keys missing"] or tally.counts["fields lost"])


def read_by_others(folder: Path = BIBLIOGRAPHIES, biber_every: int = 8) -> bool:
    """Whether BibTeX, and biber for some, find no more faults in what is given back than in what came in."""
    tally = Tally()
    for place, file in enumerate(sorted(path for path in folder.rglob("*") if path.suffix in BIBTEX)):
        try:
            found = found_in(text := decoded(read_bytes(file), file.name).text, file.name)
        except UserError:
            continue
        for dialect, complaints in (("bibtex", bibtex_complaints), ("biblatex", biber_complaints)):
            if dialect == "biblatex" and place % biber_every:
                continue
            before, after = (_faults(each, complaints) for each in (text, given_back(found, file, dialect)[0]))
            tally.counts[f"{dialect}: files"] += 1
            tally.counts[f"{dialect}: faults in what came in"] += len(before)
            tally.counts[f"{dialect}: faults in what is given back"] += len(after)
            for fault in after:
                tally.note(f"{dialect}: faults of files that had none", f"{file.name}: {fault}", int(not before))
    tally.printed(10)
    return True


def _faults(text: str, complaints: Callable[[Path], list[str]]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "refs.bib"
        file.write_text(text)
        return [line for line in complaints(file) if not line.startswith("WARN")]


def given_back(found: FileEntries, file: Path, format: str) -> tuple[str, Shelving]:
    """What an export to `format` gives of a file that was imported into an empty library."""
    with tempfile.TemporaryDirectory() as home, Store.open(Path(home) / "spar.db") as store:
        shelved = put_on_shelf(store, found.entries, file.parent)
        options = export_options(format=format, style="", keys="better-bibtex", fields="", preprint=False,
                                 ascii_only=None, bom=False, output="", append=False, replace=False,
                                 dedupe=False)  # fmt: skip
        chosen = {one.number: ExportedPaper(one.paper, None, one) for one in shelf.shelf(store)}
        return export_papers(store, chosen, options, Path(home)).data.decode(), shelved


def taken_and_given_back(file: Path, tally: Tally) -> None:
    name = f"{file.parent.name}/{file.name}"
    try:
        text = decoded(read_bytes(file), file.name).text
        found = found_in(text, file.name)
    except UserError as refused:
        tally.note("files refused", f"{name}: {refused}")
        return
    tally.note("files", name)
    tally.counts["entries refused"] += sum(not problem.taken for problem in found.problems)
    for problem in found.problems:
        if not problem.taken:
            tally.counts[f"   because {problem.reason[:50]}"] += 1
    before = read_plainly(text)
    if before is None:
        return
    text, shelved = given_back(found, file, before.format)
    after = read_plainly(text)
    originals = (entry.original for entry in found.entries)
    contradicting_joins(name, list(zip(shelved.numbers, originals, strict=True)), tally)
    named = {problem.line for problem in (*found.problems, *shelved.problems)}
    excused = {entry.key for entry in found.entries if entry.line in named}
    excused |= {problem.name for problem in found.problems}
    compare(name, before, after.entries if after else {}, excused, tally)


def contradicting_joins(name: str, entries: Sequence[tuple[int, Original | None]], tally: Tally) -> None:
    """Count the pairs of a file's entries that became one work though the letters of a field contradict."""
    firsts: dict[int, Original] = {}
    for number, original in entries:
        if original is None:
            continue
        first = firsts.setdefault(number, original)
        if first is original:
            continue
        tally.note("entries joined with another of their file", f"{name}: {first.key} + {original.key}")
        for field_name in TELLING:
            values = [re.sub(r"\\[a-z]+|[\W_]", "", one.value(field_name)).lower() for one in (first, original)]
            if values[0] and values[1] and values[0] != values[1]:
                what = f"{field_name}: {first.value(field_name)} | {original.value(field_name)}"
                tally.note("joins whose letters differ", f"{name}: {first.key} + {original.key}: {what}")


def compare(name: str, before: Read, after: Mapping[str, PlainEntry], excused: set[str], tally: Tally) -> None:
    for key, entry in before.entries.items():
        tally.counts["entries"] += 1
        tally.counts["fields"] += len(entry.fields)
        again = after.get(key)
        if again is None:
            why = "keys missing, the reason told" if key in excused else "keys missing"
            tally.note(why, f"{name}: {key}")
            continue
        if again.type != entry.type:
            tally.note("types changed", f"{name}: {key}: {entry.type} to {again.type}")
        for field_name, value in entry.fields.items():
            if field_name in ("crossref", "xdata") and not again.fields.keys() & {field_name}:
                tally.note("references resolved, the parent not written", f"{name}: {key}: {field_name} = {value}")
            elif field_name not in again.fields:
                tally.note("fields lost", f"{name}: {key}: {field_name} = {value}")
            elif bare(again.fields[field_name]) != bare(value):
                tally.note(
                    "fields changed", f"{name}: {key}: {field_name} = {value[:70]} | {again.fields[field_name][:70]}"
                )
        for field_name in again.fields.keys() - entry.fields.keys():
            tally.note("fields added", f"{name}: {key}: {field_name} = {again.fields[field_name]}")


def bare(value: str) -> str:
    return value.removeprefix("{").removesuffix("}") if value.startswith("{") else value


def read_plainly(text: str) -> Read | None:
    """What a text holds, read without the program; None for what only PubMed writes."""
    if text.lstrip("\ufeff \n\r\t")[:1] in ("[", "{"):
        return Read("csl-json", dict(_of_csl(text)))
    if re.search(r"^TY  ?- ", text, re.MULTILINE):
        return Read("ris", _firsts(_of_ris(text)))
    if "@" not in text:
        return None
    entries = _firsts(entry for entry in plain_entries(text) if entry.type not in NO_WORKS)
    biblatex = any({"date", "journaltitle"} & entry.fields.keys() for entry in entries.values())
    return Read("biblatex" if biblatex else "bibtex", entries)


def _firsts(entries: Iterator[PlainEntry]) -> dict[str, PlainEntry]:
    found: dict[str, PlainEntry] = {}
    for entry in entries:
        found.setdefault(entry.key, entry)
    return found


def _of_csl(text: str) -> Iterator[tuple[str, PlainEntry]]:
    try:
        read = json.loads(text)
    except ValueError:
        return
    items = read.get("items", []) if isinstance(read, dict) else read
    for item in items:
        if isinstance(item, dict) and item.get("id"):
            fields = {
                name: json.dumps(value, sort_keys=True) for name, value in item.items() if name not in ("id", "type")
            }
            yield str(item["id"]), PlainEntry(str(item.get("type")), str(item["id"]), fields)


def _of_ris(text: str) -> Iterator[PlainEntry]:
    """Records by their ID, or by their place, which is found again by title and authors."""
    values: dict[str, list[str]] = {}
    last = ""
    for line in text.splitlines():
        found = _TAG.match(line.lstrip("\ufeff"))
        if not found:
            if last and line.strip():
                values[last][-1] += f" {' '.join(line.split())}"
            continue
        if found[1] == "TY":
            values = {"TY": [found[2] or ""]}
        if found[1] == "ER":
            key = " ".join(text for tag in NAMING for text in values.get(tag, ()))
            told = {tag: list(filter(None, texts)) for tag, texts in values.items() if tag not in ("TY", "ID")}
            fields = {tag: " | ".join(texts) for tag, texts in told.items() if texts}
            yield PlainEntry(values.get("TY", [""])[0], key, fields)
        last = found[1] if found[1] not in ("TY", "ER") else ""
        if last:
            values.setdefault(last, []).append(" ".join((found[2] or "").split()))
