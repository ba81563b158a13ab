"""Quotes that stand in the paper they are said to be from."""

import re

from connectors.paper import Paper

LONGEST_QUOTE = 60
"""Words; whoever copies more quotes nothing in particular."""


def verbatim_quote(quote: str, paper: Paper) -> str:
    """The words of `quote` as they stand in the title or abstract of `paper`; "" if they do not stand there.

    Spaces, case, and the shapes of quotation marks and dashes do not matter; words and their order do.
    """
    words = re.findall(r"\w+", quote)
    if not words or len(words) > LONGEST_QUOTE:
        return ""
    pattern = re.compile(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, words)) + r"(?!\w)", re.IGNORECASE)
    for text in (paper.abstract, paper.title):
        if (found := pattern.search(text)) and len(found[0]) <= len(quote) + 20:
            return found[0]
    return ""
