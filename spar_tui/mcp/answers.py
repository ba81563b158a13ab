"""The answer to a call: papers page by page, facts, a document, notes; as compact text and as structured content."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from agents.run.kinds import kind_named
from agents.search.state import SearchState
from agents.tools.tool import ToolError, ToolResult
from cache import papers as library
from cache import runs, shelf
from cache.conditions.orders import short_names
from cache.store import PaperId, Store
from connectors.entry_points import loaded
from connectors.paper import UNNAMED
from connectors.query.terms import cut_at_word
from connectors.records.clean import harmless
from spar_tui.phrases import LESS_SURE, NEAREST, left_out_text, quotation, reason_text, small_words_text
from spar_tui.reports.json_objects import paper_object
from spar_tui.reports.json_runs import OBJECTS
from spar_tui.source_phrases import no_answer_text

_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
_JUDGING = ("search", "recommendation")
"""The kinds of runs that judge papers."""


@dataclass(frozen=True, slots=True)
class RunVerdicts:
    """The papers of a run as its verb's `--json` has them, by number. `relevant` counts those judged relevant, None
    if the run does not judge; `remarks` are the sentences that the command line prints about the result."""

    papers: Mapping[PaperId, Mapping[str, Any]] = field(default_factory=dict)
    relevant: int | None = None
    remarks: tuple[str, ...] = ()


def verdicts(store: Store, run: str | None) -> RunVerdicts:
    """Return the verdicts of a run on its papers. Raises `RunError`, `CacheError`."""
    kind = runs.get(store, run).kind if run else ""
    if run is None or kind not in _JUDGING:
        return RunVerdicts()
    of_kind = kind_named(kind)
    state = of_kind.replayed(runs.events(store, run))
    objects = loaded(OBJECTS[kind])(run, state)["papers"]
    numbers = library.numbers_of(store, [entry.paper for entry in of_kind.result(state).papers])
    papers: dict[PaperId, Mapping[str, Any]] = {}
    for number, mapping in zip(numbers, objects, strict=True):
        if number is not None:
            papers.setdefault(number, mapping)
    if not isinstance(state, SearchState):
        return RunVerdicts(papers)
    not_read = small_words_text(state)
    remarks = filter(None, (no_answer_text(state), left_out_text(state), not_read))
    return RunVerdicts(papers, len(state.included), tuple(remarks))


def paper_objects(
    store: Store, numbers: Sequence[PaperId], first: int = 1, graded: Mapping[PaperId, Mapping[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """Return the papers of these numbers as data, ranked from `first`; those in `graded` with its data."""
    on_shelf = shelf.numbers_on_shelf(store)
    papers = [(number, paper) for number in numbers for paper in library.by_ids(store, [number])]
    return [
        {"name": f"#{number}", "saved": number in on_shelf}
        | data((graded or {}).get(number) or paper_object(paper, rank))
        for rank, (number, paper) in enumerate(papers, first)
    ]


def record_with_shelf(store: Store, number: PaperId) -> dict[str, Any]:
    """Return the record of one paper with its shelf entry, None if it is not saved."""
    [record] = paper_objects(store, [number])
    entry = shelf.shelved(store, number)
    return {**record, "shelf": shelf_entry(entry) if entry else None}


def shelf_entry(entry: shelf.Shelved) -> dict[str, Any]:
    """The person's own data on a saved paper."""
    return data({
        "key": entry.key, "saved": entry.saved, "read": entry.read, "rating": entry.rating, "tags": entry.tags,
        "note": entry.note,
    })  # fmt: skip


