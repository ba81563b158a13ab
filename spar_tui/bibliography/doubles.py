"""Which entries of one bibliography are the same work."""

from collections.abc import Sequence

from connectors.records.matching import same_work, title_key
from spar_tui.bibliography.comparing.identity import same_title
from spar_tui.bibliography.one_work import in_other_places, one_work
from spar_tui.bibliography.reading.entries_read import FoundEntry


def doubles_of(entries: Sequence[FoundEntry]) -> dict[int, FoundEntry]:
    """The entries that are the same work as an earlier one, by their index."""
    found: dict[int, FoundEntry] = {}
    by_title: dict[str, list[int]] = {}
    by_name: dict[object, int] = {}
    for number, entry in enumerate(entries):
        named = [by_name[name] for name in entry.paper.identifiers if name in by_name]
        title = title_key(entry.paper.title)
        alike = by_title.get(title, []) if title else []
        earlier = next((index for index in (*named, *alike) if _is_double(entries[index], entry)), None)
        if earlier is not None:
            found[number] = entries[earlier]
        by_title.setdefault(title, []).append(number)
        for name in entry.paper.identifiers:
            by_name.setdefault(name, number)
    return found


def _is_double(first: FoundEntry, second: FoundEntry) -> bool:
    """Whether two entries are one work to an import, or differ in no more than slips of the pen make: what bears one
    identifier is called a double, and what stands in another place in print without one is not."""
    if one_work(first, second, one_file=True):
        return True
    if set(first.paper.identifiers) & set(second.paper.identifiers):
        return same_title(first.paper, second.paper)
    return same_work(first.paper, second.paper) and not in_other_places(first, second)
