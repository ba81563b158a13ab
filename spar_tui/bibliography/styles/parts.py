"""Common parts of the styles: initials, lists of names, dates, pages, links."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from connectors.records.publication import edition_number, ordinal
from spar_tui.bibliography.edtf import season_of, years_of
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.field_table import MAKERS
from spar_tui.bibliography.markup import curled, has_case, plain
from spar_tui.bibliography.name_lists import people
from spar_tui.bibliography.names import ET_AL, Name

MONTHS = "January February March April May June July August September October November December".split()

Form = Literal["article", "part", "preprint", "book", "thesis", "report", "dataset", "other"]
_FORMS: dict[str, Form] = {
    "article-journal": "article", "article-magazine": "article", "article-newspaper": "article", "review": "article",
    "chapter": "part", "paper-conference": "part", "entry": "part", "entry-encyclopedia": "part",
    "entry-dictionary": "part", "article": "preprint", "book": "book", "periodical": "book", "thesis": "thesis",
    "report": "report", "dataset": "dataset",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry to be formatted, without markup; `letter` follows the year.

    `item` is its CSL item, for the styles. They look only at `form`, derived from the CSL type, so that they can format
    kinds of works that they do not know.
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
        """Return `2nd ed.` for a number, else the record's words."""
        text = plain(self.entry.edition)
        number = edition_number(text)
        return f"{ordinal(number)} ed." if number is not None else text

    @property
    def publisher(self) -> str:
        """Return the publisher: a thesis's university, a report's institution, a preprint's server."""
        return self.server if self.form == "preprint" else curled(self.item.get("publisher", ""))

    @property
    def place(self) -> str:
        return curled(self.item.get("publisher-place", ""))

    @property
    def imprint(self) -> str:
        """Return `Place: Publisher`."""
        return ": ".join(filter(None, [self.place, self.publisher]))

    @property
    def makers(self) -> tuple[Name, ...]:
        """Return the names at the start of the reference: the authors, and `ET_AL` if there are more; the makers of a
        film or song; for a book without authors, its editors."""
        if self.entry.names:
            return (*map(_printed, self.entry.names), *([ET_AL] if self.entry.et_al else []))
        if role := next(filter(self.entry.more.__contains__, MAKERS), ""):
            return tuple(map(_printed, people(self.entry.more[role])))
        return tuple(map(_printed, self.entry.editors if self.form == "book" else ()))

    @property
    def by_editors(self) -> bool:
        """Whether `makers` are the editors."""
        return bool(self.makers) and not self.entry.names and self.entry.more.keys().isdisjoint(MAKERS)

    @property
    def editors(self) -> tuple[Name, ...]:
        """Return the editors, unless they are the `makers`."""
        return () if self.by_editors else tuple(map(_printed, self.entry.editors))

    @property
    def pages(self) -> str:
        return "–".join(filter(None, map(plain, self.entry.page_range)))

    def short_pages(self, least: int) -> str:
        """Return the pages; the last one omits the digits shared with the first, but keeps `least` digits."""
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
        """Return the name of the month or season; "" if unknown."""
        date = self.entry.date or ""
        return MONTHS[int(date[5:7]) - 1] if len(date) >= 7 else upper_first(season_of(self.entry.edtf))

    @property
    def day(self) -> str:
        date = self.entry.date or ""
        return str(int(date[8:10])) if len(date) >= 10 else ""

    @property
    def server(self) -> str:
        """Return the server of a preprint."""
        return "arXiv" if self.entry.arxiv and not self.container else self.container

    @property
    def link(self) -> str:
        """Return the DOI as an address, else arXiv's page, else the address from a source."""
        if self.entry.doi:
            return f"https://doi.org/{self.entry.doi}"
        return f"https://arxiv.org/abs/{self.entry.arxiv}" if self.entry.arxiv else self.entry.url or ""


def _printed(name: Name) -> Name:
    """Return a name as plain text; in scripts without capitals undivided, with the family name first."""
    family, given, particle, suffix, literal = (
        curled(plain(part)) for part in (name.family, name.given, name.particle, name.suffix, name.literal)
    )
    if given and not has_case(given):
        literal = f"{particle} {family}{given}".strip()
    return Name(literal=literal) if literal else Name(family, given, particle, suffix)


def sentence(text: str) -> str:
    """Add a full stop to `text` unless it ends with a mark, also inside quotation marks."""
    return text if not text or text.rstrip("”").endswith((".", "?", "!", "…", "。")) else f"{text}."


def sentences(*parts: str) -> str:
    """Join the nonempty parts as sentences; an address gets no full stop, which would become part of it."""
    return " ".join(part if part.startswith("http") else sentence(part) for part in parts if part)


def quoted(title: str, end: str) -> str:
    """Return the title in quotation marks with `end` inside them, in American style."""
    return f"“{title}{'' if title.endswith(('?', '!')) and end in '.,' else end}”" if title else ""


def commas(*parts: str) -> str:
    """Join the nonempty parts with commas."""
    return ", ".join(filter(None, parts))


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def listed(
    names: Sequence[Name], write: Callable[[Name], str], most: int, shown: int, last: str, *, comma: bool = True
) -> str:
    """Join names with `last` before the last one; if more than `most`, the first `shown` and "et al.".

    `comma` puts a comma before `last` in lists of three or more.
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
    """Abbreviate `Jean-Luc J.D.` as `J.-L. J. D.`; names in scripts without capitals stay."""
    letters = []
    for word in re.findall(r"[^\s.]+", given):
        if not has_case(word):
            letters.append(word)
        elif word.isupper() and len(word) <= 3 and word.isalpha():
            letters += [letter + dot for letter in word]  # "JD": two initials that a source joined
        else:
            first, *more = [part[0] for part in re.split(r"[-‐]", word) if part]
            letters.append(("-" if dot else "").join([first.upper() + dot, *(letter + dot for letter in more)]))
    return between.join(letters)


_NAMED = 5


class FormattedReference(NamedTuple):
    """A reference, and its formatted text."""

    reference: Reference
    text: str


def absent_parts(lines: Sequence[FormattedReference]) -> Iterator[str]:
    """Yield notes on data that the references omit; most styles leave some out."""
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
    if reference.form != "article":  # styles omit a journal's editors and publisher
        # A style may move a name's particle after it, and give only the first editor.
        first = next((name.family or name.literal for name in reference.entry.editors), "")
        if _folded(plain(first)) not in folded_text:
            yield "editors"
        if reference.publisher and _folded(reference.publisher) not in folded_text:
            yield "publisher"
    if reference.entry.doi and reference.entry.doi.casefold() not in text.casefold():
        yield "DOI"


def _folded(text: str) -> str:
    """Reduce to letters and digits: a style may change capitals, quotation marks and punctuation."""
    return "".join(filter(str.isalnum, text.casefold()))
