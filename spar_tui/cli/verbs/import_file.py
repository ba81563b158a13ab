"""`spar import`: bibliographies and packs onto the shelf."""

import gc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cache.paths import expanded
from connectors.errors import SourceError
from connectors.identifiers import parse_identifier
from spar_tui.cli.arguments import EncodingOption, JsonFlag, OfflineFlag
from spar_tui.errors import Failure, Interrupted, UsageError, UserError
from spar_tui.math_text import title_text
from spar_tui.openable_files import is_pdf
from spar_tui.phrases import counted
from spar_tui.settings import Settings
from spar_tui.terminal import DASH, ProgressLine, counting, remark, say, say_json
from spar_tui.workspace import Workspace, open_store, read_settings

if TYPE_CHECKING:
    from cache.store import Store
    from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
    from spar_tui.bibliography.reading.shelving import Shelving
    from spar_tui.cli.paper_files import PaperFile
    from spar_tui.sharing.pack import Pack

_STDIN = "standard input"
_ZOTERO = "Zotero"
NAMED = 100
"""Maximum number of faulty entries of a file to name."""


class _ReadFile(NamedTuple):
    """The entries of a file, and the paper that the file is, if that was looked for."""

    name: str
    contents: "FileEntries"
    paper: "PaperFile | None" = None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause garbage collection: entries stay in use until the last is saved, and each collection would scan them all
    again. They leave hardly any reference cycles behind."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_uncollected()
