"""Read BibTeX and BibLaTeX files: from Zotero, JabRef, Mendeley and Google Scholar, or kept by hand."""

import logging
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from bibtexparser.library import Library
from bibtexparser.model import Entry

from cache.originals import Original, RawFields
from connectors.paper import Paper
from connectors.records.build import MONTHS
from connectors.records.clean import harmless
from spar_tui.bibliography.braces import closing_braces, split
from spar_tui.bibliography.field_table import TITLE_PARTS
from spar_tui.bibliography.kinds import kind_in_bib
from spar_tui.bibliography.reading.beside import NO_WORK, Spelled, beside_entries
from spar_tui.bibliography.reading.bib_item import REMARKS, aliases_in, raw_entry
from spar_tui.bibliography.reading.block_structure import shown, without_inner_blocks
from spar_tui.bibliography.reading.entries import RawEntry, found_of
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.quick_splitter import QuickSplitter
from spar_tui.bibliography.reading.syntax_problems import entry_in, problems_of, string_in
from spar_tui.bibliography.reading.values import FIELD_CAP, names_in, parts, value_of
from spar_tui.bibliography.verbatim import FIELD_NAME

# The parser logs in its own words to standard error what is reported here with line and reason.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL + 1)

_INHERITED = (
    "author", "booktitle", "editor", "year", "date", "month", "publisher", "journal", "journaltitle", "series",
    "address", "location", "isbn", "issn", "volume", "organization", "edition", "number", "eventdate", "venue",
    *(name for title in ("maintitle", "eventtitle") for name in (title, *TITLE_PARTS[title]) if name),
)  # fmt: skip
_OWN = frozenset("ids crossref xref related entryset".split())
"""Fields that no entry inherits."""
_ABBREVIATIONS = {month: month for month in MONTHS}

MOST_SIGNS = 12_000_000
"""Maximum number of special characters in a BibTeX file: twice as many as in the largest possible bibliography."""
_SIGNS = "{}\",=\n\\~$'`"
MOST_PARENTS = 50
"""Maximum number of entries from which one entry inherits."""
MOST_CHARACTERS = 80_000_000
"""Maximum number of characters in all fields after expansion: every entry could use one long abbreviation."""

Fields = Mapping[str, str]
"""An entry's values by field name in lower case; LaTeX without outer quotes or braces."""


def read_bibtex(text: str) -> FileEntries:
    """Return the entries of a .bib file. Errors are reported with their line, and reading continues after them.

    Raises `ValueError` for a text that is not a bibliography and would take minutes to read.
    """
    if sum(map(text.count, _SIGNS)) > MOST_SIGNS:
        raise ValueError(f"it has more than {MOST_SIGNS:,} braces, commas, quotation marks and the like; split it")
    blocks, problems = _split(text)
    problems += [*_keys_alike(blocks), *(_with_entities(blocks) if "&" in text else ())]
    return found_of(_raw_entries(blocks, refers=_may_refer(text)), problems)


class _Block(NamedTuple):
    """An entry as written, with abbreviations expanded."""

    line: int
    type: str
    key: str
    spelled: RawFields
    fields: Fields
    beside: RawFields


def paper_of_entry(text: str) -> Paper | None:
    """Return the paper of a text with one entry and its `@string`s, None if it cannot be read."""
    return next((entry.paper for entry in read_bibtex(text).entries), None)


