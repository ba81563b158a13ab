"""The tables of the library, as numbered steps from an empty file to the current version.

A released step is never edited: a change is a new step and increases `cache.version.VERSION` by one. This module is
imported only if a step is missing, because sqlite-utils costs a tenth of a second.
"""

import json
from collections.abc import Callable, Iterator, Sequence

from sqlite_utils import Database, Migrations

from cache.packing import MOST, compress
from cache.starter_notes import note_apart
from cache.version import APPLICATION_ID, TOKENIZER

LIBRARY = Migrations("library")


_UPKEEP = "CREATE TABLE upkeep (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"

_PAPERS = (
    # Small columns come first: columns after a long abstract are on overflow pages, fetched one by one.
    """CREATE TABLE papers (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        date TEXT,
        year INTEGER,
        first_seen TEXT NOT NULL,
        last_seen TEXT NOT NULL,
        first_author TEXT NOT NULL,
        title_key TEXT NOT NULL,
        title TEXT NOT NULL,
        venue TEXT NOT NULL,
        authors TEXT NOT NULL,
        abstract TEXT NOT NULL,
        record TEXT NOT NULL
    )""",
    "CREATE INDEX papers_by_words ON papers (first_author, length(title_key), title_key, year)",
    """CREATE TABLE identifiers (
        scheme TEXT NOT NULL,
        value TEXT NOT NULL,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        PRIMARY KEY (scheme, value)
    ) WITHOUT ROWID""",
    "CREATE INDEX identifiers_by_paper ON identifiers (paper)",
    # The cited paper is found by identifier, so a link holds as soon as the paper is known.
    """CREATE TABLE citation_links (
        citing INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        scheme TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (citing, scheme, value)
    ) WITHOUT ROWID""",
    "CREATE INDEX citation_links_by_cited ON citation_links (scheme, value)",
)

_COLUMNS = ("title", "abstract", "authors", "venue")
_NEW, _OLD = (", ".join(f"{row}.{column}" for column in _COLUMNS) for row in ("new", "old"))
_ADD = f"INSERT INTO papers_fts (rowid, {', '.join(_COLUMNS)}) VALUES (new.id, {_NEW});"
_REMOVE = f"INSERT INTO papers_fts (papers_fts, rowid, {', '.join(_COLUMNS)}) VALUES ('delete', old.id, {_OLD});"

_FULL_TEXT = (
    f"""CREATE VIRTUAL TABLE papers_fts USING fts5 (
        {", ".join(_COLUMNS)}, content='papers', content_rowid='id', tokenize='{TOKENIZER}'
    )""",
    f"CREATE TRIGGER papers_added AFTER INSERT ON papers BEGIN {_ADD} END",
    f"CREATE TRIGGER papers_removed AFTER DELETE ON papers BEGIN {_REMOVE} END",
    # The index is not updated if a paper is stored again unchanged.
    f"""CREATE TRIGGER papers_changed AFTER UPDATE ON papers
        WHEN ({_NEW}) IS NOT ({_OLD}) BEGIN {_REMOVE} {_ADD} END""",
)

_RUNS = (
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        question TEXT NOT NULL,
        parameters TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted', 'failed')),
        started TEXT NOT NULL,
        finished TEXT,
        counts TEXT NOT NULL DEFAULT '{}'
    )""",
    "CREATE INDEX runs_by_start ON runs (started)",
    """CREATE TABLE events (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        id INTEGER NOT NULL,
        role TEXT NOT NULL,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        score REAL,
        timestamp TEXT NOT NULL,
        PRIMARY KEY (run, id)
    ) WITHOUT ROWID""",
    """CREATE TRIGGER events_are_final BEFORE UPDATE ON events
        BEGIN SELECT raise(ABORT, 'an event is never changed'); END""",
    """CREATE TABLE run_papers (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        rank INTEGER NOT NULL,
        paper INTEGER NOT NULL REFERENCES papers (id),
        entry TEXT NOT NULL,
        PRIMARY KEY (run, rank)
    ) WITHOUT ROWID""",
    "CREATE INDEX run_papers_by_paper ON run_papers (paper)",
)

_ANSWERS = (
    """CREATE TABLE answers (
        key TEXT PRIMARY KEY,
        source TEXT NOT NULL,
        operation TEXT NOT NULL,
        request TEXT NOT NULL,
        answer TEXT NOT NULL,
        stored_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX answers_by_expiry ON answers (expires_at)",
)

