"""The views that SQL may read, with the meaning of each column, for people and models. The views are all that is
readable. Tables that no view uses are closed, including future ones."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from cache.version import ASKED
from connectors.paper import PaperType


class Column(NamedTuple):
    """A column: its name, its meaning in one line, and its expression over the view's tables."""

    name: str
    meaning: str
    value: str


class View(NamedTuple):
    """A view: its name, the meaning of a row, its columns, and the FROM clause of its rows.

    Each table in `rows` is read in a condition that excludes no rows: for the authorizer, a table without a read column
    looks like any other table whose rows are counted, which is not allowed.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    rows: str

    @property
    def sql(self) -> str:
        """The `SELECT` of the view."""
        return f"SELECT {', '.join(f'{column.value} AS {column.name}' for column in self.columns)} FROM {self.rows}"


def _named(scheme: str, order: str = "") -> str:
    """Return SQL for the paper's identifier in a scheme; of several, the first by `order`, then alphabetically."""
    names = f"FROM main.identifiers i WHERE i.paper = f.paper AND i.scheme = '{scheme}'"
    first = f"(SELECT i.value {names} ORDER BY {order} i.value LIMIT 1)" if order else "min(i.value)"
    # Few papers have two, so the others are not sorted.
    return f"(SELECT CASE WHEN count(*) < 2 THEN min(i.value) ELSE {first} END {names})"


_PAPERS = View(
    "papers",
    "every paper ever found, saved or not",
    (
        Column("id", "its number in the library", "f.paper"),
        Column("title", "its title", "f.title"),
        Column("year", "year of publication, or NULL", "f.year"),
        Column("date", "date as far as it is known: 2020, 2020-05 or 2020-05-17, or NULL", "f.date"),
        Column("venue", "journal, conference or archive; empty if not known", "f.venue"),
        Column("authors", "names of the authors, joined by '; '", "f.authors"),
        Column("first_author", "family name of the first author, in small letters without accents", "f.first_author"),
        Column("type", f"one of {', '.join(get_args(PaperType))}", "f.type"),
        Column("citations", "how often it is cited, or NULL if not known", "f.citations"),
        Column("open_access", "1 if a free PDF is known, else 0", "f.open_access"),
        Column("retracted", "1 if it was retracted, else 0", "f.retracted"),
        Column("language", "language as a code such as en, or NULL", "f.language"),
        Column(
            "abstract",
            "its abstract; empty if not known",
            "CASE WHEN f.abstract THEN (SELECT p.abstract FROM main.papers p WHERE p.id = f.paper) ELSE '' END",
        ),
        Column(
            "doi",
            "DOI in small letters, of the published version if there is one, or NULL",
            _named("doi", "is_preprint_doi(i.value),"),
        ),
        Column("arxiv", "arXiv id such as 1706.03762, or NULL", _named("arxiv")),
        Column("pmid", "PubMed id, or NULL", _named("pmid")),
        Column("keywords", "its subjects according to the sources, joined by '; '", "f.keywords"),
        Column(
            "saved",
            "1 if it is on the shelf, else 0",
            "EXISTS (SELECT 1 FROM main.shelf s WHERE s.paper = f.paper AND s.saved != '')",
        ),
        Column("first_seen", "when it was found first (UTC)", "f.first_seen"),
    ),
    "main.paper_facts f WHERE f.first_seen != ''",
)

_SHELF = View(
    "shelf",
    "the papers that the person saved",
    (
        Column("paper", "papers.id", "s.paper"),
        Column("title", "its title", "f.title"),
        Column("saved", "when it was saved (UTC)", "s.saved"),
        Column("read", "when it was read (UTC); NULL if it is unread", "s.read"),
        Column("rating", "1 liked, -1 disliked, 0 neither", "s.rating"),
        Column("note", "the person's note; empty if there is none", "s.note"),
        Column(
            "key",
            "its citation key, or NULL",
            "(SELECT k.key FROM main.citation_keys k WHERE k.paper = s.paper ORDER BY k.rowid LIMIT 1)",
        ),
    ),
    "main.shelf s JOIN main.paper_facts f ON f.paper = s.paper WHERE s.saved != '' AND f.first_seen != ''",
)

