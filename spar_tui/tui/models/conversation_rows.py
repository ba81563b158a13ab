"""The rows that show the turns of a conversation. No clock and no terminal."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agents.assistant.state import ConversationState, Turn
from agents.assistant.wording.readings import offers_lines
from agents.run.runner import Status
from cache.store import PaperId
from spar_tui.conversation_phrases import DRAFT, draft_lines, steps_text
from spar_tui.phrases import counted
from spar_tui.tui.models.search_rows import PaperRow, row_of

Kind = Literal["head", "said", "steps", "step", "draft", "text", "paper", "document", "proposal", "offer", "state"]
MOST_SAID = 600
"""Characters of a message to show while its steps are folded."""
_WORKING: Collection[Status] = ("running", "paused", "stopping")


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A row of turn `turn` (from 0), the `number`th of its kind. `rank` is a paper's place in the list that "the
    second" refers to, 0 outside it; `run` is the run that a step began. `waits`: the proposal or the offered reading is
    still open."""

    turn: int
    kind: Kind
    number: int = 0
    text: str = ""
    paper: PaperRow | None = None
    rank: int = 0
    run: str | None = None
    waits: bool = False

    @property
    def key(self) -> Hashable:
        return self.turn, self.kind, self.number

    @property
    def opens(self) -> bool:
        """Whether the row opens something."""
        taken = self.kind == "offer" and self.waits
        return taken or self.kind in ("paper", "steps", "document") or self.run is not None


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The state of the last turn: the run's status, why it failed, and a message that it has not handled yet."""

    status: Status
    problem: str | None = None
    sent: str | None = None

    @property
    def working(self) -> bool:
        return self.status in _WORKING


