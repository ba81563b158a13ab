"""A walk through the app in a real terminal, written down: `python -m tests.benchmarks.app.walk FILE`.

The program runs in tmux over the local services, of which Semantic Scholar fails; each step presses keys, waits until
what it tells of is on the screen, and keeps the screen as it stands there. A step that does not come about ends it.
Then twelve jobs are done, each by the keys that it takes.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.services import Fault, Services
from tests.spar_tui.tui.real_terminal import ask_only
from tests.spar_tui.tui.tmux import Tmux, in_tmux

COLUMNS, LINES = 110, 30
QUESTION = "query evolution for literature search agents"
SOURCES = ("arxiv", "openalex", "semanticscholar")


@dataclass(frozen=True, slots=True)
class Step:
    """`keys` by tmux's names for them, or `typed` letters, until `words` are on the screen; a step without a `title`
    goes on from one that is told to the next."""

    title: str
    told: str
    keys: tuple[str, ...]
    words: str
    typed: str = ""
    then: tuple[str, ...] = ()


_BACK = Step("", "", ("Escape",), "/ filter")
STEPS = (
    Step("Ask", "A line for your question, the sources that it goes to, and examples.", (), "f8 change"),
    Step("", "", (), "finished", QUESTION, ("Enter",)),
    Step(
        "A source fails",
        "A source failed, so the search ends amber, not green, and says why and which keys help. Rows have score, "
        "title, authors, year, venue and citations; papers below the rule are less certain.",
        ("j",), "A asks again",
    ),
    Step("What failed, and what to do", "`!` lists each failure, with what to do.", ("!",), "Messages"),
    _BACK,
    Step(
        "The question as it was read",
        "`Q` shows the kind of question, field and dates, each source with the reason for it, and the queries.",
        ("Q",), "Read as",
    ),
    _BACK,
    Step("", "", ("Enter",), "Found by"),
    Step(
        "The paper in full",
        "`Enter` again shows the whole record, references and citing papers.",
        ("Enter",), "Known here",
    ),
    Step("", "", ("Escape", "Escape"), "/ filter"),
    Step(
        "Filter", "`/` filters with the terms of `spar shelf` and `spar library`.", ("/",), "is:relevant|",
        "year:2015.. is:relevant",
    ),
    Step("", "", ("Enter", "Escape", "Escape"), "/ filter"),
    Step("Sort", "`R` sorts by the next order, which the frame names.", ("R",), "newest first"),
    Step("", "", ("R", "R", "R"), "by score"),
    Step("Save marked papers", "`Space` marks papers, `s` saves them.", ("g", "Space", "Space", "s"), "Saved 2"),
    Step("Undo", "`U` undoes the last change of the shelf, and names it.", ("U",), "Undone"),
    Step(
        "The trail",
        "`t` shows where each paper comes from, what failed, and which sources were skipped.",
        ("t", "j"), "Trail",
    ),
    Step("", "", ("t",), "Papers"),
    Step("Who cites whom", "`M` draws the relevant papers by year, with their citations.", ("M",), "Who cites whom"),
    _BACK,
    Step("Side by side", "`=` compares two to four marked papers.", ("=",), "side by side"),
    Step("", "", ("Escape", "Escape"), "/ filter"),
    Step(
        "Screen papers",
        "`v` shows one paper at a time: include it, exclude it with a reason, or decide later.",
        ("v",), "not decided yet",
    ),
    Step("", "", ("i", "Escape"), "/ filter"),
    Step(
        "Ask from anywhere",
        "`F8` or `N` asks a new question, with depth, dates, model and sources.",
        ("F8",), "New question",
    ),
    _BACK,
    Step("Settings", "`,` shows what each setting does, and tests sources, keys and model.", (",",), "config.toml"),
    _BACK,
    Step("Help", "`?` shows the keys, those of the current pane first; `/` searches them.", ("?",), "Keys"),
    _BACK,
)  # fmt: skip


TYPED, SHOWN = "'", "…"
"""Stand before what is typed, which is no key of a command; and before words to wait for."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a person wants done: by `keys`, until `words` are on the screen; `back` leads to where the next one begins.
    `before` are the keys that the first edition of the app (commit b63e33c6) took, or why it could not."""

    title: str
    keys: tuple[str, ...]
    words: str
    before: tuple[str, ...] | str
    back: tuple[str, ...] = ()


JOBS = (
    Job("Read the next paper while reading one", ("n",), "Ines Fontaine, Priya", ("Escape", "j", "Enter"), ("Escape",)),
    Job("See what a paper of the list cites", ("r",), "References", ("Enter", "Enter", "r"), ("Escape",)),
    Job("Save six papers in a row", ("V", "5j", "s"), "Saved 6 papers", ("Space",) * 6 + ("s",)),
    Job("Tag them", ("T", "'rag", "Enter"), "Tagged 6 papers: +rag", ("T", "'rag", "Enter"), ("Escape", "j")),
    Job("Give one more paper the same tag", (".",), "Tagged", ("T", "'rag", "Enter")),
    Job(
        "Find a word in the list, and the next", ("/", "'survey", "Enter", "Escape", "n"), "n next match",
        "a filter alone, which hides other rows", ("Escape",),
    ),
    Job("Copy its entry", ("y", "b"), "Copied", ("y", "b")),
    Job("Answer the question from the papers", ("a",), "Quotes on the question", "summaries alone", ("Escape",)),
    Job("Send a paper to a shell command", ("|", "'grep -c ^@", "Enter"), "▌1", "in a shell alone"),
    Job("Sort the saved papers by citations", ("2", ":", "'sort citations", "Enter"), "most cited first",
        ("2", "R", "R", "R", "R", "R")),
    Job("Import a file, with what is new in it", ("I", "'refs.bib", "Enter", "…y import", "y"), "1 paper",
        "in a shell alone"),
    Job("Look up a key", ("?",), "─ Keys", ("?",)),
)  # fmt: skip


def done(tmux: Tmux) -> Iterator[Job]:
    """Each job, once it is done."""
    for key in ("g", "Enter"):
        _pressed(tmux, key)
    for job in JOBS:
        for key in job.keys:
            if key.startswith(TYPED):
                tmux.type(key[1:])
            elif key.startswith(SHOWN):
                tmux.until(key[1:])
            else:
                if key[0].isdigit():  # what comes later is no part of the number
                    tmux.type(key[:-1])
                _pressed(tmux, key[-1] if key[0].isdigit() else key)
        tmux.until(job.words)
        for key in job.back:
            _pressed(tmux, key)
        yield job


def _told(keys: tuple[str, ...] | str) -> str:
    """How many keys, and which; what is typed beside them."""
    if isinstance(keys, str):
        return f"– ({keys})"
    keys = tuple(key for key in keys if not key.startswith(SHOWN))
    pressed = [one for key in keys if not key.startswith(TYPED) for one in (key if key[0].isdigit() else [key])]
    shown = " ".join(f"“{key[1:]}”" if key.startswith(TYPED) else f"`{key}`" for key in keys)
    return f"{len(pressed)}: {shown}".replace("|", "\\|")


def walked(tmux: Tmux) -> Iterator[tuple[Step, str]]:
    """Each step that is told, with the screen it came to."""
    for step in STEPS:
        for key in step.keys:
            _pressed(tmux, key)
        if step.typed:
            tmux.type(step.typed)
        for key in step.then:
            _pressed(tmux, key)
        shown = tmux.until(step.words)
        if step.title:
            settled = tmux.settled()
            yield step, settled if step.words in settled else shown  # what is said in passing is gone by then


def _pressed(tmux: Tmux, key: str) -> None:
    """Press a key and wait until the screen stands still: what comes within a moment of Escape would be one key with
    it."""
    tmux.press(key)
    tmux.settled()


def written(steps: Iterator[tuple[Step, str]], jobs: Iterator[Job]) -> Iterator[str]:
    """The lines of the page."""
    yield "# A walk through the app\n"
    yield (
        f"Written by `python -m tests.benchmarks.app.walk docs/walk.md`: the program in a terminal of {COLUMNS} by "
        f"{LINES}, over local services that answer like the real ones, of which Semantic Scholar fails. The papers are "
        "invented; the screens are real.\n"
    )
    for number, (step, shown) in enumerate(steps, 1):
        yield f"## {number}. {step.title}\n\n{step.told}\n\n```text\n{_plain(shown)}\n```\n"
    yield "## Keys for twelve tasks\n\nNow, and in the first version of the app. Typed text does not count as a key.\n"
    rows = [f"| {job.title} | {_told(job.keys)} | {_told(job.before)} |" for job in jobs]
    yield "\n".join(["| task | now | before |", "|---|---|---|", *rows, ""])


def _plain(shown: str) -> str:
    """A screen without what is this machine's alone."""
    lines = (re.sub(r"\S*/(?=spar/config\.toml)", "…/", line).rstrip() for line in shown.splitlines())
    return "\n".join(lines).rstrip()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Services(faults=[Fault("500", "semantic_scholar")]) as services:
        home = Path(folder)
        ask_only(home, *SOURCES)
        (home / "refs.bib").write_text("@article{one, title={A paper of a file}, author={Doe, Ann}, year={2020}}")
        with in_tmux(home, services.environment, COLUMNS, LINES) as tmux:
            page = "\n".join(written(walked(tmux), done(tmux)))
    Path(sys.argv[1]).write_text(page, "utf-8") if len(sys.argv) > 1 else print(page)


if __name__ == "__main__":
    main()
