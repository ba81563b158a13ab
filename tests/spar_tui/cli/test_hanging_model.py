"""A model that does not answer in the time of a run: that nothing was found proves nothing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.services.model.says import answer
from tests.services.model.server import ScriptedModel
from tests.spar_tui.in_process import spar


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(lambda request: replace(answer({}), seconds=60.0)) as endpoint:
        yield endpoint


@pytest.mark.parametrize(
    ("verb", "sentence"),
    [
        ("search", "the time was up before anything was searched; give more --seconds, or none."),
        ("ask", "the time was up before anything was searched; give more --seconds, or none."),
        ("chat", "the time was up before there was an answer; resume it with more --seconds."),
    ],
)
def test_a_run_whose_time_was_up_before_its_search_has_failed(
    verb: str, sentence: str, tmp_path: Path, model: ScriptedModel
) -> None:
    ran = spar(tmp_path, verb, "dense passage retrieval", "--offline", "--seconds", "1", more=model.environment)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"spar: {sentence}" in ran.stderr.splitlines()
    assert "try other words" not in ran.stderr
    assert "results so far" not in ran.stderr
    assert "searched the" not in ran.stderr