_MODEL_REPLIES = (
    """CREATE TABLE model_replies (
        key TEXT PRIMARY KEY,
        endpoint TEXT NOT NULL,
        model TEXT NOT NULL,
        prompt TEXT NOT NULL,
        answer TEXT NOT NULL,
        stored_at TEXT NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX model_replies_by_age ON model_replies (stored_at)",
)

_SHELF = (
    """CREATE TABLE shelf (
        paper INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        saved TEXT NOT NULL,
        read TEXT,
        rating INTEGER NOT NULL DEFAULT 0 CHECK (rating IN (-1, 0, 1)),
        note TEXT NOT NULL DEFAULT '',
        pdf TEXT,
        details TEXT NOT NULL DEFAULT '{}'
    )""",
    "CREATE INDEX shelf_by_date ON shelf (saved)",
    """CREATE TABLE tags (
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        tag TEXT NOT NULL COLLATE NOCASE,
        PRIMARY KEY (paper, tag)
    ) WITHOUT ROWID""",
    "CREATE INDEX tags_by_tag ON tags (tag)",
)

_ACTS = (
    """CREATE TABLE acts (
        id INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        act TEXT NOT NULL,
        at TEXT NOT NULL,
        run TEXT REFERENCES runs (id) ON DELETE SET NULL
    )""",
    "CREATE INDEX acts_by_paper ON acts (paper, at)",
    "CREATE INDEX acts_by_time ON acts (at)",
    "CREATE INDEX acts_by_run ON acts (run)",
)

# Keys are compared as in BibTeX, ignoring the case of ASCII letters. A paper may have several: the first issued is its
# own, the others stay reserved for it.
_CITATION_KEYS = (
    """CREATE TABLE citation_keys (
        key TEXT PRIMARY KEY COLLATE NOCASE,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        issued TEXT NOT NULL
    )""",
    "CREATE INDEX citation_keys_by_paper ON citation_keys (paper, issued)",
)

_WATCHES = (
    """CREATE TABLE watches (
        name TEXT PRIMARY KEY COLLATE NOCASE,
        question TEXT NOT NULL,
        parameters TEXT NOT NULL,
        made TEXT NOT NULL,
        asked TEXT
    )""",
    """CREATE TABLE watch_papers (
        watch TEXT NOT NULL COLLATE NOCASE REFERENCES watches (name) ON DELETE CASCADE,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        seen TEXT NOT NULL,
        PRIMARY KEY (watch, paper)
    ) WITHOUT ROWID""",
    "CREATE INDEX watch_papers_by_paper ON watch_papers (paper)",
)

# `record` is a digest of the words and identifiers that identify a work.
_TELLINGS = (
    """CREATE TABLE tellings (
        record BLOB PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE
    ) WITHOUT ROWID""",
    "CREATE INDEX tellings_by_paper ON tellings (paper)",
)

# `digest` is of the whole entry, `key` is its key in exports.
_ORIGINALS = (
    """CREATE TABLE originals (
        id INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        key TEXT NOT NULL COLLATE NOCASE,
        digest BLOB NOT NULL,
        entry TEXT NOT NULL
    )""",
    "CREATE INDEX originals_by_paper ON originals (paper)",
    "CREATE INDEX originals_by_key ON originals (key)",
    "CREATE INDEX originals_by_digest ON originals (digest)",
)

# Computed from a paper and its links when it is first compared; invalid once either changes.
_PAPER_TOKENS = (
    """CREATE TABLE paper_tokens (
        paper INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        reader INTEGER NOT NULL,
        tokens BLOB NOT NULL
    )""",
    """CREATE TRIGGER paper_tokens_outdated AFTER UPDATE OF record ON papers
        BEGIN DELETE FROM paper_tokens WHERE paper = new.id; END""",
    """CREATE TRIGGER paper_tokens_unlinked AFTER INSERT ON citation_links
        BEGIN DELETE FROM paper_tokens WHERE paper = new.citing; END""",
)

# `space` names the model of a vector: only vectors of one model are comparable.
_PAPER_VECTORS = (
    """CREATE TABLE paper_vectors (
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        space TEXT NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (paper, space)
    ) WITHOUT ROWID""",
    """CREATE TRIGGER paper_vectors_outdated AFTER UPDATE OF title, abstract ON papers
        WHEN new.title IS NOT old.title OR new.abstract IS NOT old.abstract
        BEGIN DELETE FROM paper_vectors WHERE paper = new.id; END""",
)

# Interactions with a paper up to the moment it was set aside do not count for the person's taste.
_PROFILE = (
    """CREATE TABLE profile (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        facet TEXT NOT NULL CHECK (facet IN ('like', 'dislike', 'expect')),
        text TEXT NOT NULL,
        made TEXT NOT NULL
    )""",
    """CREATE TABLE profile_papers (
        line INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        PRIMARY KEY (line, paper)
    ) WITHOUT ROWID""",
    "CREATE INDEX profile_papers_by_paper ON profile_papers (paper)",
    """CREATE TABLE set_aside (
        paper INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        at TEXT NOT NULL
    )""",
)

# Computed when SQL first uses them (`cache.sql.facts`); invalid once the paper changes.
_PAPER_FACTS = (
    """CREATE TABLE paper_facts (
        paper INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
        year INTEGER,
        date TEXT,
        citations INTEGER,
        type TEXT NOT NULL,
        open_access INTEGER NOT NULL,
        retracted INTEGER NOT NULL,
        language TEXT,
        abstract INTEGER NOT NULL,
        first_seen TEXT NOT NULL,
        first_author TEXT NOT NULL,
        title TEXT NOT NULL,
        venue TEXT NOT NULL,
        authors TEXT NOT NULL,
        keywords TEXT NOT NULL
    )""",
    """CREATE TRIGGER paper_facts_outdated AFTER UPDATE OF record ON papers
        BEGIN DELETE FROM paper_facts WHERE paper = new.id; END""",
)

# `space` names the model of a vector: only vectors of one model are comparable. `text` is the SHA-256 of the text.
_TEXT_VECTORS = (
    "DROP TRIGGER paper_vectors_outdated",
    "DROP TABLE paper_vectors",
    """CREATE TABLE text_vectors (
        space TEXT NOT NULL,
        text BLOB NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (space, text)
    )""",
)

_CORRECTIONS = """CREATE TABLE corrections (
    paper INTEGER PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE,
    before TEXT NOT NULL
)"""

# A text belongs to a file on the shelf, and is deleted when the shelf loses the paper or the file. Pages refer to the
# text and not to the paper, so that pages of merged papers do not mix. Empty pages are left out.
_PAGE_TEXTS = (
    """CREATE TABLE full_texts (
        id INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL UNIQUE REFERENCES papers (id) ON DELETE CASCADE,
        file TEXT NOT NULL,
        digest BLOB NOT NULL,
        pages INTEGER NOT NULL,
        told INTEGER NOT NULL,
        reason TEXT NOT NULL,
        read TEXT NOT NULL
    )""",
    """CREATE TABLE page_texts (
        id INTEGER PRIMARY KEY,
        full_text INTEGER NOT NULL REFERENCES full_texts (id) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (full_text, page)
    )""",
    f"""CREATE VIRTUAL TABLE page_texts_fts USING fts5 (
        text, content='page_texts', content_rowid='id', tokenize='{TOKENIZER}'
    )""",
    """CREATE TRIGGER page_texts_added AFTER INSERT ON page_texts
        BEGIN INSERT INTO page_texts_fts (rowid, text) VALUES (new.id, new.text); END""",
    """CREATE TRIGGER page_texts_removed AFTER DELETE ON page_texts
        BEGIN INSERT INTO page_texts_fts (page_texts_fts, rowid, text) VALUES ('delete', old.id, old.text); END""",
    """CREATE TRIGGER page_texts_are_final BEFORE UPDATE ON page_texts
        BEGIN SELECT raise(ABORT, 'the text of a page is never changed'); END""",
    """CREATE TRIGGER full_texts_unsaved AFTER DELETE ON shelf
        BEGIN DELETE FROM full_texts WHERE paper = old.paper; END""",
    """CREATE TRIGGER full_texts_of_other_files AFTER UPDATE OF pdf ON shelf WHEN new.pdf IS NOT old.pdf BEGIN
        DELETE FROM full_texts WHERE paper = new.paper
            AND instr(char(10) || coalesce(new.pdf, '') || char(10), char(10) || file || char(10)) = 0;
    END""",
)

# `kept` is the number of the paper at that time, `record` the data of the paper that is `gone`; `before` are the rows
# about both, `after` the rows of the paper and its shelf entry after the merge.
_MERGES = (
    """CREATE TABLE merges (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        kept INTEGER NOT NULL,
        gone INTEGER NOT NULL,
        first_author TEXT NOT NULL,
        record TEXT NOT NULL,
        made TEXT NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL
    )""",
    "CREATE INDEX merges_by_paper ON merges (paper)",
    "CREATE INDEX merges_by_author ON merges (first_author)",
)

# Older libraries did not record where a note came from: treat it as imported if the paper's entry has a note field.
_IMPORTS = (
    "CREATE TABLE chosen_files (path TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE imported_notes (
        id INTEGER PRIMARY KEY,
        paper INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        text TEXT NOT NULL
    )""",
    "CREATE INDEX imported_notes_by_paper ON imported_notes (paper)",
    """INSERT INTO imported_notes (paper, text) SELECT s.paper, s.note FROM shelf s WHERE s.note != '' AND EXISTS (
        SELECT 1 FROM originals o WHERE o.paper = s.paper AND (o.entry LIKE '%note"%' OR o.entry LIKE '%notes"%'
            OR o.entry LIKE '%annotation"%' OR o.entry LIKE '%"N1"%' OR o.entry LIKE '%"RN"%'))""",
)

