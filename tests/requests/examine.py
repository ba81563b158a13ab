"""The assistant examined: each request is put to a conversation of its own, in a world of its own.

`python -m tests.requests.examine [--sealed] [--wrong] [--group G]` prints, by group, how many plans and results are
right; with `--wrong` each request that is not, which the sealed half never is.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from agents.assistant.events import ConversationEvent, StepDone
from agents.assistant.kind import CONVERSATION
from agents.assistant.loop import converse
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState
from agents.run.board import Board
from agents.run.control import Control
from agents.run.resources import Resources
from agents.taste.context import UserContext
from agents.taste.reader import Reader
from cache import papers, runs
from cache.local_source import Library
from cache.store import Store
from connectors.starter import StarterShelf
from spar_tui.face import TextFace
from tests.requests import world
from tests.requests.requests import Begun, Grade, Outcome, Proposed, Request, grade, read_open, read_sealed

BEGINS = {"search": "search", "summarize": "summary", "recommend": "recommendation"}


def examined(requests: Iterable[Request]) -> list[tuple[Request, Grade, Outcome]]:
    """Every request with its grade and what the assistant did."""
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "filled.db"
        with Store.open(filled) as store:
            world.fill(store)
            before = world.state(store)
        found = []
        for number, request in enumerate(requests):
            copy = Path(folder) / f"{number}.db"
            shutil.copy(filled, copy)
            with Store.open(copy) as store:
                outcome = asyncio.run(_put(request, store, before))
            found.append((request, grade(request, outcome), outcome))
            copy.unlink()
        return found


async def _put(request: Request, store: Store, before: dict[str, Any]) -> Outcome:
    reader = Reader(store, UserContext(), world.NOW)
    local, fallback = {"library": Library(store)}, {"starter": StarterShelf()}
    resources = Resources({}, local, fallback, reader=reader, face=TextFace(noting=False))
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
    return _outcome(board.state, store, before, known)


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


def _tell(request: Request, graded: Grade, outcome: Outcome) -> None:
    """What went wrong with one request."""
    wanted = [list(plan) for plan in request.plans[:4]]
    lines = [
        f"{request.id} {list(request.dialog)} {request.message!r}",
        f"  plan {list(outcome.plan)} wanted {wanted}",
        f"  wrong {graded.wrong} expect {str(dict(request.expect))[:300]}",
        f"  answer {outcome.answer[:300]!r}",
    ]
    sys.stdout.write("\n".join([*lines, ""]))


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--sealed", action="store_true")
    asked.add_argument("--wrong", action="store_true")
    asked.add_argument("--group")
    given = asked.parse_args()
    requests = [one for one in (read_sealed() if given.sealed else read_open()) if given.group in (None, one.group)]
    right: Counter[tuple[str, str]] = Counter()
    for request, graded, outcome in examined(requests):
        told = {"all": True, "plan": graded.plan, "result": graded.result, "both": graded.plan and graded.result}
        for name, value in told.items():
            right[request.group, name] += value
            right["all", name] += value
        if given.wrong and not given.sealed and not (graded.plan and graded.result):
            _tell(request, graded, outcome)
    for group in dict.fromkeys(group for group, _ in right):
        figures = [f"{name} {right[group, name]}" for name in ("plan", "result", "both")]
        sys.stdout.write(f"{group:8} {', '.join(figures)} of {right[group, 'all']}\n")


if __name__ == "__main__":
    main()
