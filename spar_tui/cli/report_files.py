"""Report files of `spar check` and `spar lint`."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.errors import UsageError
from spar_tui.terminal import DASH

if TYPE_CHECKING:
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
    from spar_tui.bibliography.files import resolved
    from spar_tui.reports.text_file import named_file

    wanted: dict[ReportForm, str] = {"html": html, "markdown": markdown, "sarif": sarif}
    reports = {form: named_file(name) for form, name in wanted.items() if name}
    for report in reports.values():
        if str(document) != DASH and resolved(report) == resolved(document):
            raise UsageError(f"{report.name} is the file that is checked; name another file for the report.")
    return reports


def write_reports(reports: "Mapping[ReportForm, Path]", written: "Callable[[ReportForm], str]", locks: Path) -> None:
    """Write each report; `written` returns its text."""
    from spar_tui.bibliography.files import read_old
    from spar_tui.reports.text_file import write_text

    for form, report in reports.items():
        write_text(written(form), report, read_old(report), locks)
