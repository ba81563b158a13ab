"""`spar pick`: chosen on the terminal, whatever the shell made of standard input and output; only keys come out."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from cache.reading_history import interactions
from cache.store import Store
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import command, environment, forked, forked_python
from tests.spar_tui.tui.real_terminal import ENTER_APP, LEAVE_APP, Terminal, opened

BIB = """@article{notes, title={Notes on the Engine}, author={Lovelace, Ada}, journal={Memoirs}, year=1843}
@article{turing1936, title={On Computable Numbers}, author={Turing, Alan}, year=1936}
@article{lov, title={Turing and his machines}, author={Church, Kurt}, year=1950}
"""
"""Saved in this order; the list begins with the last: lov, turing1936, notes."""
IN_CHARGE = "import fcntl, termios; fcntl.ioctl({}, termios.TIOCSCTTY, 0); "
"""Makes the terminal at a stream that from which the programs of this session were started, as a person's is."""
SHELL = f"{IN_CHARGE.format(0)}import os, sys; os.execvp('sh', ['sh', *sys.argv[1:]])"
PICK = f"{IN_CHARGE.format(2)}from spar_tui.__main__ import main; main()"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "refs.bib").write_text(BIB)
    assert spar(folder, "import", str(folder / "refs.bib")).returncode == 0
    return folder


@contextmanager
def in_shell(home: Path, line: str) -> Iterator[Terminal]:
    """A shell's `line` in its terminal, in which PICK is a new `spar pick`."""
    line = line.replace("PICK", shlex.join(command("pick")))
    with opened(home, program=[sys.executable, "-c", SHELL, "-c", line]) as terminal:
        yield terminal


@contextmanager
def picking(home: Path, line: str, *words: str, more: dict[str, str] | None = None) -> Iterator[Terminal]:
    """The `line` of a shell without a terminal, in which PICK is a forked `spar pick` with `words` that has one."""
    line = line.replace("PICK", shlex.join(forked_python("-c", PICK, "pick", *words)))
    with opened(home, more=more, program=["sh", "-c", line]) as terminal:
        yield terminal


def shown(terminal: Terminal) -> None:
    terminal.until_open()
    terminal.until(b"Computable")
    terminal.rest()


def typed(terminal: Terminal, keys: Sequence[str]) -> int:
    """Press keys one after the other; the exit code in the end."""
    for key in keys:
        terminal.type(key)
        terminal.rest(0.1)
    return terminal.ended()


PIPES = {
    "a substitution": 'printf "%s\\n" "$(PICK)" > $HOME/out',
    "nothing left": "PICK < /dev/null 2> $HOME/errors > $HOME/out",
    "something to read": "echo words | PICK > $HOME/out",
}


@pytest.mark.parametrize("line", PIPES.values(), ids=PIPES)
def test_the_list_is_drawn_on_the_terminal_and_the_keys_alone_come_out(line: str, home: Path) -> None:
    with in_shell(home, line) as terminal:
        shown(terminal)
        assert typed(terminal, ["j", "\r"]) == 0
        assert terminal.echoes
        assert terminal.output.rindex(LEAVE_APP) > terminal.output.rindex(ENTER_APP)
    assert (home / "out").read_bytes() == b"turing1936\n"
    if "errors" in line:
        assert (home / "errors").read_bytes() == b""


def test_on_a_terminal_the_keys_are_printed_when_the_list_is_gone(home: Path) -> None:
    with picking(home, "PICK") as terminal:
        shown(terminal)
        assert typed(terminal, ["\r"]) == 0
        assert terminal.said.endswith("lov\r\n")


def test_space_marks_several_and_they_come_in_that_order_one_a_line(home: Path) -> None:
    with picking(home, "PICK > $HOME/out") as terminal:
        shown(terminal)
        assert typed(terminal, ["G", " ", "g", " ", "\r"]) == 0
    assert (home / "out").read_text() == "notes\nlov\n"


def test_a_filter_hides_papers_but_no_mark(home: Path) -> None:
    with picking(home, "PICK > $HOME/out") as terminal:
        shown(terminal)
        assert typed(terminal, ["G", " ", "/", *"turing -machines", "\r", " ", "\r"]) == 0
    assert (home / "out").read_text() == "notes\nturing1936\n"


def test_words_are_the_first_filter_and_can_be_taken_away(home: Path) -> None:
    with picking(home, "PICK > $HOME/out", "year:..1900") as terminal:
        terminal.until_open()
        terminal.until(b"1 of 3")
        terminal.rest()
        assert b"Computable" not in terminal.output
        assert typed(terminal, ["\r"]) == 0
    assert (home / "out").read_text() == "notes\n"
    with picking(home, "PICK > $HOME/out", "--", "-machines", "-engine") as terminal:
        terminal.until_open()
        terminal.until(b"1 of 3")
        terminal.type("/")
        terminal.rest()
        terminal.type("\x1b")
        terminal.until(b"his machines")
        assert typed(terminal, ["g", "\r"]) == 0
    assert (home / "out").read_text() == "lov\n"


def test_a_filter_that_looks_into_full_texts_asks_the_library(home: Path) -> None:
    with picking(home, "PICK > $HOME/out", "--", "-in:fulltext") as terminal:
        shown(terminal)
        terminal.until(b"3 of 3")
        assert typed(terminal, ["\r"]) == 0
    assert (home / "out").read_text() == "lov\n"
    with picking(home, "PICK > $HOME/out", "in:fulltext") as terminal:
        terminal.until_open()
        terminal.until(b"no match")
        terminal.rest()
        assert typed(terminal, ["\r", " ", "\x1b"]) == 130


