"""What a person types into a filter is understood, or said not to be; it never asks silently for all or for nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache.filters.parsing import MOST_TERMS, parsed
from cache.filters.places import HISTORY, LIBRARY, SEARCH, SHELF, Place, explained, summed_up
from cache.filters.terms import STATES, In, Is, Named, Span, Term, Words

PLACES = (SEARCH, SHELF, LIBRARY, HISTORY)
pieces = st.sampled_from(
    ["-", "--", '"', " ", ":", "..", "#", "year:", "cited:", "venue:", "author:", "tag:", "is:", "read", "unread",
     "2020", "3", "a", "é", "\u0301", "foo:", "a phrase", "\0", "\n", "retracted", "Year:", "in:", "fulltext", "\udcff",
     "0", "ſ"]
)  # fmt: skip
texts = st.text() | st.lists(pieces).map("".join) | st.lists(pieces).map(" ".join)


@given(texts, st.sampled_from(PLACES))
def test_any_text_is_read_and_what_is_printed_of_it_is_read_as_the_same(text: str, place: Place) -> None:
    found = parsed(text, place)
    again = parsed(str(found), place)
    assert again.terms == found.terms
    assert not again.problems


@given(texts, st.sampled_from(PLACES))
def test_each_text_that_is_not_blank_becomes_a_term_or_a_sentence(text: str, place: Place) -> None:
    found = parsed(text, place)
    readable = text.encode("utf-8", "ignore").decode()
    assert bool(found.terms or found.problems) == bool(readable.strip())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("words", Words("words")),
        ('"a  phrase"', Words("a phrase", exact=True)),
        ('"not closed yet', Words("not closed yet", exact=True)),
        ("year:2020..", Span("year", 2020, None)),
        ("year:..2010", Span("year", None, 2010)),
        ("year:2015..2020", Span("year", 2015, 2020)),
        ("YEAR:2015", Span("year", 2015, 2015)),
        ("cited:10..", Span("cited", 10, None)),
        ("cited:0", Span("cited", 0, 0)),
        ("venue:ACL", Named("venue", "ACL")),
        ('author:"Ada Lovelace"', Named("author", "Ada Lovelace")),
        ("tag:rag", Named("tag", "rag")),
        ("#rag", Named("tag", "rag")),
        ('#"to read"', Named("tag", "to read")),
        *((f"is:{state}", Is(state)) for state in STATES),
        ("10:30", Words("10:30")),
        ("BERT:", Words("BERT:")),
        ("state-of-the-art", Words("state-of-the-art")),
    ],
)
def test_terms_are_understood_and_a_dash_negates_each(typed: str, meant: object) -> None:
    assert parsed(typed, SEARCH).terms == (Term(meant),)  # type: ignore[arg-type]
    assert parsed(f"-{typed}", SEARCH).terms == (Term(meant, negated=True),)  # type: ignore[arg-type]


def test_the_words_that_the_shelf_always_understood_still_mean_states_there_alone() -> None:
    assert parsed("unread -read", SHELF).terms == (Term(Is("unread")), Term(Is("read"), negated=True))
    assert parsed("unread read", SEARCH).terms == (Term(Words("unread")), Term(Words("read")))
    assert parsed('"read"', SHELF).terms == (Term(Words("read", exact=True)),)


def test_full_texts_are_asked_for_where_the_library_is_listed() -> None:
    for place in (SHELF, LIBRARY):
        assert parsed("x in:FullText", place).terms == (Term(Words("x")), Term(In("fulltext")))
        assert parsed("x in:fulltext", place).in_full_texts
        assert not parsed("x -in:fulltext", place).in_full_texts


@pytest.mark.parametrize(
    ("typed", "place", "said"),
    [
        ("is:foo", SHELF, "is:foo is not known; is: takes open, unread, read, saved, retracted"),
        ("is:foo", SEARCH, "is:foo is not known; is: takes relevant, included, excluded, later, open, unread, read,"),
        ("is:relevant", SHELF, "is:relevant has no meaning on the shelf; is: takes open, unread"),
        ("-is:relevant", LIBRARY, "is:relevant has no meaning in the library; is: takes open, unread"),
        ("is:", SEARCH, "is: takes relevant, included"),
        ("tag:x", HISTORY, "tag: has no meaning in the history; known here are words and year:"),
        ("is:open", HISTORY, "is: has no meaning in the history"),
        ("year:soon", SHELF, "year:soon is not understood; write year:2020, year:2020.."),
        ("year:..", SHELF, "year:.. is not understood"),
        ("year:2020..2010", SHELF, "year:2020..2010 ends before it begins; write year:2010..2020"),
        ("cited:many", SHELF, "cited:many is not understood; write cited:10.."),
        ("venue:", SHELF, "venue: needs a name behind it"),
        ('author:""', SHELF, "author: needs a name behind it"),
        ("#", SHELF, "tag: needs a name behind it"),
        ("-", SHELF, "- needs a term behind it"),
        ('""', SHELF, "quotes need words between them"),
        ("in:text", SHELF, "in:text is not known; in: takes fulltext"),
        ("in:", LIBRARY, "in: takes fulltext"),
        ("in:fulltext", SEARCH, "in: has no meaning in a search; known here are words and year:, cited:"),
        ("in:fulltext", HISTORY, "in: has no meaning in the history"),
        ("doi:10.1/x", SHELF, "doi: is not known; known on the shelf: year:, cited:, venue:, author:, tag:, is:"),
        ("doi:1/x", HISTORY, 'doi: is not known; known in the history: year:. To look for the text, write "doi:1/x"'),
    ],
)  # fmt: skip
def test_a_term_that_is_not_understood_is_said_and_asks_for_nothing(typed: str, place: Place, said: str) -> None:
    found = parsed(f"kept {typed}", place)
    assert found.terms == (Term(Words("kept")),)
    [problem] = found.problems
    assert problem.startswith(said)


def test_more_terms_than_can_be_asked_at_once_are_said() -> None:
    found = parsed("x " * (MOST_TERMS + 1), SHELF)
    assert len(found.terms) == MOST_TERMS
    assert found.problems == (f"a filter has at most {MOST_TERMS} terms",)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_explained_of_a_place_is_understood_there(place: Place) -> None:
    for example, _ in explained(place):
        for one in example.split("|"):
            found = parsed(one if one not in place.states else f"is:{one}", place)
            assert found.terms, example
            assert not found.problems, example
    assert all(f"{field}:" in summed_up(place) for field in place.fields)
