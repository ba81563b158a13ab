"""The keys of all commands, with the changes from `[keys]` of config.toml. No terminal here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from textual.app import App
from textual.binding import Binding
from textual.events import Key
from textual.keys import Keys
from textual.timer import Timer

from spar_tui.tui.commands import COMMANDS, Command, Context, command_of, context_of

PAUSE_SECONDS = 0.5
"""Seconds after which a sequence of keys ends; people pause less between two keys."""
MOST_TIMES = 999


class CountedKeys:
    """Holds typed digits until the next key or a pause decides what they mean."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._digits = ""
        self._timer: Timer | None = None
        self._passed: list[Key] = []
        """Keys posted again that are not part of a number."""

    @property
    def waiting(self) -> bool:
        """Whether a number is waiting for its key."""
        return bool(self._digits)

    def holds(self, event: Key) -> bool:
        """Whether the key is held back: it belongs to a number, or is posted again after the digits before it."""
        if event in self._passed:
            self._passed.remove(event)
            return False
        if event.key in set("0123456789"[not self._digits :]) and any(
            map(self._is_counted, self._app.screen.active_bindings)
        ):
            self._digits += event.key
            self._wait()
            return True
        if not self._digits:
            return False
        if event.key == "escape":
            self._digits = ""
            return True
        if not self._is_counted(event.key):
            self._pass_on(event)
            return True
        times, self._digits = min(int(self._digits), MOST_TIMES), ""
        for _ in range(times - 1):
            self._app.post_message(Key(event.key, event.character))
        return False

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._app.set_timer(PAUSE_SECONDS, self._pass_on)

    def _pass_on(self, *after: Key) -> None:
        """Post the digits as ordinary keys, then the key `after` them."""
        keys = [*(Key(digit, digit) for digit in self._digits), *(Key(event.key, event.character) for event in after)]
        self._digits = ""
        self._passed += keys
        for key in keys:
            self._app.post_message(key)

    def _is_counted(self, key: str) -> bool:
        active = self._app.screen.active_bindings.get(key)
        command = command_of(active.binding) if active is not None and active.enabled else None
        return command is not None and command.counted


TOGETHER: tuple[tuple[Context, ...], ...] = (
    ("the ask line", "anywhere"),
    ("suggested papers", "lists", "anywhere"),
    ("recent searches", "lists", "anywhere"),
    ("example questions", "lists", "anywhere"),
    ("lists", "filter matches", "a search", "any paper", "anywhere"),
    ("the trail", "a search", "any paper", "anywhere"),
    ("a paper's page", "a paper", "a search", "any paper", "anywhere"),
    ("a paper's page", "a paper", "screening papers", "any paper", "anywhere"),
    ("reason for excluding a paper",),
    ("lists", "filter matches", "a summary", "any paper", "anywhere"),
    ("the trail", "a summary", "any paper", "anywhere"),
    ("lists", "filter matches", "what to read next", "any paper", "anywhere"),
    ("a paper's page", "a paper", "what to read next", "any paper", "anywhere"),
    ("message line", "a proposal in a conversation", "a conversation", "any paper", "anywhere"),
    (
        "messages of a conversation",
        "lists",
        "filter matches",
        "a proposal in a conversation",
        "a conversation",
        "any paper",
        "anywhere",
    ),
    ("message line", "references and citations", "anywhere"),
    ("document of a conversation", "the help", "dialogs"),
    ("read next, on the home screen", "lists", "anywhere"),
    ("a line of your profile", "lists", "your profile", "anywhere"),
    ("a paper", "text of a PDF", "anywhere"),
    ("a paper's page", "a paper", "references and citations", "any paper", "anywhere"),
    ("lists", "filter matches", "references and citations", "any paper", "anywhere"),
    ("a paper's page", "a paper", "papers side by side", "any paper", "anywhere"),
    ("on the citation map", "citation map", "any paper", "anywhere"),
    ("lists", "filter matches", "shelf", "any paper", "anywhere"),
    ("saved filters and tags of the shelf", "lists", "shelf", "any paper", "anywhere"),
    ("a paper's page", "a paper", "shelf", "any paper", "anywhere"),
    ("one column of the shelf", "lists", "choosing the columns of the shelf", "dialogs"),
    ("lists", "filter matches", "history", "anywhere"),
    ("lists", "filter matches", "findings of a check", "anywhere"),
    ("one watch", "lists", "filter matches", "the watches", "any paper", "anywhere"),
    ("lists", "filter matches", "`spar pick`"),
    ("a line to fill in",),
    ("the command line",),
    ("output of a command", "the help", "dialogs"),
    ("the size of a summary", "dialogs"),
    ("copying a citation",),
    ("yes or no", "dialogs"),
    ("how the question was read", "the help", "dialogs"),
    ("the messages", "the help", "dialogs"),
    ("ask dialog: question", "dialogs"),
    ("ask dialog: options", "dialogs"),
    ("command palette", "dialogs"),
    ("one setting", "the settings", "dialogs"),
    ("a choice in a dialog", "the settings", "dialogs"),
    ("a source or the model, in the settings", "the settings", "dialogs"),
    ("keys, in the settings", "the settings", "dialogs"),
    ("choosing keys", "lists", "list of commands and keys", "the help", "dialogs"),
)
"""Contexts whose commands are available at the same time; within each group a key should have one meaning."""
_TYPED_IN: frozenset[Context] = frozenset(
    {
        "the ask line",
        "message line",
        "a line to fill in",
        "the command line",
        "command palette",
        "one setting",
        "the size of a summary",
        "ask dialog: question",
    }
)
"""Contexts where the person types text."""
SENT_ALIKE = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+j": "enter",
    "ctrl+left_square_bracket": "escape",
}
"""Keys that terminals send as another key."""
_KNOWN = frozenset(key.value for key in Keys)
_MODIFIERS = frozenset({"ctrl", "shift", "alt"})
_Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Keymap:
    """The `keys` of each command by id; `problems` has a sentence for each key that could not be assigned."""

    keys: _Keys
    problems: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether any command has other keys than its default."""
        return any(self.keys[command.id] != command.keys for command in _every())


def keymap(chosen: _Keys) -> Keymap:
    """Return the keys of all commands after assigning those that `chosen` names, as far as possible.

    Skip and report keys that are unknown, that a terminal cannot distinguish, or that are taken in the same context.
    """
    by_id = {command.id: command for command in _every()}
    problems: list[str] = []
    keys: dict[str, tuple[str, ...]] = {}
    for name, written in chosen.items():
        if name not in by_id:
            problems.append(f"keys: unknown command {name!r}; F1 in the app lists the commands.")
            continue
        usable = list(_usable(by_id[name], written, problems))
        if usable:
            keys[name] = tuple(dict.fromkeys(usable))
    problems += _settle(keys, by_id)
    return Keymap({**{command.id: command.keys for command in by_id.values()}, **keys}, tuple(problems))


def _every() -> Iterator[Command]:
    return (command for commands in COMMANDS.values() for command in commands)


def _usable(command: Command, written: Iterable[str], problems: list[str]) -> Iterator[str]:
    for raw in written:
        key = normal(raw)
        if key is None:
            problems.append(f"keys: {command.id}: unknown key {raw!r}.")
        elif key in SENT_ALIKE:
            problems.append(f"keys: {command.id}: terminals send {raw} as {SENT_ALIKE[key]}; use another key.")
        elif context_of(command) in _TYPED_IN and typed_character(key) is not None:
            problems.append(f"keys: {command.id}: {raw} types a character there; use another key.")
        else:
            yield key


def normal(written: str) -> str | None:
    """Return the app's name for the key `written`, such as `question_mark` for `?`; None if there is no such key."""
    *modifiers, key = written.strip().split("+") if written.strip() != "+" else ["+"]
    modifiers = [modifier.lower() for modifier in modifiers]
    if not key or not _MODIFIERS.issuperset(modifiers):
        return None
    if len(key) == 1:
        if not key.isprintable() or key == " ":
            return None
        # A comma would separate two keys; Textual names any other character.
        key = "comma" if key == "," else next(iter(Binding.make_bindings([Binding(key, "")]))).key
    else:
        key = key.lower()
        if key not in _KNOWN and key not in _named():
            return None
    return "+".join([*modifiers, key])


