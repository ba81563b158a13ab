"""Check what people type: questions, dates, names of papers."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from cache.corpus.place import CORPUS
from connectors.identifiers import Identifier, parse_identifier
from connectors.records.clean import clean_text
from connectors.registry import SOURCES, is_searchable
from spar_tui.errors import Failure, UsageError
from spar_tui.terminal import Style, answer_style, say, say_json

LONGEST_QUESTION = 2_000
MOST_PLACES = 1_000
"""The most papers that a range such as `@3-5` names."""
_PLACES = re.compile(r"@([0-9]{1,6})(?:[-–]@?([0-9]{1,6}))?")

JsonFlag = Annotated[bool, "--json", "Print one JSON object."]
PlainFlag = Annotated[bool, "--plain", "Plain text without colors or progress."]
OfflineFlag = Annotated[bool, "--offline", "Never use the network."]
StrictFlag = Annotated[bool, "--strict", "Exit with 4 if any source failed."]
EncodingOption = Annotated[
    str, "--encoding NAME", "The file's encoding, such as cp1250; by default detected for each entry."
]
SourceOption = Annotated[
    list[str] | None, "--source NAME", f"Ask this live source only (repeat for more): {', '.join((*SOURCES, CORPUS))}."
]
SearchedOption = Annotated[
    list[str] | None,
    "--source NAME",
    f"Ask this live source only (repeat for more): {', '.join((*filter(is_searchable, SOURCES), CORPUS))}.",
]
"""Like `SourceOption`, for sources that can be searched."""
SinceOption = Annotated[str | None, "--since YYYY[-MM[-DD]]", "Published on this date or later."]
UntilOption = Annotated[str | None, "--until YYYY[-MM[-DD]]", "Published on this date or earlier."]
JsonlFlag = Annotated[bool, "--jsonl", "Print the events as they happen, one JSON line each."]
NoModelFlag = Annotated[bool, "--no-model", "Use no language model."]
SecondsOption = Annotated[float | None, "--seconds S", "Finish after S seconds with the results so far."]
CallsOption = Annotated[int | None, "--calls N", "Ask the model at most N times."]
UsdOption = Annotated[float | None, "--usd X", "Spend at most X USD on the model."]
SeedOption = Annotated[int | None, "--seed N", "Seed of all random choices (default 0)."]
QuestionWords = Annotated[list[str] | None, "<QUESTION>", "What you want to know, in plain words."]
PaperArgument = Annotated[
    str,
    "<PAPER>",
    (
        "A DOI, arXiv id, PMID, s2:…, openalex:W…, any of their URLs, a citation key of the shelf, or @3: the "
        "third paper of the list shown last."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFlags:
    """How a verb prints its answer: as one JSON object, or as text."""

    as_json: JsonFlag = False
    plain: PlainFlag = False

    def say(self, value: object, lines: Callable[[Style], Iterable[str]]) -> None:
        """Print `value` as JSON, or else the `lines` in the style of the terminal."""
        if self.as_json:
            say_json(value)
        else:
            for line in lines(answer_style(self.plain)):
                say(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFlags(OutputFlags):
    """The options of every verb that carries on a run: resources, budgets and output. Raises `UsageError` for
    options that exclude each other, and for invalid budgets."""

    no_model: NoModelFlag = False
    calls: CallsOption = None
    seconds: SecondsOption = None
    usd: UsdOption = None
    seed: SeedOption = None
    offline: OfflineFlag = False
    as_jsonl: JsonlFlag = False

    def __post_init__(self) -> None:
        if self.as_json and self.as_jsonl:
            raise UsageError("--json and --jsonl cannot be combined; choose one.")
        check_budgets(self.calls, self.usd, self.seconds)

    @property
    def bounds(self) -> dict[str, Any]:
        """Return the seed and the budgets under the option names of all kinds of runs."""
        return {"seed": self.seed or 0, "calls": self.calls, "usd": self.usd, "seconds": self.seconds}


def joined(words: Sequence[str] | None) -> str | None:
    """Return a text that may be typed without quotes; None if it was left out."""
    return " ".join(words) if words else None


def question_of(raw: str, example: str = 'spar search "sparse retrieval"') -> str:
    """Return the cleaned question. Raises `UsageError`, with an example of a good one, if it is empty or too long."""
    question = clean_text(raw, LONGEST_QUESTION * 20)
    if not any(character.isalnum() for character in question):
        raise UsageError(f"the question has no words; ask something like: {example}.")
    if len(question) > LONGEST_QUESTION:
        raise UsageError(f"the question has {len(question):,} characters; the limit is {LONGEST_QUESTION:,}.")
    return question


def refuse_empty(values: Mapping[str, str | None]) -> None:
    """Raise `UsageError` if an option of `values`, by flag, is empty, as an unset shell variable is."""
    if empty := next((flag for flag, value in values.items() if value == ""), None):
        raise UsageError(f"{empty} is empty; give it a value or leave it out.")


def need_extra(verb: str) -> None:
    """Raise `Failure`, with the command that installs it, if the extra of `verb`, which has its name, is missing."""
    from spar_tui.installation.commands import adding_extra

    if command := adding_extra(verb):
        raise Failure(f"spar {verb} needs an extra package; install it with: {command}")


def check_tags(tags: Sequence[str]) -> None:
    """Raise `UsageError` if a tag is empty, as an unset shell variable is."""
    if not all(clean_text(tag, 1) for tag in tags):
        raise UsageError("a tag is empty; give it a name.")


def check_operators(question: str) -> None:
    """Raise `UsageError`, with the position, if a question with operators is not a valid expression."""
    from connectors.query.expression import ExpressionError, expression_of

    try:
        expression_of(question)
    except ExpressionError as error:
        start = max(0, error.column - 40)
        pointer = f"    {' ' * (error.column - 1 - start)}^"
        raise UsageError(
            f"the query cannot be read: {error}.", f"    {question[start : start + 72]}", pointer
        ) from None


def own_queries(raws: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Parse `--query SOURCE=TEXT`: the texts that sources are sent unchanged. Raises `UsageError`."""
    queries: dict[str, str] = {}
    for raw in raws:
        name, _, text = raw.partition("=")
        text = " ".join(clean_text(text, LONGEST_QUESTION).split())
        if not any(map(str.isalnum, text)):
            raise UsageError(f"--query {raw!r} needs a source and a text: --query pubmed='vaping[tiab]'.")
        [source] = searched_names([name])
        if source in queries:
            raise UsageError(f"--query names {source} twice; join the texts, as in '(…) OR (…)'.")
        queries[source] = text
    return tuple(queries.items())


