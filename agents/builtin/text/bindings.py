"""The words that say what each number of a text counts, and whether another text binds a number to other words.

Numbers of one measure are rivals: “53% with 6 mg, 48% with 12 mg”. The strongest break between two rivals decides which
words belong to which. Numbers in a row, as in “higher in men than in women (82% vs 64%)”, are labeled in order by the
parts of the list or comparison beside the row. `python -m tests.benchmarks.fresh` measures it: on the half not used to
write it, 25 of 34 numbers of another quantity are stopped with it and 11 without, and the same 3 of 55 true sentences.
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
_NAME = re.compile(r"\b([^\W\d_]{2,})\s$")
_LAST_OF_TWO = re.compile(r"\W*,\s(?:and|or)\s")
_LABEL = 3
"""Maximum number of words on each side of “and” or “than” that label numbers in a row; 2 and 4 stop the same sentences
of both halves of `fresh`."""
_NEARNESS = 0.75
"""How fast the weight of a word falls with its distance from the number. Of 101 wrong and 186 true sentences to work
on, 0.75 stops 87 and 10, 1 stops 80 and 10, 0.5 stops 87 and 12, and 0, without a fall, 85 and 12."""
_CLEARLY = 0.25
"""By how much the weight of a rival's words must exceed that of a number's own: 0 stops 88 and 15 of these sentences,
0.5 stops 78 and 9."""
_NO_LABEL = frozenset(terms("vs versus respectively compared each whereas group groups"))
Weights = Mapping[str, float]


class _BoundNumber(NamedTuple):
    """A number with the words bound to it and their weights, in one line of a text."""

    number: Quantity
    before: Weights
    after: Weights
    label: Weights
    """Words for its position in the row, from the list or comparison beside the row."""
    row: int
    name: str
    """The word directly before a number without a unit, as in “group 2”."""
    line: int

    @property
    def words(self) -> Weights:
        return {**self.before, **self.after, **self.label}

    @property
    def value(self) -> object:
        return self.number.value * self.number.factor

    def matches(self, candidates: Sequence["_BoundNumber"]) -> list["_BoundNumber"]:
        """Return the candidates of the same value and sign."""
        return [row for row in candidates if row.value == self.value and self.number.sign in ("", row.number.sign)]


def bound_elsewhere(text: str, evidence: str) -> bool:
    """Whether `evidence` (quotes, one in each line) binds a number of `text` to other words than `text` does: two
    numbers have each other's words, or one has words of another number in the same quote."""
    values, candidates = {number.value for number in quantities(text)}, _by_measure(evidence.split("\n"))
    return any(
        _is_elsewhere(numbers, candidates.get(measure, []), values) for measure, numbers in _by_measure([text]).items()
    )


def _is_elsewhere(
    numbers: Sequence[_BoundNumber], candidates: Sequence[_BoundNumber], values: Collection[Decimal]
) -> bool:
    """Whether a number has other words among `candidates`, of the same measure; `values` are those of the text."""
    matches = [(number, number.matches(candidates)) for number in numbers]
    for (first, of_first), (second, of_second) in combinations(matches, 2):
        pairs = [(match, rival) for match in of_first for rival in of_second]
        if first.value != second.value and pairs and all(_are_exchanged(first, second, *pair) for pair in pairs):
            return True
    rivals = [candidate for candidate in candidates if candidate.number.value not in values]
    for number, equals in matches:
        if equals and not (number.name and number.name in {match.name for match in equals}):
            words = _words_of_its_own(number, numbers)
            if all(_is_about_a_rival(words, match, rivals) for match in equals):
                return True
    return False


def _words_of_its_own(number: _BoundNumber, numbers: Sequence[_BoundNumber]) -> Weights:
    """Return the words of a number that the nearest number of another row lacks."""
    neighbors = [neighbor for neighbor in numbers if neighbor.row != number.row]
    nearest = min(neighbors, key=lambda neighbor: abs(neighbor.row - number.row), default=None)
    return _distinct_words(number, nearest)[0] if nearest else number.words


def _is_about_a_rival(words: Weights, match: _BoundNumber, rivals: Sequence[_BoundNumber]) -> bool:
    """Whether a rival in the same quote as `match` has clearly more of the words."""
    for rival in rivals:
        if rival.line == match.line:
            of_match, of_rival = _distinct_words(match, rival)
            if _overlap(words, of_rival) > _overlap(words, of_match) + _CLEARLY:
                return True
    return False


def _are_exchanged(first: _BoundNumber, second: _BoundNumber, match: _BoundNumber, rival: _BoundNumber) -> bool:
    """Whether `first` clearly fits `rival`, the match of `second`, and `second` fits `match`, the match of `first`."""
    (of_first, of_second), (of_match, of_rival) = _distinct_words(first, second), _distinct_words(match, rival)
    straight = _overlap(of_first, of_match) + _overlap(of_second, of_rival)
    return _overlap(of_first, of_rival) + _overlap(of_second, of_match) > straight + _CLEARLY


