"""Two saved papers that turn out to be one work: nothing that the person wrote about either is lost."""

import json
import sqlite3


def join_on_shelf(db: sqlite3.Connection, gone: int, kept: int) -> None:
    """Give `kept` what the shelf has of `gone`, if both are saved.

    Note and files of `gone` follow the other's; the earlier dates hold; what else both have is the kept paper's.
    """
    sql = "SELECT saved, read, rating, note, pdf, details FROM shelf WHERE paper = ?"
    mine, other = (db.execute(sql, (number,)).fetchone() for number in (kept, gone))
    if mine is None or other is None:
        return  # the row of `gone`, if any, is handed over like every row that refers to it
    read = min(filter(None, (mine[1], other[1])), default=None)
    details = json.dumps(json.loads(other[5]) | json.loads(mine[5]), ensure_ascii=False)
    files = (
        "\n".join(dict.fromkeys(path for lines in (mine[4], other[4]) if lines for path in lines.split("\n"))) or None
    )
    chosen = (min(mine[0], other[0]), read, mine[2] or other[2], _both(mine[3], other[3]), files, details)
    db.execute(
        "UPDATE shelf SET saved = ?, read = ?, rating = ?, note = ?, pdf = ?, details = ? WHERE paper = ?",
        (*chosen, kept),
    )


def _both(first: str, second: str) -> str:
    if not second or second in first:
        return first
    return second if first in second else f"{first}\n\n{second}"
