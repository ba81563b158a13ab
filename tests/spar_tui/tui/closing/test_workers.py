"""Every worker of every screen and widget, held while its screen is closed, ends without an error."""

import asyncio
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.dom import DOMNode
from textual.worker import Worker, WorkerState

import spar_tui.tui
from cache.conditions.filters import Filter
from spar_tui.citation_map.layout import Picture
from tests.spar_tui.running import PATIENCE
from tests.spar_tui.tui.closing.slow_closing import HeldThreads, SlowWidget, until
from tests.spar_tui.tui.scenes import (
    checking,
    earlier,
    in_history,
    of_a_paper,
    on_shelf,
    on_watches,
    scripted_desk,
    searched,
    summarized,
    talked,
    to_read_next,
)
from tests.spar_tui.tui.world import SPARSE, Hand, Scene, play

SHOWN: Mapping[str, Scene] = {
    "BelowAsk": to_read_next(),
    "CitationMapScreen": searched("done", "M"),
    "ConversationScreen": talked("papers on sparse retrieval"),
    "DocumentCheckScreen": checking(),
    "ErrorLog": searched("done", "exclamation_mark"),
    "ExportScreen": on_shelf("asterisk", "X"),
    "HistoryScreen": in_history(),
    "HomeScreen": to_read_next(),
    "PaperActions": of_a_paper(),
    "PaperScreen": of_a_paper(),
    "ProfileScreen": to_read_next("f6"),
    "RecommendationScreen": to_read_next("f5"),
    "SearchScreen": searched("done"),
    "ServiceLine": searched("done", "comma"),
    "ShelfScreen": on_shelf(),
    "SideBySide": searched("done", "space", "space", "equals_sign"),
    "SummaryScreen": summarized("done"),
    "WatchesScreen": on_watches("t"),
}
"""For each class that has workers, what shows it."""
ARGUMENTS: Mapping[str, Callable[[Any], Any]] = {
    "document": lambda screen: "A text",
    "format": lambda screen: "markdown",
    "kind": lambda screen: "references",
    "name": lambda screen: "text.md",
    "paper": lambda screen: SPARSE[0],
    "pick": lambda screen: tuple,
    "picture": lambda screen: Picture(screen.live.run, screen._drawn, screen._columns),
    "run": lambda screen: screen.live.run,
    "state": lambda screen: screen.live.state,
    "text": lambda screen: "year:2020..",
    "typed": lambda screen: "sparse retrieval",
    "wanted": lambda screen: Filter(),
}
"""For each parameter of a worker what it is called with."""


@cache
def workers() -> list[tuple[type[DOMNode], str]]:
    """The classes that have workers, with their names; those of apps are cancelled before anything is closed."""
    return [
        (kind, name)
        for module in pkgutil.walk_packages(spar_tui.tui.__path__, "spar_tui.tui.")
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(kind, DOMNode) and not issubclass(kind, App) and kind.__module__ == module.name
        for name, value in vars(kind).items()
        if is_worker(value)
    ]


def is_worker(value: object) -> bool:
    """Whether `value` is a coroutine method that Textual's `work` made into one that is called without waiting."""
    made_from = getattr(value, "__wrapped__", None)
    return inspect.iscoroutinefunction(made_from) and not inspect.iscoroutinefunction(value)


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("kind", dict.fromkeys(kind for kind, _ in workers()), ids=lambda kind: str(kind.__name__))
def test_a_worker_whose_screen_is_closed_ends_quietly(kind: type[DOMNode], tmp_path: Path) -> None:
    started: list[Worker[object]] = []
    opening: list[asyncio.Task[None]] = []

    async def scene(hand: Hand) -> None:
        earlier(hand.app.store)
        await SHOWN[kind.__name__](hand)
        screen, gate, threads = hand.app.screen, asyncio.Event(), HeldThreads()
        node = next(node for node in screen.walk_children(with_self=True) if isinstance(node, kind))
        await screen.mount(SlowWidget(gate))
        asyncio.get_running_loop().set_default_executor(threads)
        threads.gate.clear()
        for name in (name for owner, name in workers() if owner is kind):
            started.append(start(node, name))

        async def open_when_half_closed() -> None:
            await until(lambda: len(screen.children) == 1)
            threads.gate.set()
            await asyncio.wait([worker._task for worker in started if worker._task], timeout=PATIENCE)
            gate.set()

        opening.append(asyncio.create_task(open_when_half_closed()))

    play(tmp_path, scene, scripted_desk)
    assert any(worker.is_cancelled for worker in started), started
    assert all(worker.is_cancelled or worker.state == WorkerState.SUCCESS for worker in started), started


def start(node: Any, name: str) -> Worker[object]:
    """Start the worker `name` of `node`."""
    if name == "_carry_on":  # it ends at once unless watches are to be asked
        node.action_ask_all()
        asking: Worker[object] = node._worker
        return asking
    method = getattr(node, name)
    needed = [one.name for one in inspect.signature(method).parameters.values() if one.default is one.empty]
    worker: Worker[object] = method(*(ARGUMENTS[parameter](node) for parameter in needed))
    return worker
