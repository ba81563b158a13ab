"""Which sources to ask: those strong in the question's field, and always one that covers all fields (SPAR §3.2)."""

from collections.abc import Sequence

from agents.builtin.question_parsing.question import Reading
from connectors.registry import SOURCES


def choose_sources(reading: Reading, available: Sequence[str]) -> dict[str, str]:
    """Those of `available` worth asking, each with the reason in a short sentence, in the order of `available`.

    Never empty unless `available` is. A source that is not in the registry was added by the person and is always asked.
    """
    chosen = {name: reason for name in available if (reason := _reason(reading, name))}
    return chosen or dict.fromkeys(available, "Nothing that suits the question better is available.")


def _reason(reading: Reading, name: str) -> str | None:
    if name not in SOURCES:
        return "It was added to the sources and is always asked."
    scope, field = SOURCES[name].scope, (reading.domain or "").split(":")[0]
    # A DOI tells nothing of where a paper is to be found.
    own = tuple(f"{scheme}:" for scheme in SOURCES[name].schemes if scheme != "doi")
    reasons = (
        (scope.always, True),
        (scope.own_identifier, any(paper.startswith(own) for paper in reading.papers)),
        (scope.named_paper, bool(reading.papers)),
        (scope.unclear_field, not field),
        (scope.vague_question, reading.needs_refinement),
        (scope.fields.get(field, "").format(field=field), True),
    )
    return next((reason for reason, holds in reasons if reason and holds), None)
