"""The starter shelf: landmark papers that ship along, so that `spar` answers before any network does."""

from connectors.starter.shelf import StarterShelf

__all__ = ["StarterShelf"]
