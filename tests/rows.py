"""Many rows in one test: a row costs microseconds, a test of its own ten milliseconds in every `make test`.

`each` is for rows that are tried without a fixture; what needs one for each row is `pytest.mark.parametrize`.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def each(
    names: str | Sequence[str], rows: Iterable[Any], ids: Iterable[str | None] | Callable[[Any], object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try a test with every row, as `pytest.mark.parametrize` does, but in one test, which names all rows that fail."""
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_values(row, len(arguments)) for row in rows]
    labels = list(ids) if ids is not None and not callable(ids) else [None] * len(table)
    assert table, "there are no rows"

    def trying_each(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def tried(**others: Any) -> None:
            failures: list[Exception] = []
            for values, label in zip(table, labels, strict=True):
                try:
                    test(**others, **dict(zip(arguments, values, strict=True)))
                except Exception as error:  # noqa: BLE001  # whatever a row raises, the others are tried
                    error.add_note(f"in row {label or ', '.join(map(repr, values))}")
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(table)} rows failed", failures)

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        tried.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return tried

    return trying_each


def _values(row: Any, number: int) -> Sequence[Any]:
    if isinstance(row, type(pytest.param())):
        return row.values
    return (row,) if number == 1 else row
