"""A kind of run is one entry: what is entered can be started, kept, gone on with, replayed and listed."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from agents.run import kinds
from agents.run.control import Control
from agents.run.errors import RunError, unexpected
from agents.run.events import EventCodec, Warned
from agents.run.findings import Board, Findings
from agents.run.kinds import Result, RunKind, kind_named
from agents.run.resources import Resources, RunOptions
from agents.run.runner import Runner
from cache import runs
from cache.store import Store
from tests.library import copied


@dataclass(frozen=True, slots=True)
class Counted:
    """One step of a run that counts."""

    number: int


@dataclass(frozen=True, slots=True)
class CountingEnded:
    seconds: float = 0.0


Event = Counted | CountingEnded | Warned


@dataclass(frozen=True, slots=True)
class Counting:
    """A run that counts, and finds nothing."""

    started: None = None
    counted: tuple[int, ...] = ()
    finished: CountingEnded | None = None
    findings: Findings = field(default_factory=Findings)

    def apply(self, event: Event) -> "Counting":
        match event:
            case Counted(number):
                return replace(self, counted=(*self.counted, number))
            case CountingEnded():
                return replace(self, finished=event)
        return replace(self, findings=self.findings.apply(event))


@dataclass(frozen=True, slots=True)
class HowFar(RunOptions):
    to: int = 3


async def count(
    question: str, resources: Resources, options: HowFar, board: Board[Counting, Event], control: Control
) -> AsyncGenerator[Event, None]:
    for number in range(len(board.state.counted) + 1, options.to + 1):
        await asyncio.sleep(0)
        yield board.post(Counted(number))
    yield board.post(CountingEnded(1.0))


COUNTING: RunKind[Counting, Event, HowFar] = RunKind(
    name="counting",
    verb="count",
    codec=EventCodec("counter", {"Counted": Counted, "CountingEnded": CountingEnded}),
    blank=Counting,
    options=HowFar,
    finishing=CountingEnded,
    carry_on=count,
    result=lambda state: Result({"numbers": len(state.counted)}, ()),
    passed_on=lambda state: (),
)


@pytest.fixture(autouse=True)
def entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third kind of run, entered in the one table."""
    monkeypatch.setattr(kinds, "KINDS", {**kinds.KINDS, "counting": f"{__name__}:COUNTING"})


async def followed(runner: Runner[Counting, Event, HowFar], most: int = 100) -> list[Event]:
    """The events of a run, of which no more than `most` are waited for."""
    told = []
    stream = runner.events(Resources())
    async for event in stream:
        told.append(event)
        if len(told) == most:
            break
    await stream.aclose()
    return told


def test_a_run_of_a_new_kind_is_kept_and_replayed(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        runner = Runner.begun(COUNTING, store, "how far?", HowFar(2))
        told = asyncio.run(followed(runner))
        kept = runs.get(store, runner.run)
        rows = runs.events(store, runner.run)
        again = kind_named(kept.kind)
        assert told == [Counted(1), Counted(2), CountingEnded(1.0)] == again.events(rows)
        assert (kept.kind, kept.state, kept.counts) == ("counting", "finished", {"numbers": 2, "shown": 0, "failed": 0})
        assert again.replayed(rows) == runner.state
        assert {row.role for row in rows} == {"counter"}


def test_a_run_of_a_new_kind_that_is_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        first = Runner.begun(COUNTING, store, "how far?", HowFar(5))
        asyncio.run(followed(first, most=2))
        assert runs.get(store, first.run).state == "interrupted"
        second = Runner.kept_as(store, first.run)
        assert (second.status, second.options) == ("cut off", HowFar(5))
        assert asyncio.run(followed(second)) == [Counted(3), Counted(4), Counted(5), CountingEnded(1.0)]
        assert second.state.counted == (1, 2, 3, 4, 5)


def test_a_run_is_not_taken_up_as_another_kind(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        runner = Runner.begun(COUNTING, store, "how far?", HowFar())
        with pytest.raises(RunError, match="is not of the kind search"):
            Runner.taken_up(kind_named("search"), store, runner.run)


def test_a_kind_that_this_version_does_not_know_is_said_so() -> None:
    with pytest.raises(RunError, match="does not know runs of the kind 'dream'"):
        kind_named("dream")


def test_events_that_this_version_does_not_know_are_passed_over(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        run = runs.start(store, "counting", "how far?", {})
        runs.extend(
            store, run, [runs.Post("counter", "Doubled", {"by": 2}), runs.Post("counter", "Counted", {"number": 1})]
        )
        assert COUNTING.replayed(runs.events(store, run)).counted == (1,)


def test_a_fault_is_told_by_its_kind_and_place_and_never_by_its_message() -> None:
    try:
        int("what the person typed")
    except ValueError as error:
        told = unexpected(error)
    assert told.startswith("unexpected ValueError at test_kinds.py:")
    assert told.endswith("; this is a bug in spar")
    assert "typed" not in told


def test_a_fault_that_went_through_no_line_is_told_all_the_same() -> None:
    assert unexpected(KeyError()) == "unexpected KeyError; this is a bug in spar"


@dataclass(frozen=True)
class CodecCounted:
    """A class and an attribute that had other names when the first runs were kept."""

    number: int
    by: str = "anyone"


CODEC: EventCodec[CodecCounted] = EventCodec(
    "counter", {"Tallied": CodecCounted}, stored_fields={CodecCounted: {"number": "sum"}}
)


def test_an_event_is_stored_under_its_stored_names_without_defaults() -> None:
    assert CODEC.encode(CodecCounted(3)) == ("counter", "Tallied", {"sum": 3}, None)


def test_a_stored_event_is_read_back_whole() -> None:
    row = CODEC.encode(CodecCounted(3, "me"))
    assert CODEC.decode(row.kind, row.content) == CodecCounted(3, "me")


def test_every_attribute_has_a_stored_name() -> None:
    assert CODEC.stored_field(CodecCounted, "number") == "sum"
    assert CODEC.stored_field(CodecCounted, "by") == "by"
