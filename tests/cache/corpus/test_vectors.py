import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from cache.corpus.index import Index
from cache.corpus.ingest import build
from cache.corpus.rows import WorkFilter
from cache.corpus.source import Corpus
from cache.corpus.table import VECTORS, Database, NoVectors, OtherVectors
from cache.corpus.upkeep import compact, make_searchable
from cache.corpus.vectors import LETTERS, add_vectors, count_missing, embedded_text
from connectors.source import Answer, Preferred, Query
from tests.cache.corpus.dumps import work, written

TITLES = ("Sleep and memory", "Slumber in infants", "Gardening for all", "Roses and other plants", "Memory of machines")
MEANINGS = (("sleep", "slumber", "nap"), ("garden", "rose", "plant"), ("memory", "remember"))


class Thesaurus:
    """An encoder that knows which of a few words mean the same; from the `breaks`-th text on it makes nothing."""

    def __init__(self, space: str = "thesaurus 1", breaks: int = 10**9) -> None:
        self.space, self.label, self.read = space, f"the {space}", list[str]()
        self._breaks = breaks

    async def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if len(self.read) + len(texts) > self._breaks:
            raise NoVectors("The thesaurus is on strike.")
        self.read += texts
        return [
            _unit([0.01, *(float(any(word in text.lower() for word in group)) for group in MEANINGS)]) for text in texts
        ]


def _unit(numbers: Sequence[float]) -> list[float]:
    length = sum(number * number for number in numbers) ** 0.5
    return [number / length for number in numbers]


def taken_in(folder: Path, *titles: str, first: int = 1) -> str:
    records = [work(number, title) for number, title in enumerate(titles, start=first)]
    place = str(folder / "corpus")
    build(
        place,
        [written(folder / f"works-{first}-{len(titles)}-{hash(titles)}.gz", records)],
        WorkFilter(),
        lambda file: None,
        processes=1,
    )
    return place


def add(place: str, encoder: Thesaurus) -> int:
    return asyncio.run(add_vectors(place, encoder, lambda made: None))


def asked(place: str, encoder: Thesaurus | None, question: str, since: date | None = None) -> Answer:
    return asyncio.run(Corpus(place, encoder).search(Query(question, since=since)))


def titles(answer: Answer) -> list[str]:
    return [paper.title for paper in answer.papers]


def test_a_work_is_found_by_its_meaning_where_it_has_none_of_the_words(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *TITLES)
    assert add(place, Thesaurus()) == 5
    found = asked(place, Thesaurus(), "sleep")
    assert titles(found)[:2] == ["Sleep and memory", "Slumber in infants"]
    assert found.notes == ()
    assert titles(asked(place, None, "sleep")) == ["Sleep and memory"]


def test_bounds_and_preferences_hold_for_what_is_near_in_meaning(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *TITLES)
    add(place, Thesaurus())
    assert "Sleep and memory" not in titles(asked(place, Thesaurus(), "sleep", since=date(2002, 1, 1)))
    [vector] = asyncio.run(Thesaurus().vectors(["sleep"]))
    first = Index(place).search("sleep", preferred=Preferred(min_citations=2), meaning=vector)[0]
    assert first.title == "Slumber in infants"


def test_vectors_of_another_model_are_said_and_not_mixed(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *TITLES)
    add(place, Thesaurus())
    other = Thesaurus("thesaurus 2")
    with pytest.raises(
        OtherVectors, match="has vectors by the thesaurus 1, and vectors by the thesaurus 2 cannot be added"
    ):
        add(place, other)
    found = asked(place, other, "sleep")
    assert titles(found) == ["Sleep and memory"]
    assert found.notes == ("it has vectors by the thesaurus 1, not by the thesaurus 2: words alone were compared",)
    assert other.read == []


def test_a_corpus_without_vectors_asks_for_none(tmp_path: Path) -> None:
    encoder = Thesaurus()
    assert asked(taken_in(tmp_path, *TITLES), encoder, "sleep").notes == ()
    assert encoder.read == []


def test_who_makes_no_vector_of_a_question_leaves_its_words(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *TITLES)
    add(place, Thesaurus())
    found = asked(place, Thesaurus(breaks=0), "sleep")
    assert titles(found) == ["Sleep and memory"]
    assert found.notes == ("words alone were compared: The thesaurus is on strike.",)


def test_vectors_that_were_made_before_it_broke_are_kept_and_the_others_made_later(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *(f"Sleep number {number}" for number in range(1_200)))
    with pytest.raises(NoVectors, match="on strike"):
        add(place, Thesaurus(breaks=1_000))
    kept = Index(place).info().vectors
    assert 0 < kept < 1_000
    later = Thesaurus()
    assert count_missing(place, later) == 1_200 - kept
    assert add(place, later) == len(later.read) == 1_200 - kept
    assert Index(place).info().vectors == 1_200


def test_only_what_is_new_or_has_other_words_gets_a_vector(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *TITLES)
    add(place, Thesaurus())
    taken_in(tmp_path, "Sleep and memory", "Roses after all")
    taken_in(tmp_path, "A nap", first=6)
    again = Thesaurus()
    assert add(place, again) == 2
    assert sorted(again.read) == ["A nap. ", "Roses after all. "]
    info = Index(place).info()
    assert (info.vectors, info.vectors_by) == (6, "the thesaurus 1")
    assert "Slumber in infants" not in titles(asked(place, Thesaurus(), "nap"))


@given(st.text(max_size=50), st.text(max_size=2_000))
def test_the_text_of_a_vector_is_title_and_abstract_as_elsewhere(title: str, abstract: str) -> None:
    from agents.meaning.kept import text_for
    from connectors.paper import Paper

    title = " ".join(title.split())
    text = embedded_text(f"{title}\n{abstract}")
    assert text == text_for(Paper(title, abstract=abstract))
    assert len(text) <= LETTERS


def test_many_vectors_have_an_index_that_finds_what_is_nearest(tmp_path: Path) -> None:
    import numpy as np
    import pyarrow

    place, many, width = taken_in(tmp_path, *TITLES), 50_000, 16
    table = Database(place).create_vectors(width, "made", "the made one")
    rows = np.random.default_rng(5).normal(size=(many, width)).astype(np.float16)
    column = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(rows.ravel()), width)
    table.add(pyarrow.table([list(range(1, many + 1)), [0] * many, column], schema=table.schema))
    index = Index(place)
    asyncio.run(make_searchable(place))
    assert any("vector" in entry.columns for entry in Database(place).open()[VECTORS].list_indices())
    for number, title in enumerate(TITLES, start=1):
        assert index.search("nothing", meaning=rows[number - 1].astype(float).tolist())[0].title == title


def test_a_corpus_with_vectors_is_compacted_and_dropped_whole(tmp_path: Path) -> None:
    place = taken_in(tmp_path, *TITLES)
    add(place, Thesaurus())
    asyncio.run(compact(place))
    assert "Slumber in infants" in titles(asked(place, Thesaurus(), "sleep"))
    Database(place).drop()
    assert not Path(place).exists()
