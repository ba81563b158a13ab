"""The findings of `spar check` or `spar lint` on a document, worst first, to read, open or accept."""

import asyncio
import json
import time
from asyncio import StreamReader
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from agents.evidence.source_check import SOURCE_GRADES
from cache.paths import expanded
from spar_tui.bibliography.checking import VERDICTS
from spar_tui.cli.lists.filter_words import first_word
from spar_tui.errors import UserError
from spar_tui.files import replace_with_backup
from spar_tui.phrases import counted, sentence
from spar_tui.reports.reference_report import MEANINGS
from spar_tui.reports.source_report import GRADE_TITLES, LEVELS
from spar_tui.terminal import ROWS
from spar_tui.tui.command_line.running import (
    STOPPED,
    message_of,
    run_process,
    started,
    verb_command,
    verbs,
    without_progress,
)
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.refresh.library_screen import LibraryScreen
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen, ScrollModal, first_lines
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.status_lines import clock_text
from spar_tui.tui.widgets.table import Column, Table, TableCell, Tone, filled
from spar_tui.tui.widgets.text import QUIET, plain


@dataclass(frozen=True, slots=True)
class ComparedField:
    """A field of a reference: its value in the document and in a source."""

    name: str
    yours: str
    theirs: str
    source: str


@dataclass(frozen=True, slots=True)
class DocumentFinding:
    """The finding on a reference or a citing sentence in `line` of `file`.

    `rank` is 0 for the worst verdict. `level` is error, warning, note, or "" if correct. `link` is the web address of
    the record, or "". `acceptable`: `spar check --accept` can accept it. `probability` is that of a wrong reference.
    """

    rank: int
    file: str
    line: int
    key: str
    title: str
    label: str
    level: str
    details: tuple[str, ...] = ()
    fields: tuple[ComparedField, ...] = ()
    link: str = ""
    acceptable: bool = False
    probability: float | None = None

    @property
    def place(self) -> tuple[int, str, str]:
        """The line, key and title, which identify the finding in a later check as well."""
        return self.line, self.key, self.title


def findings_of(report: Mapping[str, Any]) -> list[DocumentFinding]:
    """Return the findings in the JSON of `spar check --json` or `spar lint --json`, worst first."""
    references = (_reference(report["file"], entry) for entry in report.get("entries", ()))
    return _worst_first([*references, *map(_citing, report.get("citations", ()))])


def _worst_first(findings: Iterable[DocumentFinding]) -> list[DocumentFinding]:
    return sorted(findings, key=lambda finding: (finding.rank, finding.line))


def _reference(file: str, entry: Mapping[str, Any]) -> DocumentFinding:
    nearest = entry["nearest"]
    links = [*(field["link"] for field in entry["differences"]), *([nearest["link"]] if nearest else [])]
    return DocumentFinding(
        VERDICTS.index(entry["verdict"]), file, entry["line"], entry["key"], entry["title"],
        MEANINGS[entry["verdict"]], entry["level"] or "", tuple(entry["details"]),
        tuple(ComparedField(field["field"], field["yours"], field["theirs"], field["source"])
              for field in entry["differences"]),
        next(filter(None, links), ""), bool(entry["digest"]) and entry["verdict"] not in ("accepted", "ok"),
        entry["probability"],
    )  # fmt: skip


def _citing(citation: Mapping[str, Any]) -> DocumentFinding:
    passages = tuple(_passage(part["text"], part["page"]) for part in citation["passages"])
    return DocumentFinding(
        SOURCE_GRADES.index(citation["grade"]), citation["file"], citation["line"], citation["key"],
        citation["sentence"], GRADE_TITLES[citation["grade"]], LEVELS.get(citation["grade"], ""),
        tuple(filter(None, (citation["title"], citation["reason"], *passages))),
    )  # fmt: skip


def _passage(text: str, page: int | None) -> str:
    return f"“{text}” (page {page})" if page else f"“{text}”"


_TONES: dict[str, Tone] = {"error": "trouble", "warning": "warned", "note": "accent"}


def _probability(row: DocumentFinding) -> TableCell:
    return TableCell("" if row.probability is None else f"{row.probability:.0%}")


