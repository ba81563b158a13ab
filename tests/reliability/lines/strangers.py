"""16. Paths and foreign libraries: whether somebody else's bibliography or library can run, read or open anything.

The inputs are random: TeX commands in various contexts, schemas on the tables of a library, and files with various
names, contents and folders. Every count is of real effects: TeX wrote a file, the desktop got a program to open, a
trigger fired.
"""

import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from cache.backups import back_up
from cache.errors import CacheError, Foreign
from cache.repair import repair_of
from cache.store import Store
from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.browser import open_url
from spar_tui.errors import Failure
from tests.cache.salvage.libraries import fill, rows_of
from tests.reliability.line import Figure, Line, Trial, harm
from tests.spar_tui.in_process import spar

PDF = b"%PDF-1.7\n"
ACTS = (
    r"\immediate\write18{touch ran%d}", r"\immediate\openout7=made%d\relax\immediate\closeout7 ",
    r"\newwrite\f%c\immediate\openout\f%c=made%d\relax ", r"\begin{filecontents}{made%d}x\end{filecontents}",
    r"\input{read%d}", r"\openin7=read%d\relax\read7 to\x\x ", r"\include{read%d}", r"\InputIfFileExists{read%d}{}{}",
)  # fmt: skip
"""Commands with visible effects: run a program, create a file, or read a file whose text creates another one."""
WRAPPINGS = (
    "%s", r"{%s}", r"\emph{%s}", r"$%s$", r"{\uppercase{%s}}", r"\csname relax\endcsname %s",
    r"\begingroup %s\endgroup",
    r"\def\zz{%s}\zz ", r"\let\zz=\relax %s", r"\expandafter{%s}", r"\unknown{%s}", "G{\\\"o}del %s", r"\\%s",
    r"\texorpdfstring{%s}{x}", r"\ifmmode\else %s\fi ", r"\href{x}{%s}",
)  # fmt: skip

COLUMNS = {
    "papers": "title", "runs": "question", "watches": "question", "originals": "key", "citation_keys": "key",
    "shelf": "note", "tags": "tag", "acts": "act",
}  # fmt: skip
"""Tables of a library, each with a column for a trigger or an index."""


def measure(trial: Trial) -> Line:
    dice, folder = trial.dice, trial.folder
    values = [payload(dice, number) for number in range(trial.many(16, 600))]
    files, addresses = paths(dice, folder / "box", trial.many(24, 200)), hosts(dice, trial.many(20, 300))
    schemas = [schema(dice) for _ in range(trial.many(12, 150))]
    ran, plainly = (by_tex(folder / name, values, guarded=name == "guarded") for name in ("guarded", "plain"))
    opened = handed_over(folder, files)
    loose = [sql for number, sql in enumerate(schemas) if is_opened(folder / f"library{number}.db", sql)]
    return Line(
        16, "file paths and foreign libraries",
        f"{len(values)} entries with TeX commands, compiled with pdflatex -shell-escape and BibTeX; {len(files)} "
        f"files named by a bibliography; {len(addresses)} addresses of this machine and its network; {len(schemas)} "
        "libraries with foreign triggers, views, indexes and tables; the rows of one of them after a repair",
        (
            Figure("programs run or files touched by TeX", len(ran)),
            Figure("files opened without asking that are not PDFs or are elsewhere", len(opened)),
            Figure("opened addresses of this machine or its network", sum(map(goes_through, addresses))),
            Figure("libraries with foreign parts that were opened or backed up", len(loose)),
            Figure("rows lost in a repair", rows_lost(folder / "repaired.db", dice)),
        ),
        (
            harm("programs run or files touched by TeX if entries are not escaped", len(plainly)),
            harm("files that would be opened because they exist", sum(Path(file).is_file() for file in files)),
            harm("foreign triggers that run if the schema is not compared", fired(folder / "plain.db", schemas)),
        ),
        unseen="a desktop that runs a PDF; commands that packages define under their own names; a foreign schema "
        "that equals spar's word by word. On a machine without TeX the TeX figures are empty"
        + ("" if _has_tex() else ", as on this one"),
        tests=(
            "tests/spar_tui/bibliography/test_inert_tex.py", "tests/spar_tui/test_openable_files.py",
            "tests/spar_tui/test_browser.py", "tests/cache/test_schema.py", "tests/spar_tui/cli/test_damaged_cells.py",
        ),
    )  # fmt: skip