_WATCH_LOOKS = """CREATE TABLE watch_looks (
    watch TEXT NOT NULL COLLATE NOCASE REFERENCES watches (name) ON DELETE CASCADE,
    source TEXT NOT NULL,
    looked TEXT NOT NULL,
    PRIMARY KEY (watch, source)
) WITHOUT ROWID"""

# `last` is the id of the last event in the batch.
_EVENT_BATCHES = """CREATE TABLE event_batches (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    last INTEGER NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (run, last)
) WITHOUT ROWID"""

# With a rowid: a page of a table without one has less than half of the space that an answer takes.
_PACKED_ANSWERS = (
    """CREATE TABLE answers (
        key TEXT PRIMARY KEY,
        source TEXT NOT NULL,
        operation TEXT NOT NULL,
        request TEXT NOT NULL,
        answer BLOB NOT NULL,
        stored_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
    )""",
    "CREATE INDEX answers_by_expiry ON answers (expires_at)",
)

# Without the requests of stored answers: their keys identify them.
_SHORT_ANSWERS = (
    "DROP INDEX answers_by_expiry",
    "ALTER TABLE answers RENAME TO long_answers",
    *(statement.replace("request TEXT NOT NULL,", "") for statement in _PACKED_ANSWERS),
    "INSERT INTO answers SELECT key, source, operation, answer, stored_at, expires_at FROM long_answers",
    "DROP TABLE long_answers",
)