_TAGS = View(
    "tags",
    "the person's tags, one row for each tag of a saved paper",
    (Column("paper", "papers.id", "t.paper"), Column("tag", "the tag; case makes no difference", "t.tag")),
    "main.tags t WHERE t.tag != ''",
)

_READING = View(
    "reading",
    "the reading history, one row for each act",
    (
        Column("paper", "papers.id", "a.paper"),
        Column(
            "act",
            "viewed, opened, saved, unsaved, exported, liked, disliked, unrated, dismissed, read or cited",
            "a.act",
        ),
        Column("at", "when (UTC)", "a.at"),
    ),
    "main.acts a WHERE a.at != ''",
)

_RUNS = View(
    "runs",
    "searches, summaries, recommendations and conversations",
    (
        Column("id", "its id, such as 20261121-0941-k3f2", "r.id"),
        Column("kind", "search, summary, recommendation …", "r.kind"),
        Column("question", "what the person asked", "r.question"),
        Column("state", "running, finished, interrupted or failed", "r.state"),
        Column("started", "when it began (UTC)", "r.started"),
        Column("finished", "when it ended (UTC), or NULL", "r.finished"),
        Column(
            "shown",
            "how many papers its result shows, or NULL",
            "CASE WHEN json_valid(r.counts)"
            " THEN coalesce(json_extract(r.counts, '$.shown'), json_extract(r.counts, '$.included')) END",
        ),
    ),
    f"main.runs r WHERE r.started != '' AND {ASKED}",
)

_RUN_PAPERS = View(
    "run_papers",
    "the papers in the results of runs",
    (
        Column("run", "runs.id", "e.run"),
        Column("rank", "place in the result, from 1", "e.rank"),
        Column("paper", "papers.id", "e.paper"),
    ),
    f"main.run_papers e JOIN main.runs r ON r.id = e.run WHERE e.run != '' AND r.started != '' AND {ASKED}",
)

_CITATIONS = View(
    "citations",
    "which paper cites which, as far as both are in the library",
    (
        Column("citing", "papers.id of the one that cites", "l.citing"),
        Column("cited", "papers.id of the one cited", "i.paper"),
    ),
    # A paper can cite another by two of its identifiers: only the first counts. `DISTINCT` would build all pairs first.
    "main.citation_links l JOIN main.identifiers i ON i.scheme = l.scheme AND i.value = l.value"
    " WHERE i.paper != l.citing AND NOT EXISTS ("
    "SELECT 1 FROM main.identifiers o CROSS JOIN main.citation_links m"
    " ON m.citing = l.citing AND m.scheme = o.scheme AND m.value = o.value"
    " WHERE o.paper = i.paper AND (o.scheme, o.value) < (l.scheme, l.value))",
)

VIEWS = (_PAPERS, _SHELF, _TAGS, _READING, _RUNS, _RUN_PAPERS, _CITATIONS)

FULL_TEXT = View(
    "papers_fts",
    "full-text index of titles, abstracts, authors and venues, for `papers_fts MATCH 'words'`; it has o for ø, ae"
    " for æ, ss for ß",
    (
        Column("rowid", "papers.id", ""),
        Column("rank", "how well it matches: the smaller, the better", ""),
        Column("papers_fts", "stands before MATCH", ""),
    ),
    "",
)
"""The full-text table itself, because MATCH does not work on views. Its texts stay closed: the abstracts include
spar's own notes."""

OPEN = (*VIEWS, FULL_TEXT)


def described() -> str:
    """Return the views with their columns and meanings, for models and people."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    for view in OPEN:
        yield f"{view.name}: {view.meaning}"
        yield from (f"  {column.name}: {column.meaning}" for column in view.columns)
