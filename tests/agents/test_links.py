"""References, citations and look-ups over several sources."""

import asyncio

from agents.links import linked, looked_up
from connectors.errors import Down, NotFound
from connectors.identifiers import Identifier
from connectors.source import Ability
from tests.agents.scripted import ScriptedSource, paper

SEED = paper("A seed", "10.1000/seed")
ONE, TWO = paper("One reference", "10.1000/one"), paper("Another reference", "10.1000/two")


def test_references_come_from_every_source_that_keeps_them_once_each() -> None:
    sources = [ScriptedSource("openalex", [ONE, SEED]), ScriptedSource("semanticscholar", [TWO, ONE])]
    around = asyncio.run(linked(SEED, "references", sources, 10))
    assert {one.title for one in around.papers} == {ONE.title, TWO.title}
    assert {name: tally.found for name, tally in around.sources.items()} == {"openalex": 2, "semanticscholar": 2}


def test_a_source_without_reference_lists_is_not_asked() -> None:
    arxiv = ScriptedSource("arxiv", abilities=frozenset({Ability.SEARCH, Ability.LOOKUP}))
    around = asyncio.run(linked(SEED, "references", [arxiv, ScriptedSource("openalex", [ONE])], 10))
    assert list(around.sources) == ["openalex"]


def test_a_source_that_does_not_know_the_paper_is_no_failure() -> None:
    stranger = ScriptedSource("pubmed", error=NotFound("pubmed", "does not know it."))
    broken = ScriptedSource("openalex", error=Down("openalex", "is down."))
    around = asyncio.run(linked(SEED, "citations", [stranger, broken], 10))
    assert {name: tally.state for name, tally in around.sources.items()} == {"pubmed": "skipped", "openalex": "failed"}


def test_a_look_up_unites_what_the_sources_know() -> None:
    name = Identifier("doi", "10.1000/seed")
    told = paper("A seed", "10.1000/seed", abstract="It grows.", source="pubmed")
    found = asyncio.run(
        looked_up(name, [ScriptedSource("openalex", known=[SEED]), ScriptedSource("pubmed", known=[told])])
    )
    assert [one.abstract for one in found.papers] == ["It grows."]
