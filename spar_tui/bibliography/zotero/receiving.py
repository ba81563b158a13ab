"""What stands in the person's Zotero, as entries that an import takes."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from connectors.records.clean import harmless
from connectors.zotero.client import ZoteroClient
from connectors.zotero.library import About, ZoteroItem, about, existing_collection, items
from spar_tui.bibliography.reading.csl_json import read_csl_json
from spar_tui.bibliography.reading.entries_read import Found

_OF_THE_LIBRARY = frozenset(
    "key version collections relations dateAdded dateModified parentItem deleted inPublications".split()
)
"""What an item says of its place in Zotero, and not of the work."""


async def read_zotero(address: str, collection: str, told: Callable[[int], None] = lambda more: None) -> Found:
    """The entries of the library, or of the collection that is named. Raises `SourceError`."""
    async with ZoteroClient(address) as client:
        await about(client)
        chosen = await existing_collection(client, collection) if collection else None
        return entries_of(await items(client, chosen, told=told))


async def library_of(client: ZoteroClient) -> tuple[About, Found]:
    """Which Zotero it is, and the entries of its whole library. Raises `SourceError`."""
    which = await about(client)
    return which, entries_of(await items(client, below=False))


def entries_of(found: Sequence[ZoteroItem]) -> Found:
    """The works among the items; a file or a note that stands alone is none. An entry's line is its item's number."""
    rows = (json.dumps(_exported(item), ensure_ascii=False) for item in found)
    return read_csl_json("[" + ",\n".join(rows) + "]")


def _exported(item: ZoteroItem) -> dict[str, Any]:
    """The item as Better BibTeX would export it, without what changes though the work does not."""
    data = {name: value for name, value in item.data.items() if name not in _OF_THE_LIBRARY}
    files = [path for path in item.files if Path(path).is_file()]
    return data | {
        "itemKey": item.key,
        **({"notes": [{"note": harmless(note)} for note in item.notes]} if item.notes else {}),
        **({"attachments": [{"path": path} for path in files]} if files else {}),
    }
