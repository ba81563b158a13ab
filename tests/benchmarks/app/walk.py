"""Twelve jobs in a real terminal, with the keys that each takes: `python -m tests.benchmarks.app.walk FILE [FOLDER]`.

The program runs in tmux over the local services, of which Semantic Scholar fails. Each job's keys are pressed one by
one until its words are on the screen; a job that does not come about ends the walk. With the FOLDER of a checkout of
`BEFORE`, the jobs are first done there by the keys that they took then.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.connectors.pdf.writing import pdf
from tests.services import Fault, Services
from tests.spar_tui.tui.real_terminal import ask_only
from tests.spar_tui.tui.tmux import ROOT, Tmux, in_tmux

COLUMNS, LINES = 110, 30
BEFORE = "b63e33c6"
"""The commit before the app got its command line, its table of saved papers and its imports."""
QUESTION = "how does query evolution change recall of literature search agents?"
DOI = "10.5555/made.2016.0191"
DRAFT = """@article{uzun, title={Query evolution for literature search agents}, author={Uzun, Zoë}, year={2019}}
@misc{roe, title={A paper that nobody wrote about sparse gardens}, author={Roe, Ann}, year={2019}, doi={10.5555/none}}
@article{zhang, title={Malaria vaccine trials in health care workers}, author={Bergström, Ximena}, year={2016}}
"""
SOURCES = ("arxiv", "openalex", "semanticscholar")
TYPED, PASTED, AWAITED = "'", '"', "…"
"""Stand before text that is typed, or pasted, which is no key of a command; and before words to wait for."""


@dataclass(frozen=True, slots=True)
class Way:
    """Press `keys` until `words` are on the screen; `back` leads to where the next job begins and does not count. The
    `result` is named if it is another than wanted."""

    keys: tuple[str, ...]
    words: str
    back: tuple[str, ...] = ()
    result: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A task of a person, `now` and `before`; before it may have been impossible, with the reason. The page has the
    screen at the end, or before the last key, of a job that has a `caption`."""

    title: str
    now: Way
    before: Way | str
    caption: str = ""
    last: int = 0


JOBS = (
    Job(
        "Ask a question and read the answer",
        Way((f"'{QUESTION}", "Enter"), "a shows the evidence"),
        Way(
            (f"'{QUESTION}", "Enter", "…finished", "S", "Enter"),
            "Extracted, not written",
            ("Escape",),
            "a summary by topics, no answer",
        ),
        "The answer stands above the papers. A source failed, so the search ends amber, not green, and says why and "
        "which keys help. `t` unfolds the trail: where each paper comes from.",
    ),
    Job(
        "See what a paper cites",
        Way(("r",), "references, ", ("Escape",)),
        Way(("Enter", "Enter", "r"), "References", ("Escape", "Escape", "Escape")),
        "`r` opens the references, with the number of new ones. `c` does so for the citing papers.",
    ),
    Job(
        "Save three papers with a tag",
        Way(("V", "2j", "T", "'rag", "Enter"), "Tagged 3 papers"),
        Way(("Space", "Space", "Space", "T", "'rag", "Enter"), "3 marked"),
    ),
    Job(
        "Export the marked papers as BibTeX",
        Way((":", "'export --format bibtex -o out.bib", "Enter"), "3 entries written"),
        Way(("X", "BTab", "Enter", "Up", "Enter", "Tab", "Enter"), "3 entries"),
    ),
    Job(
        "Screen two papers: include one, exclude one",
        Way(("v", "i", "x", "1"), "1 in · 1 out", ("Escape", "Escape", "Escape")),
        Way(("v", "i", "x", "1"), "1 in · 1 out", ("Escape", "Escape", "Escape")),
        "`v` shows one paper at a time: include it, exclude it with a reason, or decide later.",
    ),
    Job(
        "Open a paper by its pasted DOI",
        Way((f'"https://doi.org/{DOI}', "Enter"), f"doi      {DOI}", ("Escape", "F3")),
        Way((f'"https://doi.org/{DOI}', "Enter", "…finished", "Enter", "Enter"), "Known from before", ("Escape", "F3")),
    ),
    Job(
        "Import a file by its pasted path",
        Way(('"~/refs.bib', "Enter", "…y import", "y"), "Shelf 4"),
        "not possible: only in a shell",
        "A pasted path opens the command line. The question lists what is new; `U` undoes the import.",
        last=1,
    ),
    Job(
        "Check the references of a document",
        Way((":", "'check draft.bib", "Enter"), "references ·", ("Escape", "g")),
        "not possible: only in a shell",
        "The worst findings come first. `Enter` compares the fields with the record of a source, `F` fixes what is "
        "certain.",
    ),
    Job(
        "Read a PDF and find a word in it",
        Way(("P", "…page 1", "/", "'evidence", "Enter"), "page 2", ("Escape", "Escape")),
        "not possible: `O` opens the PDF in another program",
    ),
    Job(
        "Filter the saved papers and keep the filter",
        Way(("/", "'tag:rag", "Enter", "F", "'agents", "Enter"), "agents", ("Escape",)),
        "not possible: a filter had to be typed again",
    ),
    Job(
        "Get recommendations for what to read next", Way(("4",), "What to read next"), Way(("4",), "What to read next")
    ),
    Job("Undo the last change", Way(("U",), "Undone"), Way(("U",), "Took back")),
)


