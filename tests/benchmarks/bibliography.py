"""Bibliographies measured: `python -m tests.benchmarks.bibliography [PART]…`; without a name all parts.

readers: what biber, BibTeX, pandoc and bibutils say of the edge records and of 5,000 papers made up by chance; biber
takes half an hour. peers: what they say of the same records written by pandoc and by bibtexparser's own encoder (biber
of the edge records only). large: seconds, the processor's too, and memory for 10,000 entries. importing: how
many times as long as the parser alone, and as saving bare papers, reading and shelving take, for 10,000 and 50,000
entries. killing: `spar export`
killed with SIGKILL at 200 random moments, half of them while appending; the file must always be the old or the new one.
own: each real file of ../shared/bibliographies imported into a library of its own; nothing may then be added to it.
real: the bibliographies of other people, imported and exported again: what is lost, changed,
renamed, joined. real-readers: what BibTeX and biber say of them before and after.
Exit code 1 if a file of ours was not read whole or was broken, or if anything was there twice.
"""

import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from bibtexparser.splitter import Splitter

from cache import shelf
from cache.store import Store
from spar_tui.bibliography.bibtex import Capabilities
from spar_tui.bibliography.citation_key import key_pattern, new_keys
from spar_tui.bibliography.entry import Entry, Format, entry_of
from spar_tui.bibliography.formats import Writing, written
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import put_on_shelf
from tests.benchmarks.real.round_trip import read_by_others, real_bibliographies
from tests.spar_tui import in_process
from tests.spar_tui.bibliography.edge_records import edge_entries
from tests.spar_tui.bibliography.generated import generated
from tests.spar_tui.bibliography.validators import biber_complaints, bibtex_complaints, differences, read_by_pandoc
from tests.spar_tui.running import command, environment, spar

T = TypeVar("T")
GENERATED, LARGE, KILLS = 5_000, 10_000, 200
IMPORTED = (10_000, 50_000)
REAL = Path(__file__).parents[3] / "shared" / "bibliographies"
BIBER_TAKES = 500
"""Entries given to biber at a time: it needs far more than twice the time for twice as many."""
DIALECTS: tuple[Capabilities, ...] = ("bibtex", "biblatex")


def entries_by_chance(count: int) -> list[Entry]:
    papers = dict(enumerate(generated(count)))
    keys = new_keys(papers, key_pattern("better-bibtex"), ())
    return [entry_of(paper, keys[number]) for number, paper in papers.items()]


def readers() -> bool:
    """Whether every reader took every record."""
    sound = True
    with tempfile.TemporaryDirectory() as folder:
        for name, entries in (("edge records", edge_entries()), ("by chance", entries_by_chance(GENERATED))):
            for dialect in DIALECTS:
                file = Path(folder) / "refs.bib"
                file.write_text(written(entries, Writing(dialect)).text)
                sound &= judged(f"{len(entries):,} {name}, {dialect}", file, dialect, entries)
                sound &= by_biber(file.with_name("part.bib"), dialect, entries)
            ris = Path(folder) / "refs.ris"
            ris.write_text(written(entries, Writing("ris")).text)
            if shutil.which("ris2xml"):
                ran = subprocess.run(["ris2xml", str(ris)], capture_output=True, text=True)
                print(f"{len(entries):,} {name}, ris: bibutils {ran.stderr.strip().splitlines()[-1]}")
    return sound


