"""Facts about papers for queries, in a table of their own: papers are thousands of bytes apart and parsing JSON is
slow; these rows are scanned at 10,000 in some milliseconds.

They are computed for new papers at the next query in SQL, so that no other operation waits for them.
"""

import math
import time

from cache.conditions.table import ABSTRACT
from cache.store import Store

# `abstract` says whether the column of that name has the paper's own words; it may have spar's note.
_FILL = f"""
    INSERT INTO paper_facts
    SELECT id, year, date, citations, coalesce(type, 'other'), pdf IS NOT NULL, coalesce(retracted, 0), language,
        has_abstract,
        first_seen, first_author, title, venue,
        coalesce((SELECT group_concat(value, '; ') FROM json_each(
            CASE WHEN json_valid(authors) THEN authors ELSE '[]' END)), ''),
        coalesce((SELECT group_concat(json_extract(value, '$[0]'), '; ') FROM json_each(keywords)), '')
    FROM (
        SELECT p.id, p.year, p.date, p.first_seen, p.first_author, p.title, p.venue, p.authors,
            {ABSTRACT} AS has_abstract,
            max(told.value) FILTER (WHERE told.key = 'citation_count') AS citations,
            max(told.value) FILTER (WHERE told.key = 'type') AS type,
            max(told.value) FILTER (WHERE told.key = 'pdf') AS pdf,
            max(told.value) FILTER (WHERE told.key = 'retracted') AS retracted,
            max(told.value) FILTER (WHERE told.key = 'language') AS language,
            max(told.value) FILTER (WHERE told.key = 'keywords') AS keywords
        FROM papers p LEFT JOIN json_each(CASE WHEN json_valid(p.record) THEN p.record ELSE '[0]' END) told
        WHERE p.id IN (SELECT id FROM papers WHERE id NOT IN (SELECT paper FROM paper_facts) LIMIT 2000)
        GROUP BY p.id)"""
_MISSING = "SELECT (SELECT count(*) FROM papers) != (SELECT count(*) FROM paper_facts)"


def complete(store: Store, seconds: float = math.inf) -> bool:
    """Compute the missing facts, some thousands at a time, starting no batch after `seconds`. Return False if some
    are still missing. Raises `CacheError`."""
    end = time.monotonic() + seconds
    while _some_missing(store):
        if time.monotonic() > end:
            return False
        with store.writing() as db:
            if not db.execute(_FILL).rowcount:
                break
    return True


def _some_missing(store: Store) -> bool:
    return bool(store.row(_MISSING)[0])
