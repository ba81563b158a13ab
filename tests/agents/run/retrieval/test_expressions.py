"""What a source could not be asked is applied to its answer: only papers that surely do not match are left out."""

import pytest

from agents.run.retrieval.expressions import applied, asked_in, may_match
from connectors.paper import Author, Paper
from connectors.query.expression import parse_expression
from connectors.source import Answer, Query

PAPER = Paper(
    "Vaping among Young People",
    "We asked 200 pupils about e-cigarettes and the quality of their sleep.",
    (Author("García-Márquez", "Ana"), Author("Smith", "John")),
    "2018-05",
    "Addiction",
)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("vaping AND pupils", True),
        ("vaping AND adults", False),
        ("vaping NOT pupils", False),
        ("vaping AND (adults OR pupils)", True),
        ('"young people" AND vaping', True),
        ('"people young" AND vaping', False),
        ("title:pupils AND vaping", False),
        ("abstract:pupils AND vaping", True),
        ("e-cigarette* AND vaping", True),
        ("e-cigarette AND vaping", False),
        ("author:garcia AND vaping", True),
        ("smith j[au] AND vaping", True),
        ("smith k[au] AND vaping", False),
        ("venue:addiction AND vaping", True),
        ("year:2018 AND vaping", True),
        ("year:2019.. AND vaping", False),
        ('"quality sleep"~2 AND vaping', True),
        ('"quality sleep"~1 AND vaping', False),
        ("mesh:adolescent AND vaping", None),
        ("mesh:adolescent AND adults", False),
        ("mesh:adolescent OR vaping", True),
    ],
)
def test_a_record_matches_or_does_not_or_does_not_tell(text: str, matches: bool | None) -> None:
    assert may_match(parse_expression(text), PAPER) is matches


def test_without_an_abstract_only_what_the_title_says_is_sure() -> None:
    bare = Paper("Vaping among young people")
    assert may_match(parse_expression("vaping AND pupils"), bare) is None
    assert may_match(parse_expression("vaping NOT pupils"), bare) is None
    assert may_match(parse_expression("title:pupils AND vaping"), bare) is False
    assert may_match(parse_expression("smog NOT vaping"), bare) is False


def test_an_answer_loses_what_surely_does_not_match_and_says_so() -> None:
    query = Query("vaping NOT adults", form="expression")
    answer = Answer((PAPER, Paper("Vaping of adults", "All were adults."), Paper("Vaping")))
    kept = applied("crossref", query, answer)
    assert [paper.title for paper in kept.papers] == [PAPER.title, "Vaping"]
    assert kept.notes == ("1 of 3 records do not match the query, which crossref takes only in part",)


def test_what_a_source_took_whole_is_not_judged_again() -> None:
    """PubMed finds by its thesaurus: a paper need not have the words."""
    query = Query("heart attack AND stroke", form="expression")
    answer = Answer((Paper("Myocardial infarction and apoplexy", "A trial."),))
    assert applied("pubmed", query, answer) is answer


def test_a_source_without_operators_is_asked_for_words() -> None:
    query = Query("vaping NOT adults", form="expression")
    assert asked_in("crossref", query) == Query("vaping")
    assert asked_in("pubmed", query) is query
