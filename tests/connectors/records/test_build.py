from itertools import count, pairwise
from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st

from connectors.identifiers import doi
from connectors.paper import Author, KeywordOrigin, Paper
from connectors.records.build import (
    AUTHORS_CAP,
    KEYWORD_CAP,
    KEYWORDS_CAP,
    abstract_in,
    author,
    author_from_name,
    build_paper,
    keywords_of,
)
from connectors.records.clean import clean_text, is_clean
from connectors.records.matching import same_work
from connectors.records.merging import merge
from connectors.records.web_address import web_address
from tests.rows import each

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


@each("address", ["http://@host/", "http://me@host/", "http://:@host/"])
def test_an_address_for_somebody_is_none(address: str) -> None:
    assert web_address(address) is None


def test_a_plain_web_address_stays_as_it_is() -> None:
    assert web_address("https://doi.org/10.5555/w.1(2)~x") == "https://doi.org/10.5555/w.1(2)~x"
    assert web_address(" http://example.org ") == "http://example.org"


def test_of_a_list_of_authors_without_end_the_first_are_read() -> None:
    people = (Author(f"Weiss{number}") for number in count())
    paper = build_paper("crossref", title="T", authors=people)
    assert (len(paper.authors), paper.et_al) == (AUTHORS_CAP, True)


TOLD = st.lists(
    st.text(max_size=12) | st.sampled_from(["Sleep", "SLEEP", "ſleep", "<i>Sleep</i>", None, 7]), max_size=60
)


def about(source: str, *keywords: object) -> Paper:
    return build_paper(source, title="A study of x", identifiers=[doi("10.1000/x")], keywords=keywords)


@given(TOLD)
def test_keywords_are_clean_and_few_and_no_two_differ_by_case_alone(told: list[object]) -> None:
    kept = keywords_of(told)
    assert all(clean_text(word) == word and word for word in kept)
    assert len({word.casefold() for word in kept}) == len(kept) <= KEYWORDS_CAP


@given(TOLD)
def test_keywords_stay_in_their_order_and_case(told: list[object]) -> None:
    words = [clean_text(text) for text in told]
    places = [words.index(word) for word in keywords_of(told)]
    assert all(one < other for one, other in pairwise(places))


@each(
    ("told", "kept"),
    [
        (["Coffee", "coffee", "COFFEE", "Sleep"], ("Coffee", "Sleep")),
        (["H<sub>2</sub>O", "sleep\x1b[31m apnea", " cs.CL "], ("H2O", "sleep apnea", "cs.CL")),
        (["", "-", " ; ", None, 7, ["Sleep"]], ()),
        (["a" * KEYWORD_CAP, "b" * (KEYWORD_CAP + 1), "c " * KEYWORD_CAP], ("a" * KEYWORD_CAP,)),
        ([str(number) for number in range(99)], tuple(str(number) for number in range(KEYWORDS_CAP))),
    ],
)
def test_what_is_no_keyword_is_left_out_and_none_is_cut(told: list[object], kept: tuple[str, ...]) -> None:
    assert keywords_of(told) == kept


def test_a_joined_paper_has_the_keywords_of_all_the_most_trusted_sources_first() -> None:
    told = about("arxiv", "cs.CL"), about("openalex", "Sleep", "Coffee"), about("pubmed", "Humans", "sleep")
    both = merge(merge(*told[:2]), told[2])
    assert both.keywords == ("Humans", "sleep", "Coffee", "cs.CL")
    assert [origin.source for origin in both.keyword_origins] == ["pubmed", "pubmed", "openalex", "arxiv"]


def test_joined_papers_have_no_more_keywords_than_one_and_lose_the_least_trusted() -> None:
    many = [f"word {number}" for number in range(KEYWORDS_CAP - 1)]
    both = merge(about("semanticscholar", "Medicine", "Biology"), about("pubmed", *many))
    assert both.keywords == (*many, "Medicine")


def test_keywords_of_an_unknown_origin_are_kept_behind_all_others() -> None:
    named = Paper("A study of x", identifiers=about("arxiv").identifiers, keywords=("Tea", "cs.CL"))
    both = merge(named, about("arxiv", "cs.CL"))
    assert both.keywords == ("cs.CL", "Tea")
    assert both.keyword_origins == (KeywordOrigin("arxiv", 0), KeywordOrigin("", 0))


@given(TOLD, TOLD)
def test_keywords_never_make_two_works_of_one_nor_one_of_two(one: list[object], other: list[object]) -> None:
    assert same_work(about("pubmed", *one), about("openalex", *other))
    stranger = build_paper("pubmed", title="On y", identifiers=[doi("10.1000/y")], keywords=one)
    assert not same_work(stranger, about("pubmed", *one))


@each(
    ("abstract", "cleaned"),
    [
        ("The rate.ResultsThe registry reports 12%.", "The rate. Results The registry reports 12%."),
        ("BACKGROUNDWe ask. It fell.CONCLUSIONSIt helps.", "BACKGROUND We ask. It fell. CONCLUSIONS It helps."),
        ("Results of a trial. MethodsX is a journal.", "Results of a trial. MethodsX is a journal."),
    ],
)  # fmt: skip
def test_headings_attached_to_the_words_of_an_abstract_get_their_blanks_back(abstract: str, cleaned: str) -> None:
    assert abstract_in(abstract) == cleaned


@each(
    ("abstract", "cleaned"),
    [
        ("Of 10<sup>6</sup> and 10<jats:sup>-3</jats:sup> cells", "Of 10^6 and 10^-3 cells"),
        ("Of 2&lt;sup&gt;<i>n</i>&lt;/sup&gt; and 101<sub>2</sub>", "Of 2^n and 101_2"),
        ("H<sub>2</sub>O on the 5<sup>th</sup> of 3 <i>K</i>", "H2O on the 5th of 3 K"),
    ],
)
def test_an_exponent_in_an_abstract_does_not_become_digits_of_its_base(abstract: str, cleaned: str) -> None:
    assert abstract_in(abstract) == cleaned
