"""`spar doctor`: check which parts of spar work on this machine."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from agents.llm.errors import ModelError
from cache.paths import resolved
from spar_tui import __version__
from spar_tui.cli.arguments import JsonFlag, OfflineFlag, PlainFlag
from spar_tui.errors import Failure, UsageError
from spar_tui.installation import commands
from spar_tui.phrases import counted, rows_named
from spar_tui.settings import Settings
from spar_tui.terminal import agreed, answer_style, note, remark, report, say, say_json
from spar_tui.workspace import open_store, read_settings

_EXTRAS = {"keyring": "keys come from the environment only", "bench": "`spar bench` cannot measure",
           "corpus": "no corpus can be built or searched", "mcp": "`spar mcp` cannot serve other programs"}  # fmt: skip
"""What is missing without each extra."""


class CheckResult(NamedTuple):
    """One check and its result; `state` is ok, note or problem."""

    subject: str
    state: str
    sentence: str


def doctor(
    as_json: JsonFlag = False,
    offline: OfflineFlag = False,
    plain: PlainFlag = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild a damaged database from what is left and a backup; asks first.")
    ] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="Only give unused database space back to the disk.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --repair: do not ask.")] = False,
) -> int:
    """Check the installation, backups, sources, keys and model.

    Checks the installation, settings, database and what takes space in it, backups, sources, keys and model. Exits
    with 1 if something does not work. --compact only makes the database smaller. --repair only checks the whole
    database; it rebuilds a damaged one from what is readable and the newest backup, and keeps the damaged file."""
    if yes and not repair:
        raise UsageError("--yes needs --repair.")
    if compact and repair:
        raise UsageError("--compact and --repair cannot be combined; choose one.")
    if compact:
        return _compact(as_json)
    if repair:
        return _repair(yes, as_json)
    import asyncio

    from spar_tui.health.model import check_model

    settings = read_settings()
    findings = [*_installation(), *_places(settings), *_database(settings), _rate_limits(settings), _log(settings)]
    skip_network = offline or settings.preferences.offline
    findings += asyncio.run(_sources(settings, skip_network))
    findings.append(CheckResult("model", *asyncio.run(check_model(settings.model, skip_network))))
    findings.append(_semantic(settings))
    if as_json:
        say_json({"findings": [finding._asdict() for finding in findings]})
    else:
        style = answer_style(plain)
        colours = {"ok": "green", "note": "yellow", "problem": "red"}
        for subject, state, sentence in findings:
            mark = style.paint(f"{state:<8}", colours[state])
            say(*style.beside(f"{mark} {style.paint(f'{subject:<16}', 'bold')} ", sentence))
    return 1 if any(finding.state == "problem" for finding in findings) else 0


def _compact(as_json: bool) -> int:
    """Shrink the database by its unused space, however long that takes. Raises `Failure`."""
    from cache import free_pages, runs
    from spar_tui.health.space import compacted_text

    with open_store(read_settings()) as store:
        before = free_pages.file_space(store).size
        for run in runs.unpacked(store):
            runs.pack(store, run)
        free_pages.compact(store)
        after = free_pages.file_space(store).size
    if as_json:
        say_json({"database": str(store.path), "bytes_before": before, "bytes": after})
    else:
        say(compacted_text(store.path, before, after))
    return 0


def _repair(yes: bool, as_json: bool) -> int:
    """Replace a damaged library by a new one, if the person agrees. Raises `UserError`."""
    from cache.repair import repair_of
    from cache.store import WAIT
    from spar_tui.health.repair import damage_text, done_texts, repair_object, repair_texts

    path = resolved(read_settings().places.database)
    wanted = False
    with repair_of(path, WAIT, lambda reason: note(damage_text(path, reason))) as repair:
        if repair is not None:
            report(*repair_texts(repair))
            place = f"The damaged file is kept as {repair.aside.name}:"
            wanted = yes or agreed(f"Type yes to use the new library. {place}", "whether to use the new library")
        if repair is not None and wanted:
            repair.put_in_place()
    if as_json:
        say_json(repair_object(path, repair, wanted))
    elif repair is None:
        say(f"{path}: nothing to repair; {_unharmed(path)}.")
    elif wanted:
        say(*done_texts(repair))
    if repair is not None and not wanted:
        remark("nothing was changed.")
    return 0


def _unharmed(path: Path) -> str:
    """Describe the database if nothing is damaged."""
    from cache.backup_files import backups_of

    if path.exists():
        return "every page was read and is intact"
    there = "there is no database yet"
    newest = next(iter(backups_of(path)), None)
    return f"{there}, but a backup of {newest.day}, which can be copied there: {newest.file}" if newest else there


def _installation() -> Iterator[CheckResult]:
    import sqlite3

    from spar_tui.installation.faults import other_owners

    python = ".".join(map(str, sys.version_info[:3]))
    yield CheckResult("spar", "ok", f"{__version__}, Python {python}, SQLite {sqlite3.sqlite_version}")
    for package, owners in other_owners().items():
        yield CheckResult(
            "installation",
            "problem",
            f"{', '.join(owners)} also installs a package {package!r}; install spar on its own: {commands.again()}",
        )
    for extra, lost in _EXTRAS.items():
        if command := commands.adding_extra(extra):
            yield CheckResult(extra, "note", f"is not installed, so {lost}; to add it: {command}")


def _semantic(settings: Settings) -> CheckResult:
    """Check whether meanings can be compared on this machine, by computing one vector."""
    command, folder = commands.adding_extra("semantic"), settings.semantic_folder
    if folder is None:
        lost = "no model on this machine compares meanings"
        text = f"is not installed, so {lost}; to add it: {command}"
        return CheckResult("semantic", "note", text if command else f"semantic_folder is not set, so {lost}.")
    from agents.meaning.transformer import MODEL, TOKENS, Transformer

    if command:
        return CheckResult("semantic", "problem", f"{folder} cannot be used without the extra; to add it: {command}")
    model = Transformer(folder)
    try:
        digest, [vector] = model.digests[MODEL], model.vectors(["papers"])
    except ModelError as error:
        files = "it needs model.onnx and tokenizer.json of a sentence-transformers model"
        return CheckResult("semantic", "problem", f"{error.sentence} Set semantic_folder to another folder: {files}.")
    text = (
        f"{folder} makes vectors of {len(vector)} numbers out of the first {TOKENS} tokens; {MODEL} has sha256 {digest}"
    )
    return CheckResult("semantic", "ok", f"{text}.")


def _places(settings: Settings) -> Iterator[CheckResult]:
    path = settings.places.config
    text = f"{path}" if path.exists() else f"{path} (not there; defaults are used)"
    # A warning names the file or the variable.
    yield CheckResult("settings", "problem" if settings.warnings else "ok", " ".join(settings.warnings) or text)


def _database(settings: Settings) -> Iterator[CheckResult]:
    from cache.readable_rows import damaged_rows
    from spar_tui.health.location import location_outcome
    from spar_tui.health.space import backups_told, space_told

    try:
        with open_store(settings) as store:
            size = settings.places.database.stat().st_size / 1e6
            held: int = store.row("SELECT count(*) FROM papers")[0]
            yield CheckResult("database", "ok", f"{settings.places.database}: {held:,} papers, {size:.1f} MB")
            if rows := damaged_rows(store):
                text = f"{counted(len(rows), 'row')} with a damaged cell: {rows_named(rows)}"
                yield CheckResult("rows", "problem", f"{text}. All other rows are used; a backup may have these")
            yield CheckResult("location", *location_outcome(store.path.parent)[:2])
            yield CheckResult("backups", *backups_told(store.path)[:2])
            yield CheckResult("space", *space_told(store)[:2])
    except Failure as failure:
        yield CheckResult("database", "problem", str(failure))


def _rate_limits(settings: Settings) -> CheckResult:
    """Check whether all processes share the services' rate limits."""
    from connectors.http.rate_limiter import why_unusable

    folder = settings.places.gates
    if why := why_unusable(folder):
        text = (
            f"{folder} cannot be used ({why}), so spar processes do not share their rate limits. Set SPAR_MANNERS to "
            "a folder of yours."
        )
        return CheckResult("rate limits", "note", text)
    return CheckResult("rate limits", "ok", f"{folder}: shared by all your spar processes.")


