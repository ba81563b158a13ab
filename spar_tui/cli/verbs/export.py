"""`spar export`: bibliographies of papers, of a run, or of the shelf."""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from cache.conditions.wording import listed
from connectors.errors import SourceError
from connectors.paper import WorkId
from spar_tui.cli.arguments import OfflineFlag, only_one
from spar_tui.cli.lists.filter_words import RecordSortOption, ReverseFlag, in_order, record_order
from spar_tui.errors import Failure, Interrupted, UsageError, UserError
from spar_tui.phrases import counted, papers_text
from spar_tui.settings import Settings
from spar_tui.terminal import DASH, counting, remark, say_bytes
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from cache.store import Store
    from spar_tui.bibliography.exporting import ExportedPaper
    from spar_tui.bibliography.options import ExportOptions

_DECIDED = {"included": "included by a person", "excluded": "excluded by a person", "later": "left for later"}


def export(
    paper: Annotated[
        list[str] | None,
        "<PAPER…>",
        (
            "DOIs, arXiv ids, PMIDs, URLs, citation keys of the shelf, @3; or - for papers on"
            " standard input: the JSON of `spar search --json`, or one paper per line."
        ),
    ] = None,
    run: Annotated[
        str, "RUN", "The papers of a run (its id, the beginning of it, or last); of a search, the relevant ones."
    ] = "",
    included: Annotated[bool, "With --run: the papers that a person included."] = False,
    kept: Annotated[bool, "With --run: the papers that spar judged relevant."] = False,
    every: Annotated[bool, "--all", "With --run: all papers that the search found."] = False,
    screened: Annotated[
        str,
        "DECISION",
        "With --run: only the papers of the whole search that you included, excluded, or left for later.",
    ] = "",
    tag: Annotated[str, "T", "Saved papers with this tag."] = "",
    shelf: Annotated[bool, "All saved papers."] = False,
    cited_in: Annotated[
        list[str] | None,
        "FILE",
        (
            "The papers that a LaTeX, Markdown, Typst or Org document and its included files "
            "cite, under the keys used there; also an .aux or .bcf file, or - for LaTeX on "
            "standard input. Repeat for more."
        ),
    ] = None,
    format_name: Annotated[
        str,
        "--format FORMAT",
        ("bibtex, biblatex, ris, csl-json, markdown, csv or text; by default the ending of FILE decides, or biblatex."),
    ] = "",
    style: Annotated[
        str, "STYLE", "For text: apa, ieee, nature, vancouver, chicago, mla, or a .csl file if pandoc is installed."
    ] = "",
    keys: Annotated[
        str,
        "PATTERN",
        (
            "Pattern of new citation keys: better-bibtex, scholar, jabref, or one such as "
            "{author}{year}{word}. Existing keys stay."
        ),
    ] = "better-bibtex",
    fields: Annotated[
        str, "LIST", "Also write these fields, separated by commas: abstract, keywords, file, note; or all."
    ] = "",
    no_abstract: Annotated[
        bool, "--no-abstract --no-abstracts", "Leave out the abstracts of imported entries."
    ] = False,
    journals: Annotated[
        str,
        "FORM",
        (
            "Write journal names abbreviated (ISO 4, by ISSN's list of words) or full (if "
            "spar knows them); unchanged by default."
        ),
    ] = "",
    rekey: Annotated[
        bool, "Make all written keys by --keys, also those of imported entries; the shelf keeps its keys."
    ] = False,
    dedupe: Annotated[
        bool,
        "--dedupe/--no-dedupe",
        "Write one entry for a paper imported as several, with the other keys in ids, or write each.",
    ] = True,
    sort: RecordSortOption = None,
    reverse: ReverseFlag = False,
    authors: Annotated[int, "N", "In .bib files name at most N authors and then “and others”; 0 names all."] = 0,
    preprint: Annotated[bool, "--preprint/--published", "Which version to cite if a work has both."] = False,
    ascii_only: Annotated[
        bool | None,
        "--ascii/--unicode",
        ("Write accents in .bib files as LaTeX macros (default for bibtex) or as characters (default for biblatex)."),
    ] = None,
    bom: Annotated[bool, "Start a CSV with a byte order mark, which Excel needs."] = False,
    output: Annotated[str, "FILE", "Write to FILE."] = "",
    append: Annotated[bool, "Add missing entries to FILE; its content stays byte for byte."] = False,
    replace: Annotated[bool, "Replace FILE even if content gets lost."] = False,
    to_zotero: Annotated[
        bool,
        (
            "Add the papers to the Zotero that runs on this machine, with tags, note and "
            "files; papers already there stay unchanged."
        ),
    ] = False,
    collection: Annotated[
        str, "NAME", "With --to-zotero (Zotero 10 or newer): add to this collection, created if missing."
    ] = "",
    offline: OfflineFlag = False,
) -> int:
    """Write a bibliography of papers, of a run, or of the shelf."""
    if to_zotero and (format_name or style or authors or ascii_only is not None or bom or output or append or replace):
        raise UsageError("--to-zotero writes no file; omit --format, --style, --authors, -o and similar options.")
    if to_zotero and (no_abstract or journals or rekey or not dedupe or sort):
        raise UsageError("--no-abstract, --journals, --rekey, --no-dedupe, --sort are for files, not for --to-zotero.")
    order = record_order(sort, reverse)
    if rekey and cited_in:
        raise UsageError("--rekey is not for --cited-in, which writes the keys that the document cites.")
    if not (paper or run or tag or shelf or cited_in):
        raise UsageError(
            "name papers, or give --run RUN, --tag T, --shelf or --cited-in FILE; for example `spar export --run last`."
        )
    if DASH in (paper or []) and DASH in (cited_in or []):
        raise UsageError("standard input cannot be both papers and a document; give one of them as a file.")
    only_one({"--screened": screened, "--included": included, "--kept": kept, "--all": every})
    which = "included" if included else "kept" if kept else "all" if every else screened
    from cache import shelf as shelves
    from spar_tui.bibliography.cited_papers import papers_cited
    from spar_tui.bibliography.exporting import ExportedPaper, export_papers
    from spar_tui.bibliography.options import export_options

    options = export_options(
        format=format_name, style=style, keys=keys, fields=fields, authors=authors, preprint=preprint,
        ascii_only=ascii_only, bom=bom, output=output, append=append, replace=replace, abstracts=not no_abstract,
        journals=journals, rekey=rekey, dedupe=dedupe, by_key=order is None,
    )  # fmt: skip

    settings = read_settings()
    with open_store(settings) as store:
        papers, names = papers_on_input(store) if DASH in (paper or []) else ([], [])
        names = [raw for raw in [*(paper or []), *names] if raw != DASH]
        matches, wrong = _look_up(names, settings, offline) if names else ([], [])
        remark(*map(str, wrong))
        cited, everything, remarks = papers_cited(store, cited_in) if cited_in else ({}, False, [])
        remark(*remarks)
        selection = _numbered(store, [*papers, *matches, *_of_run(store, run, which)])
        if tag or shelf or everything:
            for entry in shelves.shelf(store, tag=None if shelf or everything else tag):
                selection[entry.number] = ExportedPaper(entry.paper, shelved=entry)
        selection |= cited
        if not selection:
            if not wrong:
                remark(f"there is nothing to export{_why(run, which, tag, shelf, cited_in or [])}.")
            return wrong[0].exit_code if wrong else 3
        if cited and (others := len(selection.keys() - cited.keys())) and not everything:
            verb = "is" if others == 1 else "are"
            remark(f"{counted(others, 'paper')} that no document cites {verb} exported too, as you asked for more.")
        if order:
            selection = dict(in_order(selection.items(), order, lambda pair: pair[1].paper))
        if to_zotero:
            return _send(store, selection, options, collection) or (wrong[0].exit_code if wrong else 0)
        with counting("exporting", len(selection)) as progress:
            bibliography = export_papers(store, selection, options, settings.places.locks, progress)
    say_bytes(bibliography.data)
    remark(*bibliography.notes)
    return wrong[0].exit_code if wrong else 0


