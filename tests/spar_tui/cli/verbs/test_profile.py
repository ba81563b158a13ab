"""`spar profile` says what it thinks of the person's taste and why, does what it is told, and asks nobody."""

from pathlib import Path

import pytest

from cache import citation_keys, reading_history, shelf
from cache.store import Store
from tests.agents.taste.world import COMPILERS, WHALES, filled, paper
from tests.library import copied
from tests.services import Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import spar_answered


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of a person who saved papers on whales and compilers, and dislikes one."""
    (tmp_path / "spar").mkdir()
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        whales, _ = filled(store)
        numbers = shelf.save(store, [paper(*one) for one in (*WHALES[:4], *COMPILERS[:3])])
        citation_keys.keep(store, numbers[0], "lovelace15")
        reading_history.note_feedback(store, whales[5], -1)
    return tmp_path


def named(home: Path, text: str) -> str:
    """The name of the first line with `text`."""
    return next(str(line["line"]) for line in answer(home, "profile")["lines"] if text in line["text"])


def test_every_line_is_told_with_the_papers_that_it_rests_on(home: Path) -> None:
    spar(home, "profile", "add", "expect", "since", "2010")
    told = spar(home, "profile").stdout
    assert spar(home, "profile", "show").stdout == told
    liked, disliked = told.split("You do not like\n")
    assert liked.startswith("You like\n")
    assert "understood from 4 papers: lovelace15, “" in liked
    assert "and 1 more" in liked
    assert "understood from 3 papers" in liked
    assert "“Dives of sperm whales”" in disliked
    assert "You expect\n       1  since 2010\n          your own words\n" in disliked


def test_all_papers_of_a_line_are_listed_when_asked_for(home: Path) -> None:
    told = spar(home, "profile", "--papers").stdout
    assert told == spar(home, "profile", "--why").stdout
    for title, _ in (*WHALES[:4], *COMPILERS[:3]):
        assert title in told
    assert "lovelace15  Songs of humpback whales (2015)" in told
    assert WHALES[4][0] not in told


def test_json_says_the_same(home: Path) -> None:
    spar(home, "profile", "add", "like", "whale songs")
    found = answer(home, "profile")
    own, *understood = found["lines"]
    assert {name: own[name] for name in ("line", "facet", "text", "own", "counts", "share", "papers")} == {
        "line": "1",
        "facet": "like",
        "text": "whale songs",
        "own": True,
        "counts": True,
        "share": None,
        "papers": [],
    }
    assert [(line["facet"], len(line["papers"])) for line in understood] == [("like", 4), ("like", 3), ("dislike", 1)]
    assert sum(line["share"] for line in understood) == pytest.approx(1, abs=0.01)
    assert found["papers"] == 8


def test_who_did_nothing_is_told_how_to_begin(tmp_path: Path) -> None:
    ran = spar(tmp_path, "profile")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "your profile is empty" in ran.stderr
    assert spar(tmp_path, "profile", "--json").returncode == 3


def test_lines_are_added_changed_and_forgotten_and_each_change_is_told(home: Path) -> None:
    assert spar(home, "profile", "add", "Dislike", "steel", "bridges").stdout == (
        "Line 1 is new: you do not like “steel bridges”.\n"
    )
    assert "Line 1 was there already" in spar(home, "profile", "add", "dislike", "steel bridges").stdout
    assert spar(home, "profile", "edit", "1", "bridges").stdout == (
        "Line 1 now says “bridges”; it said “steel bridges”.\n"
    )
    compilers = named(home, "compiler")
    told = spar(home, "profile", "edit", compilers, "compilers").stdout
    assert f"({compilers}) is now line 2, your own: “compilers”. It is based on 3 papers" in told
    told = spar(home, "profile", "forget", "1", "2").stdout
    assert told.startswith("Forgot 2 lines of your own; your earlier actions with 3 papers no longer count")
    assert [len(line["papers"]) for line in answer(home, "profile")["lines"]] == [4, 1]


def test_forgotten_papers_stay_on_the_shelf(home: Path) -> None:
    spar(home, "profile", "forget", "--all", "--yes")
    assert spar(home, "profile").returncode == 3
    assert len(answer(home, "shelf")["papers"]) == 7


def test_a_contradiction_is_told_when_it_is_written_and_whenever_the_profile_is_shown(home: Path) -> None:
    spar(home, "profile", "add", "expect", "since 2020")
    told = spar(home, "profile", "add", "expect", "before 2010").stdout
    sentence = (
        "Lines 1 and 2 contradict each other (no paper can be both “since 2020” and “before 2010”): neither counts "
        "until you delete one."
    )
    assert sentence in told
    assert sentence in spar(home, "profile").stdout
    assert "since 2020 (does not count, see below)" in spar(home, "profile").stdout
    spar(home, "profile", "forget", "2")
    assert "count" not in spar(home, "profile").stdout


def test_what_is_cleaned_and_cut_is_told(home: Path) -> None:
    told = spar(home, "profile", "add", "like", "<i>whale</i>\x1b[31m " + "songs " * 2_000).stdout
    assert "\x1b" not in told
    assert "Invisible characters and markup were removed." in told
    assert "the first 500 are kept" in told


@pytest.mark.parametrize(
    ("arguments", "named", "code"),
    [
        (["add", "like", ""], "needs words", 2),
        (["add", "like", "\x1b[31m"], "needs words", 2),
        (["add", "love", "whales"], "like, dislike or expect", 2),
        (["add", "like"], "TEXT", 2),
        (["edit", "9", "whales"], "no line '9'", 1),
        (["forget", "hzzzzz"], "changes with what you do", 1),
        (["forget"], "which lines", 2),
        (["forget", "1", "--all"], "which lines", 2),
        (["forget", "1", "--yes"], "--all", 2),
        (["forget", "--all"], "--yes", 2),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(
    arguments: list[str], named: str, code: int, home: Path
) -> None:
    before = spar(home, "profile", "--json").stdout
    ran = spar(home, "profile", *arguments)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert named in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert spar(home, "profile", "--json").stdout == before


@pytest.mark.parametrize(("reply", "lines_left"), [("yes\n", 0), ("no\n", 3)])
def test_on_a_terminal_forgetting_all_asks_and_says_how_much_it_would_forget(
    reply: str, lines_left: int, home: Path
) -> None:
    asked, _ = spar_answered(home, reply, "profile", "forget", "--all")
    assert "This forgets 3 understood lines; your earlier actions with 8 papers" in asked
    ran = spar(home, "profile", "--json")
    assert ran.stdout.count('"facet"') == lines_left


def test_nothing_leaves_the_machine(home: Path) -> None:
    with Services(rules=False) as services:
        model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": services.environment["SPAR_OPENALEX_URL"], "SPAR_MODEL": "m"}
        more = {**services.environment, **model}
        for arguments in (
            [], ["--papers"], ["--json"], ["add", "like", "whales"], ["edit", "1", "ships"], ["forget", "1"],
            ["forget", "--all", "--yes"],
        ):  # fmt: skip
            assert spar(home, "profile", *arguments, more=more).returncode == 0
        assert services.log == []
    assert "Nothing leaves your machine" in " ".join(spar(home, "profile", "--help").stdout.split())
