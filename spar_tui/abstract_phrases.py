"""The origin of an abstract, in a sentence."""

from collections.abc import Sequence

from agents.lookup.abstracts import AbstractFound


def abstract_sentence(outcome: AbstractFound) -> str:
    """Say where an abstract came from, or why there is none, by source."""
    if outcome.by:
        return f"The abstract came from {outcome.by}."
    sentences = (
        [f"{' and '.join(outcome.without)} {_has(outcome.without)} the paper without one"] if outcome.without else []
    )
    sentences += (
        [f"{' and '.join(outcome.unknown)} {_does(outcome.unknown)} not have the paper"] if outcome.unknown else []
    )
    sentences += [f"{source} failed ({why.rstrip('.')})" for source, why in outcome.silent]
    return (
        f"No abstract found: {'; '.join(sentences)}."
        if sentences
        else "No abstract found: no source in use can look up this paper."
    )


def _has(sources: Sequence[str]) -> str:
    return "has" if len(sources) == 1 else "have"


def _does(sources: Sequence[str]) -> str:
    return "does" if len(sources) == 1 else "do"
