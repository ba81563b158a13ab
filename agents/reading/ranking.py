"""Rank the acts of the table against a message: by their words, by related words, and by the slots that fit."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import fsum, log
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms
from agents.reading.acts.act import Act, ActFit, MatchedMessage, form
from agents.reading.acts.lists import CHANGING, LIST
from agents.reading.acts.runs import KINDS
from agents.reading.acts.shelf import FORMATS
from agents.reading.acts.table import ACTS
from agents.reading.choosing import MessageContext
from agents.reading.cues import FILLERS, JOINING, NEGATIONS, NOUNS
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan
from agents.reading.tokens import Token, folded
from agents.tools.candidates import FILTER
from agents.tools.tool import ToolError
from connectors.query.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from agents.builtin.ranking.word_vectors import Floats

_MOST_TRIED = 10
"""Maximum number of acts whose slots are tried."""
_MOST_FILLS = 3
_GUESS = 1.0
"""Evidence that a change lacks if no form of it has all its words."""
_FUNCTION = 0.3
"""How much a function word tells, beside another word."""
_TELLING = 0.3
"""Minimum weight of a word that asks for an act; words of more acts tell nothing."""
_NEAR = 0.6
"""How much a related word tells, beside the same word."""
_RELATED = 0.35
"""Minimum cosine of a word that is related to one of an act."""
_LABELS = frozenset({"tag", "tags", "label", "labels"})
_PAPERS = frozenset({"papers", "paper"})
_SECOND = frozenset({"more", "other"})
_BETWEEN = frozenset("on to from of for with as in into under off about by at : , -".split())
_ARTICLES = frozenset({"the", "my", "its", "their", "a"})
_JOINTS = frozenset("and or with to from than vs versus against ,".split())
_BEFORE_TAGS = frozenset("as with called named under to into in from off : the my".split())
_SAYING = frozenset({":", "saying", "says", "that", "reading"})
_SLOT = re.compile(r"\{([^}?]*)\??\}")


def ranked(turn: MessageContext) -> list[ActFit]:
    """Return the acts that fit a message, the best first."""
    best = (max(_fits(turn, act), key=lambda fit: fit.score, default=None) for act in _nearest(turn))
    return sorted(filter(None, best), key=lambda fit: -fit.score)


def _nearest(turn: MessageContext) -> list[Act]:
    """Return the acts whose words are nearest to those of a message."""
    words = (token.key for token in turn.reader.tokens if not token.quoted and any(map(str.isalnum, token.key)))
    stems = {stem for word in words for stem in stems_of(word)}
    weights, related, scores = _weights(), _related(tuple(sorted(stems))), dict.fromkeys(_acts(), 0.0)
    for position, (act, own) in enumerate(_vocabulary().items()):
        scores[act] = fsum(
            max(weights.get(stem, 0.0) * (stem in own), _NEAR * near[position]) for stem, near in related.items()
        )
    nearest = sorted(scores, key=lambda act: -scores[act])[:_MOST_TRIED]
    return nearest if LIST in nearest else [*nearest, LIST]


def _fits(turn: MessageContext, act: Act) -> Iterator[ActFit]:
    tried: set[tuple[frozenset[int], frozenset[str]]] = set()
    for claimed, slots, evidence, whole in _claims(turn, act):
        if (claimed, slots) in tried:
            continue
        tried.add((claimed, slots))
        for spans, listed, left in _filled(turn, slots, claimed):
            sentence = MatchedMessage(replace(turn, reader=turn.reader.of(listed)), spans)
            reading = act.plan(sentence)
            if reading is None or not is_possible(reading):
                continue
            reading = sentence.accounted(reading)
            reading = replace(reading, act=act.name, rest=tuple(dict.fromkeys((*reading.rest, *left))))
            changes = any(call.tool in CHANGING for call in reading.calls)
            explained = evidence - _GUESS * (changes and not whole)
            score = _score(act, reading, explained, len(slots - _PAPERS - _WHOLE))
            papers = next((selection for _, selection in sentence.selections), None)
            yield ActFit(act, reading, score, papers)


def is_possible(reading: MessagePlan) -> bool:
    """Whether the tool accepts the conditions of a reading."""
    try:
        for call in reading.calls:
            if call.tool == "filter":
                FILTER.read(call.arguments)
    except ToolError:
        return False
    return True


def _claims(turn: MessageContext, act: Act) -> Iterator[tuple[frozenset[int], frozenset[str], float, bool]]:
    """Yield the words of a message that ask for an act, with the slots beside them and how much they tell: the words of
    a form whose fixed words are all there, in any order but with prepositions behind their nouns, or any words of the
    act."""
    tokens, weights = turn.reader.tokens, _weights()
    titled = {at for title in turn.reader.titles if title.end - title.start > 1 for at in range(title.start, title.end)}
    free = [at for at, token in enumerate(tokens) if not token.quoted and at not in titled]
    keys = ["" if at not in free else token.key for at, token in enumerate(tokens)]
    present = frozenset(keys)
    for anchors, optional, slots in _patterns()[act.name]:
        if any(words.isdisjoint(present) for words, _ in anchors):
            continue
        claimed: set[int] = set()
        evidence = 0.0
        for words, phrases in anchors:
            span = _place_of(keys, phrases, claimed, max(claimed, default=0) if words <= _BETWEEN else 0)
            if span is None:
                break
            claimed.update(span)
            evidence += max(weights.get(stem, 0.0) for at in span for stem in stems_of(keys[at]))
        else:
            for phrases in optional:
                span = _place_of(keys, phrases, claimed)
                if span and not FILLERS.issuperset(keys[at] for at in span):
                    claimed.update(span)
            yield frozenset(claimed), slots, 0.5 + evidence, True
    vocabulary = _vocabulary()[act]
    telling = {stem for stem in vocabulary if weights[stem] >= _TELLING}
    loose = {at for at in free if keys[at] not in NOUNS and not telling.isdisjoint(stems_of(keys[at]))}
    loose = {at for at in loose if keys[at] not in NEGATIONS or not loose.isdisjoint((at + 1, at + 2))}
    stems = {stem for at in loose for stem in stems_of(keys[at])} & vocabulary
    if loose:
        evidence = 0.5 * fsum(weights.get(stem, 0.0) for stem in stems) - 2 * (1 - _share(act, present))
        yield from (
            (frozenset(loose), slots, evidence, False)
            for slots in dict.fromkeys(row.slots for row in _patterns()[act.name])
        )


def _share(act: Act, present: Collection[str]) -> float:
    """Return the largest share of a form's fixed words that a message has, by weight."""
    weights, shares = _weights(), [0.0]
    for anchors, _, _ in _patterns()[act.name]:
        telling = [max(weights.get(stem, 0.0) for stem in stems_of(min(words))) for words, _ in anchors]
        there = fsum(
            weight for weight, (words, _) in zip(telling, anchors, strict=True) if not words.isdisjoint(present)
        )
        shares.append(there / (fsum(telling) or 1))
    return max(shares)


