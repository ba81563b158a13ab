"""What a model makes up, passes on or says in another language never reaches the text."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agents.summary.events import ROOT, Sentence
from agents.summary.options import SummaryOptions
from agents.summary.writing.grounding import grounded
from connectors.paper import WorkId
from tests.agents.scripted import paper
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import Asked, Summed, honest_model, listed, sentence, summed
from tests.rows import each

FLAT = SummaryOptions(depth=0, words=200)
PAPER = paper("Token pruning", "10.1000/p", abstract="Token pruning halves the index in 2019. Recall falls by 3 %.")
PAPERS = {"p1": (WorkId(7), PAPER)}


def written(**said: Any) -> Summed:
    """A summary without facets whose model writes one section out of `said`, or what `said` makes of the papers."""

    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        made = said["sentences"]
        return {"sections": [{"id": "s1", **said, "sentences": made(section["papers"]) if callable(made) else made}]}

    return summed(shelf(Library(made_up(40)), model=honest_model(write=write)), FLAT)


def test_a_sentence_without_support_is_cut_and_the_others_stay() -> None:
    made_up_one = {"text": "Everybody agrees on it.", "citations": [{"paper": "p99", "quote": "Everybody agrees"}]}
    done = written(sentences=lambda papers: [sentence(papers[0]), made_up_one, {"text": "It is so."}])
    root = done.written(ROOT)
    assert (root.by, len(root.sentences), root.cut) == ("model", 1, 2)
    assert "2 sentences without support in a paper were cut." in done.text
    assert "Everybody" not in done.text


def test_a_name_that_a_model_invents_is_no_format_of_a_text() -> None:
    made_up_one = {"text": "Everybody agrees on it.", "citations": [{"paper": "@misc{x} {0.y} {", "quote": "agrees"}]}
    done = written(sentences=lambda papers: [sentence(papers[0]), made_up_one])
    assert len(done.written(ROOT).sentences) == 1


def test_a_text_of_inventions_alone_is_no_answer() -> None:
    done = written(
        sentences=[{"text": "Invented.", "citations": [{"paper": "p1", "quote": "words that stand nowhere"}]}]
    )
    assert done.written(ROOT).by == "built-in"
    assert "Invented" not in done.text


def test_another_language_than_the_topics_is_no_answer() -> None:
    def in_german(papers: list[Any]) -> list[Any]:
        text = (
            "Die Arbeit untersucht die Suche nach scientific texts und zeigt, dass sie nicht mit der Zeit besser wird."
        )
        return [{**sentence(paper), "text": text} for paper in papers[:2]]

    done = written(sentences=in_german)
    assert done.written(ROOT).by == "built-in"
    assert any("another language" in warning for warning in done.state.findings.warnings)


def test_what_the_literature_does_not_say_is_said() -> None:
    done = written(sentences=lambda papers: [sentence(papers[0])], missing="how long an index lives.")
    assert done.written(ROOT).gap == "The literature found does not say: how long an index lives."
    assert done.written(ROOT).gap in done.text


def test_a_plan_that_asks_nothing_makes_no_facet() -> None:
    def planning(request: Asked) -> dict[str, Any]:
        return {
            "facets": [
                {"title": "", "question": ""},
                {"title": "Inverted indexes", "question": "Which?", "query": "inverted indexes"},
            ]
        }

    done = summed(shelf(Library(made_up(40)), model=honest_model(plan=planning)), SummaryOptions(depth=1))
    assert [facet.title for facet in done.state.facets.values()] == ["Inverted indexes"]


@each(
    ("text", "stands"),
    [
        ("Of the words of authors, a learned index loses hardly any.", True),
        ("One paper says that token pruning halves the index at hardly any loss.", False),
        ("One paper says that “token pruning halves the index at hardly any loss”.", True),
        ("One paper says that “token pruning never halves the index”.", False),
        ("Pruning of “tokens” makes the index half as large.", True),
    ],
)
def test_eight_words_in_a_row_as_a_paper_has_them_stand_in_quotation_marks_or_not_at_all(
    text: str, stands: bool
) -> None:
    told = "Token pruning halves the index at hardly any loss"
    one = grounded(text, [("p1", told)], {"p1": (WorkId(7), replace(PAPER, abstract=f"{told} of recall."))})
    assert (one.sentence is not None) == stands
    assert one.faults == () or "quotation marks" in one.faults[0]


def test_what_a_model_writes_of_one_paper_is_no_disagreement() -> None:
    done = written(sentences=lambda papers: [{**sentence(papers[0]), "contested": True}])
    assert not done.written(ROOT).sentences[0].contested


@each("mends", [True, False])
def test_a_sentence_with_a_reference_of_the_models_own_is_written_again_or_cut(mends: bool) -> None:
    said: list[dict[str, Any]] = []

    def write(request: Asked) -> dict[str, Any]:
        papers = listed(request, "Sections")[0]["papers"]
        said[:] = [sentence(paper) for paper in papers[:3]]
        marks = ("[3].", "(Smith et al., 2020).", "https://evil.example/x")
        marked = [{**one, "text": f"{one['text']} {mark}"} for one, mark in zip(said, marks, strict=True)]
        return {"sections": [{"id": "s1", "sentences": [*marked, sentence(papers[3])]}]}

    def repair(request: Asked) -> dict[str, Any]:
        failed = listed(request, "Sentences")
        assert [one["wrong"][0].split("”")[0] for one in failed] == [
            "it has “[3]",
            "it has “Smith et al",
            "it has “https://evil.example/x",
        ]
        return {
            "sentences": [{"id": one["id"], **good} for one, good in zip(failed, said, strict=True)] if mends else []
        }

    root = summed(shelf(Library(made_up(40)), model=honest_model(write=write, repair=repair)), FLAT).written(ROOT)
    assert (root.by, len(root.sentences), root.cut) == (("model", 4, 0) if mends else ("model", 1, 3))


@each(
    ("text", "quote", "stands"),
    [
        ("Token pruning halves the index.", "Token pruning halves the index", True),
        ("Token pruning halves the index.", "token pruning  halves the INDEX", True),
        ("Token pruning halves the index.", "token pruning quarters the index", False),
        ("Token pruning halves the index 7 times.", "Token pruning halves the index", False),
        ("Recall of the index falls by 3 %.", "Recall falls by 3 %", True),
        ("Rivers flow into the sea.", "Recall falls by 3 %", False),
        ("Token pruning halves the index.", "", False),
        ("", "Token pruning halves the index", False),
    ],
)
def test_a_sentence_stands_if_a_quote_that_speaks_of_the_same_stands_in_its_paper(
    text: str, quote: str, stands: bool
) -> None:
    one = grounded(text, [("p1", quote)], PAPERS)
    assert (one.sentence is not None and not one.doubt) == stands


@given(st.text(max_size=80), st.lists(st.tuples(st.sampled_from(["p1", "p2", ""]), st.text(max_size=40)), max_size=3))
def test_whatever_a_model_says_only_words_of_papers_are_quoted(text: str, cited: list[tuple[str, str]]) -> None:
    made = grounded(text, cited, PAPERS).sentence
    assert made is None or isinstance(made, Sentence)
    for one in made.citations if made else ():
        assert one.work == 7
        assert one.quote in PAPER.abstract or one.quote in PAPER.title


@given(st.text(max_size=80))
def test_no_sentence_with_a_link_stands(text: str) -> None:
    for link in ("https://evil.example/", "10.1000/"):
        assert grounded(f"{text} see {link}{text}", [("p1", "Recall falls by 3 %")], PAPERS).sentence is None


@each(
    ("text", "stands", "doubted"),
    [
        ("Recall falls by 3 % [p1].", True, False),
        ("Recall falls, and 97 % of it stays [p1].", True, False),
        ("Recall falls by 3 % in 2019 [p1].", True, True),
        ("Recall falls by 47 % [p1].", False, False),
    ],
)
def test_a_number_that_no_quote_has_stands_only_if_the_model_says_so(text: str, stands: bool, doubted: bool) -> None:
    checked = grounded(text, [("p1", "Recall falls by 3 %")], PAPERS)
    assert (checked.sentence is not None, bool(checked.doubt)) == (stands, doubted)
