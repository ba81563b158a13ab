"""The starter shelf: landmark papers included with `spar`, so that it answers without a network."""

from typing import TYPE_CHECKING, Any

from connectors.starter.shelf import FIELDS

if TYPE_CHECKING:
    from connectors.starter.shelf import StarterShelf

__all__ = ["FIELDS", "StarterShelf"]


def __getattr__(name: str) -> Any:
    """Load the shelf on first use, so that code that only needs its fields does not wait for it."""
    if name != "StarterShelf":
        raise AttributeError(name)
    from connectors.starter.shelf import StarterShelf

    return StarterShelf
