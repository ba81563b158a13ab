"""What a filter says: terms that must all hold, each as a value, and as the text that says the same."""

from dataclasses import dataclass
from typing import Literal, get_args

State = Literal["relevant", "included", "excluded", "later", "open", "unread", "read", "saved", "retracted"]
STATES: tuple[State, ...] = get_args(State)
OF_A_SEARCH: tuple[State, ...] = ("relevant", "included", "excluded", "later")
"""What its judge and the person's triage say of a paper; elsewhere nobody says it."""
NameField = Literal["venue", "author", "tag"]
NumberField = Literal["year", "cited"]
Text = Literal["fulltext"]
TEXTS: tuple[Text, ...] = get_args(Text)
Field = Literal["year", "cited", "venue", "author", "tag", "is", "in"]
FIELDS: tuple[Field, ...] = get_args(Field)


@dataclass(frozen=True, slots=True)
class Words:
    """Text that stands somewhere; `exact` was written in quotes, any other is a single word."""

    text: str
    exact: bool = False

    def __str__(self) -> str:
        return f'"{self.text}"' if self.exact else self.text


@dataclass(frozen=True, slots=True)
class Span:
    """A number that is known and lies from `least` to `most`; None is no bound, and one of them is there."""

    field: NumberField
    least: int | None
    most: int | None

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.field}:{self.least}"
        bounds = ("" if one is None else str(one) for one in (self.least, self.most))
        return f"{self.field}:{'..'.join(bounds)}"


@dataclass(frozen=True, slots=True)
class Named:
    """A part of the venue's or an author's name, or a tag or the beginning of one."""

    field: NameField
    text: str

    def __str__(self) -> str:
        return f'{self.field}:"{self.text}"' if " " in self.text else f"{self.field}:{self.text}"


@dataclass(frozen=True, slots=True)
class Is:
    """A state that a paper is in, or not."""

    state: State

    def __str__(self) -> str:
        return f"is:{self.state}"


@dataclass(frozen=True, slots=True)
class In:
    """That the text is kept; and words are looked for in it, and nowhere else."""

    text: Text

    def __str__(self) -> str:
        return f"in:{self.text}"


Test = Words | Span | Named | Is | In


@dataclass(frozen=True, slots=True)
class Term:
    """A test, or its opposite."""

    test: Test
    negated: bool = False

    def __str__(self) -> str:
        return f"{'-' * self.negated}{self.test}"


@dataclass(frozen=True, slots=True)
class Filter:
    """Terms that must all hold, and a sentence about each that was not understood and asks for nothing."""

    terms: tuple[Term, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def in_full_texts(self) -> bool:
        """Whether words are looked for in full texts."""
        return any(isinstance(term.test, In) and not term.negated for term in self.terms)

    @property
    def asks_of_full_texts(self) -> bool:
        """Whether a term asks anything of full texts, also that there be none: then the library alone can choose."""
        return any(isinstance(term.test, In) for term in self.terms)

    @property
    def words(self) -> tuple[Words, ...]:
        """The words and phrases that must stand there."""
        return tuple(term.test for term in self.terms if isinstance(term.test, Words) and not term.negated)

    def __str__(self) -> str:
        return " ".join(map(str, self.terms))
