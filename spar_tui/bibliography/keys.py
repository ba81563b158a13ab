"""The citation keys of the library's papers: assigned once, then permanent."""

from collections.abc import Collection, Mapping, Sequence

from cache import citation_keys
from cache.papers import numbers_of
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.citation_key import new_keys, unfit_key


def keys_for(store: Store, papers: Mapping[int, Paper], pattern: str, reserved: Collection[str] = ()) -> dict[int, str]:
    """Return the key of each paper, by number; missing keys are made by `pattern` and stored. New keys avoid
    `reserved`, which are casefolded. Raises `CacheError`.
    """
    with store.writing():
        present_keys = citation_keys.keys_of(store, papers.keys())
        missing = {number: paper for number, paper in papers.items() if number not in present_keys}
        made = new_keys(missing, pattern, citation_keys.taken(store) | frozenset(reserved))
        # Keys with the same base are chosen together, so taken ones are already excluded.
        issued = {number: (lambda taken, key=key: key) for number, key in made.items()}
        return {**present_keys, **citation_keys.issue(store, issued)}


def known_keys(store: Store, papers: Sequence[Paper]) -> list[str | None]:
    """Return the stored key of each paper, or None. Raises `CacheError`."""
    numbers = numbers_of(store, papers)
    keys = citation_keys.keys_of(store, {number for number in numbers if number is not None})
    return [keys.get(number) if number is not None else None for number in numbers]


def adopt(store: Store, present: Mapping[int, str]) -> None:
    """Give papers without a key the key from a person's file, if it is valid."""
    with store.writing():
        present_keys = citation_keys.keys_of(store, present.keys())
        for number, key in present.items():
            if number not in present_keys and not unfit_key(key):
                citation_keys.keep(store, number, key)
