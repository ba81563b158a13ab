"""A run that was begun without a model asks none, whoever goes on with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.run.kinds import KINDS, kind_named
from agents.run.recorder import kept
from cache import runs
from cache.store import Store
from tests.services.model.server import ScriptedModel
from tests.spar_tui.in_process import spar

ASKED = {
    "search": ("search", "generative adversarial networks"),
    "summary": ("summarize", "generative adversarial networks", "--depth", "0"),
    "answer": ("ask", "generative adversarial networks", "--library"),
    "recommendation": ("recommend", "--field", "language"),
    "conversation": ("chat", "how many papers are on my shelf?"),
}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    def surprised(request: object) -> object:
        raise AssertionError("the model was asked")

    with ScriptedModel(surprised) as running:  # type: ignore[arg-type]  # never answers
        yield running


@pytest.mark.parametrize("kind", KINDS)
def test_that_no_model_is_asked_is_kept_with_the_run(kind: str, tmp_path: Path, model: ScriptedModel) -> None:
    verb, *rest = ASKED[kind]
    ran = spar(tmp_path, verb, *rest, "--offline", "--no-model", more=model.environment)
    assert ran.returncode in (0, 3), ran.stderr
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        run, options, _ = kept(kind_named(kind), store, "last")
        assert options.model is False
        cut = runs.start(store, kind, run.question, run.parameters)  # as if it had been killed at its beginning
    again = spar(tmp_path, verb, "--resume", cut, "--offline", more=model.environment)
    assert model.requests == []
    if kind != "conversation":  # which has nothing to go on with before it is told something
        assert "no model is used: this run was started or resumed without one" in again.stderr


def test_without_a_model_from_the_resume_on_is_kept_as_well(tmp_path: Path, model: ScriptedModel) -> None:
    with Store.open(_database(tmp_path)) as store:
        run = runs.start(store, "search", "generative adversarial networks", {})
    spar(tmp_path, "search", "--resume", run, "--offline", "--no-model", more=model.environment)
    with Store.open(_database(tmp_path)) as store:
        assert runs.get(store, run).parameters["model"] is False
    assert model.requests == []


def _database(home: Path) -> Path:
    (home / "spar").mkdir(exist_ok=True)
    return home / "spar" / "spar.db"
