"""Whether two texts deny the same things, and name the same direction of change: what differs in it may say the
opposite, though all other words are alike."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from agents.builtin.text.terms import terms

_NEGATION = re.compile(
    r"\b(?:no|not(?!\s(?:only|just|merely)\b)|nor|neither|never|none|cannot|hardly|barely|scarcely|rarely|seldom|fail(?:s|ed)?|unable|little)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"[.;:!?()\n]|,\s|\b(?:but|although|though|whereas|while|however|yet)\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_SCOPE = 4
"""Terms behind a negation that it is about at most."""
_NEAR = 3
"""Terms on each side of a word of direction that tell what goes there."""
_UP = frozenset(
    terms("""increase rise raise high higher greater more longer gain improve enhance better up upregulate elevate
    elevation""")
)
_DOWN = frozenset(
    terms("""decrease fall drop low lower smaller less fewer shorter loss worsen impair worse down downregulate
    reduce reduction decline diminish attenuate""")
)


class _Clause(NamedTuple):
    """The terms of a clause, those that each of its negations is about, and those outside of every negation."""

    terms: frozenset[str]
    scopes: Sequence[frozenset[str]]
    asserted: frozenset[str]


def may_oppose(sentence: str, evidence: str) -> bool:
    """Whether `sentence` denies what `evidence` asserts, asserts what it denies, or turns its direction round, as far
    as their words tell: what seems so may still mean the same."""
    here, there = _clauses(sentence), _clauses(evidence)
    return _denies(here, there) or _denies(there, here, least=2) or _turned(sentence, evidence)


def _denies(clauses: Sequence[_Clause], others: Sequence[_Clause], least: int = 1) -> bool:
    """Whether a negation of `clauses` is about something that `others` only assert, in so many terms at `least`; the
    one that says most of the same denies nothing."""
    asserted = frozenset[str]().union(*(clause.asserted for clause in clauses))
    denied = frozenset[str]().union(*(scope for clause in others for scope in clause.scopes))
    there = denied.union(*(clause.asserted for clause in others))
    for clause in clauses:
        nearest = max((len(clause.terms & other.terms) for other in others), default=0)
        if nearest and any(other.scopes and len(clause.terms & other.terms) == nearest for other in others):
            continue
        for scope in clause.scopes:
            shared = (scope - asserted) & there
            if len(shared) >= least and not shared & denied:
                return True
    return False


def _turned(sentence: str, evidence: str) -> bool:
    """Whether the same, told by two words near it, goes up in one and down in the other, and never as it does there."""
    named = _pairs(sentence) & _pairs(evidence)
    for one, other in ((_UP, _DOWN), (_DOWN, _UP)):
        here, there = _beside(sentence, one, named), _beside(evidence, one)
        against = _beside(evidence, other, named)
        if any(max(_alike(near, against)) > max(1, *_alike(near, there)) for near in here):
            return True
    return False


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(terms(text)))


def _beside(text: str, direction: frozenset[str], named: Set[tuple[str, str]] = frozenset()) -> list[frozenset[str]]:
    """The terms around each word of a direction in its clause; those behind a “than” are marked: of what is higher than
    another, the other is lower. A word that is `named` with the one before it, as “weight gain”, has no direction."""
    around = []
    for clause in _split(text):
        before, *behind = _THAN.split(clause)
        words = [*terms(before), *(f"than {term}" for stretch in behind for term in terms(stretch))]
        around += [
            frozenset(words[max(0, position - _NEAR) : position + _NEAR + 1]) - direction
            for position, word in enumerate(words)
            if word in direction and named.isdisjoint(pairwise(words[max(0, position - 1) : position + 2]))
        ]
    return around


def _alike(near: frozenset[str], others: Sequence[frozenset[str]]) -> list[int]:
    return [0, *(len(near & other) for other in others)]


def _clauses(text: str) -> list[_Clause]:
    clauses = []
    for clause in _split(text):
        before, *behind = map(terms, _NEGATION.split(clause))
        scopes = [frozenset(stretch[:_SCOPE]) for stretch in behind]
        asserted = frozenset(before).union(*(stretch[_SCOPE:] for stretch in behind))
        clauses.append(_Clause(asserted.union(*scopes), scopes, asserted))
    return clauses


def _split(text: str) -> Iterator[str]:
    return (clause for clause in _PAUSE.split(text) if clause.strip())