def import_files(
    file: Annotated[
        list[str] | None,
        "<FILE…>",
        (
            "Bibliographies of any format below, lists of identifiers or references, packs of spar share, papers "
            "(PDF, .docx, .odt), or folders of these; - reads standard input."
        ),
    ] = None,
    from_zotero: Annotated[bool, "Import from the Zotero that runs on this machine, with notes and files."] = False,
    collection: Annotated[str, "NAME", "With --from-zotero: only this collection, by name or path."] = "",
    tag: Annotated[list[str] | None, "T", "Tag to add to all; repeat for more."] = None,
    references: Annotated[
        bool, "Also save what a document cites (those above, .tex, .bbl, .aux, .md, .html, text)."
    ] = False,
    encoding: EncodingOption = "",
    dry_run: Annotated[bool, "Report what would be imported and what is new; save nothing."] = False,
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Import bibliographies, packs, papers themselves, or Zotero.

    spar detects the format by the content: BibTeX, BibLaTeX, RIS, EndNote (XML, .enw), RefWorks, PubMed (.nbib,
    XML), Web of Science (text, tabs), CSV of Scopus, Zotero and others, CSL-JSON, CSL-YAML, hayagriva, MODS, Zotero
    RDF. It keeps citation keys, notes, groups and files, and names entries that it cannot import with their line. It
    looks up each line of a list of DOIs, arXiv ids and PMIDs as spar save does. It saves each reference of a text as
    the record that a source has, and names those without one. It refuses files over 64 MB. It merges a pack made
    with spar share and keeps what you have. spar undo undoes an import of up to 2,000 papers.

    A PDF, .docx or .odt is saved as a paper if a source knows its DOI, arXiv id or title and its first page shows
    the title; the PDF becomes the paper's file. With --references, spar also saves each work that it cites."""
    from cache.journal import as_one_step

    # All are read before the first is saved, so that a wrong name is reported at once and nothing is half done.
    if not (file or from_zotero):
        raise UsageError("name a bibliography to import, or give --from-zotero.")
    settings = read_settings()
    files_read, packs = list[_ReadFile](), list[tuple[str, "Pack"]]()
    for name, is_named in _files(file or []):
        try:
            files, pack = _read(name, references, encoding, settings, offline)
        except UsageError as error:
            if is_named:
                raise
            remark(f"skipped {name}: {str(error).partition('. ')[0].rstrip('.')}.")
        else:
            files_read += files
            packs += [(name, pack)] if pack else []
    if from_zotero:
        files_read.append(_ReadFile(_ZOTERO, _in_zotero(collection)))
    reports: list[dict[str, object]] = []
    saved_count = lost = unread = 0
    with open_store(settings) as store, as_one_step(), _taken_back(store) if dry_run else nullcontext():
        for name, pack in packs:
            from spar_tui.sharing.merging import merged

            merge = merged(store, pack, tag or [])
            saved_count += bool(merge.new or merge.there)
            reports.append({"file": name, "by": merge.by, "new": dict(merge.new), "there": dict(merge.there)})
            if not as_json:
                say(f"{name}: {merge.sentence}")
        for read_file in files_read:
            shelved = _save_entries(store, read_file, tag or [])
            problems = _problems(read_file, shelved)
            papers, skipped_count = len(set(shelved.numbers)), sum(not problem.taken for problem in problems)
            saved_count, lost = saved_count + papers, lost + skipped_count
            unread += any(problem.to_end for problem in problems)
            reports.append({
                "file": read_file.name, "entries": len(read_file.contents.entries), "papers": papers,
                "new": len(shelved.new),
                "problems": [{"line": problem.line, "entry": problem.name, "reason": problem.reason,
                              "taken": problem.taken} for problem in problems],
                "joins": [join._asdict() for join in shelved.joins], "updated": list(shelved.updated),
            })  # fmt: skip
            if not as_json:
                say(_count_line(read_file, shelved, skipped_count))
                if dry_run:
                    _name_new(store, [number for number in dict.fromkeys(shelved.numbers) if number in shelved.new])
            _name_findings(read_file, shelved, problems)
    if as_json:
        say_json({"files": reports})
    return 1 if unread else 0 if saved_count else 1 if lost else 3


def _save_entries(store: "Store", read_file: _ReadFile, tags: Sequence[str]) -> "Shelving":
    """Save the entries of a file; a paper that is a PDF gets the PDF as its file. Raises `Interrupted` with the number
    saved."""
    from spar_tui.bibliography.reading.shelving import put_on_shelf

    name, contents, paper = read_file
    is_file, safe, total = name not in (DASH, _ZOTERO), 0, len(contents.entries)
    folder = expanded(name).absolute().parent if is_file else Path.cwd()
    try:
        with counting(f"importing {Path(name).name}", total) as tell:

            def count(more: int) -> None:
                nonlocal safe
                safe += more
                tell(more)

            shelved = put_on_shelf(store, contents.entries, folder, tags, progress=count, beside=is_file)
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; {safe:,} of {total:,} entries of {name} are saved. Import it again for the others: nothing "
            "comes twice."
        ) from None
    if paper and paper.is_pdf and is_file and shelved.numbers:
        from spar_tui.cli.paper_files import keep_file

        keep_file(store, paper, shelved.numbers[0], str(expanded(name).absolute()))
    return shelved


def _problems(read_file: _ReadFile, shelved: "Shelving") -> "list[Problem]":
    """Return the problems of reading and saving a file, by line. One about a key that was renamed while saving is named
    once."""
    renamed = {(problem.line, problem.name) for problem in shelved.problems if problem.of_key}
    of_file = [
        problem
        for problem in read_file.contents.problems
        if not (problem.of_key and (problem.line, problem.name) in renamed)
    ]
    return sorted((*of_file, *shelved.problems), key=lambda problem: problem.line)


def _count_line(read_file: _ReadFile, shelved: "Shelving", skipped_count: int) -> str:
    """Return what became of a file's entries, as in `refs.bib: 2 new papers, 3 saved before, 1 joined, 1 skipped`."""
    papers, new, entries = len(set(shelved.numbers)), len(shelved.new), len(read_file.contents.entries)
    update = f" ({len(shelved.updated):,} changed since)" if shelved.updated else ""
    numbers = {
        f"saved before{update}": papers - new, "joined": entries - papers if papers else 0, "skipped": skipped_count,
    }  # fmt: skip
    parts = [f"{number:,} {word}" for word, number in numbers.items() if number]
    return f"{read_file.name}: {', '.join([*([counted(new, 'new paper')] if new or not parts else []), *parts])}"


