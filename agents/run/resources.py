"""The resources of a run: sources, and judges of relevance."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING, Protocol

from agents.run.retrieval.full_texts import PageReader
from connectors.paper import Paper
from connectors.source import Source

if TYPE_CHECKING:
    from agents.llm.model import Model
    from agents.meaning.kept import KeptVectors


_SECRET = token_hex(16)
SOURCE_SECONDS = 10.0
"""Seconds after which the search reports a source as slow and goes on without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of every run: its live sources (None: unknown) and the seconds that each request to one may take, the
    seed of random choices, whether to use the person's language model, and budgets (None: no limit)."""

    sources: tuple[str, ...] | None = None
    source_seconds: float = SOURCE_SECONDS
    seed: int = 0
    model: bool = True
    calls: int | None = None
    usd: float | None = None
    seconds: float | None = None


class LabelledJudge(Protocol):
    """A judge that knows the correct labels, for benchmarks."""

    def score(self, paper: Paper) -> float:
        """The relevance of `paper` from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Sources: `live` over the network, `local` on this machine, `fallback` for when no other answers.

    `registries` only look up registered names, and are asked last. `pdf` reads the references of papers for which no
    source has them. Without a `model` all reasoning is built in; `embeddings` makes the vectors by which meanings are
    compared. `judge` replaces both ways of judging. `reader` is the person whose taste counts, if any
    (`agents.taste.context.ReaderContext`, which the kernel does not import). `interface` shows papers
    (`agents.tools.tool.Interface`), for runs that hand it results or use its tools. `run` is the stored run that uses
    these resources. `source_seconds` is how long to wait for sources in runs that another run begins. `full_texts` has
    the page texts of papers, for quotes. `secret` determines the ids and the order of words in prompts: the library's
    own, else one per process.
    """

    live: Mapping[str, Source] = field(default_factory=dict)
    local: Mapping[str, Source] = field(default_factory=dict)
    fallback: Mapping[str, Source] = field(default_factory=dict)
    model: "Model | None" = None
    judge: LabelledJudge | None = None
    pdf: Source | None = None
    reader: object | None = None
    embeddings: "KeptVectors | None" = None
    interface: object | None = None
    run: str | None = None
    source_seconds: float = SOURCE_SECONDS
    full_texts: "PageReader | None" = None
    registries: Mapping[str, Source] = field(default_factory=dict)
    secret: str = field(default=_SECRET, repr=False)

    @property
    def sources(self) -> dict[str, Source]:
        """All sources by name."""
        return {**self.local, **self.live, **self.fallback}
