"""Help of a verb that names its arguments as a person does, without the types and braces that typer adds."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


class PlainHelp:
    """Shows arguments by their names alone: `[PAPER]` is optional, `PAPER…` can be repeated."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line after the name of the verb."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]  # the command's
        names = {piece: _name(param) for param in _arguments(self, ctx) for piece in param.get_usage_pieces(ctx)}
        return [names.get(piece, piece) for piece in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, and the verbs of a group."""
        arguments = [(_name(param), param.get_help_record(ctx)[1]) for param in _arguments(self, ctx)]
        options = [param.get_help_record(ctx) for param in _params(self, ctx) if param.param_type_name == "option"]
        for title, rows in (("Arguments", arguments), ("Options", [row for row in options if row])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        if isinstance(self, TyperGroup):
            self.format_commands(ctx, formatter)


class PlainCommand(PlainHelp, TyperCommand):
    """A verb with plain help."""


def _name(argument: Any) -> str:
    name: str = argument.metavar or argument.name.upper()
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _params(command: Any, ctx: Any) -> list[Any]:
    return list(command.get_params(ctx))


def _arguments(command: Any, ctx: Any) -> list[Any]:
    return [param for param in _params(command, ctx) if param.param_type_name == "argument" and not param.hidden]
