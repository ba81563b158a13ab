"""Words put in place of others: a pattern, and what is said for it."""

import re
from collections.abc import Callable, Iterable

Rewriting = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def rewritten(text: str, table: Iterable[Rewriting]) -> str:
    """`text` with every pattern of `table`, in its order, put as it says."""
    for pattern, said in table:
        text = pattern.sub(said, text)
    return text
