"""Verbs that are imported when called. A table has the help text of each, so that the overview imports none."""

from collections import Counter, UserDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from connectors.entry_points import loaded
from spar_tui.cli.options.usual_options import Verbs

_ROOM = "spar_tui.cli.verbs."
_NEAR = 0.3
"""Minimum cosine of a name and the help of a verb that does what the name means."""
_MOST = 3
"""Maximum number of verbs in an error message."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb. `location` is the location of its function, or of the group of its own verbs: "module:name", relative to
    the folder of verbs. `summary` is the first sentence of its help. `guesses` are names that people try instead."""

    name: str
    location: str
    summary: str
    guesses: str = ""
    cls: type[TyperCommand] | None = None

    def built(self) -> Any:
        """Import the module and return typer's command."""
        verb, alone = loaded(_ROOM + self.location), Verbs(rich_markup_mode=None, add_completion=False)
        if not isinstance(verb, typer.Typer):
            alone.command(self.name, cls=self.cls)(verb)
            return get_command(alone)
        alone.add_typer(verb, name=self.name)
        group = get_command(alone)
        assert isinstance(group, TyperGroup)
        return group.commands[self.name]

    @property
    def answer(self) -> str:
        """Return the verb and its summary, for an error message."""
        return f"`{f'spar {self.name}'.rstrip()}`: {self.summary.rstrip('.')}"

    def help_text(self) -> str:
        """Return all text of its help."""
        if not self.location:
            return self.summary
        command = self.built()
        own = getattr(command, "commands", {}).values()
        texts = [
            command.help,
            *(getattr(param, "help", "") for param in command.params),
            *(subcommand.help for subcommand in own),
        ]
        return " ".join(filter(None, texts))


class _Commands(UserDict[str, Any]):
    """The commands of verbs by name, each built on first access."""

    def __getitem__(self, name: str) -> Any:
        if isinstance(self.data[name], Verb):
            self.data[name] = self.data[name].built()
        return self.data[name]


class LazyVerbs(TyperGroup):
    """A command group whose verbs come from a table, under headings in the help."""

    GROUPS: ClassVar[Mapping[str, Sequence[Verb]]] = {}
    ALONE: ClassVar[Verb]
    """The command without a verb."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**{**more, "commands": None})
        self.commands = _Commands({verb.name: verb for verbs in self.GROUPS.values() for verb in verbs})

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the verbs, in the order of the table."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the help's list of verbs without importing them."""
        width = max(map(len, self.commands))
        for heading, verbs in self.GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(verb.name.ljust(width), verb.summary) for verb in verbs])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the verb that is called. For an unknown name, fail and suggest verbs."""
        name = args[0]
        if name not in self.commands:
            every = [*(verb for verbs in self.GROUPS.values() for verb in verbs), self.ALONE]
            guessed = [verb for verb in every if name in verb.guesses.split()]
            suggestions = guessed or nearest_verbs(name, every)
            if suggestions:
                text = "; ".join(verb.answer for verb in suggestions)
                ctx.fail(f"There is no verb {name}. {'' if guessed else 'Nearest: '}{text}.")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb. For an option that it lacks, fail and name similar options, or the verbs that have it."""
        try:
            return super().invoke(ctx)
        except TyperException as error:
            unknown = getattr(error, "option_name", "")

            if similar := getattr(error, "possibilities", ()):  # found with the dashes, which all options share
                bare = [option.lstrip("-") for option in similar]
                similar[:] = [f"--{name}" for name in get_close_matches(unknown.lstrip("-"), bare)]
            if unknown and not getattr(error, "possibilities", ("",)):
                options = {name: [*self.commands[name].params] for name in self.commands}
                having = [name for name, params in options.items() if any(unknown in param.opts for param in params)]
                if 0 < len(having) <= _MOST:
                    others = " and ".join(f"`spar {name}`" for name in having)
                    error.message += f". {others} {'have' if len(having) > 1 else 'has'} it"
            raise


def nearest_verbs(name: str, verbs: Sequence[Verb]) -> list[Verb]:
    """Return the verbs whose help is closest in meaning to `name`, closest first."""
    from agents.builtin.ranking.word_vectors import vector
    from agents.builtin.text.terms import terms

    query = vector(Counter(terms(name)))
    near = {}
    for verb in verbs if query.any() else ():
        sentence, whole = (vector(Counter(terms(f"{verb.name} {text}"))) for text in (verb.summary, verb.help_text()))
        near[verb.name] = float((sentence + whole) @ query) / 2
    matches = [verb for verb in verbs if near.get(verb.name, 0.0) >= _NEAR]
    return sorted(matches, key=lambda verb: -near[verb.name])[:_MOST]
