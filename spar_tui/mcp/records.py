"""Papers as JSON objects: their records, the person's shelf entry, and the verdict of the run that found them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from agents.run.kinds import kind_named
from agents.search.state import SearchState
from cache import papers as library
from cache import runs, shelf
from cache.store import PaperId, Store
from connectors.entry_points import loaded
from connectors.records.clean import harmless
from spar_tui.phrases import left_out_text, no_answer_text, small_words_text
from spar_tui.reports.json_objects import paper_object
from spar_tui.reports.json_runs import OBJECTS

_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
_JUDGING = ("search", "recommendation")
"""The kinds of run that judge papers."""


@dataclass(frozen=True, slots=True)
class RunVerdicts:
    """The papers of a run as its verb's `--json` has them, by number. `relevant` counts those judged relevant, None if
    the run does not judge relevance; `remarks` are the sentences that the command line prints on the outcome."""

    papers: Mapping[PaperId, Mapping[str, Any]] = field(default_factory=dict)
    relevant: int | None = None
    remarks: tuple[str, ...] = ()


def verdicts(store: Store, run: str | None) -> RunVerdicts:
    """What a run says of its papers. Raises `RunError`, `CacheError`."""
    kind = runs.get(store, run).kind if run else ""
    if run is None or kind not in _JUDGING:
        return RunVerdicts()
    of_kind = kind_named(kind)
    state = of_kind.replayed(runs.events(store, run))
    objects = loaded(OBJECTS[kind])(run, state)["papers"]
    numbers = library.numbers_of(store, [entry.paper for entry in of_kind.result(state).papers])
    papers: dict[PaperId, Mapping[str, Any]] = {}
    for number, one in zip(numbers, objects, strict=True):
        if number is not None:
            papers.setdefault(number, one)
    if not isinstance(state, SearchState):
        return RunVerdicts(papers)
    not_read = small_words_text(state.started.question if state.started else "")
    remarks = filter(None, (no_answer_text(state), left_out_text(state), not_read))
    return RunVerdicts(papers, len(state.included), tuple(remarks))


def paper_objects(
    store: Store, numbers: Sequence[PaperId], first: int = 1, judged: Mapping[PaperId, Mapping[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """The papers of these numbers as data, ranked from `first`; those in `judged` as they are there."""
    saved = shelf.numbers_on_shelf(store)
    papers = [(number, paper) for number in numbers for paper in library.by_ids(store, [number])]
    return [
        {"name": f"#{number}", "saved": number in saved} | data((judged or {}).get(number) or paper_object(paper, rank))
        for rank, (number, paper) in enumerate(papers, first)
    ]


def record_with_shelf(store: Store, number: PaperId) -> dict[str, Any]:
    """The record of one paper, with its entry on the shelf, None if it is not saved."""
    [one] = paper_objects(store, [number])
    entry = shelf.shelved(store, number)
    return {**one, "shelf": shelf_entry(entry) if entry else None}


def shelf_entry(entry: shelf.Shelved) -> dict[str, Any]:
    """The person's own data on a saved paper."""
    return data({
        "key": entry.key, "saved": entry.saved, "read": entry.read, "rating": entry.rating, "tags": entry.tags,
        "note": entry.note,
    })  # fmt: skip


def data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as JSON holds them, every text in them without what steers a terminal."""
    found = _harmless(_ANYTHING.dump_python(dict(values), mode="json"))
    assert isinstance(found, dict)
    return found


def _harmless(value: Any) -> Any:
    match value:
        case str():
            return harmless(value)
        case list():
            return [_harmless(one) for one in value]
        case dict():
            return {harmless(str(name)): _harmless(one) for name, one in value.items()}
    return value


def filled(value: Any) -> Any:
    """`value` without the entries that hold nothing: null, an empty text, list or object."""
    match value:
        case dict():
            entries = {name: filled(one) for name, one in value.items()}
            return {name: one for name, one in entries.items() if one not in (None, "", [], {})}
        case list():
            return [filled(one) for one in value]
    return value
