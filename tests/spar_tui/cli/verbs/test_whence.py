"""`spar whence` as a person uses it."""

import json
from pathlib import Path

import pytest

from cache import papers
from cache.store import Store
from tests.agents.scripted import paper
from tests.library import copied
from tests.spar_tui.in_process import answer, spar

SENTENCE = "Statins raised the risk of new-onset diabetes by 9% in thirteen trials of older adults."
TRIAL = paper("Statins and diabetes", "10.1000/trial", abstract=f"We pooled trials. {SENTENCE}")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        papers.remember(store, [TRIAL])
    return tmp_path


def test_the_paper_is_shown_with_its_own_words_and_what_the_quote_leaves_out(home: Path) -> None:
    ran = spar(home, "whence", "statins raised the risk of diabetes by 9% in thirteen", "trials of adults")
    assert (ran.returncode, ran.stderr) == (0, "")
    text = " ".join(ran.stdout.split())
    assert "1. Statins and diabetes" in text
    assert "In its abstract, with words left out:" in text
    assert "“Statins raised the risk of [new-onset] diabetes by 9% in thirteen trials of [older] adults”" in text
    assert "The quote lacks “new-onset” and lacks “older”." in text


def test_a_quote_with_other_words_is_from_nobody_but_the_nearest_passage_is_shown(home: Path) -> None:
    quote = "statins raised the risk of early diabetes by 8% in thirteen trials"
    ran = spar(home, "whence", quote)
    assert ran.returncode == 3
    assert ran.stderr == ("spar: no title or abstract of the library has these words; searched no full text.\n")
    text = " ".join(ran.stdout.split())
    assert "In its abstract, the nearest passage, but the quote is not from it:" in text
    assert "has “early” for “new-onset” and has “8” for “9”. One difference is a number or a word" in text
    found = json.loads(spar(home, "whence", quote, "--json").stdout)
    assert found["origins"] == []
    assert found["nearest"]["differences"][1] == {"there": "9", "quoted": "8"}


def test_json_has_the_place_and_the_differences(home: Path) -> None:
    found = answer(home, "whence", "Statins raised the risk of new-onset diabetes by 9% in trials of older adults")
    assert found["nearest"] is None
    [origin] = found["origins"]
    assert (origin["where"], origin["page"], origin["paper"]["id"]) == ("abstract", None, "doi:10.1000/trial")
    assert origin["differences"] == [{"there": "thirteen", "quoted": ""}]
    assert [origin["text"][start:end] for start, end in origin["marks"]] == ["thirteen"]


def test_a_quote_from_nowhere_is_said_to_be_so(home: Path) -> None:
    ran = spar(home, "whence", "It was the best of times, it was the worst of times.")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == ("spar: no title or abstract of the library has these words; searched no full text.\n")
    ran = spar(home, "whence", "It was the best of times, it was the worst of times.", "--json")
    assert (ran.returncode, json.loads(ran.stdout)["origins"]) == (3, [])


@pytest.mark.parametrize(("quote", "why"), [("the risk", "has 2 words"), ("word " * 300, "has 300 words")])
def test_a_quote_must_have_a_usual_length(quote: str, why: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "whence", quote)
    assert ran.returncode == 2
    assert why in ran.stderr
