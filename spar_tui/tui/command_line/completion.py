"""Completions of a command line: verbs, options, their values, and files."""

import os
import shlex
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cache.conditions.orders import OF_SHELF
from connectors.entry_points import loaded
from spar_tui.cli.options.completion import completing, tags

OWN = {"sort": "Sort the list: a column, then reverse.", "filter": "Filter the list.", "quit": "Quit."}
"""Commands that only the app has."""
MOST = 200
_FILES = ("FILE", "DIR")


@cache
def verbs() -> Mapping[str, Any]:
    """Return the verbs of the command line with their typer parameters."""
    from typer.main import get_command

    # By its name, for it opens the app.
    commands: Mapping[str, Any] = get_command(loaded("spar_tui.cli.app:app")).commands  # type: ignore[attr-defined]  # a group has them
    return commands


def words_of(line: str) -> list[str]:
    """Split a line into words as a shell does. Raises `ValueError` if a quotation mark is not closed."""
    return shlex.split(line)


def completions(line: str) -> list[str]:
    """Return `line` with each possible completion of its last word."""
    start = _last_word(line)
    before, last = line[:start].split(), _bare(line[start:])
    return [line[:start] + shlex.quote(word) for word in list(_words(before, last))[:MOST]]


def _last_word(line: str) -> int:
    """Return the index at which the last word begins."""
    start, quote = 0, ""
    for place, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == " ":
            start = place + 1
    return start


def _bare(word: str) -> str:
    for closing in ("", "'", '"'):
        try:
            return "".join(shlex.split(word + closing))
        except ValueError:
            continue
    return word


def _words(before: list[str], last: str) -> Iterable[str]:
    if not before:
        return [name for name in sorted([*verbs(), *OWN]) if name.startswith(last)]
    verb = before[0]
    if verb == "sort":
        return [name for name in (*OF_SHELF, "reverse") if name.startswith(last) and name not in before]
    if verb == "tag" and last[:1] in ("+", "-") and not last.startswith("--"):
        return [f"{last[0]}{tag}" for tag, _ in tags(last[1:])]
    if verb not in verbs():
        return []
    command = verbs()[verb]
    options = {name: one for one in command.params for name in one.opts if one.param_type_name == "option"}
    valued = options.get(before[-1])
    if valued is not None and not valued.is_flag:
        return _values(verb, valued, last)
    if last.startswith("-"):
        return [name for name in options if name.startswith(last) and name.startswith("--")]
    own = [name for name in getattr(command, "commands", {}) if name.startswith(last) and len(before) == 1]
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    return [*own, *(word for one in arguments for word in _values(verb, one, last))]


def _values(verb: str, parameter: Any, last: str) -> list[str]:
    """Return the values of an option or argument that start with `last`."""
    metavar = (parameter.metavar or "").strip("[]…. ")
    complete = completing(verb, parameter.opts, metavar)
    if complete is not None and complete.__name__ != "own_verbs":
        return [value for value, _ in complete(last)]
    return _paths(last) if metavar in _FILES else []


def _paths(last: str) -> list[str]:
    """Return the files and folders whose paths start with `last`; folders end with a slash."""
    folder, begun = os.path.split(last)
    try:
        with os.scandir(Path(folder or ".").expanduser()) as entries:
            found = [(entry.name, entry.is_dir()) for entry in entries]
    except OSError:
        return []
    seen = [one for one in sorted(found) if one[0].startswith(begun) and (begun or not one[0].startswith("."))]
    return [os.path.join(folder, name) + "/" * is_folder for name, is_folder in seen if name.isprintable()]
