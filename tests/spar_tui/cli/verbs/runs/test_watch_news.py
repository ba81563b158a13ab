"""What a watch calls new: what appeared in a source since its last answer, whatever the other sources do."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.library import home_after
from tests.services import Services, Work
from tests.spar_tui import running
from tests.spar_tui.in_process import spar

pytestmark = pytest.mark.usefixtures("quick_pace")

BEGIN = ("search", "hypertonic saline in cystic fibrosis", "--source", "pubmed", "--source", "openalex", "--fast",
         "--watch", "cf")  # fmt: skip
Run = Callable[..., CompletedProcess[str]]
SOME = "No source knew this trial of hypertonic saline in cystic fibrosis"


def appearing(number: int, **facts: str | None) -> Work:
    """A work that appears today, in PubMed and OpenAlex unless `facts` say otherwise."""
    abstract = "Hypertonic saline in cystic fibrosis was given to many, and they breathed well."
    day = facts.get("date") or date.today().isoformat()
    work = Work(
        9_000 + number, "cystic fibrosis", "Medicine", f"{SOME}, part {number}", abstract, (), int(day[:4]), day,
        "Journal of Lungs", doi=f"10.5555/later.{number}", pmid=f"9900{number}", openalex=f"W99000{number}",
    )  # fmt: skip
    return replace(work, **{name: value for name, value in facts.items() if name != "date"})  # type: ignore[arg-type]


def look(
    home: Path, *works: Work, down: Sequence[str] = (), flags: Sequence[str] = (), run: Run = spar
) -> CompletedProcess[str]:
    """What `spar watch` says while the services know `works` too and some are `down`."""
    with Services(rules=False, also=works) as services:
        for name in down:
            services.shut(name)
        return run(home, "watch", *flags, more=services.environment)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The home of somebody who has just begun a watch."""
    return home_after(begin, tmp_path)


def begin(home: Path) -> None:
    with Services(rules=False) as services:
        ran = spar(home, *BEGIN, more=services.environment)
    assert ran.returncode == 0, ran.stderr


def test_what_appears_between_two_looks_is_told_once(begun: Path) -> None:
    quiet = look(begun, flags=["-q"])
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (3, "", "")
    first = look(begun, appearing(1), flags=["-q"], run=running.spar)  # a process of its own
    assert (first.returncode, first.stderr) == (0, "")
    assert "cf: 1 paper new" in first.stdout
    assert "part 1" in first.stdout
    again = look(begun, appearing(1))
    assert (again.returncode, "cf: nothing new since" in again.stdout) == (3, True)


def test_what_appears_while_a_source_is_down_is_told_once_when_it_answers_again(begun: Path) -> None:
    only_there = appearing(2, pmid=None)
    down = look(begun, only_there, down=["openalex"], flags=["-q"])
    assert (down.returncode, "nothing new" in down.stdout) == (4, False)
    assert "spar: cf: openalex" in down.stderr
    up = look(begun, only_there)
    assert (up.returncode, "part 2" in up.stdout) == (0, True)
    assert "part 2" in spar(begun, "show", "@1", "--offline").stdout
    assert look(begun, only_there).returncode == 3


def test_where_no_source_answers_that_is_told_even_quietly_and_nothing_is_lost(begun: Path) -> None:
    dead = look(begun, appearing(3), down=["openalex", "pubmed"], flags=["-q"])
    assert (dead.returncode, dead.stdout) == (1, "")
    assert "spar: cf: openalex" in dead.stderr
    assert "spar: cf: pubmed" in dead.stderr
    assert "part 3" in look(begun, appearing(3)).stdout


def test_a_watch_that_began_while_all_sources_were_down_shows_its_first_answer_then_news(tmp_path: Path) -> None:
    stored = spar(tmp_path, *BEGIN, "--limit", "2")
    assert "spar: watched as cf; `spar watch` shows the first answer, then new papers." in stored.stderr
    recent = [appearing(number) for number in (8, 9, 10)]
    assert look(tmp_path, *recent, down=["openalex", "pubmed"]).returncode == 1
    first = look(tmp_path, *recent, flags=["-q"])
    assert (first.returncode, first.stderr) == (0, "")
    assert "cf: 2 papers in the first answer" in first.stdout
    again = look(tmp_path, *recent, appearing(11))
    assert again.returncode == 0
    assert "cf: 1 paper new since" in again.stdout
    assert look(tmp_path, *recent, appearing(11)).returncode == 3


def test_an_old_paper_is_no_news_though_only_one_source_is_left(begun: Path) -> None:
    for down in (["openalex"], ["pubmed"]):
        ran = look(begun, appearing(4, date="2016-05-04"), down=down)
        assert ran.returncode == 4
        assert "cf: nothing new from the sources that answered" in ran.stdout


def test_an_old_paper_that_a_source_has_just_indexed_is_news(begun: Path) -> None:
    """PubMed tells on which day it added a record; OpenAlex tells no day that could be believed."""
    assert look(begun, appearing(5, date="2016-05-04", pmid=None)).returncode == 3
    late = appearing(6, date="2016-05-04", indexed=date.today().isoformat())
    assert "part 6" in look(begun, late).stdout
    assert look(begun, late).returncode == 3


def test_news_is_found_behind_more_old_papers_than_a_source_is_asked_for(begun: Path) -> None:
    """The old ones match the question better, and every one of them is listed before the new one."""
    asked = "Hypertonic saline in cystic fibrosis"
    old = [appearing(100 + number, title=f"{asked}, {asked}: {number}", date="2012-05-04") for number in range(120)]
    assert look(begun, *old, flags=["-q"]).returncode == 3
    told = look(begun, *old, appearing(1), flags=["-q"])
    assert (told.returncode, told.stderr) == (0, "")
    assert "cf: 1 paper new" in told.stdout


def test_what_is_new_but_not_about_the_question_is_no_news(begun: Path) -> None:
    other = replace(appearing(7), title="Saline lakes of the dry plains", abstract="Salt in lakes is measured.")
    assert look(begun, other).returncode == 3
