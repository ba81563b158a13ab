"""What a person decided of a search's records stands in its log, its JSON and its exports, and nowhere else."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.search.events import PaperScreened
from agents.search.kind import SEARCH
from agents.search.state import SearchState
from cache import runs
from cache.store import Store
from spar_tui.reports.search_repetition import comparable
from tests.kept_runs import RUNS, unpacked
from tests.spar_tui.in_process import answer, spar

RUN = RUNS["plain"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with runs of an earlier version, which nobody has screened."""
    return unpacked(tmp_path)


def state(store: Store) -> SearchState:
    return SEARCH.folded(SEARCH.events(runs.events(store, RUN)))


def decide(home: Path) -> list[str]:
    """Include the first of a run of an earlier version, exclude the second and the third, and put off the fourth; the
    titles."""
    with Store.open(home / "spar" / "spar.db") as store:
        found = state(store)
        first, second, third, fourth = (one.work for one in found.ranking[:4])
        for event in (
            PaperScreened(first, "excluded", "duplicate"),  # and changed
            PaperScreened(first, "included"),
            PaperScreened(second, "excluded", "no full text"),
            PaperScreened(third, "excluded", "[x] | *own* reason"),
            PaperScreened(fourth, "later"),
        ):
            runs.extend(store, RUN, [runs.Post(*SEARCH.codec.encode(event))])
        return [found.found[one].paper.title for one in (first, second, third, fourth)]


def log(home: Path) -> Any:
    return json.loads(spar(home, "log", RUN, "--json").stdout)


def test_a_search_that_nobody_screened_says_nothing_of_screening_by_a_person(home: Path) -> None:
    told = log(home)
    assert told["screening"] is None
    assert (told["flow"]["screened"], told["flow"]["included"]) == (0, 0)
    printed = spar(home, "log", RUN).stdout
    assert f"Kept by the program's judgement ({len(told['included'])})" in printed
    assert "Nobody has screened them." in printed
    assert "Included by a person" not in printed
    assert {one["screened"] for one in answer(home, "search", "--resume", RUN)["papers"]} == {None}


def test_the_log_counts_what_a_person_decided_and_the_flow_still_adds_up(home: Path) -> None:
    titles = decide(home)
    told, flow = log(home)["screening"], log(home)["flow"]
    assert (told["screened"], told["included"], told["excluded"], told["later"]) == (3, 1, 2, 1)
    assert told["reasons"] == {"[x] | *own* reason": 1, "no full text": 1}
    assert (flow["screened"], flow["included"]) == (3, 1)
    assert flow["excluded"] == {"[x] | *own* reason": 1}
    assert (flow["sought"], flow["not_retrieved"], flow["assessed"]) == (2, 1, 1)
    assert flow["reports_excluded"] == {}
    assert not {titles[1], titles[2]} & {one["title"] for one in log(home)["included"]}
    printed = spar(home, "log", RUN).stdout
    assert f"A person screened 3 of {told['records']:,} records: 1 included, 2 excluded (" in printed
    assert "; 1 left for later." in printed
    assert "\\*own\\* reason" in printed.partition("## Screening")[2]  # is shown, and formats nothing


def test_the_answer_says_of_each_paper_what_was_decided(home: Path) -> None:
    titles = decide(home)
    told = {one["title"]: one["screened"] for one in answer(home, "search", "--resume", RUN)["papers"]}
    assert told[titles[0]] == {"decision": "included", "reason": None}
    assert told[titles[3]] == {"decision": "later", "reason": None}
    assert list(told.values()).count(None) == len(told) - 2
    assert not set(titles[1:3]) & set(told)  # others take the places of those excluded


@pytest.mark.parametrize(("decision", "chosen"), [("included", [0]), ("excluded", [1, 2]), ("later", [3])])
def test_only_papers_of_a_decision_are_exported(decision: str, chosen: list[int], home: Path) -> None:
    titles = decide(home)
    ran = spar(home, "export", "--run", RUN, "--screened", decision, "--format", "csl-json")
    assert {one["title"] for one in json.loads(ran.stdout)} == {titles[place] for place in chosen}


def exported(home: Path, *flags: str) -> tuple[set[str], str]:
    """The titles that `spar export --run` writes, and what it says of them."""
    ran = spar(home, "export", "--run", RUN, *flags, "--format", "csl-json")
    assert ran.returncode == 0, ran.stderr
    return {one["title"] for one in json.loads(ran.stdout)}, ran.stderr


def test_an_export_without_a_set_writes_what_the_log_counts_as_relevant(home: Path) -> None:
    titles, said = exported(home)
    told = log(home)
    assert titles == {one["title"] for one in told["included"]}
    assert len(titles) == told["flow"]["kept"]
    assert (
        f"{len(titles)} papers of {RUN}: 0 included by a person, {len(titles)} kept by the program's judgement" in said
    )


def test_json_and_log_count_the_same_papers_before_and_after_screening(home: Path) -> None:
    counts, flow = answer(home, "search", "--resume", RUN)["counts"], log(home)["flow"]
    assert (counts["by"], counts["included"]) == ("program", flow["kept"])
    assert counts["screened"] == flow["identified"] - flow["duplicates"]
    decide(home)
    counts, flow = answer(home, "search", "--resume", RUN)["counts"], log(home)["flow"]
    assert counts["by"] == "person"
    assert {name: flow[name] for name in ("screened", "included", "kept")}.items() <= counts.items()
    assert (counts["screened"], counts["included"]) == (3, 1)


def test_each_set_is_exported_with_as_many_papers_as_the_log_says(home: Path) -> None:
    titles, flow = decide(home), log(home)["flow"]
    included, said = exported(home, "--included")
    assert included == {titles[0]}
    assert len(included) == flow["included"]
    assert said.endswith("included by a person.\n")
    kept, said = exported(home, "--kept")
    assert set(titles) <= kept  # the program thought well of them, whatever became of them
    assert len(kept) == flow["kept_by_program"]
    assert "judged relevant by the program" in said
    default, _ = exported(home)
    assert len(default) == flow["included"] + flow["kept"]
    assert not {titles[1], titles[2]} & default
    every, _ = exported(home, "--all")
    assert len(every) == flow["identified"] - flow["duplicates"]


def test_a_person_who_decided_changes_nothing_that_a_repeated_search_is_compared_with(home: Path) -> None:
    before = comparable(log(home))
    decide(home)
    assert sorted(comparable(log(home))["relevant"]) == sorted(before["relevant"]) != []


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (("--run", RUN, "--screened", "included"), 3, "no paper of that search was included by a person"),
        (("--run", RUN, "--screened", "maybe"), 2, "--screened is included, excluded or later, not 'maybe'"),
        (("--shelf", "--screened", "included"), 2, "--screened needs --run."),
        (("--shelf", "--all"), 2, "--all needs --run."),
        (("--run", RUN, "--all", "--kept"), 2, "--kept and --all cannot be combined"),
        (("--run", RUNS["summary"], "--kept"), 1, "is not of the kind search"),
        (("--run", RUNS["summary"], "--screened", "included"), 1, "is not of the kind search"),
    ],
)
def test_an_export_that_cannot_be_says_why(flags: tuple[str, ...], code: int, said: str, home: Path) -> None:
    ran = spar(home, "export", *flags)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert said in ran.stderr
