"""The command line of the app: it completes, it remembers, and a verb does what it does in a shell."""

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key, Paste
from textual.widgets import Input

from cache import shelf
from cache.store import Store
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.shelving import put_on_shelf
from spar_tui.errors import UsageError
from spar_tui.terminal import ERASED
from spar_tui.tui.command_line.commanding import CommandLine
from spar_tui.tui.command_line.running import (
    MOST_OUTPUT,
    CommandOutput,
    checked,
    completions,
    message_of,
    with_papers,
    without_progress,
)
from spar_tui.tui.named_paper import paths_in
from spar_tui.tui.screens.conversation import ConversationScreen
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from spar_tui.tui.screens.new_conversation import NewConversationScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.shelf import ShelfScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.screens.test_shelf import SAVED, listed, on_shelf, open_shelf, save
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources, settings_at

pytestmark = pytest.mark.usefixtures("own_home")


async def command(hand: Hand, line: str) -> None:
    await hand.press("colon")
    await hand.until(lambda: isinstance(hand.app.screen, CommandLine))
    hand.app.screen.query_one(Input).value = line
    await hand.press("enter")


def test_the_shelf_is_sorted_filtered_and_tagged_by_commands(tmp_path: Path) -> None:
    save(tmp_path, SAVED, "draft")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await command(hand, "sort year reverse")
        assert [title[0] for title in listed(hand)] == ["B", "A", "D"]
        await command(hand, "filter river")
        assert listed(hand) == [SAVED[1].title]
        await command(hand, "tag +rag -draft")
        await hand.until_shown("#rag")
        await command(hand, "log zzz")  # what it says is said as a command of this line
        await hand.until(lambda: "`:history` lists them" in hand.told)
        await command(hand, "edit")  # it asks for a terminal, which this one cannot lend
        await hand.until(lambda: "cannot run another program" in hand.told)
        await command(hand, "sort colour")
        assert ":sort needs" in hand.told
        await hand.press("colon", "x")
        await hand.until(lambda: ":sort needs" in hand.text and hand.lines[-2].strip() == "x")  # the message is above
        await hand.press("escape")
        await command(hand, "srot year")
        assert "Unknown command srot; tab completes." in hand.told
        await command(hand, 'filter "x')
        await hand.press("colon", *["up"] * 8)
        assert hand.app.screen.query_one(Input).value == "sort year reverse"
        await hand.press("escape")

    play(tmp_path, scene, resources())
    assert on_shelf(tmp_path)[SAVED[1].title].tags == ("rag",)


def test_a_verb_does_what_it_does_in_a_shell_and_the_list_follows(tmp_path: Path) -> None:
    save(tmp_path, SAVED, "rag")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await command(hand, "export --tag rag -o refs.bib")
        await hand.until(lambda: "3 entries written" in hand.told)
        await command(hand, "filter dense")
        await command(hand, "export -o shown.bib")  # what the list shows
        await hand.until(lambda: "1 entry written" in hand.told)
        await hand.press("escape", "g", "space", "space")
        await command(hand, "export -o marked.bib")
        await hand.until(lambda: "2 entries written" in hand.told)
        await command(hand, "mark --read")  # the papers that are marked
        await hand.until(lambda: [one.row.read for one in hand.app.screen.query_one("#shelf").rows].count(True) == 2)  # type: ignore[attr-defined]
        await command(hand, "shelf --format {title}")
        await hand.until(lambda: isinstance(hand.app.screen, CommandOutput) and SAVED[0].title in hand.text)
        await hand.until(lambda: "y copies" in hand.text and "esc close" in hand.lines[-1])
        await hand.press("escape")
        await command(hand, "cite")
        await hand.until(lambda: "See `:cite --help`." in hand.told)
        await command(hand, "lint")
        await hand.until(lambda: "See `:lint --help`." in hand.told)
        await command(hand, "mcp")
        await hand.until(lambda: "`spar mcp` runs inside another program" in hand.told)
        await command(hand, "chat")
        await hand.until(lambda: isinstance(hand.app.screen, NewConversationScreen | ConversationScreen))

    play(tmp_path, scene, resources())
    assert (tmp_path / "refs.bib").read_text().count("@") == 3


