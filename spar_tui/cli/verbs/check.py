"""`spar check`: find errors in a bibliography."""

from collections.abc import Mapping, Sequence
from contextlib import chdir, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connectors.paper import Paper
from spar_tui.cli.arguments import EncodingOption, JsonFlag, OfflineFlag, PlainFlag, SourceOption, source_names
from spar_tui.cli.cited_documents import HtmlOption, MarkdownOption, SarifOption, report_files, write_reports
from spar_tui.cli.written_mends import name_of, patched_name, refuse_fix, write_mends
from spar_tui.errors import Failure, Interrupted, UsageError
from spar_tui.settings import Settings
from spar_tui.terminal import DASH, answer_style, counting, note, remark, say, say_json
from spar_tui.workspace import Workspace, open_store, read_settings

if TYPE_CHECKING:
    from agents.lookup.records import Decided, RecordLookup
    from spar_tui.bibliography.checking import EntryFinding
    from spar_tui.reports.finding_pages import ReportForm
    from spar_tui.reports.reference_report import ReferencePolicy

_COLOURS = {"unreadable": "red", "retracted": "red", "not found": "red", "could not check": "dim",
            "accepted": "dim", "ok": "green"}  # fmt: skip


def check(
    context: typer.Context,
    document: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A bibliography of any format that spar import reads, a document with references (.tex, .bbl, .aux, "
            ".typ, .docx, .odt, .md, .html, PDF, text), or a DOI or arXiv id: what that paper cites. - reads standard "
            "input.",
            show_default=False,
        ),
    ] = None,
    source: SourceOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Also list entries that are right or accepted.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write a patch of the certain corrections, each with its proof.")
    ] = False,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            metavar="NEW",
            help="With --fix: write the patch here or, if NEW is a .bib file, the whole corrected file.",
        ),
    ] = "",
    html: HtmlOption = "",
    markdown: MarkdownOption = "",
    sarif: SarifOption = "",
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="NAME",
            help="Severity of findings: lenient, or as published by neurips, iclr, icml or acl. Then only errors fail.",
        ),
    ] = "",
    accept: Annotated[
        str,
        typer.Option("--accept", metavar="KEY", help="Accept the finding on the entry KEY (without a key: its line)."),
    ] = "",
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="With --accept: why the entry is right.")
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the last interrupted check, with its options.")
    ] = False,
    encoding: EncodingOption = "",
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
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
    from spar_tui.cli.cited_documents import citing_document, with_texts
    from spar_tui.cli.written_mends import accept_findings, accepted_before, checked_reason
    from spar_tui.reports.reference_report import reference_report

    if output and not fix:
        raise UsageError("-o needs --fix; it names the file for the patch or the fixed bibliography.")
    grave = _policy(policy)
    why = checked_reason(document, accept, reason, not (fix or html or markdown or sarif))
    reports = report_files(Path(document), html, markdown, sarif)
    names = source_names(source or [])
    settings = read_settings(background=True)
    preferences = settings.preferences
    cited = citing_document(document, encoding, settings, names or preferences.sources, offline or preferences.offline)
    file, raw, contents = cited.file, cited.raw, cited.found
    if fix:
        refuse_fix(cited, output)
    if len(contents.entries) > MOST_CHECKED:
        raise UsageError(f"{file} has {len(contents.entries):,} entries; at most {MOST_CHECKED:,} are checked at once.")
    papers = [entry.paper for entry in contents.entries]
    today = date.today()
    decided = decided_by_fields(contents.entries, today)
    offline = offline or preferences.offline
    command = {"folder": str(Path.cwd()), **context.params}
    lookups = _look_up(settings, papers, names or preferences.sources, offline, plain, decided, bool(accept), command)
    judged = with_texts(findings(contents, lookups, today, accepted_before(cited)), contents)
    changed = str(file) != DASH and not cited.looked_up and _bytes_of(file) != raw
    locks = settings.places.locks

    def written(form: "ReportForm") -> str:
        return reference_report(form, patched_name(file), judged, grave)

    if accept:
        unanswered = {
            (entry.line, entry.paper.title)
            for entry, lookup in zip(contents.entries, lookups, strict=True)
            if lookup.silent
        }
        accept_findings(file, judged, unanswered, accept, why, locks, as_json)
        return 0
    if fix:
        if changed:
            raise Failure(
                f"{file} was changed by another program while it was checked; nothing was written, try again."
            )
        from spar_tui.bibliography.mending.mended import mended
        from spar_tui.bibliography.mending.mends import Mend, mends_of

        write_reports(reports, written, locks)
        fine = {finding.line for finding in judged if finding.verdict == "accepted"}
        mends = [Mend(mend.entry) if mend.entry.line in fine else mend for mend in mends_of(contents, lookups)]
        write_mends(file, raw, mended(raw, mends), judged, grave, output, locks, as_json)
        return _exit_code(judged, grave)
    write_reports(reports, written, locks)
    if changed:
        remark(f"{file} was changed while it was checked; the report describes the file as it was before.")
    if as_json:
        _print_json(file, judged, grave)
    else:
        _print(file, judged, grave, everything, plain)
    return _exit_code(judged, grave)


