"""The LSP server, on standard input and output.

It only reads documents. A bibliography changes by edits that the person chose and the editor makes, and by adding a
saved paper, written as `spar export --append` does.
"""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import date
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from agents.llm.budget import Budget
from agents.lookup.records import RecordLookup, look_up_records
from agents.tools import nearness
from cache import citation_keys, papers, shelf
from cache.conditions.filters import filter_by
from cache.conditions.library import matching
from cache.errors import CacheError
from cache.shelf import Shelved
from connectors.paper import Paper, short_authors
from connectors.records.visible import first_words, visible
from spar_tui import __version__
from spar_tui.bibliography.accepted import Acceptance, accept, read_accepted
from spar_tui.bibliography.checking import MOST_CHECKED, EntryFinding, decided_by_fields, findings
from spar_tui.bibliography.citation_key import DEFAULT_PRESET, key_pattern
from spar_tui.bibliography.citing_sentences import citing_sentences
from spar_tui.bibliography.exporting import ExportedPaper, export_papers
from spar_tui.bibliography.markdown import escaped
from spar_tui.bibliography.mending.mended import mended
from spar_tui.bibliography.mending.mends import Mend, mends_of
from spar_tui.bibliography.options import ExportOptions
from spar_tui.bibliography.source_linting import cited_entries, lint_sentences
from spar_tui.errors import UsageError, UserError
from spar_tui.lsp.diagnostics import UNKNOWN_KEY, of_bibliography, of_citations, of_sources
from spar_tui.lsp.project import Bibliography, ReadBibliographies, entries_by_key, found_entries, near_keys, offered
from spar_tui.reports.reference_report import MEANINGS
from spar_tui.settings import Settings
from spar_tui.workspace import Workspace, open_workspace

KEY_BEGIN = re.compile(r"[^\s{}()\[\],;@#%\"~\\<>]{0,200}$")
KEY_END = re.compile(r"^[^\s{}()\[\],;@#%\"~\\<>]*")
"""The part of a citation key before the cursor, and the part after it."""
_LONGEST = 800
"""Maximum number of characters of an abstract that are shown."""
_OPEN = {
    "tex": re.compile(r"\\[A-Za-z]*[Cc]ite[A-Za-z]*\*?(?:[^{}\\]|\{[^{}]*\})*\{(?:[^{}]*,)?\s*([^{},]*)$"),
    "markdown": re.compile(r"(?:^|[\s\[(;\-])@\{?([^\s@{}\[\]();,]*(?:_[^\s@{}\[\]();,]*)*)$"),
    "typst": re.compile(r"(?:^|[\s\[(;])@([^\s@\[\]();,]*)$|#cite\(\s*<([^<>]*)$"),
}
"""Patterns of a line up to the cursor inside a citation; the group is the part of the key typed so far."""
_KINDS = {
    ".tex": "tex", ".ltx": "tex", ".latex": "tex", ".typ": "typst",
    ".md": "markdown", ".markdown": "markdown", ".qmd": "markdown", ".rmd": "markdown",
}  # fmt: skip


def kind_of_document(suffix: str) -> str:
    """Return `tex`, `markdown` or `typst` by the file's extension; "" for all others."""
    return _KINDS.get(suffix.lower(), "")


def typed_key(before: str, kind: str) -> str | None:
    """Return the part of a key typed in the line `before` the cursor, in LaTeX also words of a title; None outside
    of keys."""
    match = _OPEN[kind].search(before) if kind in _OPEN else None
    return next((part for part in match.groups() if part is not None), "") if match else None


def about_work(paper: Paper, shelved: Shelved | None = None) -> str:
    """Return what is known of a work, as escaped Markdown."""
    people = ", ".join(filter(None, (short_authors(paper), str(paper.year or ""), paper.venue)))
    lines = [f"**{escaped(visible(paper.title))}**", escaped(visible(people))]
    if paper.retracted:
        lines.append("**Retracted.**")
    if shelved and shelved.note:
        lines.append(f"Your note: {escaped(visible(shelved.note[:_LONGEST]))}")
    if paper.abstract:
        lines.append(escaped(visible(first_words(paper.abstract, _LONGEST))))
    return "\n\n".join(filter(None, lines))


