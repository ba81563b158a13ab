"""The starter shelf as a source. Its records are bibliographic facts, each with our own note of a sentence or two on
the paper: `Paper.described`, never an abstract."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from connectors.capability import OF_PAPERS
from connectors.errors import NotFound
from connectors.identifiers import Identifier, Scheme, arxiv, doi, pmid
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS
from connectors.records.build import author_from_name, build_paper, partial_date
from connectors.records.letters import plain_letters
from connectors.records.matching import same_work
from connectors.source import Answer, Query, Source

FIELDS = ("agents", "biomedicine", "information-retrieval", "language", "machine-learning")
"""The fields, with a file for each."""


_TERMS_OF_SIMILARITY = 40


class StarterShelf(Source):
    """The shelf, held in memory; it never fails or waits."""

    name = "starter"
    capabilities = OF_PAPERS
    schemes: tuple[Scheme, ...] = ("doi", "arxiv", "pmid")

    async def search(self, query: Query) -> Answer:
        return self._best(query.text.split(), query)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        identifiers = set(names)
        return Answer(tuple(paper for paper in self._papers.values() if identifiers & set(paper.identifiers)))

    async def references(self, paper: Paper, limit: int) -> Answer:
        cited = self._cited[self._key_of(paper)]
        return Answer(tuple(self._papers[key] for key in cited)[:limit], total=len(cited))

    async def citations(self, paper: Paper, limit: int) -> Answer:
        key = self._key_of(paper)
        citing = [self._papers[citing_key] for citing_key, cited in self._cited.items() if key in cited]
        return Answer(tuple(citing[:limit]), total=len(citing))

    async def similar(self, paper: Paper, limit: int) -> Answer:
        words = f"{paper.title} {paper.about}".split()[:_TERMS_OF_SIMILARITY]
        papers = self._best(words, Query("", limit=limit + 1)).papers
        return Answer(tuple(match for match in papers if not same_work(match, paper))[:limit])

    def papers(self) -> list[Paper]:
        """All papers of the shelf."""
        return list(self._papers.values())

    def landmarks(self, field: str) -> list[tuple[Paper, int]]:
        """Return the papers of one of `FIELDS` with their number of citations within the shelf, most cited first."""
        cited = Counter(key for keys in self._cited.values() for key in keys)
        of_field = [key for key, entry in self._entries.items() if entry["field"] == field]
        return [(self._papers[key], cited[key]) for key in sorted(of_field, key=lambda key: (-cited[key], key))]

    def _best(self, words: Iterable[str], query: Query) -> Answer:
        match = " OR ".join(sorted({f'"{plain_letters(word)}"' for word in _plain(words)}))
        if not match:
            return Answer(total=0)
        years = (query.since.year if query.since else 0, query.until.year if query.until else 9999)
        with closing(self._index()) as index:
            rows = index.execute(
                "SELECT key FROM shelf WHERE shelf MATCH ? AND year BETWEEN ? AND ?"
                " ORDER BY bm25(shelf, 0, 0, 3, 1, 2, 1), key",
                (match, *years),
            ).fetchall()
        return Answer(tuple(self._papers[key] for (key,) in rows[: query.limit]), total=len(rows))

    def _key_of(self, paper: Paper) -> str:
        for key, other in self._papers.items():
            if same_work(other, paper):
                return key
        raise NotFound(self.name, "does not have this paper.")

    @property
    def _entries(self) -> dict[str, dict[str, Any]]:
        return _all_entries()

    @property
    def _papers(self) -> dict[str, Paper]:
        return _all_papers()

    @cached_property
    def _cited(self) -> dict[str, list[str]]:
        return {key: [cited for cited in entry["references"] if cited in self._entries]
                for key, entry in self._entries.items()}  # fmt: skip

    def _index(self) -> sqlite3.Connection:
        """Build the shelf's full-text index, in some thousandths of a second; close it after use."""
        index = sqlite3.connect(":memory:")
        index.execute(
            "CREATE VIRTUAL TABLE shelf USING fts5(key UNINDEXED, year UNINDEXED, title, described, authors, venue,"
            " tokenize='porter unicode61 remove_diacritics 2')"
        )
        index.executemany("INSERT INTO shelf VALUES (?, ?, ?, ?, ?, ?)", _index_rows())
        return index


@cache
def _all_entries() -> dict[str, dict[str, Any]]:
    folder = files("connectors.starter")
    entries = [
        {"field": field, **json.loads(line)}
        for field in FIELDS
        for line in folder.joinpath(f"{field}.jsonl").read_text("utf-8").splitlines()
        if line
    ]
    return {entry["id"]: entry for entry in entries}


@cache
def _all_papers() -> dict[str, Paper]:
    entries = _all_entries()
    identifiers = {key: _identifiers(entry) for key, entry in entries.items()}
    return {key: _paper(entry, identifiers) for key, entry in entries.items()}


@cache
def _index_rows() -> list[tuple[object, ...]]:
    return [
        (key, paper.year, *map(plain_letters, (paper.title, paper.described, authors, paper.venue)))
        for key, paper in _all_papers().items()
        for authors in [" ".join(author.name for author in paper.authors)]
    ]


def _plain(words: Iterable[str]) -> list[str]:
    """Return content words that FTS5 accepts between quotes."""
    letters = ("".join(char if char.isalnum() else " " for char in word).lower().split() for word in words)
    return [part for parts in letters for part in parts if part not in STOP_WORDS and part not in QUESTION_WORDS]


def _identifiers(entry: dict[str, Any]) -> list[Identifier]:
    candidates = (doi(entry.get("doi")), arxiv(entry.get("arxiv")), pmid(entry.get("pmid")))
    return [name for name in candidates if name]


def _paper(entry: dict[str, Any], identifiers: Mapping[str, list[Identifier]]) -> Paper:
    arxiv_id = entry.get("arxiv")
    url = f"https://doi.org/{entry['doi']}" if entry.get("doi") else None
    return build_paper(
        "starter",
        title=entry["title"],
        described=entry["does"],
        authors=[person for name in entry["authors"] if (person := author_from_name(name))],
        date=partial_date(entry["year"]),
        venue=entry["venue"],
        type=entry["type"],
        identifiers=identifiers[entry["id"]],
        references=[name for cited in entry["references"] for name in identifiers.get(cited, [])[:1]],
        pdf=f"https://arxiv.org/pdf/{arxiv_id}" if arxiv_id else None,
        url=url or (f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else None),
        language="en",
    )  # fmt: skip
