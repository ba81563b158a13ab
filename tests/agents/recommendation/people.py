"""Persons with a library and a reading history, and what is recommended to them without a model."""

import asyncio
from contextlib import aclosing
from datetime import datetime
from typing import Any

from agents.recommendation.events import RecommendationState
from agents.recommendation.kind import RECOMMENDATION, with_reader
from agents.recommendation.loop import recommend
from agents.recommendation.options import RecommendOptions
from agents.run.resources import Resources
from cache import papers, reading_history, runs
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.source import Source
from tests.agents.scripted import paper

SUBJECTS = ("sparse retrieval of passages", "protein folding by attention")


def about(subject: str, number: int, **more: Any) -> Paper:
    """The paper of this number on a subject, which every paper on it names in the title and in the abstract."""
    name = f"10.1000/{subject.split()[0]}.{number}"
    return paper(f"Study {number} of {subject}", name, abstract=f"We look at {subject} in the way {number}.", **more)


def known(store: Store, *subjects: str, each: int = 8) -> list[PaperId]:
    """The numbers of papers on `subjects` in the library, subject after subject."""
    some = [about(subject, number) for subject in subjects or SUBJECTS for number in range(each)]
    return papers.remember(store, some)


def done(store: Store, act: reading_history.Interaction, *numbers: int, now: datetime | None = None) -> None:
    """The person does `act` with papers."""
    for number in numbers:
        reading_history.note_interaction(store, number, act, now=now)


def recommended(store: Store, sources: tuple[Source, ...] = (), **options: Any) -> RecommendationState:
    """What is recommended, kept as the program keeps it."""
    asked = RecommendOptions(**options)
    live = {source.name: source for source in sources}
    resources = with_reader(Resources(live, {}, {}, None), store, asked)
    run = runs.start(store, RECOMMENDATION.name, "")

    async def followed() -> RecommendationState:
        state = RecommendationState()
        async with aclosing(recommend(resources, asked)) as events:
            async for event in events:
                state = state.apply(event)
        return state

    state = asyncio.run(followed())
    figures, shown = RECOMMENDATION.result(state)
    runs.finish(store, run, "finished", {**figures, "shown": len(shown)}, shown)
    return state


def numbers_shown(store: Store, state: RecommendationState) -> list[int]:
    """The numbers in the library of the papers that are recommended, in their order."""
    found = (papers.number_of(store, state.findings.papers[placed.work]) for placed in state.shown)
    return [number for number in found if number is not None]
