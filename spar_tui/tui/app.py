"""The terminal app and its screens."""

import asyncio
import gc
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING

from textual import work
from textual.events import Paste
from textual.screen import ModalScreen, Screen

from cache.store import Store
from connectors.entry_points import loaded
from connectors.registry import SOURCES
from spar_tui.phrases import papers_text
from spar_tui.settings import Settings, load_settings
from spar_tui.tui.commands import PROMPTS
from spar_tui.tui.failures import named
from spar_tui.tui.research_app import ResearchApp, ResourcesOpener
from spar_tui.tui.screens.home import AskLine, HomeScreen
from spar_tui.workspace import open_workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agents.run.resources import Resources
    from connectors.paper import Paper
    from spar_tui.tui.research_app import Anew

THREAD_LOCK_SECONDS = 3.0
"""Seconds that the threads of a search wait for a library locked by another process. Only quitting waits for them."""


@asynccontextmanager
async def all_resources(settings: Settings, anew: "Anew | None" = None) -> "AsyncIterator[Resources]":
    """Open the resources: the sources and the model of the settings, or only the sources that `anew` names."""
    preferences = settings.preferences
    names, since = (anew.sources, anew.since) if anew else (preferences.sources, None)
    await asyncio.to_thread(load_engine)
    gc.freeze()
    async with open_workspace(settings, names, preferences.offline, True, THREAD_LOCK_SECONDS, since) as opened:
        yield opened.resources


def load_engine() -> None:
    """Load what a search and its question need, which takes a second. Call it in a thread, so that typing stays
    possible."""
    import spar_tui.tui.screens.conversation
    import spar_tui.tui.screens.search
    import spar_tui.tui.screens.summary  # noqa: F401
    from spar_tui.tui.named_paper import is_reference_list, reads_as_title

    for spec in SOURCES.values():
        spec.load()
    reads_as_title("which papers")  # builds the tables of the reader
    is_reference_list("one line\nand another")


@cache
def _local_resources() -> "Resources":
    """Return the starter shelf, and import what a recommendation needs, which takes most of a second."""
    import numpy  # noqa: F401

    import agents.recommendation.loop  # noqa: F401
    from agents.run.resources import Resources
    from connectors.starter.shelf import StarterShelf

    return Resources(fallback={"starter": StarterShelf()})


MOST_TALKED_OF = 200
"""Most papers that a conversation begins with; a person with more can mark fewer."""
_SCREENS = {
    "shelf": "spar_tui.tui.screens.shelf:ShelfScreen",
    "history": "spar_tui.tui.screens.history:HistoryScreen",
    "watches": "spar_tui.tui.screens.watches:WatchesScreen",
    "profile": "spar_tui.tui.screens.profile:ProfileScreen",
    "settings": "spar_tui.tui.screens.settings:SettingsScreen",
    "keys": "spar_tui.tui.screens.dialogs.key_choice:KeyChoice",
    "errors": "spar_tui.tui.screens.dialogs.error_log:ErrorLog",
}
"""The screens without arguments."""


def _screen_named(name: str) -> Screen[None]:
    """Return a new screen of this name."""
    screen: Screen[None] = loaded(_SCREENS[name])()
    return screen


