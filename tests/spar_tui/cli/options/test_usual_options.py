"""Every verb, whichever it is, has the same short names and says as little or as much as it is told to."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from spar_tui.cli.app import app
from spar_tui.cli.options.usual_options import SHORT
from tests.spar_tui.in_process import spar


def commands(command: Any, name: str = "spar") -> Iterator[tuple[str, Any]]:
    """The command and all below it, by what is typed for them."""
    yield name, command
    for word, one in getattr(command, "commands", {}).items():
        yield from commands(one, f"{name} {word}")


EVERY = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", EVERY)
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