def _split(text: str) -> tuple[list[_Block], list[Problem]]:
    """Parse the text into entries, without keeping the parser's many objects, and problems."""
    text = without_inner_blocks(text)
    spell = partial(_spelled, clean=str.strip if harmless(text) == text else lambda value: harmless(value.strip()))
    if _UNUSUAL.search(text):
        text = _ALIKE.sub(rf"\1{_OTHER}\2\3", _APART.sub(r"\1\2\4\3", text))
    library = QuickSplitter(text).split()
    lines, entries, bare = dict[int, int](), dict[int, Spelled](), dict[int, RawFields]()
    used, problems = dict[str, _Use | None](), list[Problem]()
    strings = ChainMap(_ABBREVIATIONS)
    for index, entry, strings in _with_strings(library, used):
        entries[index], bare[index] = spell(entry, strings, used)
        lines[index] = (entry.start_line or 0) + 1
        if not entry.entry_type:
            problems.append(Problem(lines[index], entry.key, "it has no type, so it is read as @misc", taken=True))
        for field in (field for field in entry.fields if "=" in str(field.value)):
            name, raw, line, at = _own_name(field.key), str(field.value), (field.start_line or 0) + 1, 0
            for end, text_after in _ends(raw):
                line, at = line + raw.count("\n", at, end), end
                reason = f"a comma is missing after its {name}; BibTeX stops there"
                problems.append(Problem(line, entry.key, reason, taken=True))
                name = text_after[1]
        for field in (field for field in entry.fields if _has_inner_quotes(str(field.value))):
            reason = f"a quotation mark inside its {_own_name(field.key)} needs braces around it; BibTeX stops there"
            problems.append(Problem((field.start_line or 0) + 1, entry.key, reason, taken=True))
        if cut := [name for name, value in entries[index].fields.items() if len(value) == FIELD_CAP]:
            reason = f"its {', '.join(cut[:5])} is cut after {FIELD_CAP:,} characters; its abbreviations are longer"
            problems.append(Problem(lines[index], entry.key, reason, taken=True))
    _add_used_by_others(library, used)
    further_entries = beside_entries(library.blocks, entries, strings, used)
    blocks = [
        _Block(lines[index], *entry, (*further_entries.get(index, ()), *bare[index]))
        for index, entry in entries.items()
    ]
    return blocks, [*problems_of(library), *problems, *_undefined(used)]


def _raw_entries(blocks: Sequence[_Block], *, refers: bool) -> Iterator[RawEntry]:
    """Yield the entries with their inherited fields; of entries with the same key, only the first keeps it. Set
    `refers` if values may refer to fields of `@xdata` entries."""
    by_key = {alias.casefold(): block for block in blocks for alias in aliases_in(block.fields) if alias}
    by_key |= {block.key.casefold(): block for block in blocks if block.key}
    characters = 0
    seen = set[str]()
    for block in blocks:
        if block.type.lower() in NO_WORK:
            continue
        fields = block.fields
        is_independent = fields.keys().isdisjoint(_REFERS) and not (refers and any(map(_may_refer, fields.values())))
        all_fields = fields if is_independent else _with_parents(block, by_key)
        characters += sum(map(len, all_fields.values())) + sum(len(text) for _, text in block.beside)
        if characters > MOST_CHARACTERS:
            raise ValueError(f"it has more than {MOST_CHARACTERS:,} characters with the inherited fields; split it")
        inherited = (
            () if all_fields is fields else tuple(field for field in all_fields.items() if field not in fields.items())
        )
        original = Original("bibtex", block.type, harmless(block.key.strip()), block.spelled, inherited, block.beside)
        raw = raw_entry(original, block.line)
        raw.faults += _wrong_braces(block)
        if unfit := [name for name, _ in block.spelled if not _is_field_name(name)]:
            names = ", ".join(name or "an empty name" for name in unfit[:5])
            raw.faults.append(f"BibTeX cannot read these field names, so exports leave them out: {names}")
        if not is_independent and (references := _references(fields)):
            raw.faults += _unfit_references(block, all_fields, references, by_key)
        raw.key = "" if raw.key in seen else raw.key
        seen.add(original.key)
        yield raw


_is_field_name = lru_cache(maxsize=1_000)(FIELD_NAME.fullmatch)
_APART = re.compile(r"^([ \t]*@)(?=[ \t]|\w+[ \t]*\n)[ \t]*(\w+)(\s*)([{(])", re.MULTILINE)
"""The start of an entry that the parser does not recognize: blanks after the @, or the brace on another line."""


