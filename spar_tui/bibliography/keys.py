"""The citation keys of papers in the library: issued once, and then the paper's for good."""

from collections.abc import Collection, Mapping, Sequence

from cache import citation_keys
from cache.papers import numbers_of
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.citation_key import new_keys, unfit_key


def keys_for(store: Store, papers: Mapping[int, Paper], pattern: str, reserved: Collection[str] = ()) -> dict[int, str]:
    """The key of each paper, by its number; new ones are made by `pattern` and kept.

    `reserved` are keys, casefolded, that no new key may be. Raises `CacheError`.
    """
    with store.writing():
        present_keys = citation_keys.keys_of(store, papers.keys())
        missing = {number: paper for number, paper in papers.items() if number not in present_keys}
        made = new_keys(missing, pattern, citation_keys.taken(store) | frozenset(reserved))
        return {**present_keys, **citation_keys.issue(store, {number: _giving(key) for number, key in made.items()})}


def known_keys(store: Store, papers: Sequence[Paper]) -> list[str | None]:
    """The key of each paper that has one already. Raises `CacheError`."""
    numbers = numbers_of(store, papers)
    keys = citation_keys.keys_of(store, {number for number in numbers if number is not None})
    return [keys.get(number) if number is not None else None for number in numbers]


def _giving(key: str) -> citation_keys.MakeKey:
    # The keys of a group are chosen together, so what is taken was looked at before.
    return lambda taken: key


def adopt(store: Store, present: Mapping[int, str]) -> None:
    """Let papers that have no key yet keep the one that a person's file gives them, if it can be one."""
    with store.writing():
        present_keys = citation_keys.keys_of(store, present.keys())
        for number, key in present.items():
            if number not in present_keys and not unfit_key(key):
                citation_keys.keep(store, number, key)
