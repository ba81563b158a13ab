"""People's libraries measured: what is read, how it is ranked, and what is said of it."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import log2
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from agents.bench.closed_world import ClosedWorld, chosen
from agents.bench.collections import Collection, CollectionError
from agents.bench.measures import ranked_measures
from agents.bench.recommending.report import NO_TIME, RecommendTerms, lines_of, measure, qualities, report
from agents.bench.recommending.systems import BASELINE, PROGRAM, SYSTEMS, WITH_VECTORS, WITHOUT, MeasuredRecommender
from agents.bench.recommending.world import Libraries, World, papers_of, read_libraries
from agents.llm.model import Embeddings, Model
from agents.meaning.kept import KeptVectors, text_for
from agents.recommendation.events import RecommendationEvent, RecommendationState
from agents.recommendation.loop import recommend
from agents.recommendation.options import RecommendOptions
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.context import ReaderContext, read_context
from cache import papers, shelf
from cache.store import Store
from tests.agents.llm.use import access, use
from tests.library import copied
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import ScriptedModel, in_turn

SUBJECTS = ("coral reef fish", "neural network training", "medieval church music")
EACH = 12


def documents() -> list[dict[str, Any]]:
    """Three subjects; a paper shares a word of its own with the next two, and links to the next."""
    found = []
    for subject, words in enumerate(SUBJECTS):
        for number in range(EACH):
            own = " ".join(f"w{subject}x{(number + step) % EACH}" for step in range(3))
            found.append(
                {
                    "id": f"{subject}-{number}",
                    "title": f"{words} {own}",
                    "keywords": [words.split()[0], f"tag{subject}{number % 4}"],
                    "references": [f"{subject}-{(number + 1) % EACH}"],
                }
            )
    return found


def users() -> list[dict[str, Any]]:
    return [
        {
            "user": f"u{subject}",
            "items": [f"{subject}-{number}" for number in (0, 3, 5, 8)],
            "held_out": [f"{subject}-{number}" for number in (1, 4)],
            "negatives": [f"{(subject + 1) % 3}-{number}" for number in range(4)],
        }
        for subject in range(3)
    ]


def written(folder: Path, people: list[dict[str, Any]] | None = None) -> Path:
    for name, rows in {"docs": documents(), "users": users() if people is None else people}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


@pytest.fixture
def libraries(tmp_path: Path) -> Libraries:
    return read_libraries(written(tmp_path))


def recommender(libraries: Libraries, world: World | None = None) -> MeasuredRecommender:
    world = world or World(libraries.documents)
    user = libraries.users[0]
    own = [world.index_of[item] for item in user.items]
    rest = [place for place in range(len(world.documents)) if place not in own]
    return MeasuredRecommender(world, user.user, own, rest, 0)


def test_the_measures_are_those_of_the_standard_library_for_them() -> None:
    ranking, relevant = ["a", "b", "c", "d", "e", "f"], {"b", "e", "f", "x", "y", "z"}
    places = dict(zip([*ranking, "x", "y", "z"], range(9), strict=True))
    found = qualities([places[name] for name in ranking], {places[name] for name in relevant})
    ideal = sum(1 / log2(rank + 2) for rank in range(5))
    assert found == pytest.approx({"ndcg@5": (1 / log2(3) + 1 / log2(6)) / ideal, "hit@5": 1.0})
    ten = {f"r{number}": 1 for number in range(5)}
    assert qualities([0, 9, 2], range(5))["ndcg@5"] == pytest.approx(
        ranked_measures(["r0", "no", "r2"], ten)["ndcg@10"]
    )


def test_a_person_is_in_one_half_by_their_name_alone(libraries: Libraries) -> None:
    halves = [{user.user for user in chosen(libraries.users, half)} for half in ("tune", "report")]
    assert halves[0] | halves[1] == {user.user for user in libraries.users}
    assert not halves[0] & halves[1]


def test_the_papers_known_of_a_library_are_drawn_by_the_seed(libraries: Libraries) -> None:
    user = libraries.users[0]
    assert user.history(2, 1) == user.history(2, 1)
    assert len({user.history(2, seed) for seed in range(20)}) > 1
    assert all(set(user.history(2, seed)) < set(user.items) for seed in range(5))
    assert user.history(None, 1) == user.history(9, 1) == user.items


def test_nobody_is_recommended_what_they_have(libraries: Libraries) -> None:
    world = World(libraries.documents)
    for system in SYSTEMS:
        ranking = recommender(libraries, world).ranking(system)
        assert ranking
        assert len(set(ranking)) == len(ranking)
        assert not {world.documents[place].id for place in ranking} & set(libraries.users[0].items)


def test_the_program_is_measured_as_it_recommends(libraries: Libraries, tmp_path: Path) -> None:
    """The same documents in a library, the same history on the shelf: the run ranks them as the benchmark does."""
    closed_world = ClosedWorld(Collection("", libraries.documents, ()))
    records = [paper for document in libraries.documents if (paper := closed_world.paper(document.id))]
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Store.open(copied(tmp_path / "spar.db")) as store:
        numbers = papers.remember(store, records)
        place_of: dict[int, int] = {number: place for place, number in enumerate(numbers)}
        world = World(libraries.documents)
        shelf.put(store, [numbers[world.index_of[item]] for item in libraries.users[0].items], now=now)
        board: Board[RecommendationState, RecommendationEvent] = Board(RecommendationState())
        resources = Resources(reader=ReaderContext(store, read_context(store, now), now))

        async def run() -> None:
            async for _ in recommend(resources, RecommendOptions(), board):
                pass

        asyncio.run(run())
        state = board.state
    assert state.ranked
    assert state.recalled
    number_of = {candidate.work: candidate.number for candidate in state.recalled.candidates}
    ranked = [place_of[number] for placed in state.ranked.ranking if (number := number_of[placed.work]) is not None]
    assert ranked == recommender(libraries, world).ranking(PROGRAM)


def test_the_program_finds_what_shares_words_and_links(libraries: Libraries) -> None:
    world = World(libraries.documents)
    (rows,) = measure(world, libraries.users[:1], [PROGRAM, "random", "popularity"], [None])
    measured = {row.system: row.measures for row in rows}
    assert measured[PROGRAM]["hit@5"] == measured[PROGRAM]["hit@5_of_100"] == 1
    assert measured[PROGRAM]["ndcg@5"] > measured["popularity"]["ndcg@5"]


def test_popular_is_what_many_papers_link_to_and_nobodys_library(libraries: Libraries) -> None:
    assert World(libraries.documents).popularity.tolist() == [1.0] * len(libraries.documents)


def test_without_tags_no_system_reads_a_keyword(libraries: Libraries) -> None:
    """Documents with other keywords are ranked just the same."""
    other = [{**document, "keywords": ["medieval"]} for document in documents()]
    world = World(libraries.documents, tag_free=True)
    changed = World([type(libraries.documents[0])(**_tuples(document)) for document in other], tag_free=True)
    for system in SYSTEMS:
        assert recommender(libraries, world).ranking(system) == recommender(libraries, changed).ranking(system)


def _tuples(document: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in document.items()}


def test_the_report_compares_with_the_plain_way_and_tells_what_each_agent_adds(libraries: Libraries) -> None:
    terms = RecommendTerms(histories=(2, None))
    rows = [row for found in measure(World(libraries.documents), libraries.users, SYSTEMS, terms.histories)
            for row in found]  # fmt: skip
    result = report(libraries.name, rows, terms)
    assert result["people"] == 3
    assert [one["history"] for one in result["histories"]] == [2, "all"]
    for one in result["histories"]:
        arms = one["arms"]
        assert set(arms) == set(SYSTEMS)
        gain = arms[PROGRAM]["vs_vanilla"]["ndcg@5"]
        assert gain["baseline"] + gain["difference"] == pytest.approx(arms[PROGRAM]["ndcg@5"], abs=1e-5)
        assert gain["ratio_low"] is None or gain["ratio_low"] <= gain["ratio"] <= gain["ratio_high"]
        for system in WITHOUT.keys() - {PROGRAM}:
            assert arms[system]["worth"]["ndcg@5"]["baseline"] == arms[system]["ndcg@5"]
    lines = lines_of(result)
    assert any("2 papers known" in line for line in lines)
    assert lines[-1] == NO_TIME


def test_where_last_is_not_measured_nothing_is_said_of_time(libraries: Libraries) -> None:
    rows = [row for found in measure(World(libraries.documents), libraries.users, ["vanilla"], [None]) for row in found]
    assert NO_TIME not in lines_of(report("tiny", rows, RecommendTerms()))


@pytest.mark.parametrize(
    ("change", "complaint"), [({"items": ["nowhere"]}, "no document 'nowhere'"), ({"user": "u1"}, "earlier line")]
)
def test_a_wrong_line_is_named_with_its_place(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    people = users()
    people[2] |= change
    with pytest.raises(CollectionError, match=f"line 3: .*{complaint}"):
        read_libraries(written(tmp_path, people))


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
            resources = Resources(reader=ReaderContext(store, read_context(store, now), now))
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
