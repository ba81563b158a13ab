"""The person's own keys, and what is said about those that cannot be."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key
from textual.keys import _character_to_key

from spar_tui.tui.commands import COMMANDS, context_of, context_title
from spar_tui.tui.keymap import TOGETHER, keymap, normal
from spar_tui.tui.screens.dialogs.key_choice import KeyChoice
from spar_tui.tui.screens.dialogs.palette import contexts_here
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.new_conversation import MessageLine
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.screens.shelf import ShelfScreen
from spar_tui.tui.widgets.below_ask import RecentRuns
from spar_tui.tui.widgets.entry.ask_box import AskBox
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.running import PATIENCE
from tests.spar_tui.tui.screens.test_shelf import SAVED, on_shelf, open_shelf, save
from tests.spar_tui.tui.world import OTHERS, SPARSE, GatedSource, Hand, play, resources, settings_at

EVERY = {one.id: one for commands in COMMANDS.values() for one in commands}


def written(home: Path, keys: str) -> None:
    (home / "config.toml").write_text(f"[keys]\n{keys}\n", "utf-8")


def test_a_command_has_the_key_that_the_person_gave_it_and_the_hints_follow(tmp_path: Path) -> None:
    written(tmp_path, '"search.pause" = "Z"\n"search.resume" = ["Z", "f9"]')
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("Z pause")
        await hand.press("p")
        assert not live.control.paused
        await hand.press("Z")
        await hand.until_shown("Z resume")
        await hand.press("f9")
        await hand.until_shown("Z pause")

    play(tmp_path, scene, resources(slow))


def test_a_command_that_shared_its_old_key_keeps_it(tmp_path: Path) -> None:
    """Enter opens a recent search; giving that another key leaves Enter what it is in other lists."""
    written(tmp_path, 'home.open = "o"')

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("enter")
        assert hand.app.focused is not None
        assert hand.app.focused.id == "paper"
        await hand.press("escape", "escape", "down", "o")
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ('"search.puase" = "P"', "'search.puase'"),
        ('"search.pause" = "ctrl+i"', "send ctrl+i as tab"),
        ('"search.pause" = "ctrl+["', "send ctrl+[ as escape"),
        ('"search.pause" = "hyper+x"', "unknown key 'hyper+x'"),
        ('"search.pause" = "t"', "t is already used by search.trail"),
        ('"ask.submit" = "a"', "a types a character"),
        ('"search.pause" = 3', "must be a key or a list of keys"),
        ('"search.pause" = []', "must be a key or a list of keys"),
    ],
)
def test_a_key_that_cannot_be_is_named_and_the_rest_is_used(keys: str, named: str, tmp_path: Path) -> None:
    written(tmp_path, f'{keys}\n"app.help" = "f12"')
    read = settings_at(tmp_path)
    made = keymap(read.keys)
    assert [named in told for told in (*read.warnings, *made.problems)] == [True]
    assert made.keys["app.help"] == ("f12",)


def test_keys_that_cannot_be_are_named_at_the_start(tmp_path: Path) -> None:
    written(tmp_path, '"search.puase" = "P"\n"search.pause" = 3\n"app.help" = "f12"')

    async def scene(hand: Hand) -> None:
        for named in ("'search.puase'", "must be a key or a list of keys"):
            assert named in hand.told
        await hand.press("f12")
        assert isinstance(hand.app.screen, KeyChoice)

    play(tmp_path, scene, resources())


def test_two_commands_can_exchange_their_keys() -> None:
    made = keymap({"search.trail": ("f",), "search.filter": ("t",)})
    assert made.problems == ()
    assert (made.keys["search.trail"], made.keys["search.filter"]) == (("f",), ("t",))


def test_one_usable_key_of_several_is_used() -> None:
    made = keymap({"search.trail": ("ctrl+m", "T", "f9")})
    assert made.keys["search.trail"] == ("f9",)  # T changes a paper's tags
    assert len(made.problems) == 2


WISHES = st.dictionaries(
    st.sampled_from(sorted(EVERY)),
    st.lists(
        st.sampled_from([*"apqtsxyz?,;/<G", "enter", "f5", "ctrl+d", "ctrl+i", "space", "+"]), min_size=1, max_size=3
    ).map(tuple),
    max_size=6,
)


@given(WISHES)
def test_whatever_is_wished_no_key_means_two_things_that_it_did_not_mean_before(
    options: dict[str, tuple[str, ...]],
) -> None:
    made = keymap(options)
    assert made.keys.keys() == EVERY.keys()
    for places in TOGETHER:
        for one, other in combinations([one for place in places for one in COMMANDS[place]], 2):
            shared = set(made.keys[one.id]) & set(made.keys[other.id])
            assert not shared or set(one.keys) & set(other.keys)


@given(WISHES)
def test_every_command_that_had_a_key_keeps_one(options: dict[str, tuple[str, ...]]) -> None:
    assert all(made for name, made in keymap(options).keys.items() if EVERY[name].keys)


def test_every_key_of_every_command_is_one_that_can_be_written_in_the_settings() -> None:
    assert [key for one in EVERY.values() for key in one.keys if normal(key) != key] == []


def test_ids_are_there_once_and_every_command_says_what_it_does() -> None:
    commands = [one for some in COMMANDS.values() for one in some]
    assert len({one.id for one in commands}) == len(commands)
    assert all(one.help.endswith(".") and one.title for one in commands)


def test_what_can_be_used_together_is_known_to_the_check_for_clashes(tmp_path: Path) -> None:
    """Wherever the focus is, the places that have the keys stand in one line of `TOGETHER`."""

    async def scene(hand: Hand) -> None:
        async def every_pane() -> None:
            for widget in hand.app.screen.focus_chain:
                hand.app.screen.set_focus(widget)
                here = set(contexts_here(hand.app.screen))
                assert any(here <= set(places) for places in TOGETHER), here

        await every_pane()
        await hand.ask()
        await hand.until_shown("✔ finished")
        await every_pane()
        for keys in (["f1"], ["ctrl+p"], ["comma"]):
            hand.app.screen.set_focus(hand.papers)
            await hand.press(*keys)
            for widget in [None, *hand.app.screen.focus_chain]:
                hand.app.screen.set_focus(widget)
                here = set(contexts_here(hand.app.screen)) - {"anywhere"}  # whose keys a dialog takes away
                assert any(here <= set(places) for places in TOGETHER), here
            await hand.press("escape")
        await hand.press("2")
        await every_pane()
        await hand.press("3")
        await every_pane()

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


def first_heading(hand: Hand) -> str:
    """The place whose keys the help shows first."""
    assert isinstance(hand.app.screen, KeyChoice)
    return context_title(hand.app.screen.here[0])


def test_help_and_footer_are_about_the_pane_with_the_focus_and_q_leads_back_and_from_home_out(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("t", "question_mark")
        assert first_heading(hand) == "The trail"
        await hand.press("escape", "t", "question_mark")
        assert first_heading(hand) == "Lists"
        await hand.press("escape")
        await hand.until(lambda: "filter" in hand.lines[-1])
        await hand.press("slash")
        await hand.until(lambda: "filter" not in hand.lines[-1])
        assert "mark" not in hand.lines[-1]  # a space is typed too
        await hand.press("escape")
        await hand.press("q")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.press("down", "q")
        assert not hand.app.is_running or hand.app._exit

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_line_of_keys_shows_only_what_a_key_does_now(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until(lambda: "⏎ ask" in hand.lines[-1])
        assert "quit" not in hand.lines[-1]  # q would be typed into the question
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.until(lambda: "pause" not in hand.lines[-1])
        await hand.until(lambda: "esc back" in hand.lines[-1])

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_every_place_with_commands_is_used_by_some_pane() -> None:
    assert {place for places in TOGETHER for place in places} == set(COMMANDS)
    assert all(context_of(one) == place for place, commands in COMMANDS.items() for one in commands)


def test_leaving_while_a_search_is_under_way_asks_first(tmp_path: Path) -> None:
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.press("q")
        await hand.until(
            lambda: bool(hand.app.screen.query(RecentRuns)) and len(hand.app.screen.query_one(RecentRuns).rows) > 0
        )
        await hand.press("down", "q")
        await hand.until_shown("A search is running.")
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.press("q", "enter")  # the harmless answer has the focus
        assert isinstance(hand.app.screen, HomeScreen)
        assert not hand.app._exit
        await hand.press("q", "ctrl+c", "ctrl+c")  # also where it asks
        assert hand.app._exit

    play(tmp_path, scene, resources(slow))


def test_a_number_before_a_key_that_moves_repeats_it_and_is_else_a_key_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spar_tui.tui.keymap.PAUSE_SECONDS", PATIENCE)  # a busy machine may take long for a key

    async def pressed(hand: Hand, keys: str) -> None:
        for key in keys:
            hand.app.post_message(Key("space" if key == " " else key, key))
        await hand.settled()

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await pressed(hand, "3j")
        assert hand.papers.highlighted == 3
        await pressed(hand, "2k10j")
        assert hand.papers.highlighted == len(hand.titles) - 1
        await pressed(hand, "g2 ")
        await hand.until_shown("2 marked")
        await pressed(hand, "3g")  # which nothing repeats: first 3, then g
        await hand.until_shown("History")
        assert not hand.app.counted_keys.waiting

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


async def at_once(hand: Hand, keys: str) -> None:
    names = {"⏎": "enter", "⎋": "escape", "↵": "ctrl+j", "₇": "f7"}
    for key in keys:
        hand.app.post_message(Key(names[key], None) if key in names else Key(_character_to_key(key), key))
    await hand.settled()


@pytest.mark.parametrize("keys", [";!?", ";⎋?", "y⎋?", ":⎋?", ":sort year⏎?"])
def test_keys_typed_at_once_go_past_a_dialog_that_one_of_them_closes(keys: str, tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await at_once(hand, keys)
        await hand.until(lambda: isinstance(hand.app.screen, KeyChoice))
        await hand.press("escape")
        assert isinstance(hand.app.screen, ShelfScreen)

    play(tmp_path, scene, resources())


def test_keys_typed_at_once_go_where_the_first_one_leads(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await at_once(hand, ":tag +rust⏎")  # r, u, s and t are keys of the list
        await hand.until_shown("#rust")
        await at_once(hand, "T, sun⏎")
        await hand.until_shown("#sun")
        await at_once(hand, "/rust⏎")
        await hand.until_shown(f"Shelf 1 of {len(SAVED)}")
        await at_once(hand, "₇stars")
        await hand.until(lambda: [line.value for line in hand.app.screen.query(MessageLine)] == ["stars"])

    play(tmp_path, scene, resources())
    assert len(on_shelf(tmp_path)) == len(SAVED)


def test_line_breaks_and_letters_typed_at_once_keep_their_order(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await at_once(hand, "ab↵c↵↵d e")
        await hand.until(lambda: hand.app.screen.query_one(AskBox).text == "ab\nc\n\nd e")

    play(tmp_path, scene, resources())


@pytest.mark.parametrize(("screen", "words"), [("f10", "Press f11 on a finished search"), ("f4", "Press f12 to ask")])
def test_texts_name_the_keys_that_the_person_chose(screen: str, words: str, tmp_path: Path) -> None:
    written(tmp_path, '"search.watch" = "f11"\n"app.home" = "f12"')

    async def scene(hand: Hand) -> None:
        await hand.press(screen)
        await hand.until_shown(words)

    play(tmp_path, scene, resources())


def test_the_key_of_a_list_leads_from_a_paper_back_to_the_list(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.press("2")
        await hand.until(lambda: isinstance(hand.app.screen, ShelfScreen))
        await hand.press("f2")
        await hand.ask()
        await hand.press("f2")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
