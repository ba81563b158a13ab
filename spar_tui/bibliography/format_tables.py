"""The tables of `formats.toml`: the CSL variable of each field, and the CSL type of each type, of other formats."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(files("spar_tui.bibliography").joinpath("formats.toml").read_text("utf-8"))


def fields_by_member(table: str) -> Mapping[str, Sequence[str]]:
    """Return the fields of a format by CSL variable, in order."""
    fields: Mapping[str, Sequence[str]] = _tables()[table]
    return fields


def members_of(table: str) -> dict[str, str]:
    """Return the CSL variable, or the special member of `translation.Table`, by field of a format."""
    return {field: member for member, fields in fields_by_member(table).items() for field in fields}


def types_of(table: str) -> dict[str, str]:
    """Return the CSL type by type of a format."""
    return {name: csl_type for csl_type, names in _tables()["types"][table].items() for name in names}