def _place_of(
    keys: Sequence[str], phrases: Sequence[tuple[str, ...]], claimed: Set[int], start: int = 0
) -> range | None:
    """Return where the first of these phrases stands in a message, beside what was claimed; None if nowhere."""
    for words in phrases:
        for at in range(start, len(keys)):
            span = range(at, at + len(words))
            if keys[at] == words[0] and tuple(keys[at : span.stop]) == words and claimed.isdisjoint(span):
                return span
    return None


def _score(act: Act, reading: MessagePlan, explained: float, filled: int) -> float:
    rest = {stem for word in reading.rest for part in word.split() for stem in stems_of(folded(part))}
    related = _related(tuple(sorted(rest)))
    position = _acts().index(act)
    near = fsum(values[position] for values in related.values())
    left = fsum(
        _FUNCTION if folded(word) in STOP_WORDS else 1.0
        for word in (*reading.rest, *(part.text for part in reading.unknown))
    )
    fit = 0.4 if reading.understood and reading.calls else 0.2 if reading.options else -0.4
    return 0.5 * explained + 0.5 * near - left + fit + 0.3 * filled + (0.3 if act is LIST else 0.0)


def _filled(
    turn: MessageContext, slots: frozenset[str], claimed: Collection[int]
) -> Iterator[tuple[dict[str, tuple[int, int]], list[Token], list[str]]]:
    """Yield the ways to fill slots: their spans in the words reordered by slot, these words, and those left over."""
    tokens = turn.reader.tokens
    texts = sorted(slots - _PAPERS - _SECOND - _WHOLE)
    for fills in islice(_assigned(turn, texts, claimed, {}), _MOST_FILLS):
        used = {*claimed, *(at for span in fills.values() for at in span)}
        rest = _between_removed(tokens, [at for at in range(len(tokens)) if at not in used], used)
        for parts in _parted(turn, slots, rest):
            listed: list[Token] = []
            spans: dict[str, tuple[int, int]] = {}
            for slot, positions in [*parts.items(), *fills.items()]:
                spans[slot] = (len(listed), len(listed) + len(positions))
                listed += [tokens[at] for at in positions]
            unused = rest if not parts else _without_object(tokens, rest)
            left = [
                tokens[at].text
                for at in unused
                if parts or (turn.reader.has_meaning(tokens[at]) and tokens[at].key not in NOUNS)
            ]
            yield spans, listed, left


