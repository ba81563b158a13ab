"""What the styles are made of: initials, lists of names, dates, pages, links."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from connectors.records.publication import edition_number
from spar_tui.bibliography.edtf import season_of, years_of
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.markup import curled, has_case, plain
from spar_tui.bibliography.names import Name

MONTHS = "January February March April May June July August September October November December".split()

Form = Literal["article", "part", "preprint", "book", "thesis", "report", "dataset", "other"]
_FORMS: dict[str, Form] = {
    "article-journal": "article", "article-magazine": "article", "article-newspaper": "article", "review": "article",
    "chapter": "part", "paper-conference": "part", "entry": "part", "entry-encyclopedia": "part",
    "entry-dictionary": "part", "article": "preprint", "book": "book", "periodical": "book", "thesis": "thesis",
    "report": "report", "dataset": "dataset",
}  # fmt: skip


ET_AL = Name(literal="et al.")
"""Stands behind authors who are not all known."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry on its way into a style, its text without markup; `letter` follows the year.

    `item` is its CSL item, which the styles want. They ask `form`, what it is by its CSL type, so that a kind of work
    that they do not know is written all the same.
    """

    entry: Entry
    letter: str = ""
    item: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def form(self) -> Form:
        return _FORMS.get(self.item.get("type", ""), "other")

    @property
    def title(self) -> str:
        return curled(plain(self.entry.title).removesuffix("."))

    @property
    def container(self) -> str:
        return curled(plain(self.entry.container))

    @property
    def series(self) -> str:
        return curled(plain(self.entry.series))

    @property
    def volume(self) -> str:
        return plain(self.entry.volume)

    @property
    def number(self) -> str:
        return plain(self.entry.number)

    @property
    def edition(self) -> str:
        """`2nd ed.` where it is a number, else in the words of the record."""
        text = plain(self.entry.edition)
        number = edition_number(text)
        return f"{ordinal(number)} ed." if number is not None else text

    @property
    def publisher(self) -> str:
        """Who published it; for a thesis the university, for a report the institution, for a preprint the server."""
        return self.server if self.form == "preprint" else curled(self.item.get("publisher", ""))

    @property
    def place(self) -> str:
        return curled(self.item.get("publisher-place", ""))

    @property
    def imprint(self) -> str:
        """`Place: Publisher`"""
        return ": ".join(filter(None, [self.place, self.publisher]))

    @property
    def makers(self) -> tuple[Name, ...]:
        """Whose name it goes by: the authors, with `ET_AL` behind them if there are more; of a book without any its
        editors."""
        if self.entry.names:
            return (*map(_printed, self.entry.names), *([ET_AL] if self.entry.et_al else []))
        return tuple(map(_printed, self.entry.editors if self.form == "book" else ()))

    @property
    def by_editors(self) -> bool:
        """Whether the makers are its editors."""
        return bool(self.makers) and not self.entry.names

    @property
    def editors(self) -> tuple[Name, ...]:
        """The editors, unless it goes by their name."""
        return () if self.by_editors else tuple(map(_printed, self.entry.editors))

    @property
    def pages(self) -> str:
        return "–".join(filter(None, map(plain, self.entry.page_range)))

    def short_pages(self, least: int) -> str:
        """The pages; the last one without the digits that it shares with the first, but with `least` at the least."""
        first, last = map(plain, self.entry.page_range)
        if not (first.isdecimal() and last.isdecimal() and len(first) == len(last)):
            return self.pages
        same = next((index for index, digit in enumerate(last) if digit != first[index]), 0)
        return f"{first}–{last[min(same, max(len(last) - least, 0)) :]}"

    @property
    def year(self) -> str:
        shown = years_of(self.entry.edtf or self.entry.year).lstrip("0")
        return shown and shown + self.letter

    @property
    def month(self) -> str:
        """The name of the month or the season; "" if it is not known."""
        date = self.entry.date or ""
        return MONTHS[int(date[5:7]) - 1] if len(date) >= 7 else upper_first(season_of(self.entry.edtf))

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


def _printed(name: Name) -> Name:
    """A name as plain text; in a script without capitals in one piece, the family first."""
    family, given, particle, suffix, literal = (
        curled(plain(part)) for part in (name.family, name.given, name.particle, name.suffix, name.literal)
    )
    if given and not has_case(given):
        literal = f"{particle} {family}{given}".strip()
    return Name(literal=literal) if literal else Name(family, given, particle, suffix)


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


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


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def listed(
    names: Sequence[Name], write: Callable[[Name], str], most: int, shown: int, last: str, *, comma: bool = True
) -> str:
    """Names with `last` before the last one; of more than `most` the first `shown` and "et al.".

    `comma` says whether a comma stands before `last` where there are more than two.
    """
    written = [write(name) for name in names]
    if ET_AL in names and len(written) <= most:
        return ", ".join(written[:-1]) + (", et al." if len(written) > 2 else " et al.")
    if len(written) > most:
        return ", ".join(written[:shown]) + (", et al." if shown > 1 else " et al.")
    if len(written) < 2:
        return "".join(written)
    between = ", " if comma and len(written) > 2 else " "
    return f"{', '.join(written[:-1])}{between}{last} {written[-1]}"


def initials(given: str, dot: str = ".", between: str = " ") -> str:
    """`Jean-Luc J.D.` as `J.-L. J. D.`; a name in a script without capitals is kept whole."""
    letters = []
    for word in re.findall(r"[^\s.]+", given):
        if not has_case(word):
            letters.append(word)
        elif word.isupper() and len(word) <= 3 and word.isalpha():
            letters += [letter + dot for letter in word]  # "JD": two initials that a source ran together
        else:
            first, *more = [part[0] for part in re.split(r"[-‐]", word) if part]
            letters.append(("-" if dot else "").join([first.upper() + dot, *(letter + dot for letter in more)]))
    return between.join(letters)


_NAMED = 5


class Line(NamedTuple):
    """A reference, and how it was written."""

    one: Reference
    text: str


def absent_parts(lines: Sequence[Line]) -> Iterator[str]:
    """What the records tell and the references do not, as most styles have no place for something."""
    absent: dict[str, list[str]] = {}
    for reference, text in lines:
        for part in _parts_absent(reference, text):
            absent.setdefault(part, []).append(reference.entry.key)
    for part, keys in absent.items():
        more = ", …" if len(keys) > _NAMED else ""
        entries = f"{len(keys)} {'entry' if len(keys) == 1 else 'entries'}"
        yield f"the references do not name the {part} of {entries} ({', '.join(sorted(keys)[:_NAMED])}{more})."


def _parts_absent(reference: Reference, text: str) -> Iterator[str]:
    folded_text, words = _folded(text), set(re.findall(r"\w+", text.casefold()))
    if _folded(reference.title) not in folded_text:
        yield "title"
    if reference.edition and _folded(reference.edition.removesuffix(" ed.")) not in folded_text:
        yield "edition"
    if reference.volume and not set(re.findall(r"\w+", reference.volume.casefold())) <= words:
        yield "volume"
    if reference.form != "article":  # a journal's editors and publisher stand in no list
        # A style may put a name's particle behind it, and name the first editor alone.
        first = next((name.family or name.literal for name in reference.entry.editors), "")
        if _folded(plain(first)) not in folded_text:
            yield "editors"
        if reference.publisher and _folded(reference.publisher) not in folded_text:
            yield "publisher"
    if reference.entry.doi and reference.entry.doi.casefold() not in text.casefold():
        yield "DOI"


def _folded(text: str) -> str:
    """Letters and digits alone: a style may change capitals, quotation marks and signs between words."""
    return "".join(filter(str.isalnum, text.casefold()))