_OTHER = "apart_"
_ALIKE = re.compile(r"^([ \t]*@)((?:comment|string|preamble)\w+)(\s*[{(])", re.MULTILINE | re.IGNORECASE)
"""Types such as `@commentary` that the parser mistakes for their prefix; the prefix `apart_` prevents that."""
_UNUSUAL = re.compile(r"@(?:[ \t]|\w+[ \t]*\n|(?i:comment|string|preamble)\w)")
"""A quick check for both."""


_Use = tuple[int, str, str]
"""The line and the entry in which an abbreviation is used that BibTeX does not know there, and the reason."""
_UNDEFINED = ("the file does not define these abbreviations (a style may)",
              "BibTeX does not know these abbreviations yet; put the definitions first")  # fmt: skip


def _with_strings(library: Library, used: dict[str, _Use | None]) -> Iterator[tuple[int, Entry, ChainMap[str, str]]]:
    """Yield the index of each entry's block, the entry, and the abbreviations defined there: by the last definition
    before it, else by a later one. Adds to `used` what definitions use before its own definition."""
    later: dict[str, str] = {}
    before = dict(_ABBREVIATIONS)
    for block in library.blocks:
        if string := string_in(block):  # as in BibTeX, an abbreviation is empty in its own definition
            own = {string.key.lower(): ""}
            later.setdefault(string.key.lower(), value_of(shown(string.value), ChainMap(later, before, own)))
    for index, block in enumerate(library.blocks):
        if string := string_in(block):
            for name in names_in(shown(string.value)):
                if name not in before:
                    use = ((string.start_line or 0) + 1, string.key, _UNDEFINED[name in later])
                    used[name] = used.get(name) or use
            own = {string.key.lower(): ""}
            before[string.key.lower()] = value_of(shown(string.value), ChainMap(before, own))
        elif entry := entry_in(block):
            yield index, entry, ChainMap(before, later)


def _add_used_by_others(library: Library, used: dict[str, _Use | None]) -> None:
    """Add to `used` the abbreviations in the definitions of used ones."""
    strings = (string for block in library.blocks if (string := string_in(block)))
    names_by_string = {string.key.lower(): [*names_in(shown(string.value))] for string in strings}
    waiting = [*used]
    while waiting:
        new = [name for name in names_by_string.get(waiting.pop(), ()) if name not in used]
        used.update(dict.fromkeys(new))
        waiting += new


def _spelled(
    entry: Entry, strings: ChainMap[str, str], used: dict[str, _Use | None], clean: Callable[[str], str]
) -> tuple[Spelled, RawFields]:
    """Return the entry with its nonempty fields (the first of repeated ones), and its fields with an undefined
    abbreviation. Adds all abbreviations in it to `used`, with the field that uses one before its definition."""
    spelled, fields, bare = list[tuple[str, str]](), dict[str, str](), list[tuple[str, str]]()
    for field in entry.fields:
        for key, raw in _written(field.key, shown(str(field.value))):
            name, quoted = key.lower(), raw[:1] in '{"' and "#" not in raw  # as most values are
            names = [] if quoted else list(names_in(raw))
            for abbreviation in names:
                use = ((field.start_line or 0) + 1, entry.key, _UNDEFINED[abbreviation in strings])
                used[abbreviation] = used.get(abbreviation) or (use if abbreviation not in strings.maps[0] else None)
            plain = quoted and len(raw) > 1 and raw[0] + raw[-1] in ("{}", '""')
            whole = raw[1:-1] if plain else value_of(raw, strings)
            if name not in fields and (value := clean(whole)):
                fields[name] = value
                spelled.append((key, value))
                if names == [value.lower()] and value.lower() not in strings:
                    bare.append(("bare", key))
    return Spelled(entry.entry_type.removeprefix(_OTHER) or "misc", entry.key, tuple(spelled), fields), tuple(bare)


