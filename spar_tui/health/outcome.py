"""The result of a check."""

from typing import NamedTuple


class Outcome(NamedTuple):
    """`state` is ok, note or problem; `seconds` is the time until the answer, None if there was none."""

    state: str
    sentence: str
    seconds: float | None = None
