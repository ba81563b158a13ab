"""The input for a message of a conversation."""

from textual.events import Key
from textual.message import Message

from agents.assistant.options import LONGEST
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.entry.one_line import OneLine

PLACEHOLDER = "Ask about your papers, or say what to do with them"


class MessageLine(OneLine):
    """Accepts messages up to the maximum length."""

    BINDINGS = bindings("talking")
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
