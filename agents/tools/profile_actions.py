"""Actions on the person's profile, shared by all interfaces; each returns what it changed.

All block on the disk and send no requests. They raise `CacheError` (`NoSuchLine` for an unknown name), and `ValueError`
for a text without words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents.taste.context import Contradiction, contradictions
from agents.taste.whole_profile import NamedLine, own_line, read_profile
from cache import profile
from cache.errors import NoSuchLine
from cache.profile import LINE_CAP, Facet
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from connectors.records.clean import clean_text

Action = Literal["add", "edit", "forget"]


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """The result of `action`: the lines before and after, and the papers whose earlier history no longer counts.
    `contradictions` are those of the written lines; `remarks` describe how the text was changed."""

    action: Action
    before: tuple[NamedLine, ...] = ()
    after: tuple[NamedLine, ...] = ()
    set_aside: tuple[PaperId, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    remarks: tuple[str, ...] = ()


def add(store: Store, facet: Facet, text: str, now: datetime | None = None) -> ProfileChange:
    """Add a line. If it exists already, it is both `before` and `after`."""
    clean, notes = clean_line(text)
    with store.writing():
        same_lines = [line for line in profile.own_lines(store) if (line.facet, line.text) == (facet, clean)]
        number = same_lines[0].number if same_lines else profile.add_line(store, facet, clean, now=now)
        line, conflicts = _written(store, number, now)
    return ProfileChange("add", (line,) if same_lines else (), (line,), (), conflicts, notes)


def edit(store: Store, name: str, text: str, now: datetime | None = None) -> ProfileChange:
    """Replace the text of the line called `name`. An understood line becomes the person's own and keeps its papers,
    from which nothing else is understood any more."""
    clean, notes = clean_line(text)
    [line] = _named(store, [name], now)
    with store.writing():
        if line.own:
            number = line.own.number
            profile.change_line(store, number, clean)
        else:
            number = profile.add_line(store, line.facet, clean, line.papers, now)
        after, conflicts = _written(store, number, now)
    return ProfileChange("edit", (line,), (after,), (), conflicts, notes)


def forget(store: Store, names: Sequence[str], now: datetime | None = None) -> ProfileChange:
    """Forget the lines called `names`, all or none. Past interactions with their papers no longer count; the papers
    stay in the library and on the shelf, and later interactions count."""
    lines = _named(store, names, now)
    papers = tuple(dict.fromkeys(paper for line in lines for paper in line.papers))
    with store.writing():
        for line in lines:
            if line.own:
                profile.forget_line(store, line.own.number)
        profile.set_aside(store, papers, now)
    return ProfileChange("forget", lines, set_aside=papers)


def forget_all(store: Store, now: datetime | None = None) -> ProfileChange:
    """Forget all lines; past interactions with papers no longer count."""
    current = read_profile(store, now or utc_now())
    profile.forget_profile(store, now)
    return ProfileChange("forget", current.lines, set_aside=current.papers)


def clean_line(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` as stored, and clauses that describe its changes. Raises `ValueError` if no words are left."""
    whole = clean_text(text, max(len(text), 1))
    if not any(map(str.isalnum, whole)):
        raise ValueError("a line of the profile needs words")
    notes = []
    if whole != " ".join(text.split()):
        notes.append("invisible characters and markup were removed")
    if len(whole) > LINE_CAP:
        notes.append(f"of its {len(whole):,} letters the first {LINE_CAP} are kept")
    return clean_text(text, LINE_CAP), tuple(notes)


def _named(store: Store, names: Sequence[str], now: datetime | None) -> tuple[NamedLine, ...]:
    """Return the lines with these names, each once. Raises `NoSuchLine`."""
    own = {str(line.number): own_line(line) for line in profile.own_lines(store)}
    line_names = list(dict.fromkeys(name.strip().lower() for name in names))
    if not all(name.isdecimal() for name in line_names):  # understood lines require the whole library
        own |= {line.name: line for line in read_profile(store, now or utc_now()).lines}
    if unknown := [name for name in line_names if name not in own]:
        raise NoSuchLine(unknown[0])
    return tuple(own[name] for name in line_names)


def _written(store: Store, number: int, now: datetime | None) -> tuple[NamedLine, tuple[Contradiction, ...]]:
    """Return one of the person's own lines, and its contradictions."""
    lines = profile.own_lines(store)
    [line] = [line for line in lines if line.number == number]
    conflicts = contradictions(lines, (now or utc_now()).astimezone().date())
    mine = tuple(contradiction for contradiction in conflicts if line in contradiction.lines)
    return own_line(line, counts=not mine), mine
