"""The two status lines of a search: its progress, and its sources."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from textual.content import Content

from agents.run.findings import HERE, Findings, Outcome, SourceTally, outcome_of
from agents.run.runner import Status
from agents.search.events import Stage
from agents.search.state import SearchState
from spar_tui.phrases import counted, money_text, papers_text
from spar_tui.source_phrases import GIVEN_PAPERS, source_count
from spar_tui.tui.widgets.text import QUIET, cut, fitting, plain

_Step = tuple[str, tuple[Stage, ...]]
_STEPS: tuple[_Step, ...] = (
    ("understand", ("understanding",)),
    ("search", ("retrieving",)),
    ("judge", ("judging",)),
    ("references", ("references", "judging references")),
    ("new queries", ("evolving",)),
    ("rank", ("reranking",)),
)
STATUS: dict[Status, tuple[str, str]] = {
    "paused": ("‖ paused", "$warning"),
    "stopping": ("■ stopping", "$warning"),
    "finished": ("✔ finished", "$success"),
    "cut off": ("■ interrupted", "$warning"),
    "failed": ("✘ failed", "$error"),
}
MOST_CLOCK = 7
"""Columns of the longest duration."""
_TROUBLED = ("▲ finished", "$warning")
_Mark = Literal["done", "now", "later"]
_MARKS: dict[_Mark, tuple[str, str]] = {"done": ("✔", "$success"), "now": ("●", "$accent"), "later": ("◌", QUIET)}


def stage_line(state: SearchState, status: Status, seconds: float, width: int) -> Content:
    """Return the progress of the search, its duration and its cost; duration and cost always fit."""
    at = _at(state)
    words = [word for word, _ in _STEPS]
    after = [plain(f"round {state.stage.round}", QUIET)] if state.stage and state.stage.round > 1 else []
    steps = Steps(words, at, _counter(state), after)
    return status_line(status, steps, _counted(state), state, seconds, width)


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a run: their names `words`, the current index `at`, and the part of it that is `done`."""

    words: Sequence[str]
    at: int
    done: str = ""
    after: Sequence[Content] = ()


def status_line(
    status: Status, steps: Steps, came_to: Sequence[Content], findings: Findings, seconds: float, width: int
) -> Content:
    """Return the status of a run: its steps or its result, its duration and its cost. A finished run in which something
    failed gets a warning sign."""
    before = [Content.styled(*STATUS[status])] if status in STATUS else []
    before = [Content.styled(*_TROUBLED)] if findings.troubled and status == "finished" else before
    if status in ("finished", "failed"):
        return beside_cost(lambda room: fitting([*before, *came_to], room), findings, seconds, width)
    return beside_cost(lambda room: _shown(before, steps, room), findings, seconds, width)


