"""RefChain: one layer of what the relevant papers cite, the shared before the famous."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from agents.run.resources import Resources
from agents.search import options as depths
from agents.search.events import PaperJudged, ReferencesFollowed
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.refchain import CITED
from agents.search.state import SearchState
from connectors.capability import Capability
from connectors.errors import SourceUnavailable
from connectors.http.pool import ConnectionPool
from connectors.identifiers import Identifier
from connectors.opening import open_sources
from connectors.paper import Paper
from connectors.source import Answer, Query
from connectors.spec import Access
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, Searched, made_up, model_at, scripted, searched, shelf
from tests.rows import each
from tests.services import Services

ONCE = SearchOptions(choose_sources=False, evolution=False)
QUESTION = "sparse retrieval"


@dataclass
class Shallow(Library):
    """Finds the first `visible` of its papers only; the others can be reached by their links."""

    visible: int = 0

    async def search(self, query: Query) -> Answer:
        self.searched.append(query)
        return Answer(tuple(self.papers[: self.visible]))


def cited(name: str, **more: object) -> Paper:
    return paper(
        f"Sparse retrieval {name}",
        f"10.1000/{name}",
        **{"author": f"A {name}", "abstract": "Sparse retrieval.", **more},
    )


def seeds(*lists: Sequence[Paper]) -> list[Paper]:
    return [
        paper(
            f"Sparse retrieval study {number}",
            f"10.1000/seed{number}",
            author=f"Seed Author{number}",
            abstract="We study sparse retrieval.",
            references=[one.identifiers[0] for one in cited],
        )
        for number, cited in enumerate(lists)
    ]


def followed(found: Searched) -> dict[str, list[str]]:
    """What each paper that came by a link was linked to."""
    state = found.state
    return {
        found_paper.paper.id: sorted(
            state.found[way.link_of].paper.id for way in found_paper.found_by if way.link_of is not None
        )
        for found_paper in state.found.values()
        if any(way.link for way in found_paper.found_by)
    }


def test_references_of_the_relevant_papers_are_taken_in_and_judged() -> None:
    first, second = cited("first"), cited("second")
    start = seeds([first], [first, second])
    with scripted() as endpoint:
        found = searched(shelf(Shallow([*start, first, second], visible=2), model=model_at(endpoint)), ONCE, QUESTION)
    assert followed(found) == {first.id: [start[0].id, start[1].id], second.id: [start[1].id]}
    judged = {found.state.found[event.work].paper.id for event in found.of(PaperJudged)}
    assert {first.id, second.id} <= judged


def test_where_nothing_is_relevant_no_link_is_followed_and_that_is_said() -> None:
    source = Shallow([*seeds([cited("first")]), cited("first")], visible=1)
    found = searched(shelf(source), ONCE, "wool trade of retrieval-free medieval guilds in Florence")
    assert len(found.state.found) == 1
    assert not found.state.included
    assert (found.of(ReferencesFollowed), source.followed) == ([], [])
    assert found.state.warnings == ("No relevant paper found, so no references were followed.",)


def test_only_one_layer_is_followed() -> None:
    deeper = cited("deeper")
    first = cited("first", references=[deeper.identifiers[0]])
    found = searched(shelf(Shallow([*seeds([first]), first, deeper], visible=1)), ONCE, QUESTION)
    assert set(followed(found)) == {first.id}


def test_what_relevant_papers_share_comes_before_what_the_world_cites(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for two of three: the shared one and the quiet one, not the famous one."""
    shared, quiet, famous = (
        cited("shared", citation_count=9),
        cited("quiet", citation_count=3),
        cited("famous", citation_count=90_000),
    )
    monkeypatch.setitem(depths.LIMITS, "fast", replace(depths.LIMITS["fast"], references=2))
    start = seeds([shared, famous], [shared, quiet], [shared, famous])
    found = searched(shelf(Shallow([*start, shared, quiet, famous], visible=3)), ONCE, QUESTION)
    assert set(followed(found)) == {shared.id, quiet.id}


def test_no_more_references_are_taken_in_than_the_cap() -> None:
    many = [cited(f"r{number}") for number in range(160)]
    found = searched(shelf(Shallow([*seeds(many), *many], visible=1)), ONCE, QUESTION)
    assert len(followed(found)) == 100
    assert sum(event.new for event in found.of(ReferencesFollowed)) == 100
    assert next(event for event in found.of(ReferencesFollowed) if event.listed).listed == 160


def test_a_paper_that_was_found_already_is_not_taken_in_as_new() -> None:
    first = cited("first")
    found = searched(shelf(Shallow([*seeds([first]), first], visible=2)), ONCE, QUESTION)
    assert followed(found) == {}
    assert sum(event.new for event in found.of(ReferencesFollowed)) == 0


