"""`spar check`: find errors in a bibliography."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cache.corpus.place import CORPUS, is_remote
from cache.errors import CacheError
from connectors.paper import Paper
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.files import read_bytes
from spar_tui.cli.arguments import EncodingOption, OfflineFlag, OutputFlags, SourceOption, source_names
from spar_tui.cli.cited_documents import ReportFlags, citing_document, with_texts, write_reports
from spar_tui.cli.options.usual_options import with_usual_options
from spar_tui.cli.written_mends import (
    accept_findings,
    accepted_before,
    checked_reason,
    name_of,
    patched_name,
    refuse_fix,
    write_mends,
)
from spar_tui.errors import Failure, Interrupted, UsageError
from spar_tui.settings import Settings
from spar_tui.terminal import DASH, Style, counting, note, remark, tell_row, wants_rows
from spar_tui.workspace import Workspace, open_store, read_settings

if TYPE_CHECKING:
    from agents.lookup.records import Decided, RecordLookup
    from spar_tui.bibliography.checking import EntryFinding
    from spar_tui.reports.reference_report import ReferencePolicy

_COLOURS = {"unreadable": "red", "retracted": "red", "not found": "red", "could not check": "dim",
            "accepted": "dim", "ok": "green"}  # fmt: skip


def check(
    context: typer.Context,
    document: Annotated[
        str | None,
        "<FILE>",
        (
            "A bibliography of any format that spar import reads, a document with references (.tex, .bbl, .aux, "
            ".typ, .docx, .odt, .md, .html, PDF, text), or a DOI or arXiv id: what that paper cites. - reads standard "
            "input."
        ),
    ] = None,
    source: SourceOption = None,
    everything: Annotated[bool, "--all", "Also list entries that are right or accepted."] = False,
    fix: Annotated[bool, "Write a patch of the certain corrections, each with its proof."] = False,
    output: Annotated[
        str, "NEW", "With --fix: write the patch here or, if NEW is a .bib file, the whole corrected file."
    ] = "",
    policy: Annotated[
        str,
        "NAME",
        "Severity of findings: lenient, or as published by neurips, iclr, icml or acl. Then only errors fail.",
    ] = "",
    accept: Annotated[str, "KEY", "Accept the finding on the entry KEY (without a key: its line)."] = "",
    reason: Annotated[str, "TEXT", "With --accept: why the entry is right."] = "",
    resume: Annotated[bool, "Resume the last interrupted check, with its options."] = False,
    encoding: EncodingOption = "",
    offline: OfflineFlag = False,
    *,
    reports: ReportFlags,
    form: OutputFlags,
) -> int:
    """Check references against the sources, field by field.

    Reads a bibliography or a document and never changes it. For a .tex or .aux file, checks the cited entries of the
    .bib files in its folder. Fields that spar parsed from the text of a reference may be wrong; compare them before
    you change something. A reference is as described, described wrongly (title, authors, year, venue, volume, pages
    or identifier, with both values and the source), not found (with the nearest record), or undecided, with the
    reason. Also reports unreadable entries, duplicates, missing fields, retracted papers, and preprints that have
    appeared. Exits with 0 if all is well, 1 for findings (with --policy: errors), 4 if there are none but not all
    could be checked.

    --fix writes a patch (for patch -p0 or git apply -p0) of a .bib file: published version instead of the preprint,
    missing DOI, retraction note, wrong year, duplicates joined. It only names changes that are likely but not
    certain.

    --accept accepts the finding on an entry, without any request, and writes the reason to FILE.accepted.toml. Later
    checks do not report it until a compared field of the entry changes.

    Ctrl-C keeps the answers of the sources; --resume continues the check."""
    if document is None and not resume:
        raise UsageError("a FILE is needed: spar check refs.bib; or --resume, for the check that was interrupted.")
    if document is not None and resume:
        raise UsageError("--resume continues the interrupted check; omit FILE.")
    if document is None:
        return _resumed(context)

    from spar_tui.bibliography.checking import MOST_CHECKED, decided_by_fields, findings
    from spar_tui.reports.reference_report import POLICIES, reference_report, report_object

    if policy not in POLICIES:
        raise UsageError(f"--policy: unknown policy {policy!r}; choose from {', '.join(filter(None, POLICIES))}.")
    levels = POLICIES[policy]
    report_paths = reports.files(Path(document))
    why = checked_reason(document, accept, reason, not (fix or report_paths))
    settings = read_settings(background=True)
    offline = offline or settings.preferences.offline
    names = source_names(source or []) or settings.preferences.sources
    references = citing_document(document, encoding, settings, names, offline)
    file, raw, contents = references.file, references.raw, references.found
    if fix:
        refuse_fix(references, output)
    if len(contents.entries) > MOST_CHECKED:
        raise UsageError(f"{file} has {len(contents.entries):,} entries; at most {MOST_CHECKED:,} are checked at once.")
    papers = [entry.paper for entry in contents.entries]
    today, locks = date.today(), settings.places.locks
    decided = decided_by_fields(contents.entries, today)
    command = {"folder": str(Path.cwd()), **context.params}
    accepted = accepted_before(references)

    def done(index: int, lookup: "RecordLookup") -> None:
        """Report the finding on an entry, as far as it does not depend on other entries."""
        if wants_rows() and not (fix or accept):
            row = with_texts(findings(FileEntries((contents.entries[index],)), [lookup], today, accepted), contents)
            tell_row(report_object(str(file), row, levels))

    lookups = _look_up(settings, papers, names, offline, form.plain, decided, bool(accept), command, done)
    graded = with_texts(findings(contents, lookups, today, accepted), contents)
    is_changed = False
    if str(file) != DASH and not references.looked_up:
        is_changed = read_bytes(file) != raw
    if accept:
        unanswered = {
            (entry.line, entry.paper.title)
            for entry, lookup in zip(contents.entries, lookups, strict=True)
            if lookup.silent
        }
        accept_findings(file, graded, unanswered, accept, why, locks, form.as_json)
        return 0
    if fix and is_changed:
        raise Failure(f"{file} was changed by another program while it was checked; nothing was written, try again.")
    write_reports(report_paths, lambda kind: reference_report(kind, patched_name(file), graded, levels), locks)
    if fix:
        from spar_tui.bibliography.mending.mended import mended
        from spar_tui.bibliography.mending.mends import Mend, mends_of

        fine = {finding.line for finding in graded if finding.verdict == "accepted"}
        mends = [Mend(mend.entry) if mend.entry.line in fine else mend for mend in mends_of(contents, lookups)]
        write_mends(file, raw, mended(raw, mends), graded, levels, output, locks, form.as_json)
    else:
        if is_changed:
            remark(f"{file} was changed while it was checked; the report describes the file as it was before.")
        report = report_object(str(file), graded, levels)
        form.say(report, lambda style: _lines(file, graded, levels, everything, style))
        if not (graded or form.as_json):
            note(f"{name_of(file)} has no entries.")
    if levels.fails(graded):
        return 1
    return 4 if any(finding.verdict == "could not check" for finding in graded) else 0


def _resumed(context: typer.Context) -> int:
    """Resume the check that was interrupted last, in its folder; options given now replace its own."""
    from cache import kept_values

    with open_store(read_settings(background=True)) as store:
        command = kept_values.stored_check(store)
    if not command:
        raise UsageError("no check was interrupted; name a FILE: spar check refs.bib.")
    folder = command.pop("folder")
    changes = {name: value for name, value in context.params.items() if value}
    context.params = context.params | command | changes | {"resume": False}
    remark(f"Resuming the check of {command['document']} (in {folder}).")
    if not Path(folder).is_dir():
        raise UsageError(f"the folder {folder} of the interrupted check no longer exists.")
    with chdir(folder):
        return int(str(with_usual_options(check)(context=context, **context.params)))


def _look_up(
    settings: Settings,
    papers: Sequence[Paper],
    names: Sequence[str],
    offline: bool,
    plain: bool,
    decided: "Decided",
    from_memory: bool,
    command: Mapping[str, Any],
    done: "Callable[[int, RecordLookup], None]",
) -> "list[RecordLookup]":
    """Look the papers up, in `from_memory` answers only or at the sources; then the `command` is stored meanwhile,
    unless it reads standard input, which cannot be read again. `done` is called with each result."""
    from agents.lookup.records import look_up_records
    from cache import kept_values
    from cache.cached_source import CachedSource
    from spar_tui.cli.papers import in_workspace

    checked, resumable = set[int](), command["document"] != DASH

    async def ask(workspace: Workspace) -> "list[RecordLookup]":
        resources = workspace.resources
        live, registries = resources.live, resources.registries
        if from_memory:
            live, registries = (
                {
                    name: source.without_asking() if isinstance(source, CachedSource) else source
                    for name, source in group.items()
                    if name != CORPUS or not is_remote(settings.corpus)
                }
                for group in (live, registries)
            )
        library = resources.local.get("library")
        lookups = await look_up_records(
            papers, live, registries=registries, decided=decided, library=library, done=count
        )
        with suppress(CacheError):
            kept_values.forget_check(workspace.store, command)
        return lookups

    def count(index: int, lookup: "RecordLookup") -> None:
        """Count each entry with its first result: it is a row of the report from then on."""
        done(index, lookup)
        tell(index not in checked)
        checked.add(index)

    if resumable and not from_memory:
        with suppress(Failure, CacheError), open_store(settings) as store:
            kept_values.store_check(store, command)
    try:
        with counting("checked", len(papers), plain) as tell:
            return in_workspace(ask, offline, settings=settings, names=names)
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {len(checked):,} of {len(papers):,} entries; the answers so far are stored. "
            + ("Resume with: spar check --resume" if resumable else "Run the same command again to continue.")
        ) from None


def _lines(
    file: Path, graded: "Sequence[EntryFinding]", policy: "ReferencePolicy", everything: bool, style: Style
) -> Iterator[str]:
    from spar_tui.bibliography.checking import VERDICTS
    from spar_tui.reports.reference_report import heading, probability_text, summary_of

    if graded:
        yield style.paint(summary_of(graded), "bold")
    for verdict in VERDICTS:
        group = [finding for finding in graded if finding.verdict == verdict]
        if not group or (verdict in ("accepted", "ok") and not everything):
            continue
        yield from ("", style.paint(heading(verdict, len(group), policy), "bold", _COLOURS.get(verdict, "yellow")))
        shared = group[0].details if len(group) > 1 and len({finding.details for finding in group}) == 1 else ()
        for sentence in shared:
            yield from style.wrapped(sentence, "    ")
        for finding in group:
            head = f"  {name_of(file)}:{finding.line}  {style.paint(finding.key or '(no key)', 'cyan')}  "
            chance = f"  {text}" if (text := probability_text(finding)) else ""
            yield from style.beside(head, f"{finding.title}{chance}")
            for sentence in (*(() if shared else finding.details), *(f"Note: {text}" for text in finding.notes)):
                yield from style.wrapped(sentence, "    ")
