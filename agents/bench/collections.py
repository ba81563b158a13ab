"""Read a collection from a folder: documents, questions, and people's labels of relevant documents.

`docs.jsonl` and `queries.jsonl` (optionally gzipped) have one JSON object per line, `qrels.tsv` has
`question<TAB>document<TAB>grade`; a grade from 1 means relevant, 0 judged and not relevant.
"""

import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from connectors.identifiers import Identifier, arxiv, doi, identifiers
from connectors.paper import Paper
from connectors.records.clean import clean_text
from connectors.records.matching import title_key

JsonRecord = TypeVar("JsonRecord")


class Location(NamedTuple):
    """A line of a file, from 1."""

    file: Path
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


class CollectionError(Exception):
    """A collection cannot be used; the sentence says where and why."""

    def __init__(self, location: Location | Path, sentence: str) -> None:
        super().__init__(f"{location}: {sentence}")


def lines(folder: Path, name: str) -> Iterator[tuple[Location, str]]:
    """Yield the non-empty lines of `folder/name`, or of its gzipped version, with their locations."""
    path = next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
    if path is None:
        raise CollectionError(folder, f"there is no {name} or {name}.gz in this folder.")
    return lines_of(path)


def lines_of(path: Path) -> Iterator[tuple[Location, str]]:
    """Yield the lines of the file `path`, which is gzipped if its name says so."""
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield Location(path, number), line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise CollectionError(Location(path, number + 1), "here or soon after is text that is not UTF-8.") from None
    except (OSError, EOFError, zlib.error) as error:
        raise CollectionError(path, f"the file could not be read ({error}).") from None


def records(numbered: Iterable[tuple[Location, str]], kind: type[JsonRecord]) -> Iterator[tuple[Location, JsonRecord]]:
    """Parse the JSON objects of numbered lines as `kind`, a dataclass. A null counts as missing; unknown fields are
    ignored."""

    adapter = TypeAdapter(kind)
    for location, line in numbered:
        fields = {key: value for key, value in _object(location, line).items() if value is not None}
        try:
            yield location, adapter.validate_python(fields)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = clean_text(".".join(str(part) for part in first["loc"]), 80)
            raise CollectionError(location, f"{where}: {first['msg'].lower()}.") from None


def _object(location: Location, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise CollectionError(location, "this is not JSON.") from None
    if not isinstance(value, dict):
        raise CollectionError(location, "this is JSON, but not an object in braces.")
    return value


RELEVANT = 1
"""The lowest grade of a relevant document."""


def _year_of(value: object) -> object:
    """Return the year of a date written as YYYYMMDD; anything else unchanged."""
    return value // 10_000 if isinstance(value, int) and 10_000_000 <= value <= 99_999_999 else value


@dataclass(frozen=True, slots=True)
class Document:
    """A paper of a collection; `references` are ids of documents."""

    id: str
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: Annotated[int | None, BeforeValidator(_year_of)] = None
    venue: str = ""
    keywords: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text that a search reads."""
        return " ".join((self.title, self.abstract, *self.keywords))


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a collection. For it, the documents in `exclude` and those after `before` do not exist.

    `asked` is the day of the question, from which "the past five years" counts.
    """

    id: str
    text: str
    exclude: tuple[str, ...] = ()
    before: date | None = None
    asked: date | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection; `grades` has the labeled documents of each question."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    grades: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


Record = TypeVar("Record", Document, Question)


def is_collection(folder: Path) -> bool:
    """Whether `folder` has documents, so that it can be searched offline."""
    return any((folder / name).is_file() for name in ("docs.jsonl", "docs.jsonl.gz"))


def read_collection(folder: Path) -> Collection:
    """Read the collection in `folder`. Raises `CollectionError`."""
    documents = read_documents(folder)
    questions = _once_each(folder, "queries.jsonl", Question)
    return Collection(
        folder.resolve().name, tuple(documents.values()), tuple(questions.values()), _grades(folder, documents)
    )


def read_documents(folder: Path) -> dict[str, Document]:
    """Read the documents in `folder`, by id. Raises `CollectionError`."""
    return _once_each(folder, "docs.jsonl", Document)


def questions_among(folder: Path, documents: Path) -> Collection:
    """Combine the questions in `folder` with the documents of another collection, without labels. Raises
    `CollectionError`."""
    questions = _once_each(folder, "queries.jsonl", Question)
    documents_read = read_documents(documents)
    name = f"{folder.resolve().name} among {documents.resolve().name}"
    return Collection(name, tuple(documents_read.values()), tuple(questions.values()))


def _once_each(folder: Path, name: str, kind: type[Record]) -> dict[str, Record]:
    by_id: dict[str, Record] = {}
    for location, record in records(lines(folder, name), kind):
        if record.id in by_id:
            raise CollectionError(location, f"the id {record.id!r} is already on an earlier line.")
        by_id[record.id] = record
    return by_id


def _grades(folder: Path, documents: Mapping[str, Document]) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for location, line in lines(folder, "qrels.tsv"):
        parts = line.split("\t")
        if len(parts) != 3:
            raise CollectionError(location, f"{len(parts)} columns; a label is a question, a document and a grade.")
        question, document, grade = parts
        if document not in documents:
            raise CollectionError(location, f"there is no document {document!r} in the collection.")
        try:
            grades[question][document] = int(grade)
        except ValueError:
            raise CollectionError(location, f"the grade {grade!r} is not a whole number.") from None
    return dict(grades)


@dataclass(frozen=True, slots=True)
class GoldPaper:
    """A paper that people or a survey named as an answer."""

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
        """The id that decides the half."""
        return self.question.id


class Gold:
    """Matches papers with the known answers: by DOI or arXiv id, or by the letters of the title."""

    def __init__(self, papers: Sequence[GoldPaper]) -> None:
        self._by_name: dict[Identifier, str] = {}
        self._by_title: dict[str, str] = {}
        for number, paper in enumerate(papers):
            for name in identifiers(doi(paper.doi), arxiv(paper.arxiv)):
                self._by_name.setdefault(name, f"gold {number}")
            self._by_title.setdefault(title_key(paper.title), f"gold {number}")
        self._by_title.pop("", None)
        self.grades = dict.fromkeys([*self._by_name.values(), *self._by_title.values()], 1)
        """Every known paper by its id here; two entries with one title are one paper."""

    def document_of(self, paper: Paper) -> str | None:
        """Return the id of the known paper that `paper` is; None if it is none."""
        by_name = (self._by_name[name] for name in paper.identifiers if name in self._by_name)
        return next(by_name, None) or self._by_title.get(title_key(paper.title))


def read_gold(path: Path) -> list[GoldQuestion]:
    """Read the questions in a folder or a file. Raises `CollectionError`."""
    if path.is_dir():
        answers = {record.id: record.papers for _, record in records(lines(path, "gold.jsonl"), _Answers)}
        questions = [record for _, record in records(lines(path, "queries.jsonl"), Question)]
        return [GoldQuestion(question, answers[question.id]) for question in questions if answers.get(question.id)]
    if not path.is_file():
        raise CollectionError(path, "there is no such file or folder.")
    cases = []
    for location, record in records(lines_of(path), _Published):
        text = record.question or record.query
        if not text.strip():
            raise CollectionError(location, "there is neither a question nor a query in this object.")
        if record.papers:
            cases.append(GoldQuestion(Question(f"{path.stem} {location.line}", text), record.papers))
    return cases


@dataclass(frozen=True, slots=True)
class _Answers:
    id: str
    papers: tuple[GoldPaper, ...]


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
