"""Statements that must never do what they say, and seeded ways of writing them otherwise."""

import random
import re

FORBIDDEN = (
    # that write
    "DELETE FROM papers",
    "DELETE FROM shelf WHERE 1 = 1",
    "REPLACE INTO papers(id, title) VALUES(1, 'x')",
    "INSERT INTO acts (paper, act, at) VALUES (1, 'read', 'now')",
    "UPDATE papers SET title = 'PWNED-7Q'",
    "UPDATE runs SET question = 'PWNED-7Q'",
    "CREATE TEMP TABLE t AS SELECT * FROM papers",
    "CREATE TABLE t (a)",
    "CREATE TEMP VIEW v AS SELECT * FROM model_replies",
    "CREATE TEMP TRIGGER g AFTER INSERT ON shelf BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE temp.v USING fts5(a)",
    "DROP VIEW papers",
    "DROP TABLE model_replies",
    "ALTER TABLE papers RENAME TO p2",
    "REINDEX",
    "ANALYZE",
    "VACUUM",
    "BEGIN IMMEDIATE",
    "SAVEPOINT s",
    "INSERT INTO papers_fts(papers_fts) VALUES('rebuild')",
    "INSERT INTO papers_fts(papers_fts, rank) VALUES('pgsz', 100)",
    # that touch files
    "ATTACH '{folder}/new.db' AS n",
    "ATTACH 'file:{folder}/new.db?mode=rwc' AS n",
    "VACUUM INTO '{folder}/copy.db'",
    "DETACH main",
    "SELECT load_extension('{folder}/x')",
    "SELECT readfile('{folder}/secret.txt')",
    "SELECT writefile('{folder}/w.txt', 'x')",
    "SELECT edit('x')",
    "SELECT fts3_tokenizer('simple')",
    # that change how the connection works
    "PRAGMA query_only = 0",
    "PRAGMA writable_schema = 1",
    "PRAGMA temp_store_directory = '{folder}'",
    "PRAGMA table_info(papers)",
    "PRAGMA journal_mode = DELETE",
    # that read what is closed
    "SELECT answer FROM model_replies",
    "SELECT title, (SELECT group_concat(answer) FROM model_replies) FROM papers LIMIT 1",
    "SELECT title FROM papers UNION ALL SELECT text FROM profile",
    "SELECT title FROM papers WHERE (SELECT answer FROM answers LIMIT 1) LIKE 'sk-%'",
    "SELECT record FROM main.papers",
    "SELECT parameters FROM main.runs",
    "SELECT entry FROM main.run_papers",
    "SELECT content FROM events",
    "SELECT * FROM sqlite_master",
    "SELECT sql FROM sqlite_temp_master",
    "SELECT * FROM pragma_table_info('events')",
    "SELECT * FROM pragma_database_list",
    "SELECT max(name) FROM watches",
    "SELECT block FROM papers_fts_data",
    "SELECT title FROM papers_fts",
    "SELECT * FROM dbstat",
    "WITH papers AS (SELECT answer FROM main.model_replies) SELECT * FROM papers",
    "WITH shelf(a) AS (SELECT record FROM main.papers) SELECT a FROM shelf",
    "EXPLAIN SELECT * FROM papers",
)

HONEST = (
    "SELECT count(*), year FROM papers GROUP BY year ORDER BY year",
    "SELECT p.id FROM papers_fts f JOIN papers p ON p.id = f.rowid WHERE papers_fts MATCH 'vitamin' ORDER BY p.id",
    "SELECT p.title, r.at FROM papers p LEFT JOIN reading r ON r.paper = p.id ORDER BY p.id, r.at LIMIT 3",
    "SELECT title FROM shelf WHERE paper NOT IN (SELECT paper FROM reading WHERE act = 'read') ORDER BY paper",
    "SELECT upper(title) FROM papers WHERE citations > 100 AND year >= 2010 ORDER BY citations DESC",
)

_PARTS = re.compile(r"'(?:[^']|'')*'|[\w$]+|[<>=!|]+|\s+|.", re.DOTALL)
_BLANKS = (" ", "\n", "\t", "/**/", "/* SELECT */", "-- x\n", " /*;*/ ", "\r\n", "\f")


def otherwise(statement: str, chance: random.Random) -> str:
    """The same statement in other letters, with comments and blanks between its words, and perhaps within another."""
    words = [part if not part.isspace() else chance.choice(_BLANKS) for part in _PARTS.findall(statement)]
    letters = [word if word.startswith("'") else _cased(word, chance) for word in words]
    between = [chance.choice(_BLANKS) * (chance.random() < 0.1) + word for word in letters]
    return (
        chance.choice(_BLANKS) * chance.randrange(3) + "".join(between) + chance.choice(("", ";", " ; ", "--", "/* x"))
    )


def within(statement: str, chance: random.Random) -> str:
    """The statement within another: behind one, in an expression, a subquery, a common table expression.

    Nowhere does it stand beside a plain 0: SQLite leaves such a part out before it asks whether it is allowed.
    """
    if statement.startswith(("SELECT", "WITH")):
        forms = [
            "SELECT * FROM ({})",
            "SELECT * FROM ({}) AS papers",
            "WITH x AS ({}) SELECT * FROM x",
            "WITH papers AS ({}) SELECT * FROM papers",
            "WITH x AS NOT MATERIALIZED ({}), shelf AS (SELECT * FROM x) SELECT * FROM shelf",
            "SELECT 1 WHERE EXISTS ({})",
            "SELECT id FROM papers WHERE id < 0 AND EXISTS ({})",
            "SELECT * FROM papers LEFT JOIN ({}) ON id < 0",
            "SELECT * FROM ({}) UNION ALL SELECT 1 WHERE 0",
            "SELECT CASE WHEN 1 THEN 1 ELSE EXISTS ({}) END",
            "SELECT count(*) FROM papers ORDER BY EXISTS ({})",
            "{} LIMIT 1 OFFSET 0" if "LIMIT" not in statement else "SELECT * FROM ({})",
        ]
    else:
        forms = [
            "SELECT 1; {}",
            "SELECT 1;;{}",
            "WITH x AS (SELECT 1) {}",
            "SELECT * FROM ({})",
            "EXPLAIN {}",
            "VALUES (1); {}",
            "SELECT '';{}; SELECT 1",
            ";{}",
            "BEGIN; {}; COMMIT",
        ]
    return chance.choice(forms).replace("{}", statement)


def _cased(word: str, chance: random.Random) -> str:
    return "".join(chance.choice((letter.upper(), letter.lower())) for letter in word)