_WHOLE = frozenset({"topic", "when", "act"})
"""Slots that take all words that no other slot has."""


def _parted(turn: MessageContext, slots: frozenset[str], rest: list[int]) -> Iterator[dict[str, list[int]]]:
    first = next(iter(slots & (_PAPERS | _WHOLE)), "")
    if {"paper", "papers"} <= slots or slots & _SECOND:
        second = next(iter(slots & _SECOND), "paper")
        first = next(iter(slots & _PAPERS - {second}), "papers")
        keys = turn.reader.keys
        for at, position in enumerate(rest):
            if keys[position] in _JOINTS and 0 < at < len(rest) - 1:
                yield {first: rest[:at], second: rest[at + 1 :]}
        return
    yield {first: rest} if first else {}


def _between_removed(tokens: Sequence[Token], rest: list[int], used: Collection[int]) -> list[int]:
    """Remove the prepositions and marks next to words that were used."""
    rest = [at for at in rest if not (tokens[at].key in _BETWEEN and (at - 1 in used or at + 1 in used))]
    while rest and (tokens[rest[-1]].key in _BETWEEN or not any(map(str.isalnum, tokens[rest[-1]].key))):
        rest.pop()
    while rest and tokens[rest[0]].key in _BETWEEN:
        rest.pop(0)
    return rest


def _without_object(tokens: Sequence[Token], rest: Sequence[int]) -> list[int]:
    """Return the preposition whose object was used: "in the" of "in the abstract"."""
    last = [tokens[at].key for at in rest[-2:]]
    return [rest[-2]] if len(last) == 2 and last[0] in _BETWEEN - {"of"} and last[1] in _ARTICLES else []


def _assigned(
    turn: MessageContext, slots: Sequence[str], claimed: Collection[int], fills: Mapping[str, range]
) -> Iterator[dict[str, range]]:
    """Yield the ways to give each slot a span of its own."""
    if not slots:
        yield dict(fills)
        return
    taken = {at for span in fills.values() for at in span}
    for span in dict.fromkeys(_values(turn, slots[0], claimed)):
        if taken.isdisjoint(span):
            yield from _assigned(turn, slots[1:], claimed, {**fills, slots[0]: span})


def _values(turn: MessageContext, slot: str, claimed: Collection[int]) -> Iterator[range]:
    """Yield the spans of a message that may be the value of a slot, the likeliest first."""
    tokens, keys = turn.reader.tokens, turn.reader.keys
    match slot:
        case "text" | "quote" | "tags" | "new":
            yield from (range(at, at + 1) for at, token in enumerate(tokens) if token.quoted)
        case "format" | "word":
            yield from (range(at, at + 1) for at, key in enumerate(keys) if key in FORMATS)
        case "n":
            yield from (range(at, number[1]) for at in range(len(keys)) if (number := number_at(keys, at)))
        case "kind":
            yield from (range(at, at + 1) for at, key in enumerate(keys) if key.startswith(KINDS))
        case "source":
            live = turn.context.resources.live
            yield from (range(at, at + 1) for at, key in enumerate(keys) if key in live)
    if slot == "text":
        begins = (at + 1 for at, key in enumerate(keys) if key in _SAYING and 0 < at < len(keys) - 1)
        yield from (range(begin, len(keys)) for begin in begins)
    if slot in ("tags", "new"):
        for at, key in enumerate(keys):
            if key in _LABELS:
                yield from _run_behind(turn, at + 1, claimed)
                before = 1 + (at > 1 and _is_name_part(turn, at - 2, claimed))
                yield from [range(at - before, at)] if at and _is_name_part(turn, at - 1, claimed) else ()
        for at in range(len(keys)):
            if tag := turn.names.tag_at(tokens, at):
                yield range(at, tag[1])
        for at, key in enumerate(keys):
            if key in _BEFORE_TAGS:
                yield from _run_behind(turn, at + 1, claimed)


