"""Papers that a request points at: by place ("the second", "1 and 3"), by a word ("these", "it"), by a name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agents.builtin.question_parsing.named_papers import read_named_papers
from agents.builtin.question_parsing.spans import Span, blanked, plain
from agents.builtin.requests.scene import Scene

SHOWN, ALL, IT = "@shown", "@all", "@it"
_ORDINALS = {word: place for place, words in enumerate(
    "first|1st second|2nd third|3rd fourth|4th fifth|5th sixth|6th seventh|7th eighth|8th ninth|9th tenth|10th".split(),
    1) for word in words.split("|")}  # fmt: skip
NUMBERS = {word: number for number, word in enumerate(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), 1)} | {
    "twenty": 20, "thirty": 30, "fifty": 50, "couple": 2, "dozen": 12}  # fmt: skip
NUMBER = rf"(?:[0-9]{{1,3}}|{'|'.join(NUMBERS)})"
_PAPER = r"(?:papers?|results?|ones?|articles?|entr(?:y|ies)|items?|hits?|of\s+(?:them|these|those))"
_NOT_A_PLACE = r"(?!\s+(?:author|year|month|week|time|name|day|decade|search|question|thing|letter|line|\d)s?\b)"
_RULES = (
    (re.compile(r"@(shown|all|it)\b"), "word"),
    (re.compile(r"[@#]([0-9]{1,4})\b"), "place"),
    (re.compile(rf"\b(?:the\s+)?(?P<end>first|top|last)\s+(?P<count>{NUMBER})\b(?:\s+{_PAPER})?(?!\s+(?:years?|months?|weeks?|days?|decades?|citations?))"), "several"),
    (re.compile(rf"\b(?:the\s+)?(?:{_PAPER}\s+)?(?:numbers?|nos?\.?|papers?|results?|items?|entr(?:y|ies))\s+(?P<list>[0-9]{{1,3}}(?:\s*(?:,|and|&|,\s*and|to|-)\s*[0-9]{{1,3}})*)\b"), "list"),
    (re.compile(r"(?<![\w.])(?P<list>[0-9]{1,2}(?:\s*(?:,\s*and|,|and|&)\s*[0-9]{1,2})+)(?![\w%]|\s+(?:citations?|years?|papers?))"), "list"),
    (re.compile(rf"\b(?:the\s+)?(?P<ordinal>{'|'.join(_ORDINALS)}|last)\b{_NOT_A_PLACE}(?:\s+{_PAPER}\b)?"), "ordinal"),
    (re.compile(r"\b(?:all\s+(?:of\s+)?)?(?:these|those|them|the\s+(?:results|list|lot))\b(?:\s+(?:papers|ones|results|articles|two|three|four|five))?|\b(?:both|all)\b(?:\s+of\s+(?:these|those|them))?(?=\s*$|\s*[,.?!]|\s+(?:to|as|with|in)\b)"), "these"),
    (re.compile(r"\b(?:this|that)\s+(?:one|paper|article|work)\b|\bit\b(?!\s+(?:about|possible|true|is))|\bthis(?=\s*$|\s*[,.?!]|\s+(?:to|as|with)\b)|\bthat(?=\s*$|\s*[.?!]|\s+(?:to|as)\b)|\bthe paper(?=\s*$|\s*[.?!])"), "it"),
)  # fmt: skip


class References(NamedTuple):
    """The names of the papers, as tools understand them, and where they stand."""

    names: tuple[str, ...]
    spans: tuple[Span, ...]


def number_of(word: str) -> int:
    """The number that digits or a word mean."""
    return int(word) if word.isdigit() else NUMBERS[word]


def pointed_at(text: str, scene: Scene) -> References:
    """The papers of the last lists that `text` (in small letters, see `plain`) points at. A place that was not shown is
    named all the same: the tool says that there is none."""
    names: list[str] = []
    spans: list[Span] = []
    for pattern, kind in _RULES:
        for match in pattern.finditer(text):
            span = Span(*match.span())
            if span.overlaps(spans) or not (found := list(_names(match, kind, scene))):
                continue
            names += found
            spans.append(span)
    return References(tuple(dict.fromkeys(names)), tuple(spans))


def _names(match: re.Match[str], kind: str, scene: Scene) -> Iterator[str]:
    match kind:
        case "word":
            yield match[0]
        case "place":
            yield match[0]
        case "several" if scene.shown:
            count = number_of(match["count"])
            places = range(max(scene.shown - count, 0), scene.shown) if match["end"] == "last" else range(count)
            yield from (f"@{place + 1}" for place in places if place < scene.shown or match["end"] != "last")
        case "list":
            yield from _listed(match["list"])
        case "ordinal" if scene.shown:
            yield f"@{scene.shown if match['ordinal'] == 'last' else _ORDINALS[match['ordinal']]}"
        case "these":
            yield SHOWN
        case "it":
            yield IT


def _listed(text: str) -> Iterator[str]:
    if span := re.fullmatch(r"([0-9]{1,3})\s*(?:-|to)\s*([0-9]{1,3})", text):
        yield from (f"@{place}" for place in range(int(span[1]), min(int(span[2]), int(span[1]) + 50) + 1))
        return
    yield from (f"@{place}" for place in re.findall(r"[0-9]+", text))


_THE_PAPER = re.compile(r"^(?:the\s+)?(?:paper|article|work|preprint)?\s*(?:called|titled|entitled|named)?\s*", re.I)
_PAPER_AFTER = re.compile(r"\s+(?:paper|article|preprint|one)$", re.I)
_AND = re.compile(r"\s*(?:,\s*and\s+|,\s*|\s+and\s+|\s+or\s+|\s*&\s*)")


def names_in(slot: str, scene: Scene) -> tuple[str, ...]:
    """The papers that a slot for papers names: "the second and BERT", "SPAR", a title, an identifier. What is no known
    name is one all the same: whoever looks it up says that nobody has it."""
    slot = slot.strip(" .?!,;:")
    pointed = pointed_at(plain(slot).lower(), scene)
    rest = blanked(slot, pointed.spans)
    named = read_named_papers(plain(rest))
    outright = [
        name
        for name, span in zip(named.papers, named.spans, strict=False)
        if span.end - span.start < len(rest) or ":" in name
    ]
    names = [*pointed.names, *outright]
    rest = blanked(rest, named.spans) if outright else rest
    rest = re.sub(r"^(?:\s*(?:and|or|,)\s*)+|(?:\s*(?:and|or|,)\s*)+$", "", rest.strip()).strip()
    if rest and re.search(r"[^\W_]", rest) and rest.lower() not in _EMPTY:
        names += _by_name(rest, scene)
    return tuple(dict.fromkeys(names))


_EMPTY = frozenset("the a an of on paper papers article articles ones one".split())


def _by_name(text: str, scene: Scene) -> list[str]:
    """One name, or several that are enumerated."""
    for tried in (text, bare_name(text)):
        if scene.is_title(tried):
            return [tried]
    parts = [bare_name(part) for part in _AND.split(text) if part.strip()]
    if len(parts) > 1 and any(scene.is_title(part) for part in parts):
        return parts
    return [bare_name(text)]


def bare_name(text: str) -> str:
    """`the BERT paper` is BERT."""
    text = _PAPER_AFTER.sub("", _THE_PAPER.sub("", text.strip(" .?!,;:\"'")))
    return re.sub(r"^the\s+", "", text, flags=re.I) if len(text.split()) <= 4 else text