def first_day(raw: str | None, flag: str = "--since") -> date | None:
    """Parse the value of `flag`: the first day of a year, month or day."""
    return _days(flag, raw)[0] if raw is not None else None


def _days(flag: str, raw: str) -> tuple[date, date]:
    match = re.fullmatch(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?", raw.strip())
    try:
        if not match:
            raise ValueError
        year, month, day = (int(part) if part else None for part in match.groups())
        assert year is not None
        first = date(year, month or 1, day or 1)
        return first, date(year, month or 12, day or monthrange(year, month or 12)[1])
    except ValueError:
        raise UsageError(f"{flag} {raw!r} is not a date; write YYYY, YYYY-MM or YYYY-MM-DD.") from None


def dates_of(since: str | None, until: str | None) -> tuple[date | None, date | None]:
    """Parse `--since` and `--until`. Raises `UsageError`, also if no day is between them."""
    first, last = first_day(since), _days("--until", until)[1] if until is not None else None
    if first and last and first > last:
        raise UsageError(f"--since {first} is after --until {last}; swap them.")
    return first, last


def only_one(values: Mapping[str, object]) -> str | None:
    """Return the one flag in `values` with a value; None if there is none. Raises `UsageError` for two."""
    flags = [flag for flag, value in values.items() if value]
    if len(flags) > 1:
        raise UsageError(f"{flags[0]} and {flags[1]} cannot be combined; choose one.")
    return flags[0] if flags else None


def check_budgets(calls: int | None, usd: float | None, seconds: float | None) -> None:
    """Raise `UsageError` for invalid budgets."""
    for flag, value in (("--calls", calls), ("--usd", usd)):
        if value is not None and not 0 <= value < 1e9:
            raise UsageError(f"{flag} must be 0 or more.")
    if seconds is not None and not 0 < seconds < 1e6:
        raise UsageError("--seconds must be more than 0.")


def list_exit_code(results: bool, failures: bool, strict: bool, unanswered: bool) -> int:
    """Return the exit code of a verb that lists papers: 1 if nothing is listed because no source answered, 4 with
    `--strict` if some source failed, 3 if all answered and nothing is listed."""
    if unanswered and not results:
        return 1
    return 4 if strict and failures else 0 if results or failures else 3


def refuse_late(flags: Mapping[str, object], run: str) -> None:
    """Raise `UsageError` for options, by flag, that cannot change `run` after its beginning; None and False mean
    "not given"."""
    if late := [flag for flag, value in flags.items() if value is not None and value is not False]:
        raise UsageError(f"{late[0]} cannot change {run}; leave it out or run it again.")


def source_names(raws: list[str]) -> tuple[str, ...]:
    """Return the live sources called `raws`, once each. Raises `UsageError` for an unknown one."""
    names = {alias: spec.name for spec in SOURCES.values() for alias in (spec.name, *spec.aliases)} | {CORPUS: CORPUS}
    aliases = [name.strip().lower() for name in raws]
    if unknown := [name for name in aliases if name not in names]:
        raise UsageError(f"unknown source {unknown[0]!r}; choose from {', '.join((*SOURCES, CORPUS))}.")
    return tuple(dict.fromkeys(names[name] for name in aliases))


def searched_names(raws: list[str]) -> tuple[str, ...]:
    """Like `source_names`. Raises `UsageError` also for a source that cannot be searched."""
    names = source_names(raws)
    if unfit := next((name for name in names if not is_searchable(name)), None):
        raise UsageError(f"{unfit} cannot be searched: it only looks up DOIs, for spar check.")
    return names


def places_of(raw: str) -> range:
    """Return the positions that `@3` or `@3-5` names; none if `raw` is anything else. Raises `UsageError` for more than
    `MOST_PLACES`."""
    match = _PLACES.fullmatch(raw.strip())
    positions = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
    if len(positions) > MOST_PLACES:
        raise UsageError(f"{raw} names {len(positions):,} papers; the limit is {MOST_PLACES:,}.")
    return positions


def place_of(raw: str) -> int | None:
    """Return the position in `@3`; None if `raw` is anything else."""
    positions = places_of(raw)
    return positions[0] if len(positions) == 1 else None


def identifier_of(raw: str) -> Identifier:
    """Parse `raw` as an identifier. Raises `UsageError` if it is none."""
    if identifier := parse_identifier(raw):
        return identifier
    raise UsageError(
        f"{clean_text(raw, 80)!r} does not name a paper; give a DOI, arXiv id, PMID, s2:…, openalex:W…, their URL, "
        "a citation key of the shelf, or @3."
    )
