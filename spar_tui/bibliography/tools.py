"""Tools of the assistant and of other programs for bibliographies and checks.

The modules that a tool needs are imported at its first use.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from agents.tools.filter_arguments import Papers
from agents.tools.paper_names import SHOWN, named_papers
from agents.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolResult
from cache import papers as library
from cache.store import PaperId
from connectors.paper import Paper

if TYPE_CHECKING:
    from agents.lookup.records import RecordLookup
    from spar_tui.bibliography.checking import EntryFinding
    from spar_tui.bibliography.reading.entries_read import FoundEntry

MOST_CHECKED = 500
"""Maximum number of papers in a check: each may cost requests to several services."""


class ExportArguments(Arguments):
    """`style` is for text alone. A .csl file is not taken: whoever asks for it might have any file read."""

    papers: Papers = (SHOWN,)
    format: Literal["bibtex", "biblatex", "ris", "csl-json", "markdown", "csv", "text"] = "biblatex"
    style: Literal["apa", "ieee", "nature", "vancouver", "chicago", "mla"] | None = None


class CheckArguments(Arguments):
    papers: Papers = Field((SHOWN,), min_length=1)


def export_tool(noting: bool) -> Tool[ExportArguments]:
    """Return the tool that writes a bibliography. With `noting`, exports go into the reading history, as with `spar
    export`: right if the person asked for it, wrong if another program may have."""

    async def export(given: ExportArguments, context: ToolContext) -> ToolResult:
        return await asyncio.to_thread(_exported, given.papers, given.format, given.style or "", context, noting)

    return Tool("export", "Write a bibliography of papers, as `spar export` does.", ExportArguments, export)


def _exported(names: Sequence[str], file_format: str, style: str, context: ToolContext, noting: bool) -> ToolResult:
    from spar_tui.bibliography.exporting import ExportedPaper, export_papers
    from spar_tui.bibliography.options import export_options
    from spar_tui.errors import UserError

    chosen = {number: ExportedPaper(paper, context.run) for number, paper in _meant(names, context).items()}
    if not chosen:
        raise ToolError("No paper matches that, so there is nothing to export.")
    if style and file_format != "text":
        raise ToolError(f"A style is for the format text, not for {file_format}.")
    options = export_options(
        format=file_format, style=style, keys="better-bibtex", fields="", preprint=False, ascii_only=None,
        bom=False, output="", append=False, replace=False,
    )  # fmt: skip
    try:
        # Without a file nothing is locked, so the folder for locks is not used.
        done = export_papers(
            context.store,
            {int(number): chosen_paper for number, chosen_paper in chosen.items()},
            options,
            Path(),
            noting=noting,
        )
    except UserError as error:
        raise ToolError(str(error)) from None
    values = {"format": file_format, "style": options.style or None, "papers": len(chosen)}
    return ToolResult(shown=tuple(chosen), values=values, text=done.data.decode(), notes=tuple(done.notes))


async def _check(given: CheckArguments, context: ToolContext) -> ToolResult:
    from agents.lookup.records import look_up_records
    from spar_tui.bibliography.checking import decided_by_fields

    papers = await asyncio.to_thread(_meant, given.papers, context)
    if not papers:
        raise ToolError("No paper matches that, so there is nothing to check.")
    if len(papers) > MOST_CHECKED:
        raise ToolError(f"{len(papers):,} papers are too many; at most {MOST_CHECKED} are checked at once.")
    entries = await asyncio.to_thread(_entries, context, papers)
    live, done = context.resources.live, 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        context.tell(f"Checked {done:,} of {len(papers):,} papers.")

    decided = decided_by_fields(entries, date.today())
    wanted = [entry.paper for entry in entries]
    resources = context.resources
    lookups = await look_up_records(wanted, live, count, resources.registries, decided, resources.local.get("library"))
    verdicts = await asyncio.to_thread(_verdicts, list(papers.values()), entries, lookups)
    rows = [
        {
            "paper": number,
            "name": finding.key,
            "title": finding.title,
            "verdict": finding.verdict,
            "outcome": finding.outcome,
            "details": list(finding.details),
        }
        for number, finding in zip(papers, verdicts, strict=True)
    ]
    counts = {
        verdict: sum(finding.verdict == verdict for finding in verdicts)
        for verdict in {finding.verdict for finding in verdicts}
    }
    notes = () if live else ("No source was asked, so papers were compared with your library only.",)
    return ToolResult(shown=tuple(papers), values={"entries": rows, "counts": counts, "asked": list(live)}, notes=notes)


def _meant(names: Sequence[str], context: ToolContext) -> dict[PaperId, Paper]:
    """Return the papers called `names`, by number, except candidates that are no longer in the library."""
    numbers = named_papers(names, context)
    return {number: paper for number in numbers for paper in library.by_ids(context.store, [number])}


def _entries(context: ToolContext, papers: Mapping[PaperId, Paper]) -> "list[FoundEntry]":
    """Return each paper's entry, as imported or else made from its record, under its citation key if it has one; no new
    key is assigned."""
    from cache import citation_keys, originals
    from spar_tui.bibliography.reading.entries import found_again
    from spar_tui.bibliography.reading.entries_read import FoundEntry

    keys = citation_keys.keys_of(context.store, papers.keys())
    kept = originals.of_papers(context.store, papers.keys())
    entries = []
    for number, paper in papers.items():
        name = keys.get(number, f"#{number}")
        imported = found_again(kept[number][0].original) if kept.get(number) else None
        entries.append(replace(imported, line=0, key=name) if imported else FoundEntry(0, name, paper))
    return entries


def _verdicts(
    papers: Sequence[Paper], entries: "Sequence[FoundEntry]", lookups: "Sequence[RecordLookup]"
) -> "list[EntryFinding]":
    """Return the worse finding for each entry, by the sources or by the library. The library alone cannot confirm an
    entry: if no source could be asked, it stays unchecked."""
    from agents.lookup.records import RecordLookup
    from spar_tui.bibliography.checking import findings
    from spar_tui.bibliography.reading.entries_read import FileEntries

    contents = FileEntries(tuple(entries))
    own = [RecordLookup(by_name={"library": paper}) for paper in papers]
    by_sources = {finding.key: finding for finding in findings(contents, lookups)}
    by_library = {finding.key: finding for finding in findings(contents, own)}
    return [
        _worse(by_sources[entry.key], by_library[entry.key], confirmed=bool(lookup.records))
        for entry, lookup in zip(entries, lookups, strict=True)
    ]


def _worse(by_sources: "EntryFinding", by_library: "EntryFinding", confirmed: bool) -> "EntryFinding":
    """Return the worse finding; fields that a source confirms are not contested by the library."""
    from spar_tui.bibliography.checking import VERDICTS

    if confirmed and by_library.verdict == "fields differ":
        return by_sources
    return min(by_sources, by_library, key=lambda finding: VERDICTS.index(finding.verdict))


CHECK = Tool("check", "Say what is wrong with papers: retracted, published meanwhile, fields missing.",
             CheckArguments, _check, asks=True)  # fmt: skip
