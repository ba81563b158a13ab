"""Whether two texts deny the same things, and name the same direction of change: what differs in it may say the
opposite, though all other words are alike."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from agents.builtin.text.terms import terms

_NEGATION = re.compile(
    r"(?<!\bbut\s)(?<!\band\s)(?<!\bor\s)\bnot\b(?!\s(?:only|just|merely)\b)|\bno\b(?!\s(?:more|less|fewer)\b)|"
    r"(?<!\ba\s)\blittle\b(?!\s(?:more|less)\b)|\bfail(?:s|ed)?(?=\sto\b)|n['’]t\b|"
    r"\b(?:nor|neither|never|none|cannot|hardly|barely|scarcely|rarely|seldom|unable)\b",
    re.IGNORECASE,
)
"""What denies the words behind it; “not” behind “but”, “and” or “or” denies words before it, which it need not name."""
_IMPLIED = re.compile(
    r"\b(?:without|absen(?:t|ce)|lack(?:s|ed|ing)?|los[st]|loses?|fail\w*|free|except|only|unlike|instead|rather\sthan|"
    r"similar(?:ly)?|same|equal(?:ly)?|identical(?:ly)?|unchanged|unaffected|(?:but|and|or)\snot)\b",
    re.IGNORECASE,
)
"""Other words by which a clause denies something, or a difference."""
_PAUSE = re.compile(r"[.;:!?()\n]|,\s|\b(?:but|although|though|whereas|while|however|yet)\b(?!\snot\b)", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_SCOPE = 3
"""Terms behind a negation that it is about at most: the first is what it denies."""
_SHARED, _MOSTLY = 3, 0.75
"""Terms, and the share of the shorter clause, by which two clauses say the same of the same."""
_NEAR = 3
"""Terms on each side of a word of direction that tell what goes there."""
_UP = frozenset(
    terms("""increase rise raise high higher greater more longer gain improve enhance better up upregulate elevate
    elevation""")
)
_DOWN = frozenset(
    terms("""decrease fall drop low lower smaller less fewer shorter loss worsen impair worse down downregulate
    reduce reduction decline diminish attenuate lose lost""")
)


class _Clause(NamedTuple):
    """The terms of a clause, those that each of its negations is about, those outside of every negation, and whether
    it denies anything in any words."""

    terms: frozenset[str]
    scopes: Sequence[Sequence[str]]
    asserted: frozenset[str]
    denies: bool


def may_oppose(sentence: str, evidence: str) -> bool:
    """Whether `sentence` denies what `evidence` asserts, asserts what it denies, or turns its direction round, as far
    as their words tell: what seems so may still mean the same."""
    here, there = _clauses(sentence), _clauses(evidence)
    return _denies(here, there) or _denies(there, here) or _turned(sentence, evidence)


def _denies(clauses: Sequence[_Clause], others: Sequence[_Clause]) -> bool:
    """Whether `others` assert what a negation of `clauses` is about, and of those nearest to it none denies anything.

    What is asserted is what the negation denies first, or two of its terms, or nearly all that its clause says.
    """
    asserted = frozenset[str]().union(*(clause.asserted for clause in clauses))
    denied = frozenset[str]().union(*(scope for clause in others for scope in clause.scopes))
    for clause in clauses:
        shares = [len(clause.terms & other.terms) for other in others] if clause.scopes else []
        nearest = [other for other, shared in zip(others, shares, strict=False) if 2 * shared > max(shares)]
        for other in nearest if not any(other.denies for other in nearest) else ():
            same = len(clause.terms & other.terms)
            if same >= max(_SHARED, _MOSTLY * min(len(clause.terms), len(other.terms))):
                return True
            for scope in clause.scopes:
                shared = other.asserted.intersection(scope) - asserted - denied
                if scope[0] in shared or len(shared) >= 2:
                    return True
    return False


def _turned(sentence: str, evidence: str) -> bool:
    """Whether the same, told by two words near it, goes up in one and down in the other, and never as it does there."""
    named = _pairs(sentence) & _pairs(evidence)
    for one, other in ((_UP, _DOWN), (_DOWN, _UP)):
        here, there = _beside(sentence, one, other, named), _beside(evidence, one)
        against = _beside(evidence, other, one, named)
        if any(max(_alike(near, against)) > max(1, *_alike(near, there)) for near in here):
            return True
    return False


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(terms(text)))


def _beside(
    text: str, direction: frozenset[str], other: Set[str] = frozenset(), named: Set[tuple[str, str]] = frozenset()
) -> list[frozenset[str]]:
    """The terms around each word of a direction in its clause; those behind a “than” are marked: of what is higher than
    another, the other is lower. A word that is `named` with the one before it, as “weight gain”, has no direction, nor
    has one with a word of the `other` direction near it, as “a lost rise”."""
    around = []
    for clause in _split(text):
        before, *behind = _THAN.split(clause)
        words = [*terms(before), *(f"than {term}" for stretch in behind for term in terms(stretch))]
        around += [
            frozenset(words[max(0, position - _NEAR) : position + _NEAR + 1]) - direction
            for position, word in enumerate(words)
            if word in direction and named.isdisjoint(pairwise(words[max(0, position - 1) : position + 2]))
        ]
    return [near for near in around if near.isdisjoint(other)]


def _alike(near: frozenset[str], others: Sequence[frozenset[str]]) -> list[int]:
    return [0, *(len(near & other) for other in others)]


def _clauses(text: str) -> list[_Clause]:
    clauses = []
    for clause in _split(text):
        before, *behind = map(terms, _NEGATION.split(clause))
        scopes = [stretch[:_SCOPE] for stretch in behind if stretch]
        asserted = frozenset(before).union(*(stretch[_SCOPE:] for stretch in behind))
        denies = bool(behind or _IMPLIED.search(clause))
        clauses.append(_Clause(asserted.union(*scopes), scopes, asserted, denies))
    return clauses


def _split(text: str) -> Iterator[str]:
    return (clause for clause in _PAUSE.split(text) if clause.strip())
