"""What the stand-ins share: the corpus, the rules in force, and the list of breaches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from tests.services.corpus.search import index_of
from tests.services.corpus.works import Corpus
from tests.services.http.message import Reply, Request


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms under which the services work.

    `enforced` off stops judging rates, keys, budgets and courtesies; grammar is always judged. `scale` multiplies every
    waiting time of the rules. `keyless_refusals` is the share of keyless Semantic Scholar calls that its shared pool
    turns away. `unpaywall_copies` is the address of the free copy of a work, by its number.
    """

    enforced: bool = True
    scale: float = 1.0
    seed: int = 7
    s2_key: str = "s2-good-key"
    keyless_refusals: float = 0.0
    openalex_key: str = "oa-good-key"
    openalex_keyless_credits: int = 1000
    openalex_key_credits: int = 10_000
    openalex_shed_keyless_search: bool = False
    unpaywall_copies: str = "https://copies.invalid/{number}.pdf"
    ncbi_key: str = "ncbi-good-key"
    serper_key: str = "serper-good-key"
    serper_credits: int = 2500
    serpapi_key: str = "serpapi-good-key"
    serpapi_searches: int = 250


@dataclass
class Service:
    """One stand-in: `answer` says what the service says, and writes down each breach of its rules."""

    name: ClassVar[str]
    one_connection: ClassVar[bool] = False

    corpus: Corpus
    terms: Terms
    violations: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.index = index_of(tuple(self.corpus.works))
        self.reset()

    def reset(self) -> None:
        """Forget all rates and budgets."""

    def answer(self, request: Request) -> Reply:
        raise LookupError(request.path)

    def breach(self, sentence: str) -> None:
        self.violations.append(f"{self.name}: {sentence}")


def number(text: str | None, default: int) -> int | None:
    """A whole number from a parameter, the default when it is missing, None when it is no number."""
    if text is None or text == "":
        return default
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None
