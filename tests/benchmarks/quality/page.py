"""docs/quality.md, rendered from the measured figures by a pure function, so that a test can compare them."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import fmean
from typing import Any

from tests.benchmarks.quality.runs import STEPS

Run = Mapping[str, Any]

HEAD = """\
# How good the answers are

This page shows how well spar searches, summarizes, recommends and converses on open collections with labels, without a
language model. A run of `spar bench` measured it on {date}:

```sh
python -m tests.benchmarks.quality COLLECTIONS --queries {queries} --write
```

- Questions: the report halves, at most {queries} a collection (seed 0). Everything was tuned on the other halves.
- The shipped word vectors were made from texts of these collections, but not from their questions and labels.
  [Word vectors](bench.md#word-vectors) has figures with vectors made without these texts.
- Compare rows, not levels: labels from citations are incomplete. [Measuring](bench.md) explains each figure, and has
  more questions and intervals.
"""
SEARCH = """\
## Search beside baselines

`rm3+links` is the strongest baseline: BM25, expanded by terms of its first papers, plus links. The last two columns
divide spar by it at the same depth, with 95 % paired bootstrap intervals.
"""
STEPS_WORTH = """\
## What each step is worth

The same search without one step. Figures are averages over all collections, weighted equally. A negative difference
means that the step helps. There are no intervals, so small differences may be chance.
"""
CALIBRATION = """\
## Calibration of the judge

The built-in judge gives each paper a probability of relevance. Papers of all questions, by tenths of that probability:
the mean probability, and the share that is relevant by the labels.
"""
JUDGES = """\
## What a better judge would change

The same search, judged by the labels themselves, and by the labels with one paper in five judged wrongly.
"""
SUMMARY = """\
## Summaries

The tree of a summary (ConTReGen) beside as many papers that BM25 finds for the question: recall of the papers that the
human answer cites, and how much of the human text the summary says, compared by words.
"""
RECOMMENDATION = """\
## Recommendations

Held-out papers of people's libraries, to be found among all documents of citeulike_a. `vanilla` is TF-IDF of titles and
keywords against the mean of the history. `arag` is `spar recommend`, `arag-X` the same without X (ARAG).
"""
CONVERSATION = """\
## Conversations

In a dialog, a simulated person (InteRecAgent, section 4) looks for one of their papers in at most five turns. Hit@5:
the paper is among five shown. AT@5: turns until then, six if never; less is better. The other tasks are one message
each.
"""


def page(data: Mapping[str, Any]) -> str:
    """The whole page."""
    runs: Sequence[Run] = data["runs"]
    parts = [HEAD.format(date=data["date"], queries=data["queries"])]
    parts += [SEARCH, _search(runs), STEPS_WORTH, _steps(runs), CALIBRATION, _calibration(runs)]
    parts += [JUDGES, _judges(runs), SUMMARY, _summaries(runs), RECOMMENDATION, _recommendations(runs)]
    parts += [CONVERSATION, _conversations(runs), _commands(runs)]
    return "\n".join(parts)


def _named(runs: Sequence[Run], name: str) -> list[Mapping[str, Any]]:
    return [run["said"] for run in runs if run["name"] == name]


def _search(runs: Sequence[Run]) -> str:
    rows = []
    for said in _named(runs, "search"):
        for arm in ("bm25", "rm3+links", "spar"):
            of = said["arms"][arm]
            beside = of.get("vs_rm3+links", {})
            told = [_(of.get(one)) for one in ("ndcg@10", "f1@10", "recall@50", "kept_f1")]
            first = f"{said['collection']} ({said['queries']})" if arm == "bm25" else ""
            rows.append([first, f"`{arm}`", *told, *(_ratio(beside.get(one)) for one in ("ndcg@10", "raw_recall"))])
    return _table(
        [
            "collection (questions)",
            "arm",
            "nDCG@10",
            "F1@10",
            "recall@50",
            "kept F1",
            "nDCG@10 / rm3+links",
            "raw recall / rm3+links",
        ],
        rows,
    )


def _steps(runs: Sequence[Run]) -> str:
    figures = ("ndcg@10", "recall@5", "recall@100", "raw_recall", "kept_f1", "papers")
    searches = [said["arms"] for said in _named(runs, "search")]
    whole = [fmean(arms["spar"][one] for arms in searches) for one in figures]
    rows = [["the whole search", *map(_, whole[:-1]), f"{whole[-1]:.0f}"]]
    for step in STEPS:
        without = [fmean(arms[f"spar-{step}"][one] for arms in searches) for one in figures]
        told = [_signed(less - more) for less, more in zip(without, whole, strict=True)]
        rows.append([f"without {step}", *told[:-1], f"{without[-1] - whole[-1]:+.0f}"])
    return _table(["search", "nDCG@10", "recall@5", "recall@100", "raw recall", "kept F1", "papers retrieved"], rows)


def _calibration(runs: Sequence[Run]) -> str:
    every = [tenth for said in _named(runs, "search") for tenth in said["arms"]["spar"]["reliability"]]
    every.sort(key=lambda tenth: tenth["low"])
    rows = []
    for low, some in groupby(every, key=lambda tenth: tenth["low"]):
        tenths = list(some)
        many = sum(one["papers"] for one in tenths)
        judged, relevant = (sum(one[what] * one["papers"] for one in tenths) / many for what in ("judged", "relevant"))
        rows.append([f"{low:.1f} to {low + 0.1:.1f}", f"{many:,}", _(judged), _(relevant)])
    return _table(["probability", "papers", "mean probability", "relevant"], rows)


def _judges(runs: Sequence[Run]) -> str:
    ways = {
        "built-in": "search",
        **{name: name for name in dict.fromkeys(run["name"] for run in runs) if "judge" in name},
    }
    rows = []
    for way, name in ways.items():
        arms = [said["arms"]["spar"] for said in _named(runs, name)]
        means = [fmean(one[figure] for one in arms) for figure in ("ndcg@10", "f1@10", "raw_recall", "kept_f1")]
        rows.append([way.removeprefix("judge: "), *map(_, means)])
    return _table(["judge", "nDCG@10", "F1@10", "raw recall", "kept F1"], rows)


def _summaries(runs: Sequence[Run]) -> str:
    rows = []
    for said in _named(runs, "summary"):
        tree, plain = said["arms"]["tree"], said["arms"]["bm25"]
        told = [f"{_(tree.get(one))} and {_(plain.get(one))}" for one in ("recall", "text_coverage")]
        rows.append(
            [f"{said['collection']} ({said['queries']})", *told, _(tree["quotes_verbatim"]), _(tree["uncited"])]
        )
    return _table(
        [
            "collection (questions)",
            "recall, tree and BM25",
            "text coverage, tree and BM25",
            "quotes found in their papers",
            "sentences without a citation",
        ],
        rows,
    )


def _recommendations(runs: Sequence[Run]) -> str:
    rows = []
    for said in _named(runs, "recommendation"):
        for arm, of in said["histories"][0]["arms"].items():
            beside = of.get("vs_vanilla", {}).get("ndcg@5")
            rows.append([f"`{arm}`", _(of["ndcg@5"]), _(of["hit@5"]), _(of["ndcg@5_of_100"]), _ratio(beside)])
    return _table(["arm", "NDCG@5", "Hit@5", "NDCG@5 of 100", "NDCG@5 / vanilla"], rows)


def _conversations(runs: Sequence[Run]) -> str:
    rows = []
    for said in _named(runs, "conversation"):
        for task, told in said["tasks"].items():
            for arm, of in told["arms"].items():
                figures = "; ".join(f"{name} {_(of[name])}" for name in of if "@" in name)
                rows.append([f"{task} ({told['cases']})" if arm == "spar" else "", f"`{arm}`", figures])
    return _table(["task (cases)", "arm", "figures"], rows)


def _commands(runs: Sequence[Run]) -> str:
    lines = dict.fromkeys(" ".join(["spar bench COLLECTION", *run["arguments"][3:]]) for run in runs)
    return "## The commands\n\n```\n" + "\n".join(lines) + "\n```\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".removeprefix("0") if abs(value) < 1 else f"{value:.2f}"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("+0.", "+.").replace("-0.", "-.")


def _ratio(beside: Mapping[str, float] | None) -> str:
    if not beside or beside.get("ratio") is None:
        return ""
    spread = "" if beside.get("ratio_low") is None else f" ({beside['ratio_low']:.2f} to {beside['ratio_high']:.2f})"
    return f"{beside['ratio']:.2f} x{spread}"
