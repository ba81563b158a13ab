"""`spar chat`: a conversation about papers, in plain words."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from spar_tui.cli.arguments import RunFlags, joined, searched_names
from spar_tui.errors import Interrupted, UsageError
from spar_tui.shown_list import note_list
from spar_tui.terminal import answer_style, ask_line, can_ask, note, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.assistant.events import ConversationEvent, Step, StepDone, TurnAnswered
    from agents.assistant.options import ConversationOptions
    from agents.assistant.state import ConversationState, Turn
    from spar_tui.cli.running import VerbRun

LEAVE = frozenset({"quit", "exit", "bye", "goodbye", "q", "/quit", "/exit", "/q"})
STEPS = frozenset({"steps", "/steps", "show the steps", "how did you do that"})


def chat(
    words: Annotated[list[str] | None, "<MESSAGE>", "Answer this message; without one, chat line by line."] = None,
    resume: Annotated[str | None, "RUN", "Resume a conversation (`last` for the last one)."] = None,
    steps: Annotated[bool, "Show every step behind an answer."] = False,
    yes: Annotated[bool, "Save, tag, note and mark without asking."] = False,
    source: Annotated[list[str] | None, "NAME", "Search this live source only; repeat for more."] = None,
    *,
    flags: RunFlags,
) -> int:
    """Talk about your papers in plain sentences.

    Find, compare, sort, read, follow, search, summarize, save and cite papers. spar uses your library unless you say
    "search", and asks before it changes your shelf or profile. --resume continues a conversation; `quit` or Ctrl-D
    ends it. Exits with 3 if spar did not understand the message or found nothing."""
    message = joined(words)
    if message is not None and not message.strip():
        raise UsageError('the message has no words; say something: spar chat "unread papers on my shelf".')
    names = searched_names(source or [])
    from agents.assistant.kind import CONVERSATION
    from agents.assistant.options import ConversationOptions
    from spar_tui.cli.running import VerbRun
    from spar_tui.cli.summary_progress import ConversationProgress

    settings = read_settings()
    options = ConversationOptions(allow_changes=yes, source_seconds=settings.preferences.source_seconds, **flags.bounds)
    run = VerbRun(CONVERSATION, ConversationProgress, settings, flags)
    talk = _Talk(run, options, names or settings.preferences.sources, steps, resume)
    try:
        return talk.answer_alone(message) if message is not None else talk.answer_lines()
    except KeyboardInterrupt:
        if not run.id:
            raise Interrupted("interrupted before the first message.") from None
        raise Interrupted(
            f"interrupted; the conversation is kept. Resume with:\n  spar chat --resume {run.id}"
        ) from None


class _Talk:
    """A conversation on the terminal, stored after each turn."""

    def __init__(
        self,
        run: "VerbRun[ConversationState, ConversationEvent, ConversationOptions]",
        options: "ConversationOptions",
        sources: Sequence[str],
        steps: bool,
        resume: str | None,
    ) -> None:
        self._run, self._options, self._sources, self._steps, self._resume = run, options, sources, steps, resume
        self._style = answer_style(run.flags.plain)
        self._in_words = not (run.flags.as_json or run.flags.as_jsonl)
        self._first: int | None = None
        """The first turn of this session, once there is one."""

    def answer_alone(self, message: str) -> int:
        """Answer one message; ask about a proposed change if a person can answer."""
        state = self._turn(message)
        code = self._print(state)
        while state.proposal is not None and can_ask() and self._in_words:
            if (word := ask_line("yes or no> ")) is None:
                break
            state = self._turn(word)
            code = self._print(state)
        if state.proposal is not None:
            note(f"Nothing was changed yet. To say yes: spar chat --resume {self._run.id} yes")
        self._print_object(state)
        return code

    def answer_lines(self) -> int:
        """Answer line by line until the person leaves."""
        state: ConversationState | None = None
        if can_ask():
            note(
                "Ask about your papers in plain words. `help` lists what you can ask, `steps` shows what was done, "
                "`quit` ends."
            )
        while (line := ask_line("> ")) is not None and line.strip().lower() not in LEAVE:
            if not line.strip():
                continue
            if line.strip().lower().rstrip("?") in STEPS:
                self._print_steps(state)
                continue
            try:
                state = self._turn(line)
            except Interrupted:
                note("Stopped; what was done so far is kept.")
                continue
            self._print(state)
        if state is not None:
            self._print_object(self._store_taste(state))
            note(f"To continue later: spar chat --resume {self._run.id}")
        return 0

    def _store_taste(self, state: "ConversationState") -> "ConversationState":
        """Before the person leaves, ask whether to store what they said of their taste."""
        from agents.assistant.interests import remembering

        if not can_ask() or not remembering(state):
            return state
        state = self._turn("bye")
        self._print(state)
        if state.proposal is not None and (word := ask_line("yes or no> ")):
            state = self._turn(word)
            self._print(state)
        return state

    def _turn(self, message: str) -> "ConversationState":
        try:
            state = self._run.carry_out(
                message, self._options, self._sources, self._resume, ask=lambda control: control.say(message)
            )
        finally:
            self._resume = self._run.id or self._resume
        if self._first is None:
            self._first = len(state.turns) - 1
        return state

    def _print(self, state: "ConversationState") -> int:
        """Print the answer; return its exit code."""
        from spar_tui.conversation_phrases import is_list

        turn = state.turns[-1]
        if turn.answer is None:
            remark("the time was up before there was an answer; resume it with more --seconds.")
            return 1
        if is_list(state, turn.answer):
            with open_store(self._run.settings) as store:
                note_list(store, self._run.id)
        if self._in_words:
            self._print_answer(state, turn, turn.answer)
            if self._steps:
                self._print_steps(state)
        understood = turn.plan is not None and turn.plan.understood
        nothing = any(outcome.papers == () or outcome.error for outcome in turn.outcomes)
        return 0 if understood and not nothing else 3

    def _print_answer(self, state: "ConversationState", turn: "Turn", answer: "TurnAnswered") -> None:
        """Print the answer with other readings last, so that they are visible below a long list. If the answer made
        a document, print only that, so that it can go into a file, and the rest on standard error."""
        from agents.assistant.wording.readings import offers_lines
        from spar_tui.cli.listing import paper_entry
        from spar_tui.conversation_phrases import is_list, rows_of

        def tell(lines: Iterable[str]) -> None:
            for line in lines:
                if answer.document:
                    note(line)
                else:
                    say(*(self._style.wrapped(line, "") or [""]))

        tell(answer.text.splitlines())
        if answer.document:
            say(answer.document.rstrip("\n"))  # it includes the papers
        elif is_list(state, answer):
            for rank, paper in enumerate(rows_of(state, answer), start=1):
                remark = answer.rows[rank - 1].said
                say(*paper_entry(rank, paper, self._style), *self._style.wrapped(remark, "     "))
        tell(offers_lines(turn))

    def _print_steps(self, state: "ConversationState | None") -> None:
        from spar_tui.conversation_phrases import steps_text

        for line in steps_text(state.turns[-1]) if state and state.turns else ("Nothing was done yet.",):
            say(*self._style.wrapped(line, "  ", "dim"))

    def _print_object(self, state: "ConversationState") -> None:
        if self._run.flags.as_json:
            say_json(conversation_object(self._run.id, state, self._first or 0))


def conversation_object(run: str, state: "ConversationState", first: int = 0) -> dict[str, Any]:
    """Return a conversation from its turn `first` (from 0) on, as `--json` prints it."""
    from spar_tui.reports.json_objects import cost_object

    return {
        "run": run,
        "turns": [_turn_object(state, turn) for turn in state.turns[first:]],
        "candidates": None if state.candidates is None else len(state.candidates),
        "cost": cost_object(state.findings.cost, state.finished.seconds if state.finished else None),
    }


def _turn_object(state: "ConversationState", turn: "Turn") -> dict[str, Any]:
    from spar_tui.conversation_phrases import rows_of
    from spar_tui.reports.json_objects import json_fields, paper_objects

    answer, plan = turn.answer, turn.plan
    return {
        "message": turn.message,
        **json_fields(plan, "understood"),
        "planned_by": plan.by if plan else None,
        "steps": [_step_object(step, turn.done.get(number)) for number, step in enumerate(plan.steps if plan else ())],
        "proposed": turn.proposed.sentence if turn.proposed else None,
        "answer": answer.text or answer.document if answer else None,  # a document may say all
        "answered_by": answer.by if answer else None,
        "offers": [offer.label for offer in turn.offers],
        "papers": paper_objects(rows_of(state, answer) if answer else ()),
        "document": (answer.document or None) if answer else None,
    }


def _step_object(step: "Step", outcome: "StepDone | None") -> dict[str, Any]:
    from spar_tui.reports.json_objects import json_fields

    return {
        "tool": step.tool,
        "arguments": dict(step.arguments),
        "done": outcome is not None and not outcome.error,
        "found": None if outcome is None or outcome.papers is None else len(outcome.papers),
        "values": dict(outcome.values) if outcome else {},
        "notes": list(outcome.notes) if outcome else [],
        "relaxed": list(outcome.relaxed) if outcome else [],
        **json_fields(outcome, "run error"),
    }
