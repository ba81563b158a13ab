"""The starter shelf: landmark papers included with `spar`, so that it answers without a network."""

from connectors.starter.shelf import FIELDS, StarterShelf

__all__ = ["FIELDS", "StarterShelf"]
