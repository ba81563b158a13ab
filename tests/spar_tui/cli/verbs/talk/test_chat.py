"""`spar chat` as a person or a script runs it: what it says is so, and nothing changes without a yes."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cache import papers, profile, runs, shelf
from cache.store import Store
from connectors.starter.shelf import StarterShelf
from tests.library import copied
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.tui.real_terminal import opened

CHAT = ("chat", "--offline")


@contextmanager
def library(home: Path) -> Iterator[Store]:
    (home / "spar").mkdir(exist_ok=True)
    with Store.open(home / "spar" / "spar.db") as store:
        yield store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose library is the starter shelf; nothing is saved."""
    copied(tmp_path / "spar" / "spar.db", fill)
    return tmp_path


def fill(store: Store) -> None:
    papers.remember(store, StarterShelf().papers())


def saved(home: Path) -> dict[str, tuple[str, ...]]:
    """The saved papers by their titles, with their tags."""
    with library(home) as store:
        return {entry.paper.title: entry.tags for entry in shelf.shelf(store)}


def test_papers_that_are_shown_are_papers_of_the_library_that_meet_what_was_asked(home: Path) -> None:
    told = answer(home, *CHAT, "papers on query expansion since 2010")
    [turn] = told["turns"]
    assert turn["papers"]
    with library(home) as store:
        known = {paper.id for paper in papers.by_ids(store, range(1, 1_000))}
    for paper in turn["papers"]:
        assert paper["id"] in known
        assert paper["year"] >= 2010
    printed = spar(home, *CHAT, "papers on query expansion since 2010")
    assert printed.returncode == 0
    assert all(paper["title"] in printed.stdout for paper in turn["papers"])


def test_papers_that_a_search_in_chat_found_are_printed_with_reason_and_quote(home: Path) -> None:
    printed = spar(home, *CHAT, "search for dense passage retrieval").stdout
    entry = printed.partition("  1. ")[2].partition("  2. ")[0]
    assert entry.count("“") >= 2


def test_a_question_to_papers_has_an_answer_for_programs_too(home: Path) -> None:
    asked = "what do papers of the library say about hypothetical documents?"
    [turn] = json.loads(spar(home, *CHAT, "--json", asked).stdout)["turns"]
    assert [step["tool"] for step in turn["steps"]] == ["ask_papers"]
    assert turn["answer"].strip()


def test_a_count_is_the_count_of_the_papers_themselves(home: Path) -> None:
    with library(home) as store:
        since = sum((paper.year or 0) >= 2020 for paper in papers.by_ids(store, range(1, 1_000)))
    assert f"{since} " in spar(home, *CHAT, "how many papers since 2020?").stdout


def test_nothing_is_saved_before_the_person_says_yes(home: Path) -> None:
    asked = spar(home, *CHAT, "papers on query expansion since 2010")
    assert asked.returncode == 0
    proposed = spar(home, *CHAT, "--resume", "last", "save the first and tag it rag")
    assert "Shall I?" in proposed.stdout
    assert "Nothing was changed yet" in proposed.stderr
    assert saved(home) == {}
    done = spar(home, *CHAT, "--resume", "last", "yes")
    assert done.returncode == 0
    assert list(saved(home).values()) == [("rag",)]


def test_who_asks_for_the_list_where_none_is_left_is_told_so(home: Path) -> None:
    spar(home, *CHAT, "papers on qwertzuiop")
    assert spar(home, *CHAT, "--resume", "last", "list them").stdout.strip() == "There is no paper to answer from."


def test_another_reading_is_offered_and_taken_by_its_number_in_a_conversation_that_goes_on(home: Path) -> None:
    last = ("--resume", "last")
    spar(home, *CHAT, "papers before 2000")
    [told] = json.loads(spar(home, *CHAT, *last, "--json", "only those about query expansion since 2010").stdout)[
        "turns"
    ][-1:]
    [offer] = told["offers"]
    assert offer.startswith("papers that are about “query expansion”")
    taken = json.loads(spar(home, *CHAT, *last, "--json", "1").stdout)
    whole = json.loads(spar(home, *CHAT, "--json", "papers on query expansion since 2010").stdout)
    assert taken["candidates"] == whole["candidates"]
    assert taken["turns"][-1]["planned_by"] == "person"
    assert taken["turns"][-1]["offers"] == []


@pytest.mark.parametrize(
    "said", ["papers by Nobody", "how many papers do I have?", "what is on my shelf?", "the newest"]
)
def test_where_the_library_is_empty_that_is_said_and_only_there(home: Path, tmp_path: Path, said: str) -> None:
    empty = "Your library is empty"
    assert spar(tmp_path / "new", *CHAT, said).stdout.count(empty) == 1
    assert empty not in spar(home, *CHAT, said).stdout


@pytest.mark.parametrize("word", ["no", "better not", "show the second's abstract"])
def test_whatever_is_no_yes_leaves_the_shelf_as_it_is(home: Path, word: str) -> None:
    spar(home, *CHAT, "papers on query expansion since 2010")
    spar(home, *CHAT, "--resume", "last", "save them all")
    spar(home, *CHAT, "--resume", "last", word)
    spar(home, *CHAT, "--resume", "last", "yes")
    assert saved(home) == {}


def test_with_yes_nobody_is_asked(home: Path) -> None:
    spar(home, *CHAT, "papers on query expansion since 2010")
    told = spar(home, *CHAT, "--yes", "--resume", "last", "save the second")
    assert "Saved 1 paper" in told.stdout
    assert len(saved(home)) == 1


