"""Choose sources: those strong in the question's field, and always one that covers all fields (SPAR §3.2)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import reckons
from agents.builtin.question_parsing.phrases import fields, spoken_for
from agents.builtin.ranking.word_vectors import is_known, likely_terms, vector
from agents.builtin.text.terms import terms
from connectors.identifiers import parse_identifier
from connectors.registry import SOURCES
from connectors.spec import Scope

if TYPE_CHECKING:
    from agents.builtin.question_parsing.parsed_question import ParsedQuestion


TABLE = "source_need.npz"
"""The file with the regression. `sources`: names separated by line feeds; `topics`: a row of features each, in steps of
`STEP`; `shares`: what a topic adds to the need of each source if the question is like it; `usual`: the basic need."""
STEP = 1 / 127
DEGREE = 6
"""Degree of the polynomial kernel."""
NEEDED = 0.41
"""Minimum need of a source, from 0 to 1; sources below are left out."""


class SourceNeed(NamedTuple):
    """The fitted regression, with the names in the file."""

    sources: tuple[str, ...]
    topics: "np.Floats32"
    shares: "np.Floats32"
    usual: "np.Floats32"


@reckons
def left_out(text: str) -> frozenset[str]:
    """Return the sources that a question with the words of `text` surely does not need; empty if no word is known."""
    row, table = features(text), _source_need()
    if row is None:
        return frozenset()
    needs: np.Floats32 = table.usual + likeness(row, table.topics) @ table.shares
    return frozenset(source for source, need in zip(table.sources, needs, strict=True) if need < NEEDED)


def learned() -> frozenset[str]:
    """Return the sources that `left_out` can judge."""
    return frozenset(_source_need().sources)


def features(text: str) -> "np.Floats32 | None":
    """Return the features of a question: the vector of `text`, and the share of each of `fields()`; None if no word is
    known."""
    counts = Counter(terms(text))
    meaning = vector(counts) * sum(map(is_known, counts)) ** 0.5
    for term in counts:
        meaning += 0 if is_known(term) else vector(dict.fromkeys(likely_terms(term), 1))
    meaning /= np.linalg.norm(meaning) or 1
    shares = defaultdict[str, float](float)
    for branch, score in spoken_for(text).items():
        shares[branch.split(":")[0]] += score
    if not meaning.any() and not shares:
        return None
    total = 2 * (sum(shares.values()) + 1)
    return np.array([*meaning, *(shares[field] / total for field in fields())], np.float32)


def likeness(rows: "np.Floats32", labels: "np.Floats32") -> "np.Floats32":
    """Return the kernel between the features of questions."""
    kernel: np.Floats32 = ((1 + rows @ labels.T) / np.float32(2)) ** DEGREE
    return kernel


@cache
def _source_need() -> SourceNeed:
    with files("agents.builtin.question_parsing.fields").joinpath(TABLE).open("rb") as file, np.load(file) as arrays:
        sources = tuple(arrays["sources"].tobytes().decode().split("\n"))
        return SourceNeed(sources, arrays["topics"] * np.float32(STEP), arrays["shares"], arrays["usual"])


def choose_sources(reading: "ParsedQuestion", available: Sequence[str]) -> dict[str, str]:
    """Return the sources of `available` worth asking, each with the reason in a short sentence, in their order.

    Never empty unless `available` is. Sources that the person added are always asked.
    """
    by_identifier = any(map(_scheme, reading.papers))  # titles and people may belong to any field
    unneeded = left_out(reading.subject) if reading.subject else learned() if by_identifier else frozenset()
    reasons = {name: reason for name in available if (reason := _reason(reading, name, name in unneeded))}
    return reasons or dict.fromkeys(available, "No source that fits the question better is available.")


def only_for_named_papers(name: str) -> bool:
    """Whether a source is only useful if a paper is named, because its search always finds something."""
    return name in SOURCES and SOURCES[name].scope == Scope(named_paper=SOURCES[name].scope.named_paper)


def _reason(reading: "ParsedQuestion", name: str, is_unneeded: bool) -> str | None:
    if name not in SOURCES:
        return "It was added to the sources and is always asked."
    scope, field = SOURCES[name].scope, (reading.domain or "").split(":")[0]
    schemes = SOURCES[name].schemes
    paper_schemes = [_scheme(paper) for paper in reading.papers]
    reasons = (
        (scope.always, True),
        # A DOI says nothing about the source of a paper.
        (scope.own_identifier, any(scheme in schemes and scheme != "doi" for scheme in paper_schemes)),
        (scope.named_paper, any(not scheme or not schemes or scheme in schemes for scheme in paper_schemes)),
        (scope.by_subject, not is_unneeded),
        (scope.unclear_field, not field),
        (scope.vague_question, reading.needs_refinement),
        (scope.fields.get(field, "").format(field=field), True),
    )
    return next((reason for reason, holds in reasons if reason and holds), None)


def _scheme(paper: str) -> str:
    """Return the scheme of a paper named by an identifier; "" if it is named by its title."""
    name = parse_identifier(paper) if " " not in paper else None
    return name.scheme if name else ""
