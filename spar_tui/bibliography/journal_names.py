"""Abbreviate the names of journals after ISO 4, or write them out.

The words come from ISSN's list (LTWA), in the package bibiso4. No rule expands an abbreviation: it is looked up among
the names of known journals.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from cache.conditions.venue_names import JOURNALS
from cache.originals import Original, RawFields
from connectors.records.letters import to_ascii
from connectors.records.matching import title_key
from spar_tui.bibliography.comparing.venues import SMALL_WORDS
from spar_tui.bibliography.format_tables import lines_of
from spar_tui.bibliography.gathering import Item
from spar_tui.bibliography.kinds import kind_of_original
from spar_tui.bibliography.latex import encode
from spar_tui.bibliography.options import JournalForm
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.tex_macros import MACRO_JOURNALS, journal_of

_STAND_IN = {
    "bibtex": ("journaltitle", "journal"), "ris": ("T2", "JF", "JO"), "csl-json": ("container-title",),
    "pubmed": ("JT",),
}  # fmt: skip
"""The fields for the journal in each format."""
_SHORT = {"bibtex": "shortjournal", "ris": "J2", "csl-json": "container-title-short", "pubmed": "TA"}
_KINDS = ("article", "magazine", "newspaper", "review")
_PART = re.compile(r"(?:part|section|series)\s+(?=[A-Za-z0-9]{1,3}(?:\W|$))", re.IGNORECASE)
_ELIDED = re.compile(r"(?<!\w)(?:l|d|un|(?:[dns]?[aeu])ll)['’](?=\w)", re.IGNORECASE)
"""Elided articles and prepositions, which abbreviations omit."""
_SIGN = re.compile(r"[^\W_]")
_LONGEST = 5
"""Maximum number of words of a phrase in the list."""
_LATIN = re.compile(r"[\0-\u024f\u1e00-\u1eff]*")
_WORD = re.compile(r"([^\W_]+(?:['’][^\W_]+)*)([:;,]?)$")


@cache
def _titles() -> list[str]:
    """Return the titles of widely cited journals, to expand their abbreviations."""
    return lines_of("journal_titles.txt")


def with_journals(items: Sequence[Item], form: JournalForm, venue_names: Iterable[str]) -> tuple[list[Item], list[str]]:
    """Return the items with their journals in `form`, using `venue_names`; and journals without a known full name."""
    names = _written_out(venue_names, items)
    missing_names = dict[str, None]()

    @cache
    def named(journal: str, short: str) -> str:
        if form == "abbreviated":
            journal_name = short if 0 < len(short) < len(journal) else journal
            new_name = abbreviated(names.get(_key(journal_name), journal))
            # An abbreviation of the entry's own stays, but for the dots that the others have.
            return (
                _dotted(journal_name)
                if _is_short(journal_name) or (journal_name != journal and _key(new_name) != _key(journal_name))
                else new_name
            )
        name = names.get(_key(journal), "")
        if not name and _is_short(journal) and not (name := _begun(_dotted(journal), names.values())):
            missing_names[journal] = None
        return name or journal

    return [_renamed(item, named) for item in items], list(missing_names)


@lru_cache(maxsize=10_000)
def abbreviated(name: str) -> str:
    """Abbreviate `Journal of Physics A: Mathematical` as `J. Phys. A: Math.`; single words and short forms stay."""
    words = _ELIDED.sub("", _PART.sub("", name)).split()
    if len(words) < 2 or _is_short(name):
        return name
    short = " ".join(_shortened(words))
    return short.upper() if name.isupper() else short


def _shortened(words: Sequence[str]) -> Iterator[str]:
    """Yield the abbreviated words or phrases, such as `United States of America`, without the words to omit."""
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
    # A single capital at the end names a section: "Physics A".
    return word.lower() in SMALL_WORDS and not (index and len(word) == 1 and word.isupper())


def _is_short(name: str) -> bool:
    return any(word.endswith(".") for word in _dotted(name).split())


@lru_cache(maxsize=100_000)
def _dotted(name: str) -> str:
    """Return a short name with the dots that databases omit, as in `J Biol Chem`: each of its words is an abbreviation
    in the list, or is never abbreviated. Any other name stays."""
    words = name.split()
    if "." in name or len(words) < 2 or any(_is_small(word, index) for index, word in enumerate(words)):
        return name
    forms = [_listed(word) for word in words]
    if any(form and form.rstrip(".").lower() != word.lower() for word, form in zip(words, forms, strict=True)):
        return name
    has_dot = (word.lower() in _abbreviations() and form != "" for word, form in zip(words, forms, strict=True))
    return " ".join(f"{word}." if short else word for word, short in zip(words, has_dot, strict=True))


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str]:
    """Return the abbreviations in the list without dots, apart from words such as `cell` that full names have too."""
    full_words = {word.lower() for name in (*JOURNALS, *_titles()) for word in name.split()}
    return (
        frozenset(short[:-1].lower() for words in _list() for short in words.values() if short[-1:] == ".") - full_words
    )


def _word(word: str) -> str:
    match = _WORD.fullmatch(word)
    if not match:
        return word
    short = _listed(match[1]) or ""
    if short.rstrip(".").lower() == match[1].lower():  # a beginning in the list shortens only longer words
        short = ""
    text = short[:1].upper() + short[1:] if short else match[1]
    return text + (match[2] if match[2] != "," else "")


def _listed(word: str) -> str | None:
    """Return the abbreviation of a word or phrase; "" if it is never abbreviated, None if it is not in the list."""
    exact, beginnings, ends = _list()
    lower = word.lower()
    # The list has words of other scripts in Latin letters only; shortened, they would not fit the rest of the name.
    forms = dict.fromkeys((lower, re.sub(r"s\b", "", lower), to_ascii(lower) if _LATIN.fullmatch(lower) else lower))
    if (form := next((form for form in forms if form in exact), None)) is not None:
        return exact[form]
    if " " in word:
        return None
    for form in forms:
        for length in range(len(form), 1, -1):
            if form[:length] in beginnings:
                return beginnings[form[:length]]
    position = next((position for position in range(1, len(lower) - 1) if ends.get(lower[position:])), 0)
    return lower[:position] + ends[lower[position:]].lstrip("-") if position else None


@lru_cache(maxsize=1)
def _list() -> tuple[Mapping[str, str], ...]:
    """Return the abbreviations of whole words and phrases, of prefixes and of suffixes."""
    from bibiso4 import EXACT, PREFIX, SUFFIX

    return tuple({word.lower(): short for word, short in words.items()} for words in (EXACT, PREFIX, SUFFIX))


def _written_out(venue_names: Iterable[str], items: Sequence[Item]) -> dict[str, str]:
    """Map abbreviations to full names, without ambiguous ones; names from entries with both forms come first."""
    names, shared = dict[str, str](), set[str]()
    for name in (*JOURNALS, *_titles(), *MACRO_JOURNALS.values(), *venue_names):
        short = "" if _is_short(name) or " " not in name else _key(abbreviated(name))
        if short not in ("", _key(name)) and _key(names.setdefault(short, name)) != _key(name):
            shared.add(short)
    of_entries = {_key(short): name for item in items if item.original for name, short in [_both_names(item.original)]
            if short and name and not _is_short(name)}  # fmt: skip
    return {short: name for short, name in names.items() if short not in shared} | of_entries


def _key(name: str) -> str:
    """Return the name of a journal for comparison, without an initial article."""
    return title_key(name).removeprefix("the ").replace(" ", "")


def _begun(short: str, names: Collection[str]) -> str:
    """Return the name in `names` that a short one, such as `Trans. Amer. Math. Soc.`, abbreviates word by word; ""
    unless there is exactly one. A single letter must be the word's abbreviation in the list."""
    words = _words_of_name(short)
    matches = {
        name for name in names if len(full := _words_of_name(name)) == len(words) and all(map(_begins, words, full))
    }
    return matches.pop() if len(matches) == 1 else ""


