"""Whatever is typed, the answer is one sentence on standard error and the contract's exit code."""

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cache import shelf
from cache.store import Store
from tests.agents.scripted import paper
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment, forked


def refused(ran: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a refusal."""
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    (line,) = ran.stderr.splitlines()
    assert line.startswith("spar: ")
    return line


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["search", ""], "no words"),
        (["search", "   "], "no words"),
        (["search", "?!"], "no words"),
        (["search", "x" * 20_000], "20,000"),
        (["search"], "QUESTION"),
        (["search", "x", "--source", "scopus"], "scopus"),
        (["search", "x", "--since", "2020-13-45"], "2020-13-45"),
        (["search", "x", "--since", "20O4"], "20O4"),
        (["search", "x", "--until", "2021-02-30"], "2021-02-30"),
        (["search", "x", "--since", "2021", "--until", "2020"], "after"),
        (["search", "10.1000/x", "--since", "2020"], "leave --since and --until out"),
        (["search", "x", "--limit", "0"], "--limit must be from 1 to 1000"),
        (["search", "x", "--limit", "-5"], "--limit must be from 1 to 1000"),
        (["search", "x", "--limit", "many"], "--limit"),
        (["search", "x", "--seconds", "0"], "seconds"),
        (["search", "x", "--json", "--jsonl"], "--jsonl"),
        (["search", "x", "--nonsense"], "--nonsense"),
        (["searhc", "x"], "searhc"),
        (["show", "not a paper"], "does not name a paper"),
        (["show", "10.1000"], "does not name a paper"),
        (["refs", "@"], "does not name a paper"),
        (["refs", "1706.03762", "--limit", "0"], "limit"),
        (["config", "set", "limt", "5"], "limt"),
        (["config", "set", "limit", "five"], "limit"),
        (["config", "set", "sources", "arxiv,scopus"], "scopus"),
        (["corpus"], "Missing command. See `spar corpus --help`."),
        # What an unset variable of a shell becomes.
        (["ask", ""], "spar ask"),
        (["ask", "x", "--run", ""], "--run is empty"),
        (["ask", "x", "--tag", ""], "--tag is empty"),
        (["cite", ""], "no words"),
        (["import", ""], "a FILE is empty"),
        (["import", "https://arxiv.org/abs/1706.03762"], "`spar save https://arxiv.org/abs/1706.03762` saves it"),
        (["import", "a\nb\u202ec\u200b.bib"], "spar: a bc.bib cannot be read"),
        (["save", "1706.03762", "--tag", ""], "a tag is empty"),
        (["tag", "1706.03762", "--add", " "], "a tag is empty"),
        (["share", "", "--output", "pack.zip"], "say what to share"),
        (["shelf", "--tag", ""], "--tag is empty"),
        (["summarize", "x", "--run", ""], "--run is empty"),
        (["summarize", "x", "--tag", ""], "--tag is empty"),
        (["tag", "rename", "flu", ""], "a tag is empty"),
        (["watch", "--author", ""], "--author needs"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments: list[str], named: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, *arguments)
    assert named in refused(ran)
    assert ran.returncode == 2


@pytest.mark.parametrize(
    "question",
    [
        "AT&T R+D?",
        '"unbalanced',
        "🧬 CRISPR 🧬",
        "検索 拡張 生成",
        "{a b}: c",
        "';DROP TABLE papers;--",
        "\x1b[2Jescape",
        "--help me",
        "10.1000/182",
    ],
)
def test_every_question_with_words_is_searched(question: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "--offline", "--", question)
    assert ran.returncode in (0, 3)
    assert "Traceback" not in ran.stderr
    assert "unexpected" not in ran.stderr
    assert "\x1b" not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "arguments", [["show"], ["save"], ["tag"], ["shelf", "--tag"], ["export", "--tag"], ["log"]], ids=" ".join
)
def test_an_argument_that_is_not_utf8_is_wrong_usage(arguments: list[str], tmp_path: Path) -> None:
    ran = spar(tmp_path, *arguments, os.fsdecode(b"caf\xe9"))
    assert "is not UTF-8 text" in refused(ran)
    assert ran.returncode == 2


def test_nothing_found_though_all_answered_is_exit_code_3(tmp_path: Path) -> None:
    assert spar(tmp_path, "search", "zzqxv wqqzk", "--offline").returncode == 3


@pytest.mark.parametrize("place", ["@1", "@99", "@0"])
def test_a_place_without_a_paper_is_named(place: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "show", place)
    assert place in refused(ran)
    assert ran.returncode == 3


def test_a_place_beyond_the_last_run_is_named(tmp_path: Path) -> None:
    spar(tmp_path, "search", "attention", "--offline", "--limit", "3")
    ran = spar(tmp_path, "show", "@99")
    assert "3 papers" in refused(ran)
    assert ran.returncode == 3


def test_a_paper_that_nobody_knows_is_named(tmp_path: Path) -> None:
    ran = spar(tmp_path, "show", "10.5555/nobody.knows", "--offline")
    assert "is not in your library, and no source was asked" in refused(ran)
    assert ran.returncode == 1


def test_a_paper_that_could_not_be_looked_up_is_not_called_unknown(tmp_path: Path) -> None:
    ran = spar(tmp_path, "show", "10.5555/nobody.knows")
    assert re.search(r"is not in your library\. .* failed", refused(ran))
    assert ran.returncode == 1


def test_a_blank_key_is_no_key(tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "attention", "--offline", more={"OPENALEX_API_KEY": " ", "S2_API_KEY": ""})
    assert ran.returncode == 0


def test_a_broken_settings_file_is_named_and_the_search_goes_on(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("limit = [1,\n2")
    ran = spar(tmp_path, "search", "attention", "--offline")
    assert ran.returncode == 0
    assert "line 2" in ran.stderr
    assert (tmp_path / "spar" / "config.toml").read_text() == "limit = [1,\n2"


def test_a_broken_settings_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("limit = \n")
    assert spar(tmp_path, "config", "set", "limit", "5").returncode == 2
    assert (tmp_path / "spar" / "config.toml").read_text() == "limit = \n"


def test_a_changed_setting_keeps_the_files_comments(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("# mine\nlimit = 3  # few\n")
    assert spar(tmp_path, "config", "set", "sources", "arxiv, pubmed").returncode == 0
    assert (
        tmp_path / "spar" / "config.toml"
    ).read_text() == '# mine\nlimit = 3  # few\nsources = ["arxiv", "pubmed"]\n'


def test_a_home_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = spar(tmp_path, "search", "attention", "--offline", more={"SPAR_HOME": str(tmp_path / "file" / "home")})
    assert "SPAR_HOME" in refused(ran)
    assert ran.returncode == 1


def test_a_library_that_is_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "spar.db").write_bytes(b"not a database, but dear to somebody")
    ran = spar(tmp_path, "search", "attention", "--offline")
    assert "spar.db" in refused(ran)
    assert ran.returncode == 1
    assert (tmp_path / "spar" / "spar.db").read_bytes() == b"not a database, but dear to somebody"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is not on this system")
def test_an_answer_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            forked("search", "attention", "--offline"),
            env=environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
    assert ran.returncode == 1
    assert "could not be written" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file names")
def test_the_name_of_a_file_cannot_control_the_terminal(tmp_path: Path) -> None:
    name = tmp_path / "a\x1b]52;c;QQ==\x07\x1b[8m\x9b2J.bib"
    refusal = spar(tmp_path, "import", str(name)).stderr
    name.write_text("@article{one, title={Sea birds}, year={2020}}")
    told = spar(tmp_path, "import", str(name)).stdout
    assert "cannot be read" in refusal
    assert "1 new paper" in told
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", refusal + told)


def test_what_no_source_has_cleaned_is_printed_without_characters_that_do_something(tmp_path: Path) -> None:
    title = "retrieval \x1b]0;title\x07 of \u202egnp.exe\u200b \x9b2J"
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        shelf.save(store, [replace(paper("retrieval", "10.1000/h1"), title=title)])
    assert spar(tmp_path, "search", "retrieval", "--offline").returncode == 0
    for words in (["log", "last"], ["export", "--shelf", "--format", "text"], ["shelf"]):
        printed = spar(tmp_path, *words).stdout
        assert "gnp.exe" in printed
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", printed), words
