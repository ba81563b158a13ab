"""A conversation in the app: begun from everywhere, its papers at hand, nothing changed without a yes."""

import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.events import Paste

from agents.assistant.answering import BY_MODEL
from agents.assistant.events import AnswerRow, MessageReceived, StepDone, TurnAnswered, TurnPlanned
from agents.assistant.events import Step as PlannedStep
from agents.assistant.options import LONGEST
from agents.llm.model import Model
from agents.run.events import FoundBy, PaperFound
from agents.run.resources import Resources
from cache import papers, runs, shelf
from cache.store import Store
from connectors.paper import WorkId
from connectors.starter.shelf import StarterShelf
from spar_tui.conversation_phrases import DRAFT
from spar_tui.errors import Failure
from spar_tui.interface import TextInterface
from spar_tui.settings import Settings
from spar_tui.tui.keymap import TOGETHER
from spar_tui.tui.models.conversation_rows import TurnRow
from spar_tui.tui.screens.conversation import ConversationScreen, DocumentScreen, TurnList
from spar_tui.tui.screens.dialogs.palette import contexts_here
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.new_conversation import EXAMPLES, MessageLine, NewConversationScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from tests.agents.assistant.world import planned, scripted
from tests.agents.llm.use import access
from tests.agents.scripted import ScriptedSource
from tests.library import copied
from tests.services.model import says
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless, raw
from tests.spar_tui.tui.world import OTHERS, SPARSE, GatedSource, Hand, Scene, play, settings_at
from tests.work import lines_run

ASKED = "papers on query expansion since 2010"


