"""The starter shelf: landmark papers that ship along, so that `spar` answers before any network does."""

from connectors.starter.shelf import FIELDS, StarterShelf

__all__ = ["FIELDS", "StarterShelf"]
