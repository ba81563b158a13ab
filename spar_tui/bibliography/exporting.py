"""Write papers of the library as a bibliography, to a file or to standard output."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from cache import citation_keys, reading_history
from cache import shelf as shelves
from cache.originals import Original, RawFields
from cache.papers import venues
from cache.shelf import Shelved
from cache.store import Store
from cache.timestamps import utc_now
from connectors.paper import Paper
from spar_tui.bibliography.append import Appended, appended, read_target, there_already
from spar_tui.bibliography.bibtex import Capabilities, frame_of, repaired, unprinted, with_members, without_sets
from spar_tui.bibliography.citation_key import DEFAULT_PRESET, PRESETS, adopt, new_keys
from spar_tui.bibliography.corrected_fields import STANDS_IN
from spar_tui.bibliography.entry import Entry, Format
from spar_tui.bibliography.formats import Writing, keeps_all_lines, named_entries, remarks, written
from spar_tui.bibliography.gathering import SAME, Item, entry_for, items_of, under_cited_keys, with_parents
from spar_tui.bibliography.joined_entries import one_record_each
from spar_tui.bibliography.journal_names import with_journals
from spar_tui.bibliography.more_fields import nameless_in_bib
from spar_tui.bibliography.options import ExportOptions
from spar_tui.bibliography.pandoc import docx, need_pandoc
from spar_tui.bibliography.reading.entries import is_number_in_file
from spar_tui.bibliography.styles import reference_list
from spar_tui.bibliography.unfit_keys import unfit_key
from spar_tui.bibliography.verbatim import has_names_beyond_ascii, in_biblatex
from spar_tui.errors import Failure, Interrupted, UsageError
from spar_tui.files import locked, read_old, replace_file
from spar_tui.math_text import formulas_as_text

_NAMES_KEYS = frozenset(("crossref", "xref", "related"))
"""BibTeX and BibLaTeX fields whose values are keys of entries."""


def rekeyed(items: Sequence[Item], pattern: str, reserved: Collection[str]) -> list[Item]:
    """Return the items with keys made by `pattern` and not in `reserved`, with references between entries updated."""
    keys = new_keys({index: item.paper for index, item in enumerate(items)}, pattern, reserved)
    own = {item.original.key: keys[index] for index, item in enumerate(items) if item.original}
    own |= {item.key: keys[index] for index, item in enumerate(items)}
    new = {key.casefold(): new_key for key, new_key in own.items()} | own
    return [
        item._replace(key=key, original=_renamed(item.original, key, new) if item.original else None)
        for item, key in ((item, keys[index]) for index, item in enumerate(items))
    ]


def _own_key(item: Item) -> str:
    """Return the key that the item's file gives it if that key cannot be cited, else the key of the item."""
    own = item.original.key if item.original else ""
    return own if item.original and own and (unfit_key(own) or is_number_in_file(item.original)) else item.key


def _renamed(original: Original, key: str, new: dict[str, str]) -> Original:
    def named(keys: str) -> str:
        return re.sub(r"[^\s,]+", lambda key: new.get(key[0], new.get(key[0].casefold(), key[0])), keys)

    def fields(raw_fields: RawFields) -> RawFields:
        return tuple((name, named(value) if name.lower() in _NAMES_KEYS else value) for name, value in raw_fields)

    texts = tuple((kind, with_members(text, named) if kind == "set" else text) for kind, text in original.beside)
    return replace(
        original, key=key, fields=fields(original.fields), inherited=fields(original.inherited), beside=texts
    )


def without_abstracts(items: Iterable[Item]) -> list[Item]:
    """Return the items without the abstracts of imported entries."""

    def bare(original: Original) -> Original:
        names = STANDS_IN.get(original.format, {}).get("abstract", ())
        return replace(
            original, fields=tuple(field for field in original.fields if not {field[0], field[0].lower()} & {*names})
        )

    return [item._replace(original=bare(item.original)) if item.original else item for item in items]


_BOM = "\ufeff"
_NAMED = 5


@dataclass(slots=True)
class Exported:
    """Result of an export: the bytes for standard output (empty if a file was written), and sentences about it."""

    data: bytes = b""
    notes: list[str] = field(default_factory=list)


class ExportedPaper(NamedTuple):
    """A paper to export, the run in which it was named, its shelf data if already read, and the keys by which a
    document cites it."""

    paper: Paper
    run: str | None = None
    shelved: Shelved | None = None
    cited: tuple[str, ...] = ()


