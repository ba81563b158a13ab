"""Return the works cited in what a person named on the command line: a file, or a paper of the sources."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cache.paths import expanded
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Paper
from spar_tui.bibliography.documents.citing_document import CitingDocument
from spar_tui.bibliography.documents.opening import read_document
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry
from spar_tui.errors import Failure, NothingFound, UsageError
from spar_tui.math_text import title_text
from spar_tui.phrases import papers_text
from spar_tui.settings import Settings
from spar_tui.terminal import DASH, remark
from spar_tui.workspace import Workspace

if TYPE_CHECKING:
    from spar_tui.bibliography.checking import EntryFinding
    from spar_tui.reports.finding_pages import ReportForm

HtmlOption = Annotated[
    str, typer.Option("--html", metavar="NEW", help="Write the report as one HTML page, to send to a coauthor.")
]
MarkdownOption = Annotated[str, typer.Option("--markdown", metavar="NEW", help="Write the report as Markdown.")]
SarifOption = Annotated[
    str, typer.Option("--sarif", metavar="NEW", help="Write the report as SARIF, which editors and CI show.")
]


def report_files(document: Path, html: str, markdown: str, sarif: str) -> "dict[ReportForm, Path]":
    """Return the report files by form. Raises `UsageError`, also if one is the `document` itself."""
    from spar_tui.files import resolved
    from spar_tui.reports.text_file import check_document_file, named_file

    wanted: dict[ReportForm, str] = {"html": html, "markdown": markdown, "sarif": sarif}
    reports = {form: named_file(name) for form, name in wanted.items() if name}
    if "markdown" in reports:
        check_document_file("markdown", reports["markdown"])
    for report in reports.values():
        if str(document) != DASH and resolved(report) == resolved(document):
            raise UsageError(f"{report.name} is the file that is checked; name another file for the report.")
    return reports


def write_reports(reports: "Mapping[ReportForm, Path]", written: "Callable[[ReportForm], str]", locks: Path) -> None:
    """Write each report; `written` returns its text."""
    from spar_tui.files import read_old
    from spar_tui.reports.text_file import write_document, write_text

    for form, report in reports.items():
        if form == "markdown":
            write_document(written(form), form, report, read_old(report), locks)
        else:
            write_text(written(form), report, read_old(report), locks)


MOST_LISTED = 1_000
"""Maximum number of references to request from sources."""


def citing_document(
    document: str, encoding: str, settings: Settings, names: Sequence[str], offline: bool
) -> CitingDocument:
    """Return the references in the file `document`, or those that the sources `names` list for the paper with this
    DOI or arXiv id. Reports unreadable parts on standard error. Raises `UserError`."""

    file = expanded(document)
    name = None if document == DASH or file.exists() else parse_identifier(document)
    cited = _listed(name, settings, names, offline) if name else read_document(file, encoding)
    for sentence in cited.notes:
        remark(f"{sentence[:1].upper()}{sentence[1:]}.")
    if of_text := sum(bool(entry.text) for entry in cited.found.entries):
        read = f"{of_text:,} references were" if of_text > 1 else "1 reference was"
        remark(f"{read} read from text; compare the text before you change a field.")
    return cited


def with_texts(findings: "Sequence[EntryFinding]", document: FileEntries) -> "list[EntryFinding]":
    """Add to each fault of a reference that was read from text that text, so that a misreading shows."""
    texts = {entry.line: f"Read from the text: “{entry.text}”" for entry in document.entries if entry.text}
    return [
        replace(finding, details=(*finding.details, texts[finding.line]))
        if finding.verdict not in ("ok", "could not check") and finding.line in texts
        else finding
        for finding in findings
    ]


def _listed(name: Identifier, settings: Settings, names: Sequence[str], offline: bool) -> CitingDocument:
    """Return the references that the sources list for the paper `name`. Raises `UsageError` if a source failed, else
    `NothingFound` if no source knows the paper or lists any."""
    from agents.lookup.links import linked
    from agents.run.findings import failures
    from spar_tui.cli.papers import find_paper, in_workspace
    from spar_tui.source_phrases import counts_text

    async def ask(workspace: Workspace) -> tuple[Sequence[Paper], str]:
        try:
            paper = (await find_paper(str(name), workspace)).paper
        except Failure as error:  # its exit code would mean that a reference is wrong
            raise UsageError(str(error)) from None
        around = await linked(paper, "references", workspace.resources, MOST_LISTED)
        failed = " ".join(f"{source} {sentence}" for source, sentence in failures(around.sources).items())
        if not around.papers:
            reason = f"no source lists what {name} cites; give its file instead."
            raise UsageError(f"{reason} {failed}") if failed else NothingFound(reason)
        text = f"{papers_text(len(around.papers))} cited by “{title_text(paper)}” ({counts_text(around.sources)}); "
        text += "references that the sources do not list are not checked"
        return around.papers, (f"{text}. {failed}" if failed else text).rstrip(".")

    interrupted = "interrupted while the sources were asked what the paper cites."
    papers, sentence = in_workspace(ask, offline, interrupted, settings=settings, names=names)
    entries = tuple(FoundEntry(number, "", paper) for number, paper in enumerate(papers, start=1))
    return CitingDocument(Path(str(name)), b"", FileEntries(entries), "list", (sentence,), looked_up=True)
