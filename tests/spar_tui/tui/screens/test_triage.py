"""Triage: one paper of a search at a time, included, excluded for a reason, or left for later; kept with the run."""

import json
from collections import Counter
from pathlib import Path

import pytest

from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.screens.triage import ReasonScreen, TriageScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.tui.screens.test_undo import acts, undone
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources

SOURCE = ScriptedSource("openalex", SPARSE)


async def triage(hand: Hand) -> TriageScreen:
    """Ask, and open the triage of what was found."""
    await hand.ask()
    await hand.until_shown("✔ finished")
    await hand.press("v")
    await hand.until(lambda: isinstance(hand.app.screen, TriageScreen) and "not decided yet" in hand.text)
    return at(hand)


def at(hand: Hand) -> TriageScreen:
    assert isinstance(hand.app.screen, TriageScreen)
    return hand.app.screen


def title(hand: Hand) -> str:
    """The title of the paper at hand."""
    found = at(hand).paper
    assert found is not None
    return found.title


async def exclude(hand: Hand, *keys: str) -> None:
    await hand.press("x")
    await hand.until(lambda: isinstance(hand.app.screen, ReasonScreen))
    await hand.press(*keys)


@pytest.mark.parametrize("size", [(150, 36), (80, 24)])
def test_each_decision_brings_the_next_paper_and_the_line_counts_them(tmp_path: Path, size: tuple[int, int]) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        in_order = [shown.live.state.found[work].paper.title for work in shown.works]
        await hand.until_shown("0 of 6 · 0 in · 0 out · 0 later")
        await hand.until_shown("Paper 1 of 6")
        for part in (in_order[0], "Ada Author", "2020", "Relevance", "Abstract"):
            await hand.until_shown(part)
        await hand.press("i")
        await hand.until_shown("1 of 6 · 1 in · 0 out · 0 later")
        assert title(hand) == in_order[1]
        await exclude(hand, "2")
        await hand.until_shown("2 of 6 · 1 in · 1 out · 0 later")
        await hand.press("l")
        await hand.until_shown("3 of 6 · 1 in · 1 out · 1 later")
        await hand.until_shown(in_order[3])
        state = shown.live.state
        assert [(one.decision, one.reason) for work in shown.works if (one := state.screened.get(work))] == [
            ("included", ""), ("excluded", "wrong kind of study"), ("later", ""),
        ]  # fmt: skip

    play(tmp_path, scene, resources(SOURCE), size)


def test_a_paper_is_excluded_for_a_reason_and_one_in_ones_own_words_is_offered_again_by_a_digit(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        await exclude(hand, "escape")
        await hand.until(lambda: isinstance(hand.app.screen, TriageScreen))
        await exclude(hand, "slash", "enter")
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, TriageScreen))
        assert not shown.live.state.screened
        first = title(hand)
        await exclude(hand, "slash")
        await hand.until_shown("Excluded because")
        await hand.type("animals only")
        await hand.press("enter")
        await hand.until_shown("1 of 6 · 0 in · 1 out · 0 later")
        await hand.press("x")
        await hand.until_shown("6 animals only")
        await hand.press("9")  # nothing is offered there
        await hand.press("6")
        await hand.until_shown("2 of 6 · 0 in · 2 out · 0 later")
        await hand.press("left", "left")
        await hand.until_shown("excluded: animals only")
        assert title(hand) == first
        assert {one.reason for one in shown.live.state.screened.values()} == {"animals only"}

    play(tmp_path, scene, resources(SOURCE))


