"""What `--json` tells of a paper can be handed on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.run.kinds import KINDS
from cache import runs
from cache.errors import NoSuchRun
from cache.store import Store
from connectors.paper import Author, Imprint, Paper
from spar_tui.bibliography.paper_input import papers_from_input
from spar_tui.reports.json_objects import paper_object
from spar_tui.reports.json_runs import run_object
from tests.library import copied
from tests.spar_tui.in_process import answer

PRINTED = Imprint("30", "2", "5998-6008", "Curran Associates", "", (Author("Guyon", "Isabelle"),))
PAPER = Paper("Attention Is All You Need", venue="NeurIPS", type="conference-paper", imprint=PRINTED)


def test_the_printed_form_is_shown_and_survives_a_pipe() -> None:
    told = paper_object(PAPER, 1)
    assert told["imprint"] == {
        "volume": "30", "number": "2", "pages": "5998-6008", "publisher": "Curran Associates", "arxiv_class": None,
        "editors": ["Isabelle Guyon"],
    }  # fmt: skip
    [again], _ = papers_from_input(json.dumps({"papers": [told]}).encode(), lambda name: None)
    assert again.imprint == PRINTED


def test_keywords_are_a_list_and_survive_a_pipe() -> None:
    told = paper_object(replace(PAPER, keywords=("cs.CL", "Attention")), 1)
    assert told["keywords"] == ["cs.CL", "Attention"]
    assert paper_object(PAPER, 1)["keywords"] == []
    [again, damaged], _ = papers_from_input(
        json.dumps([told, told | {"keywords": "cs.CL"}]).encode(), lambda name: None
    )
    assert again.keywords == ("cs.CL", "Attention")
    assert damaged.keywords == ()


def test_of_a_paper_of_unknown_print_each_part_is_named_as_unknown() -> None:
    told = paper_object(Paper("On Nothing"), 1)["imprint"]
    assert told.pop("editors") == []
    assert set(told.values()) == {None}


def test_a_search_is_what_its_verb_printed(tmp_path: Path) -> None:
    told = answer(tmp_path, "search", "sparse retrieval", "--offline", "--no-model")
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        found = run_object(store, told["run"])
    assert found["answer"] == told
    assert [one["id"] for one in found["papers"]] == [one["id"] for one in told["papers"]]
    assert (found["kind"], found["state"], found["question"]) == ("search", "finished", "sparse retrieval")


@pytest.mark.parametrize("kind", [*KINDS, "a kind of a later version"])
def test_a_run_that_had_not_begun_has_no_answer(store: Store, kind: str) -> None:
    found = run_object(store, runs.start(store, kind, "whales"))
    assert (found["question"], found["state"], found["answer"], found["papers"]) == ("whales", "running", None, [])


def test_a_run_that_nobody_began_is_said_to_be_none(store: Store) -> None:
    with pytest.raises(NoSuchRun):
        run_object(store, "20260101-0000-none")
