"""The first screen: the ask line, the recent searches, and what to read next."""

from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from spar_tui.tui.commands import bindings
from spar_tui.tui.refresh.library_screen import LibraryScreen
from spar_tui.tui.widgets.entry.ask_box import AskBox
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET

if TYPE_CHECKING:
    from spar_tui.tui.widgets.below_ask import BelowAsk


class AskLine(AskBox):
    """The input for a question."""

    BINDINGS = bindings("the ask line")


class HomeScreen(LibraryScreen):
    """Gives the ask line the focus at once, without waiting for the library."""

    DEFAULT_CSS = """
    HomeScreen { align-horizontal: center; }
    #desk { width: 100%; max-width: 124; height: 1fr; padding: 1 2 0 2; }
    #name { height: 2; }
    HomeScreen.-short #name { display: none; }
    HomeScreen.-short #desk { padding: 0 1; }
    HomeScreen.-short BelowAsk #next, HomeScreen.-short BelowAsk #next-told { display: none; }
    HomeScreen.-short BelowAsk #told, HomeScreen.-short BelowAsk #watched { display: none; }
    HomeScreen.-short BelowAsk.noted #told { display: block; padding: 0 2; }
    """
    AUTO_FOCUS = "#ask"
    _below: "BelowAsk | None" = None
    """The lists below the ask line, once that is drawn."""

    def compose(self) -> ComposeResult:
        with Vertical(id="desk"):
            yield Static(Content.assemble(("spar", "bold $accent"), ("  a research desk", QUIET)), id="name")
            yield AskLine(id="ask")
        yield Footer()

    def on_screen_resume(self) -> None:
        if self._below is not None:
            self._below.resume()
        else:
            # Draw the ask line before reading the library and creating the rest.
            self.app.call_after_refresh(self._begin)

    @work(group="lists")
    async def _begin(self) -> None:
        """Create the lists below the ask line, which are not needed to type in it."""
        if self.query("BelowAsk"):
            return
        from spar_tui.tui.widgets.below_ask import BelowAsk

        below = BelowAsk()
        await self.query_one("#desk").mount(below)
        self._below = below
        if self.query_one(AskLine).value:  # typed meanwhile
            await self.on_text_area_changed()

    async def library_changed(self) -> None:
        if self._below is not None:  # otherwise the library is read once the screen is drawn
            await self._below.library_changed()

    def action_change(self, name: str) -> None:
        """Change the value of the chip with this name."""
        from spar_tui.tui.widgets.entry.ask_chips import Chip

        for chip in self.query(f"#{name}").results(Chip):
            chip.action_change(1)

    async def on_text_area_changed(self) -> None:
        if self.query_one(AskLine).text == ":":  # no question begins so
            self.query_one(AskLine).clear()
            await self.app.run_action("app.command_line")
        elif self._below is not None:
            self.app.expect_question()
            self._below.look_up(self.query_one(AskLine).value)

    async def on_ask_box_submitted(self) -> None:
        from connectors.addresses import is_address
        from connectors.identifiers import sole_identifier
        from spar_tui.tui.named_paper import is_reference_list, may_be_title, paper_titled, paths_in, reads_as_title

        line = self.query_one(AskLine)
        question = line.value
        if question.startswith(":"):
            line.clear()
            await self.app.run_action(f"app.command_line({question[1:]!r})")
        elif paths_in(question) or is_reference_list(line.text):
            text = line.text
            line.clear()
            await self.app.run_action(f"app.import_file({text!r})")
        elif name := sole_identifier(question):
            self.app.open_named(name, line.clear)
        elif is_address(question) and " " not in question:
            self.app.say("No paper is known by this address. Paste its title or DOI.", "warning", 10)
        elif paper := paper_titled(question, self.app.store):
            line.clear()
            self.app.open_titled(paper, question)
        elif not question:
            self.app.say("Type a question.")
        elif may_be_title(question) if question == line.pasted else reads_as_title(question):
            self.app.look_up_title(question, line.clear, lambda: self._ask(question))
        else:
            self._ask(question)

    def _ask(self, question: str) -> None:
        """Search for `question`; drop what was typed into the ask line after it."""
        if self.app.ask(question, self._below.options if self._below else None):
            self.query_one(AskLine).clear()

    async def action_summarize(self) -> None:
        """Begin a summary of the text in the ask line."""
        line = self.query_one(AskLine)
        topic = line.value
        if not topic:
            self.app.say("Type the topic of the summary.", seconds=6)
        else:
            await self.app.plan_summary(topic, begun=line.clear)

    async def action_talk(self) -> None:
        """Begin a conversation with the text in the ask line, or ask for its first message."""
        line = self.query_one(AskLine)
        message = line.value
        if not message:
            await self.app.run_action("app.talk")
        else:
            self.app.talk(message, begun=line.clear)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go_down":
            return self._below is not None and parameters[0] == self._below.next_list
        return super().check_action(action, parameters)

    def action_go_down(self, id: str) -> None:
        from spar_tui.tui.widgets.below_ask import HomeList

        rows = self.query_one(f"#{id}", HomeList)
        rows.action_first()
        self.set_focus(rows)

    def action_to_ask(self) -> None:
        self.set_focus(self.query_one(AskLine))
