"""Recommending with vectors measured: as the program does it, each text made a vector once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import pytest

from agents.bench.recommending.report import RecommendTerms, lines_of, measure, report
from agents.bench.recommending.systems import BASELINE, PROGRAM, SYSTEMS, WITH_VECTORS
from agents.bench.recommending.world import Libraries, World, papers_of, read_libraries
from agents.llm.model import Embeddings, Model
from agents.meaning.kept import KeptVectors, text_for
from agents.recommendation.events import RecommendationEvent, RecommendationState
from agents.recommendation.loop import recommend
from agents.recommendation.options import RecommendOptions
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.context import Reader, read_context
from cache import papers, shelf
from cache.store import Store
from tests.agents.bench.test_recommending import recommender, written
from tests.agents.llm.use import access, use
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import ScriptedModel, in_turn


@pytest.fixture
def libraries(tmp_path: Path) -> Libraries:
    return read_libraries(written(tmp_path))


def by_chance(texts: Sequence[str]) -> Reply:
    """Vectors that no word tells: what they do to a ranking nothing else does."""
    rows = [[float(crc32(f"{axis} {text}".encode()) % 100 - 40) for axis in range(6)] for text in texts]
    return json_reply({"data": [{"index": index, "embedding": row} for index, row in enumerate(rows)]})


def made(endpoint: ScriptedModel, libraries: Libraries, folder: Path) -> dict[int, bytes]:
    """The vectors of the documents by place."""
    texts = [text_for(paper) for paper in papers_of(libraries.documents)]

    async def run(model: Model) -> dict[int, bytes]:
        with Store.open(folder / "texts.db") as store:
            found, _ = await KeptVectors(embeddings_of(model), store).of(texts)
        return {place: found[text] for place, text in enumerate(texts)}

    return use(Model(access(endpoint, embedding="vectors-1")), run)


def embeddings_of(model: Model) -> Embeddings:
    embeddings = model.embeddings()
    assert embeddings is not None
    return embeddings


def recommended(endpoint: ScriptedModel, libraries: Libraries, path: Path) -> list[int]:
    """The order in which the program recommends the documents, by their places, to the first person."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Store.open(path) as store:
        numbers = papers.remember(store, papers_of(libraries.documents))
        place = {document.id: place for place, document in enumerate(libraries.documents)}
        shelf.put(store, [numbers[place[item]] for item in libraries.users[0].items], now=now)
        board: Board[RecommendationState, RecommendationEvent] = Board(RecommendationState())

        async def run(model: Model) -> None:
            resources = Resources(reader=Reader(store, read_context(store, now), now))
            kept = KeptVectors(embeddings_of(model), store)
            async for _ in recommend(replace(resources, embeddings=kept), RecommendOptions(), board):
                pass

        use(Model(access(endpoint, embedding="vectors-1")), run)
    state = board.state
    assert state.ranked
    assert state.recalled
    number_of = {candidate.work: candidate.number for candidate in state.recalled.candidates}
    places: dict[int, int] = {number: place for place, number in enumerate(numbers)}
    found = [number_of[placed.work] for placed in state.ranked.ranking]
    return [places[number] for number in found if number is not None]


def test_the_program_is_measured_as_it_recommends_with_vectors(libraries: Libraries, tmp_path: Path) -> None:
    """The same documents in a library, the same history, the same model: the run ranks them as the benchmark does."""
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = by_chance
        world = World(libraries.documents, vectors=made(endpoint, libraries, tmp_path))
        measured = recommender(libraries, world)
        assert recommended(endpoint, libraries, tmp_path / "spar.db") == measured.ranking(WITH_VECTORS)
    assert measured.ranking(WITH_VECTORS) != measured.ranking(PROGRAM)


def test_the_report_sets_the_figures_with_vectors_beside_those_without(libraries: Libraries, tmp_path: Path) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = by_chance
        world = World(libraries.documents, vectors=made(endpoint, libraries, tmp_path))
    systems = [WITH_VECTORS, PROGRAM, BASELINE]
    rows = [row for found in measure(world, libraries.users, systems, [None]) for row in found]
    result = report("tiny", rows, RecommendTerms(embedding_model="vectors-1 at here"))
    arms = result["histories"][0]["arms"]
    beside = arms[WITH_VECTORS]["vs_arag"]["ndcg@5"]
    assert beside["baseline"] == arms[PROGRAM]["ndcg@5"]
    assert beside["baseline"] + beside["difference"] == pytest.approx(arms[WITH_VECTORS]["ndcg@5"], abs=1e-5)
    assert result["embedding_model"] == "vectors-1 at here"
    lines = lines_of(result)
    assert lines[0].endswith("vectors by vectors-1 at here")
    assert any(line.startswith("arag+vectors against arag ") for line in lines)


def test_vectors_are_no_way_that_is_measured_unasked() -> None:
    assert WITH_VECTORS not in SYSTEMS