class ConversationRows:
    """Makes the rows of a conversation in progress; reuses the rows of unchanged turns."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Hashable, Turn, list[TurnRow]]] = {}

    def __call__(
        self, state: ConversationState, question: str, standing: LastTurn, unfolded: Collection[int]
    ) -> list[TurnRow]:
        """Return the rows of all turns; before the first turn, the rows of the `question`."""
        rows = [row for number in range(len(state.turns)) for row in self._rows(state, number, standing, unfolded)]
        if not state.turns:
            rows += _opening(0, question, standing)
        if standing.sent is not None:
            rows += _opening(max(len(state.turns), 1), standing.sent, standing)
        return rows

    def _rows(
        self, state: ConversationState, number: int, standing: LastTurn, unfolded: Collection[int]
    ) -> list[TurnRow]:
        turn, last = state.turns[number], number == len(state.turns) - 1
        how = replace(standing, sent=None) if last and standing.sent is None else None
        answer, findings = turn.answer, state.findings
        papers = tuple(findings.papers[findings.work(row.work)] for row in answer.rows) if answer else ()
        made_of = (_shown_after(state, number), number in unfolded, last, how, papers)
        before = self._made.get(number)
        if before is None or before[0] != made_of or before[1] is not turn:
            before = self._made[number] = made_of, turn, list(_rows_of(state, number, number in unfolded, how))
        return before[2]


def _opening(number: int, message: str, standing: LastTurn) -> Iterator[TurnRow]:
    """Yield the rows of a message that has no turn yet."""
    yield TurnRow(number, "said", text=_cut(message))
    yield TurnRow(number, "state", text="● starting…" if standing.working else _left(standing))


def _rows_of(state: ConversationState, number: int, unfolded: bool, how: LastTurn | None) -> Iterator[TurnRow]:
    """Yield the rows of a turn; `how` is its state if it is the last, else None."""
    turn = state.turns[number]
    if turn.is_opening:
        yield TurnRow(number, "head", text=turn.message)
    else:
        yield TurnRow(number, "said", text=turn.message if unfolded else _cut(turn.message))
    if turn.answer is None and how is not None and how.working:
        yield from _at_work(number, turn)
        return
    if not turn.is_opening:
        yield from _steps(number, turn, unfolded)
    if turn.answer is None:
        yield TurnRow(number, "state", text=_left(how, state) if how else "■ Not answered.")
        return
    sentence = turn.proposed.sentence if turn.proposed else ""
    text = "" if turn.is_opening else turn.answer.text.removesuffix(sentence)
    lines = list(filter(str.strip, text.splitlines()))
    if turn.offers and turn.answer.rows:  # the papers may push the offers out of sight
        lines.append(f"Not what you meant? {counted(len(turn.offers), 'other reading')} below the papers.")
    for line, text in enumerate(lines):
        yield TurnRow(number, "text", line, text)
    if turn.answer.document:
        yield TurnRow(number, "document", text=turn.answer.document)
    shown = _shown_after(state, number)
    listed = tuple(PaperId(row.number) for row in turn.answer.rows) == shown
    for rank, row in enumerate(turn.answer.rows, start=1):
        work = state.findings.work(row.work)
        paper = replace(row_of(work, state.findings.papers[work]), reason=row.said)
        yield TurnRow(number, "paper", rank, paper=paper, rank=rank if listed else 0)
    last = number == len(state.turns) - 1 and how is not None
    if sentence:
        yield TurnRow(number, "proposal", text=sentence, waits=last)
    for rank, text in enumerate(offers_lines(turn)):
        yield TurnRow(number, "offer", rank, text, waits=rank > 0 and last)


def _shown_after(state: ConversationState, number: int) -> tuple[PaperId, ...]:
    """Return the papers of the list as it was after a turn."""
    return state.turns[number + 1].shown_before if number + 1 < len(state.turns) else state.shown


def _at_work(number: int, turn: Turn) -> Iterator[TurnRow]:
    """Yield the rows of a turn in progress: its steps and their states."""
    if turn.plan is None:
        yield TurnRow(number, "state", text="● planning…")
        return
    head, *lines = steps_text(turn)
    yield TurnRow(number, "step", text=head)
    for index, step in enumerate(turn.plan.steps):
        done = turn.done.get(index)
        step_text = f"✔ {lines[index]}" if done else f"● {step.tool}…" if index == turn.next_step else f"◌ {step.tool}"
        yield TurnRow(number, "step", index + 1, step_text, run=done.run if done else None)
    if turn.next_step is None:
        yield TurnRow(number, "state", text=f"● {DRAFT}" if turn.draft else "● answering…")
        for line, text in enumerate(draft_lines(turn.draft)):
            yield TurnRow(number, "draft", line, text)


def _steps(number: int, turn: Turn, unfolded: bool) -> Iterator[TurnRow]:
    """Yield the steps of an answer, folded into one line or each on its own."""
    if turn.plan is None or not (turn.plan.steps or turn.criticized):
        return
    head, *lines = steps_text(turn)
    tools = " → ".join(step.tool for step in turn.plan.steps)
    yield TurnRow(number, "steps", text=f"▾ {head}" if unfolded else f"▸ {head} · {tools}")
    for index, line in enumerate(lines if unfolded else ()):
        done = turn.done.get(index) if index < len(turn.plan.steps) else None
        yield TurnRow(number, "step", index + 1, line, run=done.run if done else None)


def _left(standing: LastTurn, state: ConversationState | None = None) -> str:
    """Return why the last turn has no answer."""
    if standing.status == "failed":
        return f"✘ {standing.problem or 'It failed.'}"
    if standing.status == "cut off":
        return "■ Stopped before an answer."
    over = state is not None and state.finished is not None and state.finished.ending == "budget"
    return "■ Time ran out before an answer." if over else "■ Stopped before an answer."


def _cut(message: str) -> str:
    return message if len(message) <= MOST_SAID else f"{message[:MOST_SAID]}…"


def at_answer(rows: Sequence[TurnRow]) -> TurnRow | None:
    """Return the row to move to when an answer is ready: the proposal, the document, the first paper or the text of the
    last turn."""
    last = [row for row in rows if row.turn == rows[-1].turn]
    for kinds in (("proposal",), ("document",), ("paper",), ("text", "state")):
        if turn_row := next((row for row in last if row.kind in kinds), None):
            return turn_row
    return last[-1] if last else None
