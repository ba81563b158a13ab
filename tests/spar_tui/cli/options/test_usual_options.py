"""Every verb, whichever it is, has the same short names and says as little or as much as it is told to."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer import Context
from typer.main import get_command

from spar_tui.cli.app import app
from spar_tui.cli.options.lazy_verbs import LazyVerbs, Verb
from spar_tui.cli.options.usual_options import SHORT
from tests.rows import each
from tests.spar_tui.in_process import spar


def commands(command: Any, name: str = "spar") -> Iterator[tuple[str, Any]]:
    """The command and all below it, by what is typed for them."""
    yield name, command
    for word, one in getattr(command, "commands", {}).items():
        yield from commands(one, f"{name} {word}")


EVERY = dict(commands(typer.main.get_command(app)))


@each("name", EVERY)
def test_a_verb_has_the_short_name_of_each_of_its_options_and_none_twice(name: str) -> None:
    names = [one for param in EVERY[name].params for one in param.opts]
    for param in EVERY[name].params:
        for long in set(param.opts) & set(SHORT):
            assert SHORT[long] in param.opts
    assert len(names) == len(set(names))
    assert {"-q", "--quiet", "-v", "--verbose"} <= set(names)


def test_the_short_names_do_what_the_long_ones_do(tmp_path: Path) -> None:
    assert spar(tmp_path, "-V").stdout == spar(tmp_path, "--version").stdout != ""
    asked = ("search", "generative adversarial networks", "--offline")
    assert len(spar(tmp_path, *asked, "-n", "2", "--format", "{id}").stdout.splitlines()) == 2
    assert spar(tmp_path, "history", "-j").stdout == spar(tmp_path, "history", "--json").stdout


def test_quiet_leaves_figures_out_and_failures_in(tmp_path: Path) -> None:
    ask = ("search", "generative adversarial networks", "--source", "openalex")
    told, quiet = spar(tmp_path, *ask), spar(tmp_path, *ask, "-q")
    assert " records (" in told.stderr
    assert " records (" not in quiet.stderr
    assert "spar: openalex cannot be reached" in quiet.stderr
    assert all(line.startswith("spar: ") for line in quiet.stderr.splitlines())
    assert quiet.stdout
    both = spar(tmp_path, *ask, "-q", "-v")
    assert (both.returncode, both.stderr) == (2, "spar: --quiet and --verbose cannot be combined; choose one.\n")
    assert spar(tmp_path, "-q", "history").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("doctor", "--yes"), "--yes needs --repair."),
        (("bench", "folder", "--model"), "--model needs --summary or --converse."),
        (("export", "--included"), "--included needs --run."),
        (("check", "refs.bib", "-o", "fixes.diff"), "--output needs --fix."),
        (("history", "forget", "--before", "2020"), "--before needs --reading."),
        (("library", "reefs", "-n", "1001"), "--limit must be from 1 to 1000."),
        (("cite", "reefs", "-n", "0"), "--limit must be 1 or more."),
        (("summarize", "reefs", "--depth", "4"), "--depth must be from 0 to 3."),
    ],
)
def test_what_the_help_of_an_option_says_of_its_use_holds(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    ran = spar(tmp_path, *words)
    assert (ran.returncode, ran.stderr) == (2, f"spar: {sentence}\n")


def spar_verbs() -> LazyVerbs:
    group = get_command(app)
    assert isinstance(group, LazyVerbs)
    return group


VERBS = [verb for verbs in spar_verbs().GROUPS.values() for verb in verbs]


@each("verb", VERBS, ids=lambda verb: verb.name)
def test_what_the_table_tells_of_a_verb_is_the_first_sentence_of_its_help(verb: Verb) -> None:
    assert verb.built().get_short_help_str(10_000) == verb.summary


def test_every_verb_stands_under_its_heading_in_one_line_of_80_columns() -> None:
    group = spar_verbs()
    with Context(group, info_name="spar") as context:
        formatter = context.make_formatter()
        formatter.width = 80
        group.format_commands(context, formatter)
    assert formatter.getvalue().split("\n\n") == [
        "\n".join([f"{heading}:", *(f"  {verb.name:<9}  {verb.summary}" for verb in verbs)])
        + ("" if heading != "This program" else "\n")
        for heading, verbs in group.GROUPS.items()
    ]


def test_each_verb_stands_once_in_the_table() -> None:
    names = [verb.name for verb in VERBS]
    assert len(names) == len(set(names))


@each("verb", VERBS, ids=lambda verb: verb.name)
def test_help_names_arguments_alone_without_types_or_braces(verb: Verb) -> None:
    command = verb.built()
    with Context(command, info_name=verb.name) as context:
        usage, *_ = text = command.get_help(context).splitlines()
    assert not any(mark in line for line in text for mark in ("<str", "<list", "<path", "<file"))
    assert "{" not in usage
