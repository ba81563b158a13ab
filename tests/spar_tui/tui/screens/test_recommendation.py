"""What to read next in the app: made in the background, told with its reasons, and answered to at once."""

from pathlib import Path

import pytest

from cache import papers, reading_history, runs, shelf
from cache.store import Store
from spar_tui.tui.keymap import TOGETHER
from spar_tui.tui.screens.dialogs.palette import contexts_here
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.recommendation import RecommendationScreen
from spar_tui.tui.widgets.below_ask import ReadNext
from spar_tui.tui.widgets.paper_page import PaperPage
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless, raw
from tests.spar_tui.tui.world import OTHERS, SPARSE, Hand, play, resources, settings_at

SAVED = SPARSE[:2]


def remembered(home: Path, saved: int = 2) -> None:
    """A library of a dozen papers on two subjects, of which the first few are on the shelf."""
    with Store.open(settings_at(home).places.database) as store:
        papers.remember(store, [*SPARSE, *OTHERS])
        if saved:
            shelf.save(store, SPARSE[:saved])


def kept(home: Path) -> list[runs.Run]:
    with Store.open(settings_at(home).places.database) as store:
        return runs.recent(store, 100, "recommendation", unasked=True)


def acts(home: Path, title: str) -> list[str]:
    """What was done with the paper of this title, the oldest first."""
    with Store.open(settings_at(home).places.database) as store:
        done = reading_history.interactions(store)
        named = {one.number: papers.by_ids(store, [one.number])[0].title for one in done}
    return [one.act for one in reversed(done) if named[one.number] == title]


def why(hand: Hand) -> str:
    return str(hand.app.screen.query_one(PaperPage)._shown[1])


async def opened(hand: Hand) -> RecommendationScreen:
    """The screen of what to read next, by its key, with its list."""
    await hand.until(lambda: hand.app.recommender.newest is not None)
    await hand.press("f5")
    await hand.until(lambda: isinstance(hand.app.screen, RecommendationScreen) and bool(hand.titles))
    assert isinstance(hand.app.screen, RecommendationScreen)
    return hand.app.screen


def test_the_start_screen_names_what_to_read_next_with_a_reason(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: len(hand.app.screen.query_one(ReadNext).rows) == 3)
        await hand.until_shown("Read next")
        assert "Sparse retrieval of passages, part 2" in hand.text
        assert "which you saved" in hand.text

    play(tmp_path, scene, resources())
    assert [(run.state, run.parameters["sources"]) for run in kept(tmp_path)] == [("finished", [])]


def test_where_there_is_no_history_nothing_is_promised_and_nothing_is_made(tmp_path: Path) -> None:
    remembered(tmp_path, saved=0)

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: hand.app.recommender.looked)
        await hand.until_shown("save papers (s) or like some (m)")
        assert not hand.app.screen.query_one(ReadNext).display
        await hand.press("f5")
        await hand.until_shown("import a bibliography (I)")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources())
    assert not kept(tmp_path)


def test_a_second_start_shows_the_same_and_makes_none_while_the_history_is_as_it_was(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: len(hand.app.screen.query_one(ReadNext).rows) == 3)

    play(tmp_path, scene, resources())
    first = kept(tmp_path)
    play(tmp_path, scene, resources())
    assert [run.id for run in kept(tmp_path)] == [run.id for run in first]


def test_a_changed_history_makes_another_that_takes_the_place_of_the_one_nobody_looked_at(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: len(hand.app.screen.query_one(ReadNext).rows) == 3)
        await hand.until(lambda: hand.app.recommender.making is None)

    play(tmp_path, scene, resources())
    (first,) = kept(tmp_path)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.save(store, OTHERS[:1])

    async def made_anew(hand: Hand) -> None:
        await hand.until(lambda: [run.id for run in kept(tmp_path)] not in ([], [first.id]))
        await hand.until(lambda: hand.app.recommender.making is None)

    play(tmp_path, made_anew, resources())
    (second,) = kept(tmp_path)
    assert second.id != first.id


def test_the_list_says_why_each_paper_is_on_it_and_every_key_at_hand_means_one_thing(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.until_shown("From 2 papers of your history")
        await hand.until_shown("built-in rules")
        await hand.until(lambda: "Based on" in why(hand))
        told = why(hand)
        assert SAVED[0].title in told or SAVED[1].title in told
        assert "“Sparse retrieval of passages" in told
        for words in (" like your history, by built-in rules", "found: ", "place 1 of "):
            assert words in told
        for keys in ((), ("enter",)):
            await hand.press(*keys)
            assert tuple(contexts_here(hand.app.screen)) in TOGETHER

    play(tmp_path, scene, resources())


def test_what_was_opened_from_the_start_screen_is_under_the_highlight(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: len(hand.app.screen.query_one(ReadNext).rows) == 3)
        wanted = hand.app.screen.query_one(ReadNext).rows[1].id
        while not hand.app.screen.query_one(ReadNext).has_focus:
            await hand.press("tab")
        await hand.press("down", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, RecommendationScreen) and bool(hand.titles))
        assert isinstance(hand.app.screen, RecommendationScreen)
        assert hand.app.screen.paper is not None
        assert hand.app.screen.paper.id == wanted

    play(tmp_path, scene, resources())


def below(hand: Hand) -> list[str]:
    """The titles below the highlight."""
    assert hand.papers.highlighted is not None
    return hand.titles[hand.papers.highlighted + 1 :]


