"""The list beside the shelf: the person's filters, and their tags by level. No clock and no terminal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cache.conditions.filters import parsed
from cache.conditions.scopes import SHELF
from spar_tui.tui.models.shelf_rows import Entry, filtered


@dataclass(frozen=True, slots=True)
class KeptFilter:
    """A filter to choose: its `name`, its `text` for the filter line, and its number of papers; None if only the
    library can count them. A tag is indented by `level` steps; `kept` says whether the settings have the filter."""

    name: str
    text: str
    papers: int | None = None
    level: int = 0
    kept: bool = False


def kept_filters(among: Sequence[Entry], kept: Mapping[str, str]) -> list[KeptFilter]:
    """Return all papers, then the person's filters, then the tags, each with its number of papers in `among`."""
    mine = [KeptFilter(name, text, _count(among, text), kept=True) for name, text in kept.items()]
    return [KeptFilter("all", "", len(among)), *mine, *_tags(among)]


def _count(among: Sequence[Entry], text: str) -> int | None:
    wanted = parsed(text, SHELF)
    return None if wanted.needs_library else len(filtered(among, wanted))


def _tags(among: Sequence[Entry]) -> list[KeptFilter]:
    """Return each tag and each level above it; a paper counts once per level, whatever number of its tags is below."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for entry in among:
        levels = {level.casefold(): level for tag in entry.row.tags for level in _levels(tag)}
        counts.update(levels.keys())
        names = levels | names
    ordered = sorted(counts, key=lambda tag: tag.split("/"))
    return [
        KeptFilter(f"#{names[tag].rpartition('/')[2]}", _filter_of(names[tag]), counts[tag], tag.count("/"))
        for tag in ordered
    ]


def _levels(tag: str) -> list[str]:
    """Return the levels of a tag: `a`, `a/b` and `a/b/c` for `a/b/c`."""
    parts = tag.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts))] if all(parts) else [tag]


def _filter_of(tag: str) -> str:
    return f'tag:"{tag}"' if any(letter in tag for letter in ' |"') else f"tag:{tag}"
