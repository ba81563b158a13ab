"""Verbs that are imported when they are called: all is as if they had been imported before."""

import pytest
from typer import Context
from typer.main import get_command

from spar_tui.cli.app import app
from spar_tui.cli.options.lazy_verbs import LazyVerbs, Verb


def spar_verbs() -> LazyVerbs:
    group = get_command(app)
    assert isinstance(group, LazyVerbs)
    return group


VERBS = [verb for verbs in spar_verbs().GROUPS.values() for verb in verbs]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
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
