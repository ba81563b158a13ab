"""Write and read packs: zip files with a manifest and JSON lines.

A pack may come from a stranger: it is read in memory and never unpacked to disk. Names, sizes and the form of each line
are checked first, and texts are cleaned like those of any source.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeVar

from agents.search.events import Decision
from cache.shelf_texts import TAG_CAP, plain_note
from cache.watches import NAME_CAP
from connectors.paper import Paper
from connectors.records.clean import clean_text
from spar_tui.bibliography.paper_input import paper_of
from spar_tui.errors import UsageError
from spar_tui.reports.json_objects import paper_object

VERSION = 1
FORMAT = "spar-pack"
LARGEST = 64 * 1024 * 1024
"""Maximum size of an unpacked part in bytes."""
MOST_LINES = 20_000
PERSON_CAP = 100
_TAGS, _NOTES = 200, 50
"""Maximum number of tags and of notes of one paper in a pack."""
_QUESTION_CAP, _REASON_CAP, _PARAMETERS_CAP = 2_000, 300, 20_000
_MANIFEST, _PAPERS, _DECISIONS, _WATCHES = "manifest.json", "papers.jsonl", "decisions.jsonl", "watches.jsonl"
_PARTS = (_MANIFEST, _PAPERS, _DECISIONS, _WATCHES)
_DAY = (2020, 1, 1, 0, 0, 0)
"""Fixed modification time of each part, so that the same papers give the same file."""
T = TypeVar("T")


class PackNote(NamedTuple):
    """A note on a paper, and its author."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class PackPaper:
    """A saved paper with its tags, notes and rating."""

    paper: Paper
    tags: Sequence[str] = ()
    notes: Sequence[PackNote] = ()
    rating: Literal[-1, 0, 1] = 0


class PackDecision(NamedTuple):
    """A decision on the paper at index `paper` of the pack, in a search for `question`."""

    paper: int
    question: str
    decision: Decision
    reason: str


class PackWatch(NamedTuple):
    """A stored search."""

    name: str
    question: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pack:
    """Everything that a person shares; `by` is their name."""

    by: str
    papers: Sequence[PackPaper]
    decisions: Sequence[PackDecision] = ()
    watches: Sequence[PackWatch] = field(default_factory=tuple)


