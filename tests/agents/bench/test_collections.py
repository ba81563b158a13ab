"""What a collection's files may hold, and what is said of those that cannot be read."""

import asyncio
import gzip
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agents.bench.closed_world import answerable, closed_cases
from agents.bench.collections import Collection, CollectionError, is_collection, read_collection
from agents.bench.run import BASELINE, SearchMeasures, Terms, run, summary
from agents.search.options import SearchOptions
from tests.agents.bench import tiny
from tests.benchmarks import entailment


def test_a_folder_is_read_with_its_documents_questions_and_labels(tmp_path: Path) -> None:
    read = tiny.collection(tmp_path / "reefs")
    assert (read.name, len(read.documents), len(read.questions)) == ("reefs", 20, 4)
    assert read.documents[1].references == ("d05", "d15")
    assert read.questions[1].exclude == ("d20", "d01")
    assert read.questions[1].before == date(2014, 6, 30)
    assert read.grades["coral"] == {"d02": 2, "d05": 1, "d15": 1, "d03": 0}


def test_a_year_may_be_written_as_a_date(tmp_path: Path) -> None:
    tiny.collection(tmp_path)
    (tmp_path / "docs.jsonl").write_text('{"id": "d02", "title": "Reefs", "year": 20210425}\n', encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text("", encoding="utf-8")
    assert read_collection(tmp_path).documents[0].year == 2021


def test_a_gzipped_file_reads_like_the_plain_one(tmp_path: Path) -> None:
    plain = tiny.collection(tmp_path / "reefs")
    docs = tmp_path / "reefs" / "docs.jsonl"
    (tmp_path / "reefs" / "docs.jsonl.gz").write_bytes(gzip.compress(docs.read_bytes()))
    docs.unlink()
    assert is_collection(tmp_path / "reefs")
    assert read_collection(tmp_path / "reefs") == plain


def test_unknown_values_may_be_null_empty_or_missing(tmp_path: Path) -> None:
    docs: list[dict[str, Any]] = [
        {"id": "a", "title": "", "abstract": None, "year": None, "authors": None, "doi": None},
        {"id": "b", "title": "B"},
    ]
    read = read_collection(tiny.write(tmp_path, labels=(), docs=docs))
    assert [(document.abstract, document.year, document.authors) for document in read.documents] == [("", None, ())] * 2


def broken(folder: Path, name: str, content: bytes) -> str:
    """What is said when the file `name` holds `content`."""
    tiny.write(folder)
    (folder / name).write_bytes(content)
    with pytest.raises(CollectionError) as error:
        read_collection(folder)
    return str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("docs.jsonl", b'{"id": "a", "title": "A"}\n{"id": ', "line 2: this is not JSON"),
        ("docs.jsonl", b"[1, 2]\n", "line 1: this is JSON, but not an object"),
        ("docs.jsonl", b'\n\n{"title": "A"}\n', "line 3: id: field required"),
        ("docs.jsonl", b'{"id": "a", "title": "A", "year": "soon"}\n', "line 1: year: input should be"),
        ("docs.jsonl", b'{"id": "a", "title": "A", "references": [7]}\n', "line 1: references.0: input should be"),
        ("docs.jsonl", b'{"id": "a", "title": "A"}\n' * 2, "line 2: the id 'a' is already on an earlier line"),
        ("docs.jsonl", b'{"id": "a", "title": "\xff"}\n', "line 1: here or soon after is text that is not UTF-8"),
        ("queries.jsonl", b'{"id": "a", "text": "?", "before": "1998-13-01"}\n', "line 1: before: input should be"),
        ("qrels.tsv", b"coral\td01\t1\ncoral d02 1\n", "line 2: 1 columns"),
        ("qrels.tsv", b"coral\td01\thigh\n", "line 1: the grade 'high' is not a whole number"),
        ("qrels.tsv", b"coral\tnowhere\t1\n", "line 1: there is no document 'nowhere'"),
    ],
)
def test_a_broken_line_is_named_with_its_file_and_place(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    sentence = broken(tmp_path, name, content)
    assert name in sentence
    assert said in sentence


def test_a_damaged_gzip_file_is_named(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    (tmp_path / "docs.jsonl").unlink()
    assert "docs.jsonl.gz" in broken_twin(tmp_path, gzip.compress(b'{"id": "a", "title": "A"}\n' * 500)[:-20])
    assert "docs.jsonl.gz" in broken_twin(tmp_path, b"no gzip at all")


def broken_twin(folder: Path, content: bytes) -> str:
    (folder / "docs.jsonl.gz").write_bytes(content)
    with pytest.raises(CollectionError) as error:
        read_collection(folder)
    return str(error.value)


@pytest.mark.parametrize("name", ["docs.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    (tiny.write(tmp_path) / name).unlink()
    with pytest.raises(CollectionError, match=name):
        read_collection(tmp_path)


def test_labels_of_other_questions_are_passed_over(tmp_path: Path) -> None:
    tiny.write(tmp_path, labels=(*tiny.LABELS, "elsewhere\td01\t1"))
    assert isinstance(read_collection(tmp_path), Collection)


COLLECTIONS = Path(__file__).parents[4] / "shared" / "collections"


@pytest.mark.parametrize(
    ("name", "recall_50", "ndcg_10"),
    [("cf", 0.356, 0.491), ("cacm", 0.59, 0.451), ("csfcube", 0.440, 0.399), ("scholarqabench", 0.906, 0.754)],
)
def test_the_baseline_is_at_least_as_good_as_published_ones(name: str, recall_50: float, ndcg_10: float) -> None:
    """A weak baseline would make every search look good."""
    folder = COLLECTIONS / name
    if not folder.is_dir():
        pytest.skip(f"needs ../shared/collections/{name}")
    collection = read_collection(folder)
    questions = answerable(collection)

    async def collect() -> list[SearchMeasures]:
        cases = closed_cases(collection, questions)
        return [row async for rows in run(cases, [BASELINE], SearchOptions(limit=100)) for row in rows]

    result = summary(name, asyncio.run(collect()), Terms())
    assert result["queries"] == len(questions)
    assert result["arms"][BASELINE]["recall@50"] >= recall_50
    assert result["arms"][BASELINE]["ndcg@10"] >= ndcg_10


def test_words_tell_an_experts_own_citations_from_shuffled_ones() -> None:
    """The built-in judge of citations is worth something: docs/bench.md tells its figures."""
    if not entailment.FOLDER.is_dir():
        pytest.skip("needs ../shared/collections/scholarqabench")
    found = entailment.measured(entailment.FOLDER)
    assert len(found.own) > 200
    assert entailment.area(found.own, found.same_answer) > 0.8
    assert entailment.area(found.own, found.other_question) > 0.95
    assert entailment.passing(found.same_answer) < 0.1
