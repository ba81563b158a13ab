"""docs/reliability.md, rendered from the figures that the last full run of each line left in docs/reliability.json."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill

from tests.reliability.line import Figure, Line

DOCS = Path(__file__).parents[2] / "docs"
PAGE, KEPT = DOCS / "reliability.md", DOCS / "reliability.json"
PERFECT = frozenset({1, 2, 3, 7, 8, 11, 14, 15})
"""The lines that must pass in every figure; others may fail one, with the number printed."""
_HEAD = """\
<!-- Written by `python -m tests.reliability --full --write` (`make reliability`) from what it measured. -->
# Reliability

This page shows what happens to your library, your keys and your screen when processes are killed, disks fill up,
services fail or lie, or papers contain orders. A program measures each check, on one machine, against services, models
and files that are made to fail. The figures are those of the last full run, failures included.

```sh
make reliability                                      # run all checks and write this page
python -m tests.reliability --line 6                  # run one check in short
```

*Control* rows show that harm was possible: they repeat a measurement without the protection, or count the occasions.
A check passes only if its controls find some.
"""
_UNSEEN = """\
## Limits of these checks

- Not tested: real power cuts, network drives, macOS, Windows, and services under load.
- Not tested: how often a real model is swayed by a paper when it judges that same paper.
- The cases are a list. They show that spar is consistent, not that nothing else can happen.
- Times depend on the machine; zeros do not.
"""


@dataclass(frozen=True, slots=True)
class Run:
    """A line as it was measured in full on a day, with its chance from `seed`."""

    line: Line
    day: str
    seed: int
    seconds: int


def kept(file: Path = KEPT) -> dict[int, Run]:
    """The kept runs by the number of their line."""
    if not file.exists():
        return {}
    return {row["line"]["number"]: _run(row) for row in json.loads(file.read_text("utf-8"))}


def keep(runs: Mapping[int, Run]) -> None:
    """Keep these in place of what was kept of the same lines, and write the page."""
    every = dict(sorted({**kept(), **runs}.items()))
    KEPT.write_text(json.dumps([asdict(run) for run in every.values()], indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(rendered(every), "utf-8")


def rendered(runs: Mapping[int, Run]) -> str:
    """The page."""
    met = sum(run.line.met for run in runs.values())
    rows = [
        f"| {number} | [{run.line.name}](#{_anchor(run)}) | {_verdict(run.line)} | {_short(run.line)} |"
        for number, run in runs.items()
    ]
    table = ["| | check | result | main figures |", "|---|---|---|---|", *rows]
    told = f"{met} of {len(runs)} checks passed. A check in bold has to be perfect."
    return "\n".join([_HEAD, told, "", *table, "", *map(_section, runs.values()), _UNSEEN])


def _run(row: dict[str, object]) -> Run:
    line = row["line"]
    assert isinstance(line, dict)
    told = {name: tuple(Figure(**one) for one in line.pop(name)) for name in ("figures", "controls")}
    tests = tuple(line.pop("tests"))
    more = {name: row[name] for name in ("day", "seed", "seconds")}
    return Run(Line(**line, **told, tests=tests), **more)  # type: ignore[arg-type]


def _verdict(line: Line) -> str:
    word = "passed" if line.met else "failed"
    return f"**{word}**" if line.number in PERFECT else word


def _short(line: Line) -> str:
    """The failed figures, else the first three."""
    if line.missed:
        return "; ".join(f"{one.what}: {_number(one)} ({_bound(one)})" for one in line.missed)
    return "; ".join(f"{one.what}: {_number(one)}" for one in line.figures[:3])


def _heading(run: Run) -> str:
    return f"{run.line.number}. {run.line.name[0].upper()}{run.line.name[1:]}"


def _anchor(run: Run) -> str:
    kept_letters = [letter for letter in _heading(run).lower() if letter.isalnum() or letter in " -_"]
    return "".join(kept_letters).replace(" ", "-")


def _section(run: Run) -> str:
    line = run.line
    rows = [f"| {one.what} | {_number(one)} | {_bound(one)} | {_mark(one)} |" for one in line.figures]
    rows += [f"| *control:* {one.what} | {_number(one)} | {_bound(one)} | {_mark(one)} |" for one in line.controls]
    parts = [
        f"## {_heading(run)}", "", _wrapped(f"{line.tried[0].upper()}{line.tried[1:]}."), "",
        "| figure | result | limit | |", "|---|---|---|---|", *rows, "",
    ]  # fmt: skip
    if line.unseen:
        parts += [_wrapped(f"Not tested: {line.unseen}."), ""]
    if line.tests:
        parts += [_wrapped(f"Every change is also tested by {', '.join(f'`{test}`' for test in line.tests)}."), ""]
    command = f"python -m tests.reliability --full --line {line.number} --seed {run.seed}"
    parts += [f"Measured on {run.day} by `{command}`, in {run.seconds} s.", ""]
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _number(one: Figure) -> str:
    return f"{one.found:,}{one.unit}"


def _bound(one: Figure) -> str:
    return (
        f"at least {one.bound:,}{one.unit}" if one.least else f"at most {one.bound:,}{one.unit}" if one.bound else "0"
    )


def _mark(one: Figure) -> str:
    return "" if one.held else "failed"
