"""`-` where a verb takes a file: standard input to read from, standard output to write to."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from spar_tui.cli.app import app
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment, forked

BIB = "@article{notes, title={Notes on the Engine}, author={Lovelace, Ada}, journal={Memoirs}, year=1843}\n"
READ = {"import FILE", "check FILE", "search --from-log", "export --cited-in"}
"""What is read, by verb and option or by what the argument is called."""
WRITTEN = {
    "export --output", "check --output", "log --output", "graph --output", "summarize --output",
    "bench export-training --output", "watch --rss", "share --output",
}  # fmt: skip
FOLDERS = {"fetch --to", "notes --to", "bench --documents", "bench COLLECTION"}
PLACES = {
    "mark --pdf": "what is kept is where the file lies",
    "corpus build FILE": "a dump that was cut off is gone on with at its byte, which a stream has not",
    "lint FILE": "its bibliographies lie beside it, and a stream has no folder",
    "summarize --bib": "the text names this file, and has standard output itself",
}
_NAMED_SO = re.compile(r"FILE|DIR|FOLDER|PATH|COLLECTION")
_NAMES = {"output", "file", "files", "path", "folder", "to", "bib", "rss"}


def taking_files(group: TyperGroup, before: str = "") -> Iterator[str]:
    """Each parameter of a verb that takes the name of a file or a folder."""
    for verb, one in group.commands.items():
        if isinstance(one, TyperGroup):
            yield from taking_files(one, f"{before}{verb} ")
        for given in one.params:
            metavar = str(getattr(given, "metavar", "") or "")
            is_path = "Path" in str(getattr(getattr(given, "type_descriptor", None), "annotation", ""))
            if _NAMED_SO.search(metavar) or is_path or given.name in _NAMES:
                long = [name for name in given.opts if name.startswith("--")]
                yield f"{before}{verb} {long[0] if long else metavar.strip('[]….')}"


def test_every_file_that_a_verb_takes_is_shown_here_to_take_a_dash_or_named_with_the_reason() -> None:
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    assert sorted(taking_files(command)) == sorted(READ | WRITTEN | FOLDERS | PLACES.keys())


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a person who searched and imported a paper."""
    home = tmp_path_factory.mktemp("furnished")
    (home / "refs.bib").write_text(BIB)
    assert spar(home, "search", "attention transformer", "--offline", "--watch", "att").returncode == 0
    assert spar(home, "import", str(home / "refs.bib")).returncode == 0
    return home


@pytest.fixture
def home(furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home like the one that is `furnished`, of a person who stands in an empty folder."""
    copytree(furnished, tmp_path, dirs_exist_ok=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "--shelf"], ["export", "--run", "last", "--format", "ris"], ["graph", "--format", "dot"], ["graph"],
        ["log"],
        ["bench", "export-training"], ["summarize", "attention in transformers", "--offline"],
        ["check", "{refs}", "--fix", "--offline"], ["check", "{refs}", "--fix", "--offline", "--json"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_is_written_to_a_dash_is_what_stands_on_standard_output_without_it(
    arguments: list[str], home: Path
) -> None:
    given = [str(home / "refs.bib") if one == "{refs}" else one for one in arguments]
    plain, dashed = spar(home, *given), spar(home, *given, "-o", "-")
    assert dashed.stdout == plain.stdout
    assert dashed.returncode == plain.returncode
    assert dashed.stdout or "check" in given
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("verb", sorted(one.removesuffix(" --output") for one in WRITTEN if "--output" in one))
def test_an_empty_output_file_is_refused(verb: str, home: Path) -> None:
    words = {"check": [str(home / "refs.bib"), "--fix"], "summarize": ["reeds"], "share": ["--shelf"]}.get(verb, [])
    ran = spar(home, *verb.split(), *words, "--output", "")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "spar: the FILE of --output is empty; name one, or - for standard output.\n"


def test_a_feed_on_standard_output_is_alone_there(home: Path) -> None:
    ran = spar(home, "watch", "--offline", "--rss", "-")
    assert ran.stdout.startswith("<?xml")
    assert ran.stdout.rstrip().endswith("</rss>")
    assert list(Path.cwd().iterdir()) == []
    file = spar(home, "watch", "--offline", "--rss", "feed.xml")
    assert file.returncode == ran.returncode
    assert Path("feed.xml").read_text("utf-8") == ran.stdout
    assert spar(home, "watch", "--offline", "--rss", "-", "--json").returncode == 2


def test_a_dash_gives_no_file_to_add_to(home: Path) -> None:
    ran = spar(home, "export", "--shelf", "-o", "-", "--append")
    assert (ran.returncode, ran.stdout) == (2, "")


def test_a_bibliography_is_read_from_standard_input(home: Path) -> None:
    ran = spar(home, "import", "-", stdin="@article{two, title={A second engine}, author={Babbage, C.}, year=1850}")
    assert ran.returncode == 0
    assert spar(home, "cite", "second").stdout == "two\n"
    checked = spar(home, "check", "-", "--offline", "--json", stdin=BIB)
    assert json.loads(checked.stdout)["entries"]


def test_a_search_is_run_again_from_a_log_on_standard_input(home: Path) -> None:
    for more in ([], ["--json"]):
        log = spar(home, "log", "last", *more).stdout
        ran = spar(home, "search", "--from-log", "-", "--offline", stdin=log)
        assert ran.returncode == 0, ran.stderr
        assert "Attention Is All You Need" in ran.stdout
    ran = spar(home, "search", "--from-log", "-", "--offline", stdin="no log")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "standard input is not a search log" in ran.stderr


@pytest.mark.parametrize(
    "document",
    [
        "Engines \\cite{notes}.",
        "\\relax\n\\citation{notes}\n",
        '<?xml version="1.0"?><bcf:controlfile><bcf:citekey order="1">notes</bcf:citekey></bcf:controlfile>',
        "\\input{part}",
    ],
    ids=["tex", "aux", "bcf", "part"],
)
def test_what_a_document_on_standard_input_cites_is_exported(document: str, home: Path) -> None:
    Path("part.tex").write_text("\\cite{notes}")
    ran = spar(home, "export", "--cited-in", "-", "--cited-in", "-", stdin=document)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("{notes,") == 1


def test_standard_input_is_not_read_as_two_things(home: Path) -> None:
    ran = spar(home, "export", "-", "--cited-in", "-", stdin="notes")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "standard input cannot be both papers and a document" in ran.stderr


def test_a_reader_that_has_enough_is_no_fault(home: Path) -> None:
    written = subprocess.Popen(
        forked("bench", "export-training", "-o", "-"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(home), cwd=Path(__file__).parents[4],
    )  # fmt: skip
    assert written.stdout is not None
    assert written.stderr is not None
    assert written.stdout.readline().startswith(b"{")
    written.stdout.close()
    said = written.stderr.read()
    written.stderr.close()
    assert written.wait() == 0
    assert said == b""
