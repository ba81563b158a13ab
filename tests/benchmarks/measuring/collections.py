"""Read a collection from a folder: documents, questions, and people's labels of relevant documents.

`docs.jsonl` and `queries.jsonl` (optionally gzipped) have one JSON object per line, `qrels.tsv` has
`question<TAB>document<TAB>grade`; a grade from 1 means relevant, 0 judged and not relevant.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BeforeValidator

from agents.bench.questions import CollectionError, lines, records


def _year_of(written: object) -> object:
    """Return the year of a date written as YYYYMMDD; anything else unchanged."""
    return written // 10_000 if isinstance(written, int) and 10_000_000 <= written <= 99_999_999 else written


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
