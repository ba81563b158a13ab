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

This page lists the time, memory and disk space that spar needs, each compared with a plain baseline or with a limit.
For other measurements see [the last section](#other-benchmarks).

```sh
make bench                                              # measure everything and write this page
python -m tests.benchmarks.scorecard --only search      # measure one row
```

- **ratio**: spar divided by its baseline or limit, both measured in the same run, in turns. The figure is the median of
  the pairs; the least and the most are in parentheses.
- **allowed**: the highest ratio that is allowed.
- **unit**: processor time, clock time, memory or bytes. Processor time depends little on other programs.
- **measured**: the absolute values on that machine, spar's first.
"""
GROWTH = """\
## As libraries grow

Processor seconds and memory (MB) by number of papers, each in a new process, start included. For the app, only opening
the shelf counts. In parentheses: the growth from one size to the next. Each was run once before, except the import.
"""
ELSEWHERE = """\
## Other benchmarks

| what | command | results |
|---|---|---|
| quality of searches, summaries, recommendations, conversations | `spar bench` | [Measuring](bench.md) |
| a corpus of millions of works | `python -m tests.benchmarks.corpus` | [A corpus of a group](scaling.md) |
| rate limits of services | `python -m tests.benchmarks.politeness` | [Reliability](reliability.md) |
| a sentence model (not part of spar) | `spar bench --arms spar+semantic` | [Measuring](bench.md#comparing-by-meaning) |
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
    return "\n".join((INTRODUCTION, *_measures(data), *_scaling(data), ELSEWHERE))


def _measures(data: Data) -> Iterator[str]:
    whens = sorted({_when(row) for row in data["measures"].values()})
    yield "Measured on:\n" if whens else "Nothing has been measured yet.\n"
    yield from (f"- {when}" for when in whens)
    yield ""
    yield "| name | what | baseline or limit | unit | ratio | allowed | met | pairs | measured |"
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
    yield GROWTH
    sizes = sorted({int(size) for row in data["scaling"].values() for size in row["sizes"]})
    yield "| work | " + " | ".join(f"{size:,}" for size in sizes) + " |"
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
