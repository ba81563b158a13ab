"""Describe what a change did to a paper, from the rows that it wrote."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cache.journal import RowChange
from cache.paper_json import from_mapping
from cache.store import PaperId
from cache.taking_back import OPINIONS, StepBack
from connectors.records.corrections import CORRECTABLE, corrected_fields


def step_lines(step: StepBack, papers: Iterable[PaperId]) -> list[str]:
    """Describe what the step did to each of the papers, such as `saved “Sleep and tea”`."""
    numbers = set(papers)
    return [
        f"{change_text(step.rows[number])} “{paper.title}”"
        for number, paper in step.papers.items()
        if number in numbers
    ]


def change_text(rows: Sequence[RowChange]) -> str:
    """Describe what happened to a paper, such as `saved, tagged rag`."""
    by_table: dict[str, list[RowChange]] = {}
    for row in rows:
        by_table.setdefault(row.table, []).append(row)
    if merges := by_table.get("merges"):
        return "merged" if merges[0].before is None else "split"
    if any(row.after is None for row in by_table.get("papers", ())):
        return "merged into another paper"
    shelved = by_table.get("shelf", ())
    if any(row.after is None for row in shelved):
        return "removed"
    imported = any(row.before is None for row in by_table.get("originals", ()))
    new = any(row.before is None for row in shelved)
    parts = [
        *(["imported"] if imported else ["saved"] if new else []),
        *_listed("tagged", (row.key[1] for row in by_table.get("tags", ()) if row.before is None)),
        *_listed("untagged", (row.key[1] for row in by_table.get("tags", ()) if row.after is None)),
        *(
            part
            for row in shelved
            if row.before and isinstance(row.after, dict)
            for part in _columns(row.before, row.after)
        ),
        *(f"key {row.key[0]}" for row in by_table.get("citation_keys", ()) if row.after is not None and not imported),
        *_corrected(by_table.get("papers", ())),
        *([] if imported or new else _opinions(by_table.get("acts", ()))),
    ]
    return ", ".join(dict.fromkeys(parts)) or "changed"


def _columns(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    if "note" in before:
        yield "note written" if after["note"] else "note erased"
    if "read" in before:
        yield "marked as read" if after["read"] else "marked as unread"
    if "pdf" in before:
        yield "PDF set" if after["pdf"] else "PDF forgotten"


def _listed(verb: str, tags: Iterable[str]) -> Iterator[str]:
    if tag_list := ", ".join(sorted(tags)):
        yield f"{verb} {tag_list}"


def _corrected(rows: Iterable[RowChange]) -> Iterator[str]:
    for row in rows:
        if not (row.before and isinstance(row.after, dict)):
            continue
        old, new = (json.loads(version["record"]) for version in (row.before, row.after))
        names = {*corrected_fields(from_mapping(old)), *corrected_fields(from_mapping(new))}
        field_names = {"doi": "identifiers"}
        fields = [
            name
            for name in CORRECTABLE
            if name in names and old.get(name_of := field_names.get(name, name)) != new.get(name_of)
        ]
        if fields:
            head = "" if corrected_fields(from_mapping(new)) else "correction undone: "
            yield f"{head or 'corrected '}{', '.join(fields)}"


def _opinions(rows: Iterable[RowChange]) -> Iterator[str]:
    """Yield the opinions on the paper that the change added."""
    for row in rows:
        if row.before is None and isinstance(row.after, dict) and row.after["act"] in OPINIONS:
            yield row.after["act"]