def test_a_command_typed_or_pasted_as_a_question_goes_to_the_command_line(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.type(":shelf it's")
        assert isinstance(hand.app.screen, CommandLine)
        assert hand.app.screen.query_one(Input).value == "shelf it's"
        await hand.press("escape")
        hand.app.post_message(Paste(":shelf"))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, CommandLine))
        assert hand.app.screen.query_one(Input).value == "shelf"

    play(tmp_path, scene, resources())


def test_two_entries_of_one_doi_are_both_exported(tmp_path: Path) -> None:
    volumes = "".join(
        f"@article{{reeds{volume}, title={{Reeds}}, author={{Roe, Ann}}, year={{2001}}, volume={{{volume}}}, "
        "doi={10.1000/reeds}}\n"
        for volume in (3, 4)
    )
    with Store.open(settings_at(tmp_path).places.database) as store:
        put_on_shelf(store, read_bibtex(volumes).entries, tmp_path)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await command(hand, "export -o both.bib")
        await hand.until(lambda: "2 entries written" in hand.told)

    play(tmp_path, scene, resources())
    assert all(f"reeds{volume}," in (tmp_path / "both.bib").read_text() for volume in (3, 4))


def test_marking_a_range_and_repeating_a_change(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await command(hand, "tag +first")
        await hand.until(lambda: "#first" in hand.text)
        await hand.press("j", "V", "j")
        await hand.until_shown("2 marked")
        await hand.press("full_stop")
        await hand.until(lambda: hand.text.count("#first") >= 3)
        await hand.press("V", "k")
        await hand.until_shown("2 marked")
        await hand.press("escape")

    play(tmp_path, scene, resources(), (110, 30))
    assert all(one.tags == ("first",) for one in on_shelf(tmp_path).values())


def test_repeating_a_toggle_does_again_what_it_did_and_never_the_opposite(tmp_path: Path) -> None:
    numbers = save(tmp_path, SAVED)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.mark_read(store, numbers[1], True)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("u")  # of the last saved
        await hand.until(lambda: hand.told == f"“{SAVED[2].title}” is read.")
        await hand.press("j", "full_stop")
        await hand.until(lambda: hand.told == f"“{SAVED[1].title}” is read.")
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.press("s")
        await hand.until(lambda: hand.told.startswith("Removed"))
        await hand.press("full_stop")
        await hand.until(lambda: hand.told == "It is not on the shelf.")

    play(tmp_path, scene, resources(), (110, 30))
    assert {title: bool(one.read) for title, one in on_shelf(tmp_path).items()} == {
        SAVED[0].title: False,
        SAVED[2].title: True,
    }


def test_papers_are_sent_to_a_shell_command_as_bibtex_or_by_their_keys(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk", "vertical_line")
        await hand.type("grep -c ^@")
        await hand.press("enter")
        await hand.until(lambda: hand.told == "3")
        await hand.press("vertical_line")
        await hand.type("echo keys: %")  # replaces the last command
        await hand.press("enter")
        await hand.until(lambda: "karpukhin" in hand.told.lower())

    play(tmp_path, scene, resources())


def test_a_command_that_writes_without_end_does_not_stop_the_app(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("vertical_line")
        await hand.type("yes naïve")
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, CommandOutput))
        output = hand.app.screen
        assert isinstance(output, CommandOutput)
        await hand.until(lambda: len(output.text) == MOST_OUTPUT and not output.unasked)
        assert set(output.text.split()) <= {"naïve", output.text.split()[-1]}
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, ShelfScreen) and not hand.app.running_commands)

    play(tmp_path, scene, resources())


