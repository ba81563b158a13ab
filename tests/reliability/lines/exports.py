"""Line 10: exports of hostile and of ordinary records, read by other programs: same entries, nothing live,
nothing forged."""

import csv
import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cache import shelf
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.citation_key import key_pattern, new_keys
from spar_tui.bibliography.entry import Entry, Format, entry_of
from spar_tui.bibliography.formats import Writing, written
from tests.agents.scripted import paper
from tests.reliability.hostile import texts
from tests.reliability.line import Figure, Line, Trial, harm
from tests.spar_tui.bibliography.generated import generated
from tests.spar_tui.bibliography.test_round_trip import FORMATS, as_told, read_back
from tests.spar_tui.bibliography.validators import bibtex_complaints, differences, read_by_pandoc
from tests.spar_tui.in_process import spar

CLASSES = ("bibtex", "ris_md_json", "csv_formula", "filename", "markup", "term_escape", "unicode")
LIVE = re.compile(r"\\(?:input|include|write\d*|immediate|openout|openin|read|catcode|def|let|csname|special)\b")
"""Commands of TeX that do something, as a field must never hold them; shown, a backslash is a command of its own."""
TEX: tuple[Format, ...] = ("bibtex", "biblatex")


def measure(trial: Trial) -> Line:
    evil = entries(hostile_papers(trial.many(60, 500)))
    plain = [one for one in entries(generated(trial.many(100, 5_000), trial.seed)) if one.title != "(untitled)"]
    changed = sum(own_differences(part, format) for format in FORMATS for part in (evil, plain))
    folder = trial.folder
    figures = [
        Figure("entries that differ when spar reads them again", changed),
        Figure("live TeX", sum(len(LIVE.findall(written(evil, Writing(one, ("abstract",))).text)) for one in TEX)),
        Figure("forged records or lines in RIS, CSV, JSON and Markdown", forged(evil)),
        Figure("cells that a spreadsheet would run as a formula", formulas(evil)),
    ]
    others = []
    if shutil.which("bibtex"):
        others.append("BibTeX")
        figures.append(Figure("errors and warnings of BibTeX", complaints(folder, evil, plain)))
    if shutil.which("pandoc"):
        others.append("pandoc")
        figures.append(Figure("fields that pandoc reads differently", pandoc_differences(folder, evil, plain)))
    figures.append(Figure("notes written outside their folder", notes_outside(folder / "home", trial.many(10, 120))))
    return Line(
        10, "exports",
        f"{len(evil)} records with hostile text in every field and {len(plain):,} ordinary ones, in each format, read "
        f"by spar, by Python's CSV and JSON readers{''.join(f', by {one}' for one in others)}",
        tuple(figures),
        (harm("pieces of live TeX if titles are not escaped", live_when_plain(evil)),),
        unseen="how pandoc reads hostile names, because it takes a lower-case word for a particle and has its own "
        "syntax for `=`; spar's own reader compares these. In titles, pandoc drops braces with unknown macros "
        "and shows math as text; the rest is compared",
        tests=(
            "tests/spar_tui/bibliography/test_round_trip.py", "tests/spar_tui/bibliography/test_validators.py",
            "tests/spar_tui/bibliography/test_other_formats.py", "tests/spar_tui/notes/test_notes.py",
        ),
    )  # fmt: skip


def hostile_papers(count: int) -> list[Paper]:
    """Papers as sources build them, with hostile text in each field by turns."""
    bad = [text for text in texts(*CLASSES) if text.strip()]
    found = []
    for number in range(count):
        one, two, three = (bad[(number * step + step) % len(bad)][:2_000] for step in (1, 3, 7))
        found.append(
            paper(f"{one} {number}", f"10.1000/{number}", abstract=f"{two} {three}", venue=two[:300],
                  author=f"Ada {three[:60]}", keywords=(one[:80],))
        )  # fmt: skip
    return found


def entries(papers: Sequence[Paper]) -> list[Entry]:
    numbered = dict(enumerate(papers))
    keys = new_keys(numbered, key_pattern("better-bibtex"), ())
    return [entry_of(one, keys[number]) for number, one in numbered.items()]


def own_differences(of: Sequence[Entry], format: Format) -> int:
    read = read_back(written(of, Writing(format)).text, format)
    return sum(
        one.key not in read or as_told(read[one.key], format, one.kind) != as_told(bare(one), format, one.kind)
        for one in of
    )


def bare(entry: Entry) -> Entry:
    """The entry without what is written only where it is asked for."""
    return replace(entry, abstract="", keywords=(), note="", file="")


def forged(of: Sequence[Entry]) -> int:
    ris = written(of, Writing("ris", ("abstract", "keywords"))).text
    lines = [line for line in ris.splitlines() if line]
    bad = abs(sum(line.startswith("TY  - ") for line in lines) - len(of))
    bad += abs(sum(line.startswith("ER  -") for line in lines) - len(of))
    bad += sum(not re.match(r"[A-Z][A-Z0-9]  - ?", line) for line in lines)
    rows = list(csv.reader(io.StringIO(written(of, Writing("csv")).text)))
    bad += abs(len(rows) - 1 - len(of)) + sum(len(row) != len(rows[0]) for row in rows)
    bad += abs(len(json.loads(written(of, Writing("csl-json")).text)) - len(of))
    markdown = written(of, Writing("markdown")).text
    bad += len(
        re.findall(r"^#|(?<!\\)!\[|(?<!\\)<script|(?<!\\)\]\((?!https://(?:doi|arxiv|pubmed|www))", markdown, re.M)
    )
    return bad


def formulas(of: Sequence[Entry]) -> int:
    """Return how many cells would be calculated, whichever of four signs a program splits the table at."""
    text = written(of, Writing("csv", ("abstract",))).text
    rows = (row for sign in ",;|\t" for row in csv.reader(io.StringIO(text), delimiter=sign))
    return sum(cell[:1] in ("=", "+", "-", "@", "\t") and len(cell) > 1 for row in rows for cell in row)


def complaints(folder: Path, *parts: Sequence[Entry]) -> int:
    return sum(len(bibtex_complaints(_file(folder, one, "bibtex"))) for one in parts)


def pandoc_differences(folder: Path, evil: Sequence[Entry], plain: Sequence[Entry]) -> int:
    """How many fields pandoc reads otherwise; of hostile names it thinks its own way (`unseen` says how)."""
    of_evil = differences(evil, read_by_pandoc(_file(folder, evil, "biblatex"), "biblatex"))
    of_plain = differences(plain, read_by_pandoc(_file(folder, plain, "biblatex"), "biblatex"))
    return sum((of_plain + Counter({what: many for what, many in of_evil.items() if what != "names"})).values())


def _file(folder: Path, of: Sequence[Entry], format: Format) -> Path:
    file = folder / "refs.bib"
    file.write_text(written(of, Writing(format)).text)
    return file


def notes_outside(home: Path, count: int) -> int:
    """How many files stand elsewhere than in the folder of notes, or have a name that is too long or hidden."""
    with Store.open(home / "spar" / "spar.db") as store:
        shelf.save(store, hostile_papers(count))
    before = set(home.rglob("*"))
    assert spar(home, "notes", "--to", str(home / "vault")).returncode == 0
    new = {file for file in set(home.rglob("*")) - before if file.is_file() and home / "spar" not in file.parents}
    assert len(new) >= count * 0.9, len(new)
    return sum(file.parent != home / "vault" or len(file.name.encode()) > 120 or file.name[0] in ".-" for file in new)


def live_when_plain(of: Sequence[Entry]) -> int:
    return sum(len(LIVE.findall(f"title = {{{one.title}}}")) for one in of)
