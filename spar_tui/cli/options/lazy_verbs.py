"""Verbs that are imported when called. A table has the help text of each, so that the overview imports none."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from connectors.entry_points import loaded
from spar_tui.cli.options.usual_options import Verbs

_ROOM = "spar_tui.cli.verbs."


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb. `place` is the location of its function, or of the group of its own verbs: "module:name", relative to
    the folder of verbs. `told` is the first sentence of its help. `guesses` are names that people try instead."""

    name: str
    place: str
    told: str
    guesses: str = ""
    cls: type[TyperCommand] | None = None

    def built(self) -> Any:
        """Import the module and return typer's command."""
        found, alone = loaded(_ROOM + self.place), Verbs(rich_markup_mode=None, add_completion=False)
        if not isinstance(found, typer.Typer):
            alone.command(self.name, cls=self.cls)(found)
            return get_command(alone)
        alone.add_typer(found, name=self.name)
        group = get_command(alone)
        assert isinstance(group, TyperGroup)
        return group.commands[self.name]


class _Commands(MutableMapping[str, Any]):
    """The commands of verbs by name, each built on first access."""

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self._built: dict[str, Any] = dict.fromkeys((one.name for one in verbs), None)
        self._verbs = {one.name: one for one in verbs}

    def __getitem__(self, name: str) -> Any:
        if self._built[name] is None:
            self._built[name] = self._verbs[name].built()
        return self._built[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._built[name] = command

    def __delitem__(self, name: str) -> None:
        del self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._built)

    def __len__(self) -> int:
        return len(self._built)


class LazyVerbs(TyperGroup):
    """A command group whose verbs come from a table, under headings in the help."""

    GROUPS: ClassVar[Mapping[str, Sequence[Verb]]] = {}

    def __init__(self, **more: Any) -> None:
        super().__init__(**{**more, "commands": None})
        self.commands = _Commands([verb for verbs in self.GROUPS.values() for verb in verbs])

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the verbs, in the order of the table."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the help's list of verbs without importing them."""
        width = max(map(len, self.commands))
        for heading, verbs in self.GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(verb.name.ljust(width), verb.told) for verb in verbs])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the verb that is called. For one that people guess, fail with the verbs that do what they mean."""
        meant = [verb for verbs in self.GROUPS.values() for verb in verbs if args[0] in verb.guesses.split()]
        if meant and args[0] not in self.commands:
            told = "; ".join(f"`spar {verb.name}`: {verb.told.rstrip('.')}" for verb in meant)
            ctx.fail(f"There is no verb {args[0]}. {told}.")
        return super().resolve_command(ctx, args)
