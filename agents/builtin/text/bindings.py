"""What the numbers of a text count: the words bound to each, and whether another text binds a number to other words.

Numbers of one measure are rivals: “53% with 6 mg, 48% with 12 mg”. Words between two rivals go to the side on which the
strongest break puts them; numbers in a row, as in “higher in men than in women (82% vs 64%)”, have the parts of the
comparison or list beside them in order. `python -m tests.benchmarks.fresh` measures it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, pairwise
from typing import NamedTuple

from agents.builtin.text.quantities import UNITLESS, Quantity, plain, quantities
from agents.builtin.text.terms import terms
from connectors.query.stopwords import STOP_WORDS

_BREAKS = (
    re.compile(r"[;\n]|(?<!\bvs)\.\s|\b(?:but|whereas|while|although|however)\b", re.IGNORECASE),
    re.compile(r"[,:](?=\s)"),
    re.compile(
        r"\b(?:than|versus|vs|against|compared|and|or|to)\b(?!\s(?:more|less|fewer|higher|lower)\b)", re.IGNORECASE
    ),
)
"""Marks between the words of two numbers, the strongest first."""
_CLAUSE = re.compile(rf"[;:\n]|(?<!\bvs)\.\s|,\s(?:{'|'.join(sorted(STOP_WORDS))})\s", re.IGNORECASE)
_LIST = re.compile(r",?\s(?:and|or)\s", re.IGNORECASE)
_COMPARISON = re.compile(
    r"\s(?:than|versus|vs\.?|against|unlike|compared (?:with|to)|relative to|as opposed to|in contrast to|from|"
    r"whereas)\s",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s?(?:-{1,2}|to|or|±)\s?-?", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_WHOLE = re.compile(r"\s?/\s?|\s(?:out\s)?of\s(?:the\s|all\s|every\s)?|\sin\s(?:every\s)?", re.IGNORECASE)
_PART_OF = re.compile(r"\b(?:one|none|some|half|most|all|any|each)\s(?:out\s)?of\s(?:the\s|all\s)?$", re.IGNORECASE)
"""Between a part and its whole, and before the whole of a part that is no number."""
_NAMED = re.compile(r"\b([^\W\d_]{2,})\s$")
_LABEL = 3
"""Maximum number of words on each side of “and” or “than” that label numbers in a row."""
_NEARNESS, _CLEARLY = 0.75, 0.25
"""How fast the weight of words falls with their place, and the least weight by which the words of a rival exceed a
number's own."""
_NO_LABEL = frozenset(terms("vs versus respectively compared each whereas group groups"))
Weights = Mapping[str, float]


class _Bound(NamedTuple):
    """A number with the words before it, behind it, and those of its place in a row of numbers, each with its weight:
    the nearer, the more; the row; the word directly before a number without a unit, as in “group 2”; and the line."""

    number: Quantity
    before: Weights
    behind: Weights
    label: Weights
    row: int
    name: str
    line: int

    @property
    def words(self) -> Weights:
        return {**self.before, **self.behind, **self.label}

    @property
    def value(self) -> object:
        return self.number.value * self.number.factor

    def is_told(self, others: Sequence["_Bound"]) -> list["_Bound"]:
        """Return those of `others` that are this number."""
        return [one for one in others if one.value == self.value and self.number.sign in ("", one.number.sign)]


def bound_elsewhere(text: str, evidence: str) -> bool:
    """Whether a number of `text` has more of the words of another number in `evidence` (quotes, one in each line) than
    of its own: alone, if both are in one quote, or together with that number."""
    values, there = {number.value for number in quantities(text)}, _by_measure(evidence.split("\n"))
    return any(_is_elsewhere(some, there.get(measure, []), values) for measure, some in _by_measure([text]).items())


def _is_elsewhere(some: Sequence[_Bound], others: Sequence[_Bound], values: Collection[Decimal]) -> bool:
    told = [(bound, bound.is_told(others)) for bound in some]
    for (one, of_one), (other, of_other) in combinations(told, 2):
        pairs = [(own, rival) for own in of_one for rival in of_other]
        if one.value != other.value and pairs and all(_are_exchanged(one, other, *pair) for pair in pairs):
            return True
    rivals = [other for other in others if other.number.value not in values]
    for bound, own in told:
        if own and not (bound.name and bound.name in {one.name for one in own}):
            beside = [one for one in some if one.row != bound.row]
            nearest = min(beside, key=lambda one: abs(one.row - bound.row), default=None)
            words = _apart(bound, nearest)[0] if nearest else bound.words
            if all(any(_has_more_of(words, rival, one) for rival in rivals if rival.line == one.line) for one in own):
                return True
    return False


