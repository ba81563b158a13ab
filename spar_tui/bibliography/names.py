"""Split an author's name into the parts that bibliographies distinguish."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from connectors.paper import Author
from connectors.records.build import author, author_from_name, is_generation

T = TypeVar("T")
OTHERS = {"literal": "others"}
"""The CSL-JSON entry with which pandoc marks that there are more authors."""
_OTHERS = re.compile(r"(?:(?:and|&)\s+)?others\.?|et\.?\s+al(?:ii|\.)?", re.IGNORECASE)
_NO_INITIALS = re.compile(r"(?:jr|sr|jnr|snr)\.?|2nd|3rd|[4-9]th", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in parts, or an undivided name (`literal`): a group, or a person with one name."""

    family: str = ""
    given: str = ""
    particle: str = ""
    suffix: str = ""
    literal: str = ""

    @property
    def surname(self) -> str:
        """The family name with its particle: `van der Waals`."""
        return self.literal or f"{self.particle} {self.family}".strip()

    @property
    def inverted(self) -> str:
        """`van der Waals, Johannes, Jr.`"""
        return ", ".join(filter(None, [self.surname, self.given, self.suffix]))

    @property
    def display(self) -> str:
        """`Johannes van der Waals Jr.`"""
        return " ".join(filter(None, [self.given, self.surname, self.suffix]))


ET_AL = Name(literal="et al.")
"""The last name of a list that does not name all."""


def is_others(name: object) -> bool:
    """Whether a name of CSL-JSON stands for further authors; the first name of a list never does."""
    if not isinstance(name, Mapping):
        return isinstance(name, str) and _OTHERS.fullmatch(name.strip()) is not None
    texts = [name.get(part) for part in ("family", "literal", "name") if name.get(part)]
    given_name = name.get("given") or ""
    return len(texts) == 1 and is_others(f"{given_name} {texts[0]}")


def without_others(people: Sequence[T]) -> tuple[list[T], bool]:
    """Return the people of a list of CSL-JSON, and whether there are more."""
    persons = [person for index, person in enumerate(people) if not (index and is_others(person))]
    return persons, len(persons) < len(people)


@lru_cache(maxsize=10_000)  # the same people write many papers of a field
def name_of(author: Author) -> Name:
    """Split `author`'s name; particles are the lowercase words before the family name.

    A generation is usually given by the source. Some sources put it after the family name; after given names only `Jr.`
    and `Sr.` are accepted, because others can be initials.
    """
    family, given_name = author.family.split(), author.given.split()
    if not given_name:
        return Name(literal=author.name)
    suffix = author.suffix
    if not suffix and len(family) > 1:
        suffix = _suffix(family, is_generation)
    if not suffix and len(given_name) > 1:
        suffix = _suffix(given_name, lambda word: _NO_INITIALS.fullmatch(word) is not None)
    start = 0
    while start < len(family) - 1 and family[start].lstrip("'’")[:1].islower():
        start += 1
    given_names = " ".join(given_name).rstrip(",")
    return Name(" ".join(family[start:]).rstrip(","), given_names, " ".join(family[:start]), suffix)


def _suffix(words: list[str], is_one: Callable[[str], bool]) -> str:
    """Remove and return the generation at the end of `words`, or before a comma at the start (`Jr., Martin`)."""
    if is_one(words[-1]):
        return words.pop()
    if words[0].endswith(",") and is_generation(words[0].rstrip(",")):
        return words.pop(0).rstrip(",")
    return ""


def authors_in_csl(people: Iterable[object]) -> Iterator[Author]:
    """Yield the people of a list of CSL-JSON that have a name; the list may also have authors already made."""
    for person in people:
        if isinstance(person, Author):
            yield person
            continue
        if not isinstance(person, Mapping):  # some programs write a name as text
            yield from [name] if (name := author_from_name(person)) else []
            continue
        texts = {name: str(text) for name, text in person.items() if isinstance(text, str | int)}
        family = " ".join(filter(None, map(texts.get, ("non-dropping-particle", "dropping-particle", "family"))))
        given = texts.get("given") if family else None
        full_name = family or texts.get("literal") or texts.get("name")
        if name := author(full_name, given, texts.get("ORCID"), texts.get("suffix")) or author_from_name(
            texts.get("given")
        ):
            yield name


def csl_name(name: Name) -> dict[str, str]:
    """Return a name as CSL has it, without unknown parts."""
    if name == ET_AL:
        return OTHERS
    if name.literal:  # who is called Others has only a given name, or would be read as further people
        return {"given" if is_others(name.literal) else "literal": name.literal}
    parts = {"family": name.family, "given": name.given, "non-dropping-particle": name.particle, "suffix": name.suffix}
    return {part: text for part, text in parts.items() if text}
