"""A conversation: messages, answers, the papers of each answer, and a line for the next message."""

import asyncio
from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Input

from agents.assistant.events import ConversationEvent
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState, Turn
from agents.run.runner import Runner, Status
from agents.tools.shelf_actions import saved_among
from connectors.paper import Paper, WorkId
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.formats import ENDINGS, format_named
from spar_tui.conversation_phrases import taken_back, with_drafted
from spar_tui.phrases import counted, papers_text
from spar_tui.reports.text_file import suggested_name, write_document
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.models.conversation_rows import ConversationRows, Kind, LastTurn, TurnRow, at_answer
from spar_tui.tui.screens.dialogs.dialog import ScrollModal
from spar_tui.tui.screens.dialogs.name_prompts import write_file
from spar_tui.tui.screens.new_conversation import MessageLine
from spar_tui.tui.screens.run_actions import RunActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_list import FACTS_HEAD, MOST_LINES, row_text, title_lines
from spar_tui.tui.widgets.row_list import Look, RowList, TextList
from spar_tui.tui.widgets.status_lines import STATUS, beside_cost
from spar_tui.tui.widgets.text import QUIET, Line, cut, fitting, plain

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp


DOCUMENT_LINES = 8
"""Most lines of a document to show among the turns."""
_STYLES: dict[Kind, tuple[str, str, str]] = {
    "head": ("  ", "  ", "bold"),
    "said": ("› ", "  ", "bold $primary"),
    "steps": ("  ", "    ", QUIET),
    "step": ("    ", "      ", QUIET),
    "draft": ("  ", "  ", QUIET),
    "text": ("  ", "  ", ""),
    "proposal": ("  ", "  ", "bold $warning"),
    "offer": ("  ", "     ", ""),
    "state": ("  ", "  ", "$accent"),
}
"""Layout of each kind of row: the indents of its first and other lines, and its style."""


