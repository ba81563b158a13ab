"""The assistant measured with people and questions of a made-up collection."""

from pathlib import Path

import pytest

from agents.bench.collections import read_collection
from agents.bench.conversing.measuring import (
    ASSISTANT,
    MEASURES,
    OF_DIALOGS,
    OF_PEOPLE,
    OF_QUESTIONS,
    POPULARITY,
    SIMILARITY,
    SYSTEMS,
    ConversingRow,
    PeopleTasks,
    PlainSystems,
    Questions,
    Task,
)
from agents.bench.conversing.simulated_person import SHOWN, TURNS
from agents.bench.conversing.world import Desk
from agents.bench.recommending.world import Libraries, read_libraries
from tests.agents.bench.conversing import reefs
from tests.agents.bench.test_recommending import written


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Libraries:
    return read_libraries(written(tmp_path_factory.mktemp("people")))


@pytest.fixture(scope="module")
def people(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> PeopleTasks:
    return PeopleTasks(Desk(libraries.documents, tmp_path_factory.mktemp("desk")), PlainSystems(libraries.documents), 0)


@pytest.fixture(scope="module")
def rows(people: PeopleTasks, libraries: Libraries) -> list[ConversingRow]:
    return [row for user in libraries.users for row in people.rows(user, SYSTEMS)]


def of(rows: list[ConversingRow], task: Task, system: str) -> list[ConversingRow]:
    return [row for row in rows if (row.task, row.system) == (task, system)]


def test_every_person_is_measured_in_every_way(rows: list[ConversingRow], libraries: Libraries) -> None:
    tasks: dict[Task, tuple[str, ...]] = {"dialog": OF_DIALOGS, "retrieval": OF_PEOPLE, "ranking": OF_PEOPLE}
    for task, ways in tasks.items():
        for system in (*ASSISTANT, *ways):
            measured = of(rows, task, system)
            assert [row.case for row in measured] == [user.user for user in libraries.users]
            assert all(MEASURES[task][0] in row.measures for row in measured)


def test_a_success_is_counted_by_its_turn_and_a_failure_by_one_more_than_there_are(rows: list[ConversingRow]) -> None:
    dialogs = [row.measures for row in rows if row.task == "dialog"]
    assert {measures["hit@5"] for measures in dialogs} == {0.0, 1.0}
    for measures in dialogs:
        turns = measures["at@5"]
        assert 1 <= turns <= TURNS if measures["hit@5"] else turns == TURNS + 1


def test_a_plain_way_shows_nothing_twice(people: PeopleTasks, libraries: Libraries) -> None:
    """Of 32 papers 25 are shown: whoever looks for one of the first 25 finds it, and in the turn of its place."""
    ways = PlainSystems(libraries.documents)
    for user in libraries.users:
        target, person = people.simulated(user)
        left = {document.id for document in libraries.documents}.difference(user.items)
        place = ways.order(POPULARITY, left).index(target)
        turn = place // SHOWN + 1
        assert people._found_plainly(target, person, user, POPULARITY) == (turn if turn <= TURNS else None)


def test_what_is_looked_for_is_one_of_the_papers_held_out(people: PeopleTasks, libraries: Libraries) -> None:
    assert all(people.simulated(user)[0] in user.held_out for user in libraries.users)


def test_no_message_names_the_paper_that_is_looked_for(people: PeopleTasks, libraries: Libraries) -> None:
    title = {document.id: document.title for document in libraries.documents}
    for user in libraries.users:
        target, person = people.simulated(user)
        assert not any(title[target].casefold() in person.message(turn).casefold() for turn in range(1, TURNS + 1))


def test_a_list_is_ranked_by_taste(rows: list[ConversingRow]) -> None:
    """The held-out papers share words with the library, the others do not."""
    assert {row.measures["ndcg@20"] for row in of(rows, "ranking", SIMILARITY)} == {1.0}


def test_the_turns_of_the_assistant_are_told_and_no_model_is_asked(rows: list[ConversingRow]) -> None:
    ours = [row.measures for row in rows if row.system in ASSISTANT]
    assert {measures["calls"] for measures in ours} == {0.0}
    assert all(0 <= measures["understood"] <= 1 for measures in ours)


def test_the_same_seed_measures_the_same(people: PeopleTasks, libraries: Libraries, rows: list[ConversingRow]) -> None:
    user = libraries.users[1]
    assert list(people.rows(user, SYSTEMS)) == [row for row in rows if row.case == user.user]


def test_questions_are_put_as_they_stand_and_a_list_is_ranked_by_them(tmp_path: Path) -> None:
    collection = read_collection(reefs.write(tmp_path / "reefs"))
    questions = Questions(Desk(collection.documents, tmp_path), PlainSystems(collection.documents), collection, 0)
    rows = [row for question in collection.questions for row in questions.rows(question, SYSTEMS)]
    tasks: tuple[Task, ...] = ("retrieval", "ranking")
    for task in tasks:
        for system in (*ASSISTANT, *OF_QUESTIONS):
            assert len(of(rows, task, system)) == 2
    assert not [row for row in rows if row.task == "dialog"]
    found = [row.measures for row in of(rows, "retrieval", "spar")]
    assert all(measures["understood"] for measures in found)
    assert all(measures["ndcg@20"] > 0 for row in of(rows, "ranking", "spar") if (measures := row.measures))
