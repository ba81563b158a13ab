"""What is made of a question before anybody is asked."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

from agents.run.retrieval.queries import LONGEST_QUERY
from agents.search.events import PaperJudged, QuestionUnderstood
from agents.search.options import SearchOptions
from agents.search.question.wanted import MOST_NEEDS
from spar_tui.phrases import left_out_text
from tests.agents.scripted import ScriptedSource
from tests.agents.search.world import Library, made_up, model_at, scripted, searched, shelf, unfenced
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.server import ModelRequest

PAPERS = made_up(30)
NAMES = ("arxiv", "openalex", "semanticscholar", "pubmed", "crossref")


def understood(question: str, options: SearchOptions | None = None, **answer: Any) -> QuestionUnderstood:
    """How `question` is read: by rule, or by a model that gives `answer`."""
    sources = [ScriptedSource(name) for name in NAMES]
    with scripted(understand=lambda request: answer) as endpoint:
        model = model_at(endpoint) if answer else None
        found = searched(
            shelf(*sources, model=model), options or SearchOptions(evolution=False, refchain=False), question
        )
    assert found.state.understood is not None
    return found.state.understood


REFINED = [{"query": "learned sparse representations", "pubmed": ""}, {"query": "inverted index compression"}]


@each("answer", [{}, {"refined": REFINED}, {"refined": []}])
def test_the_question_is_always_the_first_of_the_queries(answer: dict[str, Any]) -> None:
    question = "sparse retrieval since 2020?"
    assert understood(question, **answer).queries[0] == question


LONG = (
    "Serum lipoprotein concentrations in cystic fibrosis. Children with cystic fibrosis had lower serum cholesterol "
    "and triglyceride concentrations than healthy siblings. Essential fatty acids and fat-soluble vitamins are "
    "absorbed badly because of pancreatic insufficiency."
)


def test_of_a_long_text_sources_that_find_nothing_without_every_word_are_sent_few() -> None:
    read = understood(LONG, SearchOptions(evolution=False, refchain=False, choose_sources=False))
    for query in read.read_queries:
        for name in ("openalex", "semanticscholar"):
            assert 2 <= len(query.text_for(name).split()) <= 5
        assert query.text_for("crossref") == query.text_for("library") == query.text
    assert "fibrosis" in read.read_queries[0].text_for("openalex")


def test_of_a_long_text_sources_that_are_content_with_any_of_the_words_are_sent_its_topic() -> None:
    itself, *others = understood(
        LONG, SearchOptions(evolution=False, refchain=False, choose_sources=False)
    ).read_queries
    assert len(itself.text_for("arxiv").split()) > 3
    assert any(len(query.text.split()) > 3 for query in others)


def test_dates_in_the_question_become_filters() -> None:
    read = understood("papers on sparse retrieval between 2018 and 2020")
    assert (read.since, read.until) == (date(2018, 1, 1), date(2020, 12, 31))


def test_a_date_that_a_rule_reads_is_kept_when_the_model_misses_it() -> None:
    read = understood("papers on sparse retrieval between 2018 and 2020", refined=REFINED)
    assert (read.since, read.until) == (date(2018, 1, 1), date(2020, 12, 31))
    assert read.by == "model"


def test_the_persons_own_bounds_come_before_what_anyone_reads() -> None:
    options = SearchOptions(date(2015, 1, 1), date(2016, 1, 1), evolution=False, refchain=False)
    read = understood("sparse retrieval between 2018 and 2020", options, since="2001-01-01", until="2002-01-01")
    assert (read.since, read.until) == (date(2015, 1, 1), date(2016, 1, 1))


def test_bounds_of_the_model_that_contradict_each_other_are_dropped() -> None:
    read = understood("sparse retrieval", since="2022-01-01", until="2001-01-01")
    assert (read.since, read.until) == (None, None)


def test_only_papers_within_the_read_dates_are_in_the_answer() -> None:
    found = searched(
        shelf(Library(PAPERS)), SearchOptions(choose_sources=False), "sparse retrieval between 2000 and 2010"
    )
    years = [found.state.found[entry.work].paper.year or 0 for entry in found.state.ranking]
    assert years
    assert all(2000 <= year <= 2010 for year in years)


@each("by_model", [False, True])
def test_dates_of_the_question_are_no_limits_where_papers_of_any_date_are_kept(by_model: bool) -> None:
    options = SearchOptions(any_date=True, evolution=False, refchain=False)
    answer = {"since": "2018-01-01", "refined": REFINED} if by_model else {}
    read = understood("papers on sparse retrieval between 2018 and 2020", options, **answer)
    assert (read.since, read.until) == (None, None)


def test_how_many_papers_the_dates_of_the_question_leave_out_is_said() -> None:
    options = SearchOptions(choose_sources=False)
    limited = searched(shelf(Library(PAPERS)), options, "sparse retrieval between 2000 and 2010").state
    left_out = sum(not 2000 <= (one.paper.year or 0) <= 2010 for one in limited.found.values())
    assert left_out > 1
    assert left_out_text(limited) == f"{left_out} papers left out: published before 2000-01-01 or after 2010-12-31"


def test_dates_of_the_question_are_named_where_sources_leave_out_all_other_papers() -> None:
    recent = [one for one in PAPERS if (one.year or 0) >= 2000]
    limited = searched(shelf(Library(recent)), SearchOptions(choose_sources=False), "sparse retrieval since 2000").state
    assert left_out_text(limited) == "no source was asked for papers before 2000-01-01"


@each("options", [SearchOptions(), SearchOptions(date(2000, 1, 1), date(2010, 12, 31))])
def test_nothing_is_said_of_papers_left_out_by_the_persons_own_dates_or_none(options: SearchOptions) -> None:
    found = searched(shelf(Library(PAPERS)), replace(options, choose_sources=False), "sparse retrieval")
    assert left_out_text(found.state) == ""


@each("by_model", [False, True])
def test_a_paper_named_in_the_question_is_found_and_comes_first(by_model: bool) -> None:
    named = PAPERS[17]
    question = f'work that builds on "{named.title}"'
    with scripted(understand=lambda request: {"papers": [named.title]}) as endpoint:
        model = model_at(endpoint) if by_model else None
        found = searched(shelf(Library(PAPERS), model=model), SearchOptions(choose_sources=False, calls=1), question)
    assert found.state.understood is not None
    assert named.title in found.state.understood.queries
    assert found.titles[0] == named.title


def test_sources_are_only_those_at_hand_whatever_the_model_names() -> None:
    read = understood("sparse retrieval", sources=[{"name": "openalex", "reason": "broad"}, {"name": "evil.example"}])
    assert read.sources == ("openalex",)
    assert read.source_reasons == (("openalex", "broad"),)


def test_a_source_for_papers_that_are_named_is_asked_of_no_other_whatever_the_model_says() -> None:
    named = [{"name": "openalex", "reason": "broad"}, {"name": "crossref", "reason": "holds all DOIs"}]
    assert understood("sparse retrieval", sources=named).sources == ("openalex",)
    by_title = understood("sparse retrieval", sources=named, papers=["Sparse retrieval of passages"])
    assert by_title.sources == ("openalex", "crossref")


def test_a_model_that_names_no_source_leaves_them_to_the_rule() -> None:
    by_rule = understood("dense passage retrieval with neural networks").sources
    assert understood("dense passage retrieval with neural networks", refined=REFINED).sources == by_rule
    assert "crossref" not in by_rule


def test_sources_that_the_person_named_are_all_asked() -> None:
    options = SearchOptions(choose_sources=False, evolution=False, refchain=False)
    assert set(understood("sparse retrieval", options, sources=[{"name": "arxiv"}]).sources) == set(NAMES)


def test_a_model_that_floods_is_held_to_the_number_and_length_of_queries() -> None:
    many = [{"query": f"topic{n} " + "verylongword" * 100} for n in range(50)]
    read = understood("sparse retrieval", refined=many)
    assert len(read.queries) <= MOST_NEEDS
    assert all(len(query) <= LONGEST_QUERY for query in read.queries)


def test_without_this_step_the_question_is_asked_as_it_stands() -> None:
    read = understood(
        "sparse retrieval since 2020", SearchOptions(understanding=False, evolution=False, refchain=False)
    )
    assert read.queries == ("sparse retrieval since 2020",)
    assert read.since is None


@each("mode", ["fast", "deep"])
def test_the_model_is_asked_for_as_many_queries_as_are_sent(mode: str) -> None:
    """Each need has one, and the first has the question itself."""
    sources = [ScriptedSource(name) for name in NAMES]
    options = SearchOptions(evolution=False, refchain=False, mode=mode)  # type: ignore[arg-type]
    words = "amber birch cedar dogwood elder fir ginkgo hazel iris juniper".split()
    many = [{"query": f"{first} {second}"} for first, second in zip(words[::2], words[1::2], strict=True)]
    with scripted(understand=lambda request: {"refined": many}) as endpoint:
        found = searched(shelf(*sources, model=model_at(endpoint)), options, "sparse retrieval")
        [request] = endpoint.asked("understand")
    assert found.state.understood is not None
    sent = len(found.state.understood.queries) - 1
    assert sent >= MOST_NEEDS - 1
    assert f"refined: up to {sent} other queries" in request.messages[0][1]


def test_what_the_question_means_and_needs_is_kept_within_reason() -> None:
    needs = ["surveys of it", "surveys of it", " ", "data", "methods", "critiques", "more"]
    read = understood("sparse retrieval?", meaning=" Sparse\nretrieval of texts. ", needs=needs)
    assert read.meaning == "Sparse retrieval of texts."
    assert read.needs == ("surveys of it", "data", "methods", "critiques")


def test_a_model_that_only_rewrites_the_question_has_said_what_it_means() -> None:
    assert understood("stop inventing", original={"query": "hallucination mitigation"}).meaning == (
        "hallucination mitigation"
    )


def test_a_rule_claims_no_meaning_and_no_needs_of_its_own() -> None:
    read = understood("sparse retrieval in NeurIPS or ICLR")
    assert (read.meaning, read.needs, read.venues) == ("", (), ("NeurIPS", "ICLR"))


@each("venues", [["NeurIPS", "ICLR"], ["NeurIPS or ICLR"], "NeurIPS, ICLR"])
def test_venues_are_a_list_however_the_model_writes_them(venues: object) -> None:
    assert understood("sparse retrieval", venues=venues).venues == ("NeurIPS", "ICLR")


@each("by_model", [False, True])
def test_papers_of_each_venue_that_is_named_are_in_the_answer(by_model: bool) -> None:
    names = ["NeurIPS", "ICLR", "Nature"]
    papers = [replace(one, venue=names[place % 3]) for place, one in enumerate(PAPERS)]
    question = "sparse retrieval at NeurIPS or ICLR"
    with scripted(understand=lambda request: {"meaning": "sparse retrieval", "venues": names[:2]}) as endpoint:
        model = model_at(endpoint) if by_model else None
        found = searched(shelf(Library(papers), model=model), SearchOptions(choose_sources=False), question)
    assert {found.state.found[entry.work].paper.venue for entry in found.state.ranking} == {"NeurIPS", "ICLR"}
    assert not [sentence for sentence in found.state.warnings if "insisted" in sentence]


def test_papers_are_compared_with_the_meaning_and_not_with_the_words_of_asking() -> None:
    """Before the model has judged anything, papers on the meaning come first; so they are what it is shown."""
    with scripted(understand=lambda request: {"meaning": "protein folding"}) as endpoint:
        found = searched(
            shelf(Library(PAPERS), model=model_at(endpoint)),
            SearchOptions(choose_sources=False, evolution=False, refchain=False),
            "how does retrieval of the shape of molecules of scientific interest work?",
        )
        first = json.loads(unfenced(endpoint.asked("judge-words")[0]).partition("Words:\n")[2])
    on_it = sum("protein folding" in paper.title for paper in PAPERS)
    assert found.state.ranking
    assert sum({"protein", "folding"} <= set(one["title"].split()) for one in first) >= min(on_it, 4)


def test_the_doubt_is_about_what_the_question_means() -> None:
    """In whatever language it is asked: where nothing found is about that, nothing is called relevant."""
    question = "Wie wandern Zugvögel über die Nordsee?"

    def refused(request: ModelRequest) -> object:
        return says.refusal()

    birds = {"meaning": "migration of sea birds over the North Sea", "original": {"query": "scientific texts"}}
    with scripted(understand=lambda request: birds, **dict.fromkeys(("judge", "judge_words"), refused)) as endpoint:
        found = searched(
            shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False), question
        )
    judged = found.of(PaperJudged)
    assert judged
    assert not found.state.included
    assert all(event.reason == "no paper found covers enough of the question" for event in judged)


def test_a_question_in_any_script_ends_in_a_list() -> None:
    for question in ("稀疏检索", "¿recuperación dispersa?", "???", "the of", "x" * 2_000):
        assert searched(shelf(Library(PAPERS)), SearchOptions(choose_sources=False), question).state.finished
