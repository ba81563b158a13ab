"""Collect what a .bib file has besides its entries: comments, free text, preamble, sets, shared fields, abbreviations.

Each entry is stored with the related parts, to export them with it: the text before it, its sets, the `@xdata` entries
that it refers to, and the preamble that defines its commands.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from bibtexparser.model import Block, ExplicitComment, ImplicitComment, Preamble

from cache.originals import RawFields
from connectors.records.clean import harmless
from spar_tui.bibliography.reading.block_structure import shown
from spar_tui.bibliography.reading.syntax_problems import is_torn, string_in
from spar_tui.bibliography.reading.values import value_of

NO_WORK = frozenset("xdata set control ieeetranbstctl string preamble comment".split())
"""Types of entries that are not works."""
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_XDATA = re.compile(r"xdata\s*=\s*([^\s,{}]+)", re.IGNORECASE)
"""A field's reference to a field of an `@xdata` entry: its key, a hyphen, and the name of the field."""

_BRACE = re.compile(r"(?<!\\)[{}]")
_REST = re.compile(r"\A(?:(?![ \t]*%)[^\n]*\n)*?[ \t]*[)}],?[ \t]*$", re.MULTILINE)
"""The rest of a broken entry, up to the first line that only closes it. Comments and later text stay."""


class Spelled(NamedTuple):
    """An entry as written, with abbreviations expanded."""

    type: str
    key: str
    spelled: RawFields
    fields: Mapping[str, str]
    """The values by field name in lower case."""

    @property
    def text(self) -> str:
        """Return the entry with one line per field."""
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in self.spelled)
        return f"@{self.type}{{{self.key},\n{lines}}}"


def beside_entries(
    blocks: Sequence[Block], entries: Mapping[int, Spelled], strings: Mapping[str, str], used: Collection[str]
) -> dict[int, RawFields]:
    """Return the surrounding parts of each entry of a work, by the index of its block: pairs of `head`, `before`,
    `behind`, `preamble`, `set` or `xdata` with a text. `used` are abbreviations that were already expanded."""
    by_index = defaultdict[int, list[tuple[str, str]]](list)
    waiting: list[str] = []
    works = {index: entry for index, entry in entries.items() if entry.type.lower() not in NO_WORK}
    if not works or len(works) == len(blocks):
        return {}
    first, last = min(works), max(works)
    for index, block in enumerate(blocks):
        if index in works:
            by_index[index] += [("head" if index == first else "before", text) for text in waiting]
            waiting = []
        elif isinstance(block, ImplicitComment) and index and is_torn(blocks[index - 1], block):
            waiting += filter(None, [_behind(_raw(block)).strip()])
        else:
            waiting += _texts(block, entries.get(index), strings, used)
    by_index[last] += [("behind", text) for text in waiting]
    shared_entries = [entry for entry in entries.values() if entry.type.lower() in ("set", "xdata")]
    preambles = [
        _raw(block) if _is_one_part(text) else f"@preamble{{{{{harmless(value_of(text, strings))}}}}}"
        for block in blocks if isinstance(block, Preamble) for text in [shown(block.value).strip()]
    ]  # fmt: skip
    by_index[first] += [("preamble", text) for text in preambles]
    if defined := frozenset(_COMMAND.findall("\n".join(preambles))):
        for index, entry in works.items():
            latex = "\n".join(entry.fields.values())
            if "\\" in latex and not defined.isdisjoint(used_here := set(_COMMAND.findall(latex))):
                by_index[index] += [
                    ("preamble", text) for text in preambles if not used_here.isdisjoint(_COMMAND.findall(text))
                ]
    if shared_entries:
        shared = {key: entry for entry in shared_entries if entry.type.lower() == "xdata"
                  for key in (entry.key.casefold(), *_keys(entry.fields.get("ids", "")))}  # fmt: skip
        sets = [
            (_keys(entry.fields.get("entryset", "")), entry.text)
            for entry in shared_entries
            if entry.type.lower() == "set"
        ]
        members = frozenset(chain.from_iterable(keys for keys, _ in sets))
        for index, entry in works.items():
            own_keys = {entry.key.casefold(), *_keys(entry.fields.get("ids", ""))}
            if not own_keys.isdisjoint(members):
                by_index[index] += [("set", text) for keys, text in sets if not own_keys.isdisjoint(keys)]
            if shared and ("xdata" in entry.fields or "xdata" in "\n".join(entry.fields.values()).lower()):
                by_index[index] += [("xdata", spelled.text) for spelled in _referred_to(entry, shared)]
    return {index: tuple(dict.fromkeys(pairs)) for index, pairs in by_index.items() if pairs}


def _behind(text: str) -> str:
    """Return what follows the rest of a broken entry: all behind the last brace without a partner, or the first line
    that only closes."""
    depth = lowest = end = 0
    for mark in _BRACE.finditer(text):
        depth += 1 if mark[0] == "{" else -1
        if depth < lowest:
            lowest, end = depth, mark.end()
    return text[end:].lstrip(", \t") if end else _REST.sub("", text)


def _texts(block: Block, entry: Spelled | None, strings: Mapping[str, str], used: Collection[str]) -> Iterator[str]:
    """Yield the text of a block, to be exported before the entry that follows it."""
    if isinstance(block, ImplicitComment | ExplicitComment):
        yield _raw(block)
    elif entry and entry.type.lower() not in ("set", "xdata"):
        yield entry.text
    elif (string := string_in(block)) and string.key.lower() not in used:
        text = shown(string.value).strip()
        yield _raw(block) if _is_one_part(text) else f"@string{{{string.key} = {{{value_of(text, strings)}}}}}"


def _raw(block: Block) -> str:
    return harmless(shown(block.raw or "").strip())


def _is_one_part(value: str) -> bool:
    """Whether `value` is a single delimited text without abbreviations."""
    return value[:1] in ('"', "{") and value_of(value, {}) == value[1:-1]


def _keys(key_list: str) -> set[str]:
    return {key.strip().casefold() for key in key_list.split(",") if key.strip()}


def _referred_to(entry: Spelled, shared: Mapping[str, Spelled], limit: int = 50) -> list[Spelled]:
    """Return the `@xdata` entries that an entry refers to, directly or indirectly."""
    by_key, waiting = dict[str, Spelled](), [entry]
    while waiting and len(by_key) < limit:
        spelled = waiting.pop()
        keys = spelled.fields.get("xdata", "").split(",")
        for name in _XDATA.findall("\n".join(spelled.fields.values())):
            keys += [name.rsplit("-", times)[0] for times in (1, 2)]
        for key in (key.strip().casefold() for key in keys):
            if key in shared and key not in by_key:
                by_key[key] = shared[key]
                waiting.append(shared[key])
    return list(by_key.values())
