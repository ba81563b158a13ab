"""When the app itself fails: the searches are kept, the terminal is given back, and a report says where it failed."""

import stat
from datetime import datetime
from pathlib import Path

import pytest
from textual.worker import WorkerFailed

from cache import runs
from cache.store import Store
from spar_tui.tui.crash import report, sentence, write_report
from tests.services import Services
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import forked_python
from tests.spar_tui.tui.real_terminal import ENTER_APP, LEAVE_APP, ask_only, opened

SECRET = "the-secret-in-a-local-variable"
KEY = "s2-good-key"
QUESTION = "dense retrieval of passages"
FAILING = """
import os, sys
from spar_tui.tui import app as app_module
from spar_tui.__main__ import main
from spar_tui.tui.widgets.status_lines import sources_line

def fails(*_):
    secret = "{secret}"
    raise ValueError("with " + secret + " in its message")

async def fails_at_work():
    fails()

def when(self):
    if self.runs_shown and next(iter(self.runs_shown.values())).state.found:
        how = os.environ["HOW"]
        if how == "worker":
            self.run_worker(fails_at_work())
        elif how == "handler":
            fails()
        elif how == "render":
            from spar_tui.tui.widgets.text import Line
            Line.render = fails
            self.screen.refresh(recompose=False)
            for line in self.screen.query(Line):
                line.refresh()

mounted = app_module.SparApp.on_mount
def on_mount(self):
    mounted(self)
    self.set_interval(0.05, lambda: when(self))
app_module.SparApp.on_mount = on_mount
sys.argv = ["spar"]
main()
"""


@pytest.mark.parametrize("how", ["worker", "handler", "render"])
def test_a_fault_of_the_app_loses_nothing_and_tells_no_secret(how: str, tmp_path: Path) -> None:
    """A worker, a timer's handler and the drawing of a widget fail in the middle of a search."""
    ask_only(tmp_path, "openalex")
    with Services(latency=0.1) as services:
        more = {**services.environment, "HOW": how, "S2_API_KEY": KEY}
        with opened(tmp_path, more=more, program=forked_python("-c", FAILING.format(secret=SECRET))) as terminal:
            terminal.until_open()
            terminal.until(b"hat do you want to know?")
            terminal.type(QUESTION + "\r")
            assert terminal.ended() == 1
            assert terminal.output.rindex(LEAVE_APP) > terminal.output.rindex(ENTER_APP)
            assert terminal.echoes
            said = terminal.said
        home = tmp_path / "spar"
        (written,) = home.glob("crash-*.txt")
        with Store.open(home / "spar.db") as store:
            (run,) = runs.recent(store)
        assert run.state == "interrupted"
        told = written.read_text("utf-8")
        assert "ValueError" in told
        assert ":fails" in told
        for private in (SECRET, QUESTION, KEY, "message", str(tmp_path)):
            assert private not in told
        assert stat.S_IMODE(written.stat().st_mode) == 0o600
        assert said.count("spar:") == 1
        assert "Traceback" not in said
        assert SECRET not in said
        unwrapped = " ".join(said.split())
        assert f"spar search --resume {run.id}" in unwrapped
        assert written.name in unwrapped
        if how == "worker":
            again = spar(tmp_path, "search", "--resume", run.id, more=services.environment)
            assert again.returncode == 0, again.stderr


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:  # noqa: BLE001  # to have it with the lines it went through
        return caught


def test_a_report_names_each_cause_once_by_its_kind_and_lines() -> None:
    secret = raised(OSError(13, "no way into /desk/someone/private"))
    try:
        try:
            raise secret
        except OSError as first:
            raise RuntimeError("while reading a key") from first
    except RuntimeError as error:
        told = report(WorkerFailed(error), datetime(2026, 1, 2, 3, 4, 5))
    assert [line for line in told.splitlines() if line and line[0].isupper()][1:] == ["PermissionError", "RuntimeError"]
    assert "test_crash.py" in told
    assert "private" not in told
    assert "key" not in told


def test_a_report_goes_elsewhere_where_it_cannot_be_written_beside_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    written = write_report(tmp_path / "gone", raised(ValueError()), datetime(2026, 1, 2))
    assert written is not None
    assert written.parent == tmp_path
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone too"))
    assert write_report(tmp_path / "gone", raised(ValueError()), datetime(2026, 1, 2)) is None
    assert "No report could be written" in sentence(ValueError(), None, {})


def test_the_sentence_names_every_search_that_can_go_on() -> None:
    told = sentence(ValueError("secret"), Path("/there/crash.txt"), {"one": "search", "two": "summary"})
    assert "spar search --resume one" in told
    assert "two" in told
    assert "/there/crash.txt" in told
    assert "secret" not in told
