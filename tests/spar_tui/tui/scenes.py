"""What the pictures of the screens show: each is a way from the app's start to a screen worth looking at."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from agents.lookup.following import WatchSubject
from agents.run.events import SourceAnswered
from agents.run.resources import Resources
from agents.run.runner import AnyRun, ResourcesFor, Runner
from agents.search.events import Event, Finished, PapersRanked
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from agents.summary.events import NodeRetrieved, NodeWritten, SummaryEvent, SummaryFinished
from agents.summary.kind import SUMMARY
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from cache import papers, runs, shelf, watches
from cache.store import Store
from connectors.errors import NotConfigured, SourceUnavailable
from spar_tui.interface import TextInterface
from spar_tui.settings import Settings
from spar_tui.tui.research_app import Anew
from spar_tui.tui.screens.conversation import ConversationScreen
from spar_tui.tui.screens.document_check import DocumentCheckScreen
from spar_tui.tui.screens.new_conversation import MessageLine
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, made_up
from tests.agents.search.world import shelf as desk_of
from tests.agents.summary.world import TOPIC, go, honest_model
from tests.spar_tui.tui.world import OTHERS, QUESTION, SPARSE, Hand, Scene, resources


def pressing(*keys: str) -> Scene:
    """Only some keys."""

    async def scene(hand: Hand) -> None:
        await hand.press(*keys)

    return scene


def in_history(*keys: str) -> Scene:
    """The history, then some keys."""

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await hand.until_shown("History 3")
        await hand.press(*keys)

    return scene


def checking(*keys: str) -> Scene:
    """The check of a bibliography that lies in the working folder, then some keys."""

    async def scene(hand: Hand) -> None:
        Path("refs.bib").write_text("@article{ahead, title = {Retrieval in years to come}, year = {2999}}\n", "utf-8")
        hand.app.push_screen(DocumentCheckScreen("check refs.bib", ["check", "refs.bib", "--offline"]))
        await hand.until_shown("1 reference · 1 finding")
        await hand.press(*keys)

    return scene


# A search


class StoppedSearch(Runner[SearchState, Event, SearchOptions]):
    """A search that has always lasted as long."""

    @property
    def seconds(self) -> float:
        return 12.0


def searched(moment: str, *keys: str) -> Scene:
    """A search at one of three moments, then some keys."""

    async def scene(hand: Hand) -> None:
        events = await search_events()
        live = StoppedSearch.begun(SEARCH, hand.app.store, QUESTION, SearchOptions())
        await show(hand, live, events[: MOMENTS[moment](events)], moment == "done")
        await hand.press(*keys)

    return scene


_SEARCH: list[Event] = []
"""Made once: dozens of tests show it."""


async def search_events() -> Sequence[Event]:
    """What a search of scripted sources tells, with the times taken out."""
    if not _SEARCH:
        _SEARCH.extend([_timed(event) async for event in _told_by_a_search()])
    return _SEARCH


def _told_by_a_search() -> AsyncIterator[Event]:
    sources = (
        ScriptedSource("openalex", [*SPARSE, *OTHERS]),
        ScriptedSource("arxiv", SPARSE[:2], partial=True),
        ScriptedSource("semanticscholar", error=SourceUnavailable("semanticscholar", "is not working right now.")),
        ScriptedSource("google", error=NotConfigured("google", "is off.")),
    )
    return search(QUESTION, resources(*sources), SearchOptions(), SEARCH.board())


def _timed(event: Event) -> Event:
    match event:
        case Finished():
            return replace(event, seconds=23.0)
        case SourceAnswered():
            return replace(event, seconds=1.4)
    return event


MOMENTS: dict[str, Callable[[Sequence[Event]], int]] = {
    "early": lambda events: next(place for place, one in enumerate(events) if isinstance(one, SourceAnswered)) + 9,
    "judged": lambda events: next(place for place, one in enumerate(events) if isinstance(one, PapersRanked)),
    "done": len,
}


async def show(hand: Hand, live: Any, events: Sequence[Any], over: bool) -> None:
    """Show a run that has told `events`; if it is not `over`, that moment lasts."""
    for event in events:
        live.board.post(event)

    async def waits(resources_for: ResourcesFor) -> None:
        await asyncio.Event().wait()

    if not over:
        live._to_the_end = waits
    hand.app._show(live)
    await hand.until(lambda: _status(live) in hand.text)


def _status(live: AnyRun) -> str:
    return " finished" if live.state.finished else "0:12"


# A summary


class StoppedSummary(Runner[SummaryState, SummaryEvent, SummaryOptions]):
    """A summary that has always lasted as long."""

    @property
    def seconds(self) -> float:
        return 12.0


def summarized(moment: str, *keys: str) -> Scene:
    """A summary at one of three moments, then some keys."""

    async def scene(hand: Hand) -> None:
        events = await summary_events()
        live = StoppedSummary.begun(SUMMARY, hand.app.store, TOPIC, SummaryOptions())
        await show(hand, live, events[: GROWN[moment](events)], moment == "done")
        await hand.press(*keys)

    return scene


_SUMMARY: list[SummaryEvent] = []
"""Made once: it takes a second."""


async def summary_events() -> Sequence[SummaryEvent]:
    """What a summary tells that a scripted model plans, checks and writes, with the times taken out."""
    if not _SUMMARY:
        done = await go(desk_of(Library(made_up(40)), model=honest_model()), SummaryOptions())
        _SUMMARY.extend(replace(one, seconds=23.0) if isinstance(one, SummaryFinished) else one for one in done.events)
    return _SUMMARY


def _place(events: Sequence[SummaryEvent], kind: type, least: int) -> int:
    """Where the `least`th event of a kind has been told."""
    places = [place for place, one in enumerate(events, 1) if isinstance(one, kind)]
    return places[least - 1]


GROWN: dict[str, Callable[[Sequence[SummaryEvent]], int]] = {
    "growing": lambda events: _place(events, NodeRetrieved, 3),
    "writing": lambda events: _place(events, NodeWritten, 3),
    "done": len,
}


# A conversation


def talked(*messages: str, then: Sequence[str] = ()) -> Scene:
    """A conversation about a small library in which the person has said `messages`, then some keys."""

    async def scene(hand: Hand) -> None:
        papers.remember(hand.app.store, [*SPARSE, *OTHERS], now=SAVED_AT)
        await hand.press("f7")
        for turns, message in enumerate(messages, 1):
            await hand.until(lambda: bool(hand.app.screen.query(MessageLine)))
            hand.app.screen.query_one(MessageLine).value = message
            await hand.press("enter")
            await hand.until(partial(_answered, hand, turns))
        await hand.press(*then)

    return scene


def _answered(hand: Hand, turns: int) -> bool:
    screen = hand.app.screen
    if not isinstance(screen, ConversationScreen):
        return False
    live = screen.live
    if live.under_way or len(live.state.turns) != turns:
        return False
    live._earlier, live._began, live._ended = 0.0, 0.0, 12.0  # it has always lasted as long
    return all(words in hand.lines[1] for words in ("✔ answered", f"{turns} turn", "0:12"))


# What to read next


def to_read_next(*keys: str) -> Scene:
    """The app where it opens, with a history and what is recommended from that, then some keys."""

    async def scene(hand: Hand) -> None:
        await hand.until(lambda: hand.app.recommender.looked)  # at nothing yet, so that only one is ever made
        papers.remember(hand.app.store, [*SPARSE, *OTHERS])
        shelf.save(hand.app.store, [SPARSE[0], SPARSE[3], OTHERS[1]], now=SAVED_AT)
        newest = await hand.app.recommender.make()
        assert newest is not None
        newest._earlier, newest._began, newest._ended = 0.0, 0.0, 12.0  # it has always lasted as long
        await hand.press("f3", "f2")
        await hand.until_shown("Read next")
        await hand.press(*keys)

    return scene


# Papers


def on_shelf(*keys: str) -> Scene:
    """The shelf with some papers, then some keys."""

    async def scene(hand: Hand) -> None:
        numbers = [number for one in KEPT for number in shelf.save(hand.app.store, [one], now=SAVED_AT)]
        shelf.tag(hand.app.store, numbers[0], ["retrieval", "to read"])
        shelf.set_note(hand.app.store, numbers[0], "The one to begin with.")
        shelf.mark_read(hand.app.store, numbers[1], True, now=SAVED_AT)
        shelf.rate(hand.app.store, numbers[0], 1)
        shelf.rate(hand.app.store, numbers[1], -1)
        await hand.press("f3")
        await hand.until_shown("Shelf 5")
        await hand.press(*keys)

    return scene


def of_a_paper(*keys: str) -> Scene:
    """A paper on a screen of its own, with what it cites, then some keys."""

    async def scene(hand: Hand) -> None:
        number = shelf.save(hand.app.store, KEPT[:1], ["retrieval"], now=SAVED_AT)[0]
        shelf.set_note(hand.app.store, number, "The one to begin with.")
        hand.app.open_paper(KEPT[0])
        await hand.until_shown("On the shelf")
        await hand.press("r")
        await hand.until(lambda: bool(hand.papers.rows))
        await hand.press(*keys)

    return scene


def on_watches(*keys: str) -> Scene:
    """Three watches, one of which has news, then some keys."""

    async def scene(hand: Hand) -> None:
        store = hand.app.store
        person = WatchSubject("author", "Ada Lovelace", ("openalex:A5000000001",))
        cited = WatchSubject("cites", KEPT[0].title, ("doi:10.1000/dense",))
        watches.set_watch(store, "sparse", QUESTION, asdict(SearchOptions()), now=SAVED_AT)
        for name, subject in {"ada": person, "citing dense": cited}.items():
            watches.set_watch(store, name, subject.words, subject.parameters, now=SAVED_AT)
        for name in ("ada", "citing dense", "sparse"):
            watches.note_asked(store, name, now=SAVED_AT)
        watches.note_looked(store, "sparse", ["openalex", "arxiv"], datetime(2019, 3, 4, tzinfo=UTC))
        watches.note_shown(store, "citing dense", OTHERS[:2], now=SAVED_AT)
        watches.note_shown(store, "sparse", SPARSE[:4], now=SAVED_AT)
        await hand.press("f10")
        await hand.until_shown("4 shown")
        if keys:
            await hand.press("down", "down", "enter")
            await hand.until_shown("2 papers new since")
            watches.note_asked(store, "sparse", now=SAVED_AT)
            await hand.press("f2", "f10")
            await hand.until(lambda: hand.text.count("04 Mar 09:30") == 4)
            await hand.press(*keys)

    return scene


SAVED_AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
KEPT = [
    paper(
        "Dense passage retrieval for open-domain question answering",
        "10.1000/dense",
        "arxiv:2004.04906",
        author="Vladimir Karpukhin",
        venue="Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing (EMNLP)",
        abstract="Open-domain question answering relies on efficient passage retrieval to select candidate contexts, "
        "where traditional sparse vector space models, such as TF-IDF or BM25, are the de facto method. We show that "
        "retrieval can be practically implemented using dense representations alone.",
        citation_count=4812,
        pdf="https://arxiv.org/pdf/2004.04906",
    ),
    paper("检索增强生成的科学文献综述与引文推荐方法", "10.1000/wide", author="王小明", date="2025", venue="计算机学报"),
    paper("A cure that was not one", "10.1000/gone", author="Ann Nonym", date="2011", venue="Letters", retracted=True),
    *OTHERS[:2],
]


# Before the app opens


def earlier(store: Store) -> None:
    """Some past searches, at fixed times."""
    asked: dict[str, tuple[runs.Ended, dict[str, int]]] = {
        "does vitamin D lower the risk of respiratory infection": ("finished", {"shown": 18, "screened": 214}),
        "检索增强生成的科学文献综述": ("finished", {"shown": 1, "screened": 9}),
        "agents that follow references to find papers": ("interrupted", {}),
    }
    for day, (question, (state, counts)) in enumerate(asked.items(), 1):
        then = datetime(2026, 3, day, 9, 30, tzinfo=UTC)
        runs.finish(store, runs.start(store, "search", question, now=then), state, counts, now=then)


@asynccontextmanager
async def scripted_desk(settings: Settings, anew: Anew | None = None) -> AsyncIterator[Resources]:
    yield replace(resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])), interface=TextInterface())
