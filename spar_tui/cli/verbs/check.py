"""`spar check`: what is wrong in a bibliography."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, OfflineFlag, PlainFlag, SourceOption, source_names
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.lookup.records import RecordLookup
    from connectors.paper import Paper
    from spar_tui.bibliography.checking import Finding
    from spar_tui.settings import Settings

_COLOURS = {"unreadable": "red", "retracted": "red", "not found": "red", "could not check": "dim", "ok": "green"}
MOST = 2_000
"""Entries that are checked at most: each may cost requests to several services."""


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .bib, .ris, .nbib or CSL-JSON file.")],
    source: SourceOption = None,
    everything: Annotated[bool, typer.Option("--all", help="List the entries that are all right too.")] = False,
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Check a bibliography against the sources; the file is only read.

    Found are entries that cannot be read, papers that were retracted, that no source knows, whose identifier, first
    author or year is another's, that have appeared though they are cited as preprints, that are there twice, or that
    lack fields. What could not be verified is told apart. Exits with 0 if all is well, 1 if something was found, 4 if
    nothing was found but not all could be checked."""
    from spar_tui.bibliography.checking import findings
    from spar_tui.bibliography.reading.files import read_bibliography
    from spar_tui.workspace import read_settings

    names = source_names(source or [])
    found = read_bibliography(file)
    if len(found.entries) > MOST:
        raise UsageError(f"{file} has {len(found.entries):,} entries; at most {MOST:,} are checked at once.")
    settings = read_settings()
    preferences = settings.preferences
    papers = [entry.paper for entry in found.entries]
    said = _asked(settings, papers, names or preferences.sources, offline or preferences.offline, plain)
    told = findings(found, said)
    if as_json:
        _print_json(file, told)
    else:
        _print(file, told, everything, plain)
    return _exit_code(told)


def _asked(
    settings: "Settings", papers: "Sequence[Paper]", names: Sequence[str], offline: bool, plain: bool
) -> "list[RecordLookup]":
    import asyncio

    from agents.lookup.records import look_up_records
    from spar_tui.errors import Interrupted
    from spar_tui.terminal import counting
    from spar_tui.workspace import open_workspace

    checked = 0

    async def ask() -> "list[RecordLookup]":
        with counting("checked", len(papers), plain) as tell:

            def told(more: int) -> None:
                nonlocal checked
                checked += more
                tell(more)

            async with open_workspace(settings, names, offline) as workspace:
                return await look_up_records(papers, workspace.resources.live, told)

    try:
        return asyncio.run(ask())
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {checked:,} of {len(papers):,} entries; what the sources had answered is remembered, "
            "so asking again is quick."
        ) from None


def _exit_code(told: "Sequence[Finding]") -> int:
    verdicts = {one.verdict for one in told} - {"ok"}
    if verdicts - {"could not check"}:
        return 1
    return 4 if verdicts else 0


def _print_json(file: Path, told: "Sequence[Finding]") -> None:
    from dataclasses import asdict

    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import say

    say(dump({"file": str(file), "entries": [asdict(one) for one in told], "counts": _counts(told)}))


def _counts(told: "Sequence[Finding]") -> dict[str, int]:
    from collections import Counter

    from spar_tui.bibliography.checking import VERDICTS

    counts = Counter(one.verdict for one in told)
    return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}


def _print(file: Path, told: "Sequence[Finding]", everything: bool, plain: bool) -> None:
    from spar_tui.bibliography.checking import VERDICTS
    from spar_tui.terminal import answer_style, note, say

    style = answer_style(plain)
    for verdict in VERDICTS:
        mine = [one for one in told if one.verdict == verdict]
        if not mine or (verdict == "ok" and not everything):
            continue
        say(style.paint(f"{verdict} ({len(mine)})", "bold", _COLOURS.get(verdict, "yellow")))
        shared = mine[0].details if len(mine) > 1 and len({one.details for one in mine}) == 1 else ()
        for sentence in shared:
            say(*style.wrapped(sentence, "    "))
        for one in mine:
            name = f"{style.paint(one.key or '(no key)', 'cyan')}  {style.paint(one.title)}"
            say(f"  {file.name}:{one.line}  {name}".rstrip())
            for sentence in () if shared else one.details:
                say(*style.wrapped(sentence, "    "))
    counts = _counts(told)
    note(", ".join(f"{number:,} {verdict}" for verdict, number in counts.items()) or f"{file} has no entries.")