class SparApp(ResearchApp):
    """The app with all its screens, each loaded when it is first shown."""

    MODES = {"search": HomeScreen, **{name: partial(_screen_named, name) for name in ("shelf", "history", "watches")}}  # noqa: RUF012  # Textual declares it so

    def __init__(
        self,
        settings: Settings,
        store: Store,
        opener: ResourcesOpener = all_resources,
        reload: Callable[[], Settings] = load_settings,
    ) -> None:
        super().__init__(settings, store, opener, reload)

    def load_engine(self) -> None:
        load_engine()

    async def local_resources(self, sources: Sequence[str] | None) -> "Resources":
        return await asyncio.to_thread(_local_resources)

    @work(group=PROMPTS)
    async def talk_about(self, chosen: "Sequence[Paper]", marked: bool, run: str | None) -> None:
        """Prepare a conversation about the `marked` papers or all papers of a screen, which may show `run`; it begins
        with the person's first message."""
        from cache import papers as library
        from spar_tui.tui.screens.new_conversation import NewConversationScreen

        taken = chosen[:MOST_TALKED_OF]
        with self.reporting():
            numbers = await asyncio.to_thread(library.remember, self.store, taken)
            live = self.runs_shown.get(run or "")
            some = f"the first {len(taken)} of {len(chosen):,} papers"
            sentence = papers_text(len(taken)) if len(taken) == len(chosen) else some
            which = " that you marked" if marked else ""
            where = f" of the {named(live.kind.name, live.question)}" if live else ""
            self.switch_mode(self.DEFAULT_MODE)
            title = f"Talk about {sentence}{which}{where}"
            await self.push_screen(NewConversationScreen(title, list(dict.fromkeys(numbers))))

    async def action_talk(self) -> None:
        """Start a conversation about the marked or listed papers, else about the library."""
        from spar_tui.tui.screens.new_conversation import NewConversationScreen
        from spar_tui.tui.screens.paper_actions import PaperActions

        screen = self.screen
        if isinstance(screen, PaperActions) and (chosen := screen.papers_of(screen.keys_in_question)):
            self.talk_about(chosen, bool(screen.marks), screen.from_run)
        else:
            self.switch_mode(self.DEFAULT_MODE)
            await self.push_screen(NewConversationScreen())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("new_question", "command_line", "import_file"):
            return not isinstance(self.screen, ModalScreen)
        if action == "talk" or parameters == ("profile",):
            itself = "new conversation" if action == "talk" else "profile"
            return not isinstance(self.screen, ModalScreen) and self.screen.name != itself
        return super().check_action(action, parameters)

    def action_command_line(self, text: str = "") -> None:
        """Open the command line with `text` in it."""
        self._command_line(text)

    def action_import_file(self, pasted: str = "") -> None:
        """Open the command line to import a file, or text that was pasted."""
        self._command_line("import ", pasted)

    def on_paste(self, event: Paste) -> None:
        """Offer to import text that is pasted on a list; a file dropped on the terminal arrives as its path."""
        if self.check_action("import_file", ()):
            self.action_import_file(event.text)

    @work(group=PROMPTS)
    async def _command_line(self, text: str = "", pasted: str = "") -> None:
        from spar_tui.tui.command_line.commanding import command

        await command(self, text, pasted)

    async def action_new_question(self) -> None:
        """Open the ask dialog, with the text of the home screen's ask line or the title by which a paper was opened."""
        from spar_tui.tui.screens.dialogs.ask_form import AskForm

        line = self.screen.query_one(AskLine) if isinstance(self.screen, HomeScreen) else None
        # Awaited, so that keys pressed at once go to the dialog.
        screen, typed = self.typed_title or (None, "")
        begun = typed if self.screen is screen else ""
        await self.push_screen(AskForm(line.value, line.clear) if line else AskForm(begun))

    async def action_open(self, name: str) -> None:
        if name == "errors":
            self.troubles_seen = self.troubles
        await self.push_screen(_screen_named(name))

    async def action_help(self) -> None:
        """Show what the keys do, those of the pane with the focus first."""
        from spar_tui.tui.screens.dialogs.key_choice import KeyChoice
        from spar_tui.tui.screens.dialogs.palette import contexts_here

        await self.push_screen(KeyChoice(contexts_here(self.screen)))

    async def action_palette(self) -> None:
        """List all commands that are available here, by name."""
        from spar_tui.tui.screens.dialogs.palette import Doable, PaletteScreen, what_can_be_done

        async def do(chosen: Doable | None) -> None:
            if chosen is not None:
                await self.run_action(chosen.command.action, default_namespace=chosen.node)

        # Awaited, so that letters typed at once go to the palette.
        await self.push_screen(PaletteScreen(what_can_be_done(self.screen)), do)
