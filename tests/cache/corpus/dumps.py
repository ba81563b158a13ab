"""Small dumps for tests."""

import gzip
import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.spar_tui.running import wait_until


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


def dumps_in_parts(folder: Path, many: int, parts: int) -> list[Path]:
    """The works from 1 to `many` in so many files: each is a commit, and each work refers to one of another file."""
    return [written(folder / f"{part}.gz", map(work, range(1 + part, many + 1, parts))) for part in range(parts)]


def wait_for_files(build: "subprocess.Popen[bytes]", corpus: Path, more: int) -> None:
    """Wait until the build has given the corpus so many files more, or has ended; each commit and index has some."""
    begun = files_in(corpus)
    wait_until(lambda: build.poll() is not None or files_in(corpus) >= begun + more)


def files_in(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))
