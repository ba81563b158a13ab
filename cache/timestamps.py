"""Moments as the library writes them: UTC, to the microsecond, one width, so that text order is time order."""

from datetime import UTC, datetime
from functools import lru_cache


def utc_now() -> datetime:
    """The present moment, with its zone."""
    return datetime.now(UTC)


@lru_cache(maxsize=16)  # what is done to many papers at once is done at one moment
def stamp(time: datetime) -> str:
    """`2026-11-21T09:41:07.000000Z` for a moment with a zone."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_moment(column: str) -> str:
    """The SQL condition that `parsed` can read a column; a damaged cell would come first or last in its order."""
    return f"(julianday({column}) IS NOT NULL AND {column} GLOB '????-??-??T*Z')"


def parsed(text: str) -> datetime:
    """The moment that `moment` wrote."""
    return datetime.fromisoformat(text)
