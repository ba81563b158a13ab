"""The text of each page as it is searched and quoted: one clean line, in which no word is divided."""

from collections.abc import Sequence

from connectors.pdf.child import PageLines
from connectors.pdf.joining import continued, joined, vocabulary
from connectors.pdf.layout import lines_by_page
from connectors.records.clean import clean_text

PAGE_CAP = 40_000
"""Letters of a page: four times what the fullest page of a journal holds."""


def page_texts(pages: Sequence[PageLines]) -> tuple[str, ...]:
    """What each of `pages` says, without running heads; "" for one that holds no text.

    A word that is divided at the end of a line is whole again; one at the end of a page is so on that page.
    """
    lines = lines_by_page(pages, PAGE_CAP)  # some programs write a page as one line
    words = vocabulary(line for page in lines for line in page)
    texts = [joined(page, words, PAGE_CAP) for page in lines]
    for place, following in enumerate(texts[1:]):
        if texts[place].endswith("-") and following[:1].islower():
            rest, _, texts[place + 1] = following.partition(" ")
            texts[place] = continued(texts[place], rest, words)
    return tuple(clean_text(text, PAGE_CAP) for text in texts)
