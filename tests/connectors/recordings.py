"""The recorded replies of the services, where they are at hand, and ways to damage them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from connectors.errors import SourceError
from connectors.paper import Paper
from tests.rows import each as each_row

FOLDERS = tuple(Path(__file__).parents[3] / "shared" / name for name in ("fixtures", "fixtures-more"))
ABSENT = "the recorded replies (../shared/fixtures, fixtures-more) are not here"

Row = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]
ODD_VALUES: list[Any] = [None, 0, -1, 1e308, True, "", "x", "\ud800", [], [None], [[]], {}, {"": None}, [1, "a"]]


def rows(service: str) -> list[Row]:
    """The rows of a service's recordings, each with the `folder` that it is in; empty where there are none."""
    manifests = [folder / "MANIFEST.json" for folder in FOLDERS]
    return [
        {**row, "folder": manifest.parent}
        for manifest in manifests
        if manifest.exists()
        for row in json.loads(manifest.read_text("utf-8"))["fixtures"]
        if row["service"] == service
    ]


def body(row: Row) -> bytes:
    return (Path(row["folder"]) / str(row["file"])).read_bytes()


def recording(service: str, part: str) -> tuple[Row, Any]:
    """The one recording whose file name holds `part`, and its JSON; skips the test without the recordings."""
    found = rows(service)
    if not found:
        pytest.skip(ABSENT)
    [row] = [row for row in found if part in row["file"]]
    return row, json.loads(body(row))


def each(service: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Tries a test with every recording of the service as `row`."""
    found = rows(service)
    if not found:
        return pytest.mark.skip(reason=ABSENT)
    return each_row("row", found, ids=[Path(row["file"]).stem for row in found])


def damaged(draw: Draw, value: Any, depth: int = 0) -> Any:
    """`value` with one of its parts, at a random depth, replaced by something odd or taken away."""
    if depth > 8 or not isinstance(value, dict | list) or not value or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(ODD_VALUES))
    if isinstance(value, list):
        place = draw(st.integers(0, min(len(value) - 1, 5)))
        return [*value[:place], damaged(draw, value[place], depth + 1), *value[place + 1 :]]
    name = draw(st.sampled_from(sorted(value)))
    if draw(st.integers(0, 6)) == 0:
        return {key: part for key, part in value.items() if key != name}
    return {**value, name: damaged(draw, value[name], depth + 1)}


Outcome = tuple[Paper, ...] | SourceError


def outcome(read: Callable[[Row, bytes], tuple[Paper, ...]], row: Row, body: bytes) -> Outcome:
    """Papers or the named failure that reading a reply ends in; anything else is raised."""
    try:
        return read(row, body)
    except SourceError as error:
        return error


def is_sound(found: Outcome) -> bool:
    """Whether a person can be shown this: titled papers, or a failure told in a sentence."""
    if isinstance(found, SourceError):
        return found.sentence.endswith(".") or found.sentence.endswith("?")
    return all(isinstance(paper, Paper) and paper.title for paper in found)
