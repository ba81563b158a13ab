"""The desk at which simulated people talk to the assistant."""

import re
from pathlib import Path

import pytest

from agents.bench.collections import Document
from agents.bench.conversing.simulated_person import HELD_BY, Fact, FactChooser
from agents.bench.conversing.world import Desk
from agents.bench.recommending.world import Libraries, read_libraries
from tests.agents.bench.test_recommending import written


@pytest.fixture
def libraries(tmp_path: Path) -> Libraries:
    return read_libraries(written(tmp_path))


@pytest.fixture
def desk(libraries: Libraries, tmp_path: Path) -> Desk:
    return Desk(libraries.documents, tmp_path)


def test_the_assistant_answers_out_of_the_documents(desk: Desk) -> None:
    with desk.person() as person:
        reply = desk.talk(person).say("papers about coral")
    assert set(reply.held) == {f"0-{number}" for number in range(12)}
    assert set(reply.shown) < set(reply.held)
    assert reply.understood
    assert reply.calls == 0


def test_each_person_has_their_own_shelf_and_no_other(desk: Desk) -> None:
    with desk.person(["1-3", "1-5"]) as person:
        assert set(desk.talk(person).say("my shelf").shown) == {"1-3", "1-5"}
    with desk.person(["2-1"]) as person:
        assert desk.talk(person).say("my shelf").shown == ("2-1",)


def test_a_conversation_goes_on_with_what_was_said_before(desk: Desk) -> None:
    with desk.person() as person:
        talk = desk.talk(person)
        assert len(talk.say("papers about coral").held) == 12
        assert talk.say("which of these are about w0x1?").held
        assert len(desk.talk(person).say("how many papers are there?").shown) == 0


def test_it_can_begin_with_papers_that_were_chosen(desk: Desk) -> None:
    chosen = ["0-1", "1-1", "2-1"]
    with desk.person(["1-3", "1-5"]) as person:
        reply = desk.talk(person, about=chosen).say("sort these by title")
    assert sorted(reply.held) == chosen


def test_what_is_not_understood_is_counted_so(desk: Desk) -> None:
    with desk.person() as person:
        assert not desk.talk(person).say("klm wibble zzz").understood


WORDS = ("coral", "reef", "lagoon", "current", "tide", "wreck", "anchor", "harbour", "island", "sand")


def document(number: int) -> Document:
    """Three words in a row are in the title, two in the abstract, one is a keyword."""
    some = [WORDS[(number + step) % len(WORDS)] for step in range(6)]
    return Document(
        f"d{number}", " ".join(some[:3]).capitalize() + f" unheard{chr(number)}", " ".join(some[3:5]),
        ("Ada Lovelace", "Grace Hopper"), 2000 + number, keywords=(some[5], "x1"),
    )  # fmt: skip


DOCUMENTS = [document(number) for number in range(70, 100)]
TARGET, HISTORY = DOCUMENTS[0], DOCUMENTS[5:9]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Fact]:
    monkeypatch.setattr("agents.bench.conversing.simulated_person.SHARE", 1.0)  # each word is in many of so few
    return FactChooser(DOCUMENTS).facts(TARGET, HISTORY, "draw")


def test_every_fact_is_true_of_the_paper(told: list[Fact]) -> None:
    by_kind: dict[str, list[str]] = {}
    for fact in told:
        by_kind.setdefault(fact.kind, []).append(fact.text)
    assert set(by_kind["word"]) <= {*re.findall(r"\w+", f"{TARGET.title} {TARGET.abstract}".casefold())}
    assert by_kind["keyword"] == [TARGET.keywords[0]]
    assert by_kind["year"] == [str(TARGET.year)]
    assert by_kind["author"] == ["Lovelace"]
    shared = [len({*TARGET.text.casefold().split()} & {*other.text.casefold().split()}) for other in HISTORY]
    assert by_kind["like"] == [HISTORY[shared.index(max(shared))].title]


def test_at_most_half_of_the_title_is_told(told: list[Fact]) -> None:
    title = set(TARGET.title.casefold().split())
    said = {word for fact in told if fact.kind in ("word", "keyword") for word in fact.text.split()}
    assert 0 < len(title & said) <= len(title) // 2


def test_a_word_that_hardly_another_paper_has_is_not_told(told: list[Fact]) -> None:
    own = TARGET.title.casefold().split()[-1]
    assert sum(own in other.title.casefold() for other in DOCUMENTS) < HELD_BY
    assert own not in {fact.text for fact in told}


def test_a_word_that_many_papers_have_is_not_told() -> None:
    assert not [
        fact for fact in FactChooser(DOCUMENTS).facts(TARGET, HISTORY, "draw") if fact.kind in ("word", "keyword")
    ]


def test_the_order_is_drawn_and_always_the_same(told: list[Fact]) -> None:
    telling = FactChooser(DOCUMENTS)
    assert telling.facts(TARGET, HISTORY, "draw") == told
    assert len({tuple(telling.facts(TARGET, HISTORY, seed)) for seed in range(9)}) > 1


def test_without_a_history_nothing_is_like_the_paper() -> None:
    assert not [fact for fact in FactChooser(DOCUMENTS).facts(TARGET, [], "draw") if fact.kind == "like"]
