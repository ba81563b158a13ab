"""Queries for facts of several papers, and for the counts and figures of many."""

from collections.abc import Sequence

from agents.reading.choosing import Turn, has_conditions, numbers_of
from agents.reading.reading import Call
from agents.reading.selection import Selection

_LONGEST = 20_000
"""Maximum number of papers that a query lists by number."""
_COLUMNS = {
    "authors": "authors",
    "date": "date",
    "venue": "venue",
    "citations": "citations",
    "keywords": "keywords",
    "identifiers": "doi",
    "abstract": "abstract",
}


def papers_in(selection: Selection, turn: Turn) -> str | None:
    """Return the papers of a selection as an SQL condition, "" for the whole library; None if that is not possible."""
    if selection.names or selection.onward or has_conditions(selection):
        numbers = numbers_of(selection, turn)
        if numbers is None or len(numbers) > _LONGEST:
            return None
        return f"id IN ({', '.join(map(str, numbers))})"
    return ""


def facts_of_several(part: str, numbers: Sequence[int]) -> Call | None:
    """Return a query for a fact of several papers, in their order."""
    if part in ("note", "tags", "read", "saved"):
        values = {"note": "note", "read": "coalesce(read, 'not read')", "saved": "saved"}
        ids = ", ".join(map(str, numbers))
        if part == "tags":
            return Call(
                "query",
                {
                    "sql": f"SELECT p.title, group_concat(t.tag, ', ') AS tags FROM papers p LEFT JOIN tags t"
                    f" ON t.paper = p.id WHERE p.id IN ({ids}) GROUP BY p.id"
                },
            )
        return Call("query", {"sql": f"SELECT title, {values[part]} AS {part} FROM shelf WHERE paper IN ({ids})"})
    if part not in _COLUMNS:
        return None
    rank = " ".join(f"WHEN {number} THEN {place}" for place, number in enumerate(numbers))
    ids = ", ".join(map(str, numbers))
    sql = f"SELECT title, {_COLUMNS[part]} AS {part} FROM papers WHERE id IN ({ids}) ORDER BY CASE id {rank} END"
    return Call("query", {"sql": sql})


LINKS = {"citations": ("citing", "cited"), "references": ("cited", "citing")}
"""For each kind of link, the column of the papers to find and the column of the named papers."""


def linked_to_several(tool: str, numbers: Sequence[int], *, either: bool) -> Call:
    """Return a query for the papers that cite all of several papers, or that all of them cite; with `either`, any of
    them."""
    these, named = LINKS[tool]
    linked = [f"id IN (SELECT {these} FROM citations WHERE {named} = {number})" for number in numbers]
    where = (" OR " if either else " AND ").join(linked)
    return Call("query", {"sql": f"SELECT id AS paper, title, date FROM papers WHERE {where} ORDER BY date DESC, id"})


def grouped(
    group: str, most: bool, limit: int | None, selection: Selection, turn: Turn, *, distinct: bool = False
) -> Call | None:
    """Return a query for the number of papers by author, venue, year, tag or type.

    With `most`, only the `limit` largest; otherwise all, largest first, or years in their order. With `distinct`, only
    the number of different values.
    """
    among = papers_in(selection, turn)
    if among is None:
        return None
    where = f"WHERE {among}" if among else ""
    also = f"{where} AND" if where else "WHERE"
    match group:
        case "author":
            rows = (
                "(WITH RECURSIVE split(name, rest) AS (SELECT '', authors || '; ' FROM papers"
                f" {where} UNION ALL SELECT substr(rest, 1, instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2)"
                " FROM split WHERE rest != '') SELECT name AS author FROM split WHERE name != '')"
            )
            return _tally(rows, "author", most, limit, distinct)
        case "venue":
            return _tally(f"(SELECT venue FROM papers {also} venue != '')", "venue", most, limit, distinct)
        case "year":
            return _tally(f"(SELECT year FROM papers {also} year IS NOT NULL)", "year", most, limit, distinct)
        case "tag":
            inside = among.replace("id IN", "paper IN")
            return _tally(f"(SELECT tag FROM tags{f' WHERE {inside}' if inside else ''})", "tag", most, limit, distinct)
        case "type":
            return _tally(f"(SELECT type FROM papers {where})", "type", most, limit, distinct)
    return None


def _tally(rows: str, column: str, most: bool, limit: int | None, distinct: bool) -> Call:
    if distinct:
        return Call("query", {"sql": f"SELECT count(DISTINCT {column}) AS {column}s FROM {rows}"})
    order = f"papers DESC, {column}" if most or column != "year" else column
    counted = f"SELECT {column}, count(*) AS papers FROM {rows} GROUP BY {column}"
    if most:  # those that have as many as the last of them are among them
        ranked = f"SELECT *, rank() OVER (ORDER BY papers DESC) AS place FROM ({counted})"
        counted = f"SELECT {column}, papers FROM ({ranked}) WHERE place <= {limit or 5}"
    return Call("query", {"sql": f"{counted} ORDER BY {order}"})


def measured(measure: str, selection: Selection, turn: Turn) -> Call | None:
    """Return a query for a statistic of citation counts."""
    if measure == "total" and (selection.single or len(selection.names) == 1):
        return None
    among = papers_in(selection, turn)
    if among is None:
        return None
    known = f"citations IS NOT NULL{f' AND {among}' if among else ''}"
    value = {
        "average": "round(avg(citations), 1)",
        "total": "sum(citations)",
        "highest": "max(citations)",
        "lowest": "min(citations)",
    }.get(measure)
    if value is None:
        half = f"(SELECT count(*) FROM papers WHERE {known})"
        value = (
            "round(avg(citations), 1) AS median_citations FROM (SELECT citations FROM papers WHERE "
            f"{known} ORDER BY citations LIMIT 2 - {half} % 2 OFFSET ({half} - 1) / 2)"
        )
        return Call("query", {"sql": f"SELECT {value}"})
    return Call("query", {"sql": f"SELECT {value} AS {measure}_citations FROM papers WHERE {known}"})