def _overlap(words: Weights, labels: Weights) -> float:
    return sum(weight * labels[word] for word, weight in words.items() if word in labels)


def _distinct_words(first: _BoundNumber, second: _BoundNumber) -> tuple[Weights, Weights]:
    """Return the words of each of two numbers that the other lacks.

    Only sides where both have words count: where only one has words, these are about both.
    """
    if first.row == second.row:
        return _without(first.label, second.label), _without(second.label, first.label)
    sides = [(first.before, second.before), (first.after, second.after)]
    sides = [side for side in sides if all(map(_has_letters, side))] or [(first.words, second.words)]
    return (
        _without({**first.label, **{word: words[word] for words, _ in sides for word in words}}, second.words),
        _without({**second.label, **{word: words[word] for _, words in sides for word in words}}, first.words),
    )


def _without(words: Weights, exceptions: Weights) -> Weights:
    return {word: weight for word, weight in words.items() if word not in exceptions}


def _has_letters(words: Weights) -> bool:
    return any(map(str.isalpha, "".join(words)))


def _by_measure(texts: Sequence[str]) -> dict[str, list[_BoundNumber]]:
    """Return the numbers of texts by what they measure, except wholes, of which other numbers are parts."""
    bounds: dict[str, list[_BoundNumber]] = {}
    for line, text in enumerate(map(plain, texts)):
        numbers = quantities(text)
        wholes = _wholes(text, numbers)
        rivals: dict[str, list[Quantity]] = {}
        for number in numbers:
            if number.kind[:1] in ("", "P") and number.start not in wholes:
                rivals.setdefault(_measure(number), []).append(number)
        for measure, group in rivals.items():
            starts = wholes.union(number.start for number in group)
            blanks = [number for number in numbers if number.kind not in ("", "name") or number.start in starts]
            row = sum(map(len, bounds.values()))
            bounds.setdefault(measure, []).extend(_bind(text, group, blanks, row, line))
    return bounds


def _wholes(text: str, numbers: Sequence[Quantity]) -> set[int]:
    """Return where wholes start: 12 in “3 of 12”, 20 in “half of the 20”."""
    wholes = {
        whole.start
        for part, whole in pairwise(numbers)
        if _WHOLE.fullmatch(text, part.end, whole.start) and part.value <= whole.value
    }
    return wholes.union(
        number.start for number in numbers if _PART_OF.search(text, max(0, number.start - 20), number.start)
    )


def _measure(number: Quantity) -> str:
    if number.kind or number.unit not in UNITLESS:
        return number.kind[:1] or number.unit
    return "times" if 0 < number.step < 1 else ""


def _bind(
    text: str, numbers: Sequence[Quantity], blanks: Sequence[Quantity], first_row: int, line: int
) -> Iterator[_BoundNumber]:
    """Yield numbers of one measure with their words, in rows counted from `first_row`; `blanks` are no words."""
    words = text
    for number in blanks:
        words = f"{words[: number.start]}{' ' * (number.end - number.start)}{words[number.end :]}"
    rows = _rows(text, words, numbers)
    borders = [_border(words, _end(text, row[-1]), following[0].start) for row, following in pairwise(rows)]
    starts, ends = [0, *(start for _, start in borders)], [*(end for end, _ in borders), len(text)]
    labels: Sequence[Collection[str]] = ()
    for index, row in enumerate(rows):
        before = _CLAUSE.split(words[starts[index] : row[0].start])[-1]
        after = _CLAUSE.split(words[_end(text, row[-1]) : ends[index]])[0]
        bracketed, bracket, _ = after.partition(")")
        if bracket and "(" not in bracketed and _content_words(bracketed):
            after = bracketed
        elements = _elements(text, row)
        labels = _labels(text, elements, before, after) or (labels if len(labels) == len(elements) else ())
        weights = _weighted(_content_words(before)[::-1]), _weighted(_content_words(after))
        for position, element in enumerate(elements):
            limits = ("from", "to") if _FROM.search(before) and len(element) == 2 else ()
            for at, number in enumerate(element):
                label = [limits[at]] if limits else labels[position] if labels else ()
                name = _name_of(text, number)
                yield _BoundNumber(number, *weights, dict.fromkeys(label, 1.0), first_row + index, name, line)


def _rows(text: str, words: str, numbers: Sequence[Quantity]) -> list[list[Quantity]]:
    """Return numbers in rows: no words stand between two numbers of a row."""
    rows = [[numbers[0]]]
    for number, following in pairwise(numbers):
        gap = words[_end(text, number) : following.start]
        if _content_words(gap) or (len(rows[-1]) == 1 and _LAST_OF_TWO.match(gap)):
            rows.append([following])
        else:
            rows[-1].append(following)
    return rows