def _are_exchanged(one: _Bound, other: _Bound, own: _Bound, rival: _Bound) -> bool:
    (first, second), (of_own, of_rival) = _apart(one, other), _apart(own, rival)
    straight = _shared(first, of_own) + _shared(second, of_rival)
    return _shared(first, of_rival) + _shared(second, of_own) > straight + _CLEARLY


def _has_more_of(words: Weights, rival: _Bound, own: _Bound) -> bool:
    of_own, of_rival = _apart(own, rival)
    return _shared(words, of_rival) > _shared(words, of_own) + _CLEARLY


def _shared(words: Weights, others: Weights) -> float:
    return sum(weight * others[word] for word, weight in words.items() if word in others)


def _apart(one: _Bound, other: _Bound) -> tuple[Weights, Weights]:
    """Return the words of each of two numbers that the other lacks, on the sides where both have some: on a side where
    only one has words, these are about both."""
    if one.row == other.row:
        return _without(one.label, other.label), _without(other.label, one.label)
    pairs = [(one.before, other.before), (one.behind, other.behind)]
    pairs = [pair for pair in pairs if all(map(_has_letters, pair))] or [(one.words, other.words)]
    return (
        _without({**one.label, **{word: side[word] for side, _ in pairs for word in side}}, other.words),
        _without({**other.label, **{word: side[word] for _, side in pairs for word in side}}, one.words),
    )


def _without(words: Weights, others: Weights) -> Weights:
    return {word: weight for word, weight in words.items() if word not in others}


def _has_letters(words: Weights) -> bool:
    return any(map(str.isalpha, "".join(words)))


def _by_measure(texts: Sequence[str]) -> dict[str, list[_Bound]]:
    """Return the numbers of texts by what they measure, without wholes, of which other numbers are parts."""
    bounds: dict[str, list[_Bound]] = {}
    for line, text in enumerate(map(plain, texts)):
        numbers = quantities(text)
        wholes = {other.start for number, other in pairwise(numbers)
                  if _WHOLE.fullmatch(text, number.end, other.start) and number.value <= other.value} | {
            number.start for number in numbers if _PART_OF.search(text, max(0, number.start - 20), number.start)
        }  # fmt: skip
        own = [one for one in numbers if one.kind[:1] in ("", "P") and one.start not in wholes]
        rivals: dict[str, list[Quantity]] = {}
        for number in own:
            rivals.setdefault(_measure(number), []).append(number)
        for measure, some in rivals.items():
            starts = wholes.union(number.start for number in some)
            blank = [one for one in numbers if one.kind not in ("", "name") or one.start in starts]
            bounds.setdefault(measure, []).extend(_bound(text, some, blank, sum(map(len, bounds.values())), line))
    return bounds


def _measure(number: Quantity) -> str:
    if number.kind or number.unit not in UNITLESS:
        return number.kind[:1] or number.unit
    return "times" if 0 < number.step < 1 else ""


def _bound(text: str, numbers: Sequence[Quantity], blank: Sequence[Quantity], row: int, line: int) -> Iterator[_Bound]:
    """Yield numbers of one measure with their words, among which are none of the numbers in `blank`; rows are numbered
    from `row`."""
    words = text
    for number in blank:
        words = f"{words[: number.start]}{' ' * (number.end - number.start)}{words[number.end :]}"
    rows: list[list[Quantity]] = []
    for number in numbers:
        gap = words[_end(text, rows[-1][-1]) : number.start] if rows else ""
        if rows and not _labels_in(gap) and not (len(rows[-1]) == 1 and re.match(r"\W*,\s(?:and|or)\s", gap)):
            rows[-1].append(number)
        else:
            rows.append([number])
    borders = [(0, 0), *(_border(words, _end(text, one[-1]), other[0].start) for one, other in pairwise(rows)),
               (len(text), len(text))]  # fmt: skip
    labels: Sequence[Collection[str]] = ()
    for at, some in enumerate(rows):
        before = _CLAUSE.split(words[borders[at][1] : some[0].start])[-1]
        behind = _CLAUSE.split(words[_end(text, some[-1]) : borders[at + 1][0]])[0]
        inside, bracket, _ = behind.partition(")")
        behind = inside if bracket and "(" not in inside and _labels_in(inside) else behind
        elements = _elements(text, some)
        labels = _labels(text, elements, before, behind) or (labels if len(labels) == len(elements) else ())
        sides = _weighted(_labels_in(before)[::-1]), _weighted(_labels_in(behind))
        for index, element in enumerate(elements):
            ends = ("from", "to") if _FROM.search(before) and len(element) == 2 else ()
            for place, number in enumerate(element):
                label = dict.fromkeys([ends[place]] if ends else labels[index] if labels else (), 1.0)
                named = _NAMED.search(text, max(0, number.start - 30), number.start)
                name = " ".join(_labels_in(named[1])) if named and number.unit in UNITLESS else ""
                yield _Bound(number, *sides, label, row + at, name, line)