def export_papers(
    store: Store,
    papers: Mapping[int, ExportedPaper],
    options: ExportOptions,
    locks: Path,
    progress: Callable[[int], None] = lambda more: None,
    *,
    noting: bool = True,
) -> Exported:
    """Write the bibliography of `papers`, by number; with `noting`, record the export of each.

    `locks` is the folder for file locks; `progress` is called with the number of newly written entries. Raises
    `UserError`, `CacheError`, and `Interrupted`, which says whether the file was written.
    """
    with nullcontext() if options.file is None else locked(options.file, locks):
        old = read_old(options.file) if options.file else None
        try:
            result = _ExportJob(store, papers, options, progress).done(old)
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted; {_what_became_of(options.file, old)}.") from None
    if noting:
        note_exported(store, papers)
    return result


def note_exported(store: Store, papers: Mapping[int, ExportedPaper]) -> None:
    """Record the export of each paper in the reading history. Raises `CacheError`."""
    with store.writing():
        now = utc_now()
        for number, exported in papers.items():
            reading_history.note_interaction(store, number, "exported", exported.run, now)


def _what_became_of(file: Path | None, old: bytes | None) -> str:
    if file is None:
        return "nothing was written"
    if read_old(file) != old:
        return f"{file} was already complete"
    return f"{file} was not changed" if old is not None else f"{file} was not written"


