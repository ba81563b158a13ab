"""An open library in a folder of its own, and papers to put into it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cache.store import Store
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Author, Paper
from tests.library import copied


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(copied(path)) as opened:
        yield opened


def make_paper(
    title: str, *names: str, author: str = "Lovelace", year: int | None = 2020, abstract: str = "", cites: str = ""
) -> Paper:
    """A paper by one author; `names` and the words of `cites` are identifiers as people write them."""
    return Paper(
        title,
        abstract,
        (Author(author, "Ada"),) if author else (),
        str(year) if year else None,
        identifiers=tuple(map(name, names)),
        references=tuple(map(name, cites.split())),
    )


def name(text: str) -> Identifier:
    found = parse_identifier(text)
    assert found is not None
    return found
