"""A strategy can be pasted: it is what a source was asked, decoded, without what only a program needs."""

from hypothesis import given
from hypothesis import strategies as st

from connectors.registry import SOURCES, searchable
from spar_tui.reports.search_items import FIELDS, answers_in, form_text, missing_headings, strategies
from tests.rows import each


@each(
    ("source", "sent", "strategy"),
    [
        (
            "pubmed",
            "POST /entrez/eutils/esearch.fcgi db=pubmed&retmode=xml&term=%22sleep%22%5Btiab%5D+AND+teen%2A&retmax=50",
            '"sleep"[tiab] AND teen*',
        ),
        (
            "pubmed",
            "POST /entrez/eutils/esearch.fcgi term=a+OR+b&datetype=pdat&mindate=2015/01/01&maxdate=2020/12/31",
            '(a OR b) AND ("2015/01/01"[dp] : "2020/12/31"[dp])',
        ),
        (
            "arxiv",
            "/api/query?search_query=all%3Adense+AND+all%3Aretrieval&id_list=&start=0&max_results=50",
            "all:dense AND all:retrieval",
        ),
        (
            "openalex",
            "/works?select=id,doi&search=dense+retrieval&filter=from_publication_date:2018-01-01&per-page=50",
            "dense retrieval  [filter=from_publication_date:2018-01-01]",
        ),
        ("europepmc", "/search?query=TITLE_ABS:sleep%20AND%20SRC:MED&format=json", "TITLE_ABS:sleep AND SRC:MED"),
        ("google", 'POST /scholar {"q": "sleep in teenagers", "num": 20, "page": 1}', "sleep in teenagers"),
        ("library", "dense retrieval", "dense retrieval"),
    ],
)  # fmt: skip
def test_a_request_gives_its_strategy(source: str, sent: str, strategy: str) -> None:
    assert strategies(source, [sent]) == [strategy]


def test_pages_and_fetches_by_id_repeat_no_strategy() -> None:
    pages = [f"/search?query=sleep&format=json&cursorMark={mark}" for mark in ("*", "AoE")]
    assert strategies("europepmc", pages) == ["sleep"]
    sent = ["POST /entrez/eutils/esearch.fcgi db=pubmed&term=sleep", "POST /entrez/eutils/efetch.fcgi db=pubmed&id=1,2"]
    assert strategies("pubmed", sent) == ["sleep"]


def test_what_holds_no_strategy_is_shown_as_it_was_sent() -> None:
    assert strategies("pubmed", ["POST /scholar {broken"]) == ["POST /scholar {broken"]


def test_every_source_that_can_be_searched_says_how_it_is_reported() -> None:
    for spec in searchable():
        assert spec.interface, spec.name
        assert spec.search_page.startswith("https://"), spec.name
        assert spec.strategy, spec.name
    assert {spec.name for spec in searchable()} <= set(SOURCES)


lines = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20).map(lambda text: f"x{text}")
answers = st.dictionaries(st.sampled_from(sorted(FIELDS)), st.lists(lines, min_size=1, max_size=3).map("\n".join))


@given(answers)
def test_a_form_that_nobody_changes_says_the_same(before: dict[int, str]) -> None:
    assert answers_in(form_text("20261126-1000-abcd", "a question", before)) == before


def test_a_form_without_a_heading_is_told_from_a_whole_one() -> None:
    form = form_text("run", "a question", {4: "by hand", 6: "the makers"})
    assert missing_headings(form) == []
    assert missing_headings("\n".join(line for line in form.splitlines() if not line.startswith("[6]"))) == [6]
    assert missing_headings("") == list(FIELDS)


def test_an_empty_form_answers_nothing() -> None:
    assert answers_in(form_text("run", "[3] a question\n[4] that looks like a form", {})) == {}


def test_what_stands_before_the_first_heading_or_below_an_unknown_one_is_no_answer_of_its_own() -> None:
    assert answers_in("hello\n[3] Registries: which?\nClinicalTrials.gov\n[99] is a note\n") == {
        3: "ClinicalTrials.gov\n[99] is a note"
    }
