"""What a source could not be asked is applied to its papers: only those that surely do not match are left out."""

from agents.run.events import FoundBy, Link
from agents.run.findings import FoundPaper
from agents.search.question.matching import is_no_match, may_match
from connectors.paper import Author, Paper
from connectors.query.expression import parse_expression
from tests.rows import each

PAPER = Paper(
    "Vaping among Young People",
    "We asked 200 pupils about e-cigarettes and the quality of their sleep.",
    (Author("García-Márquez", "Ana"), Author("Smith", "John")),
    "2018-05",
    "Addiction",
)


@each(
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


def found(paper: Paper, *sources: str, link: Link | None = None) -> FoundPaper:
    return FoundPaper(paper, tuple(FoundBy(source, "vaping NOT adults", 1, link) for source in sources))


def test_what_surely_does_not_match_is_no_match_where_no_source_was_asked_all_of_it() -> None:
    question, adults = "vaping NOT adults", Paper("Vaping of adults", "All were adults.")
    assert is_no_match(question, found(adults, "crossref"))
    assert not is_no_match(question, found(adults, "crossref", "pubmed"))
    assert not is_no_match(question, found(Paper("Vaping"), "crossref"))
    assert not is_no_match(question, found(PAPER, "crossref"))
    assert is_no_match(question, found(adults, "pubmed", link="citations"))
    assert not is_no_match(question, found(PAPER, "pubmed", link="citations"))
    assert not is_no_match("vaping without adults", found(adults, "crossref"))


def test_what_a_source_took_whole_is_not_judged_again() -> None:
    """PubMed finds by its thesaurus: a paper need not have the words."""
    assert not is_no_match("heart attack AND stroke", found(Paper("Myocardial infarction", "A trial."), "pubmed"))
