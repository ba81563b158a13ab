"""The flow of records of a search, in the form of PRISMA 2020, computed from the run's events."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agents.run.findings import RecordCounts
from agents.search.events import Event, PaperScreened
from agents.search.filters import conditions_unmet, insisted_on
from agents.search.question.matching import is_no_match
from agents.search.state import THRESHOLD, SearchState
from cache.conditions.filters import FilterTerm
from connectors.paper import WorkId
from spar_tui.phrases import NO_MATCH, NOT_READ
from spar_tui.screening import NO_FULL_TEXT, NO_REASON, ScreenedRecords

OTHER_METHODS: Mapping[str, str] = {
    "library": "own library, as it was before",
    "starter": "starter shelf of spar",
    "references": "reference lists",
    "citations": "citing papers",
}
"""The methods of finding records other than databases, with their names in the flow."""
DISMISSED = "called not relevant by a person during the search"
_NOT_DATED = "no date, so not known to be within the dates"
_NOT_WITHIN = "outside the dates"
_NO_WORD = "shares no word with the question"
_NOT_ASSESSED = "not assessed before the search ended"
_WIDTH, _GAP = 36, 6


def search_flow(state: SearchState, events: Iterable[Event], groups: ScreenedRecords) -> dict[str, Any]:
    """Return the numbers of the flow. All records of each box go into the next one or are counted beside it."""
    records, counts, reasons = state.records, state.counts, Reasons(state, events, groups)
    at_screening = Counter(reasons.of(work) for work in groups.excluded if not reasons.is_sought(work))
    not_retrieved = [work for work in groups.excluded if reasons.is_sought(work) and reasons.of(work) == NO_FULL_TEXT]
    after_reading = Counter(
        reasons.of(work) for work in groups.excluded if reasons.is_sought(work) and work not in set(not_retrieved)
    )
    return {
        "identified": counts.identified,
        "databases": _of(records, (name for name in records if name not in OTHER_METHODS)),
        "other_methods": _of(records, (name for name in OTHER_METHODS if name in records)),
        "duplicates": counts.duplicates,
        "automation": dict(Counter(map(reasons.of, groups.ineligible)).most_common()),
        "other_reasons": dict(Counter(map(reasons.of, groups.dismissed))),
        "screened": groups.screened,
        "excluded": dict(at_screening.most_common()),
        "sought": groups.screened - at_screening.total(),
        "not_retrieved": len(not_retrieved),
        "assessed": len(groups.included) + after_reading.total(),
        "reports_excluded": dict(after_reading.most_common()),
        "included": len(groups.included),
        "kept": len(groups.kept),
        "kept_by_program": len(groups.kept_by_program),
    }


def _of(records: Mapping[str, RecordCounts], names: Iterable[str]) -> dict[str, dict[str, int]]:
    return {name: {"records": records[name].distinct, "returned": records[name].returned} for name in names}


class Reasons:
    """The reason, one per work, why works of a search are not in the answer."""

    def __init__(self, state: SearchState, events: Iterable[Event], records: ScreenedRecords) -> None:
        self._state, self._dismissed = state, set(records.dismissed)
        self._decided, self._once_included = set(records.excluded), _once_included(state, events)
        admitted = [
            state.found[work].paper
            for work in state.assessed
            if work in state.found and not state.called_relevant.get(work)
        ]
        reading = state.understood
        self._insisted: Sequence[FilterTerm] = insisted_on(reading, admitted) if reading else ()

    def is_sought(self, work: WorkId) -> bool:
        """Whether the report of an excluded record was sought: a person included it first, or found no full text."""
        return work in self._once_included or self.of(work) == NO_FULL_TEXT

    def of(self, work: WorkId) -> str:
        """Return the reason for a work."""
        state = self._state
        if work in self._decided:
            return state.screened[work].reason or NO_REASON
        if work in self._dismissed:
            return DISMISSED
        return self._by_program(work)

    def _by_program(self, work: WorkId) -> str:
        state, paper = self._state, self._state.found[work].paper
        reading, judgement = state.understood, state.judged.get(work)
        if reading and conditions_unmet(paper, reading, ()):
            return _NOT_WITHIN if paper.date else _NOT_DATED
        if reading and (unmet := conditions_unmet(paper, reading, self._insisted)):
            return unmet[0].removeprefix("it is ")
        if state.started and is_no_match(state.started.question, state.found[work]):
            return NO_MATCH
        if work not in state.assessed:
            return _NO_WORD if state.finished else _NOT_ASSESSED
        if state.unread(work):
            return NOT_READ
        return (
            f"judged below {THRESHOLD} by {'the model' if judgement and judgement.by == 'model' else 'built-in rules'}"
        )


def _once_included(state: SearchState, events: Iterable[Event]) -> set[WorkId]:
    """Return the works that a person included and has not reopened before deciding again."""
    works: set[WorkId] = set()
    for event in events:
        if isinstance(event, PaperScreened):
            work = state.work(event.work)
            if event.decision == "included":
                works.add(work)
            elif event.decision != "excluded":
                works.discard(work)
    return works


def flow_picture(flow: Mapping[str, Any]) -> str:
    """Return the diagram as text, at most 78 columns wide."""
    ineligible = sum(flow["automation"].values())
    other = sum(flow["other_reasons"].values())
    rows = [
        (
            [
                f"Records identified (n = {flow['identified']:,})",
                *_ways("Databases", flow["databases"]),
                *_ways("Other methods", flow["other_methods"]),
            ],
            [
                "Removed before screening:",
                f"Duplicates (n = {flow['duplicates']:,})",
                f"Marked as ineligible by automation tools (n = {ineligible:,})",
                *_reasons(flow["automation"]),
                *([f"Other reasons (n = {other:,})", *_reasons(flow["other_reasons"])] if other else []),
            ],
        )
    ]
    if flow["screened"]:
        rows += _by_people(flow)
    else:
        rows.append(([f"Kept by the program's judgement (n = {flow['kept']:,})", "Nobody has screened them."], []))
    lines: list[str] = []
    for mine, beside in rows:
        if lines:
            lines += [f"{' ' * (_WIDTH // 2)}│", f"{' ' * (_WIDTH // 2)}▼"]
        lines += _side_by_side(_box(mine), _box(beside) if beside else [])
    return "\n".join(line.rstrip() for line in lines)


def _by_people(flow: Mapping[str, Any]) -> list[tuple[list[str], list[str]]]:
    early, later = sum(flow["excluded"].values()), sum(flow["reports_excluded"].values())
    waiting = [f"Kept by the program, not screened yet (n = {flow['kept']:,})"] if flow["kept"] else []
    screened = (
        [f"Records screened by people (n = {flow['screened']:,})", *waiting],
        [f"Records excluded (n = {early:,})", *_reasons(flow["excluded"])],
    )
    inclusion = f"Included by a person (n = {flow['included']:,})"
    if not (later or flow["not_retrieved"]):  # an included record does not prove that its report was read
        return [screened, ([inclusion, "No reading of full texts is recorded."], [])]
    return [
        screened,
        (
            [f"Reports sought for retrieval (n = {flow['sought']:,})"],
            [f"Reports not retrieved (n = {flow['not_retrieved']:,})"],
        ),
        (
            [f"Reports assessed for eligibility (n = {flow['assessed']:,})"],
            [f"Reports excluded (n = {later:,})", *_reasons(flow["reports_excluded"])],
        ),
        ([inclusion], []),
    ]


def _ways(title: str, methods: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    if methods:
        yield f"{title} (n = {sum(method['records'] for method in methods.values()):,})"
    for name, method in methods.items():
        returned = f" ({method['returned']:,} returned)" if method["returned"] != method["records"] else ""
        yield f"  {OTHER_METHODS.get(name, name)} {method['records']:,}{returned}"


def _reasons(reasons: Mapping[str, int]) -> list[str]:
    return [f"  {why} {many:,}" for why, many in reasons.items()]


def _box(lines: Sequence[str]) -> list[str]:
    inner = _WIDTH - 4
    fitted = [part for line in lines for part in textwrap.wrap(line, inner, subsequent_indent="    ")]
    return [f"┌{'─' * (inner + 2)}┐", *(f"│ {line:<{inner}} │" for line in fitted), f"└{'─' * (inner + 2)}┘"]


def _side_by_side(first: Sequence[str], second: Sequence[str]) -> Iterator[str]:
    for row in range(max(len(first), len(second))):
        mine = first[row] if row < len(first) else " " * len(first[0])
        arrow = " ──►  " if row == 1 and second else " " * _GAP
        yield mine + arrow + (second[row] if row < len(second) else "")
