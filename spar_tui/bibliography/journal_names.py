"""Names of journals in imported entries and papers, abbreviated after ISO 4 or written out.

The words and their abbreviations are ISSN's list (LTWA), as the package bibiso4 has it. No rule writes a
name out: only names that are known already are found by their abbreviation.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cache.conditions.venue_names import JOURNALS
from cache.originals import Original, RawFields
from connectors.records.matching import title_key
from spar_tui.bibliography.comparing.venues import SMALL_WORDS
from spar_tui.bibliography.gathering import Item
from spar_tui.bibliography.journal_macros import MACROS, journal_of
from spar_tui.bibliography.kinds import kind_of_original
from spar_tui.bibliography.latex import encode
from spar_tui.bibliography.markup import to_ascii
from spar_tui.bibliography.options import JournalForm
from spar_tui.bibliography.reading.latex import decode

_STAND_IN = {
    "bibtex": ("journaltitle", "journal"), "ris": ("T2", "JF", "JO"), "csl-json": ("container-title",),
    "pubmed": ("JT",),
}  # fmt: skip
"""Where entries of each format name the journal."""
_SHORT = {"bibtex": "shortjournal", "ris": "J2", "csl-json": "container-title-short"}
_KINDS = ("article", "magazine", "newspaper", "review")
_PART = re.compile(r"(?:part|section|series)\s+(?=[A-Za-z0-9]{1,3}(?:\W|$))", re.IGNORECASE)
_ELIDED = re.compile(r"(?<!\w)(?:l|d|un|(?:[dns]?[aeu])ll)['’](?=\w)", re.IGNORECASE)
"""Articles and prepositions without their vowel, which stay out as all others do."""
_SIGN = re.compile(r"[^\W_]")
_LONGEST = 5
"""Words of a phrase in the list."""
_WORD = re.compile(r"([^\W_]+(?:['’][^\W_]+)*)([:;,]?)$")


def with_journals(items: Sequence[Item], form: JournalForm, venue_names: Iterable[str]) -> tuple[list[Item], list[str]]:
    """The items with their journals in a form, by `venue_names`; and the journals whose name was not found."""
    names = _written_out(venue_names) if form == "full" else {}
    missing = dict[str, None]()

    def named(journal: str, short: str) -> str:
        if form == "abbreviated":
            return short if "." in short else abbreviated(journal)
        if _is_short(journal) and not (name := names.get(title_key(journal), "")):
            missing[journal] = None
        elif _is_short(journal):
            return name
        return journal

    return [_renamed(item, named) for item in items], list(missing)


@lru_cache(maxsize=10_000)
def abbreviated(name: str) -> str:
    """`Journal of Physics A: Mathematical` as `J. Phys. A: Math.`; one word, and what is short already, stays."""
    words = _ELIDED.sub("", _PART.sub("", name)).split()
    if len(words) < 2 or _is_short(name):
        return name
    short = " ".join(_shortened(words))
    return short.upper() if name.isupper() else short


def _shortened(words: Sequence[str]) -> Iterator[str]:
    """The words, or several at once such as `United States of America`, without those that are left out."""
    index = 0
    while index < len(words):
        for end in range(min(index + _LONGEST, len(words)), index, -1):
            if end == index + 1:
                if not _is_small(words[index], index) and _SIGN.search(words[index]):
                    yield "-".join(map(_word, words[index].strip("()[]").split("-")))
            elif (short := _listed(" ".join(words[index:end]))) is not None:
                yield re.sub(r"(?<!\w)\w", lambda first: first[0].upper(), short) or " ".join(words[index:end])
            else:
                continue
            break
        index = end


def _is_small(word: str, index: int) -> bool:
    # One capital at the end tells a section: "Physics A".
    return word.lower() in SMALL_WORDS and not (index and len(word) == 1 and word.isupper())


def _is_short(name: str) -> bool:
    return any(word.endswith(".") for word in name.split())


def _word(word: str) -> str:
    match = _WORD.fullmatch(word)
    if not match:
        return word
    short = _listed(match[1]) or ""
    text = short[:1].upper() + short[1:] if short else match[1]
    return text + (match[2] if match[2] != "," else "")


def _listed(word: str) -> str | None:
    """The abbreviation of a word, "" if it has none, or of a phrase; None where the list has neither."""
    exact, beginnings, ends = _list()
    lower = word.lower()
    forms = dict.fromkeys((lower, re.sub(r"s\b", "", lower), to_ascii(lower)))
    if (form := next((form for form in forms if form in exact), None)) is not None:
        return exact[form]
    if " " in word:
        return None
    for form in forms:
        for length in range(len(form), 1, -1):
            if form[:length] in beginnings:
                return beginnings[form[:length]]
    cut = next((cut for cut in range(1, len(lower) - 1) if ends.get(lower[cut:])), 0)
    return lower[:cut] + ends[lower[cut:]].lstrip("-") if cut else None


@lru_cache(maxsize=1)
def _list() -> tuple[Mapping[str, str], ...]:
    """The abbreviations of whole words and phrases, of the beginnings of words, and of their ends."""
    from bibiso4 import EXACT, PREFIX, SUFFIX

    return tuple({word.lower(): short for word, short in words.items()} for words in (EXACT, PREFIX, SUFFIX))


def _written_out(venue_names: Iterable[str]) -> dict[str, str]:
    """The names by their abbreviations, without those that two names share."""
    names, shared = dict[str, str](), set[str]()
    for name in (*JOURNALS, *MACROS.values(), *venue_names):
        short = "" if _is_short(name) else title_key(abbreviated(name))
        if short and title_key(names.setdefault(short, name)) != title_key(name):
            shared.add(short)
    return {short: name for short, name in names.items() if short not in shared}


def _renamed(item: Item, named: Callable[[str, str], str]) -> Item:
    original, paper = item.original, item.paper
    if original is None:
        own = paper.type in ("article", "review") and paper.venue
        return item._replace(paper=replace(paper, venue=named(paper.venue, ""))) if own else item
    if original.format != "pubmed" and kind_of_original(original, paper.type) not in _KINDS:
        return item
    bare = {name for kind, name in original.beside if kind == "bare"}
    short = _text(original, original.value(_SHORT.get(original.format, "")))

    def fields(raw_fields: RawFields) -> RawFields:
        return tuple(
            (name, _value(original, named(text, short), value)
             if _folded(original, name) in _STAND_IN[original.format] and name not in bare
             and (text := _text(original, value)) else value)
            for name, value in raw_fields
        )  # fmt: skip

    return item._replace(
        original=replace(original, fields=fields(original.fields), inherited=fields(original.inherited))
    )


def _folded(original: Original, name: str) -> str:
    return name.lower() if original.format == "bibtex" else name


def _text(original: Original, value: str) -> str:
    """A value as plain text; "" for one that is none."""
    if original.format == "bibtex":
        return journal_of(decode(value))
    text: Any = json.loads(value) if original.format == "csl-json" and value else value
    return text if isinstance(text, str) else ""


def _value(original: Original, text: str, before: str) -> str:
    """The text as a value of the entry's format, which stood there `before` unless it is another."""
    if text == _text(original, before):
        return before
    if original.format == "bibtex":
        return encode(text, ascii_only=False).text
    return json.dumps(text, ensure_ascii=False) if original.format == "csl-json" else text