def _begins(short: str, word: str) -> bool:
    bare = short.rstrip(".")
    if not (short.endswith(".") and word.startswith(bare)):
        return bare == word
    return len(bare) > 1 or (_listed(word) or "").rstrip(".").lower() == bare


@lru_cache(maxsize=100_000)
def _words_of_name(name: str) -> tuple[str, ...]:
    return tuple(word for word in name.lower().replace(":", "").split() if word not in SMALL_WORDS)


def _both_names(original: Original) -> tuple[str, str]:
    """Return the full and the short journal name in an entry."""
    name = next(filter(None, map(original.value, _STAND_IN[original.format])), "")
    return _text(original, name), _text(original, original.value(_SHORT[original.format]))


def _renamed(item: Item, new_name: Callable[[str, str], str]) -> Item:
    original, paper = item.original, item.paper
    if original is None:
        venue = paper.type in ("article", "review") and paper.venue
        return item._replace(paper=replace(paper, venue=new_name(paper.venue, ""))) if venue else item
    if original.format != "pubmed" and kind_of_original(original, paper.type) not in _KINDS:
        return item
    bare = {name for kind, name in original.beside if kind == "bare"}
    _, short = _both_names(original)

    def fields(raw_fields: RawFields) -> RawFields:
        return tuple(
            (name, _value(original, new_name(text, short), value)
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
    """Return a value as plain text; "" if it is not text."""
    if original.format == "bibtex":
        return journal_of(decode(value))
    text: Any = json.loads(value) if original.format == "csl-json" and value else value
    return text if isinstance(text, str) else ""


def _value(original: Original, text: str, before: str) -> str:
    """Return `text` as a value in the entry's format; the old value `before` if the text is the same."""
    if text == _text(original, before):
        return before
    if original.format == "bibtex":
        return encode(text, ascii_only=before.isascii()).text
    return json.dumps(text, ensure_ascii=False) if original.format == "csl-json" else text
