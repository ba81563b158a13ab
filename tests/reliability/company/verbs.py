"""Run verbs in separate processes while the app is open, and log the writes that their output acknowledges."""

import os
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from cache import papers
from cache.store import Store
from spar_tui.__main__ import main
from tests.agents.scripted import paper
from tests.reliability.company.writes import Write, WriteLog
from tests.reliability.processes import Tell, started
from tests.spar_tui.running import PATIENCE, environment

KINDS = (
    "import", "save", "tag", "history", "import", "save", "tag", "export", "fetch", "save", "tag", "watch",
    "import", "save", "doctor", "tag",
)  # fmt: skip
"""The order of verbs, repeated as often as needed."""
WATCHED = "cells and trials"
Ending = Literal["done", "killed", "failed"]


class VerbRun(NamedTuple):
    """A run of `spar`: its arguments, the exit codes of success, text of its output, and the writes that this text
    acknowledges."""

    arguments: tuple[str, ...]
    codes: tuple[int, ...] = (0,)
    output: str = ""
    writes: tuple[Write, ...] = ()


class VerbHome(NamedTuple):
    """The folder that verbs and apps share, the environment with the services' addresses, and the host of PDFs."""

    folder: Path
    services: Mapping[str, str]
    pdf_host: str

    @property
    def library(self) -> Path:
        return self.folder / "spar" / "spar.db"

    def configure(self) -> None:
        """Configure a single source, with a timeout for a busy machine."""
        self.library.parent.mkdir()
        (self.library.parent / "config.toml").write_text(f'sources = ["openalex"]\nsource_seconds = {PATIENCE:g}\n')

    def remember(self, numbers: Iterable[int]) -> None:
        """Add the papers of these numbers to the library, so that verbs can save and fetch them."""
        records = [
            paper(title(number), doi(number), pdf=f"{self.pdf_host}/{number}.pdf", author=f"Ada Verb{number}")
            for number in numbers
        ]
        with Store.open(self.library) as store:
            papers.remember(store, records)

    def prepare(self, kinds: Collection[str]) -> None:
        """Save paper 0, which verbs tag, and store a search if one of the verbs repeats it."""
        search = ("search", WATCHED, "--fast", "--offline", "--watch", "old")
        for arguments in (("save", doi(0), "--offline"), *([search] if "watch" in kinds else [])):
            process, _ = started(run_verb, self, arguments, self.folder / "prepared.txt")
            process.join(PATIENCE)
            assert process.exitcode == 0, (self.folder / "prepared.txt").read_text()

    def verb(self, number: int, kind: str) -> VerbRun:
        """Return the run of this number; each number writes papers and tags of its own."""
        name, imported, tag = title(number), title(number, "Imported "), f"verb{number}"
        match kind:
            case "import":
                file = self.folder / f"{number}.bib"
                entry = f"imported{number}, title = {{{imported}}}, doi = {{10.9001/{number}}}, year = 2020"
                file.write_text(f"@misc{{{entry}}}\n")
                return VerbRun(("import", str(file)), (0,), "1 new paper", (Write("saved", imported),))
            case "save":
                writes = (Write("saved", name), Write("tagged", name, tag))
                return VerbRun(("save", doi(number), "--tag", tag, "--offline"), (0,), f"#{tag}", writes)
            case "tag":
                return VerbRun(("tag", doi(0), "--add", tag), (0,), f"#{tag}", (Write("tagged", title(0), tag),))
            case "fetch":
                return VerbRun(("fetch", doi(number)), (0,), "is kept", (Write("saved", name),))
            case "export":
                return VerbRun(("export", "--shelf", "-o", str(self.folder / f"{number}-out.bib")))
            case "watch":
                return VerbRun(("watch", "old"), (0, 1, 3, 4), WATCHED)
            case "doctor":
                return VerbRun(("doctor", "--offline"))
            case "history":
                return VerbRun(("history",), (0, 3))  # the app may not have begun a run yet
            case _:
                raise ValueError(kind)


def doi(number: int) -> str:
    return f"10.9000/{number}"


def title(number: int, before: str = "") -> str:
    """Return a title that begins with `before`. No rule merges two such titles, and no question of the app has their
    words."""
    dice = Random(number)
    return before + " ".join("".join(dice.choices("bdfgklmnprstvz", k=6)) for _ in range(4)).capitalize()


def run_verb(tell: Tell, home: VerbHome, arguments: tuple[str, ...], output: Path) -> None:
    """Run `spar` with `arguments`, and write its standard output and error to the file `output`."""
    os.environ.clear()
    os.environ.update(environment(home.folder, home.services))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(file, stream)
    sys.argv = ["spar", *arguments]
    main()


def run(home: VerbHome, number: int, kind: str, log: WriteLog, killed_after: float | None = None) -> Ending:
    """Run a verb, kill it after `killed_after` seconds, and return how it ended. Logs acknowledged writes in `log`."""
    verb, output = home.verb(number, kind), home.folder / f"{number}-output.txt"
    process, _ = started(run_verb, home, verb.arguments, output)
    process.join(2 * PATIENCE if killed_after is None else killed_after)
    if process.exitcode is None:
        process.kill()
        process.join()
        return "failed" if killed_after is None else "killed"
    words = output.read_text("utf-8")
    if process.exitcode not in verb.codes or verb.output not in words:
        print(f"{verb.arguments} ended with {process.exitcode}: {words[-500:]}", file=sys.stderr)
        return "failed"
    log.acknowledged(" ".join(("spar", *verb.arguments)), words, *verb.writes)
    return "done"
