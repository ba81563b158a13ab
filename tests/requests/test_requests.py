"""The examination itself: the grader tells right from wrong, and the requests are what they are said to be."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cache import shelf
from cache.papers import by_ids, number_of
from cache.reading_history import note_dismissal
from cache.runs import recent, result
from cache.store import Store
from connectors.paper import Paper
from tests.requests import world
from tests.requests.requests import (
    FOLDER,
    KEYS,
    SEALED,
    Begun,
    Outcome,
    Proposed,
    Request,
    grade,
    plan_right,
    read_development,
    read_open,
    read_sealed,
    says_number,
)
from tests.requests.seal import PASSPHRASE, sealed, unsealed
from tests.rows import each

TOOLS = frozenset(
    "query filter resemble rank take list undo paper references citations similar search summarize recommend shelf runs"
    " profile save unsave tag note mark remember export check".split()
)
SHELF = {"doi:1": {"read": False, "rating": 0, "tags": ["rag"], "note": ""}, "profile": ["like: a"], "dismissed": []}


def wrong(expect: dict[str, Any], **did: Any) -> tuple[str, ...]:
    """What of `expect` does not hold of a turn that did so."""
    request = Request("one", "query", (), "?", (("filter",),), expect)
    outcome = Outcome(**{"plan": ("filter",), "answer": "", "before": SHELF, "after": SHELF, **did})
    return grade(request, outcome).wrong


def with_entry(**entry: Any) -> dict[str, Any]:
    return {**SHELF, "doi:1": {**SHELF["doi:1"], **entry}}  # type: ignore[dict-item]


def test_a_plan_is_right_if_it_is_one_of_those_accepted() -> None:
    accepted = [["filter", "rank"], ["query"]]
    assert plan_right(accepted, ["filter", "rank"])
    assert plan_right(accepted, ["query"])
    assert not plan_right(accepted, ["rank", "filter"])
    assert not plan_right(accepted, ["filter"])
    assert not plan_right(accepted, [])


def test_showing_the_result_at_the_end_counts_for_nothing_unless_it_is_all_that_is_done() -> None:
    assert plan_right([["filter"]], ["filter", "list"])
    assert plan_right([["filter", "list"]], ["filter"])
    assert plan_right([["list"]], ["list"])
    assert not plan_right([["list"]], [])
    assert not plan_right([["filter", "rank"]], ["filter", "list", "rank"])


def test_a_result_set_may_be_the_candidates_what_is_shown_or_the_rows_of_a_query() -> None:
    right = {"ids": ["a", "b"]}
    assert not wrong(right, candidates=("b", "a"), shown=("b",))
    assert not wrong(right, candidates=("a", "b", "c"), shown=("a", "b"))
    assert not wrong(right, rows=("a", "b"))
    assert wrong(right, candidates=("a", "b", "c"), shown=("a",)) == ("ids",)
    assert wrong(right) == ("ids",)


def test_an_empty_result_set_shows_nothing() -> None:
    assert not wrong({"ids": []}, candidates=())
    assert wrong({"ids": []}, shown=("a",)) == ("ids",)


def test_an_order_is_that_of_the_first_papers_shown() -> None:
    right = {"order": ["a", "b"]}
    assert not wrong(right, shown=("a", "b", "c"), candidates=("c",))
    assert not wrong(right, candidates=("a", "b", "c"))
    assert wrong(right, shown=("b", "a")) == ("order",)
    assert wrong(right, shown=("a",)) == ("order",)


def test_a_paper_that_everybody_expects_may_stand_among_the_first_fifty_candidates() -> None:
    others = tuple(map(str, range(49)))
    assert not wrong({"includes": ["a"]}, candidates=(*others, "a"), shown=others[:10])
    assert wrong({"includes": ["a"]}, candidates=(*others, "z", "a"), shown=others[:10]) == ("includes",)


def test_what_is_off_must_not_be_shown_and_all_that_is_shown_must_meet_the_conditions() -> None:
    assert wrong({"excludes": ["x"]}, shown=("a", "x")) == ("excludes",)
    assert not wrong({"excludes": ["x"]}, shown=("a",), candidates=("a", "x"))
    assert wrong({"excludes": ["x"]}, candidates=("a", "x")) == ("excludes",)
    assert wrong({"within": ["a", "b"]}, shown=("a", "c")) == ("within",)
    assert not wrong({"within": ["a", "b"]}, shown=("a",))
    assert wrong({"some": 1, "within": ["a"]}) == ("some",)
    assert wrong({"most": 1}, shown=("a", "b")) == ("most",)


@each("answer", ["There are 1234.", "1,234 papers", "It is 1234.0"])
def test_a_number_is_found_in_the_answer_however_it_is_written(answer: str) -> None:
    assert says_number(answer, 1234)


@each("answer", ["12345", "1,2345", "v1234", "234", "none", "2023.1234"])
def test_a_number_is_not_found_within_another(answer: str) -> None:
    assert not says_number(answer, 1234)


def test_a_small_number_may_be_a_word_and_a_broken_one_rounded() -> None:
    assert says_number("Three of them are unread.", 3)
    assert says_number("There is none.", 0)
    assert says_number("about 12.3 citations", 12.34)
    assert says_number("about 12 citations", 12.34)
    assert not says_number("about 13 citations", 12.34)


def test_a_text_holds_its_fragments_without_regard_to_case_accents_and_marks() -> None:
    right = {"text": ["Čapek-Noë", ["NeurIPS", "Advances in Neural"]]}
    assert not wrong(right, answer="By capek NOE, in {A}dvances in {N}eural …".replace("{", "").replace("}", ""))
    assert wrong(right, answer="By Čapek-Noë") == ("text",)
    assert wrong({"text": ["rank"]}, answer="I was frank") == ("text",)
    assert wrong({"lacks": ["yes"]}, answer="Yes, it is.") == ("lacks",)


def test_a_change_is_right_while_it_waits_and_wrong_once_it_is_done() -> None:
    right = {"asks": ["save", "tag"], "about": ["a", "b"]}
    assert not wrong(right, proposed=(Proposed("save", ("b", "a")),))
    assert wrong(right, proposed=(Proposed("save", ("a",)),)) == ("asks",)
    assert wrong(right, proposed=(Proposed("unsave", ("a", "b")),)) == ("asks",)
    done = {**SHELF, "a": {"tags": []}}
    assert wrong(right, proposed=(Proposed("save", ("a", "b")),), after=done) == ("unchanged",)


def test_whatever_is_asked_nothing_changes_unasked() -> None:
    assert wrong({"number": 3}, answer="3", after=with_entry(read=True)) == ("unchanged",)
    assert wrong({}, after={**SHELF, "profile": []}) == ("unchanged",)


def test_a_change_is_what_was_asked_for_and_nothing_beside_it() -> None:
    right = {"changed": {"doi:1": {"tags": ["b", "rag"], "read": False}}}
    assert not wrong(right, after=with_entry(tags=["rag", "b"]))
    assert wrong(right) == ("changed",)
    assert wrong(right, after=with_entry(tags=["rag", "b"], read=True)) == ("changed",)
    assert wrong(right, after={**with_entry(tags=["rag", "b"]), "doi:2": {"tags": []}}) == ("changed",)
    gone = {name: entry for name, entry in SHELF.items() if name != "doi:1"}
    assert not wrong({"changed": {"doi:1": None}}, after=gone)
    assert wrong({"changed": {"doi:1": None}}) == ("changed",)


def test_a_note_holds_the_words() -> None:
    right = {"changed": {"doi:1": {"note": "ask Nora"}}}
    assert not wrong(right, after=with_entry(note="Ask Nora."))
    assert wrong(right, after=with_entry(note="ask")) == ("changed",)
    assert wrong({"changed": {"doi:1": {"note": ""}}}, after=with_entry(note="ask")) == ("changed",)


def test_a_line_of_the_profile_and_a_dismissal_are_changes_too() -> None:
    assert not wrong({"profile": ["dislike: surveys"]}, after={**SHELF, "profile": ["like: a", "dislike: surveys"]})
    assert wrong({"profile": ["like: a"]}) == ("profile",)
    assert not wrong({"dismissed": ["doi:9"]}, after={**SHELF, "dismissed": ["doi:9"]})
    assert wrong({"dismissed": ["doi:9"]}, after={**SHELF, "dismissed": ["doi:8", "doi:9"]}) == ("dismissed",)


def test_a_run_is_of_the_kind_and_about_the_words_and_papers() -> None:
    right = {"run": "summary", "words": ["late interaction"], "papers": ["a"]}
    assert not wrong(right, begun=(Begun("summary", "What of Late-Interaction?", ("a",)),))
    assert wrong(right, begun=(Begun("search", "late interaction", ("a",)),)) == ("run",)
    assert wrong(right, begun=(Begun("summary", "late", ("a",)),)) == ("run",)
    assert wrong(right, begun=(Begun("summary", "late interaction", ("a", "b")),)) == ("run",)


def test_not_to_have_understood_shows_proposes_and_begins_nothing() -> None:
    assert not wrong({"not_understood": True}, understood=False)
    assert wrong({"not_understood": True}) == ("not_understood",)
    assert wrong({"not_understood": True}, understood=False, shown=("a",)) == ("not_understood",)


def test_to_be_at_a_loss_is_wrong_where_there_was_something_to_understand() -> None:
    assert wrong({}, understood=False) == ("understood",)


def test_an_unknown_title_is_said_to_be_unknown_and_no_other_takes_its_place() -> None:
    right = {"unknown": "No Theory of Soup"}
    assert not wrong(right, answer="The library does not know “No theory of soup”.")
    assert wrong(right, answer="Here is No Theory of Soup.") == ("unknown",)
    assert wrong(right, answer="No theory of soup is not known.", shown=("a",)) == ("unknown",)


def test_the_seal_opens_what_it_closed_and_shows_none_of_it() -> None:
    text = '{"message": "papers like ColBERT"}\n' * 40
    held = sealed(text)
    assert unsealed(held) == text
    assert b"ColBERT" not in held
    with pytest.raises(ValueError, match="broken"):
        unsealed(held[:-20])
    with pytest.raises(ValueError, match="no sealed requests"):
        unsealed(text.encode())


def test_the_sealed_requests_are_the_seventh_set_as_it_was_sealed() -> None:
    kept = (FOLDER / "SEALED.sha256").read_text("utf-8").split()[0]
    assert sha256(SEALED.read_bytes()).hexdigest() == kept == DIGEST
    assert PASSPHRASE in SEALED.read_bytes()


def test_eighty_requests_are_sealed_with_the_shares_of_the_groups_that_the_open_ones_have() -> None:
    # Of the sealed requests no test says more than yes or no, so that a failure tells nothing of them.
    sets = [read_open(), read_sealed()]
    of_group = [Counter(request.group for request in one) for one in sets]
    shares = [{group: many / len(one) for group, many in of.items()} for one, of in zip(sets, of_group, strict=True)]
    assert len(sets[1]) == 80
    assert shares[0] == shares[1]
    every = [request for one in sets for request in one]
    assert len({(request.message, request.dialog) for request in every}) == len(every)
    assert len({request.id for request in every}) == len(every)


@each("requests", [read_open, read_development, read_sealed])
def test_requests_name_tools_of_the_contract_and_papers_of_the_world(requests: Any) -> None:
    known = {paper.id for paper in world.all_papers()}
    sound = [
        all(set(plan) <= TOOLS for plan in request.plans)
        and bool(request.plans)
        and request.expect.keys() <= KEYS
        and _named(request) <= known
        for request in requests()
    ]
    assert all(sound)


def _named(request: Request) -> set[str]:
    """The papers that a request's right result names."""
    keys = ("ids", "order", "includes", "excludes", "within", "about", "papers", "dismissed", "changed")
    return {paper for key in keys for paper in request.expect.get(key, ())}


