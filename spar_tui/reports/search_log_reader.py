"""Read a search log to repeat its search."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agents.run.retrieval.queries import LONGEST_QUERY
from agents.search.events import EvolvedQuery
from agents.search.options import SearchOptions
from connectors.records.clean import clean_text
from spar_tui.bibliography.reading.files import STDIN, standard_input
from spar_tui.errors import UsageError
from spar_tui.reports.log_comparison import LoggedLists, lists_in
from spar_tui.reports.search_log_markdown import AGAIN
from spar_tui.terminal import DASH

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
    named = STDIN if str(path) == DASH else str(path)
    try:
        if str(path) != DASH and path.stat().st_size > LARGEST:
            raise UsageError(f"{named} is too large for a search log.")
        text = (standard_input() if str(path) == DASH else path.read_bytes()).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{named} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise UsageError(f"{named} is not a search log: it is not UTF-8 text.") from None
    log = _json_of(text)
    if not isinstance(log, dict) or not isinstance(log.get("question"), str):
        raise UsageError(f"{named} is not a search log; `spar log RUN > FILE` writes one.")
    return LoggedSearch(
        log["question"], _options(named, log.get("wishes")), lists_in(log), clean_text(log.get("run"), 60)
    )


def _json_of(text: str) -> Any:
    """Return the JSON of a log, or of the last block of a Markdown log; None if there is none."""
    _, fence, block = text.rpartition(f"```json {AGAIN}\n")
    try:
        return json.loads(block.partition("\n```")[0] if fence else text)
    except (ValueError, RecursionError):
        return None


def _options(named: str, log: Any) -> SearchOptions:
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(log, dict):
        raise UsageError(f"{named} does not say how the search was done.")
    try:
        options = TypeAdapter(SearchOptions).validate_python(log)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise UsageError(f"{named} cannot be used: {where} has an invalid value.") from None
    later = options.later_queries
    cleaned = None if later is None else tuple(tuple(map(_cleaned, queries)) for queries in later)
    return replace(options, later_queries=cleaned)


def _cleaned(query: EvolvedQuery) -> EvolvedQuery:
    """Return the query cleaned for sending and showing; the paper of its origin has no number here."""
    keywords = tuple((clean_text(source, 60), clean_text(text, LONGEST_QUERY)) for source, text in query.keywords)
    return EvolvedQuery(clean_text(query.query, LONGEST_QUERY), query.direction, None, True, keywords)
