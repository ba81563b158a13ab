"""Names of journals in imported entries and papers, abbreviated after ISO 4 or written out.

The words and their abbreviations are ISSN's list (LTWA), as the package bibiso4 has it. No rule writes a
name out: only names that are known already are found by their abbreviation.
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
from spar_tui.bibliography.gathering import Item
from spar_tui.bibliography.journal_macros import MACROS, journal_of
from spar_tui.bibliography.journal_titles import JOURNAL_TITLES
from spar_tui.bibliography.kinds import kind_of_original
from spar_tui.bibliography.latex import encode
from spar_tui.bibliography.options import JournalForm
from spar_tui.bibliography.reading.latex import decode

_STAND_IN = {
    "bibtex": ("journaltitle", "journal"), "ris": ("T2", "JF", "JO"), "csl-json": ("container-title",),
    "pubmed": ("JT",),
}  # fmt: skip
"""Where entries of each format name the journal."""
_SHORT = {"bibtex": "shortjournal", "ris": "J2", "csl-json": "container-title-short", "pubmed": "TA"}
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
    names = _written_out(venue_names, items) if form == "full" else {}
    missing = dict[str, None]()

    @cache
    def named(journal: str, short: str) -> str:
        if form == "abbreviated":
            return short if "." in short else abbreviated(journal)
        name = names.get(_key(journal), "")
        if not name and _is_short(journal) and not (name := _begun(journal, names.values())):
            missing[journal] = None
        return name or journal

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


def _written_out(venue_names: Iterable[str], items: Sequence[Item]) -> dict[str, str]:
    """The names by their abbreviations, without those that two names share; an entry that has both tells them first."""
    names, shared = dict[str, str](), set[str]()
    for name in (*JOURNALS, *JOURNAL_TITLES, *MACROS.values(), *venue_names):
        short = "" if _is_short(name) or " " not in name else _key(abbreviated(name))
        if short and _key(names.setdefault(short, name)) != _key(name):
            shared.add(short)
    told = {_key(short): name for item in items if item.original for name, short in [_both_names(item.original)]
            if short and name and not _is_short(name)}  # fmt: skip
    return {short: name for short, name in names.items() if short not in shared} | told


def _key(name: str) -> str:
    """What is compared of the names of journals, which come with an article and without."""
    return title_key(name).removeprefix("the ").replace(" ", "")


def _begun(short: str, names: Collection[str]) -> str:
    """The only one of `names` whose words begin as those of a short one do: `Trans. Amer. Math. Soc.`; "" for several
    and none. A single letter tells a word only if it is its abbreviation in the list."""
    words = _told_words(short)
    found = {name for name in names if len(full := _told_words(name)) == len(words) and all(map(_begins, words, full))}
    return found.pop() if len(found) == 1 else ""


def _begins(short: str, word: str) -> bool:
    bare = short.rstrip(".")
    if not (short.endswith(".") and word.startswith(bare)):
        return bare == word
    return len(bare) > 1 or (_listed(word) or "").rstrip(".").lower() == bare


@lru_cache(maxsize=100_000)
def _told_words(name: str) -> tuple[str, ...]:
    return tuple(word for word in name.lower().replace(":", "").split() if word not in SMALL_WORDS)


def _both_names(original: Original) -> tuple[str, str]:
    """The full and the short name of the journal that an entry tells."""
    name = next(filter(None, map(original.value, _STAND_IN[original.format])), "")
    return _text(original, name), _text(original, original.value(_SHORT[original.format]))


def _renamed(item: Item, named: Callable[[str, str], str]) -> Item:
    original, paper = item.original, item.paper
    if original is None:
        own = paper.type in ("article", "review") and paper.venue
        return item._replace(paper=replace(paper, venue=named(paper.venue, ""))) if own else item
    if original.format != "pubmed" and kind_of_original(original, paper.type) not in _KINDS:
        return item
    bare = {name for kind, name in original.beside if kind == "bare"}
    _, short = _both_names(original)

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