def talking(*sources: ScriptedSource) -> Resources:
    return Resources({one.name: one for one in sources}, interface=TextInterface())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose library is the starter shelf; nothing is saved."""
    copied(settings_at(tmp_path).places.database, fill)
    return tmp_path


def fill(store: Store) -> None:
    papers.remember(store, StarterShelf().papers())


def talk(home: Path, scene: Scene, *sources: ScriptedSource, size: tuple[int, int] = (150, 36)) -> None:
    play(home, scene, talking(*sources), size)


def talk_while_searching(home: Path, scene: Callable[[Hand, GatedSource], Awaitable[None]]) -> None:
    """Play `scene` while a message waits for a search of a source that answers when the scene lets it."""
    slow = GatedSource("openalex", OTHERS)

    async def begun_and_searching(hand: Hand) -> None:
        await begun(hand)
        await write(hand, "search for river ecology")
        await hand.until_shown("● search…")
        await scene(hand, slow)

    talk(home, begun_and_searching, slow)


def saved(home: Path) -> dict[str, tuple[str, ...]]:
    """The saved papers by their titles, with their tags."""
    with Store.open(settings_at(home).places.database) as store:
        return {entry.paper.title: entry.tags for entry in shelf.shelf(store)}


def screen(hand: Hand) -> ConversationScreen:
    assert isinstance(hand.app.screen, ConversationScreen)
    return hand.app.screen


def rows(hand: Hand) -> Sequence[TurnRow]:
    return screen(hand).query_one(TurnList).rows


def row(hand: Hand) -> TurnRow:
    """The row under the cursor."""
    found = screen(hand).query_one(TurnList).row
    assert found is not None
    return found


def titles(hand: Hand, turn: int = -1) -> list[str]:
    """The papers that an answer shows."""
    number = len(screen(hand).live.state.turns) + turn if turn < 0 else turn
    return [one.paper.title for one in rows(hand) if one.turn == number and one.paper is not None]


async def begun(hand: Hand, message: str = ASKED) -> ConversationScreen:
    """A conversation that begins with `message`, answered."""
    await hand.press("f7")
    await hand.until(lambda: isinstance(hand.app.screen, NewConversationScreen))
    await write(hand, message)
    await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
    await answered(hand, 1)
    return screen(hand)


async def write(hand: Hand, message: str) -> None:
    """Put a message into the line and press Enter."""
    if hand.app.focused is not hand.app.screen.query_one(MessageLine):
        await hand.press("i")
    hand.app.screen.query_one(MessageLine).value = message
    await hand.press("enter")


async def answered(hand: Hand, turns: int) -> None:
    """Wait until so many turns are there, and nothing more is on its way."""
    live = screen(hand).live
    await hand.until(lambda: len(live.state.turns) == turns and not live.under_way and "✔ answered" in hand.text)


async def say(hand: Hand, message: str) -> None:
    """Say something in the conversation that is shown, and wait for the answer."""
    turns = len(screen(hand).live.state.turns)
    await write(hand, message)
    await answered(hand, turns + 1)


def kept(home: Path) -> list[runs.Run]:
    with Store.open(settings_at(home).places.database) as store:
        return runs.recent(store, 20, "conversation")


# Beginning one


@pytest.mark.parametrize("keys", [("f7",), ("down", "C"), ("f3", "6"), ("ctrl+p", *"chat", "enter")])
def test_a_conversation_is_begun_from_everywhere_and_kept_as_a_run(keys: Sequence[str], home: Path) -> None:
    with Store.open(settings_at(home).places.database) as store:
        runs.finish(store, runs.start(store, "search", "an earlier search"), "finished", {"shown": 0})

    async def scene(hand: Hand) -> None:
        await hand.until_shown("an earlier search")
        await hand.press(*keys)
        await hand.until(lambda: isinstance(hand.app.screen, NewConversationScreen))
        await hand.until_shown("You can say:")
        await hand.type("unread papers")
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
        await answered(hand, 1)
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    talk(home, scene)
    assert [(run.question, run.state, run.counts["turns"]) for run in kept(home)] == [("unread papers", "finished", 1)]


def test_what_stands_in_the_ask_line_can_be_said_in_a_conversation_instead(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.type(ASKED)
        await hand.until(lambda: "f7 chat" in hand.lines[-1])
        await hand.press("f7")
        await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
        await answered(hand, 1)
        assert screen(hand).live.state.turns[0].message == ASKED

    talk(home, scene)


def test_every_example_of_what_can_be_said_is_understood(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand, EXAMPLES[0])
        for example in EXAMPLES[1:]:
            await say(hand, ASKED)  # so that there is something to speak of
            await say(hand, example)
        for turn in screen(hand).live.state.turns:
            assert turn.plan is not None
            assert turn.plan.understood, turn.message

    talk(home, scene)


async def first_said(hand: Hand, message: str = "list these papers") -> None:
    """Begin the prepared conversation; its first answer lists its papers, the second is to the message."""
    await hand.until(lambda: isinstance(hand.app.screen, NewConversationScreen))
    await write(hand, message)
    await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
    await answered(hand, 2)


def test_a_conversation_about_marked_papers_begins_with_these(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        wanted = hand.titles[1:3]
        await hand.press("j", "space", "space", "C")
        await hand.until_shown("Talk about 2 papers that you marked of the search “sparse retrieval of passages”")
        await hand.settled()
        assert not kept(home), "it begins with the person's message"
        await first_said(hand, "save the second")
        assert titles(hand, 0) == wanted
        of_opening = [row for row in rows(hand) if row.turn == 0]
        assert [row.kind for row in of_opening] == ["head", "paper", "paper"], "the person has not said that"
        assert "About 2 papers" in of_opening[0].text
        assert "1 turn" in hand.lines[1]
        await hand.press("y")
        await hand.until(lambda: [entry.paper.title for entry in shelf.shelf(hand.app.store)] == wanted[1:])
        await say(hand, "the newest of those")
        assert set(titles(hand)) <= set(wanted)
        await hand.press("escape")
        assert isinstance(hand.app.screen, SearchScreen)

    talk(home, scene, ScriptedSource("openalex", SPARSE))


def test_a_conversation_about_what_is_shown_begins_with_all_of_it(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        shown = hand.titles
        await hand.press("6")
        await first_said(hand)
        assert titles(hand) == shown
        await hand.press("up", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.press("C")
        await first_said(hand)
        assert titles(hand) == shown[:1]

    talk(home, scene, ScriptedSource("openalex", SPARSE))


def test_another_reading_is_taken_with_enter(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand, "papers by Robertson")
        await say(hand, "only the ones by Salton")
        await hand.press("escape" if hand.app.focused is None else "up", "G")
        assert (row(hand).kind, row(hand).text) == ("offer", "1. papers that are by Salton")
        await hand.press("enter")
        await answered(hand, 3)
        assert titles(hand)
        assert not any(one.kind == "offer" and one.waits for one in rows(hand))

    talk(home, scene)


def test_where_no_paper_is_shown_nothing_is_said_to_stand_below_one(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand, "papers by Robertson")
        await say(hand, "only the ones by Salton")
        assert not titles(hand)
        assert [one.text for one in rows(hand) if one.kind == "offer"][1:] == ["1. papers that are by Salton"]
        assert "below the papers" not in hand.text

    talk(home, scene)


# Its papers


def test_the_papers_of_an_answer_are_saved_marked_cited_and_opened_by_the_keys_of_every_list(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        first, second, *_ = titles(hand)
        await hand.press("up", "s")
        await hand.until_shown("1 ★ ")
        assert list(saved(home)) == [first]
        await hand.press("space")
        await hand.until_shown("◆  1 ★ ")
        assert row(hand).paper is not None
        assert row(hand).paper.title == second  # type: ignore[union-attr]
        await hand.press("y")
        await hand.until_shown("BibLaTeX")
        await hand.press("b")
        await hand.until(lambda: first.split()[0] in hand.app.clipboard)
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.until_shown(second)
        await hand.press("q")
        assert isinstance(hand.app.screen, ConversationScreen)

    talk(home, scene)


def test_papers_are_numbered_where_the_second_is_of_that_list_and_nowhere_else(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        listed = titles(hand)
        assert [one.rank for one in rows(hand) if one.paper] == list(range(1, len(listed) + 1))
        await say(hand, "show the second's abstract")
        assert titles(hand) == [listed[1]]
        assert [one.rank for one in rows(hand) if one.paper and one.turn == 1] == [0]

    talk(home, scene)


def test_a_document_is_read_copied_and_written_into_a_file(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "write the BibTeX of those")
        document = screen(hand).live.state.turns[-1].answer
        assert document is not None
        await hand.until_shown("more lines")
        await hand.press("up", "y")
        await hand.until(lambda: hand.app.clipboard == document.document)
        await hand.press("ctrl+c")  # is for leaving, here too
        await hand.until(lambda: "again quits" in hand.told)
        await hand.press("enter")
        assert isinstance(hand.app.screen, DocumentScreen)
        await hand.until_shown("y copy  w save text")
        await hand.press("w")
        await hand.until_shown("papers.bib")
        await hand.press("home", *"/".join(("", *home.parts[1:], "")).replace(" ", ""))
        await hand.press("enter")
        await hand.until(lambda: (home / "papers.bib").exists())
        assert (home / "papers.bib").read_text("utf-8") == document.document

    talk(home, scene)


# Its steps


def test_the_steps_of_an_answer_are_folded_to_a_line_and_unfolded_by_a_key(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        assert "▸ planned by rules: 2 steps · filter → list" in hand.text
        await hand.press("up", "t")
        await hand.until_shown("1. filter {")
        assert "▾ planned by rules: 2 steps" in hand.text
        await hand.press("t")
        await hand.until(lambda: "1. filter {" not in hand.text)
        await hand.press("g", "j", "enter")
        await hand.until_shown("2. list")

    talk(home, scene)


def test_steps_are_shown_as_they_happen_and_what_a_step_began_can_be_looked_at(home: Path) -> None:
    async def scene(hand: Hand, slow: GatedSource) -> None:
        await hand.until_shown("● answering")
        slow.gate.set()
        await answered(hand, 2)
        assert titles(hand)
        assert "Lovelace 2011 · “" in hand.text, "a paper that was found has the reason beside its author"
        await hand.press("up", "t", "k", "k")
        while row(hand).kind != "step":
            await hand.press("k")
        assert row(hand).run is not None
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        await hand.press("escape")
        assert isinstance(hand.app.screen, ConversationScreen)

    talk_while_searching(home, scene)


@pytest.mark.parametrize("keys", [("ctrl+x",), ("up", "x")])
def test_an_answer_is_stopped_at_once_and_goes_on_by_a_key(keys: Sequence[str], home: Path) -> None:
    async def scene(hand: Hand, slow: GatedSource) -> None:
        await hand.until(lambda: "stop" in hand.lines[-1])
        await hand.press(*keys)
        await hand.until_shown("Stopped before an answer.")
        assert not screen(hand).live.under_way
        slow.gate.set()
        if hand.app.focused is hand.app.screen.query_one(MessageLine):
            await hand.press("up")
        await hand.press("p")
        await answered(hand, 2)
        assert titles(hand)

    talk_while_searching(home, scene)


def test_who_says_something_else_has_let_a_stopped_answer_be(home: Path) -> None:
    async def scene(hand: Hand, slow: GatedSource) -> None:
        await hand.press("ctrl+x")
        await hand.until_shown("before an answer.")
        asked = len(slow.asked)
        await write(hand, "how many papers on my shelf are unread?")
        await answered(hand, 3)
        assert len(slow.asked) == asked
        await hand.until_shown("■ Not answered.")

    talk_while_searching(home, scene)


def test_going_back_lets_the_answer_come_and_tells_of_it(home: Path) -> None:
    async def scene(hand: Hand, slow: GatedSource) -> None:
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.until(lambda: bool(hand.app._watched))
        # What the conversation has begun is no run that was cut off, and cannot be taken from it.
        await hand.until_shown("running elsewhere")
        await hand.press("down", "j", "enter")
        await hand.until_shown("This search is running elsewhere")
        slow.gate.set()
        await hand.until_shown("Answered: search for river ecology")
        await hand.until_shown("2 turns")

    talk_while_searching(home, scene)


def test_what_is_said_while_an_answer_is_on_its_way_stays_in_the_line(home: Path) -> None:
    async def scene(hand: Hand, slow: GatedSource) -> None:
        await write(hand, "the newest of those")
        await hand.until_shown("still being answered")
        assert hand.app.screen.query_one(MessageLine).value == "the newest of those"
        slow.gate.set()
        await answered(hand, 2)
        await hand.press("enter")
        await answered(hand, 3)

    talk_while_searching(home, scene)


# What it would change


def test_nothing_is_changed_before_a_yes_and_a_key_says_it(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "save the first and tag it rag")
        await hand.until_shown("yes or no?")
        assert saved(home) == {}
        await hand.press("up")
        await hand.until(lambda: "y yes" in hand.lines[-1])
        assert "cite" not in hand.lines[-1]
        await hand.press("y")
        await answered(hand, 3)
        await hand.until_shown("1 ★ ")
        assert list(saved(home).values()) == [("rag",)]
        assert "y yes" not in hand.text

    talk(home, scene)


def test_a_key_answers_while_the_line_to_write_in_is_empty(home: Path) -> None:
    """It says so below; in a line that is begun it is a letter, and the whole word is no second message."""

    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "save the first and tag it rag")
        await hand.until(lambda: "y yes" in hand.lines[-1])
        await hand.press("a", "y")
        assert screen(hand).query_one(MessageLine).value == "ay"
        await hand.until(lambda: "y yes" not in hand.lines[-1])
        await hand.press("backspace", "backspace", *"yes")
        await answered(hand, 3)
        assert screen(hand).query_one(MessageLine).value == ""
        assert list(saved(home).values()) == [("rag",)]
        await say(hand, "save the second")
        await hand.press("n", *"ow")
        await answered(hand, 5)
        assert screen(hand).query_one(MessageLine).value == "w"

    talk(home, scene)


def test_a_doubtful_answer_is_asked_again_and_changes_nothing_before_a_yes(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "save the first")
        await hand.press(*"what", "enter")
        await answered(hand, 3)
        await hand.until_shown("yes or no")
        assert saved(home) == {}
        await say(hand, "yes")
        await answered(hand, 4)

    talk(home, scene)
    assert list(saved(home).values()) == [()]


@pytest.mark.parametrize("no", [("up", "n"), (*"no", "enter"), (*"my shelf", "enter")])
def test_whatever_is_no_yes_leaves_the_shelf_as_it_is(no: Sequence[str], home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "save the first")
        await hand.press(*no)
        await answered(hand, 3)
        await say(hand, "yes")

    talk(home, scene)
    assert saved(home) == {}


# Kept, listed, gone on with, forgotten


def test_a_conversation_is_listed_gone_on_with_and_forgotten(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)

    async def another(hand: Hand) -> None:
        await hand.until_shown(f"conversation {ASKED}")
        await hand.until_shown("1 turn")
        await hand.press("f4", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
        await hand.until_shown("4 papers in your library")
        await say(hand, "the newest of those")
        assert titles(hand)
        await hand.press("f4")
        await hand.until_shown("2 turns")
        await hand.press("d", "y")
        await hand.until_shown("No searches yet")

    talk(home, scene)
    assert len(kept(home)) == 1
    talk(home, another)
    assert kept(home) == []


def test_one_that_was_cut_off_by_quitting_goes_on_when_it_is_opened(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        await write(hand, "search for river ecology")
        await hand.until_shown("● search…")

    async def another(hand: Hand) -> None:
        await hand.until_shown("interrupted · ⏎ resumes")
        await hand.press("down", "j", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
        await answered(hand, 2)
        assert titles(hand)

    talk(home, scene, GatedSource("openalex", OTHERS))
    talk(home, another, ScriptedSource("openalex", OTHERS))


# What goes wrong


def test_what_cannot_be_begun_is_told_and_what_was_said_is_not_lost(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f7")
        await write(hand, ASKED)
        await hand.until_shown("The manners are gone.")
        await hand.until_shown("✘ failed")
        await write(hand, "the newest of those")
        await hand.until(lambda: hand.app.screen.query_one(MessageLine).value == "the newest of those")

    play(home, scene, Failure("The manners are gone."))


def test_lines_that_are_pasted_are_one_message_and_too_many_letters_are_cut_with_a_word(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        line = hand.app.screen.query_one(MessageLine)
        line.post_message(Paste("papers on\n  query expansion\r\n\nsince\x1b[31m 2010\n"))
        await hand.until(lambda: " ".join(line.value.split()) == "papers on query expansion since[31m 2010")
        line.clear()
        line.post_message(Paste("and more " * 12_000))
        await hand.until(lambda: "the rest was cut" in hand.told)
        assert len(line.value) == LONGEST
        await hand.press("enter")
        await answered(hand, 2)

    talk(home, scene)


def test_a_message_that_is_not_understood_offers_three_things_that_can_be_done(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand, "what is the weather like tomorrow?")
        await hand.until_shown("I did not understand “weather”")
        offers = [one for one in rows(hand) if one.kind == "offer" and one.waits]
        assert [one.text[:2] for one in offers] == ["1.", "2.", "3."]

    talk(home, scene)


# How it looks


def test_hostile_papers_are_only_text_at_every_size(tmp_path: Path) -> None:
    with Store.open(copied(settings_at(tmp_path).places.database)) as store:
        papers.remember(store, [raw(number, text) for number, text in enumerate(HOSTILE)])

    async def scene(hand: Hand) -> None:
        await begun(hand, "papers on [bold]retrieval[/bold] [/ \x1b[31m")
        await say(hand, "papers on retrieval")
        for size in ((150, 36), (110, 30), (80, 24), (40, 10)):
            await hand.resize(*size)
            harmless(hand)
            await hand.press("up", "G")
            for _ in rows(hand):
                harmless(hand)
                await hand.press("k")

    talk(tmp_path, scene)


def test_nothing_is_told_by_colour_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "save the first")
        await hand.until_shown("y yes  n no")
        await hand.press("up", "y")
        await hand.until_shown("1 ★ ")

    talk(home, scene)


def test_a_text_that_is_longer_than_the_screen_is_read_line_by_line(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        await begun(hand)
        await say(hand, "show the second's abstract")
        await hand.press("up")
        await hand.resize(40, 10)
        await hand.press("G")
        seen: set[str] = set()
        while row(hand).turn == 1:
            seen.update(line[3:-2].strip() for line in hand.lines)
            await hand.press("k")
        answer = screen(hand).live.state.turns[1].answer
        assert answer is not None
        shown = {word for line in seen for word in line.split()}
        assert [word for word in answer.text.split() if word not in shown and len(word) < 30] == []

    talk(home, scene, size=(60, 20))


def test_each_turn_of_two_hundred_is_as_little_work_to_show_as_the_first(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        found = StarterShelf().papers()[:10]
        live = (await begun(hand)).live
        for number, paper in enumerate(found):
            live.board.post(PaperFound(WorkId(100 + number), paper, FoundBy("library", "x", number + 1)))

        def show(turns: Sequence[int]) -> None:
            for number in turns:
                live.board.post(MessageReceived(f"message {number} " + "and more words " * 20))
                live.board.post(TurnPlanned((PlannedStep("list"),)))
                live.board.post(StepDone(0, "list", (), tuple(range(10))))
                shown = tuple(AnswerRow(WorkId(100 + place), place, place + 1) for place in range(10))
                live.board.post(TurnAnswered("An answer of some words. " * 10, shown))
            screen(hand)._flush()

        first, rest = lines_run(lambda: show(range(20))), lines_run(lambda: show(range(20, 200)))
        assert rest < 10 * first
        await hand.until_shown("message 199")
        await hand.press("up")
        assert lines_run(hand.app.screen.query_one(TurnList).action_cursor_up) < first
        live.board.post(MessageReceived("one more"))
        assert lines_run(screen(hand)._flush) < first

    talk(home, scene)


def test_every_key_at_hand_means_one_thing(home: Path) -> None:
    async def scene(hand: Hand) -> None:
        def known() -> bool:
            here = set(contexts_here(hand.app.screen))
            return any(here <= set(places) for places in TOGETHER)

        await hand.press("f7")
        await hand.until(lambda: isinstance(hand.app.screen, NewConversationScreen))
        assert known()
        assert "answers" not in hand.lines[-1]
        await write(hand, ASKED)
        await hand.until(lambda: isinstance(hand.app.screen, ConversationScreen))
        await answered(hand, 1)
        await hand.until(lambda: "/ say" not in hand.lines[-1])
        assert known()
        await hand.press("up")
        assert known()

    talk(home, scene)


def written_by_model(home: Path, said: object, scene: Callable[[Hand, threading.Event], Awaitable[None]]) -> None:
    """Play `scene` with a model whose answer comes halfway, and its second half when the event is set."""
    go_on = threading.Event()
    plan = planned(("filter", {"words": ["query expansion"]}), ("list", {"limit": 3}), in_words=True)
    with scripted(plan, answer=says.held_back(said, go_on)) as endpoint:

        @asynccontextmanager
        async def opened(settings: Settings) -> AsyncIterator[Resources]:
            model = Model(access(endpoint))
            try:
                yield Resources(interface=TextInterface(), model=model)
            finally:
                await model.close()

        async def played(hand: Hand) -> None:
            await scene(hand, go_on)

        try:
            play(home, played, opened)
        finally:
            go_on.set()


async def being_written(hand: Hand) -> None:
    await hand.press("f7")
    await hand.until(lambda: isinstance(hand.app.screen, NewConversationScreen))
    await write(hand, ASKED)
    await hand.until_shown(DRAFT)
    await hand.until_shown("of them all")


def test_an_answer_is_seen_while_it_is_written_and_gives_way_to_the_checked_one(home: Path) -> None:
    async def scene(hand: Hand, go_on: threading.Event) -> None:
        await being_written(hand)
        assert BY_MODEL not in hand.text
        assert "[red]" in hand.text, "what looks like markup is words"
        go_on.set()
        await answered(hand, 1)
        await hand.until_shown(BY_MODEL)
        assert DRAFT not in hand.text
        assert hand.text.count("of them all") == 1
        assert "of the draft that you saw" not in hand.text

    text = "P1 is the [red] best of them all by what its own abstract says about words and queries."
    written_by_model(home, {"sentences": [{"text": text, "rests_on": ["P1"]}]}, scene)


def test_a_sentence_that_was_shown_and_does_not_hold_is_gone_and_that_is_said(home: Path) -> None:
    async def scene(hand: Hand, go_on: threading.Event) -> None:
        await being_written(hand)
        go_on.set()
        await answered(hand, 1)
        await hand.until_shown("of the draft that you saw")
        assert "of them all" not in hand.text
        assert BY_MODEL not in hand.text

    text = "P1 is the best of them all by what its own abstract says about words and queries."
    written_by_model(home, {"sentences": [{"text": text, "rests_on": ["P9"]}]}, scene)


def test_who_stops_an_answer_that_is_being_written_keeps_the_steps_and_sees_no_half_of_it(home: Path) -> None:
    async def scene(hand: Hand, go_on: threading.Event) -> None:
        await being_written(hand)
        await hand.press("ctrl+x")
        await hand.until_shown("Stopped before an answer.")
        assert "of them all" not in hand.text
        assert DRAFT not in hand.text
        go_on.set()
        await hand.press("escape")

    text = "P1 is the best of them all by what its own abstract says about words and queries."
    written_by_model(home, {"sentences": [{"text": text, "rests_on": ["P1"]}]}, scene)
