"""Carry on runs of any kind for a verb: stored event by event, with progress, and resumed after an interruption."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import Any, Generic

from agents.run.control import Control
from agents.run.errors import NothingToBeginWith
from agents.run.events import Ending, EventCodec, SourceAnswered, Warned
from agents.run.findings import E, Outcome, S, outcome_of, tally_of
from agents.run.kinds import O, RunKind
from agents.run.resources import Resources
from agents.run.runner import Runner, asks_nothing
from agents.search.events import PaperJudged
from cache import runs
from cache.corpus.place import CORPUS
from connectors.registry import SOURCES
from spar_tui.cli.arguments import RunFlags
from spar_tui.errors import Interrupted, NothingFound
from spar_tui.settings import Settings
from spar_tui.terminal import Style, note, remark, report, say
from spar_tui.workspace import open_store, open_workspace, unasked_model

MARKS: dict[Outcome, str] = {
    "answered": "✓", "empty": "✓", "partial": "~", "failed": "✗", "stopped": "-", "not asked": "-",
}  # fmt: skip
COLOURS: dict[Outcome, str] = {
    "answered": "green", "empty": "green", "partial": "yellow", "failed": "red", "stopped": "dim", "not asked": "dim",
}  # fmt: skip
_ENDINGS = {"complete": "finished", "stopped": "stopped", "budget": "out of time"}


class Progress(Generic[S, E]):
    """Shows a kind of run on standard error while it is under way; without a terminal only its warnings."""

    def __init__(self, style: Style | None) -> None:
        self._style = style
        self._after = "after"

    def take_up(self, state: S) -> None:
        """Show the state of a run that is resumed."""
        self._after = "after resuming for"
        if self._style and state.started and not state.finished:
            self._going_on(state, self._style)

    def show(self, event: E, state: S) -> None:
        """Show an event as it happens; `state` includes it."""
        if isinstance(event, Warned):
            remark(event.sentence)
        if self._style:
            self._show(event, state, self._style)

    def _going_on(self, state: S, style: Style) -> None:
        """Show what a resumed run has already."""

    def _show(self, event: E, state: S, style: Style) -> None:
        """Show an event on a terminal."""

    def _ended(self, seconds: float, ending: Ending, style: Style) -> None:
        report(style.paint(f"{_ENDINGS[ending]} {self._after} {seconds:.1f} s", "dim"))


class RunOutput(Generic[S, E, O]):
    """The output of a run: its progress and, with `as_jsonl`, its events as the answer."""

    def __init__(self, kind: RunKind[S, E, O], progress: Progress[S, E], as_jsonl: bool = False) -> None:
        self.kind, self.as_jsonl = kind, as_jsonl
        self.run = ""
        self._progress = progress

    def event(self, event: E, state: S) -> None:
        """Output an event as it happens."""
        self._progress.show(event, state)
        self._line(event)

    def take_up(self, events: Sequence[E], state: S) -> None:
        """Output earlier events; as JSON lines, the whole run is output."""
        self._progress.take_up(state)
        for event in events:
            self._line(event)

    def _line(self, event: E) -> None:
        if self.as_jsonl and self.kind.codec.keeps(event):
            say(json.dumps(event_object(self.kind.codec, event), ensure_ascii=False))


def ended(output: RunOutput[S, E, O], running: Coroutine[None, None, S]) -> S:
    """Run to the end and return the final state. Raises `Interrupted` on Ctrl-C, with how to resume, `NothingFound`
    if there is nothing to begin with, and `RunError` and `CacheError` if something is missing."""
    kind, states = output.kind, list[S]()

    async def end() -> None:
        states.append(await running)  # not a result of the task, because `signal` would format a result, state and all

    try:
        asyncio.run(end())
        return states[0]
    except NothingToBeginWith as error:
        raise NothingFound(str(error)) from None
    except KeyboardInterrupt:
        if not output.run:
            raise Interrupted(f"interrupted before the {kind.name} began.") from None
        raise Interrupted(
            f"interrupted; results are kept. Resume with:\n  spar {kind.verb} --resume {output.run}"
        ) from None


def carried_out(
    flags: RunFlags, settings: Settings, output: RunOutput[S, E, O], question: str, options: O, sources: Sequence[str],
    resume: str | None = None, *, offline: bool = False, since: datetime | None = None,
    ask: Callable[[Control], None] | None = None,
) -> S:  # fmt: skip
    """Carry out the run `resume`, or else a new one, according to `flags` and settings, and return its final state;
    `ask` sends the resumed run requests. Raises as `ended`."""
    offline, model = offline or flags.offline or settings.preferences.offline, not flags.no_model
    if resume is not None:
        return ended(output, resumed_run(settings, resume, options, offline, model, output, ask))
    return ended(output, new_run(settings, question, options, sources, offline, model, output, since))


async def new_run(
    settings: Settings, question: str, options: O, sources: Sequence[str], offline: bool, model: bool,
    output: RunOutput[S, E, O], since: datetime | None = None,
) -> S:  # fmt: skip
    """Carry out a new run with the live `sources`, if it uses any; lists stored before `since` are not used."""
    kind = output.kind
    _tell_of_the_model(settings, offline, model)
    sources_asked = sources if kind.asks_sources(options) else ()
    async with open_workspace(settings, sources_asked, offline, model, since=since) as workspace:
        own_options: Any = kind.settled(workspace.store, options)  # a dataclass, like the options of every kind
        options = replace(own_options, model=own_options.model and model)
        resources = kind.equipped(workspace.resources, workspace.store, options)
        options = replace(own_options, model=options.model, sources=tuple(resources.live))
        runner = Runner.begun(kind, workspace.store, question, options, note)
        return await _followed(runner, resources, output)


async def resumed_run(
    settings: Settings, name: str, given: O, offline: bool, model: bool, output: RunOutput[S, E, O],
    ask: Callable[[Control], None] | None = None,
) -> S:  # fmt: skip
    """Resume a run, optionally with requests by `ask`; the budgets `given` replace its own, because they may be why
    it ended. Outputs the earlier events unless `output` has done so."""
    kind = output.kind
    with open_store(settings) as store:
        runner = Runner.taken_up(kind, store, name, note)
        if not output.run:
            output.take_up(runner.so_far, runner.state)
        output.run = runner.run
        if getattr(runner.options, "unasked", False):
            runs.set_parameter(store, runner.run, "unasked", False)
        if runner.state.finished and ask is None:
            return runner.state
        if not model:
            runs.set_parameter(store, runner.run, "model", False)  # for all later sessions as well
    options: Any = runner.options
    if ask is None and model and settings.model and not options.model:
        remark("no model is used: this run was started or resumed without one (--no-model).")
    model = model and options.model
    if ask is None:
        _tell_of_the_model(settings, offline, model)
    runner.options = replace(options, model=model, **budgets(given))
    named = settings.preferences.sources if runner.options.sources is None else runner.options.sources
    asks = kind.asks_sources(runner.options)
    sources = [source for source in (*SOURCES, CORPUS) if source in named and asks]
    async with open_workspace(settings, sources, offline or (asks and not sources), model) as workspace:
        runner.recorder.store = workspace.store
        resources = kind.equipped(workspace.resources, workspace.store, runner.options)
        return await _followed(runner, resources, output, ask or asks_nothing)


def _tell_of_the_model(settings: Settings, offline: bool, model: bool) -> None:
    """Report that the person's model is not asked, and why."""
    if model and (why := unasked_model(settings, offline)):
        remark(why)


def budgets(options: O) -> dict[str, Any]:
    """Return the budgets that were set, by name, and other options that a resumed run may change."""
    limits = {"calls": options.calls, "usd": options.usd, "seconds": options.seconds}
    allowed = {"allow_changes": True} if getattr(options, "allow_changes", False) else {}
    return {name: value for name, value in limits.items() if value is not None} | allowed


async def _followed(
    runner: Runner[S, E, O],
    resources: Resources,
    output: RunOutput[S, E, O],
    ask: Callable[[Control], None] = asks_nothing,
) -> S:
    output.run = runner.run
    async with aclosing(runner.events(resources, ask)) as events:
        async for event in events:
            output.event(event, runner.state)
    return runner.state


def event_object(codec: EventCodec[E], event: E) -> dict[str, Any]:
    """Return an event as a JSON object; `event` and `role` name its kind and who posted it."""
    row = codec.encode(event)
    return {"event": row.kind, "role": row.role, **row.content, **_following(event)}


def _following(event: object) -> dict[str, Any]:
    match event:
        case SourceAnswered():
            return {"outcome": outcome_of(tally_of(event))}
        case PaperJudged(reason=reason) if reason:
            return {"proven": event.proven}
    return {}