class _ExportJob:
    """The papers of one export, with their data from the shelf."""

    def __init__(
        self,
        store: Store,
        exported_papers: Mapping[int, ExportedPaper],
        options: ExportOptions,
        progress: Callable[[int], None],
    ) -> None:
        self.store, self.options, self.progress = store, options, progress
        self.notes: list[str] = []
        self.papers = {number: chosen_paper.paper for number, chosen_paper in exported_papers.items()}
        self.cited = {
            number: chosen_paper.cited for number, chosen_paper in exported_papers.items() if chosen_paper.cited
        }
        self.shelved = {
            number: chosen_paper.shelved for number, chosen_paper in exported_papers.items() if chosen_paper.shelved
        }
        if shelves.numbers_on_shelf(store) & self.papers.keys() - self.shelved.keys():
            self.shelved = {saved_paper.number: saved_paper for saved_paper in shelves.shelf(store)}

    def done(self, old: bytes | None) -> Exported:
        """Write to the requested file, whose old contents are `old` (None if missing), or return the text to print."""
        if self.options.file is None:
            text, _, notes = self.whole(self.options.format or "biblatex")
            return Exported(text.encode(), notes)
        if self.options.append and old is not None:
            return Exported(notes=self.append(self.options.file, old))
        return Exported(notes=self.write(self.options.file, old))

    def items(self, format: Format, reserved: Collection[str] = ()) -> list[Item]:
        """Return the items to write, under the library's keys or those of the citing document."""
        options = self.options
        with self.store.reading():
            numbers_with_key = citation_keys.keys_of(self.store, self.papers.keys())
            is_joined = options.dedupe or format not in SAME  # a list for readers names a paper once
            joined = self.papers.keys() - self.cited.keys() if is_joined else ()
            items = items_of(self.store, self.papers, options.pattern, format, reserved, joined)
        if is_joined:
            several = [number for number, times in Counter(item.number for item in items).items() if times > 1]
            items = one_record_each(items, format, self.cited.keys())
            self.notes += _deduped(
                [item.key for item in items if item.number in {*several} - self.cited.keys()], format
            )
        if not options.abstracts:
            full_items, items = items, without_abstracts(items)
            shortened_count = sum(item != renamed_item for item, renamed_item in zip(full_items, items, strict=True))
            self.notes += [f"The abstract of {_counted(shortened_count)} is left out."] if shortened_count else []
        if options.journals:
            old = items
            items, missing = with_journals(items, options.journals, venues(self.store))
            if changes := [
                item.key for before, item in zip(old, items, strict=True) if before.original != item.original
            ]:
                participle = "shortened" if options.journals == "abbreviated" else "written out"
                self.notes.append(f"--journals: the name of the journal is {participle} in {named_entries(changes)}.")
            if missing:
                change_list = "; ".join(missing[:_NAMED]) + ("; …" if len(missing) > _NAMED else "")
                self.notes.append(f"no full name is known for these journals: {change_list.rstrip('.')}.")
        self.notes += without_sets([item.original for item in items], format) if format != "biblatex" else []
        old_keys = [_own_key(item) for item in items]
        if options.rekey:
            items = rekeyed(items, options.pattern, reserved)
        changes = [f"{before} → {item.key}" for before, item in zip(old_keys, items, strict=True) if before != item.key]
        change_list = ", ".join(changes[:_NAMED]) + (", …" if len(changes) > _NAMED else "")
        self.notes += [f"New keys of {_counted(len(changes))}: {change_list}."] if changes else []
        if (
            not options.rekey
            and options.pattern != PRESETS[DEFAULT_PRESET]
            and (old_count := sum(item.number in numbers_with_key for item in items))
        ):
            self.notes.append(
                f"--keys makes keys only for entries without one: {_counted(old_count)} had one. "
                "--rekey makes new keys for all."
            )
        if not options.rekey:
            own_keys = {item.key: item.key for item in items}
            as_written = {key.casefold(): key for key in own_keys} | own_keys  # biber finds a parent only so
            renamed = ((item, item.original) for item in items)
            items = [
                item._replace(original=_renamed(own, own.key, as_written)) if own else item for item, own in renamed
            ]
        return under_cited_keys(items, self.cited)

    def entry(self, item: Item, format: Format) -> Entry:
        shelved = self.shelved.get(item.number)
        options = self.options
        return entry_for(item, format, options.version, options.extras, shelved, everything=options.everything)

    def writing(self, format: Format, ascii_only: bool | None = None) -> Writing:
        references = self._references if format == "text" else None
        return Writing(
            format,
            self.options.extras,
            ascii_only,
            self.options.most_names,
            references,
            self.progress,
            self.options.by_key,
        )

    def whole(self, format: Format) -> tuple[str, int, list[str]]:
        """Return the bibliography of all papers, its number of entries, and notes on it."""
        items = self.items(format)
        entries = with_parents([self.entry(item, format) for item in items], format)
        text, letters, inert, left_out = written(entries, self.writing(format, self.options.ascii_only))
        notes = [*self.notes, *self.turned(entries, format), *remarks(entries, letters, inert), *left_out]
        return (_BOM if self.options.bom else "") + text, len(entries), notes

    def turned(self, entries: Sequence[Entry], format: Format) -> Iterator[str]:
        """Yield notes on what imported entries lose or keep in another format, and on values that TeX cannot print."""
        dialect: Capabilities = "bibtex" if format == "bibtex" else "biblatex"
        repairs = {entry.key: repaired(entry, dialect) for entry in entries} if format in (dialect, "bibtex") else {}
        if keys := [key for key, names in repairs.items() if names]:
            names = ", ".join(dict.fromkeys(name for key in keys for name in repairs[key]))
            rule = "& is written \\&; DOIs and addresses have no labels and no LaTeX"
            yield f"{named_entries(keys)} changed in {names}, for TeX: {rule}."
        alike = Counter(entry.key.casefold() for entry in entries) if format == "bibtex" else Counter[str]()
        if keys := sorted(entry.key for entry in entries if alike[entry.key.casefold()] > 1):
            yield f"BibTeX confuses keys that differ only in case: {named_entries(keys)}."
        entries_of_format = [
            entry for entry in entries if format == "bibtex" and entry.original and entry.original.format == "bibtex"
        ]
        if keys := [entry.key for entry in entries_of_format if entry.original and in_biblatex(entry.original)]:
            yield f"{named_entries(keys)} in BibLaTeX: types, dates, names, titles and accents are converted to BibTeX."
        if self.options.ascii_only is None and (
            keys := [
                entry.key for entry in entries_of_format if entry.original and has_names_beyond_ascii(entry.original)
            ]
        ):
            yield f"{named_entries(keys)} in UTF-8: BibTeX sorts and cuts names by bytes; --ascii writes them in LaTeX."
        numbered = (entry for entry in entries_of_format if entry.original and not in_biblatex(entry.original))
        if keys := [entry.key for entry in numbered if entry.original and entry.original.value("edition").isdecimal()]:
            yield f"BibTeX's styles print the edition of {named_entries(keys)} as a bare number; write 2nd for 2."
        if field_list := _fields_listed((entry.key, unprinted(entry)) for entry in entries_of_format):
            yield f"BibTeX's standard styles do not print {field_list}; the entries keep these fields."
        in_bib = entries if SAME.get(format) == "bibtex" else ()
        if field_list := _fields_listed((entry.key, nameless_in_bib(entry.more)) for entry in in_bib):
            yield f"{format} has no field for {field_list}; no style prints fields such as x-archive, which keep them."
        if field_list := _fields_listed((entry.key, entry.unplaced) for entry in entries):
            yield f"{format} cannot store {field_list}; --fields all writes them."

    def write(self, file: Path, old: bytes | None) -> list[str]:
        """Write the whole file, unless existing lines would be lost."""
        if is_word := file.suffix.lower() == ".docx":
            need_pandoc()
        text, number, notes = self.whole(self.options.format or "biblatex")
        new = _word_file(text) if is_word else text.encode()
        if old == new:
            return [*notes, f"{file} has {_counted(number)} and is up to date; it was not changed."]
        if old and not self.options.replace and not keeps_all_lines(old.decode("utf-8", "replace"), text):
            raise UsageError(
                f"{file} has other content that would be lost; --append adds to it, --replace rewrites it."
            )
        replace_file(file, new, old)
        return [*notes, f"{file}: {_counted(number)} written."]

    def append(self, file: Path, old: bytes) -> list[str]:
        """Append the entries that the file lacks."""
        try:
            target, entries = read_target(old, ris=self.options.format == "ris")
        except (Failure, UsageError) as error:
            raise type(error)(f"{file}: {error}") from None
        format = self.options.format or target.dialect or "biblatex"
        how = self.writing(format, self.options.ascii_only)
        duplicates = there_already(self.store, target, entries)
        adopt(self.store, {number: duplicates[number] for number in self.papers if number in duplicates})
        items = dict(enumerate(self.items(format, target.keys.keys())))
        keys = {index: item.key for index, item in items.items()}
        present = {index: duplicates[item.number] for index, item in items.items() if item.number in duplicates}
        kept, inert = dict[str, frozenset[str]](), dict[str, frozenset[str]]()
        new = [self.entry(item, format) for index, item in items.items() if index not in present]
        frame = frame_of(
            new if format != "ris" else (),
            "bibtex" if format == "bibtex" else "biblatex",
            target.keys,
            old.decode("utf-8", "replace"),
        )

        def write(index: int, key: str) -> str:
            entry = self.entry(items[index]._replace(key=key), format)
            text, letters, commands, _ = written([entry], how, framed=False)
            kept.update(letters)
            inert.update(commands)
            return frame.before.get(items[index].key, "") + text

        result = appended(old, target, present, items.keys(), keys, write, (frame.top, frame.bottom))
        if result.new != old:
            replace_file(file, result.new, old)
        new_entries = [self.entry(items[index]._replace(key=key), format) for index, key in result.added.items()]
        keys_added = frozenset(result.added.values())
        lines = [*self.turned(new_entries, format)]
        lines += remarks(new_entries, *({key: of[key] for key in of if key in keys_added} for of in (kept, inert)))
        return [*(f"{file}, {fault}; it was not changed." for fault in target.broken), *self.notes, *lines,
                *frame.left_out, *_append_notes(file, result, keys)]  # fmt: skip

    def _references(self, entries: Sequence[Entry]) -> str:
        lines, notices = reference_list(entries, self.options.style)
        self.notes += notices
        return "".join(f"{line}\n" for line in lines)


