"""Rows that could be read but do not fit into the new library, kept as JSON lines for a person to look at."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from cache.salvage.pages import Value


class UnusedRows:
    """The file at `path`, created with its first row, as a context manager; `count` is its number of rows."""

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0
        self._file = path.open("w", encoding="utf-8")

    def add(self, table: str, row: Mapping[str, Value], reason: str) -> None:
        """Append a row of `table`; bytes are written in hexadecimal. Raises `OSError`."""
        values = {name: {"hex": value.hex()} if isinstance(value, bytes) else value for name, value in row.items()}
        self._file.write(json.dumps({"table": table, "reason": reason, "row": values}, ensure_ascii=False) + "\n")
        self.count += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
