"""Run tests in several processes that share one collection: `pytest --workers 6`.

Importing and listing all tests takes as long as a tenth of running them. Here one process does it and then forks, so
that it is done once, tests begin at once, and the processes share its memory. Each takes a file of tests at a time.
Reports arrive in the first process as if the tests had run there. Only where a process can be forked safely (not on
macOS or Windows); elsewhere `pytest --numprocesses` of pytest-xdist does the same with more work.
"""

import os
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

import pytest

CRASHED = "The process that ran this test ended with exit code {}."


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, metavar="N", help="run the tests in N forked processes")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in processes of their own; pytest's own loop does it where no number of processes is given."""
    number = session.config.getoption("workers")
    if not number or session.config.option.collectonly or session.testsfailed:
        return None
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all, which the first removes
    with tempfile.TemporaryDirectory() as folder:
        Desk(session, folder).run(number)
    return True


class Desk:
    """Hands the files of tests to the processes, and their reports to pytest."""

    def __init__(self, session: pytest.Session, folder: str) -> None:
        self._session, self._folder = session, folder
        files = groupby(range(len(session.items)), key=lambda number: session.items[number].path)
        self._files = deque(list(numbers) for _, numbers in files)
        self._left: dict[Connection, list[pytest.Item]] = {}
        self._processes: dict[Connection, ForkProcess] = {}

    def run(self, number: int) -> None:
        for _ in range(min(number, len(self._files))):
            self._start()
        try:
            while self._processes:
                for line in wait(list(self._processes)):
                    assert isinstance(line, Connection)
                    self._listen(line)
                for reason, ending in (
                    (self._session.shouldfail, self._session.Failed),
                    (self._session.shouldstop, self._session.Interrupted),
                ):
                    if reason:
                        raise ending(reason)
        finally:
            for process in self._processes.values():
                process.terminate()

    def _start(self) -> None:
        ours, theirs = get_context("fork").Pipe()
        process = get_context("fork").Process(target=_work, args=(self._session, theirs, self._folder))
        process.start()
        theirs.close()
        self._processes[ours], self._left[ours] = process, []

    def _listen(self, line: Connection) -> None:
        """Do what a process asks for: the numbers of the tests in its next file, or to report how a test went."""
        try:
            hook, arguments = line.recv()
        except (EOFError, ConnectionResetError):
            self._end(line)
            return
        config = self._session.config
        if hook == "next":
            numbers = self._files.popleft() if self._files else []
            self._left[line] += [self._session.items[number] for number in numbers]
            line.send(numbers)
        elif hook == "pytest_runtest_logreport":
            report = config.hook.pytest_report_from_serializable(config=config, data=arguments)
            config.hook.pytest_runtest_logreport(report=report)
        else:
            if hook == "pytest_runtest_logfinish":
                self._left[line] = [item for item in self._left[line] if item.nodeid != arguments["nodeid"]]
            getattr(config.hook, hook)(**arguments)

    def _end(self, line: Connection) -> None:
        """Report the test in which a process died as failed, and give what else it had to do to another."""
        process, left = self._processes.pop(line), self._left.pop(line)
        process.join()
        line.close()
        if not left:
            return
        crashed, *others = left
        self._session.config.hook.pytest_runtest_logreport(
            report=pytest.TestReport(
                crashed.nodeid, crashed.location, {}, "failed", CRASHED.format(process.exitcode), "call"
            )
        )
        if others:
            self._files.append([self._session.items.index(item) for item in others])
        if self._files:
            self._start()


class Teller:
    """Sends what pytest reports of tests in this process to the first one."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config, self._line = config, line

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._line.send(("pytest_runtest_logstart", {"nodeid": nodeid, "location": location}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._line.send(("pytest_runtest_logreport", data))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._line.send(("pytest_runtest_logfinish", {"nodeid": nodeid, "location": location}))


def _work(session: pytest.Session, line: Connection, folder: str) -> None:
    """Run one file of tests after another, until there are none; what they leave is in `folder`."""
    config = session.config
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    # Requests of one process need not wait for those of another.
    os.environ["SPAR_MANNERS"] = os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.suspend_global_capture()
    capture.stop_global_capturing()  # what it writes to is the first process's too
    capture.start_global_capturing()
    for name in ("terminalreporter", "lfplugin", "nfplugin", "cacheprovider"):
        if config.pluginmanager.has_plugin(name):
            config.pluginmanager.unregister(name=name)
    config.pluginmanager.register(Teller(config, line), "teller")
    items = _following(session, line)
    item = next(items, None)
    with suppress(KeyboardInterrupt):  # which the first process got too
        while item is not None:
            upcoming = next(items, None)
            config.hook.pytest_runtest_protocol(item=item, nextitem=upcoming)
            item = upcoming


def _following(session: pytest.Session, line: Connection) -> Iterator[pytest.Item]:
    while True:
        line.send(("next", None))
        numbers = line.recv()
        if not numbers:
            return
        yield from (session.items[number] for number in numbers)
