"""What a person likes is told from papers of their history, by whoever tells it."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.recommendation.events import InterestsUnderstood
from cache.store import Store
from tests.agents.recommendation.world import history, recommended, scripted, understand
from tests.agents.search.world import model_at
from tests.services.model import says


def understood(store: Store, script: Callable[[Any], object]) -> tuple[InterestsUnderstood, tuple[str, ...]]:
    """What was understood, and what the person was warned of."""
    with scripted(user_understanding=script) as endpoint:
        found = recommended(store, model_at(endpoint))
        assert not endpoint.surprises
    assert found.state.understood is not None
    return found.state.understood, found.state.findings.warnings


def lines(*rows: dict[str, Any], now: str = "") -> Callable[[Any], object]:
    return lambda request: {"lines": list(rows), "now": now}


def one(text: str, facet: str = "like", papers: object = ("h1",)) -> dict[str, Any]:
    return {"facet": facet, "text": text, "papers": list(papers) if isinstance(papers, tuple) else papers}


def test_what_the_model_understands_is_told_with_the_papers_that_it_rests_on(shared: Store) -> None:
    found, warnings = understood(shared, understand)
    mine = [line for line in found.lines if line.by == "model"]
    assert found.by == "model"
    assert found.now == "Comparing ways of weighing terms"
    assert mine
    assert all(line.papers for line in mine)
    assert not warnings


def test_the_persons_own_lines_come_first_and_stay_theirs(shared: Store) -> None:
    found, _ = understood(shared, understand)
    assert (found.lines[0].text, found.lines[0].by) == ("open data", "person")


def test_what_the_model_says_nothing_of_is_told_by_the_rule(shared: Store) -> None:
    found, _ = understood(shared, lines(one("ways of weighing terms")))
    assert [line.by for line in found.lines if line.facet == "dislike"] == ["built-in"]


def test_the_model_is_asked_of_papers_in_groups_of_one_subject_with_what_was_done_with_them(shared: Store) -> None:
    with scripted() as endpoint:
        recommended(shared, model_at(endpoint))
        [request] = endpoint.asked("user-understanding")
    known = history(request)
    assert [paper["id"].partition("_")[0] for paper in known] == [f"h{number}" for number in range(1, len(known) + 1)]
    assert {"liked", "saved", "noted", "read"} == {act for paper in known for act in paper["acts"]}
    assert [paper["acts"] for paper in known if paper.get("now")] == [["liked", "read"]]


BAD: dict[str, dict[str, Any]] = {
    "no papers": one("ways of weighing terms", papers=()),
    "papers that do not exist": one("ways of weighing terms", papers=("h99", "c1", "")),
    "papers as no list": one("ways of weighing terms", papers=7),
    "a dislike that rests on liked papers": one("ways of weighing terms", "dislike"),
    "a liking that rests on unwanted papers": one("rivers in winter", papers=("n1",)),
    "no facet": one("ways of weighing terms", ""),
    "an unknown facet": one("ways of weighing terms", "loves"),
    "no words": one("…"),
    "another language": one("die Gewichtung von Begriffen und das Finden von Texten für die Forschung"),
    "another script": one("稀疏检索"),
    "a paper of nobody": one("what “Attention Is All You Ever Need” began"),
    "authors of nobody": one("the line of Miller et al. on terms"),
    "an id of nobody": one("papers like h99"),
    "a reference of nobody": one("ways of weighing terms [12]"),
    "a link": one("ways of weighing terms https://evil.example/x"),
}


@pytest.mark.parametrize("how", BAD)
def test_a_line_that_rests_on_nothing_is_not_told(how: str, shared: Store) -> None:
    """If there is no other, the built-in lines are told, and that they are is said."""
    found, warnings = understood(shared, lines(BAD[how]))
    assert found.by == "built-in"
    assert {line.by for line in found.lines} == {"built-in", "person"}
    assert [sentence for sentence in warnings if "without papers of your history" in sentence]


def test_of_a_line_only_the_papers_that_were_given_are_told(shared: Store) -> None:
    found, _ = understood(shared, lines(one("ways of weighing terms", papers=("h1", "h99", "h1", "c3", "n1"))))
    [mine] = [line for line in found.lines if line.by == "model"]
    assert len(mine.papers) == 1


def test_markup_and_ids_are_no_part_of_a_line(shared: Store) -> None:
    text = "<b>ways</b> of \x1b[31mweighing terms as in h1"
    found, _ = understood(shared, lines(one(text)))
    [mine] = [line for line in found.lines if line.by == "model"]
    assert mine.text.startswith("ways of weighing terms as in “Study ")
    assert not {"<", "[", "\x1b"} & {*mine.text}


def test_a_line_is_short_and_there_are_few(shared: Store) -> None:
    many = [one(f"{word} " * 90) for word in ("weighing", "finding", "folding", "pruning", "searching") * 9]
    many += [one(f"weighing {letter}") for letter in "abcdefghijklmnop"]
    found, _ = understood(shared, lines(*many))
    mine = [line for line in found.lines if line.by == "model"]
    assert len(mine) <= 8
    assert max(len(line.text) for line in mine) <= 160


@pytest.mark.parametrize("how", ["refusal", "empty", "endless", "prose", "wrong", "down"])
def test_an_answer_of_no_use_leaves_the_built_in_lines_and_is_told_once(how: str, shared: Store) -> None:
    found, warnings = understood(shared, lambda request: getattr(says, how)())
    assert found == recommended(shared).state.understood
    assert len([sentence for sentence in warnings if "Built-in rules took over" in sentence]) == 1


def test_what_the_person_is_after_now_is_told_of_no_one_who_did_nothing_now(store: Store) -> None:
    from cache import papers, reading_history
    from tests.agents.recommendation.world import NOW, SUBJECTS, about

    numbers = papers.remember(store, [about(SUBJECTS[0], number) for number in range(9)], NOW)
    for number in numbers[:3]:
        reading_history.note_interaction(store, number, "liked", now=NOW.replace(year=2025))
    found, _ = understood(store, lines(one("ways of weighing terms"), now="Comparing ways of weighing terms"))
    assert found.by == "model"
    assert found.now == ""
