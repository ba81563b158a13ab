"""Known works as the common styles print them, and bibliographies set in lines as a page shows them."""

import random
import textwrap
from collections.abc import Callable, Sequence

from tests.connectors.pdf.known_works import Known, Name

Style = Callable[[Known], str]


def _initials(given: str, stop: str = ".", gap: str = " ") -> str:
    letters = ["-".join(f"{part[0].upper()}{stop}" for part in word.strip(".").split("-")) for word in given.split()]
    return gap.join(letters)


def _joined(names: Sequence[str], last: str, gap: str = ", ") -> str:
    return names[0] if len(names) == 1 else gap.join(names[:-1]) + last + names[-1]


def _listed(names: Sequence[str]) -> str:
    return _joined(names, ", and " if len(names) > 2 else " and ")


def _given_first(name: Name) -> str:
    return f"{name.given} {name.family}".strip()


def _initials_first(name: Name) -> str:
    return f"{_initials(name.given)} {name.family}".strip()


def _family_first(name: Name) -> str:
    return f"{name.family}, {_initials(name.given)}" if name.given else name.family


def _where(work: Known, arxiv: str = "arXiv preprint arXiv:{}") -> str:
    if work.kind == "preprint":
        return arxiv.format(work.arxiv)
    if work.kind == "journal":
        issue = f"({work.issue})" if work.issue else ""
        return f"{work.venue}, {work.volume}{issue}:{work.pages}"
    return f"In {work.venue}, pages {work.pages}" if work.kind == "proceedings" else work.venue


def plain(work: Known) -> str:
    """BibTeX's plain: Given Family and Given Family. Title. Where, year."""
    names = [_given_first(name) for name in work.authors]
    return f"{_listed(names)}. {work.title}{_stop(work)} {_where(work)}, {work.year}."


def ieee(work: Known) -> str:
    """IEEE: G. Family and G. Family, “Title,” Journal, vol. 1, no. 2, pp. 3–4, year."""
    names = [_initials_first(name) for name in _people(work, 6)]
    people = f"{names[0]} et al." if len(work.authors) > 6 else _joined(names, ", and " if len(names) > 2 else " and ")
    where = {
        "journal": f"{work.venue}, vol. {work.volume}{f', no. {work.issue}' if work.issue else ''}, pp. {work.pages}",
        "proceedings": f"in {work.venue}, pp. {work.pages}",
        "book": work.venue,
        "preprint": f"arXiv:{work.arxiv}",
    }[work.kind]
    closing = "”" if work.title.endswith("?") else ",”"
    doi = f", doi: {work.doi}" if work.doi else ""
    return f"{people}, “{work.title}{closing} {where}, {work.year}{doi}."


def lncs(work: Known) -> str:
    """Springer LNCS: Family, G., Family, G.: Title. Journal 1(2), 3–4 (year)."""
    people = ", ".join(_family_first(name) for name in _people(work, 5)) + (", et al." if len(work.authors) > 5 else "")
    where = {
        "journal": f"{work.venue} {work.volume}{f'({work.issue})' if work.issue else ''}, {work.pages} ({work.year})",
        "proceedings": f"In: {work.venue}, pp. {work.pages} ({work.year})",
        "book": f"{work.venue} ({work.year})",
        "preprint": f"arXiv preprint arXiv:{work.arxiv} ({work.year})",
    }[work.kind]
    doi = f". https://doi.org/{work.doi}" if work.doi else ""
    return f"{people}: {work.title}{_stop(work)} {where}{doi}"


def vancouver(work: Known) -> str:
    """Vancouver: Family GG, Family GG. Title. Journal. Year;1(2):3–4."""
    names = [f"{name.family} {_initials(name.given, '', '')}".strip() for name in _people(work, 6)]
    people = ", ".join(names) + (", et al" if len(work.authors) > 6 else "")
    where = {
        "journal": f"{work.venue}. {work.year};{work.volume}{f'({work.issue})' if work.issue else ''}:{work.pages}",
        "proceedings": f"In: {work.venue}; {work.year}. p. {work.pages}",
        "book": f"{work.venue}; {work.year}",
        "preprint": f"arXiv:{work.arxiv} [Preprint]. {work.year}",
    }[work.kind]
    doi = f". doi:{work.doi}" if work.doi else ""
    return f"{people}. {work.title}{_stop(work)} {where}{doi}."


