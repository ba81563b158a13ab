"""Everything a person can do in the app, each defined once: its keys, what it does, its word and its sentence.

The bindings, the line of keys at the bottom and the help are made from this table.
"""

from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Place = Literal["anywhere", "asking", "recent searches", "lists", "tree", "page", "search"]

KEPT_RANK = 9
"""From this rank on a command stays in the line of keys however little room there is: the ways out."""


@dataclass(frozen=True, slots=True)
class Command:
    """`id` names the command in settings; `keys` in the order of preference; `action` is what Textual runs.

    `title` is its word in the line of keys, where it stands at `rank` (0: it is left to the help).
    """

    id: str
    keys: tuple[str, ...]
    action: str
    title: str
    help: str
    rank: int = 0


COMMANDS: dict[Place, tuple[Command, ...]] = {
    "asking": (
        Command("ask.submit", ("enter",), "submit", "ask", "Ask the question.", 1),
        Command("ask.down", ("down",), "screen.to_runs", "recent searches", "Go to the recent searches.", 2),
    ),
    "recent searches": (
        Command("home.open", ("enter",), "select", "open", "Open the search; one that was cut off goes on.", 1),
        Command("home.ask", ("i", "slash"), "screen.to_ask", "ask", "Go to the ask line.", 2),
    ),
    "search": (
        Command("search.filter", ("slash",), "filter", "filter", "Show only papers with these words.", 2),
        Command("search.trail", ("t",), "trail", "trail", "Go to the trail: how the papers were found.", 3),
        Command("search.browse", ("o",), "browse", "browser", "Open the paper's page in the browser.", 6),
        Command("search.copy", ("y",), "copy", "copy id", "Copy the paper's identifier.", 7),
        Command("search.sort", ("R",), "sort", "re-sort", "Order the papers by relevance now.", 8),
        Command("search.pause", ("p",), "pause", "pause", "Ask nobody anything for a while.", 4),
        Command("search.resume", ("p",), "resume", "go on", "Let the search go on.", 4),
        Command("search.stop", ("s",), "stop", "stop", "Look for nothing more; judge and rank what is here.", 5),
        Command("search.cut", ("ctrl+x",), "cut", "stop at once", "Stop at once; what was found is kept."),
        Command("search.back", ("escape",), "back", "back", "Go back; a search under way goes on.", 9),
    ),
    "lists": (
        Command("list.down", ("down", "j"), "cursor_down", "down", "Next."),
        Command("list.up", ("up", "k"), "cursor_up", "up", "Previous."),
        Command("list.first", ("home", "g"), "first", "first", "The first."),
        Command("list.last", ("end", "G"), "last", "last", "The last."),
        Command("list.page_down", ("pagedown", "ctrl+d"), "page_down", "page down", "One page down."),
        Command("list.page_up", ("pageup", "ctrl+u"), "page_up", "page up", "One page up."),
        Command("list.select", ("enter",), "select", "read", "Read the paper.", 1),
    ),
    "tree": (
        Command("tree.down", ("down", "j"), "cursor_down", "down", "Next."),
        Command("tree.up", ("up", "k"), "cursor_up", "up", "Previous."),
        Command("tree.first", ("home", "g"), "scroll_home", "first", "The first."),
        Command("tree.last", ("end", "G"), "scroll_end", "last", "The last."),
        Command("tree.page_down", ("pagedown", "ctrl+d"), "page_down", "page down", "One page down."),
        Command("tree.page_up", ("pageup", "ctrl+u"), "page_up", "page up", "One page up."),
        Command("tree.fold", ("space",), "toggle_node", "fold", "Fold or unfold."),
        Command("tree.select", ("enter",), "select_cursor", "open", "Read the paper; fold anything else.", 1),
    ),
    "page": (
        Command("page.down", ("down", "j"), "scroll_down", "down", "One line down."),
        Command("page.up", ("up", "k"), "scroll_up", "up", "One line up."),
        Command("page.top", ("home", "g"), "scroll_home", "top", "The top."),
        Command("page.end", ("end", "G"), "scroll_end", "end", "The end."),
        Command("page.page_down", ("pagedown", "ctrl+d", "space"), "page_down", "page down", "One page down."),
        Command("page.page_up", ("pageup", "ctrl+u"), "page_up", "page up", "One page up."),
    ),
    "anywhere": (
        Command("app.help", ("question_mark", "f1"), "help", "help", "What the keys do.", 20),
        Command("app.quit", ("q", "ctrl+q"), "quit", "quit", "Quit; searches under way are kept and can go on.", 21),
        Command("app.leaving", ("ctrl+c",), "tell_quit", "how to quit", "Say how to quit."),
        Command("app.next", ("tab",), "app.focus_next", "next pane", "The next pane."),
        Command("app.previous", ("shift+tab",), "app.focus_previous", "previous pane", "The pane before."),
    ),
}
_BY_ID = {command.id: command for commands in COMMANDS.values() for command in commands}


def bindings(*places: Place) -> list[BindingType]:
    """The bindings of the commands of `places`; where two share a key, the first has it."""
    return [
        Binding(",".join(one.keys), one.action, one.title, show=one.rank > 0, tooltip=one.help, id=one.id)
        for place in places
        for one in COMMANDS[place]
    ]


def command_of(binding: Binding) -> Command | None:
    """The command that `binding` was made from."""
    return _BY_ID.get(binding.id or "")
