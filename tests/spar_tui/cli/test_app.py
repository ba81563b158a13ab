"""What the verbs say of themselves: saved papers are the shelf, all that were ever found the library."""

from collections.abc import Iterator
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from spar_tui.cli.app import app
from tests.spar_tui.in_process import spar


def helps(group: TyperGroup, name: str = "spar") -> Iterator[tuple[str, str]]:
    """Each verb under `group`, and all that its help says."""
    for verb, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from helps(command, f"{name} {verb}")
        options = [getattr(option, "help", None) or "" for option in command.params]
        yield f"{name} {verb}", " ".join([command.help or "", *options])


def every_help() -> dict[str, str]:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    return dict(helps(group))


def test_only_what_is_about_all_papers_ever_found_speaks_of_the_library() -> None:
    naming = {verb for verb, text in every_help().items() if "librar" in text.casefold()}
    # One says that the papers of a run stay there, one is asked about all of them, one lets other programs read them,
    # one names the verb that finds what it fetched, one sorts what is looked for there, one searches it along,
    # one looks for a quote in all of them, two can write from all of them, one reads what all of them say, and one says
    # that papers of a corpus stay there.
    others = {"spar fetch", "spar history forget", "spar chat", "spar mcp", "spar shelf", "spar search", "spar whence",
              "spar ask", "spar summarize", "spar lint", "spar corpus drop"}  # fmt: skip
    assert naming == {"spar library"} | others


def test_the_verb_that_lists_saved_papers_is_the_shelf_and_the_library_is_all_papers() -> None:
    said = every_help()
    assert "saved papers" in said["spar shelf"]
    assert "all papers found so far" in said["spar library"]


def test_a_summary_is_spelled_in_one_way() -> None:
    assert not [verb for verb, text in every_help().items() if "summaris" in f"{verb} {text}".casefold()]


def test_help_says_what_the_flag_says(tmp_path: Path) -> None:
    assert spar(tmp_path, "help", "history", "forget").stdout == spar(tmp_path, "history", "forget", "--help").stdout
    assert spar(tmp_path, "help").stdout == spar(tmp_path, "--help").stdout
    assert spar(tmp_path, "help", "serch").returncode == 2


def test_a_question_needs_no_verb(tmp_path: Path) -> None:
    ran = spar(tmp_path, "papers on attention in transformers", "--offline")
    assert ran.returncode == 0
    assert "Attention Is All You Need" in ran.stdout
    assert spar(tmp_path, "retrieval").returncode == 2


def test_a_verb_that_people_guess_is_answered_with_the_right_one(tmp_path: Path) -> None:
    told = {
        name: spar(tmp_path, name, "x").stderr
        for name in ("add", "delete", "rename", "list", "update", "info", "backup", "quit", "screen")
    }
    assert told["add"].startswith(
        "spar: There is no verb add. `spar save`: Save papers; `spar import`: Import bibliographies"
    )
    for name, verb in (
        ("delete", "unsave"),
        ("rename", "tag"),
        ("list", "shelf"),
        ("update", "watch"),
        ("info", "show"),
        ("backup", "doctor"),
        ("quit", ""),
        ("screen", ""),
    ):
        assert f"There is no verb {name}. `{f'spar {verb}'.rstrip()}`: " in told[name]
    assert "`spar key`: " in told["rename"]


def test_another_name_is_answered_with_the_verbs_whose_help_means_most_nearly_the_same(tmp_path: Path) -> None:
    for name, verb in {"bibliography": "import", "duplicates": "merge", "latex": "export"}.items():
        assert f"There is no verb {name}. Nearest: `spar {verb}`: " in spar(tmp_path, name).stderr
    for name in ("clear", "upgrade"):  # nothing does what they mean
        assert spar(tmp_path, name).stderr == f"spar: No such command '{name}'. See `spar --help`.\n"


def test_an_option_that_only_other_verbs_have_is_answered_with_these(tmp_path: Path) -> None:
    ran = spar(tmp_path, "cite", "attention", "--style", "apa")
    assert (ran.returncode, ran.stderr) == (
        2,
        "spar: No such option: --style. `spar export` has it. See `spar cite --help`.\n",
    )


def test_a_misspelled_option_is_answered_with_those_whose_names_are_like_it(tmp_path: Path) -> None:
    """The dashes, which all options share, make no two of them alike."""
    for option, similar in {"--bogus": "", "--lmit": " (Possible options: --limit)"}.items():
        assert f"No such option: {option}{similar}. See" in spar(tmp_path, "search", option).stderr


def test_a_number_may_stand_at_its_option_beside_a_filter(tmp_path: Path) -> None:
    assert "for -n1" not in spar(tmp_path, "shelf", "-n1").stderr
    assert "for -nature" in spar(tmp_path, "shelf", "-nature").stderr


def test_a_verb_that_is_misspelled_is_answered_in_whole_sentences(tmp_path: Path) -> None:
    ran = spar(tmp_path, "serach", "x")
    assert (ran.returncode, ran.stderr.strip()) == (
        2,
        "spar: No such command 'serach'. Did you mean 'search'? See `spar --help`.",
    )
