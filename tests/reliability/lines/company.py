"""Line 15: the app and other `spar` processes side by side on one library, with `kill -9` of both."""

import statistics
import sys
from collections.abc import Callable

from tests.reliability.company import mcp_calls
from tests.reliability.company.backup_drill import back_up, enlarge
from tests.reliability.company.pdf_host import pdf_host
from tests.reliability.company.scene import SHOWN_WITHIN, Plan, Result, Scene
from tests.reliability.company.verbs import VerbHome
from tests.reliability.line import Figure, Line, Trial, harm
from tests.services import Services

OPENS_BESIDE_SQLITE = """
import ctypes, os, sys
from agents.run.runner import Runner
from spar_tui.__main__ import main
from spar_tui.settings import load_settings

begun = Runner.begun

def opening_the_library(*given, **named):
    system = ctypes.CDLL(None)  # Python itself refuses to open an open library
    system.close(system.open(os.fsencode(load_settings().places.database), os.O_RDONLY))
    return begun(*given, **named)

Runner.begun = opening_the_library
sys.argv = ["spar"]
main()
"""
"""An app that opens and closes the library's file outside SQLite whenever it begins a run."""


def measure(trial: Trial) -> Line:
    mcp = (mcp_calls.count_failures,)
    alone = Plan(seconds=trial.many(2, 180), verbs=trial.many(3, 300), app_kills=trial.many(1, 5),
                 verb_kills=trial.many(1, 5), live=trial.full, beside=mcp if trial.full else ())  # fmt: skip
    first = played(trial, "one app", alone, mcp_calls.remember if trial.full else unchanged)
    scenes = [first]
    controls: tuple[Figure, ...] = ()
    tried = ""
    if trial.full:
        four = played(trial, "four apps", Plan(apps=4, rounds=3, verbs=40))
        backup = played(trial, "backup", Plan(rounds=3, verbs=10, beside=(back_up,)), enlarge)
        server = played(trial, "MCP server", Plan(rounds=3, beside=mcp), mcp_calls.remember)
        scenes += [four, backup, server]
        careless = Plan(seconds=60, verbs=100, program=(sys.executable, "-c", OPENS_BESIDE_SQLITE), patience=10)
        harmed = played(trial, "beside SQLite", careless)
        controls = (
            harm("acknowledged writes lost if the app also opens the file directly", len(harmed.lost)),
            harm("times that the -wal file vanished then", harmed.vanished),
        )
        tried = (
            f"; then {four.rounds} rounds of four apps at once beside {four.verbs} runs of verbs, {backup.rounds} "
            f"rounds of one app while {backup.verbs - 10} backups of a large library are made, and {server.rounds} "
            f"rounds beside {server.verbs} calls of an MCP server alone"
        )
    return Line(
        15, "many programs at once",
        f"the app searches, saves, tags, undoes and chats over HTTP in a terminal for {alone.seconds:g} s "
        f"({first.rounds} rounds), beside {first.verbs} runs of verbs and calls of an MCP server; {first.kills} of "
        f"the processes are killed{tried}",
        (
            Figure("acknowledged writes lost", sum(len(scene.lost) for scene in scenes)),
            Figure("times that the -wal file vanished under an open app", sum(scene.vanished for scene in scenes)),
            Figure("libraries that fail the integrity check", sum(scene.corrupt for scene in scenes)),
            Figure("writes acknowledged", sum(scene.writes for scene in scenes), first.verbs, least=True),
            Figure("verbs, calls and backups that failed", sum(scene.failed for scene in scenes)),
            Figure("keys of the app without effect, and apps that crashed",
                   sum(scene.unanswered for scene in scenes)),
            *(shown(first) if trial.full else ()),
        ),
        controls,
        unseen="a library on a network drive, where SQLite's write-ahead log cannot work",
        tests=("tests/cache/test_store.py", "tests/cache/test_processes.py"),
    )  # fmt: skip


def unchanged(home: VerbHome) -> None:
    """Leave the library as it is."""


def played(trial: Trial, name: str, plan: Plan, prepare: Callable[[VerbHome], object] = unchanged) -> Result:
    """Run `plan` in a new library and return its result."""
    with Services(rules=False) as services, pdf_host() as host:
        result = Scene(plan, trial.folder / name, trial.dice, services, host).play(prepare)
    for write in result.lost:
        print(f"{name}: lost {write}", file=sys.stderr)
    return result


def shown(result: Result) -> tuple[Figure, ...]:
    """Return how often an open shelf did not show the result of a verb, and how soon it did."""
    never = result.delays.count(None)
    seconds = [SHOWN_WITHIN if delay is None else delay for delay in result.delays]
    p95 = statistics.quantiles(seconds, n=20, method="inclusive")[-1]
    return (
        Figure(f"new papers that an open shelf did not show within {SHOWN_WITHIN:g} s", never),
        Figure("p95 of the time until an open shelf shows a change", round(p95, 2), 1, unit=" s"),
    )
