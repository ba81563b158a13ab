"""A separate library for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cache.store import Store
from tests.agents.assistant.world import library


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with library(tmp_path) as opened:
        yield opened
