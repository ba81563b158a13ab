"""What a run may use: the sources, and who judges."""

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
"""A source that has not answered by then is named, and the search goes on without it."""


class LabelledJudge(Protocol):
    """A judge that knows the answer, for benchmarks."""

    def score(self, paper: Paper) -> float:
        """The relevance of `paper` from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The sources at hand: `live` over the network, `local` on this machine, `fallback` for when nothing answers.

    `registries` know what is registered under a name, and nothing else: they are asked for it last, by name alone.
    `pdf` reads the references of papers that no source knows the references of. Without a `model` all reasoning is
    built in; by the vectors that `embeddings` make of texts, meanings are compared. `judge` replaces both ways of
    judging. `reader` is the person whose taste counts, where it does (`agents.taste.context.Reader`, which the kernel
    need not know). `face` is who shows papers to the person (`agents.tools.tool.Face`), where a run hands something to
    them or is handed tools by them. `run` is the run that uses all this, where it is kept. `source_seconds` is how long
    the person wants sources to be waited for, in runs that another begins. `full_texts` tells what the pages of papers
    say, which may be quoted. `secret` decides the ids and the order of words that a model sees: the library's own, else
    one of this process.
    """

    live: Mapping[str, Source] = field(default_factory=dict)
    local: Mapping[str, Source] = field(default_factory=dict)
    fallback: Mapping[str, Source] = field(default_factory=dict)
    model: "Model | None" = None
    judge: LabelledJudge | None = None
    pdf: Source | None = None
    reader: object | None = None
    embeddings: "KeptVectors | None" = None
    face: object | None = None
    run: str | None = None
    source_seconds: float = SOURCE_SECONDS
    full_texts: "PageReader | None" = None
    registries: Mapping[str, Source] = field(default_factory=dict)
    secret: str = field(default=_SECRET, repr=False)

    @property
    def sources(self) -> dict[str, Source]:
        """All of them by name."""
        return {**self.local, **self.live, **self.fallback}
