"""The log of a search as a text or a file: Markdown, JSON, or a Word document by pandoc."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from connectors.records.visible import visible
from spar_tui.bibliography.pandoc import docx, need_pandoc
from spar_tui.errors import UsageError
from spar_tui.files import locked, read_old, replace_file
from spar_tui.reports.search_log_markdown import log_markdown
from spar_tui.reports.text_file import named_file
from spar_tui.terminal import dump

LogForm = Literal["markdown", "json", "docx"]
_FORMS: Mapping[str, LogForm] = {".md": "markdown", ".json": "json", ".docx": "docx"}


def form_of(output: str, as_json: bool) -> LogForm:
    """Return the form of a log that is printed or written to the file `output`. Raises `UserError`."""
    if not output:
        return "json" if as_json else "markdown"
    form = _FORMS.get(Path(output).suffix.lower())
    if form is None:
        raise UsageError(f"{output} must end in {', '.join(list(_FORMS)[:-1])} or {list(_FORMS)[-1]}.")
    if as_json and form != "json":
        raise UsageError(f"--json writes a .json file, not {output}.")
    if form == "docx":
        need_pandoc()
    return form


def log_text(log: Mapping[str, Any], form: LogForm) -> str:
    """Return a log as text; a Word document is made from its Markdown."""
    if form == "json":
        return dump(log)
    return "\n".join(map(visible, log_markdown(log).rstrip("\n").split("\n")))


def write_log(output: str, text: str, form: LogForm, locks: Path) -> None:
    """Write a log to the file `output`, replacing its contents. Raises `UserError`."""
    file = named_file(output)
    content = docx(text) if form == "docx" else f"{text}\n".encode("utf-8", "replace")
    with locked(file, locks):
        replace_file(file, content, read_old(file))
