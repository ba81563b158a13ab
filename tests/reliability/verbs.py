"""Every verb that writes, killed at random moments of its life: what was there stays, and the verb works again."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cache import profile, shelf
from cache.store import Store
from connectors.http.pool import ConnectionPool  # noqa: F401  # so that the processes have it
from spar_tui.__main__ import main
from tests.reliability.libraries import corrupt
from tests.reliability.line import Figure, Trial
from tests.reliability.processes import Tell, done, killed
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment

REFS = "@misc{birds, title = {Birds of the sea}, year = 2020}\n@misc{fish, title = {Fish of rivers}, year = 2021}\n"
VERBS: dict[str, tuple[str, ...]] = {
    "search": ("search", "attention", "--offline"),
    "summarize": ("summarize", "attention", "--offline", "--no-model"),
    "ask": ("ask", "attention", "--library", "--offline", "--no-model"),
    "recommend": ("recommend", "--offline", "--no-model"),
    "chat": ("chat", "what is on my shelf?", "--offline", "--no-model"),
    "search --watch": ("search", "networks", "--offline", "--watch", "nets"),
    "watch": ("watch", "old", "--offline"),
    "save": ("save", "@4", "@5", "@6", "--tag", "new", "--offline"),
    "unsave": ("unsave", "@1"),
    "tag": ("tag", "@1", "--add", "x"),
    "mark": ("mark", "@1", "--like"),
    "note": ("note", "@1", "another note"),
    "key": ("key", "@1", "mine17"),
    "edit": ("edit", "@1", "year=2018"),
    "merge": ("merge", "@1", "@2"),
    "split": ("split", "@3"),
    "import": ("import", "{home}/refs.bib"),
    "export": ("export", "--shelf", "-o", "{home}/out.bib", "--append"),
    "notes": ("notes", "--to", "{home}/vault"),
    "profile": ("profile", "add", "like", "birds"),
    "history forget": ("history", "forget", "last"),
    "config set": ("config", "set", "limit", "10"),
}
"""Those that go on to a network do what they do without one; `spar fetch` has tests of its own."""


@dataclass(frozen=True, slots=True)
class Killed:
    figures: tuple[Figure, ...]
    tried: str


@dataclass(frozen=True, slots=True)
class Held:
    """What a person has: saved papers with what they said of them, lines of the profile, settings, files."""

    papers: Mapping[str, tuple[object, ...]]
    lines: tuple[str, ...]
    files: dict[str, bytes]


def kill_verbs(trial: Trial, times: int = 3) -> Killed:
    """Kill each verb `times` times, in a copy of the same home each."""
    home, dice = prepared(trial.folder / "prepared"), trial.dice
    neither = bad = failed = 0
    in_time = 0
    for verb, words in VERBS.items():
        peaceful = copied(home, trial.folder / f"{verb} in peace")
        before = held(peaceful)
        _, lasts, code = done(run_verb, peaceful, words)
        # Offline no source can tell a watch what is new.
        assert code in (0, 3) or (verb, code) == ("watch", 1), f"{verb} ended with {code}"
        after = held(peaceful)
        for number in range(times):
            scene = copied(home, trial.folder / f"{verb} {number}")
            in_time += killed(run_verb, scene, words, after=dice.uniform(0.1, 1) * lasts) != ["ended"]
            path = scene / "spar" / "spar.db"
            bad += corrupt(path)
            neither += mixed(held(scene), before, after)
            again = spar(scene, *placed(words, scene))
            failed += (again.returncode == 1 and held(scene) != after) or "Traceback" in again.stderr
            shutil.rmtree(scene)
    kills = times * len(VERBS)
    return Killed(
        (
            Figure("homes left half-changed by a killed verb", neither),
            Figure("libraries corrupted by a killed verb", bad), Figure("verbs that failed when repeated", failed),
            Figure("kills that hit a verb while it worked", in_time, kills // 2, least=True),
        ),
        f"; {times} times in each of {len(VERBS)} writing verbs ({', '.join(VERBS)})",
    )  # fmt: skip


def mixed(found: Held, before: Held, after: Held) -> bool:
    """Whether the papers, the lines or one of the files are neither as before nor as after: each is written at once."""
    files = {*before.files, *found.files, *after.files}
    return (
        found.papers not in (before.papers, after.papers)
        or found.lines not in (before.lines, after.lines)
        or any(found.files.get(file) not in (before.files.get(file), after.files.get(file)) for file in files)
    )


def prepared(home: Path) -> Path:
    """The home of a person with a search, ten saved papers, a merged one among them, notes, tags and a watch."""
    home.mkdir()
    (home / "refs.bib").write_text(REFS)
    (home / "out.bib").write_text("% kept by hand\n")
    for words in (
        ("search", "networks", "--offline", "--watch", "old"), ("search", "attention transformer", "--offline"),
        ("save", "@1", "@2", "@3", "--tag", "kept", "--offline"), ("note", "@1", "read twice"), ("merge", "@3", "@7"),
        ("profile", "add", "like", "transformers"), ("config", "set", "limit", "20"),
    ):  # fmt: skip
        ran = spar(home, *words)
        assert ran.returncode == 0, (words, ran.stderr)
    return home


def copied(home: Path, to: Path) -> Path:
    shutil.copytree(home, to)
    return to


def placed(words: Sequence[str], home: Path) -> list[str]:
    return [word.replace("{home}", str(home)) for word in words]


def run_verb(tell: Tell, home: Path, words: Sequence[str]) -> None:
    os.environ.clear()
    os.environ.update(environment(home))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    sys.argv = ["spar", *placed(words, home)]
    try:
        main()
    finally:
        tell("ended")


def held(home: Path) -> Held:
    with Store.open(home / "spar" / "spar.db") as store:
        papers = {
            one.paper.title: (one.paper.date, one.tags, one.note, one.rating, one.key, one.read is not None, one.files)
            for one in shelf.shelf(store)
        }
        lines = tuple(line.text for line in profile.own_lines(store))
    ours = [home / "out.bib", home / "spar" / "config.toml", *sorted((home / "vault").glob("*.md"))]
    if (home / "vault").exists():  # a folder of notes grows file by file, each of which is whole
        ours = ours[:2]
    return Held(papers, lines, {file.name: file.read_bytes() for file in ours if file.exists()})