def test_a_silent_command_is_stopped_from_the_command_line(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("vertical_line")
        await hand.type("sleep 1000; echo")
        await hand.press("enter")
        await hand.until(lambda: ":stop ends it" in hand.told)
        await command(hand, "stop")
        await hand.until(lambda: "Stopped: sleep 1000; echo." in hand.told)
        assert "Failed" not in hand.told
        await command(hand, "stop")
        assert hand.told == "No command is running."

    play(tmp_path, scene, resources())


def test_files_are_dropped_in_the_forms_of_every_terminal(tmp_path: Path) -> None:
    one, two = str(tmp_path / "my list.bib"), str(tmp_path / "b.ris")
    for file in (one, two):
        Path(file).write_text("")
    assert paths_in(one) == paths_in(f"'{one}' ") == paths_in(f"file://{quote(one)}") == [one]
    shelled, lines = f"'{one}' \"{two}\"", f"{one}\n{two}\n"
    escaped, addresses = f"{two} {one.replace(' ', chr(92) + ' ')}", f"file://{quote(one)}\r\nfile://{two}\r\n"
    assert paths_in(shelled) == paths_in(lines) == paths_in(addresses) == [one, two]
    assert paths_in(escaped) == [two, one]


def test_a_text_with_a_path_that_is_no_file_is_no_drop(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("")
    for text in (f"{tmp_path}/a.bib {tmp_path}/none.bib", f"{tmp_path}/a.bib and more", "'/none", "a.bib", ""):
        assert paths_in(text) == []


def test_a_dropped_path_and_a_pasted_text_offer_their_import_with_what_is_new(tmp_path: Path) -> None:
    save(tmp_path, SAVED[:1])
    file = tmp_path / "two papers.bib"
    file.write_text(
        "@article{a, title={Dense passage retrieval}, doi={10.1000/a}}\n@article{b, title={A new one}, doi={10.1000/n}}"
    )

    async def scene(hand: Hand) -> None:
        hand.app.post_message(Paste(str(file)))  # into the ask line
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, CommandLine))
        await hand.press("escape")
        await open_shelf(hand)
        hand.app.post_message(Paste(str(file).replace(" ", "\\ ")))
        await hand.until(lambda: isinstance(hand.app.screen, CommandLine))
        await hand.press("enter")
        await hand.until_shown("two papers.bib: 1 new paper, 1 saved before")
        assert len(on_shelf(tmp_path)) == 1
        await hand.until_shown("y import")
        await hand.press("y")
        await hand.until(lambda: isinstance(hand.app.screen, CommandOutput) and "esc close" in hand.lines[-1])
        await hand.press("escape")
        await hand.until(lambda: "A new one" in hand.text)
        await hand.press("U")  # without a question, since the app's own command made the change
        await hand.until(lambda: len(listed(hand)) == 1)
        early = Key("y", "y")
        await hand.press("I")
        hand.app.post_message(Paste("@article{c, title={A pasted one},\rdoi={10.1000/p}}\r"))
        await hand.until_shown("- stands for 2 pasted lines")
        await hand.press("enter")
        await hand.until_shown("new  A pasted one")
        await hand.until_shown("y import")
        hand.app.post_message(early)  # typed for something else, before the question was there
        await hand.settled()
        assert isinstance(hand.app.screen, ConfirmScreen)
        await hand.press("y")
        await hand.until(lambda: "A pasted one" in listed(hand))
        hand.app.post_message(Paste("graph neural networks"))
        await hand.until(lambda: "has no path, identifier or list to import. N asks a question." in hand.told)
        assert isinstance(hand.app.screen, ShelfScreen)

    play(tmp_path, scene, resources())


