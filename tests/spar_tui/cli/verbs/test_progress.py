"""What a person sees while a bibliography is checked, imported or exported, and what is left when they stop it."""

import json
import re
import signal
from pathlib import Path

import pytest

from cache import papers, shelf
from cache.store import Store
from tests.services import Services
from tests.spar_tui import running
from tests.spar_tui.cli.verbs.test_search import on_a_terminal
from tests.spar_tui.in_process import spar
from tests.spar_tui.tui.real_terminal import opened

WIPED = "\r\x1b[K"


def bib(count: int) -> str:
    return "".join(
        f"@article{{k{n}, title={{The title of work number {n} on engines}}, author={{Author{n}, A.}}, journal={{J}}, "
        f"year={{{1950 + n % 70}}}, doi={{10.1000/x{n}}}}}\n"
        for n in range(count)
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_text(bib(12))
    return tmp_path / "refs.bib"


def counts(told: str, what: str) -> list[str]:
    """The states of a line that is written over, in order."""
    return re.findall(rf"{WIPED.replace('[', '.')}{re.escape(what)}: (\d+ of \d+)", told)


def test_an_import_and_an_export_count_their_papers_on_a_terminal_and_wipe_the_line(tmp_path: Path, file: Path) -> None:
    printed, told = on_a_terminal(tmp_path, "import", str(file), more={})
    assert printed == f"{file}: 12 new papers\n"
    assert counts(told, "importing refs.bib")[::11] == ["0 of 12"]
    assert counts(told, "importing refs.bib")[-1] == "12 of 12"
    assert told.endswith(WIPED)
    printed, told = on_a_terminal(tmp_path, "export", "--shelf", "--offline", more={})
    assert printed.count("@article") == 12
    assert counts(told, "exporting")[-1] == "12 of 12"
    assert told.endswith(WIPED)
    _, told = on_a_terminal(tmp_path, "export", "k1", "k2", "--offline", more={})
    assert counts(told, "looking up")[-1] == "2 of 2"


def test_a_check_counts_the_entries_that_all_sources_are_through_with(tmp_path: Path, file: Path) -> None:
    file.write_text(bib(4))
    with Services() as services:
        more = {**services.environment, "S2_API_KEY": services.terms.s2_key}  # with which it is asked more often
        printed, told = on_a_terminal(tmp_path, "check", str(file), "--source", "openalex", "--source", "s2", more=more)
    assert "Not found anywhere (4)" in printed
    seen = [int(state.split()[0]) for state in counts(told, "checked")]
    assert (seen[0], seen[-1], seen == sorted(seen)) == (0, 4, True)
    assert told.endswith(WIPED)


def test_in_a_pipe_and_on_a_terminal_that_cannot_write_over_a_line_nothing_is_counted(
    tmp_path: Path, file: Path
) -> None:
    assert " of 12" not in running.spar(tmp_path, "import", str(file)).stderr
    assert " of 12" not in on_a_terminal(tmp_path, "import", str(file), more={"TERM": "dumb"})[1]


def test_plain_counts_nothing(tmp_path: Path, file: Path) -> None:
    assert "checked:" not in on_a_terminal(tmp_path, "check", str(file), "--offline", "--plain", more={})[1]


def test_an_import_that_is_stopped_says_how_much_is_on_the_shelf_and_the_rest_can_be_had(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(bib(2_000))
    with opened(tmp_path, ("import", str(tmp_path / "refs.bib"))) as terminal:
        terminal.until(b"importing refs.bib: 0 of 2,000" + WIPED.encode())  # the next state
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.ended() == 130
        said = " ".join(terminal.output.decode().rpartition(WIPED)[2].split())
    found = re.search(r"interrupted; ([\d,]+) of 2,000 entries of .* are saved", said)
    assert found, said
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        there = len(shelf.numbers_on_shelf(store))
    assert there == int(found[1].replace(",", ""))
    assert papers.BATCH <= there < 2_000
    again = spar(tmp_path, "import", str(tmp_path / "refs.bib"))
    assert again.stdout == f"{tmp_path / 'refs.bib'}: {2_000 - there:,} new papers, {there:,} saved before\n"


def test_an_export_that_is_stopped_leaves_the_file_as_it_was_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(bib(1_000))
    spar(tmp_path, "import", str(tmp_path / "refs.bib"))
    kept = tmp_path / "kept.bib"
    kept.write_text("% mine\n")
    with opened(tmp_path, ("export", "--shelf", "-o", str(kept), "--replace")) as terminal:
        terminal.until(b"exporting: 0 of 1,000" + WIPED.encode())  # the next state
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.ended() == 130
        said = " ".join(terminal.output.decode().rpartition(WIPED)[2].split())
    assert "interrupted; " in said
    assert said.endswith("was not changed.")
    assert kept.read_text() == "% mine\n"


def test_a_check_that_is_stopped_says_how_far_it_came_and_goes_on_where_it_was(tmp_path: Path, file: Path) -> None:
    file.write_text(bib(60))
    with Services(latency=0.2) as services:
        with opened(tmp_path, ("check", str(file), "--source", "openalex"), services.environment) as terminal:
            terminal.until(b"checked: 0 of 60" + WIPED.encode())  # the next state
            terminal.process.send_signal(signal.SIGINT)
            assert terminal.ended() == 130
            said = " ".join(terminal.output.decode().rpartition(WIPED)[2].split())
        found = re.search(r"interrupted after (\d+) of 60 entries; the answers so far are stored", said)
        assert found, said
        before = len(services.log)
        ran = spar(tmp_path, "check", "--resume", "--json", more=services.environment)
        assert f"Resuming the check of {file}" in ran.stderr
        assert len(json.loads(ran.stdout)["entries"]) == 60
        assert len(services.log) - before <= 60 - int(found[1])
        assert {request.service for request in services.log} == {"openalex"}
        again = spar(tmp_path, "check", "--resume", more=services.environment)
        assert (again.returncode, "no check was interrupted" in again.stderr) == (2, True)
        both = spar(tmp_path, "check", str(file), "--resume")
        assert (both.returncode, "omit FILE" in both.stderr) == (2, True)


def test_a_verb_that_is_stopped_says_so(tmp_path: Path) -> None:
    with (
        Services(latency=30) as services,
        opened(tmp_path, ("show", "10.1000/engines"), services.environment) as terminal,
    ):
        running.wait_until(lambda: bool(services.log))
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.ended() == 130
        assert terminal.output.decode().strip() == "spar: interrupted."
