"""An author's name in the parts that bibliographies keep apart."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from connectors.paper import Author
from connectors.records.build import is_generation

OTHERS = {"literal": "others"}
"""As pandoc writes in CSL-JSON, and reads, that there are more authors."""
_NO_INITIALS = re.compile(r"(?:jr|sr|jnr|snr)\.?", re.IGNORECASE)
_GROUP_WORDS = frozenset(
    "agency association authority bureau collaboration commission committee company consortium corporation council"
    " department federation foundation inc. initiative institute investigators laboratory ministry network"
    " organisation organization panel project society team university".split()
)
_LINKING_WORDS = frozenset("and for of the &".split())
"""No person has one of these among the given names."""


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in parts, or a name that is kept whole (`literal`): a group, or a person with one name."""

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


@lru_cache(maxsize=10_000)  # the people of one field write many papers
def name_of(author: Author) -> Name:
    """The parts of `author`'s name; particles are the words in lower case before the family name.

    A generation is what the source tells as one. Some write it behind the family name; of what stands behind the given
    names only `Jr.` and `Sr.` can be no initials.
    """
    family, given = author.family.split(), author.given.split()
    if not given or _is_group(family, given):
        return Name(literal=author.name)
    suffix = author.suffix
    if not suffix and len(family) > 1:
        suffix = _suffix(family, is_generation)
    if not suffix and len(given) > 1:
        suffix = _suffix(given, lambda word: _NO_INITIALS.fullmatch(word) is not None)
    start = 0
    while start < len(family) - 1 and family[start][0].islower():
        start += 1
    given_names = " ".join(given).rstrip(",")
    return Name(" ".join(family[start:]).rstrip(","), given_names, " ".join(family[:start]), suffix)


def _suffix(words: list[str], is_one: Callable[[str], bool]) -> str:
    """The generation at the end, or before a comma at the beginning (`Jr., Martin`), which is taken out of `words`."""
    if is_one(words[-1]):
        return words.pop()
    if words[0].endswith(",") and is_generation(words[0].rstrip(",")):
        return words.pop(0).rstrip(",")
    return ""


def _is_group(family: list[str], given: list[str]) -> bool:
    """Whether a source has split a group's name as if it were a person's: `The LHCb` + `Collaboration`."""
    return family[-1].lower() in _GROUP_WORDS or not _LINKING_WORDS.isdisjoint(map(str.lower, given))
