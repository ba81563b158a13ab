"""The assistant examined: each request is put to a conversation of its own, in a world of its own.

`python -m tests.requests.examine [--development | --sealed] [--wrong] [--group G]` prints, by group, how many plans and
results are right; with `--wrong` each request that is not, which the sealed half never is. Where the assistant offers
other readings, each is taken in a conversation of its own, by its number as the next message, and graded like the
first: at the end stands how many requests were right at once or among the readings offered, how many were wrong with
and without an offer, and to how many of those that were right at once one was made all the same.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agents.assistant.events import ConversationEvent, StepDone
from agents.assistant.kind import CONVERSATION
from agents.assistant.loop import converse
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState
from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.context import ReaderContext, UserContext
from cache import papers, runs
from cache.local_source import Library
from cache.store import Store
from connectors.starter.shelf import StarterShelf
from spar_tui.interface import TextInterface
from tests.requests import world
from tests.requests.requests import (
    Begun,
    Grade,
    Outcome,
    Proposed,
    Request,
    grade,
    read_development,
    read_open,
    read_sealed,
)

BEGINS = {"search": "search", "summarize": "summary", "recommend": "recommendation"}


class Examined(NamedTuple):
    """A request, what the assistant did and how right that was; `offered` are the grades of the other readings that it
    offered, each taken."""

    request: Request
    grade: Grade
    outcome: Outcome
    offered: tuple[Grade, ...] = ()

    @property
    def kind(self) -> str:
        """Whether the person gets what they asked for, at once or by one more message."""
        if right(self.grade):
            return RIGHT_OFFERED if self.offered else RIGHT
        if not self.offered:
            return WRONG
        return AMONG if any(map(right, self.offered)) else WRONG_OFFERED


RIGHT = "right at once, nothing offered"
RIGHT_OFFERED = "right at once, with other readings offered"
AMONG = "right among the readings offered"
WRONG_OFFERED = "wrong, with other readings offered"
WRONG = "wrong, nothing offered"
KINDS = (RIGHT, RIGHT_OFFERED, AMONG, WRONG_OFFERED, WRONG)


def right(graded: Grade) -> bool:
    return graded.plan and graded.result


def examined(requests: Iterable[Request]) -> list[Examined]:
    """Every request with its grade, what the assistant did, and the grades of what it offered."""
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "filled.db"
        with Store.open(filled) as store:
            world.fill(store)
            before = world.state(store)

        def put(request: Request) -> tuple[Outcome, int]:
            with tempfile.TemporaryDirectory(dir=folder) as own:
                copy = Path(shutil.copy(filled, own))
                with Store.open(copy) as store:
                    return asyncio.run(_put(request, store, before))

        def one(request: Request) -> Examined:
            outcome, count = put(request)
            taken = (_taking(request, number) for number in range(1, count + 1))
            return Examined(
                request, grade(request, outcome), outcome, tuple(grade(request, put(it)[0]) for it in taken)
            )

        return [one(request) for request in requests]


def _taking(request: Request, number: int) -> Request:
    """The request, and then the reading of that number taken."""
    return replace(request, dialog=(*request.dialog, request.message), message=str(number))


async def _put(request: Request, store: Store, before: dict[str, Any]) -> tuple[Outcome, int]:
    """What the assistant did for the message, and how many other readings it offers."""
    reader = ReaderContext(store, UserContext(), world.NOW)
    local, fallback = {"library": Library(store)}, {"starter": StarterShelf()}
    resources = Resources({}, local, fallback, reader=reader, interface=TextInterface(noting=False))
    board: Board[ConversationState, ConversationEvent] = CONVERSATION.board()
    known: set[str] = set()
    for message in (*request.dialog, request.message):
        known = {run.id for run in runs.recent(store, 1_000)}
        control = Control()
        if board.state.turns:
            control.say(message)
        async with aclosing(converse(message, resources, ConversationOptions(), board, control)) as events:
            async for _ in events:
                pass
    turn = board.state.turns[-1]
    offered = 0 if turn.plan is None or turn.plan.instead else len(turn.plan.offers)
    return _outcome(board.state, store, before, known), offered


def _outcome(state: ConversationState, store: Store, before: dict[str, Any], known: set[str]) -> Outcome:
    turn = state.turns[-1]
    assert turn.plan is not None
    assert turn.answer is not None
    plan = [step.tool for step in turn.plan.steps]
    proposed = [
        Proposed(turn.plan.steps[change.step].tool, _ids(store, change.papers))
        for change in (turn.proposed.changes if turn.proposed else ())
    ]
    rows = [number for done in turn.outcomes if done.tool == "query" for number in done.values.get("papers", ())]
    return Outcome(
        tuple(plan),
        "\n".join(filter(None, (turn.answer.text, turn.answer.document))),
        None if state.candidates is None else _ids(store, state.candidates),
        _ids(store, [row.number for row in turn.answer.rows]),
        _ids(store, rows),
        tuple(proposed),
        tuple(_begun(turn.plan.steps, turn.outcomes, store, known)),
        turn.plan.understood,
        before,
        world.state(store),
    )


def _begun(steps: Sequence[Any], outcomes: Sequence[StepDone], store: Store, known: set[str]) -> Iterable[Begun]:
    """The runs that the turn began, with the papers that they were given."""
    for done in outcomes:
        if done.tool not in BEGINS or done.run is None or done.run in known:
            continue
        run = runs.get(store, done.run)
        given = [int(number) for number in str(run.parameters.get("corpus_name", "")).split(",") if number.isdecimal()]
        given += list(run.parameters.get("start", ()))
        yield Begun(run.kind, run.question, _ids(store, given))


def _ids(store: Store, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(paper.id for paper in papers.by_ids(store, list(numbers)))


def _tell(one: Examined) -> None:
    """What went wrong with one request."""
    request, outcome = one.request, one.outcome
    wanted = [list(plan) for plan in request.plans[:4]]
    lines = [
        f"{request.id} {list(request.dialog)} {request.message!r}",
        f"  plan {list(outcome.plan)} wanted {wanted}; {one.kind}",
        f"  wrong {one.grade.wrong} expect {str(dict(request.expect))[:300]}",
        f"  answer {outcome.answer[:300]!r}",
    ]
    sys.stdout.write("\n".join([*lines, ""]))


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--development", action="store_true")
    asked.add_argument("--sealed", action="store_true")
    asked.add_argument("--wrong", action="store_true")
    asked.add_argument("--group")
    given = asked.parse_args()
    read = read_sealed if given.sealed else read_development if given.development else read_open
    requests = [one for one in read() if given.group in (None, one.group)]
    _print(examined(requests), asked.parse_args().wrong and not given.sealed)


def _print(found: Sequence[Examined], wrong: bool) -> None:
    count: Counter[tuple[str, str]] = Counter()
    for one in found:
        told = {"all": True, "plan": one.grade.plan, "result": one.grade.result, "both": right(one.grade)}
        for name, value in told.items():
            count[one.request.group, name] += value
            count["all", name] += value
        count["kind", one.kind] += 1
        if wrong and not right(one.grade):
            _tell(one)
    for group in dict.fromkeys(one.request.group for one in found):
        sys.stdout.write(f"{_figures(count, group)}\n")
    sys.stdout.write(f"{_figures(count, 'all')}\n")
    for kind in KINDS:
        sys.stdout.write(f"{kind}: {count['kind', kind]}\n")
    all_right = count["kind", RIGHT] + count["kind", RIGHT_OFFERED]
    sys.stdout.write(f"offers made to those right at once: {count['kind', RIGHT_OFFERED] / max(all_right, 1):.1%}\n")


def _figures(count: Counter[tuple[str, str]], group: str) -> str:
    figures = [f"{name} {count[group, name]}" for name in ("plan", "result", "both")]
    return f"{group:8} {', '.join(figures)} of {count[group, 'all']}"


if __name__ == "__main__":
    main()