def _plain(column: str, letters: str = "øØłŁđĐħĦıæÆœŒþÞðÐßẞǿǾǽǼ") -> str:
    """Return SQL that replaces the letters of `connectors.records.letters.PLAIN` in a column, in both cases."""
    plain = dict(zip("øłđħıæœþðßǿǽ", ("o", "l", "d", "h", "i", "ae", "oe", "th", "d", "ss", "o", "ae"), strict=True))
    for letter in letters:
        column = f"replace({column}, '{letter}', '{plain[letter.lower()]}')"
    return column


# The texts themselves stay unchanged: the indexes read them through views. SQLite has no function that folds letters,
# and a trigger may not call a Python function.
def _word_triggers(plain: Callable[[str], str]) -> Iterator[str]:
    """Yield the triggers that fill the full-text indexes, with texts that `plain` folds."""
    new, old = (", ".join(plain(f"{row}.{column}") for column in _COLUMNS) for row in ("new", "old"))
    add, remove = _ADD.replace(_NEW, new), _REMOVE.replace(_OLD, old)
    yield f"CREATE TRIGGER papers_added AFTER INSERT ON papers BEGIN {add} END"
    yield f"CREATE TRIGGER papers_removed AFTER DELETE ON papers BEGIN {remove} END"
    yield f"CREATE TRIGGER papers_changed AFTER UPDATE ON papers WHEN ({_NEW}) IS NOT ({_OLD}) BEGIN {remove} {add} END"
    yield f"""CREATE TRIGGER page_texts_added AFTER INSERT ON page_texts
        BEGIN INSERT INTO page_texts_fts (rowid, text) VALUES (new.id, {plain("new.text")}); END"""
    yield f"""CREATE TRIGGER page_texts_removed AFTER DELETE ON page_texts BEGIN
        INSERT INTO page_texts_fts (page_texts_fts, rowid, text) VALUES ('delete', old.id, {plain("old.text")});
    END"""