def _send(store: "Store", selection: "Mapping[int, ExportedPaper]", options: "ExportOptions", collection: str) -> int:
    """Send the papers to Zotero and report the result. Raises `UserError`."""
    import asyncio

    from spar_tui.bibliography.entry import EXTRAS
    from spar_tui.bibliography.exporting import note_exported
    from spar_tui.bibliography.zotero.address import zotero_address
    from spar_tui.bibliography.zotero.sending import SendOptions, Sent, named_failures, send_to_zotero

    def waiting(sentence: str) -> None:
        remark(f"{sentence}.")

    counts, address = Sent(), zotero_address()
    send_options = SendOptions(options.pattern, collection, options.version, options.extras or EXTRAS)
    try:
        with counting("sending to Zotero", len(selection)) as progress:
            asyncio.run(send_to_zotero(store, address, selection, send_options, counts, waiting, progress))
    except SourceError as error:
        so_far = f"{counts.sentence}; run this again for the others." if counts.added else "Nothing was added."
        raise Failure(f"{error} {so_far}") from None
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; {counts.sentence}. Run this again for the others: nothing comes twice."
        ) from None
    finally:
        note_exported(store, {number: selection[number] for number in counts.added})
        remark(*counts.notes)
    remark(f"{counts.sentence}.")
    if counts.failed:
        remark(f"Zotero rejected {len(counts.failed):,}: {named_failures(counts.failed)}.")
    return 1 if counts.failed else 0


