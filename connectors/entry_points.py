"""Import objects by name when they are needed, so that a table can name them without importing them."""

from importlib import import_module
from typing import Any


def loaded(entry: str) -> Any:
    """Return the object that `entry` names as "module:name". Raises `ImportError` or `AttributeError` if there is
    none."""
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)
