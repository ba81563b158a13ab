"""The tables of `formats.toml`: the CSL variable of each field, and the CSL type of each type, of other formats;
and the package's lists of names in text files."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("formats.toml").read_text("utf-8"))


def fields_by_member(table: str) -> Mapping[str, Sequence[str]]:
    """Return the fields of a format by CSL variable, in order; a dot separates the names of a table in a table."""
    fields: Any = _tables()
    for name in table.split("."):
        fields = fields[name]
    return fields  # type: ignore[no-any-return]  # the file's own form


def members_of(table: str) -> dict[str, str]:
    """Return the CSL variable, or the special member of `translation.Table`, by field of a format."""
    return {field: member for member, fields in fields_by_member(table).items() for field in fields}


def types_of(table: str) -> dict[str, str]:
    """Return the CSL type by type of a format."""
    return {name: csl_type for csl_type, names in _tables()["types"][table].items() for name in names}


def lines_of(file: str) -> list[str]:
    """Return the lines of a text file of this package."""
    return Path(__file__).with_name(file).read_text("utf-8").splitlines()
