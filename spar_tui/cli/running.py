"""Carry on runs of any kind for a verb: stored event by event, with progress, and resumed after an interruption."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import Any, Generic

from agents.run.control import Control
from agents.run.errors import NothingToBeginWith
from agents.run.events import Ending, SourceAnswered, Warned
from agents.run.findings import E, Findings, Outcome, S, outcome_of, tally_of
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
from spar_tui.source_phrases import not_chosen_text, off_texts
from spar_tui.terminal import Style, note, note_failures, progress_style, remark, report, say
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
            self._show_resumed(state, self._style)

    def show(self, event: E, state: S) -> None:
        """Show an event as it happens; `state` includes it."""
        if isinstance(event, Warned):
            remark(event.sentence)
        if self._style:
            self._show(event, state, self._style)

    def end(self) -> None:
        """Erase what only made sense while the run was under way."""

    def _show_resumed(self, state: S, style: Style) -> None:
        """Show what a resumed run has already."""

    def _show(self, event: E, state: S, style: Style) -> None:
        """Show an event on a terminal."""

    def _show_end(self, seconds: float, ending: Ending, style: Style) -> None:
        report(style.paint(f"{_ENDINGS[ending]} {self._after} {seconds:.1f} s", "dim"))


class VerbRun(Generic[S, E, O]):
    """Carries out a run for a verb: shows its progress on standard error and, with `--jsonl`, prints its events."""

    def __init__(
        self,
        kind: RunKind[S, E, O],
        progress: Callable[[Style | None], Progress[S, E]],
        settings: Settings,
        flags: RunFlags,
    ) -> None:
        self.kind, self.settings, self.flags = kind, settings, flags
        self.progress = progress(progress_style(flags.plain))
        self.id = ""
        """The id of the run, once it has begun."""

    def carry_out(
        self, question: str, options: O, sources: Sequence[str] = (), resume: str | None = None, *,
        offline: bool = False, since: datetime | None = None, ask: Callable[[Control], None] | None = None,
    ) -> S:  # fmt: skip
        """Carry out the run `resume`, or else a new one that may ask the live `sources`; return its final state.

        `ask` sends a resumed run requests; lists stored before `since` are not used. Raises `Interrupted` on Ctrl-C,
        with how to resume, `NothingFound` if there is nothing to begin with, and `RunError` and `CacheError` if
        something is missing.
        """
        offline = offline or self.flags.offline or self.settings.preferences.offline
        states = list[S]()

        async def end() -> None:
            running = (
                self._new(question, options, sources, offline, since)
                if resume is None
                else self._resumed(resume, options, offline, ask)
            )
            states.append(await running)  # not a result of the task: `signal` would format it, state and all

        try:
            asyncio.run(end())
            return states[0]
        except NothingToBeginWith as error:
            raise NothingFound(str(error)) from None
        except KeyboardInterrupt:
            if not self.id:
                raise Interrupted(f"interrupted before the {self.kind.name} began.") from None
            raise Interrupted(
                f"interrupted; results are kept. Resume with:\n  spar {self.kind.verb} --resume {self.id}"
            ) from None
        finally:
            self.progress.end()

    async def _new(self, question: str, options: O, sources: Sequence[str], offline: bool, since: datetime | None) -> S:
        kind, model = self.kind, not self.flags.no_model
        self._explain_missing_model(offline, model)
        names = sources if kind.asks_sources(options) else ()
        async with open_workspace(self.settings, names, offline, model, since=since) as workspace:
            own_options: Any = kind.settled(workspace.store, options)  # a dataclass, like the options of every kind
            options = replace(own_options, model=own_options.model and model)
            resources = kind.equipped(workspace.resources, workspace.store, options)
            options = replace(own_options, model=options.model, sources=tuple(resources.live))
            return await self._follow(Runner.begun(kind, workspace.store, question, options, note), resources)

    async def _resumed(self, name: str, changes: O, offline: bool, ask: Callable[[Control], None] | None) -> S:
        """Resume a run; the budgets in `changes` replace its own, because they may be why it ended. Prints the earlier
        events unless they were printed before."""
        kind, model = self.kind, not self.flags.no_model
        with open_store(self.settings) as store:
            runner = Runner.taken_up(kind, store, name, note)
            if not self.id:
                self.progress.take_up(runner.state)
                for event in runner.so_far:
                    self._print_line(event)
            self.id = runner.run
            if getattr(runner.options, "unasked", False):
                runs.set_parameter(store, runner.run, "unasked", False)
            if runner.state.finished and ask is None:
                return runner.state
            if not model:
                runs.set_parameter(store, runner.run, "model", False)  # for all later sessions as well
        options: Any = runner.options
        if ask is None and model and self.settings.model and not options.model:
            remark("no model is used: this run was started or resumed without one (--no-model).")
        model = model and options.model
        if ask is None:
            self._explain_missing_model(offline, model)
        runner.options = replace(options, model=model, **budgets(changes))
        names = self.settings.preferences.sources if runner.options.sources is None else runner.options.sources
        asks = kind.asks_sources(runner.options)
        sources = [source for source in (*SOURCES, CORPUS) if source in names and asks]
        async with open_workspace(self.settings, sources, offline or (asks and not sources), model) as workspace:
            runner.recorder.store = workspace.store
            resources = kind.equipped(workspace.resources, workspace.store, runner.options)
            return await self._follow(runner, resources, ask or asks_nothing)

    async def _follow(
        self, runner: Runner[S, E, O], resources: Resources, ask: Callable[[Control], None] = asks_nothing
    ) -> S:
        self.id = runner.run
        async with aclosing(runner.events(resources, ask)) as events:
            async for event in events:
                self.progress.show(event, runner.state)
                self._print_line(event)
        return runner.state

    def _explain_missing_model(self, offline: bool, model: bool) -> None:
        if model and (why := unasked_model(self.settings, offline)):
            remark(why)

    def _print_line(self, event: E) -> None:
        """With `--jsonl`, print an event as an object; `event` and `role` name its kind and who posted it."""
        codec = self.kind.codec
        if not (self.flags.as_jsonl and codec.keeps(event)):
            return
        row, more = codec.encode(event), dict[str, Any]()
        match event:
            case SourceAnswered():
                more = {"outcome": outcome_of(tally_of(event))}
            case PaperJudged(reason=reason) if reason:
                more = {"proven": event.proven}
        say(json.dumps({"event": row.kind, "role": row.role, **row.content, **more}, ensure_ascii=False))


def budgets(options: Any) -> dict[str, Any]:
    """Return the budgets that were set, by name, and other options that a resumed run may change."""
    limits = {"calls": options.calls, "usd": options.usd, "seconds": options.seconds}
    allowed = {"allow_changes": True} if getattr(options, "allow_changes", False) else {}
    return {name: value for name, value in limits.items() if value is not None} | allowed


def print_gaps(findings: Findings, chosen_sources: Sequence[str]) -> None:
    """Print which sources failed, which were skipped, and why sources that the person chose
    are off."""
    note_failures(findings.failed_sources)
    remark(*filter(None, [not_chosen_text(findings)]), *off_texts(findings, chosen_sources))
