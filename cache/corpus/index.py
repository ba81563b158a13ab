"""Queries of a corpus: works by words, works by identifiers, citing works; and its size."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Semaphore
from typing import Any

from cache.corpus.place import WORKS, is_remote
from cache.corpus.rows import is_own, key_of, number_of, paper_of
from cache.corpus.table import (
    CITED,
    CITES,
    LINKS,
    PARTS,
    VECTORS,
    Database,
    NotIndexed,
    VectorModel,
    conditions_on,
    list_of,
    model_of,
    named_errors,
)
from cache.fulltext import words_of
from connectors.batches import in_batches
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import title_key
from connectors.source import ANY, Preferred

SHOWN = ["text", "record"]
"""The columns read for a work that is shown; each further column slows a search by up to a tenth."""
_FUSED_FROM = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""
_WIDER = 8
"""Factor on the number of works searched by meaning if conditions exclude some."""
_SEARCHED_AT_ONCE = 4 * (os.cpu_count() or 1)
"""Maximum number of parallel searches per process; more would share the processors and all end late."""


@dataclass(frozen=True, slots=True)
class Info:
    """The size of a corpus: `years` are the first and the last, `unindexed` the works without an index, and `bytes`
    the size on the disk, None if it is remote. `vectors` is the number of works with a vector, by the model
    `vectors_by`."""

    place: str
    works: int
    links: int
    files: int
    by_source: Mapping[str, int]
    years: tuple[int, int] | None
    indexed: bool
    unindexed: int
    bytes: int | None
    vectors: int = 0
    vectors_by: str | None = None


class Index:
    """The corpus at `location`, opened for reading. Every method may raise a `CorpusError`."""

    def __init__(self, location: str) -> None:
        self.location = location
        self._tables = Database(location).open()
        self._turns = Semaphore(_SEARCHED_AT_ONCE)

    def search(
        self,
        text: str,
        since: date | None = None,
        until: date | None = None,
        limit: int = 25,
        preferred: Preferred = ANY,
        meaning: Sequence[float] = (),
    ) -> list[Paper]:
        """Return the works closest to the words of `text` by BM25, `preferred` ones first; bounds are inclusive and
        exclude undated works. A date known only to the year or month is within the bounds if it can be. Parallel
        searches are served in the order of their calls.

        With `meaning`, a vector in the corpus' space, the rankings by words and by meaning are fused (reciprocal
        ranks). The search by words applies the conditions first, so it finds all works that meet them; the search by
        meaning only filters its closest works.
        """
        words = " ".join(words_of(text))
        if not words:
            return []
        bounds = [f"closes >= {number_of(since)}"] if since else []
        bounds += [f"opens <= {number_of(until)} AND opens > 0"] if until else []
        preferences = _wishes(preferred)
        if (
            preferences and "venue" not in self._tables[WORKS].schema.names
        ):  # the column is optional and needed only here
            preferences = []
        with self._turns:
            rows = self._nearest(words, meaning, bounds + preferences, limit)
            if preferences and len(rows) < limit:
                keys_present = {row["record"] for row in rows}
                rows += [
                    row for row in self._nearest(words, meaning, bounds, limit) if row["record"] not in keys_present
                ]
            return [paper for row in rows[:limit] if (paper := _paper(row))]

    def lookup(self, names: Sequence[Identifier]) -> list[Paper]:
        """Return the works with one of the identifiers `names`, once each."""
        names_wanted = set(names)
        # A highly cited work has more links from citing works than from its identifiers.
        beside = {key_of(name) for name in names_wanted if not is_own(name)}
        works = {key_of(name) for name in names_wanted} | {work for _, work, _ in self._links(beside)}
        return [paper for paper in self._papers(works).values() if names_wanted & set(paper.identifiers)]

    def references(self, records: Sequence[Paper], limit: int) -> tuple[list[Paper], int]:
        """Return the works here that a work cites, most cited first, and how many it cites as far as known, from its
        `records` here or from a file of citations."""
        cited_names = {name for record in records for name in record.references}
        lists = {list_of(key) for key in _own_keys(records)}
        cited = {work for _, work, weight in self._links(lists) if weight == CITED}
        by_names = {
            paper.identifiers: paper for paper in (*self.lookup(list(cited_names)), *self._papers(cited).values())
        }
        return _most_cited(by_names.values())[:limit], max(len(cited_names), len(cited))

    def citations(self, records: Sequence[Paper], limit: int) -> tuple[list[Paper], int]:
        """Return the most cited of the works here that cite the work of `records`, and their total number."""
        links = list(self._links(_own_keys(records)))
        citing_works = {work for _, work, weight in links if weight == CITES}
        weights = {work: weight for _, work, weight in links if weight >= 0}
        weights |= {row["key"]: row["cited"] for row in self._rows(WORKS, "key", citing_works, ["key", "cited"])}
        best = sorted(weights, key=lambda work: (-weights[work], work))
        names, citing = {name for record in records for name in record.identifiers}, list[Paper]()
        for some in in_batches(best, max(limit, 1)):
            papers = self._papers(some)
            works_present = [work for work in some if work in papers]
            citing += [
                papers[work] for work in works_present if work in citing_works or names & set(papers[work].references)
            ]
            if len(citing) >= limit:
                break
        of_openalex = sum(work > 0 for work in weights)  # a citing work may be in both dumps
        return citing[:limit], max(of_openalex, len(weights) - of_openalex)

    def info(self) -> Info:
        """Return the size of the corpus."""
        works = self._tables[WORKS]
        with named_errors(self.location):
            columns = works.search().select(["source", "year"]).to_arrow()
            sources = {
                entry["values"]: entry["counts"]
                for entry in columns["source"].combine_chunks().value_counts().to_pylist()
            }
            years = [year for year in columns["year"].unique().to_pylist() if year]
            return Info(
                self.location,
                works.count_rows(),
                self._tables[LINKS].count_rows(f"weight != {CITED}"),
                len(set(self._tables[PARTS].search().select(["path"]).to_arrow()["path"].to_pylist())),
                sources,
                (min(years), max(years)) if years else None,
                self._is_indexed(),
                self._unindexed(),
                None if is_remote(self.location) else _bytes(Path(self.location)),
                self._tables[VECTORS].count_rows() if VECTORS in self._tables else 0,
                (model := self.model()) and model.label,
            )

    def model(self) -> VectorModel | None:
        """Return the model of the works' vectors; None if they have none."""
        table = self._tables.get(VECTORS)
        return model_of(table) if table is not None else None

    def _nearest(
        self, words: str, meaning: Sequence[float], conditions: Sequence[str], limit: int
    ) -> list[dict[str, Any]]:
        by_words = self._nearest_in_words(words, conditions, limit)
        if not len(meaning):
            return by_words
        near = self._nearest_in_meaning(meaning, conditions, limit)
        scores, rows = Counter[str](), dict[str, dict[str, Any]]()
        for order in (by_words, near):
            for rank, row in enumerate(order, start=1):
                scores[row["record"]] += 1 / (_FUSED_FROM + rank)  # type: ignore[assignment]  # a sum of shares
                rows.setdefault(row["record"], row)
        return [rows[record] for record, _ in scores.most_common(limit)]

    def _nearest_in_meaning(
        self, meaning: Sequence[float], conditions: Sequence[str], limit: int
    ) -> list[dict[str, Any]]:
        """Return the works closest in meaning that meet the conditions, closest first."""
        with named_errors(self.location):
            query = self._tables[VECTORS].search(list(meaning), vector_column_name="vector").distance_type("cosine")
            query = query.select(["key", "_distance"])
            near = query.limit(limit * _WIDER if conditions else limit).to_arrow()["key"].to_pylist()
            by_key = {row["key"]: row for row in self._rows(WORKS, "key", near, ["key", *SHOWN], conditions)}
        return [by_key[key] for key in near if key in by_key][:limit]

    def _nearest_in_words(self, words: str, conditions: Sequence[str], limit: int) -> list[dict[str, Any]]:
        with named_errors(self.location):
            match = self._tables[WORKS].search(words, query_type="fts", fts_columns="text")
            if conditions:
                match = match.where(" AND ".join(conditions), prefilter=True)
            try:
                matches = match.select([*SHOWN, "_score"]).limit(limit).to_arrow()
            except ValueError as error:
                raise (NotIndexed(self.location) if not self._is_indexed() else error) from error
        rows: list[dict[str, Any]] = matches.to_pylist()
        return rows

    def _links(self, name_numbers: Iterable[int]) -> Iterable[tuple[int, int, int]]:
        """Yield the links to these numbers: number, work, weight."""
        for row in self._rows(LINKS, "named", name_numbers, ["named", "work", "weight"]):
            yield row["named"], row["work"], row["weight"]

    def _papers(self, works: Iterable[int]) -> dict[int, Paper]:
        """Return the works with these keys, as far as the corpus has them."""
        rows = self._rows(WORKS, "key", works, ["key", *SHOWN])
        return {row["key"]: paper for row in rows if (paper := _paper(row))}

    def _rows(
        self, table: str, column: str, numbers: Iterable[int], columns: list[str], conditions: Sequence[str] = ()
    ) -> Iterable[dict[str, Any]]:
        for key_condition in conditions_on(column, numbers):
            condition = " AND ".join((key_condition, *conditions))
            with named_errors(self.location):
                table_rows = self._tables[table].search().where(condition).select(columns).to_arrow()
            yield from table_rows.to_pylist()

    def _is_indexed(self) -> bool:
        return any("text" in index.columns for index in self._tables[WORKS].list_indices())

    def _unindexed(self) -> int:
        stats = self._tables[WORKS].index_stats("text_idx")
        return int(stats.num_unindexed_rows if stats else self._tables[WORKS].count_rows())


def _paper(row: Mapping[str, Any]) -> Paper | None:
    return paper_of(json.loads(row["record"]), row["text"])


def _own_keys(records: Iterable[Paper]) -> set[int]:
    return {key_of(name) for record in records for name in record.identifiers if is_own(name)}


def _wishes(preferred: Preferred) -> list[str]:
    """Return the preferences as conditions on the columns."""
    venues = [f"venue LIKE '% {title_key(name)} %'" for name in preferred.venues]
    preferences = [f"({' OR '.join(venues)})"] if venues else []
    preferences += ["free"] if preferred.open_access else []
    return preferences + ([f"cited >= {preferred.min_citations}"] if preferred.min_citations else [])


def _most_cited(papers: Iterable[Paper]) -> list[Paper]:
    return sorted(papers, key=lambda paper: (-(paper.citation_count or 0), paper.id))


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