def _name_findings(read_file: _ReadFile, shelved: "Shelving", problems: "Sequence[Problem]") -> None:
    """Report that a file has no entries, its problems, retracted papers, and joined entries."""
    name, contents, _ = read_file
    if not (contents.entries or problems):
        remark(f"{name} has no {'works.' if name == _ZOTERO else 'entries; is it the file that you meant?'}")
    entries = defaultdict[int, list["FoundEntry"]](list)
    for entry in contents.entries:
        entries[entry.line].append(entry)
    retracted = [entry for entry in contents.entries if entry.paper.retracted]
    _name_each(name, "entries", [(problem.line, _sentence(problem, entries[problem.line])) for problem in problems])
    labels = [(entry.line, entry.key or f"“{entry.paper.title[:60]}”") for entry in retracted]
    _name_each(name, "entries", [(line, f"{label} is RETRACTED.") for line, label in labels])
    unit = "item" if name == _ZOTERO else "line"
    joins = [
        (join.line, f"{join.name or 'it'} is taken as the same work as {join.other}"
         + (f", {unit} {join.other_line}." if join.other_line else ", which is on the shelf."))
        for join in shelved.joins
    ]  # fmt: skip
    _name_each(name, "joins", joins)
    if joins:
        remark("each of these keeps its key and its fields; `spar split KEY` makes it a separate paper.")


