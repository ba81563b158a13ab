"""Filters on the command line: a dash negates a filter term, and options stay options."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from connectors.paper import Paper
from spar_tui.cli.lists.line_template import LineTemplate, line_template
from spar_tui.cli.options.plain_help import PlainCommand, PlainHelp
from spar_tui.errors import UsageError
from spar_tui.phrases import papers_text

if TYPE_CHECKING:
    from cache.conditions.filters import Filter, FilterScope
    from cache.conditions.orders import NamedOrder

T = TypeVar("T")

FormatOption = Annotated[
    str | None,
    "--format TEMPLATE",
    r"Print one line per paper by TEMPLATE: '{key}\t{year}\t{title}'. An unknown field lists all fields.",
]
SortOption = Annotated[
    str | None,
    "--sort NAME",
    (
        "saved (last saved first), year, title, author, rating, citations, found (newest "
        "first), or relevance if words are searched in the library."
    ),
]
RecordSortOption = Annotated[str | None, "--sort NAME", "year (newest first), title, author or citations."]
ReverseFlag = Annotated[bool, "--reverse", "Reverse the order. Papers without a value stay last."]
LimitOption = Annotated[int | None, "--limit N", "How many to list (1 or more)."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFlags:
    """The options of every verb that lists papers, saved or not: their order, and a template for their lines. Raises
    `UsageError` for an unknown order, and for `--reverse` without `--sort`."""

    sort: RecordSortOption = None
    reverse: ReverseFlag = False
    template: FormatOption = None

    def __post_init__(self) -> None:
        record_order(self.sort, self.reverse)

    @property
    def order(self) -> "NamedOrder | None":
        """Return the order of `--sort`; None to keep the list's own."""
        return record_order(self.sort, self.reverse)

    def lines(self, fields: Sequence[str], as_json: bool, as_jsonl: bool = False) -> LineTemplate | None:
        """Return the template of `--format`, with the fields `fields`. Raises `UsageError`, also if JSON is
        requested too."""
        return lines_of(self.template, fields, as_json, as_jsonl)


class FilterCommand(PlainCommand):
    """A verb with a filter, in which `-word` and `-is:read` are negated terms, whatever their first letter."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # typer's own
        return super().parse_args(ctx, words_last(self.params, args))


class FilterGroup(PlainHelp, TyperGroup):
    """A verb with a filter and verbs of its own: their names are not filter words, except after `--`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # typer's own
        if first_word(self.params, args) not in self.commands:
            ctx.allow_interspersed_args, args = True, words_last(self.params, args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]  # typer's own
        """Return all parameters, but not the filter's words before a verb of its own, which they would consume."""
        params = super().get_params(ctx)
        words = ctx.command is self and ctx.allow_interspersed_args
        return params if words else [param for param in params if param.param_type_name != "argument"]


def first_word(params: Sequence[Any], args: Sequence[str]) -> str | None:
    """Return the first of `args` that is neither an option nor its value; None after `--`, where all are words."""
    flags, rest = _flags(params), iter(args)
    for raw in rest:
        if raw == "--":
            return None
        if flags.get(raw):
            next(rest, None)
        elif not raw.startswith("-"):
            return raw
    return None


def words_last(params: Sequence[Any], args: Sequence[str]) -> list[str]:
    """Return `args` with negated words moved behind `--`, so that they are not parsed as options."""
    flags, rest = _flags(params), iter(args)
    others: list[str] = []
    words: list[str] = []
    for raw in rest:
        if raw == "--":
            words += rest
        elif flags.get(raw):
            others += [raw, *([value] if (value := next(rest, None)) is not None else [])]
        elif flags.get(raw[:2]) and raw[2:].isdecimal():  # -n3
            others.append(raw)
        elif raw.startswith("-") and not raw.startswith("--") and raw not in flags and raw != "-h":
            words.append(raw)
        else:
            others.append(raw)
    return [*others, *(["--", *words] if words else [])]


def _flags(params: Sequence[Any]) -> dict[str, bool]:
    """Return the names of all options among `params`, each with whether a value follows."""
    return {name: not getattr(param, "is_flag", True) for param in params for name in param.opts}


def filter_of(words: Sequence[str], scope: "FilterScope") -> "Filter":
    """Parse `words` as a filter in `scope`. Raises `UsageError` if they are not valid."""
    from cache.conditions.filters import parsed

    condition = parsed(" ".join(words), scope)
    if condition.problems:
        raise UsageError(f"{'; '.join(condition.problems)}.")
    return condition


def order_of(name: str | None, usual: str, reverse: bool, allowed: Sequence[str]) -> "NamedOrder":
    """Return the order called `name`, or the `usual` one. Raises `UsageError` if it is not among the `allowed`."""
    from cache.conditions.orders import named

    try:
        order = named(name or usual, reverse)
    except KeyError:
        order = None
    if order is None or order.order.name not in allowed:
        raise UsageError(f"--sort: unknown order {name!r}; choose from {', '.join(allowed)}.")
    return order


def record_order(name: str | None, reverse: bool) -> "NamedOrder | None":
    """Return the order that `--sort` names, for papers that need not be saved; None to keep the list's own order.

    Raises `UsageError` for an unknown order, and for `--reverse` without `--sort`.
    """
    from cache.conditions.orders import OF_RECORDS

    if name is None and reverse:
        raise UsageError("--reverse needs --sort.")
    return order_of(name, "", reverse, OF_RECORDS) if name is not None else None


def in_order(among: Iterable[T], order: "NamedOrder | None", paper_of: Callable[[T], Paper]) -> list[T]:
    """Return `among` in `order`, by the records of their papers; unchanged if there is no order."""
    from cache.conditions.orders import ordered, sortable

    if order is None:
        return list(among)
    return ordered(among, order.order.name, lambda item: sortable(paper_of(item)), order.reverse)


def wider_hint(condition: "Filter", count: "Callable[[Filter], int]") -> str:
    """Say how many papers the beginning of a name finds, if any: "venue:nat* finds 3 papers"."""
    numbers = ((wider, count(wider)) for wider in condition.begun)
    return next((f"{wider} finds {papers_text(number)}" for wider, number in numbers if number), "")


def lines_of(template: str | None, fields: Sequence[str], as_json: bool, as_jsonl: bool = False) -> LineTemplate | None:
    """Return the template of `--format`, if there is one. Raise `UsageError`, also if JSON is requested too."""
    if template is None:
        return None
    if as_json or as_jsonl:
        raise UsageError(f"--format and {'--json' if as_json else '--jsonl'} cannot be combined; choose one.")
    return line_template(template, fields)
