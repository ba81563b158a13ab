"""Quotes that stand in the paper they are said to be from."""

import re

from connectors.paper import Paper

LONGEST_QUOTE = 60
"""Words; whoever copies more quotes nothing in particular."""


def verbatim_quote(quote: str, paper: Paper) -> str:
    """The words of `quote` as they stand in the title or abstract of `paper`; "" if they do not stand there.

    Spaces, case, and the shapes of quotation marks and dashes do not matter; words and their order do.
    """
    return _standing(quote, paper.abstract, paper.title)


def noted_words(copied: str, paper: Paper) -> str:
    """The words of `copied` as they stand in spar's note on `paper`; "" if they do not, or its abstract is known.

    They are evidence, for a model may have been shown the note in want of an abstract; a quote they are not.
    """
    return "" if paper.abstract else _standing(copied, paper.described)


def _standing(copied: str, *texts: str) -> str:
    words = re.findall(r"\w+", copied)
    if not words or len(words) > LONGEST_QUOTE:
        return ""
    pattern = re.compile(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, words)) + r"(?!\w)", re.IGNORECASE)
    for text in texts:
        if (found := pattern.search(text)) and len(found[0]) <= len(copied) + 20:
            return found[0]
    return ""
