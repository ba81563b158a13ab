"""Return the works cited in what a person named on the command line: a file, or a paper of the sources."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cache.paths import expanded
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Paper
from spar_tui.bibliography.documents.citing_document import CitingDocument
from spar_tui.bibliography.documents.opening import read_document
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry
from spar_tui.errors import Failure, NothingFound, UsageError
from spar_tui.math_text import title_text
from spar_tui.phrases import counted, papers_text
from spar_tui.settings import Settings
from spar_tui.terminal import DASH, remark
from spar_tui.workspace import Workspace

if TYPE_CHECKING:
    from spar_tui.bibliography.checking import EntryFinding
    from spar_tui.reports.finding_reports import ReportForm


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFlags:
    """The files to which a verb also writes its report."""

    html: Annotated[str, "NEW", "Write the report as one HTML page, to send to a coauthor."] = ""
    markdown: Annotated[str, "NEW", "Write the report as Markdown."] = ""
    sarif: Annotated[str, "NEW", "Write the report as SARIF, which editors and CI show."] = ""

    def files(self, document: Path) -> "dict[ReportForm, Path]":
        """Return the files by form. Raises `UsageError`, also if one is the `document` itself."""
        from spar_tui.files import resolved
        from spar_tui.reports.text_file import check_document_file, named_file

        names: dict[ReportForm, str] = {"html": self.html, "markdown": self.markdown, "sarif": self.sarif}
        files = {form: named_file(name) for form, name in names.items() if name}
        if "markdown" in files:
            check_document_file("markdown", files["markdown"])
        for file in files.values():
            if str(document) != DASH and resolved(file) == resolved(document):
                raise UsageError(f"{file.name} is the file that is checked; name another file for the report.")
        return files


def write_reports(reports: "Mapping[ReportForm, Path]", text_of: "Callable[[ReportForm], str]", locks: Path) -> None:
    """Write each report in its form."""
    from spar_tui.files import write_file
    from spar_tui.reports.text_file import document_content

    for form, file in reports.items():
        text = text_of(form)
        content = document_content(text, form, file) if form == "markdown" else text.encode("utf-8", "replace")
        write_file(file, content, locks)


MOST_LISTED = 1_000
"""Maximum number of references to request from sources."""


def citing_document(
    document: str, encoding: str, settings: Settings, names: Sequence[str], offline: bool
) -> CitingDocument:
    """Return the references in the file `document`, or those that the sources `names` list for the paper with this
    DOI or arXiv id. Reports unreadable parts on standard error. Raises `UserError`."""

    file = expanded(document)
    name = None if document == DASH or file.exists() else parse_identifier(document)
    document_references = _references_of(name, settings, names, offline) if name else read_document(file, encoding)
    for sentence in document_references.notes:
        remark(f"{sentence[:1].upper()}{sentence[1:]}.")
    if number := sum(bool(entry.text) for entry in document_references.found.entries):
        references = counted(number, "reference")
        remark(f"spar read {references} from text; compare the text before you change a field.")
    return document_references


def with_texts(findings: "Sequence[EntryFinding]", document: FileEntries) -> "list[EntryFinding]":
    """Add to each fault of a reference that was read from text that text, so that a misreading shows."""
    texts = {entry.line: f"Read from the text: “{entry.text}”" for entry in document.entries if entry.text}
    return [
        replace(finding, details=(*finding.details, texts[finding.line]))
        if finding.verdict not in ("ok", "could not check") and finding.line in texts
        else finding
        for finding in findings
    ]


def _references_of(name: Identifier, settings: Settings, names: Sequence[str], offline: bool) -> CitingDocument:
    """Return the references that the sources list for the paper `name`. Raises `UsageError` if a source failed, else
    `NothingFound` if no source knows the paper or lists any."""
    from agents.lookup.links import linked
    from agents.run.findings import failures
    from spar_tui.cli.papers import find_paper, in_workspace
    from spar_tui.source_phrases import counts_text, failed_sources_text

    async def ask(workspace: Workspace) -> tuple[Sequence[Paper], str]:
        try:
            paper = (await find_paper(str(name), workspace)).paper
        except Failure as error:  # its exit code would mean that a reference is wrong
            raise UsageError(str(error)) from None
        references = await linked(paper, "references", workspace.resources, MOST_LISTED)
        failed = failures(references.sources)
        faults = failed_sources_text(failed) if failed else ""
        if not references.papers:
            reason = f"no source lists what {name} cites; give its file instead."
            raise UsageError(f"{reason} {faults}") if faults else NothingFound(reason)
        number, counts = papers_text(len(references.papers)), counts_text(references.sources)
        text = f"{number} cited by “{title_text(paper)}” ({counts}); spar checks only references that the sources list"
        return references.papers, (f"{text}. {faults}" if faults else text).rstrip(".")

    interrupted = "interrupted while the sources were asked what the paper cites."
    papers, sentence = in_workspace(ask, offline, interrupted, settings=settings, names=names)
    entries = tuple(FoundEntry(number, "", paper) for number, paper in enumerate(papers, start=1))
    return CitingDocument(Path(str(name)), b"", FileEntries(entries), "list", (sentence,), looked_up=True)
