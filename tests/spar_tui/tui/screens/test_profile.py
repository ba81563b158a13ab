"""The profile in the app: what is thought of the person, corrected line by line, and heeded at once."""

from pathlib import Path

from cache import profile
from cache.profile import WrittenLine
from cache.store import Store
from spar_tui.tui.screens.profile import ProfileLines, ProfileScreen
from tests.spar_tui.tui.screens.test_recommendation import opened, remembered
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources, settings_at


def own(home: Path) -> list[tuple[str, str]]:
    """The person's own lines."""
    with Store.open(settings_at(home).places.database) as store:
        return [(line.facet, line.text) for line in profile.own_lines(store)]


async def read(hand: Hand) -> ProfileLines:
    """The profile, by its key, when it is read."""
    await hand.press("f6")
    await hand.until(lambda: isinstance(hand.app.screen, ProfileScreen) and "being read" not in hand.text)
    return hand.app.screen.query_one(ProfileLines)


def test_understood_lines_name_the_papers_that_they_rest_on(tmp_path: Path) -> None:
    remembered(tmp_path, saved=3)

    async def scene(hand: Hand) -> None:
        lines = await read(hand)
        await hand.until_shown("You like")
        assert [line.own for line in lines.rows] == [None]
        await hand.until_shown("Understood from 3 papers")
        await hand.until_shown(SPARSE[0].title)

    play(tmp_path, scene, resources())


def test_each_change_of_the_profile_is_undone_and_not_over_a_later_one(tmp_path: Path) -> None:
    remembered(tmp_path, saved=3)

    async def undone(hand: Hand, said: str) -> None:
        await hand.press("U")
        await hand.until(lambda: said in hand.told)

    async def scene(hand: Hand) -> None:
        lines = await read(hand)
        await hand.until(lambda: len(lines.rows) == 1)
        understood = lines.rows
        await hand.press("d", "y")
        await hand.until(lambda: not lines.rows)
        await undone(hand, "Undone: deleted “")
        await hand.until(lambda: lines.rows == understood)
        await hand.press("plus", *"fish", "enter")
        await hand.until(lambda: own(tmp_path) == [("like", "fish")])
        await hand.press("D", "y")
        await hand.until(lambda: own(tmp_path) == [])
        await undone(hand, "Undone: deleted 2 lines in your profile.")
        await hand.until(lambda: own(tmp_path) == [("like", "fish")])
        with Store.open(settings_at(tmp_path).places.database) as store:
            profile.add_line(store, "dislike", "rivers")
        await undone(hand, "Not undone: added “fish” in your profile. It was changed or removed elsewhere since.")
        assert own(tmp_path) == [("like", "fish"), ("dislike", "rivers")]

    play(tmp_path, scene, resources())


def test_a_line_is_written_changed_and_forgotten(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        lines = await read(hand)
        await hand.press("plus")
        await hand.type("fish counts")
        await hand.press("enter")
        await hand.until(lambda: own(tmp_path) == [("like", "fish counts")])
        await hand.until(lambda: lines.row is not None and lines.row.text == "fish counts")
        await hand.press("enter")
        await hand.type(" in rivers")
        await hand.press("enter")
        await hand.until(lambda: own(tmp_path) == [("like", "fish counts in rivers")])
        await hand.until(lambda: lines.row is not None and lines.row.text == "fish counts in rivers")
        await hand.press("d")
        await hand.until_shown("cancel    delete")
        assert own(tmp_path)  # nothing is forgotten before the person has said so
        await hand.press("y")
        await hand.until(lambda: not own(tmp_path))

    play(tmp_path, scene, resources())


def test_all_is_forgotten_only_when_the_person_means_it(tmp_path: Path) -> None:
    remembered(tmp_path)
    with Store.open(settings_at(tmp_path).places.database) as store:
        profile.add_line(store, "expect", "since 2015")

    async def scene(hand: Hand) -> None:
        lines = await read(hand)
        await hand.press("D", "n")
        assert own(tmp_path) == [("expect", "since 2015")]
        assert lines.rows
        await hand.press("D", "y")
        await hand.until_shown("No profile yet.")

    play(tmp_path, scene, resources())
    assert not own(tmp_path)


def test_a_written_line_moves_what_is_to_be_read_next(tmp_path: Path) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        first = screen.live.run
        await read(hand)
        await hand.press("plus")
        await hand.type("river ecology survey")
        await hand.press("enter", "escape")
        await hand.until(lambda: screen.live.run != first)
        await hand.until_shown("and 1 line of your profile")

    play(tmp_path, scene, resources())


def test_hostile_lines_are_only_text(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        lines: list[WrittenLine | int] = [
            profile.add_line(store, "like", f"{text} {n}") for n, text in enumerate(HOSTILE)
        ]
    assert lines

    async def scene(hand: Hand) -> None:
        await read(hand)
        await hand.until_shown("[red]retrieval[/red]")
        harmless(hand)
        await hand.press("j", "enter")
        harmless(hand)
        await hand.press("escape", "d")
        harmless(hand)

    play(tmp_path, scene, resources())