class TurnList(TextList[TurnRow], inherit_bindings=False):
    """The rows of all turns. While `following`, the list stays at the newest answer; a move ends that."""

    BINDINGS = bindings("messages of a conversation", "lists")

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.key, id)
        self.following = True
        self.saved: Set[int] = frozenset()
        self._marked_works: Set[int] = frozenset()

    def wrapped(self, row: TurnRow, width: int) -> Content:
        """Return the text of a row; of a paper only the title, which the line of facts follows."""
        if row.paper is None:
            return words(row, width)
        return Content("\n".join(title_lines(row.paper, width, row.paper.key in self.saved, _number(row), MOST_LINES)))

    def height_of(self, row: TurnRow) -> int:
        return super().height_of(row) + (self.lines_above(row) + 1 if row.paper else 0)

    def lines_above(self, row: TurnRow) -> int:
        """Whether the names of the columns are above the row."""
        return int(row.kind == "paper" and row.number == 1 and row.paper is not None and not row.paper.reason)

    def on_resize(self) -> None:
        super().on_resize()
        self._to_answer()

    def put(self, rows: Sequence[TurnRow], index: int) -> None:
        changed = rows != self._rows
        super().put(rows, index)
        if changed:
            self.mark_papers(self._marked_works)
            self.refresh()

    def show_turns(self, rows: Sequence[TurnRow]) -> None:
        """Show `rows`; move to the answer if the person waits for it, else keep the position."""
        answer = at_answer(rows) if self.following and rows else None
        self.show(rows, answer.key if answer else None)
        self._to_answer()

    def _to_answer(self) -> None:
        """Scroll so that as much as possible of the last turn is visible, from its message on."""
        if not self.following or not self._rows:
            return
        first = next(index for index, row in enumerate(self._rows) if row.turn == self._rows[-1].turn)
        top = min(self.top_of(first), max(self.top_of(len(self._rows)) - self._room, 0))
        if self.top_of(self.place + 1) <= top + self._room:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)

    def mark_papers(self, works: Set[int]) -> None:
        """Mark the papers `works` in all turns, and no others."""
        self._marked_works = frozenset(works)
        self.mark({row.key for row in self._rows if row.paper and row.paper.key in works})

    def show_saved(self, works: Set[int]) -> None:
        """Show the papers `works` as saved to the shelf, and no others."""
        changed, self.saved = self.saved ^ works, frozenset(works)
        if changed:
            self.measure_anew()

    def go_to(self, index: int) -> None:
        self.following = False
        super().go_to(index)

    def scroll_lines(self, lines: int) -> None:
        self.following = False
        super().scroll_lines(lines)

    def on_mouse_scroll_down(self) -> None:
        self.following = False

    def on_mouse_scroll_up(self) -> None:
        self.following = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "select":
            return self.row is not None and self.row.opens
        return super().check_action(action, parameters)

    def to_steps(self, turn: int) -> None:
        """Move the cursor to the row for the steps of `turn`."""
        index = self.place_of((turn, "steps", 0), self._rows)
        if index is not None:
            self.go_to(index)

    def draw(self, row: TurnRow, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        if row.paper is None:
            return super().draw(row, marked, look, width)
        text = row_text(row.paper, self._width, marked, row.paper.key in self.saved, _number(row))
        head = [plain(f"{FACTS_HEAD:>{max(width - 1, 0)}}", QUIET)] * self.lines_above(row)
        above = [strip for line in head for strip in self.lines_of(line, "row", width)]
        return [*above, *self.lines_of(text, look, width)]


def _number(row: TurnRow) -> str:
    return f"{row.rank or '':>2} "


def words(row: TurnRow, width: int) -> Content:
    """Return the text of a row without a paper, in lines of at most `width` cells."""
    if row.kind == "document":
        return _document(row.text, width)
    first, rest, style = _STYLES[row.kind]
    lines = plain(row.text, style).wrap(max(width - len(rest), 1)) or [Content("")]
    before = [Content("")] if row.kind == "said" and row.turn else []
    contents = [Content.assemble(first if not index else rest, line) for index, line in enumerate(lines)]
    after = [Content.assemble(rest, ("y", "$key"), (" yes  ", QUIET), ("n", "$key"), (" no", QUIET))]
    return Content("\n").join([*before, *contents, *(after if row.waits and row.kind == "proposal" else ())])


def document_line(line: str) -> Content:
    """Return a line of a document: a Markdown heading is bold, a quotation dim."""
    return plain(line, "bold" if line.startswith("#") else QUIET if line.startswith(">") else "")


def _document(text: str, width: int) -> Content:
    lines = text.rstrip("\n").split("\n")
    shown = [
        Content.assemble(("  │ ", "$accent"), document_line(cut(line, width - 4))) for line in lines[:DOCUMENT_LINES]
    ]
    left = len(lines) - len(shown)
    if left > 0:
        remark = f"and {left:,} more line{'' if left == 1 else 's'}"
        shown.append(Content.assemble(("  │ ", "$accent"), plain(cut(remark, width - 4), QUIET)))
    return Content("\n").join(shown)


class DocumentScreen(ScrollModal):
    """Shows `text` unchanged; `write` saves it as a file."""

    BINDINGS = bindings("document of a conversation", "the help", "dialogs")
    heading = "Document"
    app: "ResearchApp"

    def __init__(self, text: str, write: Callable[[], object]) -> None:
        super().__init__()
        self.text, self._write = text, write

    def texts(self) -> Iterable[Content]:
        yield Content("\n").join(map(document_line, self.text.rstrip("\n").split("\n")))

    def action_copy_shown(self) -> None:
        self.app.copy(self.text, counted(len(self.text.splitlines()), "line"))

    def action_write_file(self) -> None:
        self.dismiss()
        self._write()


_STATUS: dict[Status, tuple[str, str]] = STATUS | {
    "running": ("● answering", "$accent"),
    "finished": ("✔ answered", "$success"),
    "cut off": ("■ stopped", "$warning"),
}


def talk_line(state: ConversationState, status: Status, seconds: float, width: int) -> Content:
    """Return the status of the answer, the number of candidate papers and turns, the duration and the cost."""
    unanswered = status == "finished" and state.turn is not None
    now = Content.styled("■ not answered", "$warning") if unanswered else Content.styled(*_STATUS[status])
    spoken_of = "about the whole library" if state.candidates is None else f"about {papers_text(len(state.candidates))}"
    pieces = [now, plain(spoken_of, "bold"), plain(counted(state.messages, "turn"), QUIET)]
    return beside_cost(lambda room: fitting(pieces, room), state.findings, seconds, width)


class ConversationScreen(RunActions):
    """Shows a conversation; an answer in progress goes on when the person leaves the screen."""

    DEFAULT_CSS = """
    ConversationScreen { align-horizontal: center; }
    ConversationScreen > Line, TurnList, MessageLine { max-width: 124; }
    ConversationScreen.-short #question { display: none; }
    """
    live: Runner[ConversationState, ConversationEvent, ConversationOptions]
    PANES = ("turns", "message")
    BINDINGS = bindings("a proposal in a conversation", "a conversation", "any paper")
    AUTO_FOCUS = "#message"

    def __init__(self, live: Runner[ConversationState, ConversationEvent, ConversationOptions]) -> None:
        super().__init__(name=f"conversation {live.run}")
        self.live = live
        self.pane = "message"
        self._rows = ConversationRows()
        self._unfolded: set[int] = set()
        self._sent: tuple[str, int] | None = None
        """The last message and the number of turns before it; None once the message is a turn."""
        self._warned = len(live.state.findings.warnings)
        self._drafted: tuple[int, frozenset[str]] = (0, frozenset())
        """The number of the turn (from 1) whose answer is being written, and the sentences of it that were shown."""

    def compose(self) -> ComposeResult:
        yield Line("question", plain(self.live.question, "bold"))
        yield Line("stage")
        yield TurnList("turns")
        yield MessageLine("message")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#turns").border_title = Content("Conversation")
        self._watch()

    @property
    def _list(self) -> TurnList:
        return self.query_one(TurnList)

    def _show_lines(self) -> None:
        state, live = self.live.state, self.live
        self._settle()
        self.query_one("#stage", Line).show(partial(talk_line, state, live.status, live.seconds))

    def _settle(self) -> None:
        """Clear the last message once it is a turn; put it back into the line if the run ended without it."""
        if self._sent is None:
            return
        message, before = self._sent
        if len(self.live.state.turns) > before:
            self._sent = None
        elif not self.live.under_way:
            line, self._sent = self.query_one(MessageLine), None
            line.value = line.value or message

    def _show_run(self) -> None:
        state, live = self.drawn_state, self.live
        standing = LastTurn(live.status, live.problem, self._sent[0] if self._sent else None)
        self._list.show_turns(self._rows(state, live.question, standing, self._unfolded))
        waits = state.proposal is not None and not live.under_way
        self.query_one(MessageLine).propose(waits)
        if warnings := state.findings.warnings[self._warned :]:
            self.app.say(" ".join(warnings), "warning", 10)
        self._warned = len(state.findings.warnings)
        self._take_back(state)
        if not live.under_way:
            self._look_up_saved()

    def _take_back(self, state: ConversationState) -> None:
        """Report sentences that were shown as a draft but are not in the answer."""
        turn, (number, seen) = state.turns[-1] if state.turns else None, self._drafted
        if number != len(state.turns) or turn is None:
            self._drafted = number, seen = len(state.turns), frozenset()
        if turn is None:
            return
        if turn.answer is None:
            self._drafted = number, with_drafted(seen, turn.draft)
        elif seen:
            self._drafted = number, frozenset()
            if gone := taken_back(seen, turn.answer.text):
                self.app.say(gone, "warning", 10)

    async def _read_saved(self) -> None:
        """Show which papers are on the shelf."""
        by_work = dict(self.live.state.findings.papers)
        places = await asyncio.to_thread(saved_among, self.app.store, list(by_work.values()))
        works = list(by_work)
        self._list.show_saved({works[index] for index in places})

    @property
    def _row(self) -> TurnRow | None:
        return self._list.row if self.is_mounted else None

    @property
    def _turn(self) -> Turn | None:
        """The turn under the cursor."""
        row, turns = self._row, self.live.state.turns
        return turns[row.turn] if row is not None and row.turn < len(turns) else None

    @property
    def _document(self) -> str:
        turn = self._turn
        return turn.answer.document if turn is not None and turn.answer is not None else ""

    @property
    def key(self) -> int | None:
        row = self._row
        return row.paper.key if row is not None and row.paper is not None else None

    def paper_of(self, key: int) -> Paper | None:
        state: ConversationState = self.drawn_state
        return state.findings.papers.get(state.findings.work(WorkId(key)))

    def keys_shown(self) -> Sequence[int]:
        """Return the keys of the papers of the current answer."""
        at = self._row
        rows = self._list.rows if at is not None else ()
        return [row.paper.key for row in rows if at is not None and row.turn == at.turn and row.paper is not None]

    def is_shown(self) -> Callable[[int], bool]:
        """Return a test for the papers of all answers."""
        return {row.paper.key for row in self._list.rows if row.paper is not None}.__contains__

    @property
    def keys_in_question(self) -> Sequence[int]:
        return self.marks

    @property
    def saved_keys(self) -> Set[int]:
        return self._list.saved

    def show_marks(self) -> None:
        self._list.mark_papers(set(self.marked))
        self.refresh_bindings()

    @property
    def walked(self) -> RowList[Any]:
        return self._list

    @on(TurnList.Selected, "#turns")
    def _selected(self, event: TurnList.Selected) -> None:
        row: TurnRow = event.row
        if row.paper is not None and (paper := self.paper_of(row.paper.key)):
            self.app.open_paper(paper, run=self.live.run)
        elif row.kind == "steps":
            self.action_steps()
        elif row.kind == "offer" and row.waits:
            self._say(str(row.number))
        elif row.kind == "document":
            self.app.push_screen(DocumentScreen(self._document, self.action_write_file))
        elif row.run is not None:
            self.app.visit_run(row.run)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        row = self._row
        match action:
            case "answer_proposal":
                at_hand = self.pane == "message" or (row is not None and row.kind == "proposal" and row.waits)
                return at_hand and self.live.state.proposal is not None and not self.live.under_way
            case "copy_shown":
                return row is not None and row.paper is None and not row.waits and bool(self._copied[0])
            case "write_file":
                return bool(self._document)
            case "to_line":
                return self.pane != "message"
            case "to_turns":
                return self.pane != "turns"
            case "steps":
                turn = self._turn
                return (
                    turn is not None and turn.plan is not None and not turn.is_opening and turn != self.live.state.turn
                )
            case "resume":
                return super().check_action(action, parameters) and not self.live.state.finished
        return super().check_action(action, parameters)

    @on(Input.Submitted, "#message")
    def _submitted(self, event: Input.Submitted) -> None:
        if self._say(event.value):
            event.input.clear()

    def _say(self, text: str) -> bool:
        """Send `text`; return False, with a notice, while the last message is being answered."""
        message = " ".join(text.split())
        if not message:
            return False
        if self.live.under_way:
            stop = self.app.keys_shown("conversation.cut")[-1]
            self.app.say(f"The last message is still being answered. Wait, or stop it with {stop}.", seconds=6)
            return False
        if not self.app.can_store(self.live):
            return False
        # The first message is a turn too, even if the run failed before its turn began.
        self._sent = (message, max(len(self.live.state.turns), 1))
        self._list.following = True
        self.live.request(self.app.resources_for, lambda control: control.say(message))
        self._seen = None
        self._flush()
        return True

    @on(MessageLine.Answered)
    def _answered(self, event: MessageLine.Answered) -> None:
        self.action_answer_proposal(event.yes)

    @on(Input.Changed, "#message")
    def _written(self) -> None:
        self.refresh_bindings()  # a key that answers for an empty line types a letter into any other

    def action_answer_proposal(self, yes: bool) -> None:
        self._say("yes" if yes else "no")

    def action_steps(self) -> None:
        """Unfold the steps of the current turn, or fold them."""
        row = self._row
        if row is None:
            return
        self._unfolded ^= {row.turn}
        self._list.following = False
        self._seen = None
        self._flush()
        if row.kind == "step":
            self._list.to_steps(row.turn)

    @property
    def _copied(self) -> tuple[str, str]:
        """The text to copy for the current row, and a name for it."""
        row, turn = self._row, self._turn
        if row is None or turn is None:
            return "", ""
        if row.kind == "document":
            return self._document, f"the document, {counted(len(self._document.splitlines()), 'line')}"
        if row.kind == "said":
            return turn.message, "your message"
        if row.kind in ("steps", "step"):
            return row.text, "the step"
        return (turn.answer.text if turn.answer else ""), "the answer"

    def action_copy_shown(self) -> None:
        self.app.copy(*self._copied)

    def action_write_file(self) -> None:
        if (turn := self._turn) is not None and self._document:
            done = next(done for done in turn.outcomes if done.text)
            is_export = done.tool == "export"
            format = format_named(str(done.values["format"])) if is_export else "markdown"
            name = f"papers{ENDINGS[format]}" if is_export else suggested_name(turn.message)
            self._write_file(self._document, name, format)

    @work(group=PROMPTS)
    async def _write_file(self, document: str, name: str, format: Format) -> None:
        await write_file(self.app, "Save the document as", name, partial(write_document, document, format))

    def action_to_turns(self) -> None:
        """Go from the message line up to the answers."""
        self.go_to("turns")

    def action_to_line(self) -> None:
        self.go_to("message")
