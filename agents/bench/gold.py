"""Questions whose answers are known by title, for a search in the live sources.

Read from a folder with `queries.jsonl` and `gold.jsonl`, or from one file as SPARBench and AutoScholarQuery publish
them: `question` with `answer` (titles) and `answer_arxiv_id`, or `query` with `data_result_add_score` (records with a
`title`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.bench.collections import Question
from agents.bench.jsonl import CollectionError, lines, lines_of, records
from connectors.identifiers import Identifier, arxiv, doi, identifiers
from connectors.paper import Paper
from connectors.records.matching import title_key


@dataclass(frozen=True, slots=True)
class GoldPaper:
    """A paper that people or a survey gave as an answer."""

    title: str
    arxiv: str = ""
    doi: str = ""


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question and all its known answers."""

    question: Question
    papers: tuple[GoldPaper, ...]

    @property
    def id(self) -> str:
        """What decides which half it is in."""
        return self.question.id


class Gold:
    """Tells whether a paper is one of the known ones: by DOI or arXiv id, or by the letters of its title."""

    def __init__(self, papers: Sequence[GoldPaper]) -> None:
        self._by_name: dict[Identifier, str] = {}
        self._by_title: dict[str, str] = {}
        for number, paper in enumerate(papers):
            for name in identifiers(doi(paper.doi), arxiv(paper.arxiv)):
                self._by_name.setdefault(name, f"gold {number}")
            self._by_title.setdefault(title_key(paper.title), f"gold {number}")
        self._by_title.pop("", None)
        self.grades = dict.fromkeys([*self._by_name.values(), *self._by_title.values()], 1)
        """Every known paper by the id it goes by here; two entries of one title are one paper."""

    def document_of(self, paper: Paper) -> str | None:
        """The id of the known paper that `paper` is; None if it is none."""
        by_name = (self._by_name[name] for name in paper.identifiers if name in self._by_name)
        return next(by_name, None) or self._by_title.get(title_key(paper.title))


def read_gold(path: Path) -> list[GoldQuestion]:
    """The questions in a folder or a file. Raises `CollectionError`."""
    if path.is_dir():
        return _from_folder(path)
    if not path.is_file():
        raise CollectionError(path, "there is no such file or folder.")
    return _from_file(path)


@dataclass(frozen=True, slots=True)
class _Answers:
    id: str
    papers: tuple[GoldPaper, ...]


def _from_folder(folder: Path) -> list[GoldQuestion]:
    answers = {record.id: record.papers for _, record in records(lines(folder, "gold.jsonl"), _Answers)}
    questions = [record for _, record in records(lines(folder, "queries.jsonl"), Question)]
    return [GoldQuestion(question, answers[question.id]) for question in questions if answers.get(question.id)]


@dataclass(frozen=True, slots=True)
class _Published:
    question: str = ""
    query: str = ""
    answer: tuple[str, ...] = ()
    answer_arxiv_id: tuple[str, ...] = ()
    data_result_add_score: tuple[GoldPaper, ...] = ()

    @property
    def papers(self) -> tuple[GoldPaper, ...]:
        if len(self.answer_arxiv_id) == len(self.answer):
            pairs: Iterable[tuple[str, str]] = zip(self.answer, self.answer_arxiv_id, strict=True)
        else:
            pairs = [*((title, "") for title in self.answer), *(("", name) for name in self.answer_arxiv_id)]
        return (*(GoldPaper(title, name) for title, name in pairs), *self.data_result_add_score)


def _from_file(path: Path) -> list[GoldQuestion]:
    found = []
    for location, record in records(lines_of(path), _Published):
        text = record.question or record.query
        if not text.strip():
            raise CollectionError(location, "there is neither a question nor a query in this object.")
        if record.papers:
            found.append(GoldQuestion(Question(f"{path.stem} {location.line}", text), record.papers))
    return found
