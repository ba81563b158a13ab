"""17. Time: texts of growing size, built to be slow to parse, for every function that reads foreign text ("door").

Measures processor time, the least of several repetitions. The growth is the ratio of the times for a text and for one
of half its size: 2 for linear work, 4 if each character is compared with all others.
"""

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from math import log2
from random import Random
from types import FrameType

from agents.builtin.question_parsing.question import read
from agents.builtin.text.sentences import sentences
from agents.llm.answers.json_answers import without_links
from agents.llm.prompt import data
from connectors.identifiers import parse_identifier
from connectors.records.build import author_from_name, build_paper
from connectors.records.clean import clean_text, harmless
from connectors.records.matching import title_key
from spar_tui.bibliography.append import read_bib, read_ris
from spar_tui.bibliography.reading.files import kind_of, read_as
from spar_tui.bibliography.reading.html_notes import text_of_html
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.reading.names import people_of
from spar_tui.errors import UsageError
from tests.reliability.line import Figure, Line, Trial, harm

Door = Callable[[str], object]
Shape = tuple[str, str, str, str]
"""The beginning of a text, a part that is repeated, a second part repeated as often after it, and the end."""

DOORS: dict[str, Door] = {
    "a text of a record": lambda text: clean_text(text),
    "a record": lambda text: build_paper("crossref", title=text, abstract=text, venue=text, keywords=[text]),
    "an author": author_from_name,
    "an identifier": parse_identifier,
    "a title to compare": lambda text: title_key(text[:10_000]),
    "a text of a file": harmless,
    "an abstract for a model": lambda text: data([text]),
    "an answer of a model": without_links,
    "an abstract's sentences": lambda text: sentences(text[:20_000]),
    "a question": lambda text: read(text, date(2026, 1, 1)),
    "a .bib file": lambda text: read_as("bibtex", text, "x.bib"),
    "a field of a .bib file": lambda text: read_as("bibtex", f"@article{{k, title = {{{text}}}}}", "x.bib"),
    "a .ris file": lambda text: read_as("ris", f"TY  - JOUR\nTI  - {text}\nER  - \n", "x.ris"),
    "a CSL-JSON note": lambda text: _csl(text),
    "a table of works": lambda text: read_as("table", f"Title,Authors,Year\n{text}", "x.csv"),
    "a file of EndNote": lambda text: read_as("refer", f"%0 Book\n%A {text}\n%K {text}\n", "x.enw"),
    "a YAML file": lambda text: read_as("yaml", text, "x.yaml"),
    "an XML file": lambda text: read_as("xml", text, "x.xml"),
    "what a file is": lambda text: kind_of(text, "x"),
    "a .bib file to add to": read_bib,
    "a .ris file to add to": read_ris,
    "a list of names": lambda text: people_of(text),
    "LaTeX": decode,
    "a note in HTML": text_of_html,
}
PIECES = (
    "<", ">", "<b", "<i ", "</b>", "/>", "<!--", "-->", "<script>", "</script ", "<![CDATA[", "]]>", "<?xml ", "<h4>",
    "&", "&amp;", "amp;", "&#38;", "#38;", "&lt;", ";", "$", "$$", "\\", "\\cite{", "\\input{", "{", "}", "{\\'e}",
    "\x1b", "\x1b[", "\x1b]", "\x9b", "\x9d", "\x90", "\x07", "\x00", "\u202e", "\u200b", "\u0301", "\u0345", "\ud800",
    "\u0301\u0327\u0323",
    " ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "a ", "A. ", "A. B., ", "et al. ", "and ", " and", "others and ", ",",
    ", ", ".", ". ", "...", "…", "(", "((", ")", "[", "]", "[1] ", "[[", "#", "##", "# ", "*", "**", "_", "-", "--",
    "–", "=", "==", "\"", "'", "“", "`", "```", "|", "/", "//", "http://", "https://a.", "www.", "@", "@a{", "\n@a{",
    "@a(", "a = ", "a={", "10.1", "10.1234/", "arXiv:", "arxiv ", "1", "1.", "1,111 ", "2020 ", "2020-", "0x", "A", "a",
    "aB1", "Ж", "漢", "é", "e\u0301", "the ", "of the ", "papers by ", "in 2020 ", "since ", "cited ", "or ", "not ",
    "TY  - ", "AU  - x\n", "pmid: ", "doi: ", "ignore ", "system: ", "score: ", "p1 ", "<|", "[INST]", "%", "~", "^",
)  # fmt: skip
ENOUGH = 0.02
"""Seconds below which the ratio depends on the clock rather than the work."""
LONGEST = 20.0
GROWTH = 2.5


