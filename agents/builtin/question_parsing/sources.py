"""Which sources to ask: those strong in the question's field, and always one that covers all fields (SPAR §3.2)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.builtin.question_parsing.fields.source_need import learned, left_out
from connectors.identifiers import parse_identifier
from connectors.registry import SOURCES
from connectors.spec import Scope

if TYPE_CHECKING:
    from agents.builtin.question_parsing.question import Reading


def choose_sources(reading: "Reading", available: Sequence[str]) -> dict[str, str]:
    """Those of `available` worth asking, each with the reason in a short sentence, in the order of `available`.

    Never empty unless `available` is. A source that is not in the registry was added by the person and is always asked.
    """
    by_identifier = any(map(_scheme, reading.papers))  # where a title or a person may be in any field
    unneeded = left_out(reading.subject) if reading.subject else learned() if by_identifier else frozenset()
    chosen = {name: reason for name in available if (reason := _reason(reading, name, name in unneeded))}
    return chosen or dict.fromkeys(available, "Nothing that suits the question better is available.")


def only_for_named_papers(name: str) -> bool:
    """Whether a source is of use only where a paper is named, for its search always finds something."""
    return name in SOURCES and SOURCES[name].scope == Scope(named_paper=SOURCES[name].scope.named_paper)


def _reason(reading: "Reading", name: str, is_unneeded: bool) -> str | None:
    if name not in SOURCES:
        return "It was added to the sources and is always asked."
    scope, field = SOURCES[name].scope, (reading.domain or "").split(":")[0]
    schemes = SOURCES[name].schemes
    named = [_scheme(paper) for paper in reading.papers]
    reasons = (
        (scope.always, True),
        # A DOI tells nothing of where a paper is to be found.
        (scope.own_identifier, any(scheme in schemes and scheme != "doi" for scheme in named)),
        (scope.named_paper, any(not scheme or not schemes or scheme in schemes for scheme in named)),
        (scope.by_subject, not is_unneeded),
        (scope.unclear_field, not field),
        (scope.vague_question, reading.needs_refinement),
        (scope.fields.get(field, "").format(field=field), True),
    )
    return next((reason for reason, holds in reasons if reason and holds), None)


def _scheme(paper: str) -> str:
    """The scheme of a paper that is named by an identifier; "" of one that is named by its title."""
    name = parse_identifier(paper) if " " not in paper else None
    return name.scheme if name else ""