def peers() -> bool:
    """What the readers say of others' writing; nothing of it is a fault of ours."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "peer.bib"
        for writer in (by_pandoc, by_bibtexparser):
            for name, entries in (("edge records", edge_entries()), ("by chance", entries_by_chance(GENERATED))):
                if not writer(entries, file):
                    continue
                judged(f"{len(entries):,} {name}, {writer.__doc__}", file, "bibtex", entries)
                if name == "edge records" and shutil.which("biber"):
                    print(f"    biber: {Counter(line[:60] for line in biber_complaints(file))}", flush=True)
    return True


def judged(name: str, file: Path, dialect: Capabilities, entries: Sequence[Entry]) -> bool:
    """Print what the programs that are installed say of the file; whether none of them refuses or loses anything."""
    told: dict[str, object] = {}
    if shutil.which("bibtex"):
        told["bibtex complaints"] = len(bibtex_complaints(file))
    if shutil.which("pandoc"):
        try:
            told["pandoc differs in"] = dict(differences(entries, read_by_pandoc(file, dialect)))
        except AssertionError as refused:
            told["pandoc refuses it:"] = " ".join(str(refused).split())[:100]
    print(f"{name}: {', '.join(f'{program} {what}' for program, what in told.items())}", flush=True)
    return not any(told.values())


def by_biber(file: Path, dialect: Capabilities, entries: Sequence[Entry]) -> bool:
    """Whether biber has nothing against the entries, given some at a time, but that data is missing."""
    if not shutil.which("biber"):
        return True
    said: list[str] = []
    for first in range(0, len(entries), BIBER_TAKES):
        file.write_text(written(entries[first : first + BIBER_TAKES], Writing(dialect)).text)
        said += biber_complaints(file)
    print(f"    biber on {dialect}: {len(said)} complaints {said[:3] or ''}", flush=True)
    return not said


def by_pandoc(entries: Sequence[Entry], file: Path) -> bool:
    """by pandoc as a writer"""
    if not shutil.which("pandoc"):
        return False
    text = written(entries, Writing("csl-json")).text
    ran = subprocess.run(["pandoc", "-f", "csljson", "-t", "bibtex"], input=text, capture_output=True, text=True)
    file.write_text(ran.stdout)
    return ran.returncode == 0


def by_bibtexparser(entries: Sequence[Entry], file: Path) -> bool:
    """by bibtexparser with its own LaTeX encoder"""
    try:
        from bibtexparser.entrypoint import write_string
        from bibtexparser.library import Library
        from bibtexparser.middlewares import LatexEncodingMiddleware
        from bibtexparser.model import Entry as Block
        from bibtexparser.model import Field
    except ImportError:
        return False
    library = Library()
    for entry in entries:
        fields = {
            "author": " and ".join(name.literal or name.inverted for name in entry.names),
            "title": entry.title,
            "year": entry.year,
            "doi": entry.doi or "",
            "url": entry.own_url or "",
        }
        library.add(Block("misc", entry.key, [Field(name, text) for name, text in fields.items() if text]))
    file.write_text(write_string(library, prepend_middleware=[LatexEncodingMiddleware()]))
    return True


def large() -> bool:
    """Seconds and memory for many entries."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        start = time.monotonic()
        with Store.open(home / "spar" / "spar.db") as store:
            shelf.save(store, generated(LARGE, seed=3))
            count = len(shelf.numbers_on_shelf(store))
        print(f"{count:,} papers saved in {time.monotonic() - start:.1f} s")
        formats: tuple[Format, ...] = ("biblatex", "bibtex", "ris", "csl-json", "markdown", "csv", "text")
        for format in formats:
            file = home / f"refs.{format}"
            timed(home, f"export {format}", "export", "--shelf", "--format", format, "-o", str(file))
        file = home / "refs.biblatex"
        timed(home, "append to it, all there", "export", "--shelf", "--format", "biblatex", "-o", str(file), "--append")
        hand = home / "hand.bib"
        hand.write_text(file.read_text().replace("2020", "2019").replace("10.", "10.9"))
        timed(home, "append all to another", "export", "--shelf", "--format", "biblatex", "-o", str(hand), "--append")
        (home / "other").mkdir()
        timed(home / "other", "import biblatex", "import", str(file))
    return True


def importing() -> bool:
    """The processor's time for imports, as a ratio to what none can do without."""
    for count in IMPORTED:
        print(f"{count:,} entries: {ratios(written(entries_by_chance(count), Writing('biblatex')).text)}", flush=True)
    return True


class Imported(NamedTuple):
    """Seconds of the processor: the parser alone and reading; saving bare papers, shelving, shelving again."""

    parser: float
    reading: float
    saving: float
    shelving: float
    again: float


def imported(text: str) -> Imported:
    """One import, in its parts and beside what none can do without."""
    parser, _ = busy(Splitter(text).split)
    reading, found = busy(partial(found_in, text, "refs.bib"))
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(Path(folder) / "bare.db") as store:
            saving, _ = busy(partial(shelf.save, store, [entry.paper for entry in found.entries]))
        with Store.open(Path(folder) / "whole.db") as store:
            shelving, again = (busy(partial(put_on_shelf, store, found.entries, Path(folder)))[0] for _ in range(2))
    return Imported(parser, reading, saving, shelving, again)