_MAY_FOLLOW = re.compile(r"(?:[}\"]\s*|^\s*\w+\s+)[\w:.+-]+\s*=")
_FIELD_BEHIND = re.compile(r"\s*([\w:.+-]+)\s*=\s*")
_PART = re.compile(r"\s*+(?:(\{)|\"(?>(?:[^\"{}]|\{[^{}]*\})*)\"|[^\s{}\"#=,]++)")
_JOINT = re.compile(r"\s*+#")


def _ends(raw: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the end of each value that a field follows without a comma, and the match of that field's start."""
    if not _MAY_FOLLOW.search(raw):
        return
    at, closing = 0, closing_braces(raw)
    while part := _PART.match(raw, at):
        at = closing.get(part.start(1), -1) + 1 if part[1] else part.end()
        if joint := _JOINT.match(raw, at):
            at = joint.end()
        elif at and (field_after := _FIELD_BEHIND.match(raw, at)):
            yield at, field_after
            at = field_after.end()
        else:
            return


def _has_inner_quotes(raw: str) -> bool:
    """Whether a part of a value in quotation marks has such marks inside, outside braces, which end it for BibTeX."""
    if raw.count('"') < 3 or any(_ends(raw)):
        return False
    return any(part.strip()[:1] == '"' and len(split(part, '"')) > 3 for part in parts(raw))


def _own_name(name: str) -> str:
    """Return the name of a field without the comments on the lines before it."""
    return name.rpartition("\n")[2].strip()


def _written(name: str, raw: str) -> Sequence[tuple[str, str]]:
    """Return the name and value of a field, and further fields in it if a comma is missing."""
    name = name if name.isalpha() else _own_name(name)
    if "=" not in raw:
        return ((name, raw),)
    fields, at = list[tuple[str, str]](), 0
    for end, text_after in _ends(raw):
        fields.append((name, raw[at:end]))
        name, at = text_after[1], text_after.end()
    return (*fields, (name, raw[at:]))


def _with_parents(block: _Block, by_key: Mapping[str, _Block], used_keys: set[str] | None = None) -> Fields:
    """Add the fields inherited through `xdata` and `crossref`, also from parents of parents, and replace references to
    single fields (`publisher = {xdata=KEY-publisher}`).

    A parent is used once only; `used_keys` collects their keys. One whose parent is the entry itself is not used.
    """
    used_keys, fields = set() if used_keys is None else used_keys, block.fields
    inherited: Fields = {}
    for shared in _parents(block, "xdata", by_key, used_keys):
        inherited = {**_with_parents(shared, by_key, used_keys), **inherited}
    for parent in _parents(block, "crossref", by_key, used_keys):
        parent_fields = _with_parents(parent, by_key, used_keys)
        inherited = {**_handed_down(parent, parent_fields, block), **inherited}
    replaced = {name: _REFERENCE.sub(lambda match: _referred(match, by_key), value)
                for name, value in fields.items() if _may_refer(value) and _REFERENCE.search(value)}  # fmt: skip
    return {**inherited, **fields, **replaced} if inherited or replaced else fields


def _handed_down(parent: _Block, parent_fields: Fields, child: _Block) -> Fields:
    """Return what a `parent` with the fields `parent_fields` hands down: as in BibLaTeX, its title is that of the
    book, of the journal, or of a work in several volumes. Software hands everything to its versions and modules."""
    if kind_in_bib(parent.type) == kind_in_bib(child.type) == "software":
        return {name: value for name, value in parent_fields.items() if name not in _OWN}
    shared = {name: parent_fields[name] for name in _INHERITED if name in parent_fields}
    fields, kind = parent.fields, parent.type.lower()
    holder = "maintitle" if kind.startswith("mv") else "journaltitle" if kind == "periodical" else "booktitle"
    if "title" in fields and holder not in fields:
        titles = {"title": holder, **dict(zip(TITLE_PARTS["title"], TITLE_PARTS[holder], strict=True))}
        shared |= {titles[name]: fields[name] for name in titles if name in fields}
    author = parent_fields.get("author", "")
    if author and kind in ("book", "mvbook") and child.fields.get("author", author) != author:
        shared["bookauthor"] = author
    return shared


_REFERENCE = re.compile(r"(?<![^\s{])xdata\s*=\s*([^\s,{}]+)-([A-Za-z]+)(?:-(\d{1,3}))?(?=\s|$|\})", re.IGNORECASE)


def _may_refer(value: str) -> bool:
    """Whether a value may refer to a field of an `@xdata` entry."""
    return "=" in value and "xdata" in value.lower()


def _referred(match: re.Match[str], by_key: Mapping[str, _Block], visited_names: tuple[str, ...] = ()) -> str:
    """Return the field, or the item of its list, that a reference names, also through further references. Return the
    reference itself if there is no such field, or if it leads back to one of `visited_names`."""
    block, name = by_key.get(match[1].casefold()), match[0].casefold()
    if block is None or name in visited_names or len(visited_names) >= MOST_PARENTS:
        return match[0]
    holders = [block, *(by_key[key] for key in _reached(block, by_key, ("xdata",)))]
    value = next(filter(None, (holder.fields.get(match[2].lower(), "") for holder in holders)), "")
    items = split(value, r"\s+and\s+") if match[3] else [value]
    item = next(iter(items[int(match[3] or 1) - 1 :]), "") or match[0]
    return _REFERENCE.sub(lambda inner: _referred(inner, by_key, (*visited_names, name)), item) if "=" in item else item


def _references(fields: Fields) -> list[str]:
    """Return the keys of the entries from which one with these `fields` inherits all fields or single ones."""
    keys = [key for name in _REFERS for key in fields.get(name, "").split(",")]
    keys += [match[1] for value in fields.values() if _may_refer(value) for match in _REFERENCE.finditer(value)]
    return [key for key in map(str.strip, keys) if key]


_REFERS = ("xdata", "crossref")
"""Fields that name entries to inherit from; `crossref` names one."""


def _reached(block: _Block, by_key: Mapping[str, _Block], names: Sequence[str] = _REFERS) -> dict[str, str]:
    """Return the keys of all entries from which one inherits through fields with these `names`, each with the key of
    the entry that refers to it."""
    reached, waiting = dict[str, str](), [block]
    while waiting and len(reached) < MOST_PARENTS:
        child = waiting.pop()
        keys = [key.strip().casefold() for name in names for key in child.fields.get(name, "").split(",")]
        for parent in (by_key[key] for key in keys if key in by_key):
            if parent.key and parent.key.casefold() not in reached:  # not the alias by which it is named
                reached[parent.key.casefold()] = child.key
                waiting.append(parent)
    return reached


def _circle(block: _Block, by_key: Mapping[str, _Block]) -> list[str]:
    """Return the keys from an entry through those from which it inherits back to itself; [] if it does not."""
    reached = _reached(block, by_key)
    path = [child for key, child in reached.items() if by_key[key] is block][:1]
    while path and path[0].casefold() != block.key.casefold():
        path.insert(0, reached[path[0].casefold()])
    return [*path, block.key] if path else []


def _unfit_references(
    block: _Block, all_fields: Fields, references: Sequence[str], by_key: Mapping[str, _Block]
) -> Iterator[str]:
    """Yield a sentence for references to entries or fields that do not exist, and for those in a circle."""
    shared = [by_key[key] for key in _reached(block, by_key) if by_key[key].type.lower() in NO_WORK]
    keys = (*references, *(key for data in shared for key in _references(data.fields)))
    if missing_keys := [key for key in dict.fromkeys(keys) if key.casefold() not in by_key]:
        yield f"it inherits from {', '.join(missing_keys[:5])}, which this file does not have"
    spelled = {key: by_key[key.casefold()] for key in dict.fromkeys(keys) if key.casefold() in by_key}
    for key, parent in spelled.items():
        if key not in (parent.key, *aliases_in(parent.fields)):
            yield f"biber does not find the entry {key} that it names: that key is spelled {parent.key}"
    circles = map(partial(_circle, by_key=by_key), (block, *shared))
    if circle := next(filter(None, circles), ()):
        yield f"biber refuses this circle of inheritance: {' → '.join(circle)}"
    for name, value in all_fields.items():
        matches = map(_REFERENCE.fullmatch, map(str.strip, split(value, r"\s+and\s+"))) if "=" in value else ()
        if unresolved := [match[0] for match in matches if match and match[1].casefold() in by_key]:
            yield f"its {name} refers to a field that is missing or refers back to it: {unresolved[0]}"


_ENTRY_INSIDE = re.compile(r"^[ \t]*@\w+[ \t]*[{(][ \t]*([^\s,{}()]{1,100})[ \t]*,[^@]*?=", re.MULTILINE)


def _wrong_braces(block: _Block) -> Iterator[str]:
    """Report fields with unbalanced braces, which quotation marks or backslashes allow, and fields (not prose) with
    other entries inside: a missing brace was closed by a later one."""
    for name, value in block.spelled:
        braced = "{" in value or "}" in value
        if braced and (value.count("{") != value.count("}") or value.find("}") < value.find("{")):
            yield f"BibTeX cannot read its {name}: one of its braces is never closed or never opened"
        inside = _ENTRY_INSIDE.findall(value) if "@" in value and name.lower() not in ("abstract", *REMARKS) else []
        if inside:
            keys = ", ".join(inside[:5]) + (" …" if len(inside) > 5 else "")
            yield f"its {name} seems to contain other entries ({keys}); a brace may be missing"


def _keys_alike(blocks: Iterable[_Block]) -> Iterator[Problem]:
    """Report keys that differ from an earlier one only in case."""
    first: dict[str, str] = {}
    for block in blocks:
        if first.setdefault(block.key.casefold(), block.key) != block.key:
            reason = f"BibTeX confuses its key with {first[block.key.casefold()]}, which differs only in case"
            yield Problem(block.line, block.key, reason, taken=True, of_key=True)


def _with_entities(blocks: Iterable[_Block]) -> Iterator[Problem]:
    """Report HTML entities, once for the file; TeX prints their letters."""
    values = ((block, value) for block in blocks for _, value in block.spelled if "&" in value)
    entities = [(block, match[0]) for block, value in values if (match := _ENTITY.search(value))]
    for block, entity in entities[:1]:
        more_text = f" (and {len(entities) - 1:,} more fields)" if entities[1:] else ""
        reason = f"HTML entities such as {entity} are read as characters; TeX prints them as they are{more_text}"
        yield Problem(block.line, block.key, reason, taken=True)


_ENTITY = re.compile(r"(?<!\\)&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|(?!amp;)[A-Za-z][A-Za-z0-9]{1,30});")


def _undefined(used: Mapping[str, _Use | None]) -> Iterator[Problem]:
    """Report abbreviations that the file does not define, or defines only later, each once, at the first use."""
    for reason in _UNDEFINED:
        names = {name: use for name, use in used.items() if use and use[2] == reason}
        name_list = ", ".join([*names][:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        for line, key, _ in [*names.values()][:1]:
            yield Problem(line, key, f"{reason}: {name_list}", taken=True)


def _parents(block: _Block, name: str, by_key: Mapping[str, _Block], used_keys: set[str]) -> Iterator[_Block]:
    for key in (key.strip().casefold() for key in block.fields.get(name, "").split(",")):
        if key in by_key and key not in used_keys and len(used_keys) < MOST_PARENTS:
            used_keys.add(key)
            if name == "xdata" or block.key.casefold() not in (key, *_reached(by_key[key], by_key, ("crossref",))):
                yield by_key[key]