def apa(work: Known) -> str:
    """APA: Family, G., & Family, G. (year). Title. Journal, 1(2), 3–4. address."""
    names = [_family_first(name) for name in work.authors]
    where = {
        "journal": f"{work.venue}, {work.volume}{f'({work.issue})' if work.issue else ''}, {work.pages}",
        "proceedings": f"In {work.venue} (pp. {work.pages})",
        "book": work.venue,
        "preprint": f"arXiv. https://arxiv.org/abs/{work.arxiv}",
    }[work.kind]
    doi = f" https://doi.org/{work.doi}" if work.doi else ""
    return f"{_joined(names, ', & ')} ({work.year}). {work.title}{_stop(work)} {where}.{doi}"


def acl(work: Known) -> str:
    """ACL: Given Family and Given Family. year. Title. Where."""
    names = [_given_first(name) for name in work.authors]
    return f"{_listed(names)}. {work.year}. {work.title}{_stop(work)} {_where(work)}."


def elsevier(work: Known) -> str:
    """Elsevier, numbered: G. Family, G. Family, Title, Journal 1 (2) (year) 3–4."""
    people = ", ".join(_initials_first(name) for name in _people(work, 6)) + (
        ", et al." if len(work.authors) > 6 else ""
    )
    where = {
        "journal": f"{work.venue} {work.volume}{f' ({work.issue})' if work.issue else ''} ({work.year}) {work.pages}",
        "proceedings": f"in: {work.venue}, {work.year}, pp. {work.pages}",
        "book": f"{work.venue}, {work.year}",
        "preprint": f"arXiv preprint arXiv:{work.arxiv} ({work.year})",
    }[work.kind]
    doi = f". doi:{work.doi}" if work.doi else ""
    return f"{people}, {work.title}, {where}{doi}."


def nature(work: Known) -> str:
    """Nature: Family, G., Family, G. & Family, G. Title. Journal 1, 3–4 (year)."""
    names = [_family_first(name) for name in _people(work, 5)]
    people = f"{names[0]} et al." if len(work.authors) > 5 else _joined(names, " & ")
    where = {
        "journal": f"{work.venue} {work.volume}, {work.pages} ({work.year})",
        "proceedings": f"In {work.venue} {work.pages} ({work.year})",
        "book": f"({work.venue}, {work.year})",
        "preprint": f"Preprint at https://arxiv.org/abs/{work.arxiv} ({work.year})",
    }[work.kind]
    return f"{people}{'' if people.endswith('.') else '.'} {work.title}{_stop(work)} {where}."


def aaai(work: Known) -> str:
    """AAAI: Family, G.; and Family, G. year. Title. Where."""
    names = [_family_first(name) for name in work.authors]
    people = _joined(names, "; and ", "; ").removesuffix(".")
    return f"{people}. {work.year}. {work.title}{_stop(work)} {_where(work)}."


def statistics(work: Known) -> str:
    """Statistical software: Family GG, Family GG (year). “Title.” Journal, 1(2), 3–4. doi:…"""
    names = [f"{name.family} {_initials(name.given, '', '')}".strip() for name in work.authors]
    title = f"{work.title}." if work.kind == "book" else f"“{work.title}{_stop(work)}”"
    doi = f" doi:{work.doi}." if work.doi else ""
    return f"{', '.join(names)} ({work.year}). {title} {_where(work)}.{doi}"


