"""Each source is sent an expression in its own language, and what it cannot take is named."""

import pytest
from hypothesis import given

from connectors.errors import BadQuery
from connectors.query.dialects import DIALECTS, asked_in, sent_text, translated
from connectors.query.expression import Both, Leaf, parse_expression
from connectors.registry import SOURCES
from connectors.source import Query
from tests.connectors.query.test_expression import NODES, written
from tests.rows import each

SMOKING = "smoking cessation AND (school OR college) NOT adults"
VAPING = 'vaping[tiab] AND "young people" AND smith j[au] AND year:2015..2020'


@each(
    ("source", "sent"),
    [
        ("pubmed", "smoking AND cessation AND (school OR college) NOT adults"),
        ("openalex", "smoking AND cessation AND (school OR college) NOT adults"),
        ("arxiv", "all:smoking AND all:cessation AND (all:school OR all:college) ANDNOT all:adults"),
        (
            "europepmc",
            (
                "TITLE_ABS:smoking AND TITLE_ABS:cessation AND (TITLE_ABS:school OR TITLE_ABS:college)"
                " NOT TITLE_ABS:adults"
            ),
        ),
        ("google", "smoking cessation (school OR college) -adults"),
    ],
)
def test_operators_are_written_as_the_source_reads_them(source: str, sent: str) -> None:
    assert translated(source, SMOKING).text == sent
    assert translated(source, SMOKING).left == ()


@each(
    ("source", "sent"),
    [
        ("pubmed", 'vaping[tiab] AND "young people" AND "smith j"[au] AND 2015:2020[dp]'),
        ("europepmc", 'TITLE_ABS:vaping AND TITLE_ABS:"young people" AND AUTH:"smith j" AND PUB_YEAR:[2015 TO 2020]'),
        (
            "arxiv",
            'all:vaping AND all:"young people" AND au:"smith j" AND submittedDate:[201501010000 TO 202012312359]',
        ),
        ("openalex", 'vaping AND "young people"'),
    ],
)
def test_fields_phrases_and_years_are_written_as_the_source_reads_them(source: str, sent: str) -> None:
    assert translated(source, VAPING).text == sent


@each(
    ("source", "left"),
    [
        ("pubmed", ""),
        ("europepmc", ""),
        ("arxiv", "vaping[tiab]"),
        ("openalex", "vaping[tiab] smith j[au] 2015:2020[dp]"),
    ],
)
def test_what_a_source_cannot_take_is_left_for_its_answer(source: str, left: str) -> None:
    wanted = parse_expression(VAPING)
    assert isinstance(wanted, Both)
    parts = wanted.parts
    told = {"vaping[tiab]": parts[0], "smith j[au]": parts[2], "2015:2020[dp]": parts[3]}
    assert translated(source, VAPING).left == tuple(part for text, part in told.items() if text in left)


@each("source", [name for name in SOURCES if name not in DIALECTS])
def test_a_source_without_operators_is_asked_for_the_words_and_the_whole_is_left(source: str) -> None:
    translation = translated(source, SMOKING)
    assert translation.text == "smoking cessation school college"
    assert translation.left == (parse_expression(SMOKING),)


@each(("source", "sent"), [("pubmed", "asthma* AND smog"), ("openalex", "smog"), ("arxiv", "all:smog")])
def test_a_word_that_cannot_be_left_open_is_left_for_the_answer(source: str, sent: str) -> None:
    translation = translated(source, "asthma* AND smog")
    assert translation.text == sent
    assert translation.left == (() if source == "pubmed" else (Leaf(("asthma",), truncated=True),))


def test_where_a_source_takes_no_part_it_is_asked_for_the_words() -> None:
    assert translated("openalex", "asthma*").text == "asthma"
    assert translated("openalex", "asthma* OR title:smog").text == "asthma OR smog"
    assert translated("arxiv", "asthma* AND tiab:smog*").text == "all:asthma OR all:smog"
    assert translated("openalex", "asthma* NOT smog").text == "asthma"


def test_a_query_is_made_wider_and_never_narrower() -> None:
    """What stands in a NOT is left out of it where the source would exclude more than was asked."""
    assert translated("openalex", "smog NOT title:winter").text == "smog"
    assert translated("openalex", "smog NOT (title:winter OR frost)").text == "smog NOT frost"
    assert translated("openalex", "smog NOT (title:winter AND frost)").text == "smog"
    assert translated("openalex", "smog AND (mesh:lung OR heart)").text == "smog"


def test_a_query_that_a_source_can_take_no_part_of_is_not_sent() -> None:
    with pytest.raises(BadQuery, match="cannot search for any part"):
        sent_text("pubmed", Query("smog OR NOT haze", form="expression"))


def test_a_text_of_ones_own_is_sent_as_it_stands() -> None:
    assert sent_text("pubmed", Query("vaping[tiab:~2] #1", form="verbatim")) == "vaping[tiab:~2] #1"
    assert sent_text("pubmed", Query("vaping AND smog")) is None


@given(NODES)
def test_parentheses_are_balanced_and_nothing_is_left_where_all_is_taken(tree: object) -> None:
    text = written(tree)  # type: ignore[arg-type]
    for source in DIALECTS:
        sent = translated(source, text).text
        assert sent.count("(") == sent.count(")")
        assert "()" not in sent


def test_a_source_without_operators_is_asked_for_words() -> None:
    query = Query("vaping NOT adults", form="expression")
    assert asked_in("crossref", query) == Query("vaping")
    assert asked_in("pubmed", query) is query


def test_a_distance_within_another_field_is_left_for_the_answer() -> None:
    assert translated("pubmed", '"sleep quality"~3 AND smog').text == '"sleep quality"[tiab:~3] AND smog'
    inexact = translated("pubmed", '"sleep quality"[ti:~3] AND smog')
    assert inexact.text == "(sleep[ti] AND quality[ti]) AND smog"
    assert len(inexact.left) == 1
