"""The whole search without a model, as the person sees it: the real program against stand-ins of the services."""

import json
import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.services import Fault, Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import PATIENCE, environment, forked

QUESTION = "query evolution for literature search agents"
IN_OPENALEX = ("--source", "openalex")
ONCE = (*IN_OPENALEX, "--no-evolution", "--no-refchain")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running
        assert running.violations == []


def events(home: Path, services: Services, *flags: str, source: str = "openalex") -> list[dict[str, Any]]:
    """The events of a search in one source."""
    ran = spar(home, "search", QUESTION, "--source", source, *flags, "--jsonl", more=services.environment)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def on_a_terminal(home: Path, *arguments: str, more: dict[str, str], columns: int = 80) -> tuple[str, str]:
    """What goes to standard output, a pipe, and to standard error, a terminal."""
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        forked(*arguments),
        env=environment(home, {"TERM": "xterm-256color", "COLUMNS": str(columns), **more}),
        stdout=subprocess.PIPE,
        stderr=writer,
        text=True,
        cwd=Path(__file__).parents[4],
    )
    os.close(writer)
    told = b""
    while True:
        try:
            part = os.read(reader, 4_096)
        except OSError:  # how a pseudo-terminal says that the other side is closed
            break
        if not part:
            break
        told += part
    printed, _ = process.communicate(timeout=PATIENCE)
    os.close(reader)
    return printed, told.decode().replace("\r\n", "\n")


def test_the_question_is_read_back_with_its_limits(services: Services, tmp_path: Path) -> None:
    question = "recent advances in dense retrieval between 2019 and 2023"
    read = answer(tmp_path, "search", question, *ONCE, more=services.environment)["understanding"]
    assert (read["intent"], read["by"]) == ("recent-advances", "built-in")
    assert (read["since"], read["until"]) == ("2019-01-01", "2023-12-31")
    assert read["queries"][0] == question


def test_a_flag_goes_before_what_the_question_says(services: Services, tmp_path: Path) -> None:
    question = "dense retrieval since 2015"
    read = answer(tmp_path, "search", question, "--since", "2020", *ONCE, more=services.environment)["understanding"]
    assert read["since"] == "2020-01-01"


def test_a_relevant_paper_has_a_reason_and_its_quote_stands_in_it(services: Services, tmp_path: Path) -> None:
    papers = answer(tmp_path, "search", QUESTION, *ONCE, more=services.environment)["papers"]
    relevant = [paper for paper in papers if paper["relevance"] >= 0.5]
    assert relevant
    for paper in relevant:
        assert paper["judged_by"] == "built-in"
        assert paper["reason"]
        assert (paper["quote"] or paper["title"]) in f"{paper['title']}\n{paper['abstract']}"


def test_a_paper_found_in_a_reference_list_names_the_paper_that_cites_it(services: Services, tmp_path: Path) -> None:
    flags = (*IN_OPENALEX, "--no-evolution", "--limit", "1000")
    found = answer(tmp_path, "search", QUESTION, *flags, more=services.environment)
    ways = [way for paper in found["papers"] for way in paper["found_by"] if "reference_of" in way]
    assert ways
    assert all(list(way) == ["source", "reference_of"] for way in ways)
    assert {way["reference_of"] for way in ways} <= {paper["id"] for paper in found["papers"]}


def test_steps_that_are_left_out_leave_no_trace(services: Services, tmp_path: Path) -> None:
    flags = ("--no-refchain", "--no-evolution", "--no-rerank")
    told = events(tmp_path, services, *flags)
    assert not {"ReferencesFollowed", "QueriesEvolved"} & {event["event"] for event in told}
    (ranking,) = [event["ranking"] for event in told if event["event"] == "PapersRanked"]
    assert [one["relevance"] for one in ranking] == sorted((one["relevance"] for one in ranking), reverse=True)
    assert not any(one.get("why") for one in ranking)


def test_citing_papers_are_followed_unasked_only_where_one_request_tells_of_many(
    services: Services, tmp_path: Path
) -> None:
    def links(source: str, *flags: str) -> set[str]:
        told = events(tmp_path / source, services, "--no-evolution", *flags, source=source)
        return {event["link"] for event in told if event["event"] == "ReferencesFollowed"}

    assert links("openalex") == {"references", "citations"}
    assert links("semanticscholar") == {"references"}
    assert links("semanticscholar", "--citing") == {"references", "citations"}


def test_a_deep_search_asks_more_than_a_fast_one(services: Services, tmp_path: Path) -> None:
    def queries(mode: str) -> int:
        return sum(event["event"] == "QueryPlanned" for event in events(tmp_path / mode, services, f"--{mode}"))

    assert queries("deep") > queries("fast") > 0


def test_the_same_seed_gives_the_same_answer(services: Services, tmp_path: Path) -> None:
    def papers(home: str) -> Any:
        flags = (*IN_OPENALEX, "--seed", "7")
        return answer(tmp_path / home, "search", QUESTION, *flags, more=services.environment)["papers"]

    assert papers("one") == papers("other")


