"""Whether two texts deny the same things, and name the same direction of change: what differs in it may say the
opposite, though all other words are alike."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.builtin.text.terms import terms

_NEGATION = re.compile(
    r"\b(?:no|not|nor|neither|never|none|cannot|hardly|fail(?:s|ed)?|unable|little)\b|n['’]t\b", re.IGNORECASE
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


class _Denied(NamedTuple):
    """The terms that each negation of a text is about, and all that stand outside of every negation."""

    scopes: list[frozenset[str]]
    asserted: frozenset[str]


def may_oppose(sentence: str, evidence: str) -> bool:
    """Whether `sentence` denies what `evidence` asserts, asserts what it denies, or turns its direction round, as far
    as their words tell: what seems so may still mean the same."""
    denied, shown = _denied(sentence), _denied(evidence)
    return _denies(denied, shown) or _denies(shown, denied, least=2) or _turned(sentence, evidence)


def _denies(one: _Denied, other: _Denied, least: int = 0) -> bool:
    """Whether a negation of `one` is about something that `other` only asserts, in so many terms at `least`."""
    denied = frozenset[str]().union(*other.scopes)
    for scope in one.scopes:
        shared = (scope - one.asserted) & (denied | other.asserted)
        if len(shared) >= least and not shared & denied and (shared or not other.scopes):
            return True
    return False


def _turned(sentence: str, evidence: str) -> bool:
    """Whether the same, told by two words near it, goes up in one and down in the other, and never as it does there."""
    for one, other in ((_UP, _DOWN), (_DOWN, _UP)):
        here, there = _beside(sentence, one), _beside(evidence, one)
        against = _beside(evidence, other)
        if any(max(_alike(near, against)) > max(1, *_alike(near, there)) for near in here):
            return True
    return False


def _beside(text: str, direction: frozenset[str]) -> list[frozenset[str]]:
    """The terms around each word of a direction in its clause; those behind a “than” are marked: of what is higher than
    another, the other is lower."""
    around = []
    for clause in _clauses(text):
        before, *behind = _THAN.split(clause)
        words = [*terms(before), *(f"than {term}" for stretch in behind for term in terms(stretch))]
        around += [
            frozenset(words[max(0, position - _NEAR) : position + _NEAR + 1]) - direction
            for position, word in enumerate(words)
            if word in direction
        ]
    return around


def _alike(near: frozenset[str], others: Sequence[frozenset[str]]) -> list[int]:
    return [0, *(len(near & other) for other in others)]


def _denied(text: str) -> _Denied:
    scopes, asserted = [], set[str]()
    for clause in _clauses(text):
        before, *behind = _NEGATION.split(clause)
        asserted.update(terms(before))
        for stretch in behind:
            scope = terms(stretch)
            scopes.append(frozenset(scope[:_SCOPE]))
            asserted.update(scope[_SCOPE:])
    return _Denied(scopes, frozenset(asserted))


def _clauses(text: str) -> Iterator[str]:
    return (clause for clause in _PAUSE.split(text) if clause.strip())
