"""What leaves the machine when a model recommends is what is said of it, and nothing else of the library."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from agents.recommendation.context_summary import ABSTRACT, CANDIDATES, DISCLOSED, HISTORY, LINES, UNWANTED
from cache import citation_keys, papers, profile, reading_history, shelf
from cache.store import Store
from tests.agents.recommendation.world import (
    NOW,
    SECRETS,
    STEPS,
    STRANGE,
    about,
    candidates,
    history,
    listed,
    recommended,
    scripted,
    words_of,
)
from tests.agents.scripted import paper
from tests.agents.search.world import model_at
from tests.services.model.server import ModelRequest


def asked(store: Store) -> list[ModelRequest]:
    with scripted() as endpoint:
        recommended(store, model_at(endpoint))
        assert {request.name for request in endpoint.requests} == set(STEPS)
        return endpoint.requests


@pytest.fixture(scope="module")
def requests(shared: Store) -> list[ModelRequest]:
    return asked(shared)


def titles(value: Any) -> Iterator[str]:
    """Every title in a JSON value."""
    if isinstance(value, dict) and "title" in value:
        yield value["title"]
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from titles(part)


def told(request: ModelRequest) -> dict[str, Any]:
    """The parts of a question by their headings, each of which is JSON."""
    parts = (part.partition(":\n") for part in request.text.split("\n\n"))
    return {heading: json.loads(text) for heading, _, text in parts}


def test_every_question_is_made_of_json_under_headings(requests: list[ModelRequest]) -> None:
    headings = {"History", "Unwanted", "Own lines", "Interests", "After now", "Threshold", "Summary", "Themes"}
    for request in requests:
        assert told(request).keys() <= headings | {"Candidates"}


def test_no_note_tag_file_or_citation_key_leaves(requests: list[ModelRequest]) -> None:
    everything = " ".join(text for request in requests for _, text in request.messages)
    assert not [secret for secret in SECRETS if secret in everything]


def test_no_other_paper_of_the_library_leaves(shared: Store, requests: list[ModelRequest]) -> None:
    state = recommended(shared).state
    known = {paper.title for paper in state.history.values()}
    known |= {state.findings.papers[work].title for work in state.candidates}
    for request in requests:
        assert {*map(str, map(words_of, titles(told(request))))} <= {*map(str, map(words_of, known))}
        assert STRANGE not in request.text


def test_of_a_candidate_nothing_leaves_but_title_year_and_the_start_of_its_abstract(store: Store) -> None:
    liked = papers.remember(store, [about("sparse retrieval", number) for number in range(5)], NOW)
    for number in liked:
        reading_history.note_interaction(store, number, "liked", now=NOW)
    long = "We look at sparse retrieval. " + "word " * 400 + "and this is the end of it"
    papers.remember(
        store,
        [about("sparse retrieval", n, abstract=long, author="Ada Nobody", venue="Journal X") for n in range(9, 40)],
    )
    fields = {"id", "title", "year", "abstract", "salience", "fits"}
    for request in asked(store):
        assert "the end of it" not in request.text
        assert "Ada Nobody" not in request.text
        assert "Journal X" not in request.text
        if request.name != "user-understanding":
            rows = candidates(request)
            assert 0 < len(rows) <= CANDIDATES
            assert all(row.keys() <= fields and len(row["abstract"]) <= ABSTRACT for row in rows)


def test_only_the_weightiest_of_a_long_history_leave(store: Store) -> None:
    some = [paper(f"Liking sparse retrieval, part {n}", f"10.1000/l{n}", abstract="We look at it.") for n in range(90)]
    liked = papers.remember(store, some, NOW)
    for number in liked:
        reading_history.note_interaction(store, number, "exported", now=NOW - timedelta(days=1))
    for number in liked[:HISTORY]:
        reading_history.note_interaction(store, number, "liked", now=NOW - timedelta(days=1))
    never = [paper(f"Hating rivers, part {n}", f"10.1000/d{n}", abstract="Water flows.") for n in range(30)]
    for number in papers.remember(store, never, NOW):
        reading_history.note_interaction(store, number, "disliked", now=NOW - timedelta(days=1))
    for line in range(40):
        profile.add_line(store, "like", f"line {line} of mine")
    papers.remember(store, [about("sparse retrieval of passages", number) for number in range(20)], NOW)
    weightiest = {one.title for one in some[:HISTORY]}
    for request in asked(store):
        if request.name in ("user-understanding", "nli", "item-ranker"):
            assert {one["title"] for one in history(request)} == weightiest
            assert all(set(one) <= {"id", "title", "acts", "now"} for one in history(request))
            assert len(listed(request, "Unwanted")) == UNWANTED
            assert len(listed(request, "Own lines")) == LINES
        for one in some[HISTORY:]:
            assert f'"{one.title}"' not in request.text


def test_a_title_that_looks_like_a_part_of_the_question_stays_a_string(store: Store) -> None:
    title = 'On "quotes"}], \\ and [Candidates: of retrieval'
    numbers = papers.remember(
        store, [paper(title, "10.1000/q"), *(about("sparse retrieval", n) for n in range(3))], NOW
    )
    for number in numbers:
        reading_history.note_interaction(store, number, "liked", now=NOW)
    papers.remember(store, [about("sparse retrieval", number) for number in range(9, 20)], NOW)
    for request in asked(store):
        if "History" in told(request):
            assert title in [one["title"] for one in history(request)]


def test_what_is_said_of_it_names_every_figure() -> None:
    said = " ".join(DISCLOSED)
    assert all(f" {number} " in said for number in (HISTORY, UNWANTED, LINES, ABSTRACT))
    assert f"{CANDIDATES} at each step" in said


def test_who_has_no_history_is_asked_nothing_about(store: Store) -> None:
    """The landmarks of a field are chosen without a model."""
    import asyncio

    from agents.recommendation.kind import with_reader
    from agents.recommendation.loop import recommend
    from agents.recommendation.options import RecommendOptions
    from agents.run.resources import Resources
    from connectors.starter.shelf import StarterShelf

    options = RecommendOptions(field="agents")
    with scripted() as endpoint:
        model = model_at(endpoint)
        resources = with_reader(Resources(fallback={"starter": StarterShelf()}, model=model), store, options)

        async def all_events() -> int:
            try:
                return len([event async for event in recommend(resources, options)])
            finally:
                await model.close()

        assert asyncio.run(all_events()) > 10
        assert endpoint.calls == 0


def test_a_library_can_hold_what_the_tests_look_for(shared: Store) -> None:
    """Else that nothing of it leaves would say nothing."""
    saved = shelf.shelf(shared)
    [noted] = [one for one in saved if one.note]
    assert (noted.note, noted.tags) == (SECRETS[0], (SECRETS[1],))
    assert [str(path) for one in saved for path in one.files] == [SECRETS[2]]
    assert SECRETS[3] in citation_keys.keys_of(shared, [noted.number]).values()