def _files(names: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield the files with these names and those in folders among them, and whether the file itself was named.
    Raises `UsageError` for a folder without files, for the identifier of a paper, and for an empty name, which is no
    folder either."""
    for name in dict.fromkeys(names):
        if not name:
            raise UsageError("a FILE is empty; name one, or . for this folder.")
        if name != DASH and (folder := expanded(name)).is_dir():
            paths = [
                path
                for path in sorted(folder.rglob("*"))
                if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
            ]
            if not paths:
                raise UsageError(f"{name} has no file to import; hidden files are skipped.")
            yield from ((str(path), False) for path in paths)
        elif name != DASH and not folder.exists() and parse_identifier(name):
            raise UsageError(f"{name} is a paper, not a file; `spar save {name}` saves it.")
        else:
            yield name, True


def _read(
    name: str, references: bool, encoding: str, settings: Settings, offline: bool
) -> "tuple[list[_ReadFile], Pack | None]":
    """Return the papers in a file, or the pack of `spar share` that it is."""
    from spar_tui.bibliography.documents.office_files import is_office_file, is_zip
    from spar_tui.bibliography.reading.files import read_bytes, standard_input

    raw = standard_input() if name == DASH else read_bytes(expanded(name))
    label = _STDIN if name == DASH else name
    if is_zip(raw) and not is_office_file(raw):
        from spar_tui.sharing.pack import read_pack

        return [], read_pack(raw, label)
    files = list[_ReadFile]()
    if kind := "pdf" if is_pdf(raw) else "office" if is_office_file(raw) else "":
        from spar_tui.cli.paper_files import paper_file, paper_in

        paper = paper_file(raw, label, kind)
        files.append(_ReadFile(name, paper_in(paper, settings, offline), paper))
    elif not references:
        if (entries := _entries_in(raw, label, encoding)) is not None:
            return [_ReadFile(name, _looked_up(entries, settings, offline))], None
        references = True
    if references:
        from spar_tui.cli.paper_files import cited_by

        cited = cited_by(Path(name), raw, encoding, settings, offline)
        files.append(_ReadFile(name, _looked_up(cited, settings, offline)))
    return files, None


class _DryRun(Exception):
    """Rolls back the transaction of a dry run."""


@contextmanager
def _taken_back(store: "Store") -> Iterator[None]:
    """Roll back everything written inside the block."""
    with suppress(_DryRun), store.writing():
        yield
        raise _DryRun


def _name_new(store: "Store", numbers: Sequence[int]) -> None:
    """List the papers that the shelf does not have yet, up to `NAMED`."""
    from cache import papers

    say(*(f"  new  {title_text(paper)}" for paper in papers.by_ids(store, numbers[:NAMED])))
    if len(numbers) > NAMED:
        say(f"  and {len(numbers) - NAMED:,} more new papers")


def _name_each(file: str, noun: str, notices: Sequence[tuple[int, str]]) -> None:
    """Print the notices on lines of the file, up to `NAMED`."""

    for line, sentence in notices[:NAMED]:
        position = f", item {line}" if file == _ZOTERO else f":{line}" if line else ""
        remark(f"{file}{position}: {sentence}")
    if len(notices) > NAMED:
        remark(f"{file}: and {len(notices) - NAMED:,} more such {noun}; --json lists them all.")


def _entries_in(raw: bytes, name: str, encoding: str) -> "FileEntries | None":
    """Return the entries of a bibliography; None for a text. Raises `UsageError`, which for a document says how to
    import it."""
    from spar_tui.bibliography.reading.entries_read import FileEntries
    from spar_tui.bibliography.reading.files import found_in_bytes

    if not raw.strip():
        return FileEntries()
    try:
        return found_in_bytes(raw, name, encoding)
    except UsageError as error:
        from spar_tui.bibliography.documents.opening import document_kind

        kind = document_kind(raw, name, encoding)
        if kind == "text":
            return None
        if not kind:
            raise
        if name.lower().endswith(".pdf") and kind == "html":
            raise UsageError(f"{name} is a web page, not a PDF; open it to see what the server said.") from None
        raise UsageError(f"{error} It is a document: --references imports what it cites.") from None


def _looked_up(contents: "FileEntries", settings: Settings, offline: bool) -> "FileEntries":
    """Return the contents with the papers of those entries that are only an identifier. Raises `Interrupted`."""
    from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
    from spar_tui.bibliography.reading.identifier_list import name_alone

    identified = {number: name for number, entry in enumerate(contents.entries) if (name := name_alone(entry))}
    if not identified:
        return contents
    from spar_tui.cli.papers import find_paper, in_workspace

    entries, problems = dict[int, FoundEntry](enumerate(contents.entries)), list[Problem]()

    async def look_up(workspace: Workspace) -> None:
        with counting("looking up", len(identified)) as progress:
            for number, name in identified.items():
                entry = entries.pop(number)
                try:
                    entries[number] = replace(entry, paper=(await find_paper(str(name), workspace)).paper)
                except UserError as error:
                    problems.append(Problem(entry.line, str(name), str(error).rstrip(".")))
                progress(1)

    interrupted = "interrupted while the papers were looked up; nothing was imported."
    in_workspace(look_up, offline, interrupted, settings=settings)
    return FileEntries(tuple(entries[number] for number in sorted(entries)), (*contents.problems, *problems))


def _in_zotero(collection: str) -> "FileEntries":
    """Read all of the person's Zotero before anything is saved. Raises `UserError`."""
    import asyncio

    from spar_tui.bibliography.zotero.address import zotero_address
    from spar_tui.bibliography.zotero.sending import read_zotero

    line, number = ProgressLine(), 0

    def count(more: int) -> None:
        nonlocal number
        number += more
        line.tell(f"reading Zotero: {number:,}")

    try:
        return asyncio.run(read_zotero(zotero_address(), collection, count))
    except SourceError as error:
        raise Failure(f"{error} Nothing was imported.") from None
    except KeyboardInterrupt:
        raise Interrupted("interrupted while Zotero was read; nothing was imported.") from None
    finally:
        line.tell("")


def _sentence(problem: "Problem", at_line: "Sequence[FoundEntry]") -> str:
    """Return the problem with the key of its entry, and with the title if the entry does not keep that key. Only an
    entry that was not skipped is one of those that begin `at_line`."""
    name = problem.name
    at_line = at_line if problem.taken else ()
    named = [entry for entry in at_line if entry.original and entry.original.key == name]
    entry = next(iter(named or (at_line if len(at_line) == 1 else ())), None)
    if entry and not name:
        name = entry.key
    elif entry and name != entry.key:
        name = f"{name} (“{entry.paper.title[:60]}”)"
    return f"{f'{name}: ' if name else ''}{problem.reason}{'' if problem.taken else '; skipped'}."
