"""The arguments of the tool `filter`, made from the table of conditions."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, create_model

from agents.tools.tool import Arguments
from cache.conditions.filters import Filter, filter_by
from cache.conditions.table import ROWS, Condition, ToolArgument
from cache.conditions.values import DATES, DAY_PATTERN


def _as_date(value: object) -> object:
    return str(value) if isinstance(value, int) else value


Day = Annotated[str, BeforeValidator(_as_date), Field(pattern=DAY_PATTERN)]
"""A date as precise as known: 2023, 2023-05, 2023-05-17."""
Year = Annotated[str, BeforeValidator(_as_date), Field(pattern=r"^[0-9]{4}$")]
Phrases = Annotated[tuple[Annotated[str, Field(max_length=300)], ...], Field(max_length=20)]
Papers = Annotated[tuple[Annotated[str, Field(max_length=500)], ...], Field(max_length=500)]


class FilterArguments(Arguments):
    """Hard conditions, an argument for each that a row of `cache.conditions.table` has; `except_papers` are left out
    whatever they are."""

    except_papers: Papers = Field((), description="Papers that are left out, whatever they are.")

    @property
    def given(self) -> dict[str, Any]:
        """The conditions that were given, by argument name."""
        return self.model_dump(exclude={"except_papers"}, exclude_defaults=True)

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases of the subject."""
        return tuple(self.given.get("words", ()))

    @property
    def wanted(self) -> Filter:
        """The conditions as a filter."""
        return filter_by(**self.given)

    @property
    def impossible(self) -> str:
        """Why no paper can meet the conditions; "" if one can."""
        return self.wanted.impossible


def _checked(group: dict[str, Any]) -> dict[str, Any]:
    given = FILTER_ARGUMENTS.model_validate(group).given
    if not given or not given.keys().isdisjoint({"any_of", "none_of"}):
        raise ValueError("a group has conditions, and no groups")
    return given


Groups = Annotated[tuple[Annotated[dict[str, Any], AfterValidator(_checked)], ...], Field(max_length=20)]


def _of_rows() -> dict[str, Any]:
    """Return the arguments of all conditions as pydantic fields: type, default and description."""
    rows: dict[str, list[tuple[Condition, ToolArgument]]] = {}
    for row in ROWS:
        for argument in row.arguments:
            rows.setdefault(argument.name, []).append((row, argument))
    return {
        name: (_type(*entries[0], [argument.value for _, argument in entries]), _default(entries))
        for name, entries in rows.items()
    }


def _type(row: Condition, argument: ToolArgument, values: Sequence[bool | int]) -> Any:
    if row.knows == "group":
        return Groups
    if row.type is None:
        return bool | None if isinstance(argument.value, bool) else Literal[*values] | None
    if argument.role in ("least", "most"):
        return Day | None if row.type is DATES else Annotated[int, Field(ge=0)] | None
    if row.type.choices:
        several: Any = tuple
        return several[Literal[*row.type.choices], ...]
    return tuple[Year, ...] if row.type is DATES else Phrases


_ROLES = {"each": "All of these. ", "any": "One of these. ", "none": "None of these. ", "least": "At least. ",
          "most": "At most. "}  # fmt: skip


def _default(entries: Sequence[tuple[Condition, ToolArgument]]) -> Any:
    [(row, argument), *_] = entries
    if argument.role in _ROLES:
        text = f"{_ROLES[argument.role]}{row.meaning}"
    else:
        text = " ".join(
            f"{json.dumps(tool_argument.value)}: {'' if tool_argument.role == 'is' else 'not: '}{row.meaning}"
            for row, tool_argument in entries
        )
    return Field(() if argument.role in ("each", "any", "none") else None, description=text)


FILTER_ARGUMENTS: type[FilterArguments] = create_model("FilterArguments", __base__=FilterArguments, **_of_rows())
"""`FilterArguments` with the arguments of all conditions in the table."""
