"""What the styles are made of: initials, lists of names, dates, pages, links."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.names import Name

MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry on its way into a style, its text without markup; `letter` follows the year."""

    entry: Entry
    letter: str = ""

    @property
    def title(self) -> str:
        return plain(self.entry.title).removesuffix(".")

    @property
    def container(self) -> str:
        return plain(self.entry.container)

    @property
    def volume(self) -> str:
        return plain(self.entry.volume)

    @property
    def number(self) -> str:
        return plain(self.entry.number)

    @property
    def pages(self) -> str:
        return "–".join(filter(None, map(plain, self.entry.page_range)))

    @property
    def year(self) -> str:
        return self.entry.year and self.entry.year + self.letter

    @property
    def month(self) -> str:
        """The month's name; "" if it is not known."""
        date = self.entry.date or ""
        return MONTHS[int(date[5:7]) - 1] if len(date) >= 7 else ""

    @property
    def day(self) -> str:
        date = self.entry.date or ""
        return str(int(date[8:10])) if len(date) >= 10 else ""

    @property
    def server(self) -> str:
        """Where a preprint stands."""
        return "arXiv" if self.entry.arxiv and not self.container else self.container

    @property
    def link(self) -> str:
        """The DOI as an address, else arXiv's page, else the address that a source gave."""
        if self.entry.doi:
            return f"https://doi.org/{self.entry.doi}"
        return f"https://arxiv.org/abs/{self.entry.arxiv}" if self.entry.arxiv else self.entry.url or ""


def sentence(text: str) -> str:
    """`text` with a full stop, unless it has an end of its own, be it inside quotation marks."""
    return text if not text or text.rstrip("”").endswith((".", "?", "!", "…", "。")) else f"{text}."


def sentences(*parts: str) -> str:
    """Each known part as a sentence; an address takes no full stop, which would become part of it."""
    return " ".join(part if part.startswith("http") else sentence(part) for part in parts if part)


def quoted(title: str, end: str) -> str:
    """The title in quotation marks with `end` inside them, as American styles have it."""
    return f"“{title}{'' if title.endswith(('?', '!')) and end in '.,' else end}”" if title else ""


def commas(*parts: str) -> str:
    """The known parts with commas between them."""
    return ", ".join(filter(None, parts))


def listed(
    names: Sequence[Name], write: Callable[[Name], str], most: int, shown: int, last: str, *, comma: bool = True
) -> str:
    """Names with `last` before the last one; of more than `most` the first `shown` and "et al.".

    `comma` says whether a comma stands before `last` where there are more than two.
    """
    written = [write(name) for name in names]
    if len(written) > most:
        return ", ".join(written[:shown]) + (", et al." if shown > 1 else " et al.")
    if len(written) < 2:
        return "".join(written)
    between = ", " if comma and len(written) > 2 else " "
    return f"{', '.join(written[:-1])}{between}{last} {written[-1]}"


def initials(given: str, dot: str = ".", between: str = " ") -> str:
    """`Jean-Luc J.D.` as `J.-L. J. D.`; a name in a script without capitals is kept whole."""
    found = []
    for word in re.findall(r"[^\s.]+", given):
        if word[0].upper() == word[0].lower():
            found.append(word)
        elif word.isupper() and len(word) <= 3 and word.isalpha():
            found += [letter + dot for letter in word]  # "JD": two initials that a source ran together
        else:
            first, *more = [part[0] for part in re.split(r"[-‐]", word) if part]
            found.append(("-" if dot else "").join([first.upper() + dot, *(letter + dot for letter in more)]))
    return between.join(found)
