"""Verbs that are imported when they are called: all is as if they had been imported before."""

import pytest
from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from spar_tui.cli.app import app
from spar_tui.cli.options.lazy_verbs import LazyVerbs, Verb


def spar_verbs() -> LazyVerbs:
    group = get_command(app)
    assert isinstance(group, LazyVerbs)
    return group


@pytest.mark.parametrize("verb", spar_verbs().VERBS, ids=lambda verb: verb.name)
def test_what_the_table_tells_of_a_verb_is_the_first_sentence_of_its_help(verb: Verb) -> None:
    assert verb.built().get_short_help_str(10_000) == verb.told


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_list_of_verbs_is_that_of_the_verbs_themselves(width: int) -> None:
    group = spar_verbs()
    with Context(group, info_name="spar") as context:
        lazy, own = (context.make_formatter() for _ in range(2))
        lazy.width = own.width = width
        group.format_commands(context, lazy)
        TyperGroup.format_commands(group, context, own)
    assert lazy.getvalue() == own.getvalue()


def test_each_verb_stands_once_in_the_table() -> None:
    names = [one.name for one in spar_verbs().VERBS]
    assert len(names) == len(set(names))