async def settled(hand: Hand) -> None:
    """Wait until what was said of papers counts in the list."""
    screen = hand.app.screen
    assert isinstance(screen, RecommendationScreen)
    await hand.until(lambda: screen.live is hand.app.recommender.newest and not hand.app.recommender.making)


def test_not_for_me_takes_the_paper_off_at_once_and_another_list_follows(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        first = screen.live.run
        await hand.press("j")
        gone, following = hand.highlighted, below(hand)[0]
        await hand.press("minus")
        assert gone not in hand.titles
        assert hand.highlighted == following
        await hand.until(lambda: screen.live.run != first)
        await settled(hand)
        assert hand.highlighted == following
        assert gone not in hand.titles
        assert gone not in [screen.live.state.findings.papers[work].title for work in screen.live.state.candidates]
        assert acts(tmp_path, gone)[-1] == "dismissed"

    play(tmp_path, scene, resources())
    assert len(kept(tmp_path)) == 1  # what was ordered anew has taken its place


def test_a_paper_that_was_taken_off_comes_back_with_what_was_said_of_it(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.press("j", "m")
        await hand.until(lambda: "You want more like this" in hand.text)
        gone, before = hand.highlighted, hand.titles.index(hand.highlighted)
        await hand.press("minus")
        await hand.until_shown("Removed from the list; U undoes this.")
        await hand.press("U")
        await hand.until(lambda: hand.highlighted == gone)
        assert hand.titles.index(gone) == before
        assert f"Undone: not for me: “{gone}”." in hand.told
        assert [one for one in acts(tmp_path, gone) if one != "viewed"][-1] == "liked"
        await settled(hand)
        assert hand.highlighted == gone
        await hand.until_shown("You want more like this")

    play(tmp_path, scene, resources())


def test_more_like_this_is_kept_and_moves_nothing_above_or_under_the_highlight(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        first = screen.live.run
        await hand.press("j", "j")
        liked, above = hand.highlighted, hand.titles[:2]
        await hand.press("m")
        await hand.until_shown("Liked: more like this.")
        await hand.until(lambda: screen.live.run != first)
        await settled(hand)
        assert hand.highlighted == liked
        assert hand.titles[:2] == above
        assert "liked" in acts(tmp_path, liked)

    play(tmp_path, scene, resources())


def test_what_was_liked_is_no_reason_for_itself(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        first = screen.live.run
        await hand.press("m")
        await hand.until(lambda: screen.live.run != first)
        await settled(hand)
        state = screen.live.state
        for work, aligned in state.aligned.items():
            for ground in aligned.grounds:
                assert state.history[ground.number].id != state.findings.papers[work].id

    play(tmp_path, scene, resources())


def test_another_can_be_asked_for_and_the_old_list_stays_until_it_is_there(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        first, listed = screen.live, hand.titles
        await hand.press("R")
        assert screen.live is not first
        assert hand.titles == listed or screen.live.state.finished
        await hand.until(lambda: screen.live.status == "finished" and "✔ finished" in hand.text)
        assert hand.app.recommender.newest is screen.live

    play(tmp_path, scene, resources())
    assert [run.state for run in kept(tmp_path)] == ["finished"]
    assert not any(run.parameters["unasked"] for run in kept(tmp_path))


def test_one_that_was_cut_off_goes_on_from_the_recent_runs(tmp_path: Path) -> None:
    remembered(tmp_path)
    with Store.open(settings_at(tmp_path).places.database) as store:
        runs.finish(store, runs.start(store, "recommendation", ""), "interrupted")

    async def scene(hand: Hand) -> None:
        await hand.until_shown("What to read next")
        await hand.until_shown("interrupted · ⏎ resumes")
        await hand.until(lambda: hand.app.recommender.newest is not None)
        await hand.press("down", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, RecommendationScreen) and bool(hand.titles))
        await hand.until_shown("✔ finished")

    play(tmp_path, scene, resources())
    assert {run.state for run in kept(tmp_path)} == {"finished"}


def test_saving_marking_and_citing_work_as_on_every_list(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await opened(hand)
        title = hand.highlighted
        await hand.press("s")
        await hand.until_shown("★")
        assert "saved" in acts(tmp_path, title)
        await hand.press("space", "y")
        await hand.until_shown("BibLaTeX")
        await hand.press("escape", "k", "enter")
        await hand.until_shown("Based on")
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))

    play(tmp_path, scene, resources())


def test_hostile_papers_are_only_text_at_every_size(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        every = [raw(number, text) for number, text in enumerate(HOSTILE)]
        papers.remember(store, every)
        shelf.save(store, every[:2])

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: hand.app.recommender.newest is not None)
        harmless(hand)
        await opened(hand)
        for size in ((150, 36), (110, 30), (80, 24), (40, 10)):
            await hand.resize(*size)
            harmless(hand)
            await hand.press("g")
            for _ in hand.titles if size in ((150, 36), (40, 10)) else ():
                harmless(hand)
                await hand.press("enter")
                await hand.until(lambda: hand.app.focused is not None and hand.app.focused.id == "why")
                harmless(hand)
                await hand.press("escape", "j")

    play(tmp_path, scene, resources())


def test_nothing_is_told_by_colour_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.press("m")
        await hand.until_shown("You want more like this")
        await hand.press("minus")
        await hand.until_shown("Removed from the list")

    play(tmp_path, scene, resources())
