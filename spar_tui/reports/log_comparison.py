"""Compare a search that was repeated from its log with the logged one."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.run.events import QueryPlanned
from agents.search.state import SearchState
from spar_tui.phrases import counted, papers_text
from spar_tui.reports.search_flow import OTHER_METHODS
from spar_tui.screening import selection

_NAMED = 5
"""Maximum number of differences named per kind; the others are counted."""


class LoggedLists(NamedTuple):
    """The number of records from each source for each query, None if it failed, and the papers that the program
    judged relevant, because a repetition has no person's decisions."""

    records: Mapping[tuple[str, str], int | None]
    relevant: Sequence[str]


def comparable(log: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a log that another run of the search is compared with."""
    return {
        "lists": [
            [search["source"], search["query"], _given(search["state"], search["found"])] for search in log["searches"]
        ],
        "relevant": log.get("kept_by_program") or [search["id"] for search in log["included"]],
    }


def _given(state: str, count: int) -> int | None:
    return count if state in ("ok", "partial") else None


def lists_in(log: Mapping[str, Any]) -> LoggedLists | None:
    """Return what to compare from a log or its last block; None if there is nothing."""
    try:
        part = log if "lists" in log else comparable(log)
        given = {(str(source), str(query)): count for source, query, count in part["lists"]}
        records = {key: None if count is None else int(count) for key, count in given.items()}
        return LoggedLists(records, [str(name) for name in part["relevant"]])
    except (KeyError, TypeError, ValueError):
        return None


def comparison(logged: LoggedLists | None, state: SearchState) -> list[str]:
    """Return sentences on what differs between a logged search and its repetition, or that nothing does."""
    if logged is None:
        return ["the log does not list the papers found, so the lists cannot be compared."]
    now = {(plan.source, plan.query): _given_now(state, plan) for plan in state.planned}
    lines = []
    own = {source for (source, _), count in logged.records.items() if source in OTHER_METHODS and count}
    if own - {source for source, _ in now}:
        lines.append("the logged search found papers in its author's own library; this one did not search a library.")
    before = {key: count for key, count in logged.records.items() if key[0] not in OTHER_METHODS}
    keys = [key for key in dict.fromkeys((*before, *now)) if key[0] not in OTHER_METHODS]
    changed = [
        f"{source} for “{query}”: {_records(before, key)} then, {_records(now, key)} now"
        for key in keys
        for source, query in [key]
        if before.get(key) != now.get(key)
    ]
    if changed:
        lines.append(f"lists that differ from the log: {_cut(changed, '; ')}.")
    relevant = [state.found[work].paper.id for work in selection(state).kept_by_program]
    fresh = [name for name in relevant if name not in set(logged.relevant)]
    gone = [name for name in logged.relevant if name not in set(relevant)]
    if fresh:
        lines.append(f"{papers_text(len(fresh))} relevant now and not in the log: {_cut(fresh, ', ')}.")
    if gone:
        lines.append(f"{papers_text(len(gone))} relevant in the log and not now: {_cut(gone, ', ')}.")
    if not (changed or fresh or gone):
        lines.append(f"same as in the log: {counted(len(before), 'list')} and {papers_text(len(relevant))} relevant.")
    return lines


def _given_now(state: SearchState, plan: QueryPlanned) -> int | None:
    answer = state.answered.get((plan.source, plan.query))
    return _given(answer.state, answer.found) if answer else None


def _records(lists: Mapping[tuple[str, str], int | None], key: tuple[str, str]) -> str:
    count = lists.get(key)
    return ("no answer" if key in lists else "not asked") if count is None else counted(count, "record")


def _cut(parts: Sequence[str], between: str) -> str:
    more = len(parts) - _NAMED
    return between.join(parts[:_NAMED]) + (f"{between}and {more:,} more" if more > 0 else "")
