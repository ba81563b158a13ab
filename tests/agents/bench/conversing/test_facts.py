"""What a simulated person knows of the paper that they look for."""

import re

import pytest

from agents.bench.collections import Document
from agents.bench.conversing.facts import HELD_BY, Fact, Telling

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
    monkeypatch.setattr("agents.bench.conversing.facts.SHARE", 1.0)  # each word is in many of so few
    return Telling(DOCUMENTS).facts(TARGET, HISTORY, "draw")


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
    assert not [fact for fact in Telling(DOCUMENTS).facts(TARGET, HISTORY, "draw") if fact.kind in ("word", "keyword")]


def test_the_order_is_drawn_and_always_the_same(told: list[Fact]) -> None:
    telling = Telling(DOCUMENTS)
    assert telling.facts(TARGET, HISTORY, "draw") == told
    assert len({tuple(telling.facts(TARGET, HISTORY, seed)) for seed in range(9)}) > 1


def test_without_a_history_nothing_is_like_the_paper() -> None:
    assert not [fact for fact in Telling(DOCUMENTS).facts(TARGET, [], "draw") if fact.kind == "like"]
