"""What stands elsewhere and is loaded when it is asked for: a table can name it without importing it."""

from importlib import import_module
from typing import Any


def loaded(entry: str) -> Any:
    """What `entry` names, written as "module:name". Raises `ImportError`, `AttributeError` where nothing stands."""
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)
