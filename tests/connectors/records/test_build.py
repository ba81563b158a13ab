from itertools import count
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import Author
from connectors.records.build import AUTHORS_CAP, author, author_from_name, build_paper
from connectors.records.clean import clean_text, is_clean
from connectors.records.web_address import web_address

WORDS = st.lists(st.text(st.sampled_from("aZé.'-,$<>&;/ i\u0301\u200b\x1b[31m"), min_size=1, max_size=8), max_size=5)
ADDRESSES = st.from_regex(r"https?://[a-z.-]{0,9}[@:?#]?[a-zA-Z0-9./()<>&;= %\[\]~-]{0,12}", fullmatch=True)


@given(WORDS)
def test_the_parts_of_a_name_are_as_clean_as_if_each_had_been_told_alone(words: list[str]) -> None:
    if found := author_from_name(" ".join(words)):
        assert author(found.family, found.given, suffix=found.suffix) == found


@given(WORDS)
def test_the_words_of_a_clean_text_are_clean(words: list[str]) -> None:
    text = clean_text(" ".join(words))
    if is_clean(text):
        assert all(clean_text(word) == word for word in text.split())


@given(ADDRESSES)
def test_a_web_address_has_a_host_no_user_and_nothing_to_clean(address: str) -> None:
    if found := web_address(address):
        parts = urlsplit(found)
        assert (parts.scheme in ("http", "https"), bool(parts.hostname), parts.username) == (True, True, None)
        assert clean_text(found, 2_000) == found


@pytest.mark.parametrize("address", ["http://@host/", "http://me@host/", "http://:@host/"])
def test_an_address_for_somebody_is_none(address: str) -> None:
    assert web_address(address) is None


def test_a_plain_web_address_stays_as_it_is() -> None:
    assert web_address("https://doi.org/10.5555/w.1(2)~x") == "https://doi.org/10.5555/w.1(2)~x"
    assert web_address(" http://example.org ") == "http://example.org"


def test_of_a_list_of_authors_without_end_the_first_are_read() -> None:
    people = (Author(f"Weiss{number}") for number in count())
    paper = build_paper("crossref", title="T", authors=people)
    assert (len(paper.authors), paper.et_al) == (AUTHORS_CAP, True)
