"""Options that every verb has: short names, and the amount of output."""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import typer
from typer.models import OptionInfo

from spar_tui.cli.options.completion import completing
from spar_tui.cli.options.plain_help import PlainCommand
from spar_tui.errors import UsageError
from spar_tui.terminal import DASH, TELLING

SHORT = {"--limit": "-n", "--quiet": "-q", "--verbose": "-v", "--json": "-j", "--output": "-o"}
"""The short names of options, in all verbs."""

OUTPUT = "output"
"""The parameter for the output file; with `-` it counts as not given."""

_NEEDED = re.compile(r"With (--[\w-]+(?: or --[\w-]+)*)\b")
"""The beginning of the help of an option that has a meaning only beside one of others."""
_RANGE = re.compile(r"\((\d+) (?:to (\d+)|or more)[;)]")
"""The allowed numbers, in the help of an option."""

_Quiet = Annotated[bool, "--quiet", "Print only the answer, errors, and what was left out."]
_Verbose = Annotated[bool, "--verbose", "Report each step on standard error, as in the log."]


class Verbs(typer.Typer):
    """A group of verbs that all have the usual options."""

    def command(self, *arguments: Any, **more: Any) -> Callable[[Any], Any]:
        more["cls"] = more.get("cls") or PlainCommand
        register = super().command(*arguments, **more)
        return lambda function: (register(with_usual_options(function)), function)[1]

    def callback(self, *arguments: Any, **more: Any) -> Callable[[Any], Any]:
        register = super().callback(*arguments, **more)
        return lambda function: (register(with_usual_options(function)), function)[1]


def with_usual_options(function: Callable[..., object]) -> Callable[..., object]:
    """Return `function` with short option names, `--quiet` and `--verbose`. A parameter that is a dataclass becomes
    one option per field. An option whose help begins with "With --other" is refused without it, and a number outside
    a range in the help, such as (1 to 9)."""
    signature = inspect.signature(function, eval_str=True)
    groups: dict[str, Any] = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
        if is_dataclass(parameter.annotation)
    }
    name = function.__name__.strip("_")

    @wraps(function)
    def verb(*, quiet: bool = False, verbose: bool = False, **values: Any) -> object:
        TELLING.quiet, TELLING.verbose = TELLING.quiet or quiet, TELLING.verbose or verbose
        if TELLING.quiet and TELLING.verbose:
            raise UsageError("--quiet and --verbose cannot be combined; choose one.")
        TELLING.verb = name
        if values.get(OUTPUT) == DASH:
            values[OUTPUT] = signature.parameters[OUTPUT].default
        for need in needs:
            if values.get(need.parameter, need.default) != need.default and not any(map(values.get, need.others)):
                raise UsageError(need.sentence)
        for bounds in ranges:
            bounds.check(values.get(bounds.parameter))
        for group, kind in groups.items():
            values[group] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        return function(**values)

    usual = [
        inspect.Parameter(flag, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind)
        for flag, kind in (("quiet", _Quiet), ("verbose", _Verbose))
    ]
    each = [
        inspect.signature(groups[parameter.name], eval_str=True).parameters.values()
        if parameter.name in groups
        else [parameter]
        for parameter in signature.parameters.values()
    ]
    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for some in each for parameter in some]
    parameters = [parameter.replace(annotation=_usual(parameter, name)) for parameter in (*own, *usual)]
    needs, ranges = list(_needs(parameters)), list(_ranges(parameters))
    verb.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # which inspect reads
    verb.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return verb


class _OptionNeed(NamedTuple):
    """A parameter that needs one of `others` unless it has its default, and the message without."""

    parameter: str
    default: Any
    others: Sequence[str]
    sentence: str


def _needs(parameters: Sequence[inspect.Parameter]) -> Iterator[_OptionNeed]:
    options = list(_options(parameters))
    owners = {flag: parameter.name for parameter, option in options for flag in option.param_decls or ()}
    for parameter, option in options:
        if needed := _NEEDED.match(option.help or ""):
            others = [owners[other] for other in needed[1].split(" or ")]
            yield _OptionNeed(parameter.name, parameter.default, others, f"{_flag(option)} needs {needed[1]}.")


class _Range(NamedTuple):
    """The range of a number; `most` is None for no maximum."""

    parameter: str
    flag: str
    least: int
    most: int | None

    def check(self, number: object) -> None:
        """Raise `UsageError` for a number outside the range."""
        if isinstance(number, int) and not (self.least <= number and (self.most is None or number <= self.most)):
            bounds = f"{self.least} or more" if self.most is None else f"from {self.least} to {self.most}"
            raise UsageError(f"{self.flag} must be {bounds}.")


def _ranges(parameters: Sequence[inspect.Parameter]) -> Iterator[_Range]:
    for parameter, option in _options(parameters):
        if bounds := _RANGE.search(option.help or ""):
            yield _Range(parameter.name, _flag(option), int(bounds[1]), int(bounds[2]) if bounds[2] else None)


def _options(parameters: Sequence[inspect.Parameter]) -> Iterator[tuple[inspect.Parameter, OptionInfo]]:
    for parameter in parameters:
        for option in get_args(parameter.annotation)[1:]:
            if isinstance(option, OptionInfo):
                yield parameter, option


def _flag(option: OptionInfo) -> str:
    return next(flag for flag in option.param_decls or () if flag.startswith("--"))


def _usual(parameter: inspect.Parameter, verb: str) -> Any:
    """Return the annotation of a verb's parameter for typer, with its short name, if any, and its completer.

    `Annotated[kind, "--name METAVAR", "help"]` is an option; without a name it has that of the parameter.
    `Annotated[kind, "<METAVAR>", "help"]` is an argument."""
    if get_origin(parameter.annotation) is not Annotated:
        return parameter.annotation
    kind, *notes = get_args(parameter.annotation)
    info, names = copy(notes[-1]), []
    declaration = " ".join(notes[:-1])
    if declaration.startswith("<"):
        info = typer.Argument(metavar=declaration.strip("<>"), help=info, show_default=False)
    elif isinstance(info, str):
        words = declaration.split()
        names = [word for word in words if word.startswith("-")] or [f"--{parameter.name.replace('_', '-')}"]
        metavar = next((word for word in words if word not in names), None)
        info = typer.Option(..., *filter(None, map(SHORT.get, names)), *names, metavar=metavar, help=info)
        if parameter.name == OUTPUT:
            info.help = f"{info.help} With - to standard output."
            info.callback = _refuse_empty
    if info.autocompletion is None:
        info.autocompletion = completing(verb, names, info.metavar)
    return Annotated[kind, info]


def _refuse_empty(ctx: typer.Context, value: str | None) -> str | None:
    """Return the name of the output file. Raises `UsageError` if an empty one was given; as default it is none."""
    source = ctx.get_parameter_source(OUTPUT)
    if value == "" and source and source.name == "COMMANDLINE":
        raise UsageError("the FILE of --output is empty; name one, or - for standard output.")
    return value