_DROPPED_TRIGGERS = tuple(
    f"DROP TRIGGER {name}"
    for name in ("papers_added", "papers_removed", "papers_changed", "page_texts_added", "page_texts_removed")
)
_PLAIN_WORDS = (
    *_DROPPED_TRIGGERS,
    "DROP TABLE papers_fts",
    f"""CREATE VIEW papers_words AS
        SELECT id, {", ".join(f"{_plain(column)} AS {column}" for column in _COLUMNS)} FROM papers""",
    f"""CREATE VIRTUAL TABLE papers_fts USING fts5 (
        {", ".join(_COLUMNS)}, content='papers_words', content_rowid='id', tokenize='{TOKENIZER}'
    )""",
    "INSERT INTO papers_fts (papers_fts) VALUES ('rebuild')",
    "DROP TABLE page_texts_fts",
    f"CREATE VIEW page_texts_words AS SELECT id, {_plain('text')} AS text FROM page_texts",
    f"""CREATE VIRTUAL TABLE page_texts_fts USING fts5 (
        text, content='page_texts_words', content_rowid='id', tokenize='{TOKENIZER}'
    )""",
    "INSERT INTO page_texts_fts (page_texts_fts) VALUES ('rebuild')",
    *_word_triggers(_plain),
)

# Most texts are ASCII: their lengths in characters and in bytes are equal.
_QUICK_WORDS = (
    *_DROPPED_TRIGGERS,
    *_word_triggers(
        lambda column: (
            f"CASE WHEN length({column}) = length(CAST({column} AS BLOB)) THEN {column} ELSE {_plain(column)} END"
        )
    ),
)

# Keys are in lower case, without accents. `records` of changed works are matched by their words again.
_PLAIN_KEYS = (
    *(
        f"""UPDATE {table} SET {column} = {_plain(column, "øłđħıæœþð")}
        WHERE {column} GLOB '*[øłđħıæœþð]*'"""
        for table, column in (
            ("papers", "first_author"),
            ("papers", "title_key"),
            ("paper_facts", "first_author"),
            ("merges", "first_author"),
        )
    ),
)

# Keys that differ only in case are different keys; the order of the rows tells which key is a paper's own.
_EXACT_KEYS = (
    "DROP INDEX citation_keys_by_paper",
    "ALTER TABLE citation_keys RENAME TO folded_keys",
    *(statement.replace(" COLLATE NOCASE", "") for statement in _CITATION_KEYS),
    "CREATE INDEX citation_keys_in_any_case ON citation_keys (key COLLATE NOCASE)",
    "INSERT INTO citation_keys (rowid, key, paper, issued) SELECT rowid, key, paper, issued FROM folded_keys",
    "DROP TABLE folded_keys",
)


