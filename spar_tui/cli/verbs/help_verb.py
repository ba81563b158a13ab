"""`spar help`: the help of a verb."""

from typing import Annotated


def help_of(
    verb: Annotated[list[str] | None, "<VERB…>", "A command, such as search or history forget; default: all."] = None,
) -> object:
    """Show help for a command."""
    from spar_tui.cli.app import app

    result: object = app([*(verb or []), "--help"], prog_name="spar", standalone_mode=False)
    return result