def _log(settings: Settings) -> CheckResult:
    from spar_tui.health.log_file import why_unusable

    path = settings.places.log
    if why := why_unusable(path):
        return CheckResult("log", "note", f"{path} cannot be written ({why}), so spar writes no log.")
    return CheckResult("log", "ok", f"{path}: {path.stat().st_size / 1e6:.2f} MB of log, without questions and keys.")


async def _sources(settings: Settings, offline: bool) -> list[CheckResult]:
    """Check each live source that a search could ask, by requesting one paper, in parallel, unless `offline`."""
    from connectors.registry import SOURCES
    from spar_tui.health.keys import key_told
    from spar_tui.health.outcome import Outcome
    from spar_tui.health.sources import tried

    keys = {name: key_told(spec, settings) for name, spec in SOURCES.items()}
    if offline:
        return [CheckResult(name, "note", f"not asked (offline). {key}".strip()) for name, key in keys.items()]
    unnamed = [name for name, spec in SOURCES.items() if spec.optional and name not in settings.preferences.sources]
    outcomes = await tried(settings, [name for name in SOURCES if name not in unnamed])
    outcomes |= {name: Outcome("note", "is off unless you name it, so it was not asked.") for name in unnamed}
    return [
        CheckResult(name, state, f"{sentence} {keys[name]}".strip()) for name, (state, sentence, _) in outcomes.items()
    ]
