"""Repeat a search from its log, and compare it with the logged one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agents.run.events import QueryPlanned
from agents.run.retrieval.queries import LONGEST_QUERY
from agents.search.events import EvolvedQuery
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.records.clean import clean_text
from spar_tui.bibliography.reading.files import STDIN, standard_input
from spar_tui.errors import UsageError
from spar_tui.phrases import counted, papers_text
from spar_tui.reports.search_flow import OTHER_METHODS
from spar_tui.screening import selection
from spar_tui.terminal import DASH

AGAIN = "spar-search"
"""Name of the block in a Markdown log from which the search can be repeated."""
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
        counts = {(str(source), str(query)): count for source, query, count in part["lists"]}
        records = {key: None if count is None else int(count) for key, count in counts.items()}
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
    differences = [
        f"{source} for “{query}”: {_records(before, key)} then, {_records(now, key)} now"
        for key in keys
        for source, query in [key]
        if before.get(key) != now.get(key)
    ]
    if differences:
        lines.append(f"lists that differ from the log: {_cut(differences, '; ')}.")
    relevant = [state.found[work].paper.id for work in selection(state).kept_by_program]
    fresh = [name for name in relevant if name not in set(logged.relevant)]
    missing = [name for name in logged.relevant if name not in set(relevant)]
    if fresh:
        lines.append(f"{papers_text(len(fresh))} relevant now and not in the log: {_cut(fresh, ', ')}.")
    if missing:
        lines.append(f"{papers_text(len(missing))} relevant in the log and not now: {_cut(missing, ', ')}.")
    if not (differences or fresh or missing):
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


LARGEST = 100_000_000
"""Maximum size of a log, in bytes."""


class LoggedSearch(NamedTuple):
    """A search as logged; `lists` are what to compare another run with, None in logs of earlier versions."""

    question: str
    options: SearchOptions
    lists: LoggedLists | None
    run: str = ""
    """The id of the search; "" if the log does not have it."""


def read_log(path: Path) -> LoggedSearch:
    """Return the search in the log at `path`, JSON or Markdown; `-` is standard input. Raises `UsageError`."""
    label = STDIN if str(path) == DASH else str(path)
    try:
        if str(path) != DASH and path.stat().st_size > LARGEST:
            raise UsageError(f"{label} is too large for a search log.")
        text = (standard_input() if str(path) == DASH else path.read_bytes()).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{label} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise UsageError(f"{label} is not a search log: it is not UTF-8 text.") from None
    log = _json_of(text)
    if not isinstance(log, dict) or not isinstance(log.get("question"), str):
        raise UsageError(f"{label} is not a search log; `spar log RUN > FILE` writes one.")
    return LoggedSearch(
        log["question"], _options(label, log.get("wishes")), lists_in(log), clean_text(log.get("run"), 60)
    )


def _json_of(text: str) -> Any:
    """Return the JSON of a log, or of the last block of a Markdown log; None if there is none."""
    _, fence, block = text.rpartition(f"```json {AGAIN}\n")
    try:
        return json.loads(block.partition("\n```")[0] if fence else text)
    except (ValueError, RecursionError):
        return None


def _options(label: str, log: Any) -> SearchOptions:
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(log, dict):
        raise UsageError(f"{label} does not say how the search was done.")
    try:
        options = TypeAdapter(SearchOptions).validate_python(log)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise UsageError(f"{label} cannot be used: {where} has an invalid value.") from None
    later = options.later_queries
    cleaned = None if later is None else tuple(tuple(map(_cleaned, queries)) for queries in later)
    return replace(options, later_queries=cleaned)


def _cleaned(query: EvolvedQuery) -> EvolvedQuery:
    """Return the query cleaned for sending and showing; the paper of its origin has no number here."""
    keywords = tuple((clean_text(source, 60), clean_text(text, LONGEST_QUERY)) for source, text in query.keywords)
    return EvolvedQuery(clean_text(query.query, LONGEST_QUERY), query.direction, None, True, keywords)