@cache
def _named() -> Mapping[str, str]:
    """Return the printable characters except letters and digits, by name, such as `semicolon`."""
    characters = [chr(code) for code in range(33, 127) if not chr(code).isalnum() and chr(code) != ","]
    made = Binding.make_bindings([Binding(",".join(characters), "")])
    return {key.key: character for key, character in zip(made, characters, strict=True)} | {"comma": ",", "space": " "}


def typed_character(key: str) -> str | None:
    """Return the character that `key` types into an input; None if it types none."""
    return key if len(key) == 1 else _named().get(key)


def _settle(keys: dict[str, tuple[str, ...]], by_id: Mapping[str, Command]) -> list[str]:
    """Remove clashing keys from `keys`; return a sentence for each."""
    problems: list[str] = []
    while keys and (clash := _clash(keys, by_id)) is not None:
        loser, winner, key = clash
        problems.append(f"keys: {loser}: {key} is already used by {winner}.")
        keys[loser] = tuple(other_key for other_key in keys[loser] if other_key != key)
        if not keys[loser]:
            del keys[loser]
    return problems


def _clash(keys: _Keys, by_id: Mapping[str, Command]) -> tuple[str, str, str] | None:
    """Return the loser and the winner of a key that two commands available at the same time share, and the key."""
    for contexts in TOGETHER:
        here = [command for context in contexts for command in COMMANDS[context]]
        for command, other in combinations(here, 2):
            if not (command.id in keys or other.id in keys):
                continue
            for key in keys.get(command.id, command.keys):
                shared = key in keys.get(other.id, other.keys)
                # Some share a key by default: the nearer has it, or only one of them is available at a time.
                if shared and not set(command.keys) & set(other.keys):
                    loser, winner = (other, command) if _later(command, other, keys) else (command, other)
                    return loser.id, winner.id, key
    return None


def _later(first: Command, other: Command, keys: _Keys) -> bool:
    """Whether `other` loses the key: only it was changed, or it was changed after `first`."""
    order: Sequence[str] = list(keys)
    if first.id not in keys or other.id not in keys:
        return other.id in keys
    return order.index(other.id) > order.index(first.id)