def test_the_open_requests_can_be_read_a_line_at_a_time() -> None:
    lines = (FOLDER / "open.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    assert all(list(one) == ["id", "group", "dialog", "message", "plans", "expect"] for one in told)


def test_the_world_is_the_same_each_time_and_every_paper_is_a_work_of_its_own(tmp_path: Path) -> None:
    states = []
    told = [_told(paper) for paper in world.all_papers()]
    for name in ("one.db", "two.db"):
        with Store.open(tmp_path / name) as store:
            world.fill(store)
            numbers = [number_of(store, paper) for paper in world.all_papers()]
            assert [_told(paper) for paper in by_ids(store, [number or 0 for number in numbers])] == told
            ran = [(run.kind, run.question, run.started, len(result(store, run.id))) for run in recent(store)]
            states.append((world.state(store), numbers, ran))
    assert states[0] == states[1]
    assert len(set(states[0][1])) == len(world.all_papers()) == 493
    assert len(states[0][2]) == len(world.PAST)


def _told(paper: Paper) -> tuple[Any, ...]:
    """What the right results were computed from."""
    families = [author.family for author in paper.authors]
    return (paper.id, paper.title, paper.abstract, paper.date, paper.venue, paper.type, paper.citation_count, families,
            paper.retracted, paper.references)  # fmt: skip


def test_the_state_of_the_world_shows_what_is_done(tmp_path: Path) -> None:
    with Store.open(tmp_path / "library.db") as store:
        world.fill(store)
        before = world.state(store)
        [first, other] = world.all_papers()[:2]
        [number] = shelf.save(store, [first], ["new"], world.NOW)
        dismissed = number_of(store, other)
        assert dismissed is not None
        note_dismissal(store, dismissed, now=world.NOW)
        after = world.state(store)
    assert first.id not in before
    assert after[first.id] == {"read": False, "rating": 0, "tags": ["new"], "note": ""}
    assert set(after["dismissed"]) - set(before["dismissed"]) == {other.id}
    assert number > 0


DIGEST = "ce11cbede41758e4213333a1a8d32d91a2a7778c3fd513e4e8977daa88def054"
"""Of `sealed.bin`, as the seventh set was sealed."""
