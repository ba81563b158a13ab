"""What stood beside imported entries in their .bib file, written around them again."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cache.originals import Original
from spar_tui.bibliography.bibtex import Capabilities
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.inert_tex import inert
from spar_tui.bibliography.verbatim import balanced

_ENTRY = re.compile(r"@\s*\w+\s*[{(]")
_KEY = re.compile(r"@\w+\{([^,\s]*),")
_ENTRYSET = re.compile(r"^  entryset = \{(.*)\},$", re.IGNORECASE | re.MULTILINE)
_ENCODING = re.compile(r"((?:en)?coding:\s*)(?!utf-?8\b)[\w.-]+", re.IGNORECASE)
_DEFINES = frozenset(
    rf"\{name}" for name in "newcommand renewcommand providecommand def gdef long ifx undefined".split()
)
"""What the commands of a preamble are defined with."""


class Frame(NamedTuple):
    """The text above all entries, before each entry (by its key), and below all; and what was left out, and why."""

    top: str
    before: dict[str, str]
    bottom: str
    left_out: list[str]


def frame_of(entries: Sequence[Entry], dialect: Capabilities, there: Collection[str] = (), old: str = "") -> Frame:
    """What comes back with the `entries`, each thing once. BibTeX gets no `@set` and no `@xdata`, which it does not
    know. A file to which they are added has the text `old`, which is not written again, and the keys `there`, in small
    letters.
    """
    old = " ".join(old.split())
    sets, left_out = list[str](), list[str]()
    for text, members in _sets(entries).items():
        wanted = _members(text) - {*there}
        if dialect == "biblatex" and wanted <= members:
            sets.append(text)
        else:
            why = "BibTeX knows no sets" if dialect == "bibtex" else f"{_listed(wanted - members)} is not written here"
            left_out.append(f"the set {_key(text)} is left out: {why}.")
    preambles = list[str]()
    for text in _once(entries, "preamble"):
        if unsafe := set(inert(text).commands) - _DEFINES:
            left_out.append(f"a preamble is left out, for it has unsafe TeX commands: {' '.join(sorted(unsafe))}")
        else:
            preambles.append(text)
    beside = dict.fromkeys(text for entry in entries if entry.original for kind, text in entry.original.beside
                           if kind != "preamble" and _ENTRY.search(text))  # fmt: skip
    if commands := sorted({command for text in beside for command in inert(text).commands}):
        left_out.append(
            f"what stands beside entries had unsafe TeX commands, now written as text: {' '.join(commands)}"
        )
    shared = dict[str, str]()
    for entry in entries if dialect == "biblatex" else ():
        if entry.original and (entry.with_parent or _by_field(entry.original)):
            for text in _beside(entry.original, "xdata"):
                shared.setdefault(_key(text).casefold(), text)
    top = [*_once(entries, "head"), *preambles, *shared.values(), *sets]
    before = {entry.key: _joined(_beside(entry.original, "before"), old) for entry in entries if entry.original}
    return Frame(_joined(top, old), before, _joined(_once(entries, "behind"), old), left_out)


def has_xdata(original: Original) -> bool:
    """Whether the shared fields that an entry refers to come along with it, as far as its file had them."""
    return any(True for _ in _beside(original, "xdata"))


def _beside(original: Original | None, kind: str) -> Iterator[str]:
    return (text for one, text in original.beside if one == kind) if original else iter(())


def _once(entries: Sequence[Entry], kind: str) -> list[str]:
    return list(dict.fromkeys(text for entry in entries for text in _beside(entry.original, kind)))


def _sets(entries: Sequence[Entry]) -> dict[str, set[str]]:
    """The sets, each with the names of the entries that are written here under their own key."""
    found = dict[str, set[str]]()
    for entry in entries:
        for text in _beside(entry.original, "set"):
            assert entry.original is not None
            own = entry.key == entry.original.key
            aliases = {key.strip().casefold() for key in entry.original.value("ids").split(",")}
            found.setdefault(text, set()).update({entry.key.casefold(), *aliases} if own else ())
    return found


def _members(text: str) -> set[str]:
    found = _ENTRYSET.search(text)
    return {key.strip().casefold() for key in found[1].split(",")} - {""} if found else set()


def with_members(text: str, named: Callable[[str], str]) -> str:
    """The text of a set whose members are `named` anew."""
    return _ENTRYSET.sub(lambda found: found[0].replace(found[1], named(found[1])), text)


def _listed(keys: Iterable[str]) -> str:
    return " and ".join(sorted(keys))


def _key(text: str) -> str:
    found = _KEY.match(text)
    return found[1] if found else ""


def _by_field(original: Original) -> bool:
    return any("xdata=" in value.replace(" ", "").lower() for _, value in original.fields)


def _joined(texts: Iterable[str], old: str) -> str:
    """The texts that are not in `old`, with a blank line behind each."""
    return "".join(f"{text}\n\n" for text in map(_given_back, texts) if " ".join(text.split()) not in old)


def _given_back(text: str) -> str:
    """`text` as it may stand in the file: it names the encoding that it has now, what BibTeX reads as an entry in it
    does nothing but typeset, and braces that other readers count differently end nothing too late."""
    if not text.startswith("@"):
        text = _ENCODING.sub(r"\1UTF-8", text)
    if _ENTRY.search(text) and not text.lower().startswith("@preamble"):
        text = inert(text).text
    return text if balanced(text) or not text.startswith("@") else text[1:]