def _resumed(context: typer.Context) -> int:
    """Resume the check that was interrupted last, in its folder; options given now replace its own."""
    from cache import kept_values

    with open_store(read_settings(background=True)) as store:
        command = kept_values.stored_check(store)
    if not command:
        raise UsageError("no check was interrupted; name a FILE: spar check refs.bib.")
    folder = command.pop("folder")
    given = {name: value for name, value in context.params.items() if value}
    context.params = command | given | {"resume": False}
    remark(f"Resuming the check of {command['document']} (in {folder}).")
    if not Path(folder).is_dir():
        raise UsageError(f"the folder {folder} of the interrupted check no longer exists.")
    with chdir(folder):
        return check(
            context, **{name: context.params[name] for name in check.__annotations__ if name in context.params}
        )


def _policy(name: str) -> "ReferencePolicy":
    from spar_tui.reports.reference_report import POLICIES

    if name not in POLICIES:
        raise UsageError(f"--policy: unknown policy {name!r}; choose from {', '.join(filter(None, POLICIES))}.")
    return POLICIES[name]


def _bytes_of(file: Path) -> bytes:
    """Return the bytes of the file, or of standard input. Raises `UsageError`."""
    from spar_tui.bibliography.reading.files import read_bytes, standard_input

    return standard_input() if str(file) == DASH else read_bytes(file)


def _look_up(
    settings: Settings,
    papers: Sequence[Paper],
    names: Sequence[str],
    offline: bool,
    plain: bool,
    decided: "Decided",
    remembered: bool,
    command: Mapping[str, Any],
) -> "list[RecordLookup]":
    """Look the papers up, in `remembered` answers only or at the sources; then the `command` is stored meanwhile,
    unless it reads standard input, which cannot be read again."""
    from agents.lookup.records import look_up_records
    from cache import kept_values
    from cache.cached_source import CachedSource
    from cache.corpus.place import CORPUS, is_remote
    from cache.errors import CacheError
    from spar_tui.cli.papers import in_workspace

    checked, resumable = 0, command["document"] != DASH

    async def ask(workspace: Workspace) -> "list[RecordLookup]":
        resources = workspace.resources
        live, registries = resources.live, resources.registries
        if remembered:
            live, registries = (
                {
                    name: source.without_asking() if isinstance(source, CachedSource) else source
                    for name, source in group.items()
                    if name != CORPUS or not is_remote(settings.corpus)
                }
                for group in (live, registries)
            )
        lookups = await look_up_records(papers, live, count, registries, decided, resources.local.get("library"))
        with suppress(CacheError):
            kept_values.forget_check(workspace.store, command)
        return lookups

    def count(more: int) -> None:
        nonlocal checked
        checked += more
        tell(more)

    if resumable and not remembered:
        with suppress(Failure, CacheError), open_store(settings) as store:
            kept_values.store_check(store, command)
    try:
        with counting("checked", len(papers), plain) as tell:
            return in_workspace(ask, offline, settings=settings, names=names)
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {checked:,} of {len(papers):,} entries; the answers so far are stored. "
            + ("Resume with: spar check --resume" if resumable else "Run the same command again to continue.")
        ) from None


def _exit_code(judged: "Sequence[EntryFinding]", policy: "ReferencePolicy") -> int:
    if policy.fails(judged):
        return 1
    return 4 if any(finding.verdict == "could not check" for finding in judged) else 0


def _print_json(file: Path, judged: "Sequence[EntryFinding]", policy: "ReferencePolicy") -> None:
    from spar_tui.reports.reference_report import report_object

    say_json(report_object(str(file), judged, policy))


def _print(
    file: Path, judged: "Sequence[EntryFinding]", policy: "ReferencePolicy", everything: bool, plain: bool
) -> None:
    from spar_tui.bibliography.checking import VERDICTS
    from spar_tui.reports.reference_report import heading, probability_text, summary_of

    style = answer_style(plain)
    if judged:
        say(style.paint(summary_of(judged), "bold"))
    for verdict in VERDICTS:
        mine = [finding for finding in judged if finding.verdict == verdict]
        if not mine or (verdict in ("accepted", "ok") and not everything):
            continue
        say("", style.paint(heading(verdict, len(mine), policy), "bold", _COLOURS.get(verdict, "yellow")))
        shared = mine[0].details if len(mine) > 1 and len({finding.details for finding in mine}) == 1 else ()
        for sentence in shared:
            say(*style.wrapped(sentence, "    "))
        for finding in mine:
            head = f"  {name_of(file)}:{finding.line}  {style.paint(finding.key or '(no key)', 'cyan')}  "
            chance = f"  {text}" if (text := probability_text(finding)) else ""
            say(*style.beside(head, f"{finding.title}{chance}"))
            for sentence in (*(() if shared else finding.details), *(f"Note: {text}" for text in finding.notes)):
                say(*style.wrapped(sentence, "    "))
    if not judged:
        note(f"{name_of(file)} has no entries.")
