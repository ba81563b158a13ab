"""What came of asking whether something works."""

from typing import NamedTuple


class Outcome(NamedTuple):
    """`state` is ok, note or problem; `seconds` is how long the answer took, None where none came."""

    state: str
    sentence: str
    seconds: float | None = None
