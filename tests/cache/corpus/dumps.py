"""Small dumps for tests."""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def work(number: int, title: str = "", **more: Any) -> dict[str, Any]:
    """A work as OpenAlex' snapshot tells of it."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.5555/w{number}",
        "title": title or f"Work {number} on matter{number % 97}",
        "publication_year": 2000 + number % 20,
        "publication_date": f"{2000 + number % 20}-05-17",
        "type": "article",
        "language": "en",
        "cited_by_count": number % 50,
        "authorships": [{"author": {"display_name": "Ada Lovelace"}, "institutions": [{"display_name": "Somewhere"}]}],
        "referenced_works": [f"https://openalex.org/W{number - 1}"] if number > 1 else [],
        **more,
    }


def written(path: Path, records: Iterable[object], zipped: bool = True) -> Path:
    """A file of these records, each on a line; text stands as it is."""
    lines = b"".join(_lines(records))
    path.write_bytes(gzip.compress(lines, 1) if zipped else lines)
    return path


def _lines(records: Iterable[object]) -> Iterator[bytes]:
    for record in records:
        yield (record if isinstance(record, str) else json.dumps(record)).encode() + b"\n"
