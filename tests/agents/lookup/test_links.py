"""References, citations and look-ups over several sources."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.llm.errors import ModelError
from agents.llm.usage import Usage
from agents.lookup.links import Linked, linked, looked_up, looked_up_at_owner
from agents.meaning.kept import KeptVectors
from agents.run.resources import Resources
from connectors.capability import Capability
from connectors.errors import NotFound, SourceUnavailable
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Paper
from connectors.registry import SOURCES
from tests.agents.scripted import ScriptedSource, paper
from tests.rows import each

SEED = paper("A seed", "10.1000/seed")
ONE, TWO = paper("One reference", "10.1000/one"), paper("Another reference", "10.1000/two")


THREE = paper("A third reference", "10.1000/three")


def resources(*live: ScriptedSource, fallback: Sequence[ScriptedSource] = ()) -> Resources:
    return Resources({one.name: one for one in live}, {}, {one.name: one for one in fallback})


def test_the_shelf_is_asked_only_when_nobody_else_gives_a_paper() -> None:
    shelf = ScriptedSource("starter", [TWO])
    told = asyncio.run(linked(SEED, "similar", resources(ScriptedSource("openalex", [ONE]), fallback=[shelf]), 10))
    assert [paper.title for paper in told.papers] == [ONE.title]
    silent = asyncio.run(linked(SEED, "similar", resources(ScriptedSource("openalex"), fallback=[shelf]), 10))
    assert [paper.title for paper in silent.papers] == [TWO.title]


def test_asking_can_be_cancelled_before_a_source_is_asked() -> None:
    """A question that was begun and is never sent would be told by a warning."""

    async def cancelled() -> None:
        asking = asyncio.create_task(linked(SEED, "similar", resources(ScriptedSource("openalex", [ONE])), 10))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()

    asyncio.run(cancelled())


def test_no_source_crowds_the_others_out() -> None:
    own = [paper(f"Only here, number {number} of many", f"10.1000/own{number}") for number in range(30)]
    sources = [ScriptedSource("library", own), ScriptedSource("semanticscholar", [ONE, TWO])]
    around = asyncio.run(linked(SEED, "similar", resources(*sources), 10))
    assert {ONE.title, TWO.title} <= {paper.title for paper in around.papers}


class ByTitle:
    """An encoder that has a vector for each title."""

    label, local, free, space = "the model in here", True, True, "here"

    def __init__(self, vectors: Mapping[str, list[float]]) -> None:
        self._vectors = vectors

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        if not self._vectors:
            raise ModelError("It broke.")
        return [
            next(self._vectors[title] for title in self._vectors if text.startswith(title)) for text in texts
        ], Usage()


def alike(vectors: Mapping[str, list[float]]) -> Linked:
    listed = resources(ScriptedSource("openalex", [ONE, TWO, THREE]))
    return asyncio.run(linked(SEED, "similar", replace(listed, embeddings=KeptVectors(ByTitle(vectors), None)), 10))


def test_of_similar_papers_those_that_mean_the_same_come_earlier() -> None:
    told = alike({SEED.title: [1.0, 0.0], ONE.title: [0.0, 1.0], TWO.title: [1.0, 0.0], THREE.title: [0.6, 0.8]})
    assert [paper.title for paper in told.papers] == [TWO.title, ONE.title, THREE.title]
    assert (told.compared_by, told.fault) == ("the model in here", "")


def test_where_meanings_cannot_be_compared_the_sources_order_stands_and_it_is_said() -> None:
    told = alike({})
    assert [paper.title for paper in told.papers] == [ONE.title, TWO.title, THREE.title]
    assert (told.compared_by, told.fault) == ("", "It broke.")


def test_references_come_from_every_source_that_keeps_them_once_each() -> None:
    sources = [ScriptedSource("openalex", [ONE, SEED]), ScriptedSource("semanticscholar", [TWO, ONE])]
    around = asyncio.run(linked(SEED, "references", resources(*sources), 10))
    assert {paper.title for paper in around.papers} == {ONE.title, TWO.title}
    assert {name: tally.found for name, tally in around.sources.items()} == {"openalex": 2, "semanticscholar": 2}


def test_a_source_without_reference_lists_is_not_asked() -> None:
    arxiv = ScriptedSource("arxiv", capabilities=frozenset({Capability.SEARCH, Capability.LOOKUP}))
    around = asyncio.run(linked(SEED, "references", resources(arxiv, ScriptedSource("openalex", [ONE])), 10))
    assert list(around.sources) == ["openalex"]


def test_a_source_that_does_not_know_the_paper_is_no_failure() -> None:
    stranger = ScriptedSource("pubmed", error=NotFound("pubmed", "does not know it."))
    broken = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is down."))
    around = asyncio.run(linked(SEED, "citations", resources(stranger, broken), 10))
    assert {name: tally.state for name, tally in around.sources.items()} == {"pubmed": "skipped", "openalex": "failed"}


def test_a_look_up_unites_what_the_sources_know() -> None:
    name = Identifier("doi", "10.1000/seed")
    told = paper("A seed", "10.1000/seed", abstract="It grows.", source="pubmed")
    found = asyncio.run(
        looked_up(name, resources(ScriptedSource("openalex", known=[SEED]), ScriptedSource("pubmed", known=[told])))
    )
    assert [paper.abstract for paper in found.papers] == ["It grows."]


@each(("known", "asked"), [([SEED], 0), ([], 1)], ids=["a source knows it", "no source knows it"])
def test_a_registry_is_asked_for_a_name_that_no_source_knows_and_for_no_other(known: list[Paper], asked: int) -> None:
    name = Identifier("doi", "10.1000/seed")
    registry = ScriptedSource("datacite", known=[SEED], capabilities=frozenset({Capability.LAST_LOOKUP}))
    at_hand = replace(resources(ScriptedSource("openalex", known=known)), registries={"datacite": registry})
    found = asyncio.run(looked_up(name, at_hand))
    assert (found.papers, len(registry.named)) == ((SEED,), asked)
    assert ("datacite" in found.sources) == bool(asked)


@each(
    ("name", "owner"),
    [("10.1000/seed", "crossref"), ("arxiv:2101.00001", "arxiv"), ("pmid:7", "pubmed"), ("pmcid:PMC7", "europepmc"),
     ("openalex:W7", "openalex")],
)  # fmt: skip
def test_the_owner_of_an_identifier_is_asked_first_and_the_others_only_if_it_has_nothing(name: str, owner: str) -> None:
    identifier = parse_identifier(name)
    assert identifier is not None
    seed = replace(paper("A seed", name), abstract="It grows.")

    def at_hand(*ignorant: str) -> Resources:
        return resources(
            *(
                ScriptedSource(spec.name, known=[] if spec.name in ignorant else [seed], schemes=spec.schemes)
                for spec in SOURCES.values()
                if Capability.LOOKUP in spec.capabilities
            )
        )

    answer = asyncio.run(looked_up_at_owner(identifier, at_hand()))
    assert ([paper.title for paper in answer.papers], list(answer.sources)) == (["A seed"], [owner])
    able = {spec.name for spec in SOURCES.values() if Capability.LOOKUP in spec.capabilities
            and identifier.scheme in spec.schemes}  # fmt: skip
    sources = at_hand(owner)
    answer = asyncio.run(looked_up_at_owner(identifier, sources))
    assert (bool(answer.papers), set(answer.sources)) == (len(able) > 1, able)
    assert all(len(source.named) <= 1 for source in sources.live.values() if isinstance(source, ScriptedSource))


def test_the_others_are_asked_for_an_abstract_that_the_owner_lacks() -> None:
    bare, full = paper("A seed", "10.1000/seed"), replace(paper("A seed", "10.1000/seed"), abstract="It grows.")
    crossref = ScriptedSource("crossref", known=[bare], schemes=("doi",))
    pubmed = ScriptedSource("pubmed", known=[full], schemes=("pmid", "doi"))
    answer = asyncio.run(looked_up_at_owner(bare.identifiers[0], resources(crossref, pubmed)))
    assert [(work.title, work.abstract) for work in answer.papers] == [("A seed", "It grows.")]
    assert set(answer.sources) == {"crossref", "pubmed"}
