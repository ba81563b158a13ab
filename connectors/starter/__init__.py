"""The starter shelf: landmark papers that ship along, so that `spar` answers before any network does."""

from typing import TYPE_CHECKING, Any

from connectors.starter.shelf import FIELDS

if TYPE_CHECKING:
    from connectors.starter.shelf import StarterShelf

__all__ = ["FIELDS", "StarterShelf"]


def __getattr__(name: str) -> Any:
    """The shelf, read when somebody wants it: who only names its fields does not pay for it."""
    if name != "StarterShelf":
        raise AttributeError(name)
    from connectors.starter.shelf import StarterShelf

    return StarterShelf
