"""Sentences that papers support, and the same with an error planted, made from SciFact's claims and abstracts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from agents.builtin.text.sentences import sentences
from connectors.paper import Paper
from tests.benchmarks.evidence import SHARED, half_of, rows

EACH, TRUE = 30, 200
"""Sentences of each kind of error, and true ones."""
ONE, SEVERAL = "true, one paper", "true, several"
_QUOTED, _LONGEST = 25, 40
_AUXILIARY = re.compile(r"\b(is|are|was|were|can|may|has|have|had|does|do|did|will|could|should)\b")
_VERB = re.compile(r"\b(increase|reduce|decrease|improve|cause|induce|promote|inhibit|prevent|show|predict|require)s\b")
_NEGATION = re.compile(r"\b(?:not|no)\s", re.IGNORECASE)
_OPPOSITES = (
    "increases decreases", "increased decreased", "increase decrease", "higher lower", "high low", "reduces raises",
    "reduced raised", "improves worsens", "improved worsened", "more less", "greater smaller", "positive negative",
    "promotes prevents", "activates suppresses", "induces inhibits", "enhances impairs", "longer shorter",
    "upregulation downregulation", "positively negatively", "gain loss", "before after", "better worse",
)  # fmt: skip
OPPOSITE = {one: other for pair in map(str.split, _OPPOSITES) for one, other in (pair, pair[::-1])}
_UNITS = {
    "%": "mg", "percent": "mg", "mg": "g", "g": "mg", "kg": "g", "days": "weeks", "weeks": "months", "months": "years",
    "years": "months", "hours": "days", "minutes": "hours", "min": "h", "h": "min", "ml": "l", "mm": "cm", "cm": "mm",
    "nm": "mm", "fold": "%", "-fold": "%", "kb": "mb",
}  # fmt: skip
_UNIT = re.compile(
    r"(?<=\d)(\s?)(%|-fold\b|(?:percent|kg|mg|g|days|weeks|months|years|hours|minutes|min|h|ml|mm|cm|nm|kb)\b)"
)
_PEOPLE = "patients children women men mice rats adults infants humans volunteers participants cells smokers".split()
_FIGURE = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w,.]*\d|\w)")
_WITH = re.compile(r"^(?:[^,]{3,40}, )?")


class Planted(NamedTuple):
    """A sentence with the papers and quotes it cites; `kind` is the error in it, or how many papers it rests on, and
    `claims` are the sentences of which it was joined."""

    kind: str
    text: str
    cited: Sequence[tuple[str, str]]
    claims: Sequence["Planted"] = ()


Change = Callable[[Planted, Sequence[Planted], Random], str]
"""A sentence with an error in it; "" if that cannot be made of it."""


def planted(papers: Mapping[str, Paper], half: str) -> list[Planted]:
    """The true sentences, then the false ones, of one half."""
    dice = Random(0)
    claims, figures = list(_claims(papers, half)), list(islice(_with_figures(papers, half), 4 * TRUE))
    dice.shuffle(claims)
    dice.shuffle(figures)
    third = TRUE // 3
    several = [one for one in claims if one.kind == SEVERAL]
    claims = [one for one in claims if one.kind == ONE]
    pairs = zip(claims, figures, strict=False)
    several += [_joined(*((a, b) if place % 2 else (b, a))) for place, (a, b) in enumerate(pairs)]
    true = [*several[:third], *claims[:third], *figures[: TRUE - 2 * third]]
    bases = [one for pair in zip(claims, figures[third:], strict=False) for one in pair]
    return [*true, *(one for kind in CHANGES for one in islice(_false(kind, bases, figures, dice), EACH))]


def _false(kind: str, claims: Sequence[Planted], figures: Sequence[Planted], dice: Random) -> Iterator[Planted]:
    bases = figures[TRUE:] if kind in ("number", "unit") else claims
    for base in bases:
        if kind == "swapped citation":
            other = dice.choice([one for one in bases if one.cited[0][0] != base.cited[0][0]])
            yield Planted(kind, base.text, other.cited)
        elif text := CHANGES[kind](base, bases, dice):
            yield Planted(kind, text, base.cited)


def _claims(papers: Mapping[str, Paper], half: str) -> Iterator[Planted]:
    """SciFact's claims that a paper supports, with the sentences that experts chose; these have all its numbers."""
    for row in rows(SHARED / "claims" / "scifact" / "claims_train.jsonl.gz"):
        cited = []
        for name, labels in row["evidence"].items():
            told = sentences(papers[name].abstract)
            places = sorted({place for label in labels if label["label"] == "SUPPORT" for place in label["sentences"]})
            if places and places[-1] < len(told):
                cited += [(name, " ".join(told[place].split()[:_LONGEST])) for place in places]
        if (
            cited
            and half_of(row["claim"]) == half
            and _counted(row["claim"]) <= _counted(*(quote for _, quote in cited))
        ):
            kind = ONE if len(dict(cited)) == 1 else SEVERAL
            yield Planted(kind, _reworded(row["claim"]), cited)