_COLUMNS: tuple[Column[DocumentFinding], ...] = (
    Column("Line", 6, lambda row: TableCell(f"{row.line:,}"), 50, right=True),
    Column("Result", 34, lambda row: TableCell(row.label, _TONES.get(row.level, "quiet")), 60, fitted=True),
    Column("Wrong", 6, _probability, 80, right=True),
    Column("Key", 24, lambda row: TableCell(row.key), 100, fitted=True),
    Column("Reference or sentence", 0, lambda row: TableCell(row.title, "plain")),
)


_TICK = 0.25
"""Seconds between updates while a check runs."""


class DocumentCheckScreen(LibraryScreen):
    """Runs `words`, a `check` or `lint` that was typed as `command`, and lists its findings."""

    BINDINGS = bindings("findings of a check")
    AUTO_FOCUS = "#findings"

    def __init__(self, command: str, words: Sequence[str]) -> None:
        super().__init__()
        self.command, self.words = command, words
        self._progress, self._begun = "", 0.0
        self._rows: dict[tuple[int, str, str], DocumentFinding] = {}
        """The findings of the running or last check so far."""
        self._stop: Callable[[], object] | None = None
        """Stops the running command."""

    def compose(self) -> ComposeResult:
        yield Table(filled(_COLUMNS, ()), lambda finding: finding.place, id="findings")
        yield Footer()

    def on_mount(self) -> None:
        self._check()

    @property
    def _table(self) -> Table[DocumentFinding]:
        return self.query_one("#findings", Table)

    @work(group="check", exclusive=True)
    async def _check(self) -> None:
        self._rows = {}
        if (report := await self._report()) is not None:
            self._show(findings_of(report))
        elif self._rows:
            self._show(_worst_first(self._rows.values()), stopped=True)
        else:
            self.dismiss()

    async def _report(self, *more: str) -> dict[str, Any] | None:
        """Return the command's JSON, with `more` options; None, with the reason as a notice, if it failed."""
        self._progress, self._begun = "running", time.monotonic()
        ticking = self.set_interval(_TICK, self._tick)
        self._tick()
        command = verb_command([*self.words, "--json", *more])
        try:
            async with started(self.app, self.command, command, DEVNULL, PIPE, ROWS) as (process, self._stop):
                assert process.stdout is not None
                assert process.stderr is not None
                report, remarks = await asyncio.gather(process.stdout.read(), self._remarks(process.stderr))
                await process.wait()
        finally:
            ticking.stop()
            self._stop = None
        text = " ".join(map(sentence, message_of(remarks).splitlines()))
        if not report.strip():  # exit code 1 means findings or a failure; only a check that was done prints a report
            if process.returncode != STOPPED:
                self.app.say(text or f"{self.command} failed ({process.returncode}).", "error", 10)
            return None
        if text and not more:
            self.app.say(text, seconds=8)
        value: dict[str, Any] = json.loads(report)
        return value

    async def _remarks(self, stream: StreamReader) -> str:
        """Return what the command says beside its report; note its findings, and how far it has come."""
        remarks = ""
        while line := await stream.readline():
            text, progress = without_progress(line.decode("utf-8", "replace"))
            remarks += text
            if progress.startswith("{"):
                self._rows |= {finding.place: finding for finding in findings_of(json.loads(progress))}
            else:
                self._progress = progress or self._progress
        return remarks

    def _tick(self) -> None:
        """Show the new findings, how far the command has come, and for how long it runs: a slow source may keep it at
        one reference."""
        shown = {row.place: row for row in self._table.rows}
        if self._rows.items() - shown.items():
            self._put(_worst_first((shown | self._rows).values()))
        passed = clock_text(time.monotonic() - self._begun)
        stops = plain(f"{self.app.key_shown('findings.back')} stops")
        self._table.entitle(plain(f"{self.command} · {self._progress} · {passed}"), stops)

    def _put(self, findings: Sequence[DocumentFinding]) -> None:
        self._table.set_columns(filled(_COLUMNS, findings))
        self._table.show(findings, None if self._table.place else next((row.place for row in findings), None))
        self.refresh_bindings()

    def _show(self, findings: Sequence[DocumentFinding], stopped: bool = False) -> None:
        """Show the findings of a check that has ended or was `stopped`."""
        self._put(findings)
        faults = sum(finding.level in ("error", "warning") for finding in findings)
        noun = "reference" if self.words[0] == "check" else "citation"
        shown = f"{'stopped · ' * stopped}{counted(len(findings), noun)} · {counted(faults, 'finding')}"
        note = (
            f"{self.app.key_shown('findings.again')} continues" if stopped else "" if findings else "nothing to check"
        )
        self._table.entitle(plain(f"{self.command} · {shown}"), Content(note))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether the row under the cursor allows an action."""
        row = self._table.row if self.is_mounted else None
        match action:
            case "browse":
                return bool(row and row.link)
            case "accept":
                return bool(row and row.acceptable and not self._stop)
            case "fix":
                return bool(row and not self._stop and self.words[0] == "check" and self._document.endswith(".bib"))
        return True

    @property
    def _document(self) -> str:
        """The document that the command names."""
        return first_word(verbs()[self.words[0]].params, self.words[1:]) or ""

    @on(Table.Selected)
    def _selected(self, event: Table.Selected) -> None:
        self.app.push_screen(FindingSheet(event.row))

    def action_browse(self) -> None:
        if (row := self._table.row) and row.link:
            self.app.browse_address(row.link, lambda: None)

    @work(group=PROMPTS)
    async def action_accept(self) -> None:
        if row := self._table.row:
            name = row.key or f"line {row.line}"
            reason = await self.app.push_screen_wait(
                TextPrompt(f"Why is {name} right? The reason is kept beside the file")
            )
            if reason and reason.strip():
                accepted = [*self.words, "--accept", row.key or str(row.line), "--reason", reason]
                await run_process(self.app, self.command, verb_command(accepted))
                self._check()

    @work(group=PROMPTS)
    async def action_fix(self) -> None:
        """Fix what is certain in the bibliography, after a question, and keep the old file beside it."""
        document, shown = expanded(self._document), self._table.rows
        with TemporaryDirectory() as folder:
            try:
                old = await asyncio.to_thread(document.read_bytes)
                report = await self._report("--fix", "--output", f"{folder}/fixed.bib")
                new = Path(folder, "fixed.bib").read_bytes() if report else old
            except OSError as error:
                self.app.say(f"{document} cannot be read ({error.strerror}).", "error", 10)
                return
        self._show(shown)
        if report is None:
            return
        changes = [
            f"line {change['line']}, {change['key']}: {change['sentence']}" for change in report["fixes"]["changes"]
        ]
        if not changes:
            self.app.say("No finding here has a certain fix.")
            return
        question = f"{first_lines(changes)}\nChange {document.name}? The old file is kept as a copy."
        if not await self.app.push_screen_wait(ConfirmScreen(question, "change", unasked=True)):
            return
        try:
            locks = self.app.settings.places.locks
            backup = await asyncio.to_thread(replace_with_backup, document, new, old, locks)
        except UserError as error:
            self.app.say(str(error), "error", 10)
        else:
            self.app.say(f"{document.name}: {counted(len(changes), 'fix', 'fixes')}. The old file is {backup.name}.")
            self._check()

    def action_again(self) -> None:
        self._check()

    def action_back(self) -> None:
        """Stop the check and keep its findings; without a running check or findings, go back."""
        if self._stop and self._table.rows:
            self._stop()
        else:
            super().action_back()


class FindingSheet(ScrollModal):
    """A finding: the values of the document and of the sources."""

    DEFAULT_CSS = """
    FindingSheet .sides { height: auto; }
    FindingSheet .sides Static { width: 1fr; padding-right: 2; }
    """
    BINDINGS = bindings("the help", "dialogs")

    def __init__(self, finding: DocumentFinding) -> None:
        super().__init__()
        self.finding = finding
        self.heading = finding.label

    def texts(self) -> Iterable[Content | Widget]:
        text = f"{self.finding.file}:{self.finding.line}"
        yield Content("\n").join([plain(self.finding.title, "bold"), plain(f"{self.finding.key}  {text}", QUIET)])
        for detail in self.finding.details:
            yield Content.assemble("\n", plain(detail))
        for field in self.finding.fields:
            yield Content.assemble("\n", plain(field.name, "bold"))
            sides = [("yours", field.yours)]
            sides += [(field.source, field.theirs)] if field.source else []  # a future year needs no source to be wrong
            texts = (Content("\n").join([plain(head, QUIET), plain(value or "(none)")]) for head, value in sides)
            yield Horizontal(*map(Static, texts), classes="sides")
