"""Compare what two texts deny, and the direction of change that they name: a difference may reverse the meaning, even
if all other words are the same."""

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
"""Negations of the words after them; “not” after “but”, “and” or “or” negates words before it, which may be missing."""
_IMPLIED = re.compile(
    r"\b(?:without|absen(?:t|ce)|lack(?:s|ed|ing)?|los[st]|loses?|fail\w*|free|except|only|unlike|instead|rather\sthan|"
    r"similar(?:ly)?|same|equal(?:ly)?|identical(?:ly)?|unchanged|unaffected|(?:but|and|or)\snot|zero|(?<![\d.,])0(?![.,]?\d))\b",
    re.IGNORECASE,
)
"""Other words by which a clause denies something, or a difference."""
_PAUSE = re.compile(
    r"\.(?!\d)|[;:!?()\n]|,\s|\b(?:but|although|though|whereas|while|however|yet)\b(?!\snot\b)", re.IGNORECASE
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_SCOPE = 3
"""Maximum number of terms after a negation that it applies to, the first most directly."""
_SHARED = 2
"""Minimum number of terms that two clauses on the same subject have in common."""
_NEAR = 3
"""Terms on each side of a word of direction that indicate what changes."""
_UP = frozenset(
    terms("""increase rise rose risen raise high higher greater larger longer grow grew gain improve enhance better up
    upregulate elevate elevation""")
)
_DOWN = frozenset(
    terms("""decrease fall fell fallen drop low lower smaller less fewer shorter shrink shrank loss worsen impair worse
    down downregulate reduce reduction decline diminish attenuate lose lost""")
)


class _Clause(NamedTuple):
    """The terms of a clause, those in the scope of each negation, those in no such scope, and whether the clause denies
    anything, in any words."""

    terms: frozenset[str]
    scopes: Sequence[Sequence[str]]
    asserted: frozenset[str]
    denies: bool


def may_oppose(sentence: str, evidence: str) -> bool:
    """Whether, judged by words, one of the texts denies what the other asserts, or their directions are opposite. They
    may still mean the same."""
    here, there = _clauses(sentence), _clauses(evidence)
    return _denies(here, there) or _denies(there, here) or _turned(sentence, evidence)


def agree(sentence: str, evidence: str) -> bool:
    """Whether, judged by words, both texts deny something or neither does, and `evidence` names the same directions of
    change as `sentence`, or more."""
    named, directions = frozenset(terms(sentence)), frozenset(terms(evidence))
    same = all(named.isdisjoint(direction) or not directions.isdisjoint(direction) for direction in (_UP, _DOWN))
    return same and _any_denial(sentence) == _any_denial(evidence)


def _any_denial(text: str) -> bool:
    return any(clause.denies for clause in _clauses(text))


def _denies(clauses: Sequence[_Clause], others: Sequence[_Clause]) -> bool:
    """Whether `others` assert what a negation in `clauses` denies, in a clause on the same subject, and none of the
    clauses nearest to it denies anything.

    To assert is to have the first term after the negation, or two of its terms.
    """
    asserted = frozenset[str]().union(*(clause.asserted for clause in clauses))
    denied = frozenset[str]().union(*(scope for clause in others for scope in clause.scopes))
    for clause in clauses:
        shares = [len(clause.terms & other.terms) for other in others] if clause.scopes else []
        nearest = [other for other, shared in zip(others, shares, strict=False) if 2 * shared > max(shares)]
        for other in nearest if not any(other.denies for other in nearest) else ():
            for scope in clause.scopes if len(clause.terms & other.terms) >= _SHARED else ():
                shared = other.asserted.intersection(scope) - asserted - denied
                if scope[0] in shared or len(shared) >= 2:
                    return True
    return False


def _turned(sentence: str, evidence: str) -> bool:
    """Whether two terms or more near a rise (or a fall) in one text match the opposite in the other, and fewer the
    same."""
    named = _pairs(sentence) & _pairs(evidence)
    for direction, other in ((_UP, _DOWN), (_DOWN, _UP)):
        here, there = _beside(sentence, direction, other, named), _beside(evidence, direction)
        against = _beside(evidence, other, direction, named)
        if any(max(_alike(near, against)) > max(1, *_alike(near, there)) for near in here):
            return True
    return False


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(terms(text)))


def _beside(
    text: str, direction: frozenset[str], other: Set[str] = frozenset(), named: Set[tuple[str, str]] = frozenset()
) -> list[frozenset[str]]:
    """Return the terms around each word of a direction in its clause; terms after “than” are marked, because they have
    the opposite direction. Words `named` together, as “weight gain”, have no direction, nor have words near one of the
    `other` direction, as “a lost rise”."""
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
