"""Read files with one record per line, plain or gzipped, and report errors with their line."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from connectors.records.clean import clean_text

Record = TypeVar("Record")


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


def records(numbered: Iterable[tuple[Location, str]], kind: type[Record]) -> Iterator[tuple[Location, Record]]:
    """Parse the JSON objects of numbered lines as `kind`, a dataclass. A null counts as missing; unknown fields are
    ignored."""
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(kind)
    for location, line in numbered:
        given = {key: value for key, value in _object(location, line).items() if value is not None}
        try:
            yield location, adapter.validate_python(given)
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
