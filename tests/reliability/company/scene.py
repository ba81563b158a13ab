"""Run apps and other `spar` processes on one library, and compare acknowledged writes with the library afterwards."""

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count, cycle
from pathlib import Path
from random import Random
from threading import Lock

from tests.reliability.company.driven_app import SIZE, AppEnded, AppStuck, DrivenApp
from tests.reliability.company.verbs import KINDS, VerbHome, run, title
from tests.reliability.company.wal_watcher import WalWatcher
from tests.reliability.company.writes import Write, WriteLog, missing
from tests.reliability.libraries import corrupt
from tests.services import Services
from tests.spar_tui.running import PATIENCE, command
from tests.spar_tui.tui.real_terminal import opened

VERBS_AT_ONCE = 2
FIRST_SHOWN = 10_000
"""Number of the first paper whose arrival on an open shelf is timed."""
SHOWN_WITHIN = 5.0
"""Maximum seconds to wait for the open shelf to show the result of a verb."""
HOPELESS = 10
"""Number of failed apps (stuck, or ended by themselves) after which no more apps are started."""
Beside = Callable[[VerbHome, WriteLog, Callable[[], bool]], tuple[int, int]]
"""Other work on the library while the given function returns True. Returns the numbers of all and of failed actions."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The processes to run on one library.

    Each of `apps` apps runs for at least `rounds` rounds and `seconds` seconds, beside `verbs` runs of verbs. SIGKILL
    ends `app_kills` apps and `verb_kills` verbs. With `live`, each round waits for the open shelf to show the result of
    a verb. `program` replaces the real app; `patience` is the timeout of a key in seconds.
    """

    apps: int = 1
    rounds: int = 1
    seconds: float = 0
    verbs: int = 0
    app_kills: int = 0
    verb_kills: int = 0
    live: bool = False
    beside: Sequence[Beside] = ()
    program: Sequence[str] | None = None
    patience: float = PATIENCE


@dataclass
class Result:
    """The result of a plan.

    `unanswered` counts keys without their effect in time, and apps that did not start or ended without being killed.
    `delays` are the seconds until an open shelf showed the result of a verb; None if it never did.
    """

    writes: int = 0
    lost: list[Write] = field(default_factory=list)
    vanished: int = 0
    looks: int = 0
    corrupt: bool = False
    rounds: int = 0
    verbs: int = 0
    failed: int = 0
    kills: int = 0
    unanswered: int = 0
    delays: list[float | None] = field(default_factory=list)


