"""Which papers a filter chooses: the same in memory and in SQL."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import fulltext, page_texts, papers, shelf
from cache.conditions.filters import TEXT, Filter, FilterTerm, ShelvedPaper, chosen, filter_by, parsed, subject_of
from cache.conditions.library import matching
from cache.conditions.names import folded
from cache.conditions.scopes import LIBRARY, SEARCH, SHELF
from cache.conditions.table import CONDITIONS, ROWS
from cache.conditions.values import Interval, Value, Words
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper

WORDS = ("Sparse", "retrieval", "Über", "naïve", "2020", "retracted", "İstanbul", "x", "王小明", "ß")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
phrases = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
made = st.builds(
    Paper,
    title=phrases.map(lambda text: text or "Untitled"),
    authors=st.lists(st.builds(Author, st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=2).map(tuple),
    date=st.none() | st.sampled_from(("2009", "2015-05", "2020-01-02")),
    venue=phrases,
    citation_count=st.none() | st.integers(0, 30),
    pdf=st.none() | st.just("https://example.org/a.pdf"),
    retracted=st.booleans(),
    type=st.sampled_from(("other", "article", "review")),
    et_al=st.booleans(),
    abstract=phrases | st.just('It says "retracted":true, "pdf":"x" and "citation_count":7.'),
)
keeping = st.none() | st.builds(
    ShelvedPaper, st.booleans(), st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    rating=st.sampled_from((-1, 0, 1)), noted=st.booleans(),
)  # fmt: skip
shelves = st.lists(st.tuples(made, keeping), max_size=5)
needles = st.sampled_from(
    (*map(str.lower, WORDS), "sparse retrieval", "uber", "retr*", "a*", "naive", "x sparse", "王")
)
counts = st.tuples(st.none() | st.integers(0, 30), st.none() | st.integers(0, 30)).filter(any)
days = st.none() | st.sampled_from(("2009", "2015", "2015-05", "2015-06-01", "2020", "2020-01-02", "2026-11-21"))
dates = st.tuples(days, days).filter(any)
of_type = {"year": dates, "saved_on": dates, "cited": counts, "authors": counts}


def values_of(name: str) -> st.SearchStrategy[tuple[Value, ...]]:
    """Strategy for the values of a condition, one of which must match."""
    row = CONDITIONS[name]
    if row.type is None:
        return st.just(())
    one: st.SearchStrategy[Value] = of_type[name].map(lambda two: Interval(*two)) if name in of_type else needles
    return st.lists(
        st.sampled_from(row.type.choices) if row.type.choices else one, min_size=1, max_size=2, unique=True
    ).map(tuple)


of_papers = st.sampled_from([row.name for row in ROWS if row.knows in ("paper", "shelf")])
conditions = of_papers.flatmap(lambda name: st.builds(FilterTerm, st.just(name), values_of(name)))
texts = st.builds(Words, needles, st.just(True)) | needles.filter(lambda one: " " not in one).map(Words)
tests = conditions | texts.map(lambda words: FilterTerm(TEXT, (words,)))
filters = st.lists(st.tuples(tests, st.booleans()), max_size=3).map(
    lambda terms: Filter(tuple(replace(term, negated=negated) for term, negated in terms))
)


def put(
    store: Store, generated: Sequence[tuple[Paper, ShelvedPaper | None]]
) -> list[tuple[int, Paper, ShelvedPaper | None]]:
    """Fill the library anew with these, each under a name of its own; their numbers, as they are kept."""
    with store.writing() as db:
        db.execute("DELETE FROM papers")
        named = [_named(paper, place) for place, (paper, _) in enumerate(generated)]
        numbers = [papers.remember_as(store, paper, None) for paper in named]
        for number, (_, kept) in zip(numbers, generated, strict=True):
            if kept:
                shelf.put(store, [number], kept.tags, NOON)
                shelf.mark_read(store, number, kept.read, NOON)
                shelf.rate(store, number, kept.rating, NOON)  # type: ignore[arg-type]
                shelf.set_note(store, number, "so" if kept.noted else "")
    on_shelf = shelf.kept(store)
    return [(number, paper, on_shelf.get(number)) for number, paper in zip(numbers, named, strict=True)]


def _named(paper: Paper, place: int) -> Paper:
    return replace(paper, identifiers=(Identifier("doi", f"10.1000/{place}"),))


@given(shelves, filters)
def test_the_same_saved_papers_are_chosen_in_memory_and_in_sql(
    store: Store, generated: list[tuple[Paper, ShelvedPaper | None]], wanted: Filter
) -> None:
    saved = [one for one in put(store, generated) if one[2]]
    in_memory = [number for number, *_ in chosen(saved, wanted, lambda one: subject_of(one[1], one[2]))]
    assert {row.number for row in shelf.rows(store, filters=wanted)} == set(in_memory)


@given(shelves, tests)
def test_a_negation_chooses_exactly_what_the_term_does_not(
    store: Store, generated: list[tuple[Paper, ShelvedPaper | None]], test: FilterTerm
) -> None:
    every = {number for number, *_ in put(store, generated)}
    yes, no = Filter((test,)), Filter((replace(test, negated=True),))
    for library in (False, True):
        with_it, without = _numbers(store, yes, library), _numbers(store, no, library)
        assert not with_it & without
        assert with_it | without == (every if library else shelf.numbers_on_shelf(store))


def _numbers(store: Store, wanted: Filter, library: bool) -> set[int]:
    if not library:
        return {row.number for row in shelf.rows(store, filters=wanted)}
    return {papers.number_of(store, one) or 0 for one in fulltext.chosen(store, wanted, limit=1000)}


@given(shelves, filters)
def test_what_a_saved_paper_is_chosen_by_chooses_it_in_the_library_too(
    store: Store, generated: list[tuple[Paper, ShelvedPaper | None]], wanted: Filter
) -> None:
    """But for words, which the library looks for in abstracts as well and not in tags."""
    wordless = Filter(tuple(term for term in wanted.terms if term.condition != TEXT))
    put(store, generated)
    assert _numbers(store, wordless, library=False) == (
        _numbers(store, wordless, library=True) & shelf.numbers_on_shelf(store)
    )


@given(shelves, filters)
def test_a_condition_means_the_same_in_sql_and_on_papers(
    store: Store, generated: list[tuple[Paper, ShelvedPaper | None]], wanted: Filter
) -> None:
    """Any filter selects the same papers in SQL and in memory."""
    wordless = Filter(tuple(term for term in wanted.terms if term.condition != TEXT))
    every = put(store, generated)
    on_papers = {number for number, *_ in chosen(every, wordless, lambda one: subject_of(one[1], one[2]))}
    assert set(matching(store, wordless)) == on_papers
    assert {number for number, *_ in every if number in on_papers} == on_papers


@given(filters)
def test_a_filter_is_read_as_it_is_written(wanted: Filter) -> None:
    again = parsed(str(wanted), LIBRARY)
    assert (again.terms, again.problems) == (wanted.terms, ())


named = st.lists(needles, min_size=1, max_size=2).map(tuple)
arguments = st.fixed_dictionaries({}, optional={
    "authors": named, "any_authors": named, "without_authors": named, "venues": named, "without_venues": named,
    "since": days, "until": days, "min_citations": st.integers(0, 30), "max_citations": st.integers(0, 30),
    "min_authors": st.integers(0, 3), "max_authors": st.integers(1, 3), "types": st.just(("review", "article")),
    "without_types": st.just(("other",)), "open_access": st.booleans(), "retracted": st.booleans(),
    "has_abstract": st.booleans(), "saved": st.booleans(), "read": st.booleans(), "noted": st.booleans(),
    "has_pdf": st.booleans(), "tagged": st.booleans(), "saved_since": days, "saved_until": days,
    "rating": st.sampled_from((-1, 0, 1)),
    "has_doi": st.booleans(), "without_rating": st.sampled_from((-1, 0, 1)), "tags": named, "without_tags": named,
    "years": st.just(("2015", "2020")), "without_years": st.just(("2015", "2009")), "words": named, "any_words": named,
    "without": named, "title_words": named,
})  # fmt: skip


@given(shelves, arguments)
def test_the_arguments_of_a_tool_mean_what_the_words_of_a_filter_mean(
    store: Store, generated: list[tuple[Paper, ShelvedPaper | None]], given: dict[str, object]
) -> None:
    put(store, generated)
    wanted = filter_by(**given)
    told = {name for name, value in given.items() if value is not None}
    assert bool(wanted.terms) is bool(told)
    if not wanted.impossible:
        assert matching(store, parsed(str(wanted), LIBRARY)) == matching(store, wanted)
    else:
        assert matching(store, wanted) == []


def test_every_argument_of_the_table_is_tried() -> None:
    tried = set(arguments.wrapped_strategy.optional)  # type: ignore[attr-defined]
    assert tried == {argument.name for row in ROWS if row.knows != "group" for argument in row.arguments}


kinds = st.just(("review",))
groups = st.lists(
    st.fixed_dictionaries({"authors": named}, optional={"venues": named, "read": st.booleans(), "types": kinds}),
    min_size=1, max_size=3,
)  # fmt: skip


@given(shelves, groups)
def test_of_groups_one_must_hold_as_a_whole_or_none(
    store: Store, generated: list[tuple[Paper, ShelvedPaper | None]], given: list[dict[str, object]]
) -> None:
    rows = put(store, generated)
    either = set[int]().union(*(matching(store, filter_by(**group)) for group in given))
    assert {*matching(store, filter_by(any_of=given))} == either
    assert {*matching(store, filter_by(none_of=given))} == {*matching(store, Filter())} - either
    for wanted in (filter_by(any_of=given), filter_by(none_of=given)):
        in_memory = chosen(rows, wanted, lambda row: subject_of(row[1], row[2]))
        assert {number for number, *_ in in_memory} == {*matching(store, wanted)}


def test_in_full_texts_the_shelf_chooses_those_of_the_library_that_are_saved(store: Store) -> None:
    numbers = papers.remember(store, PAPERS)
    shelf.put(store, numbers[:2])
    for number in numbers[:2]:
        shelf.set_files(store, number, [f"/{number}.pdf"])
        page_texts.keep(store, number, f"/{number}.pdf", b"", ["We retrieve.", f"Page of paper {number}."])
    for typed in ("retrieving in:fulltext", "retrieve -retrieve in:fulltext", f"{numbers[0]} in:fulltext",
                  "survey in:fulltext", "-in:fulltext", '"we retrieve" -is:retracted in:fulltext'):  # fmt: skip
        on_shelf = _numbers(store, parsed(typed, SHELF), library=False)
        assert on_shelf == _numbers(store, parsed(typed, LIBRARY), library=True) & set(numbers[:2]), typed
    assert _numbers(store, parsed("retrieving in:fulltext", SHELF), library=False) == set(numbers[:2])


def test_in_memory_no_full_text_is_taken_for_an_empty_one() -> None:
    with pytest.raises(ValueError, match="library"):
        chosen(PAPERS, parsed("in:fulltext", SHELF), subject_of)
    assert "in:" not in SEARCH.field_names


PAPERS = [
    Paper("Sparse retrieval", "We retrieve passages.", (Author("Müller", "Ada"),), "2021", "ACL", citation_count=12),
    Paper("Dense things", "A survey of retrieval.", (Author("Zhou", "Bo"),), "2010", "Journal of fish", retracted=True),
    Paper("An undated thing", pdf="https://example.org/a.pdf"),
]


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("", [2, 1, 0]),
        ("retrieving", [0, 1]),
        ("retrieval survey", [1]),
        ('"sparse retrieval"', [0]),
        ('"survey of"', [1]),
        ("-retrieval", [2]),
        ("retrieval -survey", [0]),
        ("year:2020..", [0]),
        ("-year:2020..", [2, 1]),
        ("cited:10..", [0]),
        ("author:muller", [0]),
        ("author:mull*", [0]),
        ("author:mull", []),
        ('venue:"journal of fish"', [1]),
        ("venue:journal*", [1]),
        ("venue:journal", []),
        ("is:retracted", [1]),
        ("is:open", [2]),
        ("is:saved", [0]),
        ("a survey of", [1]),
        ("the survey", []),
        ("c++", []),
        ("?!", []),
        ("about:retrieving", [1, 0]),
        ('about:"retrieval of"', [1]),
        ("title:retrieval", [0]),
    ],
)
def test_the_library_is_looked_through_by_the_same_terms(store: Store, typed: str, places: list[int]) -> None:
    numbers = papers.remember(store, PAPERS)
    shelf.put(store, numbers[:1])
    found = fulltext.chosen(store, parsed(typed, LIBRARY))
    assert [PAPERS.index(one) for one in found] == places


def test_the_library_is_put_in_order_and_what_is_not_known_comes_last(store: Store) -> None:
    papers.remember(store, PAPERS)

    def titles(order: str) -> list[str]:
        return [one.title.split()[0] for one in fulltext.chosen(store, Filter(), order)]

    assert titles("year") == ["Sparse", "Dense", "An"]
    assert titles("citations")[0] == "Sparse"
    assert titles("title") == ["An", "Dense", "Sparse"]
    assert titles("found") == ["An", "Dense", "Sparse"]


@given(st.text(), st.text())
def test_what_stands_in_a_text_still_does_when_both_are_folded(text: str, more: str) -> None:
    assert folded(folded(text)) == folded(text)
    if (text + more).isascii():
        assert folded(text) in folded(text + more)