_AS_TEXT = re.compile(r"[!-/:-@\[-`{-~]")
"""Characters that can be markup in CommonMark."""


def _word_file(text: str) -> bytes:
    """Return a Word document with a paragraph for each line. Raises `Failure`."""
    return docx(_AS_TEXT.sub(r"\\\g<0>", formulas_as_text(text)).replace("\n", "\n\n"))


def _fields_listed(fields: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return the names of fields with the entries, by key, that have them: `pages of 2 entries (a, b); ISSN of …`."""
    keys_of = defaultdict[str, list[str]](list)
    for key, names in fields:
        for name in dict.fromkeys(names):
            keys_of[name].append(key)
    keys_by_fields = defaultdict[tuple[str, ...], list[str]](list)
    for name, of in keys_of.items():
        keys_by_fields[tuple(of)].append(name)
    return "; ".join(f"{', '.join(names)} of {named_entries(keys)}" for keys, names in keys_by_fields.items())


def _append_notes(file: Path, result: Appended, keys: Mapping[int, str]) -> list[str]:
    renamed = [f"{keys[number]} → {key}" for number, key in result.added.items() if key != keys[number]]
    notes = [f"{file}: {_counted(len(result.added))} added, {len(result.present):,} there already."]
    if renamed:
        more = ", …" if len(renamed) > _NAMED else ""
        notes.append(f"new keys, because other works in the file have these: {', '.join(renamed[:_NAMED])}{more}.")
    if result.unfit:
        text = ", ".join(f"{keys[number]} ({letters})" for number, letters in list(result.unfit.items())[:_NAMED])
        notes.append(
            f"{_counted(len(result.unfit))} skipped, because the file's encoding cannot store their letters: {text}."
        )
    return notes


def _deduped(keys: Sequence[str], format: Format) -> list[str]:
    """Return a note on the entries with these `keys`, each of which combines several imported ones."""
    if not keys:
        return []
    addition = "; their other keys are in ids, which bibtex does not read" if format in ("bibtex", "biblatex") else ""
    verb = "combines" if len(keys) == 1 else "each combine"
    differ = "Where they differ, the first one is written; fields of another venue are left out"
    ending = "; --no-dedupe writes all" if format in SAME else ""
    return [f"{named_entries(keys)} {verb} several imported entries of one paper{addition}. {differ}{ending}."]


def _counted(number: int) -> str:
    return f"{number:,} {'entry' if number == 1 else 'entries'}"
