"""`@1` is the first paper of what this terminal has shown last, whatever verb has shown it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from cache import kept_values, papers
from cache.store import Store
from spar_tui.cli.app import app
from spar_tui.shown_list import terminal_name
from tests.agents.scripted import paper
from tests.spar_tui.in_process import answer, spar

FIRST, SECOND = "dense passage retrieval", "language models with attention"


def shown(printed: Any) -> str:
    """The first paper that a verb has listed."""
    if rows := printed.get("origins"):
        return str(rows[0]["paper"]["title"])
    papers: Sequence[Any] = (printed.get("watches") or printed.get("turns") or [printed])[-1]["papers"]
    return str(next(one["title"] for one in papers if one.get("cited_as", 1) == 1))


def first(home: Path) -> str:
    """The title of `@1`."""
    return str(answer(home, "show", "@1")["paper"]["title"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with two searches, of which one is watched, and saved papers."""
    folder = tmp_path_factory.mktemp("home")
    assert spar(folder, "search", FIRST, "--offline", "--watch", "dense").returncode == 0
    assert spar(folder, "search", SECOND, "--offline").returncode == 0
    assert spar(folder, "save", "@1", "@2", "@3", "--offline").returncode == 0
    return folder


def runs_of(home: Path) -> dict[str, str]:
    return {run["question"]: run["run"] for run in answer(home, "history")["runs"]}


VERBS = {
    "search": ("search", FIRST, "--offline"),
    "library": ("library", "retrieval"),
    "shelf": ("shelf", "--sort", "title"),
    "recommend": ("recommend", "--offline"),
    "chat": ("chat", "my saved papers", "--offline"),
    "references": ("refs", "@1", "--offline"),
    "citations": ("cites", "@1", "--offline"),
    "similar": ("similar", "@1", "--offline"),
    "summarize": ("summarize", FIRST, "--shelf", "--offline"),
    "whence": ("whence", "attention is all you need"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_list_is_what_places_are_of_from_then_on(verb: str, home: Path) -> None:
    assert spar(home, "library", "attention").returncode == 0
    assert shown(answer(home, *VERBS[verb])) == first(home)


def test_every_verb_that_sorts_a_list_of_papers_is_among_them() -> None:
    """News come from sources (`test_watch_news.py`), and a bibliography has no places."""
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    options = {name: {opt for told in verb.params for opt in told.opts} for name, verb in group.commands.items()}
    sorting = {name for name, those in options.items() if {"--sort", "--format"} <= those}
    assert sorting - {call[0] for call in VERBS.values()} == {"watch", "export"}


def test_a_search_that_is_shown_again_is_the_last_list(home: Path) -> None:
    runs = runs_of(home)
    titles = {}
    for question in (FIRST, SECOND, FIRST):
        titles[question] = shown(answer(home, "search", "--resume", runs[question]))
        assert first(home) == titles[question]
    assert len(set(titles.values())) == 2


def test_a_verb_without_a_list_leaves_it(home: Path) -> None:
    listed = shown(answer(home, "library", "attention"))
    for verb in (("tag",), ("show", "@2"), ("history",), ("library", "nothinghasthisword")):
        spar(home, *verb)
        assert first(home) == listed


def test_a_place_beyond_the_list_is_said_with_its_length(home: Path) -> None:
    answer(home, "library", "retrieval", "--limit", "2")
    ran = spar(home, "show", "@3")
    assert ran.returncode == 3
    assert "@3 is not in the list shown last, which has 2 papers." in ran.stderr


def test_each_terminal_has_a_list_of_its_own(tmp_path: Path) -> None:
    with Store.open(tmp_path / "spar.db") as store:
        kept_values.note_list(store, "one", listing=[paper("A", "10.1000/a")])
        kept_values.note_list(store, "other", run="20260101-0000-aaaa")
        assert kept_values.last_list(store, "third") is None
        assert kept_values.last_list(store, "other") == kept_values.ShownList("20260101-0000-aaaa")
        kept = kept_values.last_list(store, "one")
        assert kept is not None
        listed = kept.paper_at(store, 1)
        assert listed is not None
        assert listed.title == "A"
        assert kept.paper_at(store, 2) is None
        assert not papers.any_known(store)


def test_lists_of_terminals_that_are_long_closed_are_forgotten(tmp_path: Path) -> None:
    with Store.open(tmp_path / "spar.db") as store:
        for number in range(kept_values.MOST_TERMINALS + 5):
            kept_values.note_list(store, f"terminal {number}", run="20260101-0000-aaaa")
        assert kept_values.last_list(store, "terminal 4") is None
        assert kept_values.last_list(store, f"terminal {kept_values.MOST_TERMINALS + 4}")


def test_a_terminal_has_the_same_name_all_along() -> None:
    assert terminal_name() == terminal_name()