def test_references_are_not_followed_without_the_wish() -> None:
    first = cited("first")
    source = Shallow([*seeds([first]), first], visible=1)
    found = searched(shelf(source), SearchOptions(choose_sources=False, refchain=False), QUESTION)
    assert not found.of(ReferencesFollowed)
    assert not source.followed


def test_papers_citing_a_single_one_are_followed_only_on_wish() -> None:
    start = seeds([])
    citing = cited("citing", references=[start[0].identifiers[0]])
    for citing_papers in (False, True):
        source = Shallow([*start, citing], visible=1)
        found = searched(
            shelf(source), SearchOptions(choose_sources=False, evolution=False, citing=citing_papers), QUESTION
        )
        assert ("citations" in {event.link for event in found.of(ReferencesFollowed)}) is citing_papers
        assert (citing.id in followed(found)) is citing_papers


@dataclass
class Telling(Shallow):
    """Tells what cites any of several papers as well."""

    capabilities: frozenset[Capability] = frozenset(
        {Capability.SEARCH, Capability.LOOKUP, Capability.REFERENCES, Capability.CITATIONS, Capability.CITING_ANY}
    )
    asked_together: list[list[str]] = field(default_factory=list)
    looked_up: list[int] = field(default_factory=list)

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        self.asked_together.append([one.id for one in papers])
        names = {name for one in papers for name in one.identifiers}
        return Answer(tuple(one for one in self.papers if names & set(one.references))[:limit])

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        self.looked_up.append(len(names))
        return await Library.lookup(self, names)


def names_of(*papers: Paper) -> list[Identifier]:
    return [one.identifiers[0] for one in papers]


def test_what_cites_the_best_is_followed_where_one_question_tells_it() -> None:
    start = seeds([cited("old")], [cited("old")])
    both = cited("both", references=names_of(*start))
    one = cited("one", references=names_of(start[1]))
    source = Telling([*start, both, one, cited("old")], visible=2)
    found = searched(shelf(source), ONCE, QUESTION)
    assert followed(found)[both.id] == [start[0].id, start[1].id]
    assert followed(found)[one.id] == [start[1].id]
    assert [sorted(asked) for asked in source.asked_together] == [[start[0].id, start[1].id]]
    assert source.followed == []
    told = {(found.state.found[event.seed].paper.id, event.listed) for event in found.of(ReferencesFollowed)
            if event.link == "citations"}  # fmt: skip
    assert told == {(start[0].id, 1), (start[1].id, 2)}


def test_citing_papers_take_the_places_of_references_and_not_more_than_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(depths.LIMITS, "fast", replace(depths.LIMITS["fast"], references=5, citing=2))
    many = [cited(f"r{number}") for number in range(8)]
    start = seeds(many)
    citing = [cited(f"c{number}", references=names_of(*start)) for number in range(4)]
    found = searched(shelf(Telling([*start, *many, *citing], visible=1)), ONCE, QUESTION)
    came = set(followed(found))
    assert (len(came & {one.id for one in citing}), len(came & {one.id for one in many})) == (2, 3)


def test_asking_what_cites_the_best_costs_no_more_requests_than_not_asking() -> None:
    """One paper fewer is asked about alone, or a batch of references fewer looked up."""
    many = [cited(f"r{number}") for number in range(300)]
    for lists in ([[], [], [many[0]]], [many]):
        papers = [*seeds(*lists), *many]
        silent, telling = (
            kind(papers, visible=len(lists), capabilities=able)
            for kind, able in (
                (Telling, Telling.capabilities - {Capability.CITING_ANY}),
                (Telling, Telling.capabilities),
            )
        )
        for source in (silent, telling):
            searched(shelf(source), ONCE, QUESTION)
        asked = [
            len(source.followed) + len(source.looked_up) + len(source.asked_together) for source in (silent, telling)
        ]
        assert telling.asked_together
        assert asked[0] == asked[1]


def test_a_source_that_fails_to_tell_what_cites_the_best_is_named_and_the_rest_is_followed() -> None:
    @dataclass
    class Failing(Telling):
        async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
            raise SourceUnavailable(self.name, "is not working right now.")

    first = cited("first")
    found = searched(shelf(Failing([*seeds([first]), first], visible=1)), ONCE, QUESTION)
    assert set(followed(found)) == {first.id}
    assert "Citing papers could not be fetched: openalex is not working right now." in found.state.warnings
    assert {event.link for event in found.of(ReferencesFollowed)} == {"references"}


def test_papers_without_a_list_of_their_own_are_asked_about_at_a_service() -> None:
    """As many of them as the depth allows."""
    source = Shallow([*seeds([], [], [], [], [], []), cited("x")], visible=6)
    searched(shelf(source), ONCE, QUESTION)
    assert len(source.followed) == ONCE.limits.asked_seeds


