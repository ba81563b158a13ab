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
    r"\b(?:without|non|null|absen(?:t|ce)|lack(?:s|ed|ing)?|los[st]|loses?|fail\w*|free|except|only|unlike|instead|rather\sthan|"
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
    upregulate elevate elevation faster quicker stronger older heavier wider deeper""")
)
_DOWN = frozenset(
    terms("""decrease fall fell fallen drop low lower smaller less fewer shorter shrink shrank loss worsen impair worse
    down downregulate reduce reduction decline diminish attenuate lose lost slower weaker younger lighter narrower
    shallower""")
)
_MORE = re.compile(r"(?<!\bor\s)(?<!\bno\s)(?<!\bonce\s)\bmore\b(?!\sthan\b)", re.IGNORECASE)
"""A comparative, unlike “three or more” and “more than 90”."""
_STRETCH = re.compile(r"[.;:\n]")
_CONTRAST = re.compile(r"\s(?:but|and|or)\snot\s([^,]+)", re.IGNORECASE)
_WAY = re.compile(r"\bfrom\s([^,.;]{2,40}?)\sto\s([^,.;]{2,40})", re.IGNORECASE)
PREFIXES = ("un", "non", "ab", "in", "im", "ir", "dis", "a")
"""Prefixes of negation."""
LONG = 4
"""Minimum number of letters of what stands behind such a prefix."""


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
    clauses, evidence_clauses = _clauses(sentence), _clauses(evidence)
    return (
        _denies(clauses, evidence_clauses)
        or _denies(evidence_clauses, clauses)
        or _excepts(evidence, clauses)
        or _excepts(sentence, evidence_clauses)
        or _has_opposite(clauses, evidence_clauses)
        or _has_opposite(evidence_clauses, clauses)
        or _turned(sentence, evidence)
        or _turned_back(sentence, evidence)
    )


def agree(sentence: str, evidence: str) -> bool:
    """Whether, judged by words, both texts deny something or neither does, and `evidence` names the same directions of
    change as `sentence`, or more."""
    stems, directions = frozenset(terms(sentence)), frozenset(terms(evidence))
    has_directions = all(
        stems.isdisjoint(direction) or not directions.isdisjoint(direction) for direction in (_UP, _DOWN)
    )
    return has_directions and denies(sentence) == denies(evidence)


def denies(text: str) -> bool:
    """Whether a text denies anything, in any words."""
    return any(clause.denies for clause in _clauses(text))


def _denies(clauses: Sequence[_Clause], evidence: Sequence[_Clause]) -> bool:
    """Whether `evidence` asserts what a negation in `clauses` denies, in a clause on the same subject, and none of the
    clauses nearest to it denies anything.

    To assert is to have the first term after the negation, or two of its terms.
    """
    asserted = frozenset[str]().union(*(clause.asserted for clause in clauses))
    denied = frozenset[str]().union(*(scope for clause in evidence for scope in clause.scopes))
    for clause in clauses:
        shares = [len(clause.terms & candidate.terms) for candidate in evidence] if clause.scopes else []
        nearest = [candidate for candidate, shared in zip(evidence, shares, strict=False) if 2 * shared > max(shares)]
        for candidate in nearest if not any(candidate.denies for candidate in nearest) else ():
            for scope in clause.scopes if len(clause.terms & candidate.terms) >= _SHARED else ():
                shared = candidate.asserted.intersection(scope) - asserted - denied
                if scope[0] in shared or len(shared) >= 2:
                    return True
    return False


def _excepts(text: str, clauses: Sequence[_Clause]) -> bool:
    """Whether `clauses` assert of something, and not of others, what `text` says of these others “but not” of it."""
    stretches = [(stretch, _CONTRAST.search(stretch)) for stretch in _STRETCH.split(text)]
    for stretch, contrast in stretches:
        if not contrast:
            continue
        asserted, excepted = terms(stretch[: contrast.start()]), terms(contrast[1])[:_SCOPE]
        asserted_only, excepted_only = (
            set(asserted[-len(excepted) :]).difference(excepted),
            set(excepted).difference(asserted),
        )
        for clause in clauses:
            is_alone = excepted_only and excepted_only <= clause.terms and asserted_only.isdisjoint(clause.terms)
            if is_alone and not clause.denies and len(clause.terms.intersection(asserted)) >= _SHARED:
                return True
    return False


def _has_opposite(clauses: Sequence[_Clause], evidence: Sequence[_Clause]) -> bool:
    """Whether a clause has a term, such as “normal”, of which the other text has only the opposite, “abnormal”, in a
    clause on the same subject."""
    stems = frozenset[str]().union(*(rival.terms for rival in evidence))
    return any(
        len(clause.terms & rival.terms) >= _SHARED and _is_opposite(term, opposite)
        for clause in clauses if not clause.denies
        for rival in evidence if not rival.denies
        for term in clause.terms - stems
        for opposite in rival.terms - clause.terms
    )  # fmt: skip


def _is_opposite(term: str, opposite: str) -> bool:
    """Whether `opposite` is a term with a prefix of negation; the stems of the two may differ in their ends."""
    stems = (opposite.removeprefix(prefix) for prefix in PREFIXES if opposite.startswith(prefix))
    return len(term) > LONG and term.isalpha() and any(len(stem) >= LONG and term.startswith(stem) for stem in stems)


def _turned_back(sentence: str, evidence: str) -> bool:
    """Whether one text goes “from A to B” and the other from B to A."""
    changes, changes_there = ([[frozenset(terms(end)[:_NEAR]) for end in change] for change in _WAY.findall(text)]
                    for text in (sentence, evidence))  # fmt: skip
    return any(
        start & end_there and end & start_there and not (start & start_there or end & end_there)
        for start, end in changes
        for start_there, end_there in changes_there
    )


def _turned(sentence: str, evidence: str) -> bool:
    """Whether two terms or more near a rise (or a fall) in one text match the opposite in the other, and fewer the
    same."""
    pairs = _pairs(sentence) & _pairs(evidence)
    for direction, opposite in ((_UP, _DOWN), (_DOWN, _UP)):
        contexts, contexts_there = _contexts(sentence, direction, opposite, pairs), _contexts(evidence, direction)
        against = _contexts(evidence, opposite, direction, pairs)
        if any(
            max(_overlaps(context, against)) > max(1, *_overlaps(context, contexts_there))
            and not _compares(context, against)
            for context in contexts
        ):
            return True
    return False


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(terms(text)))


def _contexts(
    text: str, direction: frozenset[str], opposite: Set[str] = frozenset(), pairs: Set[tuple[str, str]] = frozenset()
) -> list[frozenset[str]]:
    """Return the terms around each word of a direction in its clause; terms after “than” are marked, because they have
    the opposite direction. Words in one of `pairs`, as “weight gain”, have no direction, nor have words near one of
    the `opposite` direction, as “a lost rise”."""
    around = []
    for clause in _split(_MORE.sub("greater", text)):
        before, *comparands = _THAN.split(clause)
        words = [*terms(before), *(f"than {term}" for stretch in comparands for term in terms(stretch))]
        around += [
            frozenset(words[max(0, position - _NEAR) : position + _NEAR + 1]) - direction
            for position, word in enumerate(words)
            if word in direction and pairs.isdisjoint(pairwise(words[max(0, position - 1) : position + 2]))
        ]
    return [near for near in around if near.isdisjoint(opposite)]


def _compares(context: frozenset[str], contexts: Sequence[frozenset[str]]) -> bool:
    """Whether one text has behind “than” what another has before it: then opposite directions agree."""
    than = {term.removeprefix("than ") for term in context if term.startswith("than ")}
    return any(not than.isdisjoint(rival) for rival in contexts)


def _overlaps(context: frozenset[str], contexts: Sequence[frozenset[str]]) -> list[int]:
    return [0, *(len(context & rival) for rival in contexts)]


def _clauses(text: str) -> list[_Clause]:
    clauses = []
    for clause in _split(text):
        before, *denied_terms = map(terms, _NEGATION.split(clause))
        scopes = [stretch[:_SCOPE] for stretch in denied_terms if stretch]
        asserted = frozenset(before).union(*(stretch[_SCOPE:] for stretch in denied_terms))
        denies = bool(denied_terms or _IMPLIED.search(clause))
        clauses.append(_Clause(asserted.union(*scopes), scopes, asserted, denies))
    return clauses


def _split(text: str) -> Iterator[str]:
    return (clause for clause in _PAUSE.split(text) if clause.strip())