class _TooLong(Exception):
    pass


def measure(trial: Trial) -> Line:
    dice, sizes = (trial.dice, (10_000, 80_000) if not trial.full else (10_000, 100_000, 1_000_000))
    shapes = dice.sample([*simple(), *mixed(dice, 120)], trial.many(8, 16))
    slow: list[str] = []
    unended: list[str] = []
    slowest = 0.0
    for name, door in DOORS.items():
        for shape in shapes:
            worst, longest = growth(door, shape, sizes)
            slowest = max(slowest, min(longest, LONGEST))
            if worst > GROWTH:
                slow.append(f"{name}: {shape!r}: {worst:.1f}")
            if longest >= LONGEST:
                unended.append(f"{name}: {shape!r}")
    for sentence in (*slow, *unended):
        print(f"      {sentence}")
    plain, _ = growth(_plainly, ("", "<b", ">", ""), (4_000, 8_000, 16_000))
    return Line(
        17,
        "slow hostile texts",
        f"{len(shapes)} texts made of repetitions, of {sizes[0]:,} to {sizes[-1]:,} characters, in each of "
        f"{len(DOORS)} inputs: records, names, identifiers, questions, model answers, and bibliographies",
        (
            Figure(
                f"pairs of input and text whose time grows by more than {GROWTH} times when the text doubles", len(slow)
            ),
            Figure(f"pairs that take more than {LONGEST:.0f} s of processor time", len(unended)),
            Figure("longest time for one text", round(slowest, 1), LONGEST, unit=" s"),
        ),
        (harm("nested tags removed one by one whose time grows by more than that", int(plain > GROWTH)),),
        unseen="other texts; the time of libraries in C (JSON, XML, SQL)",
        tests=(
            "tests/connectors/records/test_clean.py",
            "tests/test_patterns.py",
            "tests/services/test_hostile_record.py",
        ),
    )


def simple() -> Iterator[Shape]:
    """Yield each piece repeated, alone and between two letters."""
    for piece in PIECES:
        yield "", piece, "", ""
        yield "x", piece, "", "x"


def mixed(dice: Random, many: int) -> Iterator[Shape]:
    """Yield random shapes: two pieces that alternate, and pieces that are opened and then closed."""
    for number in range(many):
        first, second = "".join(dice.choices(PIECES, k=dice.randint(1, 3))), dice.choice(PIECES)
        yield (dice.choice(PIECES), first, second, dice.choice(PIECES)) if number % 2 else ("", first + second, "", "")


def text_of(shape: Shape, size: int) -> str:
    start, first, second, end = shape
    times = max(1, size // len(first + second))
    return f"{start}{first * times}{second * times}{end}"


def growth(door: Door, shape: Shape, sizes: tuple[int, ...]) -> tuple[float, float]:
    """Return the largest growth per doubling of the text, and the longest time. Stops near `LONGEST`."""
    worst, before, last = 0.0, 0.0, 0
    for size in sizes:
        seconds = spent(door, text_of(shape, size))
        if before >= ENOUGH:
            for again in range(5):  # other processes may make either time longer
                if seconds / before > GROWTH ** log2(size / last):
                    # Use a new text each time, because a door may cache one that it has read.
                    before = min(before, spent(door, f"{again}{text_of(shape, last)}"))
                    seconds = min(seconds, spent(door, f"{again}{text_of(shape, size)}"))
            worst = max(worst, (seconds / before) ** (1 / log2(size / last)))
        before, last = seconds, size
        if seconds >= LONGEST / 4:
            break
    return worst, before


def spent(door: Door, text: str) -> float:
    """Return the processor seconds of `door` for `text`; `LONGEST` if it was stopped."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    begun = time.process_time()
    try:
        with suppress(ValueError, RecursionError, UnicodeError, UsageError):
            door(text)
        return time.process_time() - begun
    except _TooLong:
        return LONGEST
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(number: int, frame: FrameType | None) -> None:
    raise _TooLong


def _plainly(text: str) -> str:
    """Remove tags layer by layer, like a simple program; takes quadratic time."""
    while (left := re.sub(r"<[^<>]*>", "", text)) != text:
        text = left
    return text


def _csl(text: str) -> object:
    return read_as("csl-json", json.dumps([{"type": "article", "title": "T", "note": text}]), "x.json")