def data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON, with texts cleaned of terminal control characters."""
    plain = _harmless(_ANYTHING.dump_python(dict(values), mode="json"))
    assert isinstance(plain, dict)
    return plain


def _harmless(value: Any) -> Any:
    match value:
        case str():
            return harmless(value)
        case list():
            return [_harmless(item) for item in value]
        case dict():
            return {harmless(str(name)): _harmless(item) for name, item in value.items()}
    return value


def filled(value: Any) -> Any:
    """Return `value` without empty entries: null, empty texts, lists or objects."""
    match value:
        case dict():
            entries = {name: filled(item) for name, item in value.items()}
            return {name: item for name, item in entries.items() if item not in (None, "", [], {})}
        case list():
            return [filled(item) for item in value]
    return value


PAPER = 250
"""Maximum number of characters of a paper in a list."""
_TITLE, _AUTHORS, _VENUE, _ID = 85, 25, 25, 40
_LEAST_QUOTE = 40


def paper_lines(papers: Sequence[Mapping[str, Any]], relevant: int | None) -> Iterator[str]:
    """Yield a line for each paper; a heading precedes those that the run did not judge relevant."""
    headed = relevant is None
    for paper in papers:
        if relevant is not None and paper["rank"] > relevant and not headed:
            yield f"{LESS_SURE if relevant else NEAREST}:"
            headed = True
        yield paper_line(paper)


def paper_line(record: Mapping[str, Any]) -> str:
    """Return rank, name, title, authors, year, venue, identifier, verdict and quote of a paper, in at most `PAPER`
    characters.

    The quote is cut to the remaining length; without a quote, the reason or the recommendation replaces it.
    """
    name = record["id"] if len(record["id"]) <= _ID and not record["id"].startswith(UNNAMED) else ""
    authors = _cut(short_names(record["authors"], record["et_al"]), _AUTHORS)
    published = ", ".join(filter(None, [authors, str(record["year"] or ""), _cut(record["venue"] or "", _VENUE)]))
    facts = [
        "RETRACTED" if record["retracted"] else "",
        f"relevance {record['relevance']:.2f}" if record.get("relevance") is not None else "",
        f"cited {record['citation_count']}" if record["citation_count"] is not None else "",
        "saved" if record["saved"] else "",
    ]
    parts = [
        f"{record['rank']}. {record['name']} {_cut(record['title'], _TITLE)}",
        f"({published})" if published else "",
        name,
    ]
    line = " ".join(filter(None, [*parts, f"[{', '.join(filter(None, facts))}]" if any(facts) else ""]))
    room = PAPER - len(line) - 1
    quote, reason = record["quote"] or "", reason_text(record["reason"] or "", bool(record["proven"]))
    reason = reason or " ".join(record.get("reasons", ()))
    detail = quotation(_cut(quote, room - 12), record["page"]) if quote else _cut(reason, room)
    return f"{line} {detail}"[:PAPER] if detail and room >= _LEAST_QUOTE else line[:PAPER]


def fact_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each fact, and for each entry of a list of objects or rows."""
    for name, value in filled(facts).items():
        match value:
            case [dict(), *_]:
                yield f"{name}:"
                yield from (f"- {'; '.join(f'{part}: {_flat(item)}' for part, item in fact.items())}" for fact in value)
            case [list(), *_]:
                yield f"{name}:"
                yield from (f"- {' | '.join(map(_flat, row))}" for row in value)
            case dict():
                yield from (f"{name}.{part}" for part in fact_lines(value))
            case _:
                yield f"{name}: {_flat(value)}"


