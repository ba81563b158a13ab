"""Filters on the command line: words in which a dash negates, beside options in which it does not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from cache.filters.places import Place
    from cache.filters.terms import Filter

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="TEMPLATE",
        help=r"Print a line for each as TEMPLATE says: '{key}\t{year}\t{title}'; an unknown field names the known.",
    ),
]
LimitOption = Annotated[int | None, typer.Option("--limit", metavar="N", help="How many to list (1 or more).")]


class FilterCommand(TyperCommand):
    """A verb with a filter: `-word` and `-is:read` negate, whatever the letter that they begin with."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # typer's own
        return super().parse_args(ctx, self._words_last(args))

    def _words_last(self, args: Sequence[str]) -> list[str]:
        """`args` with negated words behind `--`, so that none is taken for an option."""
        flags = {name: not getattr(one, "is_flag", True) for one in self.params for name in one.opts}
        others: list[str] = []
        words: list[str] = []
        given = iter(args)
        for one in given:
            if one == "--":
                words += given
            elif flags.get(one):
                others += [one, *([value] if (value := next(given, None)) is not None else [])]
            elif one.startswith("-") and not one.startswith("--") and one not in flags and one != "-h":
                words.append(one)
            else:
                others.append(one)
        return [*others, *(["--", *words] if words else [])]


def filter_of(words: Sequence[str], place: "Place") -> "Filter":
    """The filter that `words` are at `place`. Raises `UsageError` for what is not understood."""
    from cache.filters.parsing import parsed

    wanted = parsed(" ".join(words), place)
    if wanted.problems:
        raise UsageError(f"{'; '.join(wanted.problems)}.")
    return wanted


def check_limit(limit: int | None, most: int | None = None) -> None:
    """Raises `UsageError` for a number of papers that is none."""
    if limit is not None and (limit < 1 or (most is not None and limit > most)):
        raise UsageError(f"--limit must be from 1 to {most}." if most else "--limit must be 1 or more.")


def check_one_form(as_json: bool, template: str | None, as_jsonl: bool = False) -> None:
    """Raises `UsageError` if an answer is wanted as JSON and by a template."""
    if template is not None and (as_json or as_jsonl):
        raise UsageError(f"--format and {'--json' if as_json else '--jsonl'} exclude each other; choose one.")
