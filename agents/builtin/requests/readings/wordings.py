"""Requests by how they are worded: what stands in a message of names, numbers and topics is taken out, and put into the
nearest wording that the rules are known to read (example-based reading).

A wording is a line such as `when did I save {title}?`. A message is abstracted the same way, by what the library knows,
and compared by its words, their stems and their neighbors (tf-idf, cosine); wordings with other slots than the message
has are left aside. What the rules do not read stands beside another way of saying it that they do.
"""

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from agents.builtin.requests.readings.unread import is_heard
from agents.builtin.requests.scene import Scene
from agents.builtin.requests.slot_kinds import KINDS
from agents.builtin.text.terms import terms
from connectors.query.stopwords import STOP_WORDS

_QUOTED = r"\"[^\"]+\"|“[^”]+”|(?<!\w)'[^']{3,}'(?!\w)"
_YEAR = r"\b(?:19|20)\d\d\b"
_NUMBER = r"\b\d[\d,.]*k?\b"
_ORDINAL = (
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b"
    r"(?! (?:author|time|two|three|four|five|\d))"
)
_WORD = r"[^\W_][\w'’+#.-]*[\w+#]|\w"
_TOKEN = re.compile(
    rf"(?P<quoted>{_QUOTED})|(?P<year>{_YEAR})|(?P<number>{_NUMBER})|(?P<ordinal>{_ORDINAL})|(?P<word>{_WORD})",
    re.IGNORECASE,
)
_MOST_WORDS = 12
"""Words of a title, at most."""
SLOT = re.compile(r"\{(\w+)\}")


class Abstracted(NamedTuple):
    """A message with slots, and what stood in them, in their order."""

    pattern: str
    fillers: tuple[tuple[str, str], ...]


class Wording(NamedTuple):
    """A way of asking with slots, told with or without papers that were spoken of before; `said` is how the rules read
    the same, with the same slots in the same order of each kind."""

    onward: bool
    pattern: str
    said: str


def abstracted(message: str, scene: Scene) -> Abstracted:
    """The message with slots for its titles, people, venues, tags, topics, years, numbers and places."""
    tokens = list(_TOKEN.finditer(message))
    parts: list[str] = []
    fillers: list[tuple[str, str]] = []
    end = place = 0
    while place < len(tokens):
        kind, size = _kind(tokens, place, message, scene)
        first, last = tokens[place], tokens[place + size - 1]
        if kind:
            parts += [message[end : first.start()], f"{{{kind}}}"]
            fillers.append((kind, message[first.start() : last.end()].removesuffix("'s").removesuffix("’s")))
            end = last.end()
        place += size
    return Abstracted("".join([*parts, message[end:]]), tuple(fillers))


def _kind(tokens: Sequence[re.Match[str]], place: int, message: str, scene: Scene) -> tuple[str, int]:
    """What slot begins at a token, "" if none, and how many tokens it takes."""
    token = tokens[place]
    if token.lastgroup != "word":
        return ("title" if token.lastgroup == "quoted" else str(token.lastgroup)), 1
    word = token[0]
    if word.casefold() in [tag.casefold() for tag in scene.tags] and re.search(
        r"\btag|\blabel", message, re.IGNORECASE
    ):
        return "tag", 1
    if word[:1].isupper() and not (place == 0 and is_heard(word.casefold())):
        for size in range(min(_MOST_WORDS, len(tokens) - place), 0, -1):
            run = tokens[place : place + size]
            if any(one.lastgroup not in ("word", "number") for one in run):
                continue
            name = message[run[0].start() : run[-1].end()].removesuffix("'s")
            if size > 1 and run[-1][0].casefold() in STOP_WORDS:
                continue
            if size < 4 and scene.is_author(name) and len(name) > 2:
                return "person", size
            if scene.is_venue(name):
                return "venue", size
            if scene.is_title(name) and not is_heard(name.casefold()):
                return "title", size
    if _is_topic(word, scene):
        size = 1
        while (
            place + size < len(tokens)
            and _is_topic(tokens[place + size][0], scene)
            and message[tokens[place + size - 1].end() : tokens[place + size].start()] == " "
        ):
            size += 1
        return "topic", size
    return "", 1


def _is_topic(word: str, scene: Scene) -> bool:
    small = word.casefold()
    return (
        len(small) > 2
        and not is_heard(small)
        and small not in STOP_WORDS
        and not _TIME.fullmatch(small)
        and scene.is_subject(small)
    )


_TIME = re.compile(rf"(?:{KINDS['monthname']}|{KINDS['weekday']}|{KINDS['decade']}|{KINDS['unit']})", re.IGNORECASE)


class Wordings:
    """Wordings that are known, to be compared with a message."""

    def __init__(self, lines: Sequence[Wording]) -> None:
        self.lines = lines
        texts = [_features(line.pattern, line.onward) for line in lines]
        having = Counter(feature for text in texts for feature in text)
        self._weight = {feature: math.log((len(texts) + 1) / (count + 0.5)) for feature, count in having.items()}
        self._places: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, text in enumerate(texts):
            for feature, weight in self._vector(text).items():
                self._places[feature].append((place, weight))

    def near(self, message: Abstracted, onward: bool) -> Iterator[tuple[float, str]]:
        """What a message could be meant by, that of the nearest wording first, filled with what stood in its slots."""
        near: dict[int, float] = defaultdict(float)
        for feature, weight in self._vector(_features(message.pattern, onward)).items():
            for place, other in self._places.get(feature, ()):
                near[place] += weight * other
        kinds = Counter(kind for kind, _ in message.fillers)
        for place in sorted(near, key=lambda place: -near[place])[:60]:
            _, pattern, said = self.lines[place]
            if Counter(SLOT.findall(pattern)) == kinds and (" " in pattern or " " not in message.pattern):
                yield near[place], _filled(said, message.fillers)

    def _vector(self, text: Mapping[str, int]) -> dict[str, float]:
        unknown = math.log(len(self.lines) + 1)
        weights = {
            feature: self._weight.get(feature, unknown) * (1 + math.log(count)) for feature, count in text.items()
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {feature: weight / length for feature, weight in weights.items()}


def _filled(pattern: str, fillers: Sequence[tuple[str, str]]) -> str:
    rest: dict[str, list[str]] = defaultdict(list)
    for kind, text in fillers:
        rest[kind].append(text)
    return SLOT.sub(lambda slot: rest[slot[1]].pop(0), pattern)


def _features(pattern: str, onward: bool) -> Counter[str]:
    words = [_stem(word) for word in re.findall(r"\{\w+\}|[a-z]+|\?", pattern.lower().replace("'", ""))]
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(words)]
    return Counter([*words, *words, *pairs, *(["ONWARD"] if onward else [])])


@lru_cache(maxsize=4_000)
def _stem(word: str) -> str:
    return word if word[:1] == "{" else "".join(terms(word)) or word


@lru_cache(maxsize=1)
def wordings() -> Wordings:
    """Those that come with the program: a line each, marked with `+` where it goes on with papers spoken of before;
    behind a tab stands how the rules read the same, where they do not read the wording itself."""
    lines = files(__package__).joinpath("wordings.txt").read_text("utf-8").splitlines()
    return Wordings([_wording(line) for line in lines if line.strip()])


def _wording(line: str) -> Wording:
    pattern, _, said = line[1:].partition("\t")
    return Wording(line[:1] == "+", pattern.strip(), (said or pattern).strip())
