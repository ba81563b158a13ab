"""Messages about a damaged library, its repair, and the origin of the rows in the new one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cache.repair import Repair
from spar_tui.phrases import counted

KINDS = {
    "papers": ("papers",),
    "saved papers": ("shelf",),
    "tags": ("tags",),
    "citation keys": ("citation_keys",),
    "imported entries": ("originals", "imported_notes"),
    "chosen files": ("chosen_files",),
    "corrections and merges": ("corrections", "merges"),
    "reading history": ("acts",),
    "searches, other runs": ("runs",),
    "events of runs": ("events", "event_batches"),
    "lists of runs": ("run_papers",),
    "watches": ("watches", "watch_looks"),
    "papers in watches": ("watch_papers",),
    "profile lines": ("profile", "profile_papers", "set_aside"),
    "identifiers": ("identifiers", "tellings"),
    "citations": ("citation_links",),
    "pages of full texts": ("page_texts", "full_texts"),
    "stored answers": ("answers", "model_replies", "text_vectors"),
    "maintenance records": ("upkeep",),
}
"""The tables with each kind of data."""


class KindCounts(NamedTuple):
    """Row counts of a kind of data, by origin; `unreadable` is None if some may be lost and their number is unknown."""

    kind: str
    damaged_file: int
    backup: int
    unreadable: int | None


def counts(repair: Repair) -> list[KindCounts]:
    """Return the row counts by kind, without kinds that have no rows."""
    by_name = {part.table.name: part for part in repair.tables}
    rows = []
    for kind, tables in KINDS.items():
        parts = [by_name[name] for name in tables if name in by_name]
        missing = [part.unreadable for part in parts]
        unreadable = None if None in missing else sum(filter(None, missing))
        from_file, restored = sum(part.from_file for part in parts), sum(len(part.from_backup) for part in parts)
        if from_file or restored or unreadable != 0:
            rows.append(KindCounts(kind, from_file, restored, unreadable))
    return rows


def damage_text(path: Path, reason: str) -> str:
    """Describe the damage and what spar does about it."""
    return f"The library {path} is damaged ({reason}). Making a new one from what can still be read…"


def repair_texts(repair: Repair) -> Iterator[str]:
    """Yield one line for each origin of the new library's data."""
    for file in repair.unusable:
        yield f"The backup {file.name} was not used: it is damaged, or of another version or library."
    if repair.backup:
        yield f"A new library is ready. The backup of {repair.backup.day} ({repair.backup.file.name}) fills the gaps:"
    else:
        yield "A new library is ready. There is no intact backup, so it has only what could be read:"
    yield ""
    yield f"{'':22}{'damaged file':>14}{'backup':>10}{'unreadable':>12}"
    for kind, from_file, restored, unreadable in counts(repair):
        yield f"{kind:22}{from_file:>14,}{restored:>10,}{'unknown' if unreadable is None else f'{unreadable:,}':>12}"
    yield ""
    if repair.unused:
        yield f"{counted(repair.unused, 'row')} could be read but not used, for example tags of a lost paper."


def done_texts(repair: Repair) -> Iterator[str]:
    """Yield the paths of the files after the repair."""
    yield f"Repaired {repair.path}. The damaged file is kept as {repair.aside}."
    if repair.unused:
        yield f"{counted(repair.unused, 'unused row')}: {repair.unused_file}"


def repair_object(path: Path, repair: Repair | None, repaired: bool) -> dict[str, Any]:
    """Return the data of the repair for `--json`; None for missing parts."""
    backup = repair and repair.backup
    return {
        "database": str(path),
        "damage": repair and repair.reason,
        "repaired": repaired,
        "backup": backup and {"file": str(backup.file), "date": backup.day.isoformat()},
        "unusable": [str(file) for file in repair.unusable] if repair else [],
        "kinds": [row._asdict() for row in counts(repair)] if repair else [],
        "unused": repair.unused if repair else 0,
        "unused_file": str(repair.unused_file) if repair and repair.unused and repaired else None,
        "damaged_file": str(repair.aside) if repair and repaired else None,
    }