ADD, CHECK, ACCEPT = "spar.addPaper", "spar.checkReferences", "spar.acceptFinding"
IN_EDITOR = "accepted in the editor"
"""Reason for a finding that is accepted in the editor, where none can be typed."""
_MEANT = 20
"""Maximum number of saved papers that are offered because their text has the typed words, or means the same."""


class ReferenceServer:
    """One editor's server. `names` are the sources that a check asks."""

    def __init__(self, settings: Settings, names: Sequence[str], offline: bool) -> None:
        self.server = LanguageServer("spar", __version__)
        self._settings, self._names, self._offline = settings, names, offline
        self._opened = AsyncExitStack()
        self._workspace: Workspace | None = None
        self._bibliographies = ReadBibliographies()
        self._meanings = nearness.Meanings()
        self._looked_up: dict[Paper, RecordLookup] = {}
        """Lookup results of the entries that were checked since the server started."""
        self._checks = count(1)
        self._tasks: dict[str, asyncio.Future[None]] = {}
        triggers = lsp.CompletionOptions(trigger_characters=["{", ",", "@", "<"])
        self.server.feature(lsp.TEXT_DOCUMENT_COMPLETION, triggers)(self._handler(self._complete))
        for name, method in (
            (lsp.TEXT_DOCUMENT_HOVER, self._hover),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._opened_document),
            (lsp.TEXT_DOCUMENT_DID_SAVE, self._saved_document),
            (lsp.TEXT_DOCUMENT_CODE_ACTION, self._actions),
            (lsp.SHUTDOWN, self._close),
        ):
            self.server.feature(name)(self._handler(method))
        self.server.command(ADD)(self._handler(self._add))
        self.server.command(CHECK)(self._handler(self._check))
        self.server.command(ACCEPT)(self._handler(self._accept))

    def _handler(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Wrap `method` in a function, because pygls sets attributes on its handlers. Errors are shown to the user."""

        @wraps(method)
        async def handler(*arguments: Any) -> Any:
            try:
                return await method(*arguments)
            except (UserError, CacheError) as error:
                self._say(str(error), lsp.MessageType.Error)
                return None

        return handler

    def serve(self) -> None:
        """Serve the editor over standard input and output until it disconnects. Printed text goes to standard error.

        Ctrl-C ends the process at once: a thread that waits for standard input cannot be stopped otherwise.
        """
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as replies:
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            self.server.start_io(stdout=replies)

    async def _open(self) -> Workspace:
        if self._workspace is None:
            self._workspace = await self._opened.enter_async_context(
                open_workspace(self._settings, self._names, self._offline)
            )
        return self._workspace

    async def _close(self, params: None = None) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._workspace = None
        await self._opened.aclose()

    def _document(self, uri: str) -> tuple[TextDocument, Path]:
        return self.server.workspace.get_text_document(uri), Path(to_fs_path(uri) or "")

    async def _complete(self, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        document, file = self._document(params.text_document.uri)
        position = document.position_codec.position_from_client_units(document.lines, params.position)
        before = document.lines[position.line][: position.character] if position.line < len(document.lines) else ""
        prefix = typed_key(before, kind_of_document(file.suffix))
        if prefix is None:
            return None
        store = (await self._open()).store
        bibliographies = await asyncio.to_thread(self._bibliographies.of, file)
        near = await asyncio.to_thread(self._near, prefix)
        citables = offered(prefix, entries_by_key(bibliographies), store, near)
        begin = lsp.Position(position.line, position.character - len(prefix))
        edited = lsp.Range(document.position_codec.position_to_client_units(document.lines, begin), params.position)
        items = [
            lsp.CompletionItem(
                citable.key, kind=lsp.CompletionItemKind.Reference, detail=citable.paper.title[:200],
                documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, about_work(citable.paper)),
                sort_text=f"{turn:03}", filter_text=prefix or citable.key, text_edit=lsp.TextEdit(edited, citable.key),
                command=_adding(file, citable.key) if citable.number is not None else None,
            )
            for turn, citable in enumerate(citables)
        ]  # fmt: skip
        return lsp.CompletionList(is_incomplete=True, items=items)

    def _near(self, prefix: str) -> list[int]:
        """Return saved papers whose text has the typed words, then those near in meaning, each the best first."""
        if len(prefix) < 4 or self._workspace is None:
            return []
        store = self._workspace.store
        on_shelf = matching(store, filter_by(saved=True))
        by_words = nearness.by_words(store, prefix, on_shelf).order
        near = self._meanings.near(store, prefix, on_shelf)
        return [*map(int, dict.fromkeys([*by_words, *near]))][:_MEANT]

    async def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        document, file = self._document(params.text_document.uri)
        key = document.word_at_position(params.position, KEY_BEGIN, KEY_END)
        bibliographies = await asyncio.to_thread(self._bibliographies.of, file)
        entry = entries_by_key(bibliographies).get(key)
        if entry is None:
            return None
        store = (await self._open()).store
        number = papers.number_of(store, entry.paper)
        shelf_entry = shelf.shelved(store, number) if number is not None else None
        paper = shelf_entry.paper if shelf_entry and shelf_entry.paper.abstract else entry.paper
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, about_work(paper, shelf_entry)))

    async def _opened_document(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._later(params.text_document.uri, self._inspect)

    async def _saved_document(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self._later(params.text_document.uri, self._inspect)

    def _later(self, uri: str, work: Callable[[str], Awaitable[None]]) -> None:
        """Start `work` for a document in the background, and cancel the work that still runs for it."""
        if running := self._tasks.pop(uri, None):
            running.cancel()
        self._tasks[uri] = asyncio.ensure_future(self._handler(work)(uri))

    async def _inspect(self, uri: str) -> None:
        """Publish the diagnostics of a document as saved, without asking sources."""
        document, file = self._document(uri)
        if file.suffix.lower() == ".bib":
            await self._inspect_bibliography(uri, file, document.lines)
        elif kind_of_document(file.suffix):
            await self._inspect_citations(uri, file, document.lines)

    async def _inspect_bibliography(self, uri: str, file: Path, lines: Sequence[str]) -> None:
        bibliography = await asyncio.to_thread(self._bibliographies.read, file)
        if bibliography is None:
            return
        try:
            accepted = await asyncio.to_thread(read_accepted, file)
        except UserError as error:
            self._say(f"{error} Until then, accepted findings are shown too.")
            accepted = []
        graded = await asyncio.to_thread(self._findings, bibliography, accepted)
        self._publish(uri, of_bibliography(graded, lines))

    def _findings(self, bibliography: Bibliography, accepted: Sequence[Acceptance]) -> list[EntryFinding]:
        """Return the findings on the entries, from the lookups so far."""
        entries = bibliography.found.entries
        lookups = [self._looked_up.get(entry.paper) for entry in entries]
        graded = findings(bibliography.found, [lookup or RecordLookup() for lookup in lookups], date.today(), accepted)
        unchecked = {entry.line for entry, lookup in zip(entries, lookups, strict=True) if lookup is None}
        return [finding for finding in graded if finding.verdict != "could not check" or finding.line not in unchecked]

    def _acceptable(self, bibliography: Bibliography) -> list[EntryFinding]:
        """Return the findings that can be accepted; none if the file of acceptances cannot be read."""
        try:
            return [
                finding
                for finding in self._findings(bibliography, read_accepted(bibliography.file))
                if finding.acceptable
            ]
        except UserError:
            return []

    async def _inspect_citations(self, uri: str, file: Path, lines: Sequence[str]) -> None:
        if not file.is_file():
            return
        bibliographies = await asyncio.to_thread(self._bibliographies.of, file)
        sentences = await asyncio.to_thread(lambda: list(citing_sentences([file])))
        diagnostics = of_citations(sentences, entries_by_key(bibliographies), lines)
        self._publish(uri, diagnostics)
        workspace = await self._open()
        quiet = replace(workspace, resources=replace(workspace.resources, live={}, model=None))
        works = cited_entries(found_entries(bibliographies), sentences)
        outcome = await lint_sentences(quiet, sentences, works, True, Budget(0), lambda more: None, str)
        self._publish(uri, [*diagnostics, *of_sources(outcome, lines)])

    def _publish(self, uri: str, diagnostics: Sequence[lsp.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, list(diagnostics)))

    async def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        document, file = self._document(uri)
        if file.suffix.lower() == ".bib":
            return await self._mends(uri, document, file, params.range)
        actions = list[lsp.CodeAction]()
        bibliographies = await asyncio.to_thread(self._bibliographies.of, file)
        entries, store = entries_by_key(bibliographies), (await self._open()).store
        for diagnostic in params.context.diagnostics:
            if diagnostic.code != UNKNOWN_KEY:
                continue
            key = document.word_at_position(diagnostic.range.start, KEY_BEGIN, KEY_END)
            if citation_keys.paper_of(store, key) is not None:
                actions.append(lsp.CodeAction(f"Add {key} from the library", lsp.CodeActionKind.QuickFix, [diagnostic],
                                              command=_adding(file, key)))  # fmt: skip
            for near in near_keys(key, entries):
                edit = lsp.WorkspaceEdit({uri: [lsp.TextEdit(diagnostic.range, near)]})
                actions.append(lsp.CodeAction(f"Cite {near}", lsp.CodeActionKind.QuickFix, [diagnostic], edit=edit))
        return actions

    async def _mends(self, uri: str, document: TextDocument, file: Path, span: lsp.Range) -> list[lsp.CodeAction]:
        """Return the fixes and acceptances for the entries at `span`, and the action that checks the file."""
        check = lsp.CodeAction("Check the references with the sources", lsp.CodeActionKind.Source,
                               command=lsp.Command("Check the references", CHECK, arguments=[uri]))  # fmt: skip
        bibliography = await asyncio.to_thread(self._bibliographies.read, file)
        if bibliography is None or bibliography.raw.decode("utf-8", "replace") != document.source:
            return [check]  # unsaved text may have other line numbers
        entries = bibliography.found.entries
        lookups = [self._looked_up.get(entry.paper) or RecordLookup() for entry in entries]
        actions = list[lsp.CodeAction]()
        begins = [entry.line - 1 for entry in entries] + [len(document.lines)]
        every = mends_of(bibliography.found, lookups)
        for turn, mend in enumerate(every):
            if begins[turn] <= span.start.line < begins[turn + 1] and (mend.changes or mend.joined):
                ours = {id(mend), id(mend.joined)}
                result = mended(bibliography.raw, [fix if id(fix) in ours else Mend(fix.entry) for fix in every])
                actions += [_fix(f"Fix {mend.entry.key}: {change.sentence}"[:200], uri, document, result.data)
                            for change in result.changes[:1]]  # fmt: skip
        for finding in await asyncio.to_thread(self._acceptable, bibliography):
            end = min(line for line in (*begins, sys.maxsize) if line >= finding.line)
            if finding.line - 1 <= span.start.line < end:
                title = f"Accept: {finding.key or 'the entry'}, {MEANINGS[finding.verdict].lower()}"
                command = lsp.Command("Accept the finding", ACCEPT, arguments=[uri, finding.digest, finding.verdict])
                actions.append(lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, command=command))
        if sum(bool(fix.changes or fix.joined) for fix in every) > 1:
            result = mended(bibliography.raw, every)
            title = f"Apply all certain fixes ({len(result.changes)} changes)"
            actions.append(_fix(title, uri, document, result.data))
        return [*actions, check]

    async def _add(self, document: str, key: str) -> None:
        store = (await self._open()).store
        number = citation_keys.paper_of(store, key)
        bibliographies = await asyncio.to_thread(self._bibliographies.of, Path(document))
        if number is None or not bibliographies:
            why = "there is no .bib file beside the document" if number else "no paper has this key"
            self._say(f"{key} was not added: {why}.")
            return
        await self._append(bibliographies[0], number)

    async def _append(self, bibliography: Bibliography, number: int) -> None:
        file = bibliography.file.resolve()
        opened = self.server.workspace.text_documents.get(from_fs_path(str(file)) or "")
        if opened is not None and opened.source.encode() != bibliography.raw:
            self._say(f"{file.name} has unsaved changes; save it, then add the paper.")
            return
        store = (await self._open()).store
        paper = papers.by_id(store, number)
        options = ExportOptions(None, key_pattern(DEFAULT_PRESET), file=file, append=True)
        locks = self._settings.places.locks
        result = export_papers(store, {number: ExportedPaper(paper)}, options, locks)
        self._say(" ".join(result.notes), lsp.MessageType.Info)

    async def _accept(self, uri: str, digest: str, verdict: str) -> None:
        """Accept a finding, so that it is not marked any more."""
        document, file = self._document(uri)
        bibliography = await asyncio.to_thread(self._bibliographies.read, file)
        current = await asyncio.to_thread(self._acceptable, bibliography) if bibliography else []
        matching = (finding for finding in current if (finding.digest, finding.verdict) == (digest, verdict))
        if (finding := next(matching, None)) is None:
            self._say("The finding was not accepted because the entry has changed; save the file and try again.")
            return
        target = await asyncio.to_thread(accept, file, [finding.acceptance(IN_EDITOR)], self._settings.places.locks)
        self._say(f"Accepted. Write your reason in {target.name}.", lsp.MessageType.Info)
        await self._inspect_bibliography(uri, file, document.lines)

    async def _check(self, uri: str) -> None:
        """Check the entries of a bibliography with the sources, in the background."""
        self._later(uri, self._checked)

    async def _checked(self, uri: str) -> None:
        document, file = self._document(uri)
        bibliography = await asyncio.to_thread(self._bibliographies.read, file)
        if bibliography is None:
            return
        resources = (await self._open()).resources
        entries = bibliography.found.entries
        if len(entries) > MOST_CHECKED:
            raise UsageError(f"{file.name} has {len(entries):,} entries; at most {MOST_CHECKED:,} are checked at once.")
        async with self._progress(len(entries)) as tell:
            lookups = await look_up_records(
                [entry.paper for entry in entries], resources.live, tell, resources.registries,
                decided_by_fields(entries, date.today()), resources.local.get("library"),
            )  # fmt: skip
        self._looked_up |= {entry.paper: lookup for entry, lookup in zip(entries, lookups, strict=True)}
        await self._inspect_bibliography(uri, file, document.lines)

    @asynccontextmanager
    async def _progress(self, total: int) -> AsyncIterator[Callable[[int], None]]:
        """Show how many of `total` entries are checked, if the editor can show progress. Yields a function that is
        called with the number of further entries."""
        window = self.server.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield lambda more: None
            return
        token, progress, result = f"spar-check-{next(self._checks)}", self.server.work_done_progress, 0
        await progress.create_async(token)
        progress.begin(token, lsp.WorkDoneProgressBegin("Checking references", percentage=0))

        def tell(more: int) -> None:
            nonlocal result
            result += more
            progress.report(
                token, lsp.WorkDoneProgressReport(message=f"{result} of {total}", percentage=100 * result // total)
            )

        try:
            yield tell
        finally:
            progress.end(token, lsp.WorkDoneProgressEnd())

    def _say(self, sentence: str, kind: lsp.MessageType = lsp.MessageType.Warning) -> None:
        self.server.window_show_message(lsp.ShowMessageParams(kind, f"spar: {sentence}"))


def _adding(document: Path, key: str) -> lsp.Command:
    """Return the command that adds a saved paper to the bibliography of `document`."""
    return lsp.Command("Add to the bibliography", ADD, arguments=[str(document), key])


def _fix(title: str, uri: str, document: TextDocument, new: bytes) -> lsp.CodeAction:
    """Return an edit that replaces only the lines that differ, so that the cursor stays where it was."""
    old_lines, new_lines = document.lines, new.decode("utf-8", "replace").splitlines(keepends=True)
    shortest = min(len(old_lines), len(new_lines))
    same = next((at for at in range(shortest) if old_lines[at] != new_lines[at]), shortest)
    tail = next((at for at in range(shortest - same) if old_lines[-1 - at] != new_lines[-1 - at]), shortest - same)
    span = lsp.Range(lsp.Position(same, 0), lsp.Position(len(old_lines) - tail, 0))
    text = "".join(new_lines[same : len(new_lines) - tail])
    edit = lsp.WorkspaceEdit({uri: [lsp.TextEdit(span, text)]})
    return lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, edit=edit)