def test_lines_from_a_pipe_are_one_conversation_that_is_kept(home: Path) -> None:
    told = spar(home, *CHAT, stdin="papers on query expansion\nthe newest first\nquit\nnever read\n")
    assert told.returncode == 0
    with library(home) as store:
        [run] = runs.recent(store, 5)
    assert (run.kind, run.state, run.counts["turns"]) == ("conversation", "finished", 2)
    assert f"spar chat --resume {run.id}" in told.stderr
    listed = spar(home, "history").stdout
    assert "2 turns" in listed
    assert "papers on query expansion" in listed
    assert "the newest first" in spar(home, "log", run.id).stdout
    assert spar(home, "history", "forget", run.id).returncode == 0


def test_papers_of_the_last_answer_can_be_named_by_their_places_in_other_verbs(home: Path) -> None:
    [turn] = answer(home, *CHAT, "papers on query expansion since 2010")["turns"]
    assert turn["papers"][1]["title"] in spar(home, "show", "@2", "--offline").stdout


def test_every_step_that_was_taken_can_be_unfolded(home: Path) -> None:
    told = spar(home, *CHAT, "--steps", "papers on query expansion since 2010").stdout
    assert "planned by rules" in told
    assert "filter" in told
    assert "list" in told


def test_what_is_not_understood_is_said_with_what_can_be_done(home: Path) -> None:
    told = spar(home, *CHAT, "what is the weather like tomorrow?")
    assert told.returncode == 3
    assert "did not understand" in told.stdout
    printed = told.stdout.rstrip().splitlines()
    assert "Did you mean one of these (type its number):" in printed
    assert [line[:2] for line in printed[-3:]] == ["1.", "2.", "3."]


def test_a_bibliography_alone_goes_to_standard_output(home: Path) -> None:
    spar(home, *CHAT, "papers on query expansion since 2010")
    told = spar(home, *CHAT, "--resume", "last", "write the BibTeX of the first")
    assert told.stdout.startswith("@")
    assert told.stdout.count("@") == 1


def test_events_are_told_as_they_happen(home: Path) -> None:
    told = spar(home, *CHAT, "--jsonl", "papers on query expansion").stdout
    events = [json.loads(line)["event"] for line in told.splitlines()]
    assert events[0] == "ConversationStarted"
    assert events[-1] == "ConversationFinished"
    assert {"MessageReceived", "TurnPlanned", "StepDone", "TurnAnswered"} <= set(events)


@pytest.mark.parametrize("message", ["", "   "])
def test_a_message_without_words_is_wrong_usage(home: Path, message: str) -> None:
    told = spar(home, *CHAT, message)
    assert told.returncode == 2
    assert "no words" in told.stderr


def test_an_empty_library_is_told_plainly(tmp_path: Path) -> None:
    for message in ("papers on query expansion", "what is on my shelf?", "what should I read next?"):
        told = spar(tmp_path, *CHAT, message)
        assert told.returncode == 3
        assert told.stdout.strip()
        assert "Traceback" not in told.stderr
    assert "search the sources for “query expansion”" in spar(tmp_path, *CHAT, "papers on query expansion").stdout


def test_a_line_of_100_kb_is_cut_with_a_word(home: Path) -> None:
    told = spar(home, *CHAT, "papers on query expansion " + "and more " * 12_000)
    assert "characters of your message were read" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_run_that_is_no_conversation_cannot_be_gone_on_with(home: Path) -> None:
    spar(home, "search", "query expansion", "--offline")
    told = spar(home, *CHAT, "--resume", "last", "more")
    assert told.returncode == 3
    assert "Traceback" not in told.stderr


def test_ctrl_c_leaves_a_conversation_that_can_be_gone_on_with(home: Path) -> None:
    with opened(home, CHAT) as terminal:
        terminal.until(b"quit")
        terminal.type("papers on query expansion\r")
        terminal.until(b"Relevance-Based")
        terminal.until(b"\r\n> ")
        terminal.rest(1.0)  # between writing a prompt and waiting for a line, Python's readline sleeps through a signal
        terminal.process.send_signal(signal.SIGINT)
        terminal.until(b"--resume")
        assert terminal.ended() == 130
    with library(home) as store:
        [run] = runs.recent(store, 5)
    assert run.kind == "conversation"


def test_who_quits_is_asked_whether_what_they_said_of_their_taste_may_be_kept(home: Path) -> None:
    with opened(home, CHAT) as terminal:
        terminal.until(b"quit")
        terminal.type("papers like BERT but not about translation\r")
        terminal.until(b"nearest first")
        terminal.type("quit\r")
        terminal.until(b"Shall I?")
        terminal.type("no\r")
        terminal.until(b"--resume")
        assert terminal.ended() == 0
    with library(home) as store:
        assert profile.own_lines(store) == []


def test_a_check_names_each_wrong_field_with_both_values_and_who_says_so(home: Path) -> None:
    authors = "Vaswani, Ashish and others"
    entry = f"title={{Attention Is All You Need}}, author={{{authors}}}, year=2019, doi={{10.48550/arXiv.1706.03762}}"
    (home / "refs.bib").write_text(f"@misc{{mine, {entry}}}")
    spar(home, "import", str(home / "refs.bib"))
    said = spar(home, *CHAT, "check the papers on my shelf").stdout
    assert "- fields differ: “Attention Is All You Need”. The year is 2017, not 2019 (library, " in said
