"""Timestamps of the library: UTC, in microseconds, of fixed width, so that text order is time order."""

from datetime import UTC, datetime
from functools import lru_cache


def utc_now() -> datetime:
    """Return the current time, with its zone."""
    return datetime.now(UTC)


@lru_cache(maxsize=16)  # changes of many papers at once have one timestamp
def stamp(time: datetime) -> str:
    """Return `2026-11-21T09:41:07.000000Z` for a time with a zone."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_moment(column: str) -> str:
    """Return the SQL condition that `parsed` can read a column; a damaged cell would sort first or last."""
    return f"(julianday({column}) IS NOT NULL AND {column} GLOB '????-??-??T*Z')"


def parsed(text: str) -> datetime:
    """Return the time that `stamp` wrote."""
    return datetime.fromisoformat(text)
