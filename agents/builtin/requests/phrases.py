"""Phrases that rules listen for, written as people say them: `(save|put) <papers> [on {shelf}]`.

| written | means |
|---|---|
| `word`, `one/two` | the word, one of the words |
| `[...]` | may be missing |
| `(...\\|...)` | one of these |
| `{name}` | what the vocabulary says of `name` |
| `<name>` | anything, kept as the slot `name` |
| `<name:kind>`, `<:kind>` | what the kind allows (see `KINDS`), kept or not |

Every part brings the blank before it along, with the comma that may stand there; so a text is read behind a blank.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from agents.builtin.requests.slot_kinds import KINDS
from agents.builtin.requests.vocabulary import BOUNDARY, KNOWN

Slots = Mapping[str, str]
"""What stood where a phrase has slots; a slot that stayed empty is missing."""

_GAP = "[,;:]? "
_TOKEN = re.compile(r"<\w*(?::\w+)?>|\{\w+\}|[\[\]()|]|[^\s\[\]()|{}<>]+")
HEARD: set[str] = set()
"""Every word that some phrase listens for."""
_WORDS = re.compile(r"[a-z]{4,}")
HEARD.update(_WORDS.findall(" ".join(KNOWN.values())))


class Found(NamedTuple):
    """Where a phrase stands, and what stood in its slots."""

    start: int
    end: int
    slots: Slots


class Phrases:
    """Some ways of saying one thing, asked in their order. A pattern is made when a text could be one of them first:
    most of the ways are never said."""

    def __init__(self, *sources: str) -> None:
        self.sources = tuple(phrase for source in sources for phrase in _lines(source))
        HEARD.update(word for source in self.sources for word in _WORDS.findall(source.lower()))

    def match(self, text: str) -> Slots | None:
        """The slots, if the whole `text` is one of these phrases."""
        first = words_of(text[:100])[:2]
        for source, begins in self._ways:
            if begins and begins.isdisjoint(first):
                continue
            if found := _whole(source).fullmatch(f" {text}"):
                return _slots(found)
        return None

    def find(self, text: str) -> Found | None:
        """The first of these phrases that stands anywhere in `text`."""
        text = text.rstrip()
        words = words_of(text)
        for source, begins in self._ways:
            if begins and begins.isdisjoint(words):
                continue
            if found := _anywhere(source).search(f" {text}"):
                return Found(max(found.start() - 1, 0), found.end() - 1, _slots(found))
        return None

    @cached_property
    def _ways(self) -> tuple[tuple[str, frozenset[str] | None], ...]:
        """Each phrase with the words that it can begin with, None for any."""
        for source in self.sources:
            if _parsed(source).empty:
                raise ValueError(f"a phrase that says nothing, or a line that should go on: {source}")
        return tuple((source, _parsed(source).begins) for source in self.sources)


def _lines(block: str) -> list[str]:
    """The phrases of a block, one a line; a line that stands further in goes on with the one before."""
    lines = [line for line in block.splitlines() if line.strip()] or [block]
    margin = len(lines[0]) - len(lines[0].lstrip())
    found: list[str] = []
    for line in lines:
        if found and len(line) - len(line.lstrip()) > margin:
            found[-1] += f" {line.strip()}"
        else:
            found.append(line.strip())
    return found


@lru_cache(maxsize=64)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, with and without what is attached to them: `paper's` is `paper` too."""
    whole = [word.strip(",;:.?!()\"'") for word in text.lower().split()]
    return tuple(dict.fromkeys(part for word in whole for part in (word, word.split("'")[0].split(":")[0])))


@cache
def _whole(source: str) -> re.Pattern[str]:
    return re.compile(_parsed(source).pattern, re.IGNORECASE)


@cache
def _anywhere(source: str) -> re.Pattern[str]:
    end = _clause_end() if _OPEN_END.search(source) else _WORD_END
    return re.compile(_parsed(source).pattern + end, re.IGNORECASE)


def _slots(found: re.Match[str]) -> Slots:
    return {name: value.strip(" ,;") for name, value in found.groupdict().items() if value}


class _Parsed(NamedTuple):
    """A part of a phrase: its pattern, the words that it can begin with (None for any), whether it can be empty."""

    pattern: str
    begins: frozenset[str] | None
    empty: bool = False


@cache
def _parsed(source: str) -> _Parsed:
    if "".join(_TOKEN.findall(source)) != "".join(source.split()):
        raise ValueError(f"no phrase: {source}")
    return _alternatives(deque(_TOKEN.findall(source)), "")


def _alternatives(tokens: deque[str], closing: str) -> _Parsed:
    """The parts up to `closing`, one behind the other, or one instead of the other."""
    branches: list[list[_Parsed]] = [[]]
    while tokens and (token := tokens.popleft()) != closing:
        match token:
            case "|":
                branches.append([])
            case "[":
                inner = _alternatives(tokens, "]")
                branches[-1].append(_Parsed(f"{inner.pattern}?", inner.begins, empty=True))
            case "(":
                branches[-1].append(_alternatives(tokens, ")"))
            case _:
                branches[-1].append(_part(token))
    ways = [_sequence(parts) for parts in branches]
    begins = [way.begins for way in ways]
    return _Parsed(f"(?:{'|'.join(way.pattern for way in ways)})", _union(begins), any(way.empty for way in ways))


def _sequence(parts: Sequence[_Parsed]) -> _Parsed:
    begins: list[frozenset[str] | None] = []
    for part in parts:
        begins.append(part.begins)
        if not part.empty:
            break
    return _Parsed("".join(part.pattern for part in parts), _union(begins), all(part.empty for part in parts))


def _union(begins: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    told = [words for words in begins if words is not None]
    return frozenset().union(*told) if len(told) == len(begins) else None


def _part(token: str) -> _Parsed:
    if token.startswith("{"):
        return _parsed(KNOWN[token[1:-1]])
    if token.startswith("<"):
        name, _, kind = token[1:-1].partition(":")
        return _Parsed(f"{_GAP}(?{f'P<{name}>' if name else ':'}{KINDS[kind or 'any']})", None)
    if token in _ATTACHED:
        return _Parsed(_ATTACHED[token], None)
    words = token.split("/")
    pattern = f"{_GAP}(?:{'|'.join(map(re.escape, words))}){_WORD_END}"
    return _Parsed(pattern, frozenset(word.lower() for word in words))


_ATTACHED = {"'s": "(?:'s|')", ":": " ?:"}
"""What stands at the end of a word, without a blank before it."""
_WORD_END = r"(?![\w-])"
_OPEN_END = re.compile(r"<\w+>$")


@cache
def _clause_end() -> str:
    return rf"(?=[ ]*(?:$|[,;.?!]|{_parsed(BOUNDARY).pattern}))"
