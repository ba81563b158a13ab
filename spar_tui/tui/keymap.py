"""The keys as the person wants them: `[keys]` of config.toml laid over the table of commands. No terminal here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from textual.binding import Binding
from textual.keys import Keys

from spar_tui.tui.commands import COMMANDS, Command, Place, place_of

TOGETHER: tuple[tuple[Place, ...], ...] = (
    ("asking", "anywhere"),
    ("papers offered", "lists", "anywhere"),
    ("recent searches", "lists", "anywhere"),
    ("examples", "lists", "anywhere"),
    ("lists", "matches", "search", "papers", "anywhere"),
    ("tree", "search", "papers", "anywhere"),
    ("paper", "page", "search", "papers", "anywhere"),
    ("paper", "page", "triage", "papers", "anywhere"),
    ("reason",),
    ("lists", "matches", "summary", "papers", "anywhere"),
    ("tree", "summary", "papers", "anywhere"),
    ("lists", "matches", "recommendation", "papers", "anywhere"),
    ("paper", "page", "recommendation", "papers", "anywhere"),
    ("talking", "proposal", "conversation", "papers", "anywhere"),
    ("turns", "lists", "matches", "proposal", "conversation", "papers", "anywhere"),
    ("talking", "links", "anywhere"),
    ("document", "help", "dialog"),
    ("reading next", "lists", "anywhere"),
    ("profile line", "lists", "profile", "anywhere"),
    ("page", "pages", "anywhere"),
    ("paper", "page", "links", "papers", "anywhere"),
    ("lists", "matches", "links", "papers", "anywhere"),
    ("paper", "page", "side by side", "papers", "anywhere"),
    ("map", "citation map", "papers", "anywhere"),
    ("lists", "matches", "shelf", "papers", "anywhere"),
    ("side list", "lists", "shelf", "papers", "anywhere"),
    ("paper", "page", "shelf", "papers", "anywhere"),
    ("column choice", "lists", "columns", "dialog"),
    ("lists", "matches", "history", "anywhere"),
    ("lists", "matches", "findings", "anywhere"),
    ("a watch", "lists", "matches", "watches", "papers", "anywhere"),
    ("picked paper", "lists", "matches", "picking"),
    ("prompt",),
    ("command line",),
    ("output", "help", "dialog"),
    ("size", "dialog"),
    ("citing",),
    ("confirm", "dialog"),
    ("help search", "help", "dialog"),
    ("question", "help", "dialog"),
    ("errors", "help", "dialog"),
    ("asking anew", "dialog"),
    ("chip", "dialog"),
    ("palette", "dialog"),
    ("setting", "settings", "dialog"),
    ("service", "settings", "dialog"),
    ("keys line", "settings", "dialog"),
    ("key choice", "lists", "keys", "dialog"),
)
"""The places whose commands can be used at one moment: within a line a key should mean one thing."""
_TYPED_IN: frozenset[Place] = frozenset(
    {"asking", "talking", "prompt", "command line", "palette", "setting", "size", "asking anew"}
)
"""Where a letter is a letter."""
SENT_ALIKE = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+j": "enter",
    "ctrl+left_square_bracket": "escape",
}
"""Keys for which terminals send what they send for another."""
_KNOWN = frozenset(key.value for key in Keys)
_MODIFIERS = frozenset({"ctrl", "shift", "alt"})
_Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Keymap:
    """`keys` of every command by its id, and in `problems` a sentence for each key that could not be given."""

    keys: _Keys
    problems: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether a command has other keys than its own."""
        return any(self.keys[command.id] != command.keys for command in _every())


def keymap(chosen: _Keys) -> Keymap:
    """The keys when each command of `chosen` gets the keys named there, as far as that can be.

    What is unknown, cannot be told apart or already means something else in the same place is left out and named.
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
        elif place_of(command) in _TYPED_IN and _is_typed(key):
            problems.append(f"keys: {command.id}: {raw} types a character there; use another key.")
        else:
            yield key


def normal(written: str) -> str | None:
    """The name by which the app knows the key `written`: `?` is `question_mark`; None if there is no such key."""
    *modifiers, key = written.strip().split("+") if written.strip() != "+" else ["+"]
    modifiers = [modifier.lower() for modifier in modifiers]
    if not key or not _MODIFIERS.issuperset(modifiers):
        return None
    if len(key) == 1:
        if not key.isprintable() or key == " ":
            return None
        # A comma would part two keys; any other character is named by the library itself.
        key = "comma" if key == "," else next(iter(Binding.make_bindings([Binding(key, "")]))).key
    else:
        key = key.lower()
        if key not in _KNOWN and key not in _named():
            return None
    return "+".join([*modifiers, key])


@cache
def _named() -> Mapping[str, str]:
    """The printable characters that are no letters or digits, by their names, such as `semicolon`."""
    characters = [chr(code) for code in range(33, 127) if not chr(code).isalnum() and chr(code) != ","]
    made = Binding.make_bindings([Binding(",".join(characters), "")])
    return {key.key: character for key, character in zip(made, characters, strict=True)} | {"comma": ",", "space": " "}


def typed_character(key: str) -> str | None:
    """What `key` writes where one types; None if it writes nothing."""
    return key if len(key) == 1 else _named().get(key)


def _is_typed(key: str) -> bool:
    return typed_character(key) is not None


def _settle(keys: dict[str, tuple[str, ...]], by_id: Mapping[str, Command]) -> list[str]:
    """Take out of `keys` what clashes, until nothing does; the sentences about it."""
    problems: list[str] = []
    while keys and (clash := _clash(keys, by_id)) is not None:
        loser, winner, key = clash
        problems.append(f"keys: {loser}: {key} is already used by {winner}.")
        keys[loser] = tuple(other_key for other_key in keys[loser] if other_key != key)
        if not keys[loser]:
            del keys[loser]
    return problems


def _clash(keys: _Keys, by_id: Mapping[str, Command]) -> tuple[str, str, str] | None:
    """A changed command, another that can be used at the same moment, and the key that both would have."""
    for places in TOGETHER:
        here = [command for place in places for command in COMMANDS[place]]
        for command, other in combinations(here, 2):
            if not (command.id in keys or other.id in keys):
                continue
            for key in keys.get(command.id, command.keys):
                shared = key in keys.get(other.id, other.keys)
                # Some share a key from the start: what is nearer has it, or only one of them can be done at a time.
                if shared and not set(command.keys) & set(other.keys):
                    loser, winner = (other, command) if _later(command, other, keys) else (command, other)
                    return loser.id, winner.id, key
    return None


def _later(first: Command, other: Command, keys: _Keys) -> bool:
    """Whether `other` is the one to give way: it alone was changed, or it was changed after `first`."""
    order: Sequence[str] = list(keys)
    if first.id not in keys or other.id not in keys:
        return other.id in keys
    return order.index(other.id) > order.index(first.id)