def written(pack: Pack, now: datetime) -> bytes:
    """Return the bytes of the pack file."""
    parts = {
        _PAPERS: _lines(
            {
                "paper": {name: value for name, value in _object(paper.paper).items() if value},
                "tags": list(paper.tags),
                "notes": [note._asdict() for note in paper.notes],
                "rating": paper.rating,
            }
            for paper in pack.papers
        ),
        _DECISIONS: _lines(decision._asdict() for decision in pack.decisions),
        _WATCHES: _lines(watch._asdict() for watch in pack.watches),
    }
    manifest = {"format": FORMAT, "version": VERSION, "by": pack.by, "made": now.isoformat(timespec="seconds")}
    counts = {name.partition(".")[0]: text.count("\n") for name, text in parts.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in {_MANIFEST: json.dumps(manifest | counts, ensure_ascii=False, indent=1), **parts}.items():
            entry = zipfile.ZipInfo(name, _DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, text.encode("utf-8", "replace"))
    return file.getvalue()


def read_pack(raw: bytes, name: str) -> Pack:
    """Read the pack in the file `name`. Raises `UsageError` if it is no pack, is damaged, or is of a later version."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            names = packed.namelist()
            if strange := next((part for part in names if part not in _PARTS), None):
                raise UsageError(f"{name} is not a pack from spar share: it contains {clean_text(strange, 60)!r}.")
            if len(names) != len(set(names)) or not {_MANIFEST, _PAPERS} <= set(names):
                raise UsageError(f"{name} is not a pack from spar share: a part is missing or duplicated.")
            parts = {part: _unpacked(packed, part, name) for part in names}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
        raise UsageError(f"{name} is a damaged zip file; ask for the file again.") from None
    by = _by(parts[_MANIFEST], name)
    papers = _read(parts[_PAPERS], f"{name}, {_PAPERS}", _paper)
    decisions = _read(parts.get(_DECISIONS, ""), f"{name}, {_DECISIONS}", lambda fields: _decision(fields, len(papers)))
    return Pack(by, papers, decisions, _read(parts.get(_WATCHES, ""), f"{name}, {_WATCHES}", _watch))


def _object(paper: Paper) -> dict[str, Any]:
    """Return the paper as in `--json`, with full date and type, without unknown values."""
    fields = paper_object(paper, 0) | {"date": paper.date, "type": paper.type}
    return fields | {"identifiers": {scheme: value for scheme, value in fields["identifiers"].items() if value}}


def _lines(objects: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(mapping, ensure_ascii=False)}\n" for mapping in objects)


def _unpacked(packed: zipfile.ZipFile, part: str, name: str) -> str:
    with packed.open(part) as file:
        raw = file.read(LARGEST + 1)  # the size stated in the zip may be false
    if len(raw) > LARGEST:
        raise UsageError(f"{name}: {part} has more than {LARGEST // 1024 // 1024} MB; share fewer papers at a time.")
    return raw.decode("utf-8")


def _by(manifest: str, name: str) -> str:
    try:
        value = json.loads(manifest)
        form, version, by = value["format"], value["version"], value["by"]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise UsageError(f"{name} is not a pack from spar share: its manifest cannot be read.") from None
    if form != FORMAT or type(version) is not int:
        raise UsageError(f"{name} is not a pack from spar share: its manifest says so.")
    if version > VERSION:
        raise UsageError(f"{name} needs a newer spar: its format is version {version}, this spar reads {VERSION}.")
    return clean_text(by, PERSON_CAP) or "somebody"


def _read(text: str, where: str, parse: Callable[[dict[str, Any]], T]) -> list[T]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > MOST_LINES:
        raise UsageError(f"{where} has more than {MOST_LINES:,} lines; share fewer papers at a time.")
    entries = []
    for number, line in enumerate(lines, start=1):
        try:
            value = json.loads(line)
            entries.append(parse(value if isinstance(value, dict) else {}))
        except (ValueError, RecursionError, KeyError, TypeError):
            raise UsageError(f"{where}, line {number} is not a record of a pack; nothing was imported.") from None
    return entries


def _paper(fields: dict[str, Any]) -> PackPaper:
    if not isinstance(fields["paper"]["title"], str):
        raise TypeError
    tags = [tag for raw in fields.get("tags", ())[:_TAGS] if (tag := clean_text(raw, TAG_CAP))]
    notes = [
        PackNote(clean_text(note["by"], PERSON_CAP) or "somebody", text)
        for note in fields.get("notes", ())[:_NOTES]
        if (text := plain_note(str(note["text"])))
    ]
    rating: Literal[-1, 0, 1] = {1: 1, -1: -1}.get(fields.get("rating", 0), 0)  # type: ignore[assignment]
    return PackPaper(paper_of(fields["paper"]), tags, notes, rating)


def _decision(fields: dict[str, Any], papers: int) -> PackDecision:
    decisions: Sequence[Decision] = ("included", "excluded", "later")
    decision = next((option for option in decisions if option == fields["decision"]), None)
    paper = fields["paper"]
    if decision is None or type(paper) is not int or not 0 <= paper < papers:
        raise ValueError
    reason = clean_text(fields.get("reason"), _REASON_CAP)
    return PackDecision(paper, clean_text(fields["question"], _QUESTION_CAP), decision, reason)


def _watch(fields: dict[str, Any]) -> PackWatch:
    name, parameters = clean_text(fields["name"], NAME_CAP), fields["parameters"]
    if not name or not isinstance(parameters, dict) or len(json.dumps(parameters)) > _PARAMETERS_CAP:
        raise ValueError
    return PackWatch(name, clean_text(fields["question"], _QUESTION_CAP), parameters)