def _counted(*texts: str) -> set[str]:
    """The figures of texts. The program's own reader has no say in which sentences are planted."""
    return {figure for text in texts for figure in re.findall(r"\d+(?:\.\d+)?", text)}


def _with_figures(papers: Mapping[str, Paper], half: str) -> Iterator[Planted]:
    """Sentences of abstracts with two figures or more, short enough to be quoted, without what leads in."""
    for name, paper in papers.items():
        for told in sentences(paper.abstract):
            words = told.split()
            if (
                len(_FIGURE.findall(told)) >= 2
                and 12 <= len(words) <= _QUOTED
                and half_of(told) == half
                and not told.startswith("Th")
            ):
                text = _reworded(_WITH.sub("", told, count=1))
                yield Planted(ONE, text[:1].upper() + text[1:], [(name, told)])
                break


def _reworded(text: str) -> str:
    """`text` with a few words more that say nothing, so that no eight words in a row are copied: that is refused for
    another reason."""
    words = text.split()
    return " ".join(" ".join((*words[at : at + 6], "of these")) if words[at + 6 :] else " ".join(words[at:])
                    for at in range(0, len(words), 6))  # fmt: skip


def _joined(one: Planted, other: Planted) -> Planted:
    text = f"{one.text.rstrip('.')}, and {other.text[:1].lower()}{other.text[1:]}"
    return Planted(SEVERAL, text, [*one.cited, *other.cited], (one, other))


def _negated(base: Planted, others: Sequence[Planted], dice: Random) -> str:
    if _NEGATION.search(base.text):
        return _NEGATION.sub("", base.text, count=1)
    if _VERB.search(base.text):
        return _VERB.sub(r"does not \1", base.text, count=1)
    return _AUXILIARY.sub(r"\1 not", base.text, count=1) if _AUXILIARY.search(base.text) else ""


def _turned(base: Planted, others: Sequence[Planted], dice: Random) -> str:
    word = next((word for word in re.findall(r"\w+", base.text) if word in OPPOSITE), "")
    return re.sub(rf"\b{word}\b", OPPOSITE[word], base.text, count=1) if word else ""


def _renumbered(base: Planted, others: Sequence[Planted], dice: Random) -> str:
    """Two of its figures exchanged, or one of them changed, by turns of chance."""
    figures = list(islice(_FIGURE.finditer(base.text), 2))
    if len({figure[0] for figure in figures}) < 2:
        return ""
    first, second = figures
    if dice.random() < 0.5:
        text = base.text
        return text[: first.start()] + second[0] + text[first.end() : second.start()] + first[0] + text[second.end() :]
    there = _counted(*(quote for _, quote in base.cited))
    changed = next(new for new in (f"{first[0]}{digit}" for digit in "3719") if new not in there)
    return base.text[: first.start()] + changed + base.text[first.end() :]


def _remeasured(base: Planted, others: Sequence[Planted], dice: Random) -> str:
    if not (unit := _UNIT.search(base.text)):
        return ""
    return f"{base.text[: unit.start()]} {_UNITS[unit[2]]}{base.text[unit.end() :]}"


def _repeopled(base: Planted, others: Sequence[Planted], dice: Random) -> str:
    who = next((word for word in re.findall(r"\w+", base.text) if word in _PEOPLE), "")
    quotes = " ".join(quote for _, quote in base.cited)
    other = dice.choice([one for one in _PEOPLE if one not in quotes and one != who])
    return re.sub(rf"\b{who}\b", other, base.text, count=1) if who else ""


def _invented(base: Planted, others: Sequence[Planted], dice: Random) -> str:
    """The sentence, and behind it what another paper says, which is not cited."""
    other = dice.choice([one for one in others if one.cited[0][0] != base.cited[0][0] and not _counted(one.text)])
    return f"{base.text.rstrip('.')}, and {other.text[:1].lower()}{other.text[1:]}"


CHANGES: Mapping[str, Change] = {
    "negation": _negated,
    "direction": _turned,
    "number": _renumbered,
    "unit": _remeasured,
    "population": _repeopled,
    "swapped citation": lambda base, others, dice: base.text,
    "invented": _invented,
}