def test_no_seed_is_followed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(depths.LIMITS, "deep", replace(depths.LIMITS["deep"], records=20))
    found = searched(shelf(Library(made_up(300))), SearchOptions(choose_sources=False, mode="deep", citing=True))
    told = [(event.seed, event.link) for event in found.of(ReferencesFollowed)]
    assert len({event.round for event in found.of(ReferencesFollowed)}) > 1
    assert len(told) == len(set(told))


@each("listed", [True, False])
def test_a_second_round_asks_for_links_only_where_the_first_was_told_of_any(listed: bool) -> None:
    papers = made_up(300) if listed else [replace(paper, references=()) for paper in made_up(300)]
    found = searched(shelf(Library(papers)), SearchOptions(choose_sources=False, mode="deep"))
    assert {event.round for event in found.state.evolved} >= {1}
    rounds = {event.round for event in found.of(ReferencesFollowed) if event.link == "references"}
    assert (max(rounds) > 1) is listed


def test_a_source_that_fails_at_references_is_named_and_the_search_goes_on() -> None:
    @dataclass
    class Failing(Shallow):
        async def lookup(self, names: Sequence[Identifier]) -> Answer:
            raise SourceUnavailable(self.name, "is not working right now.")

        async def references(self, paper: Paper, limit: int) -> Answer:
            raise SourceUnavailable(self.name, "is not working right now.")

    first = cited("first")
    found = searched(shelf(Failing([*seeds([first], []), first], visible=2)), ONCE, QUESTION)
    assert len(found.titles) == 2
    assert any("could not be looked up" in sentence for sentence in found.state.warnings)
    assert any("not working" in (event.error or "") for event in found.of(ReferencesFollowed))


def test_a_source_without_links_is_not_asked_for_any() -> None:
    bare = ScriptedSource("openalex", seeds([cited("first")]), capabilities=frozenset({Capability.SEARCH}))
    found = searched(shelf(bare), ONCE, QUESTION)
    assert len(found.titles) == 1
    assert not followed(found)


def test_openalex_is_asked_once_a_round_what_cites_the_best_and_all_that_came_cites_one_of_them(tmp_path: Path) -> None:
    async def run(services: Services) -> SearchState:
        async with ConnectionPool() as connections:
            access = Access(urls={"openalex": services.url("openalex")})
            sources = open_sources(("openalex",), access, connections, tmp_path)
            options = replace(ONCE, source_seconds=60.0)
            return SEARCH.folded([event async for event in search("learning", Resources(sources), options)])

    with Services() as services:
        state = asyncio.run(run(services))
        asked = [
            request.target for request in services.log if "cites%3A" in request.target or "cites:" in request.target
        ]
        assert not services.violations
    citing = [event for event in state.followed if event.link == "citations"]
    came = [found for found in state.found.values() if any(way.link == "citations" for way in found.found_by)]
    assert len(asked) == 1
    assert 1 < len(citing) <= CITED
    assert 0 < len(came) <= ONCE.limits.citing
    for found in came:
        cited = {name for way in found.found_by if way.link_of for name in state.found[way.link_of].paper.identifiers}
        assert cited & set(found.paper.references)


def test_openalex_is_asked_for_all_missing_reference_lists_in_one_request(tmp_path: Path) -> None:
    """arXiv lists no references. OpenAlex can be searched too, but here only knows papers by name."""

    async def run(services: Services) -> SearchState:
        async with ConnectionPool() as connections:
            names = ("arxiv", "openalex")
            access = Access(urls={name: services.url(name) for name in names})
            sources = open_sources(names, access, connections, tmp_path)
            options = replace(ONCE, source_seconds=60.0, citing=False)
            return SEARCH.folded([event async for event in search("retrieval", Resources(sources), options)])

    with Services() as services:
        state = asyncio.run(run(services))
        targets = [unquote_plus(request.target) for request in services.log if request.service == "openalex"]
    without = {
        paper.identifier("arxiv") for paper in (one.paper for one in state.found.values()) if not paper.references
    }
    lists = [target for target in targets if "filter=doi:" in target and "arxiv" in target]
    assert without
    assert len(lists) == 1
    assert not [target for target in targets if target.startswith("/works/doi:")]
    assert sum(event.listed for event in state.followed if event.link == "references") > 0


def test_a_reference_that_several_papers_share_counts_as_new_once() -> None:
    shared, own = cited("shared"), cited("own")
    found = searched(shelf(Shallow([*seeds([shared], [shared, own]), shared, own], visible=2)), ONCE, QUESTION)
    assert sum(event.new for event in found.of(ReferencesFollowed)) == 2
    assert found.state.records["references"] == (2, 3)