def test_decisions_are_feedback_to_the_judge_and_what_is_left_for_later_is_none(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        live, (first, second, third, *_) = shown.live, shown.works
        await hand.press("i")
        await exclude(hand, "1")
        await hand.press("l")
        await hand.until(lambda: live.state.called_relevant == {first: True, second: False})
        await hand.until(lambda: live.status == "finished")
        await hand.until(lambda: second not in {one.work for one in live.state.included})
        assert first in {one.work for one in live.state.included}
        await hand.press("left", "left")
        await hand.until_shown("You excluded it: wrong subject")
        await hand.press("l")  # what is only put off is no longer called irrelevant
        await hand.until(lambda: live.state.called_relevant == {first: True})
        await hand.until(lambda: live.status == "finished")
        assert live.state.judgement(third) is not None

    play(tmp_path, scene, resources(SOURCE))
    assert acts(tmp_path) == []  # it answers one question; of the person's taste it says nothing


def test_u_takes_back_the_last_decision_and_shows_its_paper(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        live, first = shown.live, title(hand)
        await hand.press("i", "left")
        await hand.until(lambda: title(hand) == first)
        await exclude(hand, "5")
        await hand.until_shown("1 of 6 · 0 in · 1 out · 0 later")
        await undone(hand, f"excluded “{first}”")
        await hand.until_shown("1 of 6 · 1 in · 0 out · 0 later")
        assert title(hand) == first
        assert list(live.state.called_relevant.values()) == [True]
        await undone(hand, f"included “{first}”")
        await hand.until_shown("0 of 6 · 0 in · 0 out · 0 later")
        await hand.until_shown("not decided yet")
        await hand.until(lambda: not live.state.called_relevant and live.status == "finished")

    play(tmp_path, scene, resources(SOURCE))


def test_what_was_called_relevant_before_is_so_again_when_the_decision_is_taken_back(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        live, (first, *_) = shown.live, shown.works
        name = title(hand)
        await hand.press("m")
        await hand.until(lambda: live.state.called_relevant == {first: True} and live.status == "finished")
        await exclude(hand, "1")
        await hand.until(lambda: live.state.called_relevant == {first: False})
        await undone(hand, f"excluded “{name}”")
        await hand.until(lambda: live.state.called_relevant == {first: True} and not live.state.screened)

    play(tmp_path, scene, resources(SOURCE))


def test_the_order_is_that_of_the_list_with_its_filter(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("slash")
        await hand.type("author3")
        await hand.until_shown("1 of 6")
        await hand.press("enter", "v")
        await hand.until_shown("0 of 1 · 0 in · 0 out · 0 later")
        assert title(hand) == SPARSE[3].title
        await hand.press("l", "i")
        said = "All papers are screened."
        await hand.until(lambda: said in hand.told)

    play(tmp_path, scene, resources(SOURCE))


def test_a_triage_goes_on_where_it_was_when_the_run_is_opened_again(tmp_path: Path) -> None:
    left: list[str] = []

    async def begin(hand: Hand) -> None:
        await triage(hand)
        await hand.press("i")
        await exclude(hand, "4")
        left.append(title(hand))  # and the app is quit at once

    async def go_on(hand: Hand) -> None:
        await hand.press("down", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        await hand.until_shown("IN Sparse")
        await hand.press("G", "v")
        await hand.until_shown("2 of 6 · 1 in · 1 out · 0 later")
        await hand.press("escape", "g", "v")
        await hand.until(lambda: isinstance(hand.app.screen, TriageScreen) and title(hand) == left[0])

    play(tmp_path, begin, resources(SOURCE))
    play(tmp_path, go_on, resources(SOURCE))


def test_the_log_the_answer_and_the_export_say_what_a_person_decided(tmp_path: Path) -> None:
    names: list[str] = []

    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        names.extend(shown.live.state.found[work].paper.title for work in shown.works)
        await hand.press("i")
        await exclude(hand, "1")
        await exclude(hand, "1")
        await exclude(hand, "5")
        await hand.press("l")
        await hand.until_shown("5 of 6 · 1 in · 3 out · 1 later")
        await hand.until(lambda: shown.live.status == "finished")

    play(tmp_path / "spar", scene, resources(SOURCE))
    log = json.loads(spar(tmp_path, "log", "--json").stdout)
    told = log["screening"]
    assert {name: told[name] for name in ("screened", "included", "excluded", "later")} == {
        "screened": 4, "included": 1, "excluded": 3, "later": 1,
    }  # fmt: skip
    assert told["reasons"] == {"wrong subject": 2, "duplicate": 1}
    assert {one["title"]: (one["decision"], one["reason"]) for one in told["papers"]} == {
        names[0]: ("included", ""),
        names[1]: ("excluded", "wrong subject"),
        names[2]: ("excluded", "wrong subject"),
        names[3]: ("excluded", "duplicate"),
        names[4]: ("later", ""),
    }
    excluded = Counter(log["flow"]["excluded"]) + Counter(log["flow"]["reports_excluded"])
    assert (log["flow"]["screened"], excluded) == (4, told["reasons"])
    assert names[0] in {one["title"] for one in log["included"]}
    printed = spar(tmp_path, "log").stdout
    assert (
        "A person screened 4 of 6 records: 1 included, 3 excluded (wrong subject 2, duplicate 1); 1 left for" in printed
    )
    picture = printed.partition("```text\n")[2].partition("\n```")[0]
    assert "Records screened by people" in picture
    assert "Included by a person (n = 1)" in picture
    assert max(map(len, picture.splitlines())) <= 78

    papers = answer(tmp_path, "search", "--resume", "last", "--json")["papers"]
    assert {one["title"]: one["screened"] for one in papers} == {
        names[0]: {"decision": "included", "reason": None},
        names[1]: {"decision": "excluded", "reason": "wrong subject"},
        names[2]: {"decision": "excluded", "reason": "wrong subject"},
        names[3]: {"decision": "excluded", "reason": "duplicate"},
        names[4]: {"decision": "later", "reason": None},
        names[5]: None,
    }
    for decision, chosen in (("included", names[:1]), ("excluded", names[1:4]), ("later", names[4:5])):
        ran = spar(tmp_path, "export", "--run", "last", "--screened", decision, "--format", "csv")
        assert {name for name in names if name in ran.stdout} == set(chosen)


def test_the_list_of_the_search_marks_what_was_decided_and_is_filtered_by_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        included, excluded, later = (shown.live.state.found[work].paper.title for work in shown.works[:3])
        await hand.press("i")
        await exclude(hand, "2")
        await hand.press("l", "escape")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        for mark in ("IN Sparse", "OUT Sparse", "LATER Sparse"):
            await hand.until_shown(mark)
        for state, title in {"included": included, "excluded": excluded, "later": later}.items():
            await hand.press("slash")
            await hand.type(f"is:{state}")
            await hand.press("enter")
            await hand.until_shown("Papers 1 of 6")
            await hand.until_shown(title)
            await hand.press("escape")

    play(tmp_path, scene, resources(SOURCE))