def payload(dice: Random, number: int) -> str:
    """Return a command that leaves a trace of `number`, often wrapped, and sometimes with a letter in TeX's `^^`
    notation."""
    letter = "abcdefghijklmnop"[number % 16]
    act = dice.choice(ACTS).replace("%d", str(number)).replace("%c", letter * (1 + number // 16))
    text = dice.choice(WRAPPINGS) % act if dice.random() < 0.6 else act
    if dice.random() < 0.3:
        place = dice.choice([at for at, character in enumerate(text) if character.isalpha() and character != "x"])
        text = f"{text[:place]}^^{ord(text[place]):02x}{text[place + 1 :]}"
    return text


def by_tex(folder: Path, values: Sequence[str], guarded: bool) -> set[str]:
    """Return the traces after typesetting the entries, as exported by spar (`guarded`) or unchanged."""
    if not _has_tex():
        return set() if guarded else {"unknown"}
    folder.mkdir()
    made: set[str] = set()
    for number, value in enumerate(values):  # one file each, so that an error in one does not protect the others
        text = f"@misc{{k{number}, author={{A, B}}, title={{{{{value}}}}}, year=2000}}\n"
        if guarded:
            entries = read_bibtex(text).entries
            text = "".join(
                bib_entry(Entry(one.key, "other", "", original=one.original), "bibtex").text for one in entries
            )
        (folder / f"k{number}.bib").write_text(text)
        (folder / f"read{number}.tex").write_text(rf"\immediate\openout6=made{number}\relax\immediate\closeout6 ")
    for number in range(len(values)):
        document = folder / f"k{number}.tex"
        document.write_text(
            r"\documentclass{article}\begin{document}\nocite{*}\bibliographystyle{plain}"
            rf"\bibliography{{k{number}}}\end{{document}}"
        )
        (folder / f"k{number}.aux").write_text(
            f"\\relax\n\\citation{{*}}\n\\bibstyle{{plain}}\n\\bibdata{{k{number}}}\n"
        )
        commands = ["bibtex", f"k{number}"], ["pdflatex", "-shell-escape", "-interaction=batchmode", document.name]
        for command in commands:
            subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    made |= {file.stem for file in folder.iterdir() if file.stem.startswith(("ran", "made"))}
    return made


def paths(dice: Random, box: Path, many: int) -> list[str]:
    """Create files in and beside a bibliography's folder, with unrelated names and contents. None in the folder is a
    PDF."""
    (box / "in").mkdir(parents=True)
    found: list[str] = []
    for number in range(many):
        name = (
            f"{number}{dice.choice(['.pdf', '.PDF', '.desktop', '.command', '.exe', '.hta', '.html', '', '.pdf.sh'])}"
        )
        data = dice.choice([b"", b"MZ", b"#!/bin/sh\n", b"<html>", b"[Desktop Entry]\n#%PDF", b" " * 2_000 + PDF, PDF])
        outside = data is PDF and name.lower().endswith(".pdf")
        file = (box.parent if outside or dice.random() < 0.3 else box / "in") / name
        file.write_bytes(data)
        if dice.random() < 0.2 and not outside:
            link = box / f"link{number}.pdf"
            link.symlink_to(file)
            file = link
        found.append(str(file))
    return [*found, "/etc/passwd", "/dev/null", str(box), "//host/share/x.pdf", r"\\host\share\x.pdf"]


def handed_over(folder: Path, files: Sequence[str]) -> list[str]:
    """Import all files with one bibliography, open each paper, and return the files that the default program got."""
    handed, program, bibliography = folder / "handed", folder / "program", folder / "box" / "refs.bib"
    program.write_text(f'#!/bin/sh\necho "$1" >> {handed}\n')
    program.chmod(0o700)
    bibliography.write_text("".join(
        f"@misc{{k{number}, title={{Work {number}}}, year={1000 + number}, file={{:{_escaped(file)}:PDF}}}}\n"
        for number, file in enumerate(files)
    ))  # fmt: skip
    home = folder / "home"
    spar(home, "import", str(bibliography))
    for number in range(len(files)):
        spar(home, "open", f"k{number}", "--pdf", "--offline", more={"BROWSER": str(program)})
    return handed.read_text().splitlines() if handed.exists() else []


def _escaped(path: str) -> str:
    return path.replace("\\", r"\\").replace(":", r"\:")


def hosts(dice: Random, many: int) -> list[str]:
    """Return addresses of this machine and of private networks, in various notations."""
    found = []
    for _ in range(many):
        network = dice.choice([(127,), (10,), (192, 168), (172, dice.randrange(16, 32)), (169, 254)])
        parts = (*network, *(dice.randrange(256) for _ in range(4 - len(network))))
        number = int.from_bytes(bytes(parts), "big")
        dotted = ".".join(map(str, parts))
        host = dice.choice([dotted, str(number), hex(number), f"[::ffff:{dotted}]", "localhost", "[::1]", "[fe80::1]"])
        found.append(f"http://{host}:{dice.randrange(1, 65_536)}/{dice.choice(['', 'admin?x=1', 'a.pdf'])}")
    return found


def goes_through(address: str) -> bool:
    """Whether the address would reach the browser."""
    try:
        with suppress(OSError):
            open_url(address, lambda why: None)
    except Failure as failure:
        return "this machine" not in str(failure)
    return True


def schema(dice: Random) -> str:
    """Return SQL that adds something foreign to a library."""
    table = dice.choice(list(COLUMNS))
    event = dice.choice(["AFTER INSERT", "BEFORE INSERT", "AFTER UPDATE", "BEFORE DELETE"])
    act = dice.choice(
        ["DELETE FROM tags", "UPDATE papers SET title = 'x'", "INSERT INTO upkeep VALUES (random(), 'x')"]
    )
    column = COLUMNS[table]
    name = "".join(dice.choices("abcdefgh", k=6))
    return dice.choice([
        f"CREATE TRIGGER {name} {event} ON {table} BEGIN {act}; END",
        f"CREATE VIEW {name} AS SELECT * FROM {table}",
        f"ALTER TABLE {table} RENAME TO {name}; CREATE VIEW {table} AS SELECT * FROM {name}",
        f"CREATE INDEX {name} ON {table} (upper({column}))",
        f"CREATE UNIQUE INDEX {name} ON {table} ({column})",
        f"CREATE TABLE {name} (x CHECK (length(x) > {dice.randrange(9)}))",
        f"CREATE TABLE {name} (x INTEGER REFERENCES {table} ON DELETE RESTRICT)",
        f"CREATE VIRTUAL TABLE {name} USING fts5 (x)",
    ])  # fmt: skip


def is_opened(path: Path, sql: str) -> bool:
    """Whether a library with something foreign is opened or copied nevertheless."""
    Store.open(path).close()
    _changed(path, sql)
    with suppress(Foreign):
        Store.open(path).close()
        return True
    with suppress(Foreign):
        back_up(path, path.with_suffix(".copy"))
        return True
    return False


def _changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA legacy_alter_table = ON")
        db.executescript(sql)


def fired(path: Path, schemas: Sequence[str]) -> int:
    """Count the foreign triggers that fire in a program that does not check the schema."""
    count = 0
    for number, sql in enumerate(one for one in schemas if one.startswith("CREATE TRIGGER")):
        copy = path.with_stem(f"{path.stem}{number}")
        fill(copy, Random(number), 4)
        with closing(sqlite3.connect(copy)) as db, db:
            db.execute("INSERT OR IGNORE INTO tags VALUES (4, 'mine')")
            before = _contents(db)
            db.executescript(sql)
            db.execute("PRAGMA recursive_triggers = ON")
            for table in COLUMNS:
                for act in ("INSERT OR REPLACE INTO {0} SELECT * FROM {0}", "UPDATE {0} SET {1} = {1}"):
                    with suppress(sqlite3.Error):
                        db.execute(act.format(table, COLUMNS[table]))
            count += _contents(db) != before
    return count


def _contents(db: sqlite3.Connection) -> str:
    return str([db.execute(f"SELECT * FROM {table}").fetchall() for table in ("papers", "tags", "upkeep")])


def rows_lost(path: Path, dice: Random) -> int:
    """Count the rows that a library loses in a repair that removes a foreign trigger."""
    fill(path, dice, 100)
    before = rows_of(path)
    _changed(path, "CREATE TRIGGER t AFTER INSERT ON shelf BEGIN DELETE FROM shelf; END")
    with repair_of(path, 1.0) as repair:
        if repair is not None:
            repair.put_in_place()
    try:
        Store.open(path).close()
    except CacheError:
        return sum(map(len, before.values()))
    after = rows_of(path)
    return sum(len(rows - after.get(table, set())) for table, rows in before.items())


def _has_tex() -> bool:
    return bool(shutil.which("pdflatex") and shutil.which("bibtex"))
