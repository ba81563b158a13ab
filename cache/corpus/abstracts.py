"""Abstracts from separate files, which are read before or after the works.

The abstract of a work in the corpus is written into it; others wait in a table until their work arrives. A work that is
replaced by one without an abstract keeps its abstract. Memory does not grow with the files: one number is held per
waiting abstract.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cache.corpus.place import WORKS
from cache.corpus.rows import text_of
from cache.corpus.table import ABSTRACTS, conditions_on, named_errors, schemas


class Keys:
    """A set of numbers."""

    def __init__(self, numbers: Any) -> None:
        self._sorted = np.unique(np.asarray(numbers, np.int64))

    def among(self, numbers: Iterable[int]) -> set[int]:
        """Return the members of `numbers` that are in the set."""
        keys = np.fromiter(numbers, np.int64)
        present: set[int] = set(keys[self._has(keys)].tolist())
        return present

    def add(self, numbers: Iterable[int]) -> None:
        """Add `numbers` to the set."""
        keys = np.unique(np.fromiter(numbers, np.int64))
        fresh = keys[~self._has(keys)]
        self._sorted = np.insert(self._sorted, np.searchsorted(self._sorted, fresh), fresh)

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove `numbers` from the set."""
        keys = np.fromiter(numbers, np.int64)
        self._sorted = np.delete(self._sorted, np.searchsorted(self._sorted, keys[self._has(keys)]))

    def _has(self, keys: Any) -> Any:
        if not len(self._sorted):
            return np.zeros(len(keys), bool)
        positions = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        return self._sorted[positions] == keys


class Abstracts:
    """The abstracts of a corpus under construction. Every method may raise a `CorpusError`."""

    def __init__(self, location: str, tables: Mapping[str, Any]) -> None:
        self._place, self._works, self._waiting = location, tables[WORKS], tables[ABSTRACTS]
        with named_errors(location):
            keys = self._waiting.search().select(["key"]).to_arrow()["key"].to_numpy()
        self._keys = Keys(keys)

    def put_into(self, works: Any, replaced: set[int]) -> Any:
        """Return `works` with the missing abstracts that were waiting for them or that their earlier record had."""
        import pyarrow

        waiting = self._keys.among(works["key"].to_pylist())
        if not (waiting or replaced):
            return works
        rows = zip(works["key"].to_pylist(), works["text"].to_pylist(), strict=True)
        bare = {key: text for key, text in rows if "\n" not in text and (key in waiting or key in replaced)}
        earlier = _read(self._works, [key for key in bare if key in replaced], ["key", "text"])
        earlier_texts = {row["key"]: row["text"].partition("\n")[2] for row in self._guarded(earlier)}
        apart = _read(self._waiting, [key for key in bare if key in waiting], ["key", "abstract"])
        earlier_texts |= {row["key"]: row["abstract"] for row in self._guarded(apart)}
        if not earlier_texts:
            return works
        texts = [
            text_of(text, earlier_texts[key]) if key in earlier_texts and key in bare else text
            for key, text in zip(works["key"].to_pylist(), works["text"].to_pylist(), strict=True)
        ]
        column = works.schema.get_field_index("text")
        return works.set_column(column, works.schema.field(column), pyarrow.array(texts, pyarrow.string()))

    def taken(self, keys: Iterable[int]) -> None:
        """Remove the waiting abstracts of works that are stored now."""
        keys_taken = self._keys.among(keys)
        with named_errors(self._place):
            for condition in conditions_on("key", keys_taken):
                self._waiting.delete(condition)
        self._keys.remove(keys_taken)

    def add(self, abstracts: Any) -> tuple[int, int]:
        """Store abstracts; return how many were added to their works, and how many wait for theirs."""
        import pyarrow

        by_key = dict(zip(abstracts["key"].to_pylist(), abstracts["abstract"].to_pylist(), strict=True))
        rows = list(self._guarded(_read(self._works, by_key, schemas()[WORKS].names)))
        keys_added = {row["key"] for row in rows}
        changes = []
        for row in rows:
            text = text_of(row["text"].partition("\n")[0], by_key[row["key"]])
            if text != row["text"]:
                changes.append(row | {"text": text})
        later = [{"key": key, "abstract": text} for key, text in by_key.items() if key not in keys_added]
        with named_errors(self._place):
            if changes:
                table = pyarrow.Table.from_pylist(changes, schema=schemas()[WORKS])
                self._works.merge_insert("key").when_matched_update_all().execute(table)
            if later:
                table = pyarrow.Table.from_pylist(later, schema=schemas()[ABSTRACTS])
                merging = self._waiting.merge_insert("key").when_matched_update_all()
                merging.when_not_matched_insert_all().execute(table)
        self._keys.add(row["key"] for row in later)
        return len(changes), len(later)

    def _guarded(self, rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
        with named_errors(self._place):
            yield from rows


def _read(table: Any, keys: Iterable[int], columns: list[str]) -> Iterable[dict[str, Any]]:
    for condition in conditions_on("key", keys):
        yield from table.search().where(condition).select(columns).to_arrow().to_pylist()
