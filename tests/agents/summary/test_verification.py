"""Which papers a facet keeps when a model chooses them."""

from collections import Counter
from dataclasses import replace
from typing import Any

from agents.builtin.text.loose_words import loose_words
from agents.run.resources import Resources
from agents.summary.events import ROOT, FacetVerified
from agents.summary.options import SummaryOptions
from agents.summary.tree import level
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import TOPIC, Asked, Summed, honest_model, listed, papers_of, summed
from tests.rows import each

OPTIONS = SummaryOptions(depth=1, branch=3, papers=4)


def chosen(pick: Any, depth: int = 1) -> tuple[Summed, list[Asked]]:
    """A summary whose model keeps of each facet's candidates what `pick` makes of them; the questions about them."""
    asked: list[Asked] = []

    def relevant(request: Asked) -> dict[str, Any]:
        asked.append(request)
        return {"facets": [{"id": one["id"], "relevant": pick(one["candidates"])} for one in listed(request, "Facets")]}

    return summed(
        shelf(Library(made_up(90)), model=honest_model(relevant=relevant)), replace(OPTIONS, depth=depth)
    ), asked


def test_a_model_chooses_from_more_than_twenty_papers_each_shown_once_under_one_id() -> None:
    done, asked = chosen(lambda candidates: candidates[:2])
    for request in asked:
        papers = listed(request, "Papers")
        assert max(Counter(one["id"] for one in papers).values()) == 1
        ids = {one["id"] for one in papers}
        *facets, topic = listed(request, "Facets")
        assert topic["question"] == TOPIC
        for facet in facets:
            assert len(facet["candidates"]) > 20
            assert set(facet["candidates"]) <= ids
            assert facet["question"] in [one.question for one in done.state.facets.values()]


def test_no_word_of_a_paper_is_cut_in_the_question_which_papers_help() -> None:
    done, asked = chosen(lambda candidates: candidates)
    known = {word for found in done.state.findings.found.values()
             for word in f"{found.paper.title} {found.paper.about}".lower().replace("-", " ").split()}  # fmt: skip
    whole = {word.strip(".,:;()“”\"'?!") for word in known}
    shown = [one for request in asked for one in listed(request, "Papers")]
    assert {word for one in shown for word in f"{one['title']} {one.get('excerpt', '')}".split()} <= whole


def test_a_facet_keeps_what_the_model_chose_in_its_order_and_nothing_unseen() -> None:
    done, asked = chosen(lambda candidates: [*candidates[20:21], "p999", candidates[3]])
    (request,) = asked
    titles = {one["id"]: one["title"] for one in listed(request, "Papers")}
    papers = papers_of(done.state)
    for node, facet in zip(done.state.at_level(1), listed(request, "Facets")[:-1], strict=True):
        kept = [loose_words(papers[work].title, Resources().secret) for work in done.state.own_works(node)]
        assert kept == [titles[facet["candidates"][20]], titles[facet["candidates"][3]]]


def test_a_facet_is_written_from_no_more_papers_than_asked_for() -> None:
    done, _ = chosen(lambda candidates: candidates)
    verified = [event for event in done.events if isinstance(event, FacetVerified) and event.check == "relevant"]
    assert verified
    assert {len(event.works) for event in verified} == {OPTIONS.papers}
    assert {level(event.node) for event in verified} == {0, 1}


@each("depth", [0, 1])
def test_the_topics_own_papers_are_judged_like_those_of_facets(depth: int) -> None:
    done, asked = chosen(lambda candidates: candidates[1:2], depth)
    assert len(asked) == 1
    assert len(done.state.own_works(ROOT)) == 1
    none, _ = chosen(lambda candidates: [], depth)
    assert not none.state.own_works(ROOT)
    assert none.state.nodes == [ROOT]