def beside_cost(told: Callable[[int], Content], findings: Findings, seconds: float, width: int) -> Content:
    """Return what is `told` in the columns that are left, and the duration and cost of a run, in at most half of
    them."""
    pieces = [*map(plain, cost_told(findings, seconds))]
    cost = plain(fitting(pieces, max(width // 2, MOST_CLOCK), " · ").plain, QUIET)
    told_content = told(width - cost.cell_length - 3)
    return Content.assemble(told_content, " " * max(width - told_content.cell_length - cost.cell_length, 1), cost)


def _shown(before: Sequence[Content], steps: Steps, room: int) -> Content:
    every = [_step(index, steps) for index in range(len(steps.words))]
    whole = Content("  ").join([*before, *every, *steps.after])
    if whole.cell_length <= room:
        return whole
    return fitting([*before, every[steps.at], *steps.after], room, "  ")


def _at(state: SearchState) -> int:
    if state.stage is None:
        return 0
    return next(index for index, (_, stages) in enumerate(_STEPS) if state.stage.stage in stages)


def _step(index: int, steps: Steps) -> Content:
    mark: _Mark = "now" if index == steps.at else "done" if index < steps.at else "later"
    glyph, style = _MARKS[mark]
    done = steps.done if mark == "now" else ""
    return Content.assemble((glyph, style), " ", (f"{steps.words[index]}{done}", "bold" if mark == "now" else QUIET))


def _counter(state: SearchState) -> str:
    """Return how much of the running stage is done, if known."""
    if state.stage is None:
        return ""
    if state.stage.stage == "retrieving":
        planned = {(plan.source, plan.query) for plan in state.planned}
        return f" {sum(query in state.answered for query in planned)}/{len(planned)}" if planned else ""
    if state.stage.stage in ("judging", "judging references"):
        chosen = {state.work(work) for candidate in state.candidates for work in candidate.works}
        return f" {sum(state.judgement(work) is not None for work in chosen)}/{len(chosen)}" if chosen else ""
    return ""


def _counted(state: SearchState) -> list[Content]:
    counts = state.counts
    return [
        plain(f"{counts.included} relevant of {counts.screened}", "bold"),
        plain(f"{counts.identified} records, {counts.duplicates} duplicates", QUIET),
        *([plain(f"{state.compared} compared by meaning", QUIET)] if state.compared else []),
    ]


def trouble_lines(text: str, width: int, todo: Sequence[str], most: int, failed: bool = True) -> Content:
    """Return what `failed`, or another note, and what to do (`todo`, never cut), on at most `most` lines, 1 or 2."""
    if not text:
        return Content("")
    glyph = ("▲ ", "$warning") if failed else ("· ", QUIET)
    what = fitting([Content.styled(sentence, "$key") for sentence in todo], max(width - 2, 0))
    room = max(width - what.cell_length - (5 if what.cell_length else 2), 0)
    style, above = glyph[1], ""
    if most > 1 and len(text) > room:
        above = f"{text[: width - 2].rpartition(' ')[0]} "
        text = text.removeprefix(above)
    why = plain(cut(text, room), style)
    gap = " " * (width - 2 - why.cell_length - what.cell_length)
    return Content.assemble(glyph, (f"{above}\n  " if above else "", style), why, gap, what)


def answer_told(lines: Sequence[str], key: str, width: int, most: int) -> Content:
    """Return as many whole sentences (`lines`) of an answer as fit on `most` lines, and what `key` does, on the last of
    these lines if there is room."""
    shown: list[Content] = []
    for line in lines:
        wrapped = plain(line, "" if shown else "bold").wrap(max(width, 1))
        if shown and len(shown) + len(wrapped) >= most:
            break
        shown += wrapped
    if not lines:
        return Content("")
    what = Content.styled(key, "$key")
    gap = width - shown[-1].cell_length - what.cell_length
    end = [Content.assemble(shown.pop(), " " * gap, what)] if gap > 1 else [what]
    return Content("\n").join([*shown, *end])


def clock_text(seconds: float) -> str:
    """Return a duration such as `1:05`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def cost_told(findings: Findings, seconds: float) -> list[str]:
    """Return the duration of a run, and what is known of its cost."""
    cost = findings.cost
    tokens = cost.input_tokens + cost.output_tokens
    pieces = [clock_text(seconds)]
    if tokens:
        amount = f"{tokens / 1000:.0f}k tokens" if tokens >= 1000 else f"{tokens} tokens"
        pieces.append(f"about {amount}" if cost.tokens_estimated else amount)
    return [*pieces, *filter(None, [money_text(cost)])]


def trail_line(findings: Findings, width: int, key: str) -> Content:
    """Return the folded trail: how many sources were asked, failed, or were not asked; `key` unfolds it."""
    outcomes = Counter(outcome_of(tally) for name, tally in findings.sources.items() if name not in HERE)
    asked = outcomes.total() - outcomes["not asked"]
    counts: dict[Outcome, tuple[str, str]] = {
        "failed": ("failed", "$error"),
        "partial": ("in part", "$warning"),
        "stopped": ("stopped", QUIET),
        "not asked": ("not asked", QUIET),
    }
    pieces = [
        plain(counted(asked, "source") if asked else "no source asked", QUIET),
        *(plain(f"{outcomes[name]} {word}", style) for name, (word, style) in counts.items() if outcomes[name]),
        plain(papers_text(len(findings.found)), QUIET),
        Content.assemble((key, "$key"), (" trail", QUIET)),
    ]
    return fitting(pieces, width, " · ")


def sources_line(findings: Findings, width: int, over: bool = False) -> Content:
    """Return what each source did, and is still doing unless the run is `over`; the papers given to a summary are none.

    If there is little room, failed sources come first and the last sources are dropped.
    """
    sources = [*(query.source for query in findings.planned), *findings.sources]
    every = [name for name in dict.fromkeys(sources) if name not in GIVEN_PAPERS]
    unasked = [name for name in every if outcome_of(findings.sources.get(name)) == "not asked"]
    names = every if len(unasked) < 2 else [name for name in every if name not in unasked]
    more = [] if names is every else [plain(f"{len(unasked)} not asked", QUIET)]
    waiting = {plan.source for plan in findings.planned if (plan.source, plan.query) not in findings.answered}
    busy = set() if over else waiting
    pieces = [*(_source(name, findings.sources.get(name), name in busy) for name in names), *more]
    line = Content("   ").join(pieces)
    if line.cell_length <= width:
        return line
    troubled = [name for name in names if name in findings.failed_sources]
    ordered = [*troubled, *(name for name in names if name not in troubled)]
    return fitting([*(_source(name, findings.sources.get(name), name in busy) for name in ordered), *more], width, "  ")


def _source(name: str, tally: SourceTally | None, busy: bool) -> Content:
    shown, count = plain(cut(name, 16), QUIET), source_count(tally)
    match outcome_of(tally):
        case "answered" | "empty" | "waiting" if busy:
            return Content.assemble(shown, f" {tally.found if tally and tally.found else ''}…")
        case "failed":
            return Content.assemble(("✘ ", "$error"), shown, (f" {count}", "$error"))
        case "partial":
            return Content.assemble(("~ ", "$warning"), shown, (f" {count}", "$warning"))
        case "not asked" | "stopped" | "waiting":
            return Content.assemble(shown, (f" {count}", QUIET))
    return Content.assemble(shown, f" {count}")
