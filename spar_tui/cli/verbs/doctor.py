"""`spar doctor`: check which parts of spar work on this machine."""

import sys
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from agents.llm.errors import ModelError
from cache.paths import resolved
from connectors.registry import SOURCES
from spar_tui import __version__
from spar_tui.cli.arguments import OfflineFlag, OutputFlags, only_one
from spar_tui.errors import Failure
from spar_tui.installation import commands
from spar_tui.phrases import counted, rows_named
from spar_tui.settings import Settings
from spar_tui.terminal import Style, agreed, note, remark, report, say, say_json
from spar_tui.workspace import open_store, read_settings

_EXTRAS = {"keyring": "keys come from the environment only", "bench": "`spar bench` cannot measure",
           "corpus": "no corpus can be built or searched", "mcp": "`spar mcp` cannot serve other programs"}  # fmt: skip
"""What is missing without each extra."""
_COLOURS = {"ok": "green", "note": "yellow", "problem": "red"}


class CheckResult(NamedTuple):
    """One check and its result; `state` is ok, note or problem."""

    subject: str
    state: str
    sentence: str


def doctor(
    offline: OfflineFlag = False,
    repair: Annotated[bool, "Rebuild a damaged database from what is left and a backup; asks first."] = False,
    compact: Annotated[bool, "Only shrink the database file by its unused space."] = False,
    yes: Annotated[bool, "With --repair: do not ask."] = False,
    *,
    output: OutputFlags,
) -> int:
    """Check the installation, backups, sources, keys and model.

    Checks the installation, settings, database and what takes space in it, backups, sources, keys and model. Exits
    with 1 if something does not work. --compact only makes the database smaller. --repair only checks the whole
    database; it rebuilds a damaged one from what is readable and the newest backup, and keeps the damaged file."""
    only_one({"--compact": compact, "--repair": repair})
    if compact:
        return _compact(output.as_json)
    if repair:
        return _repair(yes, output.as_json)
    import asyncio

    from spar_tui.health.model import check_model

    settings = read_settings()
    findings = [*_installation(), _settings_file(settings), *_database(settings)]
    findings += [_rate_limits(settings), _log(settings)]
    skip_network = offline or settings.preferences.offline
    findings += asyncio.run(_sources(settings, skip_network))
    findings.append(CheckResult("model", *asyncio.run(check_model(settings.model, skip_network))[:2]))
    findings.append(_semantic(settings))

    def listing(style: Style) -> Iterator[str]:
        for subject, state, sentence in findings:
            mark = style.paint(f"{state:<8}", _COLOURS[state])
            yield from style.beside(f"{mark} {style.paint(f'{subject:<16}', 'bold')} ", sentence)

    output.say({"findings": [finding._asdict() for finding in findings]}, listing)
    return 1 if any(finding.state == "problem" for finding in findings) else 0


def _compact(as_json: bool) -> int:
    """Shrink the database by its unused space, however long that takes. Raises `Failure`."""
    from cache import free_pages, runs
    from spar_tui.health.space import megabytes

    with open_store(read_settings()) as store:
        before = free_pages.file_space(store).size
        for run in runs.unpacked(store):
            runs.pack(store, run)
        free_pages.compact(store)
        after = free_pages.file_space(store).size
    if as_json:
        say_json({"database": str(store.path), "bytes_before": before, "bytes": after})
    else:
        say(f"{store.path}: {megabytes(before)} before, {megabytes(after)} now.")
    return 0


def _repair(yes: bool, as_json: bool) -> int:
    """Replace a damaged library by a new one, if the person agrees. Raises `UserError`."""
    from cache.backup_files import backups_of
    from cache.repair import repair_of
    from cache.store import WAIT
    from spar_tui.health.repair import damage_text, done_texts, repair_object, repair_texts

    path = resolved(read_settings().places.database)
    agreement = False
    with repair_of(path, WAIT, lambda reason: note(damage_text(path, reason))) as repair:
        if repair is not None:
            report(*repair_texts(repair))
            question = f"Type yes to use the new library. The damaged file is kept as {repair.aside.name}:"
            agreement = yes or agreed(question, "whether to use the new library")
            if agreement:
                repair.put_in_place()
            else:
                remark("nothing was changed.")
    if as_json:
        say_json(repair_object(path, repair, agreement))
    elif repair is None:
        state = "every page was read and is intact" if path.exists() else "there is no database yet"
        if not path.exists() and (newest := next(iter(backups_of(path)), None)):
            state += f", but a backup of {newest.day}, which can be copied there: {newest.file}"
        say(f"{path}: nothing to repair; {state}.")
    elif agreement:
        say(*done_texts(repair))
    return 0


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
    text = f"{folder} makes vectors of {len(vector)} numbers out of the first {TOKENS} tokens"
    return CheckResult("semantic", "ok", f"{text}; {MODEL} has sha256 {digest}.")


def _settings_file(settings: Settings) -> CheckResult:
    path = settings.places.config
    text = f"{path}" if path.exists() else f"{path} (not there; defaults are used)"
    # A warning names the file or the variable.
    return CheckResult("settings", "problem" if settings.warnings else "ok", " ".join(settings.warnings) or text)


def _database(settings: Settings) -> Iterator[CheckResult]:
    from cache.readable_rows import damaged_rows
    from spar_tui.health.location import location_outcome
    from spar_tui.health.space import backups_told, space_told

    try:
        with open_store(settings) as store:
            size = settings.places.database.stat().st_size / 1e6
            count: int = store.row("SELECT count(*) FROM papers")[0]
            yield CheckResult("database", "ok", f"{settings.places.database}: {count:,} papers, {size:.1f} MB")
            with store.reading() as db:
                rows = damaged_rows(db)
            if rows:
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
        text = f"{folder} cannot be used ({why}), so spar processes do not share their rate limits."
        return CheckResult("rate limits", "note", f"{text} Set SPAR_MANNERS to a folder of yours.")
    return CheckResult("rate limits", "ok", f"{folder}: shared by all your spar processes.")


def _log(settings: Settings) -> CheckResult:
    from spar_tui.health.log_file import why_unusable

    path = settings.places.log
    if why := why_unusable(path):
        return CheckResult("log", "note", f"{path} cannot be written ({why}), so spar writes no log.")
    return CheckResult("log", "ok", f"{path}: {path.stat().st_size / 1e6:.2f} MB of log, without questions and keys.")


async def _sources(settings: Settings, offline: bool) -> list[CheckResult]:
    """Check each live source that a search could ask, by requesting one paper, in parallel, unless `offline`."""
    from spar_tui.health.sources import Outcome, key_told, tried

    keys = {name: key_told(spec, settings) for name, spec in SOURCES.items()}
    if offline:
        return [CheckResult(name, "note", f"not asked (offline). {key}".strip()) for name, key in keys.items()]
    unnamed = [name for name, spec in SOURCES.items() if spec.optional and name not in settings.preferences.sources]
    outcomes = await tried(settings, [name for name in SOURCES if name not in unnamed])
    outcomes |= {name: Outcome("note", "not asked: it is used only if you name it.") for name in unnamed}
    return [
        CheckResult(name, state, f"{sentence} {keys[name]}".strip()) for name, (state, sentence, _) in outcomes.items()
    ]