def _flat(value: Any) -> str:
    """Return a value on one line."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(map(_flat, value))
        case dict():
            return ", ".join(f"{name} {_flat(item)}" for name, item in value.items())
    return one_line(str(value))


def one_line(text: str) -> str:
    """Return `text` with single spaces in place of line breaks and runs of spaces."""
    return " ".join(text.split())


def _cut(text: str, most: int) -> str:
    bare = one_line(text)
    return bare if len(bare) <= most else f"{cut_at_word(bare, max(most - 1, 0))}…"


PAGE = 20
"""Papers in an answer, unless the call says how many."""
LARGEST_PAGE = 100
NEXT_PAGE = "next_page"
"""The tool that returns the papers of an earlier answer from its cursor on."""
_KEPT = 200
"""Number of answers whose further papers can be requested; a new one replaces the oldest."""
_ONLY_WITH_ONE = ("abstract", "described")
"""Fields that lists of papers leave out, because the record of one paper has them."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a tool. `total` counts all papers of the answer, of which `papers` are one page; None if the
    tool lists no papers. A `document` (a bibliography, a summary) is the text content of its own answer."""

    papers: Sequence[Mapping[str, Any]] = ()
    total: int | None = None
    cursor: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    document: str = ""
    notes: tuple[str, ...] = ()
    run: str | None = None
    relevant: int | None = None

    @property
    def structured(self) -> dict[str, Any] | None:
        """Return the structured content without empty fields; None for a document."""
        if self.document:
            return None
        papers = {} if self.total is None else {"papers": [filled(paper) for paper in self.papers], "total": self.total}
        more = {"cursor": self.cursor, "facts": self.facts, "notes": list(self.notes), "run": self.run}
        return {**papers, **filled(more)}

    @property
    def texts(self) -> list[str]:
        """Return the text content: the document, if any, then the rest."""
        lines = "\n".join(self._lines())
        return [text for text in (self.document, lines) if text] or ["Done."]

    def _lines(self) -> list[str]:
        facts = list(fact_lines(self.facts))
        papers = [] if self.total is None else [self._counted(), *paper_lines(self.papers, self.relevant)]
        return [
            *map(one_line, self.notes),
            *([f"run: {self.run}"] if self.run else []),
            *(facts if self.total is None else ["; ".join(facts)] if facts else []),
            *papers,
        ]

    def _counted(self) -> str:
        if not self.papers:
            return "No papers."
        first, last = self.papers[0]["rank"], self.papers[-1]["rank"]
        more = f"; {NEXT_PAGE} with cursor {self.cursor} returns more" if self.cursor else ""
        relevant = "" if self.relevant is None else f" ({self.relevant} judged relevant)"
        return f"Papers {first} to {last} of {self.total}{relevant}{more}:"


class Pages:
    """Earlier answers, stored so that their further papers can be requested without a new call."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[PaperId, ...]] = OrderedDict()
        self._lock = threading.Lock()  # answers are built in threads

    def first(self, store: Store, result: ToolResult, limit: int, lists: bool = True) -> ToolAnswer:
        """Return an answer with its first papers: the tool's candidates, else the papers it showed. Raises
        `RunError`, `CacheError`."""
        facts, document = data(result.values), harmless(result.text)
        notes = tuple(map(harmless, result.notes))
        if not lists:
            return ToolAnswer(facts=facts, document=document, notes=notes, run=result.run)
        graded = verdicts(store, result.run)
        numbers = result.shown if result.papers is None else result.papers
        page, cursor = self._page(secrets.token_urlsafe(9), numbers, 0, limit)
        return ToolAnswer(
            _listed(store, page, 1, graded), len(numbers), cursor, facts, document, (*graded.remarks, *notes),
            result.run, graded.relevant,
        )  # fmt: skip

    def next(self, store: Store, cursor: str, limit: int) -> ToolAnswer:
        """Return the papers from a cursor on. Raises `ToolError` if the cursor is unknown or too old."""
        name, _, position = cursor.rpartition(":")
        numbers = self._kept.get(name)
        if numbers is None or not position.isdecimal() or int(position) >= len(numbers):
            raise ToolError("This cursor does not exist or is too old; call the tool that gave it again.")
        page, after = self._page(name, numbers, int(position), limit)
        return ToolAnswer(_listed(store, page, int(position) + 1, RunVerdicts()), len(numbers), after)

    def _page(
        self, name: str, numbers: tuple[PaperId, ...], first: int, limit: int
    ) -> tuple[Sequence[PaperId], str | None]:
        end = first + limit
        if end >= len(numbers):
            return numbers[first:], None
        with self._lock:
            self._kept[name] = numbers
            self._kept.move_to_end(name)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return numbers[first:end], f"{name}:{end}"


def _listed(store: Store, page: Sequence[PaperId], first: int, graded: RunVerdicts) -> list[dict[str, Any]]:
    papers = paper_objects(store, page, first, graded.papers)
    return [{name: value for name, value in paper.items() if name not in _ONLY_WITH_ONE} for paper in papers]