def _run_behind(turn: MessageContext, begin: int, claimed: Collection[int]) -> Iterator[range]:
    """Yield the words behind `begin` that may be a tag."""
    keys = turn.reader.keys
    begin = next((at for at in range(begin, len(keys)) if keys[at] not in _BEFORE_TAGS), len(keys))
    last = (at for at in range(begin, len(keys)) if at == begin + 3 or not _is_name_part(turn, at, claimed))
    if (end := next(last, len(keys))) > begin:
        yield range(begin, end)


def _is_name_part(turn: MessageContext, at: int, claimed: Collection[int]) -> bool:
    token = turn.reader.tokens[at]
    return at not in claimed and token.key not in FILLERS | NOUNS | JOINING and any(map(str.isalnum, token.key))


# The words of the table


class Pattern(NamedTuple):
    """The fixed words of a form: those that must be there, each with the first words of its phrases, those that may be
    there, and its slots."""

    anchors: tuple[tuple[frozenset[str], tuple[tuple[str, ...], ...]], ...]
    optional: tuple[tuple[tuple[str, ...], ...], ...]
    slots: frozenset[str]


@lru_cache(maxsize=1)
def _patterns() -> Mapping[str, Sequence[Pattern]]:
    patterns: dict[str, dict[Pattern, None]] = defaultdict(dict)
    for act in _acts():
        for text in act.forms:
            elements = form(text)
            anchors = tuple(
                (frozenset(words[0] for words in element.words), element.words)
                for element in elements
                if element.words and not element.optional
            )
            optional = tuple(element.words for element in elements if element.words and element.optional)
            patterns[act.name][Pattern(anchors, optional, frozenset(_SLOT.findall(text)))] = None
    return {name: tuple(rows) for name, rows in patterns.items()}


@lru_cache(maxsize=1)
def _acts() -> tuple[Act, ...]:
    return (*ACTS, LIST)


@lru_cache(maxsize=1)
def _vocabulary() -> Mapping[Act, frozenset[str]]:
    """Return the stems of the words of each act."""
    return {act: frozenset(stem for word in act_words(act) for stem in stems_of(word)) for act in _acts()}


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    """Return the weight of each stem, from 0 to 1: the fewer acts have it, the more it tells."""
    count = Counter(stem for stems in _vocabulary().values() for stem in stems)
    rare = {stem: 1 - log(several) / log(len(ACTS)) for stem, several in count.items()}
    return {stem: weight * (_FUNCTION if stem in STOP_WORDS else 1) for stem, weight in rare.items()}


def act_words(act: Act) -> Iterable[str]:
    """Return the words of the forms and of the label of an act, without duplicates."""
    text = " ".join((*act.forms, act.label.partition(",")[0]))
    return dict.fromkeys(_SLOT.sub(" ", re.sub(r"[|_\[\]]", " ", text)).split())


@lru_cache(maxsize=8_192)
def stems_of(word: str) -> Sequence[str]:
    """Return the stems of a word; a function word is its own stem."""
    return terms(word) or [word]


@lru_cache(maxsize=64)
def _related(stems: tuple[str, ...]) -> Mapping[str, Sequence[float]]:
    """Return, for each stem, how near its word vector is to the telling words of each act; 0 for stems of the table."""
    rows, columns = _matrix()
    near: dict[str, Sequence[float]] = {}
    for stem in stems:
        cosines = rows @ vector({stem: 1})
        values = [max((float(cosines[column]) for column in own), default=0.0) for own in columns]
        near[stem] = [value if value >= _RELATED else 0.0 for value in values]
    return near


@lru_cache(maxsize=1)
def _matrix() -> tuple["Floats", Sequence[Sequence[int]]]:
    """Return the vectors of the telling stems of the table, and the rows of each act."""
    import numpy as np

    stems = sorted(stem for stem, weight in _weights().items() if weight >= _TELLING)
    row_of = {stem: row for row, stem in enumerate(stems)}
    rows = np.stack([vector({stem: 1}) for stem in stems])
    return rows, [[row_of[stem] for stem in _vocabulary()[act] if stem in row_of] for act in _acts()]