def _packed_texts(db: Database) -> None:
    """Compress source answers, and add the table of compressed events."""
    db.execute(_EVENT_BATCHES)
    db.execute("DROP INDEX answers_by_expiry")
    db.execute("ALTER TABLE answers RENAME TO plain_answers")
    for statement in _PACKED_ANSWERS:
        db.execute(statement)
    db.conn.create_function("compressed", 1, lambda text: compress(text.decode("utf-8", "replace")))
    db.execute(
        "INSERT INTO answers SELECT key, source, operation, request, compressed(CAST(answer AS BLOB)), stored_at,"
        f" expires_at FROM plain_answers WHERE length(CAST(answer AS BLOB)) <= {MOST}"
    )
    db.execute("DROP TABLE plain_answers")


def _short_records(db: Database) -> None:
    """Remove from records the titles and abstracts that other columns have, and shorten the keys of answers."""
    for (number,) in db.execute("SELECT id FROM papers").fetchall():
        row = db.execute("SELECT title, abstract, record FROM papers WHERE id = ?", (number,))
        title, abstract, record = row.fetchone()
        try:
            paper = note_apart(json.loads(record))
            if paper["title"] == title:
                del paper["title"]
            if paper.get("abstract") == abstract and "described" not in paper:
                paper.pop("abstract", None)
            groups: dict[tuple[str, bool], list[str]] = {}
            for field, source, *preprint in sorted(paper.pop("provenance", ())):
                groups.setdefault((source, any(preprint)), []).append(field)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue  # a damaged cell, which `cache.readable_rows` skips
        if groups:
            paper["provenance"] = [[*origin, *fields] for origin, fields in groups.items()]
        short = json.dumps(paper, ensure_ascii=False, separators=(",", ":"))
        db.execute("UPDATE papers SET record = ? WHERE id = ?", (short, number))
    db.execute("UPDATE OR IGNORE answers SET key = substr(key, 1, 24)")


def _executed(statements: Sequence[str]) -> "Callable[[Database], None]":
    """Return a step that executes `statements`."""

    def step(db: Database) -> None:
        for statement in statements:
            db.execute(statement)

    return step


_STEPS: "dict[str, tuple[str, ...] | Callable[[Database], None]]" = {
    "0001_papers_runs_answers": (
        f"PRAGMA application_id = {APPLICATION_ID}", _UPKEEP, *_PAPERS, *_FULL_TEXT, *_RUNS, *_ANSWERS,
    ),
    "0002_model_replies": _MODEL_REPLIES,
    "0003_shelf": (*_SHELF, *_ACTS, *_CITATION_KEYS),
    "0004_watches": _WATCHES,
    "0005_tellings": _TELLINGS,
    "0006_originals": _ORIGINALS,
    "0007_taste": (*_PAPER_TOKENS, *_PAPER_VECTORS, *_PROFILE),
    "0008_paper_facts": _PAPER_FACTS,
    "0009_text_vectors": _TEXT_VECTORS,
    "0010_corrections": (_CORRECTIONS,),
    "0011_page_texts": _PAGE_TEXTS,
    "0012_merges": _MERGES,
    "0013_imports": _IMPORTS,
    "0014_watch_looks": (_WATCH_LOOKS,),
    "0015_packed_texts": _packed_texts,
    "0016_plain_letters": (*_PLAIN_WORDS, *_PLAIN_KEYS),
    "0017_short_records": _short_records,
    "0018_short_answers": _SHORT_ANSWERS,
    "0019_quick_words": _QUICK_WORDS,
    "0020_exact_keys": _EXACT_KEYS,
}  # fmt: skip
"""The steps from one version of the library to the next: statements, or a function that changes it."""
for _name, _step in _STEPS.items():
    LIBRARY(name=_name)(_step if callable(_step) else _executed(_step))