def _end(text: str, number: Quantity) -> int:
    """Return the end of a number with its unit."""
    begin = text.find(number.written, max(0, number.start - 2))
    return max(number.end, begin + len(number.written)) if begin >= 0 else number.end


def _border(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the words of one number end, and where those of the next begin: words before a bracket that has the
    next number may be about both, those between two breaks are about a number between them, if any."""
    bracket = text.rfind("(", start, end)
    bracket = -1 if text.rfind(")", start, end) > bracket else bracket
    for pattern in _BREAKS:
        if marks := list(pattern.finditer(text, start, bracket if bracket > 0 else end)):
            first, last = marks[0].start(), marks[-1].start()
            return first, last if any(map(str.isdigit, text[first:last])) else first
    return (end, end) if bracket < 0 else (start if text[start:end].lstrip().startswith(")") else end, start)


def _elements(text: str, numbers: Sequence[Quantity]) -> list[list[Quantity]]:
    """Return numbers in a row, with those of a range together."""
    elements = [[numbers[0]]]
    for number, other in pairwise(numbers):
        is_range = _RANGE.fullmatch(text, _end(text, number), other.start)
        elements[-1:] = [[*elements[-1], other]] if is_range else [elements[-1], [other]]
    return elements


def _labels(text: str, elements: Sequence[Sequence[Quantity]], before: str, behind: str) -> Sequence[Collection[str]]:
    """Return the words for each number of a row, by its place in it; empty if none are found.

    Numbers compared with each other have the parts of a comparison beside them, others those of a list; in a list of
    comparisons, each has both.
    """
    groups = [0]
    for one, other in pairwise(elements):
        joint = text[_end(text, one[-1]) : other[0].start]
        groups.append(groups[-1] + (not _COMPARISON.search(f" {joint} ")))
    number, size = groups[-1] + 1, len(elements) // (groups[-1] + 1)
    if any(groups.count(group) != size for group in range(number)):
        return ()
    listed = _parts(_LIST, number, before, behind) if number > 1 else ()
    compared = _parts(_COMPARISON, size, before, behind) if size > 1 else ()
    if number == 1 or (size == 1 and before.rstrip().endswith("(")):
        listed = listed or (_parts(_COMPARISON, number, before, behind) if number > 1 else ())
        compared = compared or (_parts(_LIST, size, before, behind) if size > 1 else ())
    return [(*(listed[at // size] if listed else ()), *(compared[at % size] if compared else ()))
            for at in range(len(elements))] if listed or compared else ()  # fmt: skip


def _parts(separator: re.Pattern[str], number: int, before: str, behind: str) -> Sequence[Collection[str]]:
    """Return the words of so many parts of the list or comparison that is nearest to some numbers: those nearest to
    where the parts are joined, or those in the same places."""
    lists: list[tuple[int, Sequence[Collection[str]]]] = []
    for context, at in ((before, -1), (behind, 0)):
        for joint in list(separator.finditer(context))[at:][:1]:
            left, right = context[: joint.start()], context[joint.end() :]
            last = next(filter(None, map(_labels_in, re.split(r"[,;(]\s?", right))), [])
            *parts, first = [*map(_labels_in, left.split(", ")[1 - number :] if number > 2 else [left])][::-1]
            if not (len(parts) + 2 == number and first and last and all(parts)):
                continue
            if last[0] in first:
                place = len(first) - 1 - first[::-1].index(last[0])
                first = first[place : place + len(last)]
            else:
                first, last = first[-min(_LABEL, len(last) + 1) :], last[:_LABEL]
            sets = [frozenset(part) for part in (first, *parts[::-1], last)]
            own = [some - frozenset().union(*sets[:index], *sets[index + 1 :]) for index, some in enumerate(sets)]
            lists.append((len(_labels_in(right if at else left)), own))
    return min(lists, key=lambda one: one[0])[1] if lists else ()


def _weighted(words: Sequence[str]) -> Weights:
    return {word: place**-_NEARNESS for place, word in reversed([*enumerate(words, start=1)])}


def _labels_in(text: str) -> list[str]:
    return [term for term in terms(text) if term not in _NO_LABEL]
