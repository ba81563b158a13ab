"""The start of a conversation: examples, and a line for the first message."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from agents.assistant.options import LONGEST
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, plain

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp


PLACEHOLDER = "Ask about your papers, or say what to do with them"


class MessageLine(OneLine):
    """Accepts messages up to the maximum length."""

    BINDINGS = bindings("message line")
    DEFAULT_CSS = """
    MessageLine { border: round $border-blurred; background: $background; padding: 0 1; height: 3; }
    MessageLine:focus { border: round $border; background-tint: transparent; }
    Screen.-short MessageLine, Screen.-short MessageLine:focus {
        border: none; height: 1; padding: 0 1; background: $panel; }
    """

    class Answered(Message):
        """A key answered the proposal with yes or no."""

        def __init__(self, yes: bool) -> None:
            super().__init__()
            self.yes = yes

    def __init__(self, id: str) -> None:
        super().__init__(placeholder=PLACEHOLDER, id=id, max_length=LONGEST)
        self._proposed = False
        self._rest = ""
        """The letters of “yes” or “no” that may still be typed after the first one has answered."""

    def propose(self, proposed: bool) -> None:
        """Set whether there is a proposal, which a key answers while the line is empty."""
        self._proposed = proposed
        self.placeholder = "yes or no?" if proposed else PLACEHOLDER

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Do not take a key that answers as a letter."""
        return self._answer(key) is None and super().check_consume_key(key, character)

    def _answer(self, key: str) -> bool | None:
        if not self._proposed or self.value:
            return None
        keys = self.app.command_keys.keys
        return True if key in keys["proposal.yes"] else False if key in keys["proposal.no"] else None

    async def _on_key(self, event: Key) -> None:
        """Answer with a key, and ignore the rest of the word if the person types all of it."""
        answer, rest = self._answer(event.key), self._rest
        self._rest = ""
        if answer is not None:
            self._proposed, self._rest = False, ("yes" if answer else "no").removeprefix(event.key)
            self.post_message(self.Answered(answer))
        elif rest and event.key == rest[0]:
            self._rest = rest[1:]
        else:
            return
        event.stop()
        event.prevent_default()  # or Textual would insert the letter


NAME = "new conversation"
EXAMPLES = (
    "papers on query rewriting since 2023 with more than 50 citations",
    "how many papers on my shelf are unread?",
    "show the second's abstract",
    "save those and tag them rag",
    "search for dense retrieval since 2020",
    "what did I search last week?",
    "write the BibTeX",
)
_INTRODUCTION = (
    "Answers use {}, unless you say “search”. Changes to your shelf or profile are proposed first and need"
    " your yes. The conversation is saved."
)


class NewConversationScreen(Screen[None]):
    """Begins a conversation about `papers` of the library, which `title` names, or about all, with the first
    message."""

    DEFAULT_CSS = """
    NewConversationScreen { align-horizontal: center; }
    NewConversationScreen #desk { width: 100%; max-width: 104; height: 1fr; padding: 1 2 0 2; }
    NewConversationScreen Static { height: auto; padding: 0 2 1 2; }
    NewConversationScreen.-short #told { display: none; }
    NewConversationScreen.-short #desk { padding: 0 1; }
    """
    BINDINGS = bindings("references and citations")
    AUTO_FOCUS = "#message"
    app: "ResearchApp"

    def __init__(self, title: str = "Talk about your papers", papers: Sequence[int] = ()) -> None:
        super().__init__(name=NAME)
        self._title, self._papers = title, papers

    def compose(self) -> ComposeResult:
        with Vertical(id="desk"):
            yield Static(plain(self._title, "bold $accent"))
            yield MessageLine("message")
            yield Static(
                plain(_INTRODUCTION.format("these papers" if self._papers else "your library"), QUIET), id="told"
            )
            contents = [plain("You can say:", QUIET), *(plain(f"  {example}") for example in EXAMPLES)]
            yield Static(Content("\n").join(contents))
        yield Footer()

    def on_input_changed(self) -> None:
        self.app.expect_question()

    @on(Input.Submitted, "#message")
    def _submitted(self, event: Input.Submitted) -> None:
        text = " ".join(event.value.split())
        if text:
            self.app.talk(text, self._papers, begun=self.app.pop_screen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable going to the answers and stopping, since there is no answer yet."""
        return action not in ("to_turns", "cut")

    def action_back(self) -> None:
        """Go back."""
        self.app.pop_screen()
