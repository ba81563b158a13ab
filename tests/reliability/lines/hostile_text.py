"""Line 9: hostile text in every field of papers, tags, notes and questions: on a terminal, in the app, in verbs' output
and in the log it is text and nothing else."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cache import papers, runs, shelf
from cache.store import Store
from connectors.paper import Author, Paper
from tests.agents.scripted import paper
from tests.reliability.hostile import texts
from tests.reliability.line import Figure, Line, Trial, harm
from tests.spar_tui.in_process import spar
from tests.spar_tui.tui.real_terminal import opened

CLASSES = ("term_escape", "markup", "unicode", "ris_md_json", "filename")
DOING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Characters that do something to a terminal, or hide what is there: control, bidi, zero width, tags, surrogates."""
OF_ORDERS = re.compile(
    rb"\x1b\](?:52|0|2|8);[^\x07\x1b]*(?:evil|UFdORUQ|PWNED)|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""On a terminal the app moves the cursor by itself: what it must not send is what only a hostile text asks for."""
TITLE = re.compile(rb"retrieval(?:\x1b\[[0-9;]*m|\s)*\d+")
VERBS = (
    ("shelf",), ("shelf", "--sort", "title"), ("library", "retrieval"), ("show", "10.1000/h0"), ("show", "10.1000/h3"),
    ("history",), ("cite", "10.1000/h1"), ("export", "--shelf", "--format", "text"),
    ("search", "retrieval", "--offline"),
    ("log", "last"), ("profile",), ("recommend", "--offline", "--why"), ("chat", "my shelf", "--offline"),
    ("summarize", "retrieval", "--offline"), ("graph", "last"),
    ("search", "\x1b]0;x\x07[red]retrieval[/red]", "--offline"),
)  # fmt: skip


def measure(trial: Trial) -> Line:
    bad = texts(*CLASSES)[: trial.many(20, 500)]
    home = trial.folder / "home"
    furnish(home, bad)
    verbs = VERBS if trial.full else VERBS[:3]
    ran = [spar(home, *verb) for verb in verbs]
    said = [one.stdout + one.stderr for one in ran]
    crashed = sum("Traceback" in text or "unexpected" in text or not text.strip() for text in said)
    logs = "".join(file.read_text("utf-8", "replace") for file in home.rglob("*.log"))
    pages = trial.many(2, 30)
    screens = on_a_terminal(home, pages)
    raw = sum(len(DOING.findall(text)) for text in bad)
    return Line(
        9, "hostile text",
        f"{len(bad)} hostile texts, not cleaned, as titles, authors, venues, abstracts, tags, notes and questions of "
        f"a library; {len(verbs)} verbs print them, and the app shows them on a real terminal in {2 * pages} screens "
        "of shelf, papers and history; every byte of the output is checked",
        (
            Figure("verbs that fail or print nothing", crashed),
            Figure("control characters printed by verbs", sum(len(DOING.findall(text)) for text in said)),
            Figure("control characters in the log", len(DOING.findall(logs))),
            Figure("terminal sequences that come from a hostile text", len(OF_ORDERS.findall(screens))),
            Figure("hostile titles whose words the app showed", len(set(TITLE.findall(screens))), 2, least=True),
        ),
        (harm("control characters in the texts before cleaning", raw),),
        unseen="how each terminal displays the bytes",
        tests=(
            "tests/spar_tui/tui/test_hostile_text.py", "tests/spar_tui/tui/models/test_bad_input.py",
            "tests/connectors/records/test_clean.py",
        ),
    )  # fmt: skip


def raw_paper(number: int, text: str) -> Paper:
    """A paper whose text no source has cleaned."""
    text = text[:3_000].encode("utf-8", "replace").decode()
    made = paper("retrieval", f"10.1000/h{number}")
    return replace(made, title=f"retrieval {number} {text[:500]}", abstract=text, venue=text[:300],
                   authors=(Author(text[:100] or "X", text[:50]),), url=None)  # fmt: skip


def furnish(home: Path, bad: Sequence[str]) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        for number, text in enumerate(bad):
            one = raw_paper(number, text)
            papers.remember(store, [one])
            [kept] = shelf.save(store, [one], [text[:60].encode("utf-8", "replace").decode() or "tag"])
            shelf.set_note(store, kept, text[:2_000].encode("utf-8", "replace").decode())
            runs.start(store, "search", text[:500].encode("utf-8", "replace").decode())


def on_a_terminal(home: Path, pages: int) -> bytes:
    """All that the app sends to its terminal while somebody leafs through shelf, papers and history."""
    with opened(home, size=(140, 50)) as terminal:
        terminal.until_open()
        terminal.rest(1.5)
        terminal.type("\x1b")
        terminal.rest(0.5)
        for key in ("2", *["j", "\r", "\x1b", "\x1b[6~"] * pages, "3", *["\x1b[6~"] * (pages // 2)):
            terminal.type(key)
            terminal.rest(0.15)
        return bytes(terminal.output)
