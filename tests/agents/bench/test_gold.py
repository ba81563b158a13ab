"""Questions with known titles, for live search."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.bench.collections import CollectionError, Gold, GoldPaper, read_gold
from tests.agents.scripted import paper
from tests.rows import each


def file(folder: Path, *rows: Any, name: str = "questions.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_a_folder_joins_questions_with_their_known_papers(tmp_path: Path) -> None:
    file(tmp_path, {"id": "a", "text": "One?"}, {"id": "b", "text": "Two?"}, name="queries.jsonl")
    file(tmp_path, {"id": "a", "papers": [{"title": "T", "arxiv": "2211.16677", "year": 2022}]}, name="gold.jsonl")
    (read,) = read_gold(tmp_path)
    assert (read.question.id, read.question.text) == ("a", "One?")
    assert read.papers == (GoldPaper("T", "2211.16677"),)


def test_published_files_are_read_in_either_shape(tmp_path: Path) -> None:
    rows = [
        {"question": "One?", "answer": ["A", "B"], "answer_arxiv_id": ["2211.16677", "2210.06978"], "source_meta": {}},
        {"query": "Two?", "data_result_add_score": [{"title": "C", "score": 1}]},
        {"question": "Three?", "answer": ["D"]},
        {"question": "Nobody knows?"},
    ]
    read = read_gold(file(tmp_path, *rows))
    assert [one.question.text for one in read] == ["One?", "Two?", "Three?"]
    assert [one.papers for one in read] == [
        (GoldPaper("A", "2211.16677"), GoldPaper("B", "2210.06978")),
        (GoldPaper("C"),),
        (GoldPaper("D"),),
    ]


def test_a_line_without_a_question_is_named(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match=r"line 2: there is neither a question nor a query"):
        read_gold(file(tmp_path, {"question": "One?", "answer": ["A"]}, {"answer": ["B"]}))


def test_a_path_where_nothing_is_is_named(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match=r"nowhere\.jsonl"):
        read_gold(tmp_path / "nowhere.jsonl")


@each(
    ("title", "names"),
    [
        ("Another title", ["2211.16677v3"]),
        ("Another title", ["10.48550/arXiv.2211.16677"]),
        ("Another title", ["10.1000/GOLD"]),
        ("Triplane diffusion: a 3-D field", []),
    ],
)
def test_a_known_paper_is_found_by_any_of_its_names_or_by_the_letters_of_its_title(
    title: str, names: list[str]
) -> None:
    gold = Gold(
        [
            GoldPaper("Other"),
            GoldPaper("Triplane Diffusion — a 3D Field".replace("3D", "3 D"), "2211.16677", "10.1000/gold"),
        ]
    )
    assert gold.document_of(paper(title, *names)) == gold.document_of(paper("x", "10.1000/gold"))
    assert gold.document_of(paper(title, *names)) in gold.grades


def test_other_papers_are_not_known() -> None:
    assert Gold([GoldPaper("A title"), GoldPaper("")]).document_of(paper("Another", "10.1000/x")) is None
    assert Gold([GoldPaper("", doi="10.1000/x")]).document_of(paper("???", "10.1000/y")) is None


def test_a_paper_that_is_listed_twice_is_one_answer() -> None:
    gold = Gold([GoldPaper("A title", "2211.16677"), GoldPaper("A Title"), GoldPaper("B title")])
    assert len(gold.grades) == 2