def press(tmux: Tmux, keys: Sequence[str]) -> None:
    """Press each key and wait until the screen stands still: a key right after Escape would be one key with it."""
    for key in keys:
        if key.startswith(AWAITED):
            tmux.until(key[1:])
            continue
        if key.startswith(TYPED):
            tmux.type(key[1:])
        elif key.startswith(PASTED):
            tmux.paste(key[1:])
        elif key[0].isdigit():  # a number belongs to the key after it
            tmux.type(key)
        else:
            tmux.press(key)
        tmux.settled()


def screens(tmux: Tmux, jobs: Sequence[Job], ways: Sequence[Way]) -> Iterator[str]:
    """Do each job in its way; yield the screen for its caption."""
    for job, way in zip(jobs, ways, strict=True):
        end = len(way.keys) - job.last
        press(tmux, way.keys[:end])
        shown = tmux.settled() if job.last else ""
        press(tmux, way.keys[end:])
        tmux.until(way.words)
        yield "\n".join(line.rstrip() for line in (shown or tmux.settled()).splitlines()).rstrip()
        press(tmux, way.back)


def counted(way: Way | str) -> str:
    """Return how many keys a job takes, and which, with the text beside them."""
    if isinstance(way, str):
        return way
    keys = [key for key in way.keys if not key.startswith(AWAITED)]
    texts = (TYPED, PASTED)
    pressed = sum(len(key) if key[0].isdigit() else 1 for key in keys if not key.startswith(texts))
    shown = " ".join("(text)" if key.startswith(texts) else f"`{key}`" for key in keys).replace("BTab", "Shift+Tab")
    return f"{pressed}: {shown}{f' ({way.result})' if way.result else ''}"


def page(captured: Sequence[str]) -> Iterator[str]:
    """The lines of the page, with the screen of each job."""
    yield "# A walk through the app: twelve jobs and their keys\n"
    yield (
        "`python -m tests.benchmarks.app.walk docs/walk.md` presses these keys and writes this page. Local services "
        "stand in for the real ones; Semantic Scholar fails there. The papers are invented; the screens are real, "
        f"{COLUMNS} by {LINES}. Before: the app of commit {BEFORE} by its own keys, pressed in the same way. A number "
        "counts keys; text that is typed or pasted does not count.\n"
    )
    yield "\n".join(["| job | keys now | keys before |", "|---|---|---|"])
    yield "\n".join(f"| {job.title} | {counted(job.now)} | {counted(job.before)} |" for job in JOBS) + "\n"
    for job, shown in zip(JOBS, captured, strict=True):
        if job.caption:
            yield f"## {job.title}\n\n{job.caption}\n\n```text\n{shown}\n```\n"


def walked(code: Path, jobs: Sequence[Job], ways: Sequence[Way]) -> list[str]:
    """Do each job in its way in the app of the checkout `code`; return the screens."""
    with tempfile.TemporaryDirectory() as folder, Services(faults=[Fault("500", "semantic_scholar")]) as services:
        home = Path(folder)
        ask_only(home, *SOURCES)
        pages = [[(72.0, 700.0, line)] for line in ("Of agents that read papers", "The evidence is on this page")]
        (home / "one.pdf").write_bytes(pdf(pages))
        (home / "refs.bib").write_text(
            "@article{one, title={Agents that read papers}, author={Doe, Ann}, year={2020}, file={one.pdf}}"
        )
        (home / "draft.bib").write_text(DRAFT)
        with in_tmux(home, {**services.environment, "PYTHONPATH": str(code)}, COLUMNS, LINES) as tmux:
            tmux.until("hat do you want to know?")
            return list(screens(tmux, jobs, ways))


def main() -> None:
    file, *before = map(Path, sys.argv[1:])
    for code in before:
        possible = [(job, job.before) for job in JOBS if isinstance(job.before, Way)]
        walked(code.absolute(), *zip(*possible, strict=True))
    file.write_text("\n".join(page(walked(ROOT, JOBS, [job.now for job in JOBS]))), "utf-8")


if __name__ == "__main__":
    main()
