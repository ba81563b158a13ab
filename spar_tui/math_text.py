"""Mathematics in titles as a terminal can show it: letters and signs in place of TeX."""

import re
from functools import lru_cache

_SPAN = re.compile(r"\$\$?(?=[^$]*[\\^_{]|\s*[^$\s]+\s*\$)[^$]+\$\$?(?!\d)")
"""A formula between dollar signs: TeX, or a single word; other dollars are money."""


@lru_cache(maxsize=4096)  # a row is drawn again and again
def with_signs(title: str) -> str:
    """`title` with its formulas as text: `α-divergence` for `$\\alpha$-divergence`."""
    return _SPAN.sub(_text, title) if title.count("$") > 1 else title


def _text(span: re.Match[str]) -> str:
    from pylatexenc.latex2text import LatexNodes2Text  # few titles need it

    try:
        shown = " ".join(str(LatexNodes2Text().latex_to_text(span[0])).split())  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, RecursionError):
        return span[0]
    return shown or span[0]
