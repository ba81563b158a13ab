"""A local stand-in of a person's Zotero: its local API and its connector, of version 7, 9 or 10, with their rules."""

from tests.services.zotero.running import RunningZotero

__all__ = ["RunningZotero"]
