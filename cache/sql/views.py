"""The views that SQL may read, with the meaning of each column, for people and models. The views are all that is
readable. Tables that no view uses are closed, including future ones."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from cache.version import ASKED
from connectors.paper import PaperType


class ViewColumn(NamedTuple):
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
    columns: tuple[ViewColumn, ...]
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
        ViewColumn("id", "its number in the library", "f.paper"),
        ViewColumn("title", "its title", "f.title"),
        ViewColumn("year", "year of publication, or NULL", "f.year"),
        ViewColumn("date", "date as far as it is known: 2020, 2020-05 or 2020-05-17, or NULL", "f.date"),
        ViewColumn("venue", "journal, conference or archive; empty if not known", "f.venue"),
        ViewColumn("authors", "names of the authors, joined by '; '", "f.authors"),
        ViewColumn(
            "first_author", "family name of the first author, in small letters without accents", "f.first_author"
        ),
        ViewColumn("type", f"one of {', '.join(get_args(PaperType))}", "f.type"),
        ViewColumn("citations", "how often it is cited, or NULL if not known", "f.citations"),
        ViewColumn("open_access", "1 if a free PDF is known, else 0", "f.open_access"),
        ViewColumn("retracted", "1 if it was retracted, else 0", "f.retracted"),
        ViewColumn("language", "language as a code such as en, or NULL", "f.language"),
        ViewColumn(
            "abstract",
            "its abstract; empty if not known",
            "CASE WHEN f.abstract THEN (SELECT p.abstract FROM main.papers p WHERE p.id = f.paper) ELSE '' END",
        ),
        ViewColumn(
            "doi",
            "DOI in small letters, of the published version if there is one, or NULL",
            _named("doi", "is_preprint_doi(i.value),"),
        ),
        ViewColumn("arxiv", "arXiv id such as 1706.03762, or NULL", _named("arxiv")),
        ViewColumn("pmid", "PubMed id, or NULL", _named("pmid")),
        ViewColumn("keywords", "its subjects according to the sources, joined by '; '", "f.keywords"),
        ViewColumn(
            "saved",
            "1 if it is on the shelf, else 0",
            "EXISTS (SELECT 1 FROM main.shelf s WHERE s.paper = f.paper AND s.saved != '')",
        ),
        ViewColumn("first_seen", "when it was found first (UTC)", "f.first_seen"),
    ),
    "main.paper_facts f WHERE f.first_seen != ''",
)

_SHELF = View(
    "shelf",
    "the papers that the person saved",
    (
        ViewColumn("paper", "papers.id", "s.paper"),
        ViewColumn("title", "its title", "f.title"),
        ViewColumn("saved", "when it was saved (UTC)", "s.saved"),
        ViewColumn("read", "when it was read (UTC); NULL if it is unread", "s.read"),
        ViewColumn("rating", "1 liked, -1 disliked, 0 neither", "s.rating"),
        ViewColumn("note", "the person's note; empty if there is none", "s.note"),
        ViewColumn(
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
    (ViewColumn("paper", "papers.id", "t.paper"), ViewColumn("tag", "the tag; case makes no difference", "t.tag")),
    "main.tags t WHERE t.tag != ''",
)

_READING = View(
    "reading",
    "the reading history, one row for each act",
    (
        ViewColumn("paper", "papers.id", "a.paper"),
        ViewColumn(
            "act",
            "viewed, opened, saved, unsaved, exported, liked, disliked, unrated, dismissed, read or cited",
            "a.act",
        ),
        ViewColumn("at", "when (UTC)", "a.at"),
    ),
    "main.acts a WHERE a.at != ''",
)

_RUNS = View(
    "runs",
    "searches, summaries, recommendations and conversations",
    (
        ViewColumn("id", "its id, such as 20261121-0941-k3f2", "r.id"),
        ViewColumn("kind", "search, summary, recommendation …", "r.kind"),
        ViewColumn("question", "what the person asked", "r.question"),
        ViewColumn("state", "running, finished, interrupted or failed", "r.state"),
        ViewColumn("started", "when it began (UTC)", "r.started"),
        ViewColumn("finished", "when it ended (UTC), or NULL", "r.finished"),
        ViewColumn(
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
        ViewColumn("run", "runs.id", "e.run"),
        ViewColumn("rank", "place in the result, from 1", "e.rank"),
        ViewColumn("paper", "papers.id", "e.paper"),
    ),
    f"main.run_papers e JOIN main.runs r ON r.id = e.run WHERE e.run != '' AND r.started != '' AND {ASKED}",
)

_CITATIONS = View(
    "citations",
    "which paper cites which, as far as both are in the library",
    (
        ViewColumn("citing", "papers.id of the one that cites", "l.citing"),
        ViewColumn("cited", "papers.id of the one cited", "i.paper"),
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
        ViewColumn("rowid", "papers.id", ""),
        ViewColumn("rank", "how well it matches: the smaller, the better", ""),
        ViewColumn("papers_fts", "stands before MATCH", ""),
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