def _name_of(text: str, number: Quantity) -> str:
    name = _NAME.search(text, max(0, number.start - 30), number.start)
    return " ".join(_content_words(name[1])) if name and number.unit in UNITLESS else ""


def _end(text: str, number: Quantity) -> int:
    """Return the end of a number with its unit."""
    start = text.find(number.written, max(0, number.start - 2))
    return max(number.end, start + len(number.written)) if start >= 0 else number.end


def _border(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the words of one number end and where those of the next start, between `start` and `end`.

    Words before a bracket with the next number may be about both numbers. Words between two breaks are about a number
    between them, if there is one.
    """
    bracket = text.rfind("(", start, end)
    bracket = -1 if text.rfind(")", start, end) > bracket else bracket
    for pattern in _BREAKS:
        if breaks := list(pattern.finditer(text, start, bracket if bracket > 0 else end)):
            first, last = breaks[0].start(), breaks[-1].start()
            return first, last if any(map(str.isdigit, text[first:last])) else first
    if bracket < 0:
        return end, end
    return start if text[start:end].lstrip().startswith(")") else end, start


def _elements(text: str, numbers: Sequence[Quantity]) -> list[list[Quantity]]:
    """Return the elements of a row: single numbers, and pairs that are the limits of a range."""
    elements = [[numbers[0]]]
    for number, following in pairwise(numbers):
        if _RANGE.fullmatch(text, _end(text, number), following.start):
            elements[-1].append(following)
        else:
            elements.append([following])
    return elements


def _labels(text: str, elements: Sequence[Sequence[Quantity]], before: str, after: str) -> Sequence[Collection[str]]:
    """Return the words for each element of a row; empty if there are none.

    Elements compared with each other (“82% vs 64%”) are a group. The parts of a comparison beside the row label the
    elements of each group, the parts of a list label the groups.
    """
    groups = [0]
    for element, following in pairwise(elements):
        joint = text[_end(text, element[-1]) : following[0].start]
        groups.append(groups[-1] + (not _COMPARISON.search(f" {joint} ")))
    number = groups[-1] + 1
    size = len(elements) // number
    if any(groups.count(group) != size for group in range(number)):
        return ()
    of_groups = _parts(_LIST, number, before, after)
    of_elements = _parts(_COMPARISON, size, before, after)
    if number == 1 or (size == 1 and before.rstrip().endswith("(")):
        of_groups = of_groups or _parts(_COMPARISON, number, before, after)
        of_elements = of_elements or _parts(_LIST, size, before, after)
    if not of_groups and not of_elements:
        return ()
    return [
        (*(of_groups[at // size] if of_groups else ()), *(of_elements[at % size] if of_elements else ()))
        for at in range(len(elements))
    ]


def _parts(separator: re.Pattern[str], number: int, before: str, after: str) -> Sequence[Collection[str]]:
    """Return the words of each of `number` parts of the list or comparison nearest to a row, without words that parts
    share; empty if `number` is 1 or there is no such list."""
    lists: list[tuple[int, Sequence[Collection[str]]]] = []
    for joint in [*separator.finditer(before)][-1:] if number > 1 else ():
        lists += [(len(_content_words(before[joint.end() :])), parts) for parts in _split(before, joint, number)]
    for joint in [*separator.finditer(after)][:1] if number > 1 else ():
        lists += [(len(_content_words(after[: joint.start()])), parts) for parts in _split(after, joint, number)]
    return min(lists, key=lambda parts: parts[0])[1] if lists else ()


def _split(text: str, joint: re.Match[str], number: int) -> Iterator[Sequence[Collection[str]]]:
    """Yield the words of the parts of a list whose last two parts `joint` separates, if it has so many parts.

    The first part starts at the word with which the last one starts (“in men than in women”); without such a word, the
    words nearest to the joint count.
    """
    left, right = text[: joint.start()], text[joint.end() :]
    last = next(filter(None, map(_content_words, re.split(r"[,;(]\s?", right))), [])
    *middle, first = map(_content_words, reversed(left.split(", ")[1 - number :] if number > 2 else [left]))
    if not (len(middle) + 2 == number and first and last and all(middle)):
        return
    if last[0] in first:
        start = len(first) - 1 - first[::-1].index(last[0])
        first = first[start : start + len(last)]
    else:
        first, last = first[-min(_LABEL, len(last) + 1) :], last[:_LABEL]
    parts = [frozenset(part) for part in (first, *middle[::-1], last)]
    yield [part.difference(*parts[:index], *parts[index + 1 :]) for index, part in enumerate(parts)]


def _weighted(words: Sequence[str]) -> Weights:
    """Return the words with their weights, the nearest word first in `words`."""
    return {word: distance**-_NEARNESS for distance, word in reversed([*enumerate(words, start=1)])}


def _content_words(text: str) -> list[str]:
    return [term for term in terms(text) if term not in _NO_LABEL]