def test_a_format_writes_what_spar_cite_writes(home: Path) -> None:
    with picking(home, "PICK > $HOME/out", "--format", "latex") as terminal:
        shown(terminal)
        assert typed(terminal, ["\r"]) == 0
    assert (home / "out").read_text() == "\\cite{lov}\n" == spar(home, "cite", "lov", "--format", "latex").stdout


@pytest.mark.parametrize("key", ["\x1b", "\x03"], ids=["escape", "ctrl+c"])
def test_who_leaves_gives_nothing_though_papers_are_marked(key: str, home: Path) -> None:
    with picking(home, "PICK > $HOME/out; echo code $?") as terminal:
        shown(terminal)
        typed(terminal, [" ", key])
        assert "nothing was chosen" in terminal.said
        assert "code 130" in terminal.said
        assert terminal.echoes
    assert (home / "out").read_bytes() == b""


def test_a_signal_to_end_gives_the_terminal_back_and_nothing_else(home: Path) -> None:
    with picking(home, "exec PICK > $HOME/out") as terminal:
        shown(terminal)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.ended() == 130
        assert terminal.echoes
        assert "Traceback" not in terminal.said
    assert (home / "out").read_bytes() == b""


def test_without_color_it_is_as_colorless_as_the_app(home: Path) -> None:
    with picking(home, "PICK > $HOME/out", more={"NO_COLOR": "1"}) as terminal:
        shown(terminal)
        colors = {int(number) for number in re.findall(rb"[34]8;5;(\d+)", terminal.output)}
        assert colors <= {16, 231, *range(232, 256)}  # black, white and what is between
        assert b"8;2;" not in terminal.output
        assert typed(terminal, ["\r"]) == 0


def test_who_picks_without_looking_closer_tells_nothing_of_their_taste(home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        before = len(list(interactions(store)))
    with picking(home, "PICK > $HOME/out") as terminal:
        shown(terminal)
        typed(terminal, ["\r"])
    with Store.open(home / "spar" / "spar.db") as store:
        assert len(list(interactions(store))) == before


def test_an_odd_title_or_key_reaches_neither_the_terminal_nor_the_output_as_it_is(tmp_path: Path) -> None:
    odd = "\x1b]52;c;aGk=\x07\x1b[31mRed \u202eand [bold]odd[/bold] [/"
    csl = [{"id": "a\x1b[31mb", "type": "article", "title": odd, "author": [{"family": "Odd\x1b[5m", "given": "A"}]}]
    (tmp_path / "odd.json").write_text(json.dumps(csl))
    assert spar(tmp_path, "import", str(tmp_path / "odd.json")).returncode == 0
    with picking(tmp_path, "PICK > $HOME/out") as terminal:
        terminal.until_open()
        terminal.until(b"odd")
        terminal.rest()
        assert typed(terminal, ["\r"]) == 0
        assert not [one for one in (b"\x1b]52", b"\x1b[31m", "\u202e".encode()) if one in terminal.output]
    out = (tmp_path / "out").read_text()
    assert out.endswith("\n")
    assert out.strip().isprintable()
    assert len(out.split()) == 1


def test_a_paper_without_a_key_gets_that_of_spar_cite(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_text("TY  - JOUR\nAU  - Lovelace, Ada\nTI  - Computable Engines\nPY  - 1843\nER  - \n")
    assert spar(tmp_path, "import", str(tmp_path / "a.ris")).returncode == 0
    with picking(tmp_path, "PICK > $HOME/out") as terminal:
        shown(terminal)
        assert typed(terminal, ["\r"]) == 0
    key = (tmp_path / "out").read_text()
    assert key.startswith("lovelace")
    assert spar(tmp_path, "cite", "engines").stdout == key


def ran_without_terminal(home: Path, *words: str, term: str = "xterm") -> subprocess.CompletedProcess[str]:
    """With no terminal anywhere: not even one from which it was started."""
    return subprocess.run(
        forked("pick", *words), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        env=environment(home, {"TERM": term}), start_new_session=True, cwd=Path(__file__).parents[5],
    )  # fmt: skip


@pytest.mark.parametrize(("term", "said"), [("xterm", "no terminal to choose in"), ("dumb", "TERM is dumb")])
def test_where_nothing_can_be_drawn_one_is_told_what_can_be_done_instead(term: str, said: str, home: Path) -> None:
    ran = ran_without_terminal(home, term=term)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert len(ran.stderr.splitlines()) == 1
    assert said in ran.stderr
    assert "`spar cite WORDS`" in ran.stderr


def test_an_empty_shelf_is_said(tmp_path: Path) -> None:
    ran = ran_without_terminal(tmp_path)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == "spar: no papers are on the shelf; spar save PAPER adds papers.\n"


@pytest.mark.parametrize(("given", "said"), [(["--format", "word"], "choose from key, latex"), (["is:odd"], "is:odd")])
def test_what_is_not_understood_is_refused_before_anything_is_drawn(given: list[str], said: str, home: Path) -> None:
    ran = spar(home, "pick", *given)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr


def test_no_line_of_the_process_stays_the_terminals(home: Path) -> None:
    """What comes behind a list in the same process writes where it would have."""
    script = (
        "import os\nfrom spar_tui.tui.picking.screen import terminal_standing_in\n"
        "before = [os.fstat(0), os.fstat(1)]\nopen_before = set(os.listdir('/proc/self/fd'))\n"
        "with terminal_standing_in():\n    assert os.isatty(0) and os.isatty(1)\n"
        "assert [os.fstat(0), os.fstat(1)] == before\nassert set(os.listdir('/proc/self/fd')) == open_before\n"
    )
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("only here can it be looked at")
    line = f"{shlex.join([sys.executable, '-c', script])} < /dev/null > $HOME/out"
    with in_shell(home, line) as terminal:
        assert terminal.ended() == 0, terminal.output
