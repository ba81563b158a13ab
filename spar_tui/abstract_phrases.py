"""Where an abstract came from, in a sentence."""

from collections.abc import Sequence

from agents.lookup.abstracts import AbstractFound


def abstract_sentence(found: AbstractFound) -> str:
    """Where an abstract came from, or why none came, source by source."""
    if found.by:
        return f"The abstract came from {found.by}."
    told = [f"{' and '.join(found.without)} {_knows(found.without)} the paper without one"] if found.without else []
    told += [f"{' and '.join(found.unknown)} {_does(found.unknown)} not know it"] if found.unknown else []
    told += [f"{source} failed ({why.rstrip('.')})" for source, why in found.silent]
    return f"No abstract came: {'; '.join(told)}." if told else "No abstract came: no source could be asked for it."


def _knows(sources: Sequence[str]) -> str:
    return "knows" if len(sources) == 1 else "know"


def _does(sources: Sequence[str]) -> str:
    return "does" if len(sources) == 1 else "do"
