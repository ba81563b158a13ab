"""Make citation keys from a pattern, and make them unique."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count, product
from string import ascii_lowercase

from cache import citation_keys
from cache.papers import numbers_of
from cache.store import Store
from connectors.paper import UNNAMED, Paper
from connectors.records.build import UNTITLED
from spar_tui.bibliography.markup import plain, words
from spar_tui.bibliography.names import name_of
from spar_tui.bibliography.unfit_keys import unfit_key
from spar_tui.errors import UsageError

PRESETS: Mapping[str, str] = {
    "better-bibtex": "{author}{Words3}{year}",
    "scholar": "{author}{year}{word}",
    "jabref": "{Author}{year}",
}
"""`vaswaniAttentionAllYou2017`, `vaswani2017attention`, `Vaswani2017`."""
DEFAULT_PRESET = "better-bibtex"
LONGEST = 100

_STOP_WORDS = frozenset(
    "a an and are as at be by for from in into is it its of on or over than the to towards via with"
    " der die das ein eine et la le les el los las un une und".split()
)
_FIELD = re.compile(r"\{([A-Za-z]+?)([1-9]?)\}")
_ALLOWED = re.compile(r"[A-Za-z0-9:._+/-]*")
_TEX = re.compile(r"\\[A-Za-z]+|[\\${}^_]")
_ABBREVIATION = re.compile(r"\(([A-Z][A-Za-z]{1,9})\)\s*$")


def key_pattern(text: str) -> str:
    """Return the pattern that `text` is or names. Raises `UsageError`.

    A pattern consists of `{author}`, `{Author}`, `{year}`, `{yy}`, `{word}`, `{Word}`, `{words3}`, `{Words3}` and
    characters that are allowed in keys.
    """
    pattern = PRESETS.get(text, text)
    fields = _FIELD.findall(pattern)
    unknown_fields = [
        f"{{{name}{number}}}" for name, number in fields if name not in _FIELDS or (number and "ords" not in name)
    ]
    if unknown_fields:
        raise UsageError(f"--keys {text!r}: unknown field {unknown_fields[0]}; choose from {', '.join(_KNOWN)}.")
    if not fields or not _ALLOWED.fullmatch(_FIELD.sub("", pattern)):
        raise UsageError(
            f"--keys {text!r} is not a pattern; use {', '.join(PRESETS)}, or fields such as {{author}}{{year}} "
            "with letters, digits and : . _ + - / between them."
        )
    return pattern


def base_key(paper: Paper, pattern: str) -> str:
    """Return the key of `paper` by a pattern of `key_pattern`, ignoring other papers.

    Unknown parts are left out. A paper without an author or title in ASCII gets its id.
    """
    author, title = _author(paper), _title_words(paper)
    key = _FIELD.sub(lambda match: _FIELDS[match[1]](paper, author, title, int(match[2] or 3)), pattern)
    key = key.strip(":._+-/")[:LONGEST].rstrip(":._+-/")
    if not author and not title:
        key = "".join(words(paper.id))[:LONGEST] or "untitled"
    return key if key[:1].isalpha() else f"p{key}"


_FIELDS: Mapping[str, Callable[[Paper, str, list[str], int], str]] = {
    "author": lambda paper, author, title, number: author.lower(),
    "Author": lambda paper, author, title, number: author[:1].upper() + author[1:],
    "year": lambda paper, author, title, number: str(paper.year or ""),
    "yy": lambda paper, author, title, number: f"{abs(paper.year) % 100:02}" if paper.year else "",
    "word": lambda paper, author, title, number: "".join(title[:1]).lower(),
    "Word": lambda paper, author, title, number: _camel(title[:1]),
    "words": lambda paper, author, title, number: "".join(title[:number]).lower(),
    "Words": lambda paper, author, title, number: _camel(title[:number]),
}
_KNOWN = [f"{{{name}{'3' if 'ords' in name else ''}}}" for name in _FIELDS]


def _camel(title: list[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in title)


def _author(paper: Paper) -> str:
    """Return the family name of the first author, or editor, joined with its particles; for a group, its abbreviation
    or first word."""
    people = paper.authors or paper.imprint.editors
    if not people:
        return ""
    name = name_of(people[0])
    if not name.literal:
        return "".join(words(name.surname)) or _id_part(paper)
    if abbreviation := _ABBREVIATION.search(name.literal):
        return abbreviation[1]
    name_words = words(name.literal)
    telling = [word for word in name_words if word.lower() not in _STOP_WORDS] or name_words
    return telling[0] if telling else _id_part(paper)


def _id_part(paper: Paper) -> str:
    """Return a replacement for a name without ASCII letters."""
    return "" if paper.id.startswith(UNNAMED) else "".join(words(paper.id))[:40]


def _title_words(paper: Paper) -> list[str]:
    if paper.title == UNTITLED:
        return []
    title_words = words(_TEX.sub(" ", plain(paper.title)))
    shouted = len(title_words) > 3 and all(word == word.upper() for word in title_words)
    telling = [word for word in title_words if word.lower() not in _STOP_WORDS] or title_words
    return [word.lower() for word in telling] if shouted else telling


def unused_key(base: str, reserved: Collection[str], *, first: bool = True) -> str:
    """Return `base` if neither it nor a suffixed form is taken, else `base` with the next free of a, b, … z, aa, ab, ….

    `reserved` are casefolded: BibTeX rejects two keys that differ only in case. Without `first`, always add a suffix.
    """
    folded = base.casefold()
    if first and folded not in reserved and f"{folded}a" not in reserved:
        return base
    suffixes = ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))
    return next(key for suffix in suffixes if (key := base + suffix).casefold() not in reserved)


def made_by_preset(key: str, paper: Paper) -> bool:
    """Whether spar would make `key` for the paper, so that no person chose it."""
    patterns = (re.escape(base_key(paper, pattern)) for pattern in PRESETS.values())
    return any(re.fullmatch(f"{base}[a-z]{{0,2}}", key) for base in patterns)


def new_keys(papers: Mapping[int, Paper], pattern: str, reserved: Iterable[str]) -> dict[int, str]:
    """Return keys for `papers` (by number) without one; other papers have the keys `reserved`.

    Papers with the same base key get a, b, c in the order of year, DOI and id, so that the order in which they were
    found does not matter; a later paper gets the next letter.
    """
    used = {key.casefold() for key in reserved}
    groups: dict[str, list[int]] = defaultdict(list)
    bases = {number: base_key(paper, pattern) for number, paper in papers.items()}

    def order(number: int) -> tuple[int, str, str, str, int]:
        paper = papers[number]
        return paper.year or 0, paper.identifier("doi") or "", paper.id, paper.title, number

    for number in sorted(papers, key=order):
        groups[bases[number].casefold()].append(number)
    by_number: dict[int, str] = {}
    for folded in sorted(groups):
        for number in groups[folded]:
            key = unused_key(bases[number], used, first=len(groups[folded]) == 1)
            used.add(key.casefold())
            by_number[number] = key
    return by_number


def keys_for(store: Store, papers: Mapping[int, Paper], pattern: str, reserved: Collection[str] = ()) -> dict[int, str]:
    """Return the key of each paper, by number; missing keys are made by `pattern` and stored. New keys avoid
    `reserved`, which are casefolded. Raises `CacheError`.
    """
    with store.writing():
        present_keys = citation_keys.keys_of(store, papers.keys())
        papers_without_key = {number: paper for number, paper in papers.items() if number not in present_keys}
        created_keys = new_keys(papers_without_key, pattern, citation_keys.taken(store) | frozenset(reserved))
        # Keys with the same base are chosen together, so taken ones are already excluded.
        issued = {number: (lambda taken, key=key: key) for number, key in created_keys.items()}
        return {**present_keys, **citation_keys.issue(store, issued)}


def known_keys(store: Store, papers: Sequence[Paper]) -> list[str | None]:
    """Return the stored key of each paper, or None. Raises `CacheError`."""
    numbers = numbers_of(store, papers)
    keys = citation_keys.keys_of(store, {number for number in numbers if number is not None})
    return [keys.get(number) if number is not None else None for number in numbers]


def adopt(store: Store, present: Mapping[int, str]) -> None:
    """Give papers without a key the key from a person's file, if it is valid."""
    with store.writing():
        present_keys = citation_keys.keys_of(store, present.keys())
        for number, key in present.items():
            if number not in present_keys and not unfit_key(key):
                citation_keys.keep(store, number, key)
