"""Searches that compare meanings, measured beside those that do not."""

from pathlib import Path

from tests.agents.meaning.models import has_weights, minilm
from tests.benchmarks.measuring import tiny
from tests.benchmarks.measuring.test_command import answer, measured


@has_weights
def test_what_meanings_are_worth_is_measured_beside_the_search_without(tmp_path: Path) -> None:
    more = {"SPAR_SEMANTIC_FOLDER": str(minilm(tmp_path / "minilm"))}
    command = (str(tiny.write(tmp_path / "reefs")), "--arms", "spar", "spar+semantic")
    told = answer(tmp_path, *command, more=more)
    assert list(told["arms"]) == ["spar", "spar+semantic"]
    assert list(tmp_path.rglob("bench-vectors/texts.db"))
    ran = measured(tmp_path, *command)
    assert ran.returncode == 2
    assert "there is no model for vectors. Set SPAR_SEMANTIC_FOLDER to the folder of one" in ran.stderr