def test_the_time_for_a_search_is_kept_and_what_is_there_is_shown(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("source_seconds = 3600\n")
    with Services(faults=[Fault("hang", service="semantic_scholar")]) as running:
        flags = ("--source", "openalex", "--source", "s2", "--seconds", "3", "--json")
        ran = spar(tmp_path, "search", QUESTION, *flags, more=running.environment)
    found = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert found["papers"]
    assert found["sources"]["semanticscholar"]["state"] == "failed"
    assert "the time is up" in ran.stderr


def test_nothing_found_though_everybody_answered_exits_with_3(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "xyzzyplugh", *ONCE, more=services.environment)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "no papers found" in ran.stderr


def test_a_search_that_no_source_answered_fails_unless_the_library_has_something_to_show(
    services: Services, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "search", "xyzzyplugh", *ONCE)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "no papers found, because no source answered" in ran.stderr
    assert "sources that answered" not in ran.stderr
    assert spar(tmp_path, "search", QUESTION, *ONCE, more=services.environment).returncode == 0
    ran = spar(tmp_path, "search", QUESTION, *ONCE)
    assert ran.returncode == 0
    assert ran.stdout
    assert "no source answered; these papers are from your library and the starter shelf" in ran.stderr


@pytest.mark.parametrize(
    "flags",
    [("--fast", "--deep"), ("--json", "--jsonl"), ("--calls", "-1"), ("--usd", "nan"), ("--seconds", "0")],
    ids=" ".join,
)
def test_wishes_that_make_no_sense_are_one_sentence(flags: tuple[str, ...], tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", QUESTION, *flags)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert len(ran.stderr.splitlines()) == 1
    assert flags[0] in ran.stderr


def test_on_a_terminal_the_reading_and_each_stage_are_told_and_only_the_answer_is_printed(
    services: Services, tmp_path: Path
) -> None:
    more = {**services.environment, "NO_COLOR": "1"}
    question = "recent advances in dense retrieval since 2019"
    printed, told = on_a_terminal(tmp_path, "search", question, *IN_OPENALEX, more=more)
    assert "recent advances · " in told
    assert "since 2019-01-01" in told
    assert "read by built-in rules" in told
    for stage in ("reading the question", "asking the sources", "judging", "following references", "ranking"):
        assert stage in told
    assert max(map(len, told.splitlines())) <= 80
    assert "\x1b" not in printed + told
    assert printed.startswith("  1. ")
    assert "asking the sources" not in printed


def test_progress_names_a_title_once(services: Services, tmp_path: Path) -> None:
    _, told = on_a_terminal(tmp_path, "search", QUESTION, *IN_OPENALEX, more=services.environment, columns=100)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in told.splitlines()]
    titles = [line for line in lines if line.startswith("Literature search agents: query evolution")]
    assert len(titles) == 1


def test_a_reader_of_the_events_may_leave_after_the_first(services: Services, tmp_path: Path) -> None:
    search = " ".join(forked("search", "retrieval", *IN_OPENALEX, "--jsonl"))
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{search} | head -n 1"],
        env=environment(tmp_path, services.environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=Path(__file__).parents[4],
    )
    assert json.loads(ran.stdout)["event"] == "RunStarted"
    assert "Traceback" not in ran.stderr


def test_sources_that_were_left_out_are_named_also_where_standard_error_is_a_file(
    services: Services, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "search", "dense retrieval", "--fast", "--no-evolution", more=services.environment)
    [told] = [line for line in ran.stderr.splitlines() if "not for this kind of question" in line]
    assert "pubmed" in told


@pytest.mark.parametrize("verb", ["search", "summarize", "ask"])
def test_a_source_that_is_off_is_named_if_it_was_asked_for(verb: str, services: Services, tmp_path: Path) -> None:
    asked = (verb, "does dense retrieval help?", "--source", "openalex", "--source", "google")
    ran = spar(tmp_path, *asked, more=services.environment)
    assert "spar: google was not asked (is off: it needs a key of yours in SERPER_API_KEY or SERPAPI_API" in ran.stderr
    assert "google" not in spar(tmp_path, *asked[:-2], more=services.environment).stderr


ASK = ("search", "generative models of images", "--offline")
ATTENTION = "arxiv:1706.03762"


def test_each_paper_that_was_moved_says_how_far_and_why_and_one_line_says_how_many(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    ran = spar(tmp_path, *ASK, "--personal", "--plain")
    told = " ".join(ran.stdout.split())
    log = json.loads(spar(tmp_path, "log", "--json").stdout)["personal"]
    assert log["moved"]
    assert told.count("by your taste: ") == len(log["moved"])
    assert re.search("(cites|is cited by) “Attention Is All You Need”, which you saved", told)
    assert f"it moved {len(log['moved'])} of " in ran.stderr
    assert log["sentence"] in spar(tmp_path, "log").stdout
    again = answer(tmp_path, "search", "--resume", "last")["papers"]
    by_id = {paper["id"]: paper for paper in again}
    for move in log["moved"]:
        assert by_id[move["id"]]["rank"] == move["to"]
        assert by_id[move["id"]]["personal"] == {"score": move["taste"], "moved": move["from"] - move["to"]}


def test_a_search_is_not_personal_unless_that_is_asked_for(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    ran = spar(tmp_path, *ASK, "--json")
    assert {paper["personal"] for paper in json.loads(ran.stdout)["papers"]} == {None}
    assert "your taste" not in ran.stderr
    assert json.loads(spar(tmp_path, "log", "--json").stdout)["personal"] is None
    assert "Order by taste" not in spar(tmp_path, "log").stdout


def test_with_nothing_known_of_the_person_that_is_said_and_no_paper_has_a_taste(tmp_path: Path) -> None:
    ran = spar(tmp_path, *ASK, "--personal", "--json")
    assert "spar does not know yet what you like, so the order is by relevance alone" in ran.stderr
    assert {paper["personal"] for paper in json.loads(ran.stdout)["papers"]} == {None}


def test_a_search_that_goes_on_cannot_become_personal(tmp_path: Path) -> None:
    spar(tmp_path, *ASK)
    ran = spar(tmp_path, "search", "--resume", "last", "--personal")
    assert ran.returncode == 2
    assert "--personal cannot change a resumed or repeated search" in ran.stderr
