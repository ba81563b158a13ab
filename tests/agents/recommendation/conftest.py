"""An open library in a folder of its own, and one that many tests read."""

from collections.abc import Iterator

import pytest

from cache.store import Store
from tests.agents.recommendation.world import library
from tests.cache.conftest import path, store

__all__ = ["path", "shared", "store"]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A library with a history (`world.filled`); tests leave it as it is."""
    with library(tmp_path_factory.mktemp("library")) as store:
        yield store
