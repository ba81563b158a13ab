"""Facts that are asked for in plain words, answered by SQL: each held against the records themselves."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from statistics import mean, median
from typing import Any

import pytest

from agents.builtin.requests.request import read_request
from cache import papers
from cache.sql.reading import read_sql
from cache.store import Store
from tests.agents.assistant.talking import filled, talk
from tests.agents.builtin.requests.scenes import SCENES
from tests.requests import world

PAPERS = world.all_papers()
SAVED = [paper for saved in world.SHELF for paper in PAPERS if paper.title.startswith(saved.title)]
CITED = [paper.citation_count for paper in PAPERS if paper.citation_count is not None]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(tmp_path_factory.mktemp("library")) as library:
        yield library


def rows(store: Store, message: str) -> list[tuple[Any, ...]]:
    [call] = read_request(message, SCENES["start"]).calls
    assert call.tool == "query"
    return read_sql(store, call.arguments["sql"]).rows


def by_size(names: list[Any], limit: int = 10) -> list[tuple[Any, int]]:
    return sorted(Counter(names).items(), key=lambda entry: (-entry[1], entry[0]))[:limit]


def test_papers_are_counted_by_author_venue_year_and_tag(store: Store) -> None:
    names = [author.name for paper in PAPERS for author in paper.authors]
    assert rows(store, "who has written the most papers?")[0][1] == by_size(names)[0][1]
    assert rows(store, "top 3 venues") == by_size([paper.venue for paper in PAPERS if paper.venue], 3)
    assert rows(store, "which year has the most papers?") == by_size([p.year for p in PAPERS if p.year])
    tags = [tag for saved in world.SHELF for tag in saved.tags.split()]
    assert rows(store, "which tags do I use, and how often is each used?") == by_size(tags, 100)


def test_a_table_has_only_the_papers_that_meet_the_conditions(store: Store) -> None:
    found = rows(store, "papers per year from 2019 to 2022")
    wanted = Counter(paper.year for paper in PAPERS if paper.year and 2019 <= paper.year <= 2022)
    assert found == sorted(wanted.items())
    venues = [paper.venue for paper in SAVED if paper.venue]
    assert rows(store, "most common venue on my shelf") == by_size(venues)


def test_averages_and_sums_leave_out_what_nobody_has_counted(store: Store) -> None:
    assert rows(store, "average number of citations") == [(round(mean(CITED), 1),)]
    assert rows(store, "median citations") == [(median(CITED),)]
    saved = [paper.citation_count for paper in SAVED if paper.citation_count is not None]
    assert rows(store, "how many citations do my saved papers have in total") == [(sum(saved),)]


def test_other_things_than_papers_are_counted(store: Store) -> None:
    assert rows(store, "how many tags do I have?") == [(len({t for s in world.SHELF for t in s.tags.split()}),)]
    assert rows(store, "count my notes") == [(sum(bool(saved.note) for saved in world.SHELF),)]
    assert rows(store, "how many searches did i run?") == [(sum(past.kind == "search" for past in world.PAST),)]


def test_a_share_is_of_the_shelf_where_that_is_meant(store: Store) -> None:
    unread = sum(not saved.read for saved in world.SHELF)
    assert rows(store, "what percentage of my saved papers is unread?") == [
        (round(100 * unread / len(world.SHELF), 1),)
    ]


def test_co_authors_are_those_beside_the_author(store: Store) -> None:
    found = [name for name, _ in rows(store, "co-authors of Salton")]
    beside = {a.name for p in PAPERS if any(b.family == "Salton" for b in p.authors) for a in p.authors}
    assert set(found) == {name for name in beside if "Salton" not in name}


def test_the_least_cited_come_first_where_they_are_asked_for(store: Store) -> None:
    state = asyncio.run(talk(store, "papers tagged rag, least cited first"))
    found = papers.by_ids(store, state.shown)
    counts = [paper.citation_count for paper in found if paper.citation_count is not None]
    assert counts == sorted(counts)
    assert {paper.title for paper in found} <= {
        p.title for p, s in zip(SAVED, world.SHELF, strict=True) if "rag" in s.tags
    }


def test_what_was_saved_on_days_that_are_named_is_found(store: Store) -> None:
    found = [row[1] for row in rows(store, "what did I save this month?")]
    wanted = [s for s in world.SHELF if (world.NOW.date().day - 1) >= s.days]
    assert len(found) == len(wanted)


def test_a_fact_about_these_is_about_no_others(store: Store) -> None:
    state = asyncio.run(talk(store, "papers by Salton", "average year of these"))
    years = [p.year for p in PAPERS if p.year and any(a.family == "Salton" for a in p.authors)]
    [done] = state.turns[-1].outcomes
    assert done.values["rows"] == [[round(mean(years), 1)]]


@pytest.mark.parametrize("name", ["O'Brien", "x' OR 1=1 --", 'a" OR title : b', "'; DROP TABLE papers; --", "100%"])
def test_what_is_written_in_a_question_never_becomes_sql(store: Store, name: str) -> None:
    for message in (f"co-authors of {name}", f"papers per year about {name}", f"average citations of papers by {name}"):
        for call in read_request(message, SCENES["start"]).calls:
            if call.tool == "query":
                read_sql(store, call.arguments["sql"])


def test_what_was_done_on_a_day_is_told_of_the_papers_that_are_meant_alone(store: Store) -> None:
    """Conditions beside the days are not dropped, and the days when papers came out are those of papers."""
    tagged = [saved for saved in world.SHELF if "biomed" in saved.tags.split() and saved.days < 20]
    assert rows(store, "how many papers tagged biomed did I save in November 2026?") == [(len(tagged),)]
    [call] = read_request("how many of the things I've saved came out after 2022?", SCENES["start"]).calls
    assert (call.tool, call.arguments) == ("filter", {"since": "2023", "saved": True})


def test_an_average_is_of_the_papers_that_are_about_its_subject(store: Store) -> None:
    about = [p for p in PAPERS if p.citation_count is not None and "hallucinat" in f"{p.title} {p.abstract}".lower()]
    [[told]] = rows(store, "average citation count of hallucination papers")
    assert told == pytest.approx(mean(p.citation_count or 0 for p in about), abs=0.1)


def test_papers_are_counted_of_which_a_field_is_not_known(store: Store) -> None:
    unheard = [paper for paper in PAPERS if paper.citation_count is None]
    assert rows(store, "how many papers have an unknown citation count?") == [(len(unheard),)]
    assert {number for number, _ in rows(store, "which papers have no known date?")}


def test_a_share_is_of_the_papers_that_are_told_first(store: Store) -> None:
    of_year = [paper for paper in PAPERS if paper.year == 2023]
    preprints = [paper for paper in of_year if paper.type == "preprint"]
    share = round(100 * len(preprints) / len(of_year), 1)
    assert rows(store, "what share of papers from 2023 are preprints?") == [(share,)]
    unread = [saved for saved in world.SHELF if not saved.read]
    share = round(100 * len(unread) / len(world.SHELF), 1)
    assert rows(store, "what fraction of my shelf is unread, in percent") == [(share,)]


def test_the_number_of_others_behind_a_number_is_that_of_the_library(store: Store) -> None:
    """Where none of those that were counted is meant by it, and none was shown."""
    number = sum("Learning Representations" in (paper.venue or "") for paper in PAPERS)
    state = asyncio.run(talk(store, "how many ICML papers are there?", "and how many from ICLR?"))
    assert state.turns[-1].answer is not None
    assert state.turns[-1].answer.text == f"{number} papers in your library are in ICLR."
