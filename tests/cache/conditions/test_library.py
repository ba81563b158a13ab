"""Hard conditions hold of every paper that is found, and of no other."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cache import papers, shelf
from cache.conditions.filters import Filter, filter_by
from cache.conditions.library import is_venue, matching, ordered, perhaps_outside, uncounted
from cache.store import PaperId, Store
from connectors.paper import Paper
from tests.agents.scripted import paper as made_up
from tests.requests import world


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("conditions") / "library.db") as library:
        world.fill(library)
        yield library


def everyone(store: Store) -> dict[PaperId, Paper]:
    numbers = [PaperId(number) for number in range(1, 1_000)]
    return {number: paper for number in numbers for paper in papers.by_ids(store, [number])}


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (filter_by(since="2015"), lambda paper: (paper.date or "") >= "2015"),
        (filter_by(until="1999"), lambda paper: paper.date is not None and paper.date[:4] <= "1999"),
        (filter_by(since="2010", until="2012"), lambda paper: "2010" <= (paper.date or "")[:4] <= "2012"),
        (filter_by(min_citations=5_000), lambda paper: (paper.citation_count or -1) >= 5_000),
        (filter_by(max_citations=100), lambda paper: paper.citation_count is not None and paper.citation_count <= 100),
        (filter_by(min_authors=3), lambda paper: len(paper.authors) >= 3),
        (filter_by(max_authors=1), lambda paper: len(paper.authors) == 1 and not paper.et_al),
        (filter_by(types=("preprint", "book")), lambda paper: paper.type in ("preprint", "book")),
        (filter_by(retracted=True), lambda paper: paper.retracted),
        (filter_by(retracted=False), lambda paper: not paper.retracted),
        (filter_by(open_access=True), lambda paper: paper.pdf is not None),
        (filter_by(has_abstract=False), lambda paper: not paper.abstract),
        (filter_by(authors=("Croft",)), lambda paper: any(person.family == "Croft" for person in paper.authors)),
        (
            filter_by(without_authors=("Croft", "Bengio")),
            lambda paper: not any(person.family in ("Croft", "Bengio") for person in paper.authors),
        ),
        (filter_by(without_types=("preprint", "article")), lambda paper: paper.type not in ("preprint", "article")),
        (filter_by(without_venues=("Nature",)), lambda paper: paper.venue != "Nature"),
        (filter_by(without_years=("2015", "2016")), lambda paper: (paper.date or "")[:4] not in ("2015", "2016")),
        (filter_by(title_words=("transformers",)), lambda paper: "transform" in paper.title.casefold()),
    ],
)
def test_exactly_the_papers_that_meet_it_are_found(
    store: Store, wanted: Filter, holds: Callable[[Paper], bool]
) -> None:
    right = {number for number, paper in everyone(store).items() if holds(paper)}
    assert right
    assert set(matching(store, wanted)) == right


def test_a_name_is_met_whole_and_not_by_its_stem(store: Store) -> None:
    nature = {number for number, paper in everyone(store).items() if paper.venue == "Nature"}
    assert set(matching(store, filter_by(venues=("Nature",)))) == nature  # not Natural Language Processing
    families = {author.family for paper in everyone(store).values() for author in paper.authors}
    given = {(author.given or "").split(" ")[0] for paper in everyone(store).values() for author in paper.authors}
    for name in sorted(given - families - {""})[:40]:
        assert matching(store, filter_by(authors=(name,))) == [], name


def test_what_the_person_did_is_a_condition_as_well(store: Store) -> None:
    rows = shelf.rows(store)
    assert set(matching(store, filter_by(saved=True))) == {row.number for row in rows}
    assert set(matching(store, filter_by(read=False))) == {row.number for row in rows if not row.read}
    assert set(matching(store, filter_by(noted=True))) == {row.number for row in rows if row.noted}
    for rating in (-1, 1):
        rated = {row.number for row in rows if row.rating == rating}
        assert set(matching(store, filter_by(rating=rating))) == rated
        assert set(matching(store, filter_by(without_rating=rating))) == set(everyone(store)) - rated
    since = {row.number for row in rows if row.saved[:10] >= "2026-09-01"}
    until = {row.number for row in rows if row.saved[:7] <= "2026-10"}
    assert set(matching(store, filter_by(saved_since="2026-09-01"))) == since
    assert set(matching(store, filter_by(saved_until="2026-10"))) == until
    assert set(matching(store, filter_by(saved_since="2026-09-01", saved_until="2026-10"))) == since & until
    assert since & until not in (set(), since, until)
    untagged = set(matching(store, filter_by(saved=True, without_tags=("rag",))))
    assert untagged == {row.number for row in rows if "rag" not in row.tags}
    assert set(matching(store, filter_by(tags=("RAG",)))) == {row.number for row in rows if "rag" in row.tags}


def test_a_tag_in_capitals_is_the_same_tag(store: Store) -> None:
    assert matching(store, filter_by(tags=("RAG",))) == matching(store, filter_by(tags=("rag",)))


def test_all_conditions_hold_together(store: Store) -> None:
    both = set(matching(store, filter_by(since="2015", words=("retrieval",))))
    assert both == set(matching(store, filter_by(since="2015"))) & set(matching(store, filter_by(words=("retrieval",))))


def test_the_words_of_a_phrase_stand_near_each_other_whatever_their_endings(store: Store) -> None:
    for paper in papers.by_ids(store, matching(store, filter_by(words=("query expansions",)))):
        shelved = shelf.shelved(store, papers.number_of(store, paper) or PaperId(0))
        text = f"{paper.title} {paper.about} {' '.join(shelved.tags if shelved else ())}".casefold()
        assert "quer" in text
        assert "expan" in text


def test_a_tag_of_the_persons_tells_what_a_paper_is_about(tmp_path: Path) -> None:
    bumblebees = Paper("Neonicotinoids and bumblebee colony growth", "", (), "2017")
    with Store.open(tmp_path / "library.db") as library:
        [number, _] = papers.remember(library, [bumblebees, Paper("On other things", "", (), "2021")])
        shelf.save(library, [bumblebees], ["bees", "crop-protection"])
        assert matching(library, filter_by(words=("bee",))) == [number]
        assert matching(library, filter_by(words=("protection of crops",))) == []
        assert matching(library, filter_by(words=("crop protection",))) == [number]


def test_a_keyword_tells_what_a_paper_is_about(tmp_path: Path) -> None:
    told = Paper("On tools", "", (), "2020", keywords=("Dense retrieval", "neural networks"))
    with Store.open(tmp_path / "library.db") as library:
        [number, _] = papers.remember(library, [told, Paper("On other things", "", (), "2021")])
        assert matching(library, filter_by(words=("dense retrieval",))) == [number]
        assert matching(library, filter_by(any_words=("neural network", "graphs"))) == [number]
        assert number not in matching(library, filter_by(without=("neural networks",)))
        assert matching(library, filter_by(words=("neural retrieval",))) == []


def test_one_of_several_authors_is_enough_and_a_first_name_may_be_short(store: Store) -> None:
    found = papers.by_ids(store, matching(store, filter_by(any_authors=("Salton", "Koren"))))
    assert {"Salton", "Koren"} <= {author.family for paper in found for author in paper.authors}
    assert all({"Salton", "Koren"} & {author.family for author in paper.authors} for paper in found)
    assert matching(store, filter_by(authors=("Chris Manning",))) == matching(store, filter_by(authors=("Manning",)))


def test_candidates_are_narrowed_in_their_order(store: Store) -> None:
    among = matching(store, filter_by(since="2018"))[::-1]
    kept = matching(store, filter_by(words=("language",)), among)
    assert kept == [number for number in among if number in set(kept)]


@pytest.mark.parametrize(
    "text",
    ['"', "' OR 1=1 --", "title : x", "a* NEAR(b", "()", "x' ; DROP TABLE papers; --", "\x00", "^", "AND OR NOT"],
)
def test_what_is_written_is_words_and_never_syntax(store: Store, text: str) -> None:
    for wanted in (filter_by(words=(text,)), filter_by(authors=(text,)), filter_by(venues=(text,), tags=(text,))):
        assert len(matching(store, wanted)) <= len(everyone(store))


def test_papers_of_which_nothing_is_known_for_an_order_stand_at_its_end(store: Store) -> None:
    order = ordered(store, list(everyone(store)), "citations")
    counts = [paper.citation_count for paper in papers.by_ids(store, order)]
    known = [count for count in counts if count is not None]
    assert counts == sorted(known, reverse=True) + [None] * (len(counts) - len(known))
    assert uncounted(store, order) == len(counts) - len(known)


def test_by_when_they_were_saved_papers_that_are_not_stand_at_the_end_of_either_order(store: Store) -> None:
    saved = {row.number: row.saved for row in shelf.rows(store)}
    for by, last_first in (("last_saved", True), ("first_saved", False)):
        order = ordered(store, list(everyone(store)), by)
        days = [saved[number] for number in order if number in saved]
        assert days == sorted(days, reverse=last_first)
        assert set(order[: len(saved)]) == set(saved)


def test_an_empty_library_meets_no_condition(tmp_path: Path) -> None:
    with Store.open(tmp_path / "library.db") as empty:
        assert matching(empty, Filter()) == []
        assert not is_venue(empty, "NeurIPS")


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[Store]:
    """Papers whose keywords say what their titles do not."""
    with Store.open(tmp_path / "library.db") as library:
        papers.remember(library, [
            made_up("On a net of cells", "10.1/a", keywords=("Static analysis", "neural networks")),
            made_up("Static views on the analysis of nets", "10.1/b"),
            made_up("Of rivers", "10.1/c", keywords=("static", "data analysis", "Équilibre")),
            made_up("Of seas", "10.1/d"),
        ])  # fmt: skip
        yield library


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        (filter_by(words=("static analysis",)), {"On a net of cells", "Static views on the analysis of nets"}),
        (filter_by(words=("neural network",)), {"On a net of cells"}),
        (filter_by(words=("neural networking", "cell")), {"On a net of cells"}),
        (filter_by(words=("equilibre",)), {"Of rivers"}),
        (filter_by(words=("stat%",)), set()),
        (filter_by(any_words=("seas", "neural networks")), {"On a net of cells", "Of seas"}),
        (filter_by(without=("static",)), {"Of seas"}),
        (filter_by(title_words=("static",)), {"Static views on the analysis of nets"}),
    ],
)  # fmt: skip
def test_a_paper_is_about_its_keywords_too(keyed: Store, wanted: Filter, titles: set[str]) -> None:
    found = matching(keyed, wanted)
    assert {paper.title for paper in papers.by_ids(keyed, found)} == titles


def test_keywords_of_papers_that_came_later_are_found(keyed: Store) -> None:
    assert not matching(keyed, filter_by(words=("volcanology",)))
    papers.remember(keyed, [made_up("Of seas", "10.1/d", keywords=("volcanology",))])
    assert len(matching(keyed, filter_by(words=("volcanology",)))) == 1


@pytest.mark.parametrize("said", ["meta-analyses", "meta-analysis"])
def test_words_of_greek_are_found_in_either_number(tmp_path: Path, said: str) -> None:
    with Store.open(tmp_path / "library.db") as library:
        told = ["Bias in a meta-analysis", "Bias in meta-analyses", "Bias in trials"]
        papers.remember(library, [made_up(title, f"10.1000/{place}") for place, title in enumerate(told)])
        assert len(matching(library, filter_by(words=(said,)))) == 2


@pytest.mark.parametrize("word", ["women", "woman", "Mice", "mouse"])
def test_words_with_irregular_plurals_are_found_in_either_number(tmp_path: Path, word: str) -> None:
    with Store.open(tmp_path / "library.db") as library:
        named = [("One woman and a mouse", ()), ("Mice of women", ()), ("Of cats", ("mouse models", "health of women"))]
        papers.remember(
            library,
            [made_up(title, f"10.1000/{place}", keywords=keywords) for place, (title, keywords) in enumerate(named)],
        )
        assert len(matching(library, filter_by(words=(word,)))) == 3
        assert len(matching(library, filter_by(words=("men",)))) == 0


DATES = ("2020", "2020-05", "2020-07", "2020-07-03", "2020-12-31", "2021")


@pytest.mark.parametrize(
    ("wanted", "unsure"),
    [
        (filter_by(since="2020"), set()),
        (filter_by(since="2020", until="2020"), set()),
        (filter_by(since="2020-07-01", until="2020"), {"2020"}),
        (filter_by(since="2020-05", until="2020-06-30"), {"2020"}),
        (filter_by(since="2020-07-02"), {"2020", "2020-07"}),
        (filter_by(until="2021-06-30"), {"2021"}),
        (filter_by(until="2020-05-31"), {"2020"}),
    ],
)
def test_of_a_date_that_is_not_known_closely_enough_it_is_said_that_it_may_be_outside(
    wanted: Filter, unsure: set[str], tmp_path: Path
) -> None:
    with Store.open(tmp_path / "library.db") as library:
        papers.remember(library, [made_up(f"Of {date}", f"10.1000/{date}", date=date) for date in DATES])
        found = matching(library, wanted)
        met = {date for paper in papers.by_ids(library, found) if (date := paper.date)}
        assert unsure <= met
        assert perhaps_outside(library, wanted, found) == len(unsure)