def test_a_folder_is_completed_and_imported(tmp_path: Path) -> None:
    folder = tmp_path / "refs"
    folder.mkdir()
    (folder / "lakes.bib").write_text("@article{a, title={Lakes in winter}, doi={10.1000/a}}")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("I")
        await hand.until(lambda: isinstance(hand.app.screen, CommandLine))
        line = hand.app.screen.query_one(Input)
        line.value = f"import {tmp_path}/re"
        await hand.press("tab")
        assert line.value == f"import {folder}/"
        await hand.press("tab")  # what is in the folder
        assert line.value == f"import {folder}/lakes.bib "
        line.value = f"import {folder}/"
        await hand.press("enter")
        await hand.until_shown("refs/lakes.bib: 1 new paper")

    play(tmp_path, scene, resources())


def test_what_can_come_next_is_offered(tmp_path: Path) -> None:
    save(tmp_path, SAVED[:1], "to read")
    (tmp_path / "my refs.bib").write_text("")
    assert {"export", "shelf", "sort"} <= {*completions("")}
    assert completions("expo") == ["export"]
    assert "export --tag" in completions("export --ta")
    assert completions("export --tag to") == ["export --tag 'to read'"]
    assert completions("sort cit") == []
    assert completions("sort cit", ["year", "citations"]) == ["sort citations"]
    assert completions("sort citations ", ["year", "citations"]) == ["sort citations reverse"]
    assert completions("sort citations reverse ", ["year", "citations"]) == []
    assert completions("shelf --sort cit") == ["shelf --sort citations"]
    assert completions("config set ncbi") == ["config set ncbi_email"]
    assert completions("config set ncbi_email ") == []
    assert completions("history forget la") == ["history forget last"]
    assert completions("tag +to") == ["tag '+to read'"]
    assert completions("import my") == ["import 'my refs.bib'"]
    assert completions("import 'my re") == ["import 'my refs.bib'"]
    assert completions("nothing x") == []


def test_the_lines_of_an_output_keep_their_indentation() -> None:
    assert message_of("\n  1 lakes\n 10 seas\n") == "  1 lakes\n 10 seas"


def test_a_problem_of_a_pasted_line_is_named_by_its_line() -> None:
    assert message_of("-: 1 new paper, 1 skipped\nspar: -:2: no source knows it; skipped.") == (
        "1 new paper, 1 skipped\nline 2: no source knows it; skipped."
    )


def test_the_papers_at_hand_go_to_a_verb_that_needs_some() -> None:
    assert with_papers(["mark", "--read"], ["doi:1", "doi:2"]) == ["mark", "--read", "doi:1", "doi:2"]
    assert with_papers(["mark", "doi:3", "--read"], ["doi:1"]) == ["mark", "doi:3", "--read"]
    assert with_papers(["export", "%"], ["doi:1"]) == ["export", "doi:1"]
    assert with_papers(["export", "--shelf"], ["doi:1"]) == ["export", "--shelf"]
    with pytest.raises(UsageError, match="is missing"):
        checked("filter 'x")


def test_papers_of_a_search_are_marked_in_a_range_too(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("V", "j", "j")
        await hand.until_shown("3 marked")
        await hand.press("s")
        await hand.until(lambda: "Saved 3 papers" in hand.told)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert len(shelf.numbers_on_shelf(store)) == 3


@given(st.lists(st.tuples(st.booleans(), st.text(st.characters(exclude_characters="\n\r\x1b")))))
def test_progress_is_told_apart_from_output(lines: list[tuple[bool, str]]) -> None:
    text = "".join(f"{ERASED * progress}{line}\n" for progress, line in lines)
    rest = "".join(f"{line}\n" for progress, line in lines if not progress)
    assert without_progress(text) == (rest, ([""] + [line for progress, line in lines if progress])[-1])


def test_quitting_asks_first_while_a_command_runs(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("vertical_line")
        await hand.type("sleep 1000; echo")
        await hand.press("enter")
        await hand.until(lambda: bool(hand.app.running_commands))
        await hand.press("1", "escape", "down", "q")
        await hand.until_shown("1 command still running; quitting ends that. Quit?")
        await hand.press("n")
        hand.app.running_commands[-1]()
        await hand.until(lambda: not hand.app.running_commands)

    play(tmp_path, scene, resources())
