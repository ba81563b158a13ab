"""Find the library's papers that documents cite, and describe keys that match no paper."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from cache import citation_keys, originals, papers
from cache.store import Store
from spar_tui.bibliography.cited_in import cited_in
from spar_tui.bibliography.exporting import ExportedPaper

MOST_NAMED = 20
"""Maximum number of unknown keys that are listed."""
_ALIKE = 0.75


def papers_cited(store: Store, documents: Sequence[str]) -> tuple[dict[int, ExportedPaper], bool, list[str]]:
    """Return the papers that `documents` cite, by number, each with the keys that cite it; whether a document cites
    everything; and sentences on problems. Raises `UserError` for a document that cannot be read, `CacheError`.
    """
    read = [cited_in(Path(name)) for name in dict.fromkeys(documents)]
    number_of = citation_keys.ByKey(citation_keys.all_keys(store).items()).get
    sets = originals.sets(store)
    keys: dict[int, list[str]] = {}
    unknown_keys: list[str] = []
    for key in dict.fromkeys(key for document in read for key in document.keys):
        if (number := number_of(key)) is not None:
            keys.setdefault(number, []).append(key)
        elif key not in sets:
            unknown_keys.append(key)
        else:
            for member in sets[key]:  # under their own keys
                keys.setdefault(member, [])
    by_number = papers.numbered(store, keys)
    exports = {number: ExportedPaper(paper, cited=tuple(keys[number])) for number, paper in by_number.items()}
    missing_keys = {name: why for document in read for name, why in document.missing.items()}
    not_read = [f"cannot tell what {name} cites: {why}" for name, why in missing_keys.items()]
    return exports, any(document.everything for document in read), [*not_read, *_not_known(store, unknown_keys)]


def _not_known(store: Store, unknown: Sequence[str]) -> list[str]:
    names = list(citation_keys.all_keys(store)) if unknown else []
    lower = {name.casefold(): name for name in names}
    sentences: list[str] = []
    for key in unknown[:MOST_NAMED]:
        near = get_close_matches(key.casefold(), lower, n=1, cutoff=_ALIKE)
        sentences.append(f"no paper here has the key {key}" + (f"; the nearest is {lower[near[0]]}." if near else "."))
    if len(unknown) > MOST_NAMED:
        sentences.append(f"{len(unknown) - MOST_NAMED:,} more keys match no paper here.")
    return sentences
