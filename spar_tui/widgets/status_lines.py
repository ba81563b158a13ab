"""The two lines that say where a search is and what its sources do."""

from typing import Literal

from textual.content import Content

from agents.events import Stage
from agents.search.state import SearchState, SourceTally
from spar_tui.screens.live_search import Standing
from spar_tui.widgets.text import QUIET, cut, fitting, plain

_Step = tuple[str, tuple[Stage, ...]]
_STEPS: tuple[_Step, ...] = (
    ("understand", ("understanding",)),
    ("search", ("retrieving",)),
    ("judge", ("judging",)),
    ("references", ("references", "judging references")),
    ("new queries", ("evolving",)),
    ("rank", ("reranking",)),
)
_STANDING: dict[Standing, tuple[str, str]] = {
    "paused": ("‖ paused", "$warning"),
    "stopping": ("■ stopping", "$warning"),
    "finished": ("✔ finished", "$success"),
    "cut off": ("■ cut off, p goes on", "$warning"),
    "failed": ("✘ failed", "$error"),
}
_Mark = Literal["done", "now", "later"]
_MARKS: dict[_Mark, tuple[str, str]] = {"done": ("✔", "$success"), "now": ("●", "$accent"), "later": ("◌", QUIET)}


def stage_line(state: SearchState, standing: Standing, seconds: float, width: int) -> Content:
    """How far the search is, how long it took and what it cost; the last two are never pushed off the edge."""
    told = _cost(state, seconds)
    room = width - told.cell_length - 3
    if standing in ("finished", "failed"):
        words, style = _STANDING[standing]
        where = fitting([Content.styled(words, style), *_counted(state)], room)
    else:
        where = _steps(state, standing, room)
    return Content.assemble(where, " " * max(width - where.cell_length - told.cell_length, 1), told)


def _steps(state: SearchState, standing: Standing, room: int) -> Content:
    at = _at(state)
    before = [Content.styled(*_STANDING[standing])] if standing in _STANDING else []
    after = [plain(f"round {state.stage.round}", QUIET)] if state.stage and state.stage.round > 1 else []
    every = [_step(place, at, state) for place in range(len(_STEPS))]
    whole = Content("  ").join([*before, *every, *after])
    if whole.cell_length <= room:
        return whole
    return fitting([*before, _step(at, at, state), *after], room, "  ")


def _at(state: SearchState) -> int:
    if state.stage is None:
        return 0
    return next(place for place, (_, stages) in enumerate(_STEPS) if state.stage.stage in stages)


def _step(place: int, at: int, state: SearchState) -> Content:
    mark: _Mark = "now" if place == at else "done" if place < at else "later"
    glyph, style = _MARKS[mark]
    word = _STEPS[place][0]
    counted = _counter(state) if mark == "now" else ""
    return Content.assemble((glyph, style), " ", (f"{word}{counted}", "bold" if mark == "now" else QUIET))


def _counter(state: SearchState) -> str:
    """How much of the running stage is done, where that is known."""
    if state.stage is None:
        return ""
    if state.stage.stage == "retrieving":
        planned = {(one.source, one.query) for one in state.planned}
        return f" {len(planned & state.answered)}/{len(planned)}" if planned else ""
    if state.stage.stage in ("judging", "judging references"):
        chosen = {state.work(work) for one in state.candidates for work in one.works}
        return f" {len(chosen & state.judged.keys())}/{len(chosen)}" if chosen else ""
    return ""


def _counted(state: SearchState) -> list[Content]:
    counts = state.counts
    return [
        plain(f"{counts.included} relevant of {counts.screened}", "bold"),
        plain(f"{counts.identified} records, {counts.duplicates} duplicates", QUIET),
    ]


def _cost(state: SearchState, seconds: float) -> Content:
    cost = state.cost
    tokens = cost.input_tokens + cost.output_tokens
    pieces = [f"{int(seconds) // 60}:{int(seconds) % 60:02}"]
    if tokens:
        pieces.append(f"{tokens / 1000:.0f}k tokens" if tokens >= 1000 else f"{tokens} tokens")
    if cost.usd is not None:
        pieces.append(f"${cost.usd:.2f}")
    return plain(" · ".join(pieces), QUIET)


def sources_line(state: SearchState, width: int) -> Content:
    """What each source did; where there is little room the troubled ones come first, and counts go."""
    asked = dict.fromkeys(one.source for one in state.planned)
    names = [*asked, *(name for name in state.sources if name not in asked)]
    waiting = {one.source for one in state.planned if (one.source, one.query) not in state.answered}
    busy = waiting if not state.finished else set()
    pieces = [_source(name, state.sources.get(name), name in busy) for name in names]
    line = Content("   ").join(pieces)
    if line.cell_length <= width:
        return line
    troubled = [name for name in names if name in state.failed_sources]
    ordered = [*troubled, *(name for name in names if name not in troubled)]
    return fitting([_source(name, state.sources.get(name), name in busy) for name in ordered], width, "  ")


def _source(name: str, tally: SourceTally | None, busy: bool) -> Content:
    shown = plain(cut(name, 16), QUIET)
    if busy and (tally is None or tally.state == "ok"):
        return Content.assemble(shown, f" {tally.found if tally and tally.found else ''}…")
    if tally is None:
        return Content.assemble(shown, (" not asked", QUIET))
    match tally.state:
        case "failed":
            return Content.assemble(("✘ ", "$error"), shown, (" failed", "$error"))
        case "skipped":
            return Content.assemble(shown, (" left out", QUIET))
        case "partial":
            return Content.assemble(("~ ", "$warning"), shown, f" {tally.found}", (" in part", "$warning"))
    return Content.assemble(shown, f" {tally.found}")
