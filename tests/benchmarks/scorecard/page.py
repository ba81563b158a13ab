"""docs/performance.json, which a run writes, and docs/performance.md, which is written from it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.scorecard.figures import Figure
from tests.benchmarks.scorecard.processes import ROOT
from tests.benchmarks.scorecard.scaling import WORKS, Cost, per_tenfold
from tests.benchmarks.scorecard.table import MEASURES

DATA, PAGE = ROOT / "docs" / "performance.json", ROOT / "docs" / "performance.md"
Data = dict[str, Any]
"""`measures`: figures by name, each with its `day` and `machine`; `scaling`: by work and size."""

INTRODUCTION = """\
# What it costs

Written by `make bench`, which measures all of it in one run; `python -m tests.benchmarks.scorecard --only NAME`
measures one. Every figure is a ratio: how many times what it is compared with, or what is allowed, it takes. Both are
measured in the same run, by turns; the figure is the middle of the pairs' ratios, behind it stand the least and the
most. Seconds are those of the processor, so that other work on the machine counts little, unless the clock is named.
An aim is what it may be at most. In the last column stands what was measured, ours first; it is of the machine that
measured it.
"""
COSTS = """\
## Costs that were found and taken out

Found in profiles of what is slowest. Before and after were measured by turns, in processor time, with 10,000 papers
where none are named.
"""
MENDED = """\
- Whatever lists papers, or looks for one by name, loaded what reads questions and made all its patterns; now only what
  reads a question does. Every verb that opens sources loaded the corpus of a group, and with it OpenAlex' client, where
  there is no corpus. `spar library WORDS` takes 0.70 times as long as before (0.58 to 0.80), `spar shelf` 0.82 (0.77 to
  0.93), `spar show` 0.83 (0.76 to 0.97), `spar similar` 0.89 (0.83 to 0.93), `spar recommend` 0.81 (0.71 to 0.90).
- To compare papers, four million buckets were counted however few words there were. Up to some 4,000 papers the words
  are sorted instead: `spar recommend` holds 0.64 times as much memory over 100 papers, and 0.80 times over 1,000.
"""
"""What was found slow or large, and how much less it is so."""
ELSEWHERE = """\
## What is measured elsewhere

How good searches, summaries, recommendations and conversations are, `spar bench` measures ([Measuring](bench.md)); a
corpus of millions of works, `python -m tests.benchmarks.corpus` ([A corpus of a group](scaling.md)). How politely
services are asked, `python -m tests.benchmarks.politeness`. A sentence model's time, of which [Measuring](bench.md)
tells, is not measured here, for the model does not come along.
"""


def read(path: Path = DATA) -> Data:
    """What has been measured so far."""
    data: Data = json.loads(path.read_text("utf-8")) if path.exists() else {"measures": {}, "scaling": {}}
    return data


def with_figure(data: Data, name: str, figure: Figure, when: Mapping[str, str]) -> Data:
    """The data with a figure of today."""
    return {**data, "measures": {**data["measures"], name: {**_short(asdict(figure)), **when}}}


def with_costs(data: Data, name: str, costs: Mapping[int, Cost], when: Mapping[str, str]) -> Data:
    """The data with what a work costs today; sizes that were not measured stay."""
    sizes = {str(size): _short(asdict(cost)) for size, cost in costs.items()}
    return {**data, "scaling": {**data["scaling"], name: {"sizes": sizes, **when}}}


def _short(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: float(f"{value:.3g}") if isinstance(value, float) else value for name, value in figures.items()}


def write(data: Data) -> None:
    """Both files."""
    DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(rendered(data), "utf-8")


def rendered(data: Data) -> str:
    """The page."""
    return "\n".join((INTRODUCTION, *_measures(data), *_scaling(data), COSTS, MENDED, ELSEWHERE))


def _measures(data: Data) -> Iterator[str]:
    whens = sorted({_when(row) for row in data["measures"].values()})
    yield "Measured: " + "; ".join(whens) + ".\n" if whens else "Nothing has been measured yet.\n"
    yield "| | what | beside | in | times as much | aim | met | pairs | measured |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for one in MEASURES:
        if row := data["measures"].get(one.name):
            met = "yes" if row["ratio"] <= one.aim else "**no**"
            spread = f" ({_number(row['least'])} to {_number(row['most'])})" if row["times"] > 1 else ""
            yield (
                f"| {one.name} | {one.what} | {one.beside} | {one.of} | {_number(row['ratio'])}{spread} | {one.aim:g} |"
                f" {met} | {row['times']} | {row['told']} |"
            )
    yield ""


def _scaling(data: Data) -> Iterator[str]:
    yield "## As libraries grow\n"
    yield (
        "Processor seconds of a process of its own, start included (of the app, only what opening the shelf adds), and "
        "the megabytes that it held; behind them how many times as many as for a tenth of the papers. Each was run "
        "once before it was measured, but for the import.\n"
    )
    sizes = sorted({int(size) for row in data["scaling"].values() for size in row["sizes"]})
    yield "| | " + " | ".join(f"{size:,}" for size in sizes) + " |"
    yield "|---" * (len(sizes) + 1) + "|"
    for work in WORKS:
        if row := data["scaling"].get(work.name):
            measured = [row["sizes"].get(str(size)) for size in sizes]
            for unit, key in (("s", "seconds"), ("MB", "megabytes")):
                told = _grown([one[key] for one in measured if one], unit)
                yield (
                    f"| {work.what}, {unit} | " + " | ".join(told + ["not measured"] * (len(sizes) - len(told))) + " |"
                )
    yield ""


def _grown(costs: list[float], unit: str) -> list[str]:
    grown = ["", *(f" ({_number(times)})" for times in per_tenfold(costs))]
    return [f"{_number(cost)} {unit}{times}" for cost, times in zip(costs, grown, strict=True)]


def _when(row: Mapping[str, str]) -> str:
    return f"{row['day']}, {row['machine']}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value >= 10 else f"{value:.2f}"
