"""`spar chat`: a conversation about papers, in plain words."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import RunFlags, joined, searched_names
from spar_tui.errors import Interrupted, UsageError
from spar_tui.settings import Settings
from spar_tui.shown_list import note_list
from spar_tui.terminal import answer_style, ask_line, can_ask, note, progress_style, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from agents.assistant.options import ConversationOptions
    from agents.assistant.state import ConversationState, Turn

LEAVE = frozenset({"quit", "exit", "bye", "goodbye", "q", "/quit", "/exit", "/q"})
STEPS = frozenset({"steps", "/steps", "show the steps", "how did you do that"})


def chat(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MESSAGE]", help="Answer this message; without one, chat line by line."),
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Resume a conversation (`last` for the last one).")
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Show every step behind an answer.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Save, tag, note and mark without asking.")] = False,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="NAME", help="Search this live source only; repeat for more."),
    ] = None,
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

    from agents.assistant.options import ConversationOptions

    settings = read_settings()
    options = ConversationOptions(allow_changes=yes, source_seconds=settings.preferences.source_seconds, **flags.bounds)
    talk = _Talk(settings, options, names, flags, steps, resume)
    try:
        return talk.answer_alone(message) if message is not None else talk.go_on()
    except KeyboardInterrupt:
        raise Interrupted(talk.how_to_go_on) from None


class _Talk:
    """A conversation on the terminal, stored after each turn."""

    def __init__(
        self,
        settings: Settings,
        options: "ConversationOptions",
        sources: tuple[str, ...],
        flags: RunFlags,
        steps: bool,
        resume: str | None,
    ) -> None:
        from agents.assistant.kind import CONVERSATION
        from spar_tui.cli.running import RunOutput
        from spar_tui.cli.summary_progress import ConversationProgress

        self._settings, self._options, self._sources = settings, options, sources or settings.preferences.sources
        self._flags, self._steps = flags, steps
        self._style = answer_style(flags.plain)
        self._progress = ConversationProgress(progress_style(flags.plain))
        self._output = RunOutput(CONVERSATION, self._progress, flags.as_jsonl)
        self._run = resume
        self._first: int | None = None
        """The first turn of this session, once there is one."""

    @property
    def how_to_go_on(self) -> str:
        """Return the message for a person who leaves by Ctrl-C."""
        if not self._output.run:
            return "interrupted before the first message."
        return f"interrupted; the conversation is kept. Resume with:\n  spar chat --resume {self._output.run}"

    def answer_alone(self, message: str) -> int:
        """Answer one message; ask about a proposed change if a person can answer."""

        state = self._turn(message)
        code = self._tell(state)
        while state.proposal is not None and can_ask() and not (self._flags.as_json or self._flags.as_jsonl):
            if (word := ask_line("yes or no> ")) is None:
                break
            state = self._turn(word)
            code = self._tell(state)
        if state.proposal is not None:
            note(f"Nothing was changed yet. To say yes: spar chat --resume {self._output.run} yes")
        self._tell_object(state)
        return code

    def go_on(self) -> int:
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
                self._tell_steps(state)
                continue
            try:
                state = self._turn(line)
            except Interrupted:
                note("Stopped; what was done so far is kept.")
                continue
            self._tell(state)
        if state is not None:
            state = self._parting(state)
            self._tell_object(state)
            note(f"Resume it later: spar chat --resume {self._output.run}")
        return 0

    def _parting(self, state: "ConversationState") -> "ConversationState":
        """Before the person leaves, ask whether to store what they said of their taste."""
        from agents.assistant.interests import remembering

        if not can_ask() or not remembering(state):
            return state
        state = self._turn("bye")
        self._tell(state)
        if state.proposal is not None and (word := ask_line("yes or no> ")):
            state = self._turn(word)
            self._tell(state)
        return state

    def _turn(self, message: str) -> "ConversationState":
        from spar_tui.cli.running import carried_out

        try:
            state = carried_out(
                self._flags, self._settings, self._output, message, self._options, self._sources, self._run,
                ask=lambda control: control.say(message),
            )  # fmt: skip
        finally:
            self._progress.end()
            self._run = self._output.run or self._run
        if self._first is None:
            self._first = len(state.turns) - 1
        return state

    def _tell(self, state: "ConversationState") -> int:
        """Print the answer; return its exit code."""
        from spar_tui.conversation_phrases import is_list

        turn = state.turns[-1]
        if turn.answer is None:
            remark("the time was up before there was an answer; resume it with more --seconds.")
            return 1
        if is_list(state, turn.answer):
            with open_store(self._settings) as store:
                note_list(store, self._output.run)
        if not (self._flags.as_json or self._flags.as_jsonl):
            self._print(state, turn)
            if self._steps:
                self._tell_steps(state)
        understood = turn.plan is not None and turn.plan.understood
        nothing = any(done.papers == () for done in turn.outcomes) or any(done.error for done in turn.outcomes)
        return 0 if understood and not nothing else 3

    def _print(self, state: "ConversationState", turn: "Turn") -> None:
        """Print the answer with other readings last, so that they are visible below a long list. If the answer made
        a document, print only that, so that it can go into a file, and the rest on standard error."""
        from agents.assistant.wording.readings import offers_lines
        from spar_tui.cli.listing import paper_entry
        from spar_tui.conversation_phrases import is_list, rows_of

        answer = turn.answer
        assert answer is not None
        document = answer.document

        def tell(lines: Iterable[str]) -> None:
            for line in lines:
                if document:
                    note(line)
                else:
                    say(*(self._style.wrapped(line, "") or [""]))

        tell(answer.text.splitlines())
        if document:
            say(document.rstrip("\n"))  # it includes the papers
        elif is_list(state, answer):
            for rank, paper in enumerate(rows_of(state, answer), start=1):
                remark = answer.rows[rank - 1].said
                say(*paper_entry(rank, paper, self._style), *self._style.wrapped(remark, "     "))
        tell(offers_lines(turn))

    def _tell_steps(self, state: "ConversationState | None") -> None:
        from spar_tui.conversation_phrases import steps_text

        for line in steps_text(state.turns[-1]) if state and state.turns else ("Nothing was done yet.",):
            say(*self._style.wrapped(line, "  ", "dim"))

    def _tell_object(self, state: "ConversationState") -> None:
        if self._flags.as_json:
            from spar_tui.reports.json_conversation import conversation_object

            say_json(conversation_object(self._output.run, state, self._first or 0))
