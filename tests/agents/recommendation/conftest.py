"""An open library in a folder of its own."""

from tests.cache.conftest import path, store

__all__ = ["path", "store"]