class Scene:
    """A running plan in `folder`; updates `result` as it runs."""

    def __init__(self, plan: Plan, folder: Path, dice: Random, services: Services, pdf_host: str) -> None:
        (folder / "home").mkdir(parents=True)
        self.plan, self.result = plan, Result()
        self._home = VerbHome(folder / "home", services.environment, pdf_host)
        self._log = WriteLog(folder / "acknowledged.jsonl")
        self._lock = Lock()
        self._numbers, self._shown = count(1), count(FIRST_SHOWN)
        titles = [work.title for work in services.corpus.works if re.fullmatch(r"[A-Za-z ,:-]{20,}", work.title)]
        questions = [f"papers on {title}" for title in titles]  # a title alone opens its paper
        dice.shuffle(questions)
        self._questions = cycle(questions)
        self._kinds = [KINDS[number % len(KINDS)] for number in range(plan.verbs)]
        self._verbs = iter(list(enumerate(self._kinds, start=1)))
        killed = dice.sample(range(1, plan.verbs + 1), plan.verb_kills)
        self._killed_after = {number: dice.uniform(0.05, 0.3) for number in killed}
        self._rounds: Counter[str] = Counter()
        self._killed: set[int] = set()
        self._app_kills = sorted(dice.uniform(0.1, 1) * plan.seconds for _ in range(plan.app_kills))

    def play(self, prepare: Callable[[VerbHome], object] = lambda home: None) -> Result:
        """Run the plan in a new library, after calling `prepare`."""
        plan, result = self.plan, self.result
        self._home.configure()
        self._home.remember(range(plan.verbs + 1))
        self._home.prepare(self._kinds)
        prepare(self._home)
        self._began = time.monotonic()
        with WalWatcher(self._home.library) as self._watcher, ThreadPoolExecutor(16) as self._pool:
            self._verbs_run = [self._pool.submit(self._run_verbs) for _ in range(VERBS_AT_ONCE)]
            apps = [self._pool.submit(self._use_app, f"app{number}") for number in range(1, plan.apps + 1)]
            others = [
                self._pool.submit(work, self._home, self._log, lambda: not all(app.done() for app in apps))
                for work in plan.beside
            ]
            for future in (*self._verbs_run, *apps):
                future.result()
            for other in others:
                done, failed = other.result()
                result.verbs += done
                result.failed += failed
        result.looks, result.vanished = self._watcher.looks, self._watcher.vanished
        result.rounds = self._rounds.total()
        result.writes = len(self._log.writes)
        result.lost = missing(self._home.library, self._log.writes)
        result.corrupt = corrupt(self._home.library)
        return result

    # Verbs

    def _run_verbs(self) -> None:
        while (verb := self._next_verb()) is not None:
            number, kind = verb
            time.sleep(max(0.0, self._began + self.plan.seconds * number / self.plan.verbs - time.monotonic()))
            self._run_verb(number, kind)

    def _next_verb(self) -> tuple[int, str] | None:
        with self._lock:
            return next(self._verbs, None)

    def _run_verb(self, number: int, kind: str) -> float:
        """Run a verb and return its end time on the monotonic clock."""
        ending = run(self._home, number, kind, self._log, self._killed_after.get(number))
        ended = time.monotonic()
        with self._lock:
            self.result.verbs += 1
            self.result.kills += ending == "killed"
            self.result.failed += ending == "failed"
        return ended

    # Apps

    def _use_app(self, name: str) -> None:
        while self._goes_on(name):
            more = self._home.services
            with opened(self._home.folder, more=more, size=SIZE, program=self.plan.program or command()) as terminal:
                process = terminal.process
                app = DrivenApp(name, terminal, self._log, self.plan.patience, partial(self._kill_in_time, process))
                try:
                    app.start()
                    self._watcher.app_opened(process.pid)
                    while self._goes_on(name):
                        self._do_round(app)
                    self._watcher.app_closes(process.pid)
                    ended_well = app.quit() == 0
                except (AppEnded, AppStuck) as error:
                    ended_well = process.pid in self._killed
                    if not ended_well:
                        print(error, file=sys.stderr)
                finally:
                    self._watcher.app_closes(process.pid)
            with self._lock:
                self.result.unanswered += not ended_well

    def _kill_in_time(self, process: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            if not self._app_kills or time.monotonic() < self._began + self._app_kills[0]:
                return
            del self._app_kills[0]
            self._killed.add(process.pid)
            self.result.kills += 1
        self._watcher.app_closes(process.pid)
        process.kill()
        process.wait()

    def _goes_on(self, name: str) -> bool:
        if self.result.unanswered >= HOPELESS:
            return False
        is_time = time.monotonic() < self._began + self.plan.seconds
        return self._rounds[name] < self.plan.rounds or is_time or not all(thread.done() for thread in self._verbs_run)

    def _do_round(self, app: DrivenApp) -> None:
        with self._lock:
            number, question = next(self._numbers), next(self._questions)
        app.search(question)
        if saved := app.save():
            app.tag(saved, f"{app.name}n{number}a")
            app.tag_and_undo(saved, f"{app.name}n{number}b")
        app.talk(f"papers on my shelf since {1900 + number}")
        app.open_shelf()
        if self.plan.live:
            self._look_at_shelf(app)
        with self._lock:
            self._rounds[app.name] += 1

    def _look_at_shelf(self, app: DrivenApp) -> None:
        """Run a verb that imports a paper, and time how soon the open shelf shows it."""
        number = next(self._shown)
        _, first, second, *_ = title(number, "Imported ").split()
        words = f"{first} {second}"
        app.open_filtered_shelf(first)
        verb = self._pool.submit(self._run_verb, number, "import")
        app.until(lambda screen: verb.done() or words in screen.text, "the end of an import")
        is_shown = app.shows_within(words, SHOWN_WITHIN)
        seen = time.monotonic()
        self.result.delays.append(max(0.0, seen - verb.result()) if is_shown else None)
        app.close_filter()