def _why(run: str, which: str, tag: str, shelf: bool, documents: Sequence[str]) -> str:
    """Say why nothing was found, and what helps."""
    if documents:
        return f": {' and '.join(documents)} cites no paper that spar can find"
    if shelf:
        return ": the shelf is empty; spar save PAPER adds papers"
    if tag:
        return f": no saved paper has the tag {tag}; spar tag lists the tags"
    if which in _DECIDED:
        return f": no paper of that search was {_DECIDED[which]}; v in the app decides on papers one by one"
    return ": that run has no relevant papers; --all exports all that a search found" if run else ""


def papers_on_input(store: "Store") -> "tuple[list[ExportedPaper], list[str]]":
    """Return the papers on standard input, and the names without a paper."""
    from cache import papers
    from spar_tui.bibliography.exporting import ExportedPaper
    from spar_tui.bibliography.paper_input import LARGEST, papers_from_input

    entries, names = papers_from_input(sys.stdin.buffer.read(LARGEST + 1), lambda name: papers.find(store, [name]))
    return [ExportedPaper(paper) for paper in entries], names


def _look_up(names: Sequence[str], settings: Settings, offline: bool) -> "tuple[list[ExportedPaper], list[UserError]]":
    """Return the named papers, looked up if not stored, and the errors for the other names."""
    from spar_tui.bibliography.exporting import ExportedPaper
    from spar_tui.cli.papers import find_papers, in_workspace

    with counting("looking up", len(set(names))) as progress:
        matches, wrong = in_workspace(
            lambda workspace: find_papers(names, workspace, progress),
            offline,
            "interrupted while the papers were looked up; nothing was written.",
            settings=settings,
        )
    return [ExportedPaper(match.paper, match.run) for match in matches], wrong


def _of_run(store: "Store", run: str, which: str) -> "list[ExportedPaper]":
    """Return the papers of a run; of a search, those of the set `which`, which is named on standard error. Raises
    `UserError`."""
    from agents.run.recorder import kept as stored_run
    from agents.search.kind import SEARCH
    from cache import runs
    from spar_tui.bibliography.exporting import ExportedPaper
    from spar_tui.screening import MARKS, ranked_first, selection, works_decided

    if not run:
        return []
    name = runs.resolve(store, run, SEARCH.name if which else None)
    if not which and runs.get(store, name).kind != SEARCH.name:
        return [ExportedPaper(ranked.paper, name) for ranked in runs.result(store, name)]
    if which not in ("", "kept", "all", *MARKS):
        raise UsageError(f"--screened is {listed(list(MARKS), 'or')}, not {which!r}.")
    stored_search, _, events = stored_run(SEARCH, store, name)
    state = SEARCH.folded(events)
    records = selection(state)
    works: Sequence[WorkId]
    match which:
        case "":
            works = ranked_first(state, records.relevant)
            text = (
                f"{len(records.included):,} included by a person, {len(records.kept):,} kept by the program's judgement"
            )
        case "kept":
            works, text = records.kept_by_program, "judged relevant by the program, whatever a person decided"
        case "all":
            works, text = ranked_first(state, state.found), "everything that the search found"
        case _:
            decision = next(mark for mark in MARKS if mark == which)
            works, text = works_decided(state, decision), _DECIDED[decision]
    remark(f"{papers_text(len(works))} of {stored_search.id}: {text}.")
    return [ExportedPaper(state.found[work].paper, name) for work in works]


def _numbered(store: "Store", selection: "Sequence[ExportedPaper]") -> "dict[int, ExportedPaper]":
    """Return each work once, by its number, as the library has it."""
    from cache import papers

    numbers = papers.remember(store, [exported.paper for exported in selection])
    works = papers.numbered(store, numbers)
    return {
        number: exported._replace(paper=works[number])
        for number, exported in zip(numbers, selection, strict=True)
        if number in works
    }