def ratios(text: str) -> str:
    """How long reading takes beside the parser alone, and shelving, first and again, beside saving bare papers."""
    parser, reading, saving, shelving, again = imported(text)
    return (
        f"reading {reading / parser:.2f} times the parser's {parser:.1f} s; shelving {shelving / saving:.2f}, "
        f"and again {again / saving:.2f} times the {saving:.1f} s for bare papers"
    )


def busy(work: Callable[[], T]) -> tuple[float, T]:
    """The seconds that the processor was at `work`, and what came of it."""
    start = time.process_time()
    done = work()
    return time.process_time() - start, done


def timed(home: Path, name: str, *arguments: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    ran = subprocess.run(command(*arguments), env=environment(home), capture_output=True, text=True,
                         cwd=Path(__file__).parents[2])  # fmt: skip
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last = (ran.stderr.strip().splitlines() or [""])[-1][:90]
    told = (
        f"{seconds:.1f} s, {busy:.1f} s of the processor, at most {after.ru_maxrss // 1024} MB, exit {ran.returncode}"
    )
    print(f"{name}: {told}: {last}", flush=True)


def killing(times: int, seed: int = 0) -> bool:
    """Whether the file was always the old or the new one."""
    dice, seen = Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        home, file = Path(folder), Path(folder) / "refs.bib"
        with Store.open(home / "spar" / "spar.db") as store:
            shelf.save(store, generated(400, seed=7))
        old = "% kept by hand\n@misc{mine, title = {Mine}}\n"
        ways = {"append": ["--append"], "replace": ["--replace"]}
        new: dict[str, bytes] = {}
        lasted: dict[str, float] = {}
        for way, flags in ways.items():
            file.write_text(old)
            start = time.monotonic()
            spar(home, "export", "--shelf", "-o", str(file), *flags)
            lasted[way], new[way] = time.monotonic() - start, file.read_bytes()
        for number in range(times):
            way = sorted(ways)[number % 2]
            file.write_text(old)
            process = subprocess.Popen(
                command("export", "--shelf", "-o", str(file), *ways[way]), env=environment(home),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2],
            )  # fmt: skip
            # Most of its life is starting up; the end, where it writes, is what is to be hit.
            time.sleep(dice.uniform(0.3, 1.1) * lasted[way])
            process.kill()
            process.wait()
            found = file.read_bytes()
            told = "old" if found == old.encode() else "new" if found == new[way] else "BROKEN"
            seen[f"{way}: {told}"] += 1
        again = spar(home, "export", "--shelf", "-o", str(file), "--replace")
        seen["LIBRARY UNUSABLE"] += again.returncode != 0 or file.read_bytes() != new["replace"]
        leftover = len(list(home.glob(".refs.bib.*.spar-new")))
    print(
        f"killed {times} times: {json.dumps(dict(sorted((+seen).items())))}; {leftover} temporary files left beside it"
    )
    return not any("BROKEN" in end or "UNUSABLE" in end for end in +seen)


def own() -> bool:
    """Whether a library adds nothing to the file that it was imported from."""
    files = [file for file in sorted(REAL.rglob("*")) if file.suffix in (".bib", ".biblatex", ".bibtex", ".ris")]
    imported = papers = added = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            copy = home / f"refs{'.ris' if file.suffix == '.ris' else '.bib'}"
            copy.write_bytes(file.read_bytes())
            if in_process.spar(home, "import", str(copy)).returncode:
                continue  # nothing in it can be taken
            with Store.open(home / "spar" / "spar.db") as store:
                before = shelf.numbers_on_shelf(store)
            told = in_process.spar(home, "export", "--shelf", "--append", "-o", str(copy), "--offline").stderr
            imported, papers = imported + 1, papers + len(before)
            if copy.read_bytes() != file.read_bytes():
                [number] = re.findall(r"([\d,]+) (?:entry|entries) added", told)
                added += int(number.replace(",", ""))
                print(f"    {file.relative_to(REAL)}: {number} added", flush=True)
    print(f"{imported} of {len(files)} files imported, {papers:,} papers: {added:,} added to their own file")
    return not added


def main(wanted: Sequence[str]) -> int:
    parts: dict[str, Callable[[], bool]] = {
        "readers": readers,
        "peers": peers,
        "large": large,
        "importing": importing,
        "killing": lambda: killing(KILLS),
        "real": real_bibliographies,
        "real-readers": read_by_others,
        "own": own,
    }
    sound = [parts[name]() for name in wanted or parts]
    return int(not all(sound))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