def chicago(work: Known) -> str:
    """Chicago, author and date: Family, Given, and Given Family. year. “Title.” Journal 1 (2): 3–4."""
    first = f"{work.authors[0].family}, {work.authors[0].given}" if work.authors[0].given else work.authors[0].family
    names = [first, *(_given_first(name) for name in work.authors[1:])]
    people = _joined(names, ", and ")
    where = {
        "journal": f"{work.venue} {work.volume}{f' ({work.issue})' if work.issue else ''}: {work.pages}",
        "proceedings": f"In {work.venue}, {work.pages}",
        "book": work.venue,
        "preprint": f"arXiv:{work.arxiv}",
    }[work.kind]
    doi = f" https://doi.org/{work.doi}" if work.doi else ""
    title = f"{work.title}." if work.kind == "book" else f"“{work.title}{_stop(work)}”"
    return f"{people}{'' if people.endswith('.') else '.'} {work.year}. {title} {where}.{doi}"


def harvard(work: Known) -> str:
    """Elsevier's Harvard: Family, G., Family, G., year. Title. Journal 1, 3–4."""
    people = ", ".join(_family_first(name) for name in work.authors)
    where = {
        "journal": f"{work.venue} {work.volume}, {work.pages}",
        "proceedings": f"In: {work.venue}, pp. {work.pages}",
        "book": work.venue,
        "preprint": f"arXiv preprint arXiv:{work.arxiv}",
    }[work.kind]
    doi = f". https://doi.org/{work.doi}" if work.doi else ""
    return f"{people}, {work.year}. {work.title}{_stop(work)} {where}{doi}."


def acm(work: Known) -> str:
    """ACM: Given Family and Given Family. year. Title. Journal 1, 2 (year), 3–4. address"""
    names = [_given_first(name) for name in work.authors]
    where = {
        "journal": f"{work.venue} {work.volume}{f', {work.issue}' if work.issue else ''} ({work.year}), {work.pages}",
        "proceedings": f"In {work.venue}. {work.pages}",
        "book": work.venue,
        "preprint": f"arXiv:{work.arxiv}",
    }[work.kind]
    doi = f". https://doi.org/{work.doi}" if work.doi else "."
    return f"{_listed(names)}. {work.year}. {work.title}{_stop(work)} {where}{doi}"


def _people(work: Known, most: int) -> Sequence[Name]:
    return work.authors if len(work.authors) <= most else work.authors[:1] if most == 5 else work.authors[:most]


def _stop(work: Known) -> str:
    return "" if work.title.endswith("?") else "."


NUMBERED: dict[str, Style] = {
    "plain": plain, "ieee": ieee, "lncs": lncs, "vancouver": vancouver, "elsevier": elsevier, "nature": nature,
    "acm": acm,
}  # fmt: skip
UNNUMBERED: dict[str, Style] = {
    "plain": plain, "apa": apa, "acl": acl, "aaai": aaai, "statistics": statistics, "chicago": chicago,
    "harvard": harvard,
}  # fmt: skip
_NUMBERS = {"lncs": "{}. ", "vancouver": "{}. ", "nature": "{}. "}


def entry_of(style: str, work: Known, number: int) -> str:
    """`work` in a numbered style."""
    return _NUMBERS.get(style, "[{}] ").format(number) + NUMBERED[style](work)


def wrapped(entry: str, width: int, draw: random.Random, hang: str = "") -> list[str]:
    """`entry` in lines of at most `width` characters, words divided at the line's end as a typesetter does."""
    hyphenated: list[str] = []
    lines: list[str] = []
    line = ""
    for word in entry.split():
        room = width - len(line) - 1
        if len(line) + 1 + len(word) <= width or not line:
            line = f"{line} {word}".strip()
            continue
        place = _division(word, room, draw)
        if place:
            lines.append(f"{line} {word[:place]}-")
            hyphenated.append(word)
            line = word[place:]
        else:
            lines.append(line)
            line = word
    lines += [line] if len(line) <= width * 1.5 else textwrap.wrap(line, width)
    return [lines[0], *(hang + line for line in lines[1:])]


def _division(word: str, room: int, draw: random.Random) -> int:
    """Where in `word` it may be divided, 0 for nowhere: between small letters, three of them left on each side."""
    places = [
        place
        for place in range(3, min(len(word) - 2, room - 1))
        if word.isascii() and word.isalpha() and word[place - 1 : place + 1].islower()
    ]
    return draw.choice(places) if places and len(word) > 6 and draw.random() < 0.7 else 0
