"""Parsing of typed filters: each term is understood or reported, and never silently matches everything or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache.conditions.filters import MOST_TERMS, TEXT, FilterScope, FilterTerm, filter_by, parsed
from cache.conditions.scopes import HISTORY, LIBRARY, SEARCH, SHELF, explained, summed_up
from cache.conditions.table import CONDITIONS, ROWS
from cache.conditions.values import Interval, Words
from tests.rows import each

SCOPES = (SEARCH, SHELF, LIBRARY, HISTORY)
pieces = st.sampled_from(
    ["-", "--", '"', " ", ":", "..", "#", "year:", "cited:", "venue:", "author:", "tag:", "is:", "read", "unread",
     "2020", "3", "a", "é", "\u0301", "foo:", "a phrase", "\0", "\n", "retracted", "Year:", "in:", "fulltext", "\udcff",
     "0", "ſ", "|", "has:", "note", "saved:", "2020-05", "lee*", "about:", "type:", "review"]
)  # fmt: skip
texts = st.text() | st.lists(pieces).map("".join) | st.lists(pieces).map(" ".join)


@given(texts, st.sampled_from(SCOPES))
def test_any_text_is_read_and_what_is_printed_of_it_is_read_as_the_same(text: str, scope: FilterScope) -> None:
    found = parsed(text, scope)
    again = parsed(str(found), scope)
    assert again.terms == found.terms
    assert not again.problems


@given(texts, st.sampled_from(SCOPES))
def test_each_text_that_is_not_blank_becomes_a_term_or_a_sentence(text: str, scope: FilterScope) -> None:
    found = parsed(text, scope)
    readable = text.encode("utf-8", "ignore").decode()
    assert bool(found.terms or found.problems) == bool(readable.strip())


def of_text(text: str, *, exact: bool = False) -> FilterTerm:
    return FilterTerm(TEXT, (Words(text, exact),))


@each(
    ("typed", "meant"),
    [
        ("words", of_text("words")),
        ('"a  phrase"', of_text("a phrase", exact=True)),
        ('"not closed yet', of_text("not closed yet", exact=True)),
        ("year:2020..", FilterTerm("year", (Interval("2020", None),))),
        ("year:..2010-05", FilterTerm("year", (Interval(None, "2010-05"),))),
        ("year:2015..2020", FilterTerm("year", (Interval("2015", "2020"),))),
        ("YEAR:2015", FilterTerm("year", (Interval("2015", "2015"),))),
        ("cited:10..", FilterTerm("cited", (Interval(10, None),))),
        ("cited:>=10", FilterTerm("cited", (Interval(10, None),))),
        ("cited:>10", FilterTerm("cited", (Interval(11, None),))),
        ("cited:<10", FilterTerm("cited", (Interval(None, 9),))),
        ("year:>2019", FilterTerm("year", (Interval("2020", None),))),
        ("year:<=2019-05", FilterTerm("year", (Interval(None, "2019-05"),))),
        ("cited:0", FilterTerm("cited", (Interval(0, 0),))),
        ("authors:..3", FilterTerm("authors", (Interval(None, 3),))),
        ("venue:ACL", FilterTerm("venue", ("ACL",))),
        ('author:"Ada Lovelace"', FilterTerm("author", ("Ada Lovelace",))),
        ('author:lee|"Ada Lovelace"', FilterTerm("author", ("lee", "Ada Lovelace"))),
        ("author:lee*", FilterTerm("author", ("lee*",))),
        ("type:Review|book", FilterTerm("type", ("review", "book"))),
        ("tag:rag", FilterTerm("tag", ("rag",))),
        ("#rag", FilterTerm("tag", ("rag",))),
        ('#"to read"', FilterTerm("tag", ("to read",))),
        ("saved:2026-09..", FilterTerm("saved_on", (Interval("2026-09", None),))),
        *((word, FilterTerm(row.name)) for word, row in SEARCH.conditions.items() if row.type is None),
        ("10:30", of_text("10:30")),
        ("BERT:", of_text("BERT:")),
        ("a|b", of_text("a|b")),
        ("state-of-the-art", of_text("state-of-the-art")),
    ],
)
def test_terms_are_understood_and_a_dash_negates_each(typed: str, meant: FilterTerm) -> None:
    assert parsed(typed, SEARCH).terms == (meant,)
    assert parsed(f"-{typed}", SEARCH).terms == (FilterTerm(meant.condition, meant.values, negated=True),)


def test_the_words_that_the_shelf_always_understood_still_mean_states_there_alone() -> None:
    assert parsed("unread -read", SHELF).terms == (FilterTerm("unread"), FilterTerm("read", negated=True))
    assert parsed("unread read", SEARCH).terms == (of_text("unread"), of_text("read"))
    assert parsed('"read"', SHELF).terms == (of_text("read", exact=True),)


def test_full_texts_are_asked_for_where_the_library_is_listed() -> None:
    for scope in (SHELF, LIBRARY):
        assert parsed("x in:FullText", scope).terms == (of_text("x"), FilterTerm("fulltext"))
        assert parsed("x in:fulltext", scope).in_full_texts
        assert not parsed("x -in:fulltext", scope).in_full_texts


@each(
    ("typed", "scope", "said"),
    [
        ("is:foo", SHELF, "is:foo is not known; is: takes open, retracted, unread, read, saved, liked"),
        ("is:foo", SEARCH, "is:foo is not known; is: takes relevant, included, excluded, later, open, retracted,"),
        ("is:relevant", SHELF, "is:relevant cannot be used on the shelf; is: takes open, retracted"),
        ("-is:relevant", LIBRARY, "is:relevant cannot be used in the library; is: takes open, retracted"),
        ("is:", SEARCH, "is: takes relevant, included"),
        ("tag:x", HISTORY, "tag: cannot be used in the history; use words and year:"),
        ("is:open", HISTORY, "is: cannot be used in the history"),
        ("year:soon", SHELF, "year:soon is not understood; write year:2020, year:2020.."),
        ("year:..", SHELF, "year:.. is not understood"),
        ("year:2020..2010", SHELF, "year:2020..2010 ends before it begins; write year:2010..2020"),
        ("cited:many", SHELF, "cited:many is not understood; write cited:10.."),
        ("venue:", SHELF, "venue: needs a name after it"),
        ('author:""', SHELF, "author: needs a name after it"),
        ("#", SHELF, "tag: needs a name after it"),
        ("-", SHELF, "- needs a term after it"),
        ('""', SHELF, "quotes need words between them"),
        ("type:blog", SHELF, "type:blog is not known; type: takes article, review"),
        ("year:20", SHELF, "year:20 is not understood"),
        ("in:text", SHELF, "in:text is not known; in: takes fulltext"),
        ("in:", LIBRARY, "in: takes fulltext"),
        ("in:fulltext", SEARCH, "in: cannot be used in a search; use words and author:, venue:"),
        ("in:fulltext", HISTORY, "in: cannot be used in the history"),
        ("doi:10.1/x", SHELF, "doi: is unknown; known on the shelf: about:, author:, venue:, type:"),
        ("doi:1/x", HISTORY, 'doi: is unknown; known in the history: year:. To search for the text, write "doi:1/x"'),
    ],
)  # fmt: skip
def test_a_term_that_is_not_understood_is_said_and_asks_for_nothing(typed: str, scope: FilterScope, said: str) -> None:
    found = parsed(f"kept {typed}", scope)
    assert found.terms == (of_text("kept"),)
    [problem] = found.problems
    assert problem.startswith(said)


def test_more_terms_than_can_be_asked_at_once_are_said() -> None:
    found = parsed("x " * (MOST_TERMS + 1), SHELF)
    assert len(found.terms) == MOST_TERMS
    assert found.problems == (f"a filter has at most {MOST_TERMS} terms",)


@each("scope", SCOPES)
def test_what_is_explained_of_a_scope_is_understood_there(scope: FilterScope) -> None:
    for example, _ in explained(scope):
        field, colon, states = example.partition(":")
        for state in states.split("|"):
            found = parsed(f"{field}{colon}{state}", scope)
            assert found.terms, example
            assert not found.problems, example
    told = " ".join(example for example, _ in explained(scope))
    assert all(f"{field}:" in told for field in scope.fields)
    assert all(not parsed(one, scope).problems for one in summed_up(scope).split("  ")[:-1] if "|" not in one)


def test_names_of_conditions_and_of_arguments_are_unique_and_each_row_says_itself() -> None:
    assert len(CONDITIONS) == len(ROWS) == len({row.word for row in ROWS})
    for row in ROWS:
        assert row.meaning.endswith("."), row.name
        assert all(argument.noun for argument in row.arguments), row.name


def test_an_argument_that_no_condition_has_is_refused() -> None:
    with pytest.raises(KeyError, match="colour"):
        filter_by(colour="red")


@each(
    ("arguments", "why"),
    [
        ({"since": "2020", "until": "2019-12"}, "be from 2020 or later and from 2019-12 or earlier at once"),
        ({"min_citations": 5, "max_citations": 3}, "be cited at least 5 times and cited at most 3 times at once"),
        ({"min_authors": 5, "max_authors": 2}, "have at least 5 authors and at most 2 authors at once"),
        ({"since": "2020", "until": "2020"}, ""),
    ],
)
def test_bounds_that_no_paper_can_meet_are_said(arguments: dict[str, object], why: str) -> None:
    assert filter_by(**arguments).impossible == why
