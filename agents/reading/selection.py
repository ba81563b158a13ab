"""Which papers a part of a message means: conditions in any order, an order, a count, references, and the rest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import takewhile
from typing import Any, NamedTuple

from agents.reading.cues import (
    BOUNDS,
    FILLERS,
    JOINING,
    LEAVING_OUT,
    NEGATIONS,
    NOUNS,
    SINGULARS,
    Cue,
    cues_by_word,
)
from agents.reading.dates import RECENT_YEARS, Period, dated
from agents.reading.names import Names, Title
from agents.reading.numbers import number_at, ordinal
from agents.reading.tokens import Token, written
from cache.store import PaperId
from connectors.identifiers import parse_identifier

LISTS = frozenset(
    {
        "words",
        "any_words",
        "without",
        "title_words",
        "authors",
        "any_authors",
        "venues",
        "types",
        "tags",
        "without_authors",
        "without_venues",
        "without_types",
        "without_tags",
        "without_years",
        "except_papers",
    }
)
"""Conditions that several values can be given for."""


class Unknown(NamedTuple):
    """A name or word that the library does not have: `kind` of thing, how it was written, what is nearly so."""

    kind: str
    text: str
    near: tuple[str, ...] = ()


@dataclass
class Selection:
    """`given` are the arguments of the tool `filter`; `also` those of a second one where all of several tags are meant.
    `names` are papers named by a reference, a number or a title; `among` those that were looked up by their notes.
    `onward`: of the papers spoken of before. `others`: not those shown. `rest` are words that nothing rests on.
    `against` are conditions that contradict those of `given`."""

    given: dict[str, Any] = field(default_factory=dict)
    also: list[dict[str, Any]] = field(default_factory=list)
    order: str = ""
    count: int | None = None
    last: bool = False
    names: list[str] = field(default_factory=list)
    among: list[PaperId] | None = None
    like: list[str] = field(default_factory=list)
    like_words: str = ""
    onward: bool = False
    others: bool = False
    pronoun: bool = False
    noun: bool = False
    single: bool = False
    definite: bool = False
    whole: bool = False
    that: bool = False
    rest: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    against: dict[str, Any] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing says which papers are meant, not even that they are papers."""
        return not (self.is_chosen or self.noun or self.order or self.count)

    @property
    def is_chosen(self) -> bool:
        """Whether anything says which papers are meant."""
        return bool(
            self.given
            or self.also
            or self.names
            or self.among is not None
            or self.like
            or self.like_words
            or self.onward
            or self.pronoun
            or self.others
            or self.unknown
        )

    def add(self, name: str, value: Any) -> None:
        """One more value of a condition; of a condition with one value the last holds."""
        if name in LISTS:
            values = [*self.given.get(name, ()), value]
            self.given[name] = list(dict.fromkeys(values))
        else:
            if isinstance(value, bool) and self.given.get(name, value) is not value:
                self.against[name] = self.given[name]
            self.given[name] = value


_BEFORE_NOUNS = frozenset("of in on by from to with about for as at into".split())
"""Words behind which a new phrase begins: "my note on the paper" does not say whose the paper is."""


class Chunk(NamedTuple):
    """A part of the message that is understood: where it ends, and what it says of the papers. A `firm` one ends a
    subject that stands before it."""

    end: int
    say: Callable[[Selection], None]
    firm: bool = True


def _nothing(selection: Selection) -> None:
    """A word that says nothing of its own."""


class Reader:
    """Reads parts of one message against one library; `shown` counts the papers shown last, `own` are the words that it
    understands by itself, which are no subject unless something introduces them."""

    def __init__(
        self,
        tokens: Sequence[Token],
        names: Names,
        today: date,
        *,
        shown: int = 0,
        focus: PaperId | None = None,
        candidates: bool = False,
        own: frozenset[str] = frozenset(),
    ) -> None:
        self.tokens, self.names, self.today = tokens, names, today
        self.shown, self.focus, self.has_candidates = shown, focus, candidates
        self.keys = [token.key for token in tokens]
        self.own = own
        self._start, self._end = 0, len(tokens)
        self._titles: list[Title] | None = None
        self._chunks: dict[tuple[int, int], Chunk | None] = {}
        self._read: dict[tuple[int, int, bool], Selection] = {}

    @property
    def titles(self) -> list[Title]:
        """The papers that the message names by their titles."""
        if self._titles is None:
            self._titles = self.names.titles_in(self.tokens)
        return self._titles

    def read(self, start: int, end: int, *, one: bool = False) -> Selection:
        """The papers that the words from `start` to `end` mean; with `one` a title may be written in small letters."""
        key = (start, end, one)
        if key not in self._read:
            self._read[key] = self._selection(start, end, one)
        return self._read[key]

    def _selection(self, start: int, end: int, one: bool) -> Selection:
        self._start, self._end = start, end
        selection = Selection()
        place = start
        while place < end:
            title = None if self._is_cued(place, start) and not one else self._title_at(place, end)
            if title is not None:
                selection.names.append(f"#{title.number}")
                place = title.end
                continue
            chunk = self._chunk(place)
            if chunk is not None:
                chunk.say(selection)
                place = chunk.end
                continue
            place = self._bare(selection, place)
        self._settle(selection, start, end)
        return selection

    def _is_cued(self, place: int, start: int) -> bool:
        return place > start and self.keys[place - 1] in ("on", "about", "in", "by", "tagged", "regarding")

    def _title_at(self, place: int, end: int) -> Title | None:
        """The paper whose title begins here. A title of one word that plain papers follow is a subject."""
        for title in self.titles:
            if title.start == place and title.end <= end:
                behind = self.keys[title.end] if title.end < end else ""
                if title.end - title.start == 1 and (behind in NOUNS or not self._may_name(place)):
                    continue
                return title
        return None

    def _may_name(self, place: int) -> bool:
        return self.keys[place] not in FILLERS

    # Chunks

    def _chunk(self, place: int) -> Chunk | None:
        key = (place, self._end)
        if key not in self._chunks:
            self._chunks[key] = None  # a chunk that asks for itself is none
            self._chunks[key] = self._chunk_at(place)
        return self._chunks[key]

    def _chunk_at(self, place: int) -> Chunk | None:
        token = self.tokens[place]
        if token.quoted:
            return self._quoted(place)
        if (
            token.key == "but"
            and place + 2 < self._end
            and self.keys[place + 1] == "the"
            and ordinal(self.keys[place + 2])
        ):
            return self._negated(place)
        if self._is_named(token):
            return Chunk(place + 1, lambda selection: selection.names.append(token.text))
        cues = cues_by_word().get(token.key, ())
        for cue in cues:
            if len(cue.words) > 1 and self._stands(cue.words, place) and (chunk := self._cued(cue, place)):
                return chunk
        for words in LEAVING_OUT:
            if self._stands(words, place) and (chunk := self._negated(place + len(words) - 1)):
                return chunk
        if token.key in NEGATIONS and (chunk := self._negated(place)):
            return chunk
        if token.key not in FILLERS and (tag := self.names.tag_at(self.tokens[: self._end], place)):
            return self._tags(place, "tags")
        if token.key == "to" and (tag := self.names.tag_at(self.tokens[: self._end], place)) and tag[1] > place + 1:
            return self._tags(place, "tags")
        for read in (self._beside_paper, self._dated, self._bounded, self._placed, self._numbered):
            if chunk := read(place):
                return chunk
        for cue in cues:
            if len(cue.words) == 1 and (chunk := self._cued(cue, place)):
                return chunk
        if token.key in NOUNS:
            return Chunk(place + 1, self._noun(place), False)
        if chunk := self._bare_name(place):
            return chunk
        if token.key in FILLERS or not any(map(str.isalnum, token.key)):
            return Chunk(place + 1, _nothing, False)
        return None

    def _is_named(self, token: Token) -> bool:
        """Whether a word is an identifier or a citation key."""
        if not any(map(str.isdigit, token.key)) or token.key.isdigit() or len(token.key) < 6:
            return False
        return parse_identifier(token.text) is not None or self.names.is_key(token.text)

    def _stands(self, words: Sequence[str], place: int) -> bool:
        return place + len(words) <= self._end and self.keys[place : place + len(words)] == list(words)

    def _cued(self, cue: Cue, place: int) -> Chunk | None:
        behind = place + len(cue.words)
        match cue.kind:
            case "author":
                return self._people(behind, "authors", firm=cue.firm)
            case "venue":
                return self._venues(behind, "venues", firm=cue.firm)
            case "tag":
                return self._tags(behind, "tags", cued=True)
            case "subject":
                return self._subject(behind, firm=cue.firm)
            case "title":
                return self._in_title(behind)
            case "like":
                return self._alike(behind)
            case "note":
                return self._noted(behind)
            case "saved_on" | "read_on":
                if cue.kind == "read_on" and self._is_wished(place):
                    return None
                return self._done_on(behind, cue.kind)
            case "pronoun":
                return Chunk(behind, lambda selection: setattr(selection, "pronoun", True))
            case "others":
                return Chunk(behind, lambda selection: setattr(selection, "others", True), False)
            case "these":
                if any(cue.kind == "order" for cue in cues_by_word().get("".join(self.keys[behind : behind + 1]), ())):
                    return None  # "the two oldest"
                number = number_at(self.keys[: self._end], behind)
                return Chunk(number[1] if number and number[0] == self.shown else behind, self._these, True)
            case "whole":
                return Chunk(behind, self._whole, False)
            case "the paper":
                return Chunk(behind, self._that_paper, False)
            case "it":
                return Chunk(behind, lambda selection: selection.names.append("@it"))
            case "order":
                return self._ordered(place, behind, str(cue.value))
            case "recent":
                return self._recent(place, behind)
            case "state":
                name, value = cue.value
                if name == "read" and self._is_wished(place):
                    return None
                return Chunk(behind, _adding(name, value), len(cue.words) > 1)
            case "unheld":
                return Chunk(behind, self._unheld(place, behind))
        return Chunk(behind, _nothing, False)

    def _whole(self, selection: Selection) -> None:
        selection.noun = selection.whole = True

    def _that_paper(self, selection: Selection) -> None:
        selection.noun = selection.single = selection.that = True

    def _is_wished(self, place: int) -> bool:
        """Whether a word says what could be done, "what should I read", and not what was."""
        return any(
            word in ("should", "could", "can", "shall", "to", "would", "must", "will", "might")
            for word in self.keys[max(0, place - 2) : place]
        )

    def _these(self, selection: Selection) -> None:
        selection.noun = True
        selection.onward = selection.onward or self.has_candidates or self.shown > 0

    def _unheld(self, place: int, behind: int) -> Callable[[Selection], None]:
        text = written(self.tokens[place:behind])
        return lambda selection: selection.unknown.append(Unknown("unheld", text))

    def _noun(self, place: int) -> Callable[[Selection], None]:
        word = self.keys[place]
        phrase = takewhile(lambda key: key not in _BEFORE_NOUNS, reversed(self.keys[max(0, place - 5) : place]))
        mine = "my" in phrase and word in ("paper", "papers", "article", "articles", "publication", "publications")

        def say(selection: Selection) -> None:
            selection.noun = True
            if word in SINGULARS:
                selection.single = True
            if mine:
                selection.add("saved", True)

        return say

    def _negated(self, place: int) -> Chunk | None:
        """`not by Lee`, `without surveys`, `except the first`."""
        behind = place + 1
        while behind < self._end and self.keys[behind] in (
            "the",
            "any",
            "ones",
            "those",
            "from",
            "of",
            "for",
            "papers",
            "than",
            "to",
            "a",
            "have",
            "include",
            "i",
        ):
            if self.keys[behind] in ("from", "of") and (chunk := self._chunk(behind)) and chunk.firm:
                break
            if self.keys[behind] == "those" and behind + 1 == self._end:
                break
            behind += 1
        if behind >= self._end:
            return None
        title = self._title_at(behind, self._end)
        chunk = Chunk(title.end, _adding("except_papers", f"#{title.number}")) if title else self._chunk(behind)
        if title is not None and chunk is not None:
            return chunk
        if chunk is None or chunk.say is _nothing:
            if self.keys[place] in ("no", "never") and chunk is None and not self.names.is_subject(self.keys[behind]):
                return None
            run = self._run_from(behind, self._end)
            if not run or not all(
                self._is_subject(token) for token in self.tokens[behind : run[0]] if self._chunk_is_bare(token)
            ):
                return None
            end, phrase = run
            return Chunk(end, _adding("without", phrase))
        inner = Selection()
        chunk.say(inner)
        turned = opposite(inner)
        return None if turned is None else Chunk(chunk.end, _applying(turned))

    def _quoted(self, place: int) -> Chunk | None:
        text = self.tokens[place].text
        before = self.keys[place - 1] if place else ""
        if before in (
            "about",
            "on",
            "word",
            "words",
            "phrase",
            "with",
            "contain",
            "containing",
            "mention",
            "mentioning",
        ):
            behind = self._behind_title(place + 1)
            return Chunk(behind, _adding("title_words", text)) if behind else Chunk(place + 1, _adding("words", text))
        if text.casefold() in map(str.casefold, self.names.tags.values()):
            return Chunk(place + 1, _adding("tags", text))
        return Chunk(place + 1, lambda selection: selection.names.append(text))

    def _dated(self, place: int) -> Chunk | None:
        time = dated(self.tokens[: self._end], place, self.today)
        if time is None or time.end > self._end:
            return None
        if (
            self.keys[place] in ("of", "and", "the", "published", "out", "written", "appeared")
            and time.end == place + 1
        ):
            return None
        return Chunk(time.end, _within(time.period, "since", "until"))

    def _beside_paper(self, place: int) -> Chunk | None:
        """`older than BERT`, `since the AlphaFold paper`: a time that a paper sets."""
        for words, is_before in _BESIDE_PAPER:
            if not self._stands(words, place):
                continue
            at = place + len(words) + self._stands(("the",), place + len(words))
            title = self._title_at(at, self._end) if at < self._end else None
            if title is not None and (day := self.names.date_of(title.number)):
                end = title.end + (title.end < self._end and self.keys[title.end] in SINGULARS)
                return Chunk(end, _adding("until" if is_before else "since", _beside(day, is_before)))
        return None

    def _done_on(self, place: int, kind: str) -> Chunk | None:
        """`saved last week`, `read in October`."""
        while place < self._end and self.keys[place] in ("so", "far", "already", "on", "it"):
            place += 1
        time = dated(self.tokens[: self._end], place, self.today)
        if kind == "saved_on":
            if time is None:
                return Chunk(place, _adding("saved", True), False)
            return Chunk(time.end, _within(time.period, "saved_since", "saved_until"))
        return Chunk(place, _adding("read", True)) if time is None else Chunk(time.end, self._read_in(time.period))

    def _read_in(self, period: Period) -> Callable[[Selection], None]:
        numbers = self.names.read_between(period.since, period.until)
        return lambda selection: setattr(selection, "among", numbers)

    def _bounded(self, place: int) -> Chunk | None:
        """`cited more than 100 times`, `with at least three authors`, `over 50 citations`."""
        at = place
        if self.keys[at] in ("cited", "with", "having", "have", "has", "got", "by", "received"):
            at += 1
        if self._stands(("between",), at) and (both := self._between(place, at + 1)):
            return both
        least, most, shift = False, False, 0
        for words, (is_least, is_most, added) in BOUNDS.items():
            if self._stands(words, at):
                least, most, shift, at = is_least, is_most, added, at + len(words)
                break
        counted = number_at(self.keys[: self._end], at)
        if counted is None:
            return None
        number, at = counted
        if self._stands(("+",), at):
            least, at = True, at + 1
        if self._stands(("or", "more"), at):
            least, at = True, at + 2
        elif self._stands(("or", "fewer"), at) or self._stands(("or", "less"), at):
            most, at = True, at + 2
        noun = self.keys[at] if at < self._end else ""
        is_cited = noun in ("citations", "citation", "cites") or (
            noun in ("times", "time") and self.keys[place] == "cited"
        )
        if not is_cited and noun in ("times",) and self._stands(("cited",), at - 1):
            is_cited = True
        if self.keys[place] == "cited" and self.keys[at - 1] in ("once", "twice"):
            is_cited, at = True, at - 1
        shared = self._bounded(at + 1) if noun in ("and", "but", "or") and at + 1 < self._end else None
        if shared is not None:  # "more than 10 but fewer than 50 citations"
            inner = Selection()
            shared.say(inner)
            is_cited = bool({"min_citations", "max_citations"} & inner.given.keys())
        elif not is_cited and noun not in ("authors", "author", "people"):
            return None
        kind = "citations" if is_cited else "authors"
        end = at if shared else at + 1
        if self._stands(("or", "more"), end):
            least, end = True, end + 2
        elif self._stands(("or", "fewer"), end) or self._stands(("or", "less"), end):
            most, end = True, end + 2
        lower = number + shift if least or not most else None
        upper = number + shift if most or not least else None

        def say(selection: Selection) -> None:
            if lower is not None:
                selection.add(f"min_{kind}", lower)
            if upper is not None:
                selection.add(f"max_{kind}", upper)

        return Chunk(end, say)

    def _between(self, place: int, at: int) -> Chunk | None:
        """`cited between 1000 and 1100 times`."""
        first = number_at(self.keys[: self._end], at)
        if first is None or not self._stands(("and",), first[1]):
            return None
        second = number_at(self.keys[: self._end], first[1] + 1)
        if second is None or second[1] >= self._end:
            return None
        noun = self.keys[second[1]]
        if noun not in ("citations", "times", "cites", "authors"):
            return None
        kind = "authors" if noun == "authors" else "citations"
        return Chunk(second[1] + 1, _applying({f"min_{kind}": first[0], f"max_{kind}": second[0]}))

    def _placed(self, place: int) -> Chunk | None:
        """`the second`, `number 3`, `the first two`, `the last one`, `#4`."""
        at = place
        named = False
        if self.keys[at] in ("number", "no", "nr", "paper", "item", "result") and at + 1 < self._end:
            number = number_at(self.keys[: self._end], at + 1)
            if number is not None and self.tokens[at + 1].key.isdigit() and number[0] <= 100:
                named_place, behind = number
                return Chunk(behind, lambda selection: selection.names.append(f"@{named_place}"))
            return None
        word = self.keys[at]
        if word in ("first", "last", "top") and (number := number_at(self.keys[: self._end], at + 1)):
            count = number[0]
            return Chunk(number[1], self._first(count, word == "last", is_top=word == "top"), False)
        if word == "last" and at > 0 and self.keys[at - 1] == "the":
            named = True
        rank = ordinal(word)
        if rank is None and not named:
            return None
        behind = at + 1
        if behind < self._end and self.keys[behind] in ("one", "paper", "article", "result"):
            behind += 1
        if rank == 1 and self._stands(("author",), behind):
            return None
        return Chunk(behind, self._at_place(rank))

    def _at_place(self, rank: int | None) -> Callable[[Selection], None]:
        place = rank if rank is not None else self.shown
        return lambda selection: selection.names.append(f"@{place}")

    def _first(self, count: int, last: bool, *, is_top: bool) -> Callable[[Selection], None]:
        def say(selection: Selection) -> None:
            selection.count, selection.last = count, last
            if is_top and not selection.order:
                selection.order = "top"

        return say

    def _numbered(self, place: int) -> Chunk | None:
        """`5 papers`, `five most cited`."""
        number = number_at(self.keys[: self._end], place)
        if number is None or number[0] == 0 or number[0] > 500 or number[1] >= self._end:
            return None
        behind = self.keys[number[1]]
        cues = [
            cue for cue in cues_by_word().get(behind, ()) if cue.kind == "order" and self._stands(cue.words, number[1])
        ]
        if behind in NOUNS or cues or behind in ("of", "recent") or self._is_type(number[1]):
            return Chunk(number[1], lambda selection: setattr(selection, "count", number[0]), False)
        return None

    def _ordered(self, place: int, behind: int, order: str) -> Chunk:
        if self.keys[place - 1 : place] == ["to"] or self.keys[max(0, place - 2) : place] == ["to", "the"]:
            return Chunk(behind, _nothing, False)  # the other end: "from the oldest to the newest"
        noun = behind < self._end and self.keys[behind] in NOUNS and self._stands(("first",), behind + 1)
        number = number_at(self.keys[: self._end], behind)
        count = number[0] if number and number[0] <= 100 else None
        if number and count:
            behind = number[1]
        elif noun or self._stands(("first",), behind):
            behind += 1 + noun
        elif self._stands(("on", "top"), behind) or self._stands(("at", "top"), behind):
            behind += 2
        before = self.keys[max(0, place - 2) : place]
        is_one = before[-1:] == ["the"] and before[0] != "by" and (behind >= self._end or self.keys[behind] == "of")

        def say(selection: Selection) -> None:
            if order == "fewest first":
                selection.order = "oldest" if selection.order == "newest" else "fewest_citations"
            else:
                selection.order = order
            selection.count = count or selection.count
            selection.noun = selection.noun or noun
            selection.single = selection.single or (is_one and not count)

        return Chunk(behind, say)

    def _recent(self, place: int, behind: int) -> Chunk:
        year = self.today.year - RECENT_YEARS

        def say(selection: Selection) -> None:
            selection.add("since", str(year))
            selection.taken.append(f"“{self.tokens[place].text}” as since {year}")

        return Chunk(behind, say, False)

    # Values

    def _people(self, place: int, name: str, *, firm: bool) -> Chunk | None:
        tokens = self.tokens[: self._end]
        authors: list[str] = []
        unknown: list[Unknown] = []
        end, either = place, False
        while place < self._end:
            while place < self._end and self.keys[place] in (
                "the",
                "prof",
                "dr",
                "professor",
                "author",
                "authors",
                "group",
                "of",
                "by",
                "either",
                "both",
            ):
                place += 1
            if place < self._end and tokens[place].quoted:
                authors.append(tokens[place].text)
                end = place + 1
            elif person := self.names.person_at(tokens, place):
                authors.append(person[0])
                end = person[1]
            elif firm and not authors and (strange := self._strange(place)):
                text = written(tokens[place:strange])
                if near := tuple(self.names.near_author(text.split()[-1])):
                    unknown.append(Unknown("author", text, near))
                else:
                    authors.append(text)
                end = strange
            else:
                break
            end = self._behind_et_al(end)
            if end >= self._end or self.keys[end] not in JOINING:
                break
            either = either or self.keys[end] in ("or", "nor")
            place = end + 1
        if not authors and not unknown:
            return None
        kind = "any_authors" if either and len(authors) > 1 else name

        def say(selection: Selection) -> None:
            for author in authors:
                selection.add(kind, author)
            selection.unknown += unknown

        return Chunk(end, say)

    def _behind_et_al(self, place: int) -> int:
        for words in _BEHIND_NAMES:
            if self._stands(words, place):
                return place + len(words)
        return place

    def _strange(self, place: int) -> int | None:
        """The end of a name that the library does not have: words that say nothing else, at most three."""
        end = place
        while (
            end < min(self._end, place + 3)
            and not self.tokens[end].quoted
            and self.keys[end] not in FILLERS
            and self.keys[end] not in NOUNS
            and self.keys[end][:1].isalpha()
            and (self.keys[end] not in self.own or self.tokens[end].is_capital)
            and self._chunk(end) is None
        ):
            end += 1
        return end if end > place else None

    def _venues(self, place: int, name: str, *, firm: bool) -> Chunk | None:
        tokens = self.tokens[: self._end]
        venues: list[str] = []
        unknown: list[Unknown] = []
        end = place
        while place < self._end:
            while place < self._end and (
                self.keys[place] in ("either", "journal", "conference", "venue", "in", "at", "from")
                or self._stands(("the", "journal"), place)
            ):
                place += 1
            venue = self.names.venue_at(tokens, place)
            if venue and self._means_venue(place, venue, firm):
                venues.append(venue[0])
                end = venue[1]
            elif firm and not venues and not unknown and (strange := self._strange(place)):
                text = written(tokens[place:strange])
                unknown.append(Unknown("venue", text, tuple(self.names.near_venue(text))))
                end = strange
            else:
                break
            if end >= self._end or self.keys[end] not in JOINING:
                break
            place = end + 1
        if not venues and not unknown:
            return None

        def say(selection: Selection) -> None:
            for venue in venues:
                selection.add(name, venue)
            selection.unknown += unknown

        return Chunk(end, say)

    def _means_venue(self, place: int, venue: tuple[str, int], firm: bool) -> bool:
        """Whether a name behind a weak word is that of a venue: as it is called, or written with a capital."""
        if firm or self.names.is_exact_venue(venue[0]):
            return True
        first = self.tokens[place + (self.keys[place] == "the" and place + 1 < self._end)]
        return first.is_capital

    def _tags(self, place: int, name: str, *, cued: bool = False) -> Chunk | None:
        tokens = self.tokens[: self._end]
        tags: list[str] = []
        unknown: list[Unknown] = []
        end, either = place, False
        while place < self._end:
            while (
                cued
                and place < self._end
                and self.keys[place] in ("as", "with", "the", "tag", "tags", "both", "either", ":", "tagged", "under")
            ):
                place += 1
            tag = self.names.tag_at(tokens, place) if place < self._end else None
            if tag is not None:
                tags.append(tag[0])
                end = tag[1]
            elif (
                cued
                and not tags
                and not unknown
                and place < self._end
                and self.keys[place] not in NOUNS | FILLERS
                and any(map(str.isalnum, self.keys[place]))
            ):
                text = tokens[place].text
                if near := tuple(self.names.near_tag(text)):
                    unknown.append(Unknown("tag", text, near))
                else:
                    tags.append(text)
                end = place + 1
            else:
                break
            if end < self._end and self.keys[end] in ("tag", "tags", "label"):
                end += 1
            if end >= self._end or self.keys[end] not in JOINING:
                break
            if not cued and (end + 1 >= self._end or self.names.tag_at(tokens, end + 1) is None):
                break
            either = either or self.keys[end] == "or"
            place = end + 1
        if not tags and not unknown:
            return None

        def say(selection: Selection) -> None:
            selection.unknown += unknown
            first, *more = tags or [""]
            if either or not first:
                for tag in tags:
                    selection.add(name, tag)
                return
            if selection.given.get(name):
                more = [first, *more]
            else:
                selection.add(name, first)
            selection.also += [{name: [tag]} for tag in more]

        return Chunk(end, say)

    def _subject(self, place: int, *, firm: bool) -> Chunk | None:
        run = self._run_from(place, self._end)
        if run is None or self._placed(place + (self.keys[place] == "the" and place + 1 < self._end)):
            return None
        phrases, either = self._parts(place, run[0])
        if not phrases:
            return None
        if behind := self._behind_title(run[0]):
            return Chunk(behind, self._saying(phrases, False, "title_words"))
        if not firm and (
            self._begins_with_noun(place) or not all(self._is_subject(token) for phrase in phrases for token in phrase)
        ):
            return None
        return Chunk(run[0], self._saying(phrases, either))

    def _begins_with_noun(self, place: int) -> bool:
        """Whether papers stand there and not their subject: "of my papers"."""
        words = (key for key in self.keys[place : self._end] if key not in FILLERS)
        return next(words, "") in NOUNS

    def _behind_title(self, place: int) -> int | None:
        """Where the words behind "in the title" begin."""
        for words in (
            ("in", "the", "title"),
            ("in", "its", "title"),
            ("in", "their", "titles"),
            ("in", "their", "title"),
            ("in", "title"),
            ("in", "the", "titles"),
        ):
            if self._stands(words, place):
                return place + len(words)
        return None

    def _run_from(self, place: int, end: int) -> tuple[int, str] | None:
        """The words of a subject from `place` on, up to what says something else: where they end, and the phrase."""
        at, last = place, place
        while at < end:
            token = self.tokens[at]
            if not token.quoted and token.key in FILLERS and at == place:
                at += 1
                place = last = at
                continue
            if not any(map(str.isalnum, token.key)) and not token.quoted:
                if token.key == "," and at > place:
                    break
                at += 1
                continue
            if at > place and self._ends_subject(at):
                break
            if token.key not in FILLERS and token.key not in NOUNS:
                last = at + 1
            at += 1
        return (last, written(self.tokens[place:last])) if last > place else None

    def _ends_subject(self, at: int) -> bool:
        if self._behind_title(at):
            return True
        if self.keys[at] in ("that", "which", "but", "without", "except", "i", "sorted", "not", "published", "written"):
            return True
        if self.keys[at] in ("and", "or", "of", "the", "for", "to", "a", "with", "on"):
            chunk = self._chunk(at)
            return chunk is not None and chunk.firm and self.keys[at] != "of"
        chunk = self._chunk(at)
        return chunk is not None and chunk.firm and not self.tokens[at].quoted and not self._is_tag_alone(at)

    def _is_tag_alone(self, at: int) -> bool:
        return self.names.tag_at(self.tokens[: self._end], at) is not None

    def _parts(self, place: int, end: int) -> tuple[list[list[Token]], bool]:
        """The phrases of a subject, parted by "and", "or" and commas; whether any of them will do."""
        phrases: list[list[Token]] = [[]]
        either = False
        for token in self.tokens[place:end]:
            if token.key in ("and", "or", ",", "&", "plus") and not token.quoted:
                either = either or token.key == "or"
                phrases.append([])
            elif token.quoted or (
                token.key not in FILLERS
                and any(map(str.isalnum, token.key))
                and token.key not in ("'s", "papers", "paper")
            ):
                phrases[-1].append(token)
        return [phrase for phrase in phrases if phrase], either

    def _saying(self, phrases: list[list[Token]], either: bool, name: str = "words") -> Callable[[Selection], None]:
        """What a subject says. Words that no paper has are unknown; what only a tag or a note has is that."""
        found: list[str] = []
        unknown: list[Unknown] = []
        tags: list[str] = []
        noted: list[PaperId] | None = None
        for phrase in phrases:
            if (
                len(phrase) == 1
                and not phrase[0].quoted
                and (tag := self.names.tag_at(phrase, 0))
                and not self.names.is_subject(phrase[0].text)
            ):
                tags.append(tag[0])
                continue
            strange = [token for token in phrase if not self.names.is_subject(token.text)]
            if strange and (numbers := self.names.noting([token.text for token in phrase])):
                noted = numbers
                continue
            near = [Unknown("word", token.text, tuple(self.names.near_word(token.text))) for token in strange]
            unknown += [one for one in near if one.near]
            found.append(" ".join(token.text for token in phrase))
        kind = "any_words" if either and name == "words" else name

        def say(selection: Selection) -> None:
            for text in found:
                selection.add(kind, text)
            for tag in tags:
                selection.add("tags", tag)
            if noted is not None:
                selection.among = noted
            selection.unknown += unknown

        return say

    def _in_title(self, place: int) -> Chunk | None:
        while place < self._end and self.keys[place] in (
            "containing",
            "contains",
            "with",
            "the",
            "word",
            "words",
            "has",
            "includes",
            "including",
            "of",
            "is",
            ":",
        ):
            place += 1
        run = self._run_from(place, self._end)
        if run is None:
            return None
        phrases, _ = self._parts(place, run[0])
        return Chunk(run[0], self._saying(phrases, False, "title_words"))

    def _alike(self, place: int) -> Chunk | None:
        """What papers are to be like: a paper by its title or place, else words."""
        at = place
        while at < self._end and self.keys[at] in ("the", "to", "a", "paper"):
            title = self._title_at(at, self._end)
            if title is not None:
                break
            at += 1
        if at >= self._end:
            at = place
        if at >= self._end:
            return None
        if place > 1 and self.keys[place - 2] in ("would", "should", "i", "you", "do", "not"):
            return None
        title = self._title_at(at, self._end)
        if title is not None:
            return Chunk(title.end, lambda selection: selection.like.append(f"#{title.number}"))
        if self.keys[at] in ("this", "that", "it") and at + 1 >= self._end - (self.keys[-1] in "?.!"):
            return Chunk(at + 1, lambda selection: selection.like.append("@it"))
        if self.tokens[at].quoted:
            return Chunk(at + 1, lambda selection: selection.like.append(self.tokens[at].text))
        chunk = self._chunk(at)
        if chunk is not None and chunk.firm:
            inner = Selection()
            chunk.say(inner)
            if inner.names:
                return Chunk(chunk.end, lambda selection: selection.like.extend(inner.names))
            if inner.onward:
                return Chunk(chunk.end, lambda selection: selection.like.append("@shown"))
        run = self._run_from(at, self._end)
        if run is None or not any(self.names.is_subject(token.text) for token in self.tokens[at : run[0]]):
            return None
        if self.keys[at - 1] == "the" and run[0] < self._end and self.keys[run[0]] in SINGULARS:
            inner = Selection()
            self._saying(*self._parts(at, run[0]))(inner)
            numbers = self.names.in_titles(inner.given.get("words", ())) if inner.given.get("words") else []
            if len(numbers) == 1:
                return Chunk(run[0] + 1, lambda selection: selection.like.append(f"#{numbers[0]}"))
        return Chunk(run[0], lambda selection: setattr(selection, "like_words", run[1]))

    def _noted(self, place: int) -> Chunk | None:
        """Words of the person's own notes."""
        while place < self._end and self.keys[place] in (
            "that",
            "says",
            "say",
            "saying",
            "mention",
            "mentions",
            "about",
            "with",
            "the",
            "word",
            ":",
            "on",
            "contains",
        ):
            place += 1
        run = self._run_from(place, self._end)
        if run is None:
            return None
        words = [token.text for phrase in self._parts(place, run[0])[0] for token in phrase]
        numbers = self.names.noting([word for text in words for word in text.split()])

        def say(selection: Selection) -> None:
            if numbers:
                selection.among = numbers
            else:
                selection.unknown.append(Unknown("note", run[1]))

        return Chunk(run[0], say)

    def _bare_name(self, place: int) -> Chunk | None:
        """A person or a venue without a word that says so: `Lee's papers`, `Smith 2020`, `NeurIPS papers`."""
        token = self.tokens[place]
        if token.key in FILLERS or not token.key[:1].isalpha():
            return None
        if venue := self.names.venue_at(self.tokens[: self._end], place):
            longer = venue[1] - place > 1
            if (
                self.names.is_exact_venue(venue[0])
                and (token.is_capital or not self.names.is_subject(venue[0]))
                and (longer or token.is_capital or not self.names.is_subject(token.text))
            ):
                return self._venues(place, "venues", firm=False) or Chunk(venue[1], _adding("venues", venue[0]))
        person = self.names.person_at(self.tokens[: self._end], place)
        if person is None:
            return None
        behind = self._behind_et_al(person[1])
        plain = behind > person[1] or not self.names.is_subject(token.text) or (token.is_capital and place > 0)
        return Chunk(behind, _adding("authors", person[0])) if plain else None

    # Words without a cue

    def _bare(self, selection: Selection, place: int) -> int:
        """Take in words that nothing introduces: a subject if papers speak of them, else the rest. Where they end."""
        end = place
        while end < self._end and self._title_at(end, self._end) is None:
            if self._chunk(end) is not None and not self._joins(end):
                break
            end += 1
        end = max(end, place + 1)
        phrase = [token for token in self.tokens[place:end] if self._chunk_is_bare(token)]
        strange = [token for token in phrase if not self._is_subject(token)]
        if phrase and not strange and not self._is_in_place(selection, place, end):
            selection.rest += [token.text for token in phrase]
            selection.doubtful.append(" ".join(token.text for token in phrase))
        elif not strange:
            if phrase:
                selection.add("words", " ".join(token.text for token in phrase))
        elif any(token.key not in self.own for token in phrase) and (
            numbers := self.names.noting([token.text for token in phrase])
        ):
            selection.among = numbers
        else:
            near = [Unknown("word", token.text, self._near(token)) for token in strange]
            selection.rest += [token.text for token in strange]
            selection.unknown += [unknown for unknown in near if unknown.near]
            known = [token.text for token in phrase if token not in strange]
            if known:
                selection.add("words", " ".join(known))
        return end

    def _is_in_place(self, selection: Selection, place: int, end: int) -> bool:
        """Whether words without a cue stand where a subject does: before "papers", at the front, or behind "papers" at
        the end; or in a message of nothing but keywords."""
        behind = end
        while behind < self._end and self.keys[behind] in ("'s", "-"):
            behind += 1
        if behind < self._end and (self.keys[behind] in NOUNS or self._is_type(behind)):
            return True
        if not (selection.is_chosen or selection.noun or selection.order or selection.rest):
            return True
        at_end = not any(map(str.isalnum, "".join(self.keys[end : self._end])))
        return at_end and not any(key in FILLERS for key in self.keys[self._start : place])

    def _is_type(self, place: int) -> bool:
        return any(cue.kind == "state" and cue.value[0] == "types" for cue in cues_by_word().get(self.keys[place], ()))

    def _near(self, token: Token) -> tuple[str, ...]:
        """Words that a strange word may be meant for: the library's, or the reader's own."""
        from rapidfuzz import fuzz, process

        rows = process.extract(token.key, self.own | NOUNS, scorer=fuzz.ratio, limit=1, score_cutoff=80)
        own = [word for word, _, _ in rows if word != token.key and len(token.key) > 3]
        return (*own, *self.names.near_word(token.text))

    def _joins(self, place: int) -> bool:
        """Whether a small word stands within a subject: "a table of pressures"."""
        if self.keys[place] not in ("a", "an", "the", "of", "for", "in", "to") or place + 1 >= self._end:
            return False
        chunk = self._chunk(place)
        behind = place + 1
        while behind < self._end and self.keys[behind] in ("a", "an", "the"):
            behind += 1
        return chunk is not None and not chunk.firm and behind < self._end and self._chunk(behind) is None

    def _chunk_is_bare(self, token: Token) -> bool:
        return any(map(str.isalnum, token.key)) and (token.quoted or token.key not in FILLERS)

    def _is_subject(self, token: Token) -> bool:
        """Whether a word without a cue is what papers are about: they have it, and it is none of the reader's own."""
        return len(token.key) > 1 and token.key not in self.own and self.names.is_subject(token.text)

    def _settle(self, selection: Selection, start: int, end: int) -> None:
        """What only the whole says."""
        keys = self.keys[start:end]
        has_it = self.focus is not None or self.shown == 1
        if keys and keys[-1] in _OPEN and end < len(self.keys):
            selection.rest.append(keys[-1])  # what it introduces stands outside
        selection.definite = any(word in keys for word in ("the", "that", "this"))
        if keys in (["that"], ["this"], ["the", "one"]):
            selection.names.append("@it")
        if selection.that and not selection.is_chosen and not selection.order and not selection.rest:
            selection.names.append("@it")
        if "@it" in selection.names and len(selection.names) == 1 and has_it is False and selection.given:
            selection.names.remove("@it")
            selection.rest.append("it")
        if selection.count and selection.order == "top" and not selection.given:
            selection.order = ""
        if selection.order == "top":
            selection.order = "citations"
        of_shown = selection.onward or not (selection.given or selection.also)
        if (
            selection.count
            and not selection.order
            and self.shown
            and of_shown
            and not selection.names
            and ("first" in keys or "last" in keys or "top" in keys)
        ):
            count = min(selection.count, self.shown)
            places = range(self.shown - count + 1, self.shown + 1) if selection.last else range(1, count + 1)
            selection.names = [f"@{place}" for place in places]
            selection.count, selection.last, selection.onward = None, False, False
        if selection.others and (self.shown or self.focus is not None):
            selection.given["except_papers"] = ["@shown" if self.shown else "@it"]


def _adding(name: str, value: Any) -> Callable[[Selection], None]:
    return lambda selection: selection.add(name, value)


def _applying(given: Mapping[str, Any]) -> Callable[[Selection], None]:
    def say(selection: Selection) -> None:
        for name, value in given.items():
            for one in value if isinstance(value, list) else [value]:
                selection.add(name, one)

    return say


def _beside(day: str, is_before: bool) -> str:
    """The last time before one, or the first behind it, as precise as that is: 2020, 2020-05, 2020-05-17."""
    year, *rest = map(int, day.split("-"))
    step = -1 if is_before else 1
    if not rest:
        return str(year + step)
    if len(rest) == 1:
        months = year * 12 + rest[0] - 1 + step
        return f"{months // 12}-{months % 12 + 1:02}"
    return str(date(year, *rest) + timedelta(step))


def _within(period: Period, since: str, until: str) -> Callable[[Selection], None]:
    def say(selection: Selection) -> None:
        if period.since:
            selection.add(since, period.since)
        if period.until:
            selection.add(until, period.until)

    return say


_BESIDE_PAPER = (
    (("older", "than"), True),
    (("earlier", "than"), True),
    (("before",), True),
    (("newer", "than"), False),
    (("later", "than"), False),
    (("more", "recent", "than"), False),
    (("after",), False),
    (("since",), False),
)
"""Words between papers and the one whose date bounds theirs; whether they appeared before it."""
_OPEN = frozenset({"by", "about", "than", "with", "of"})
"""Words that say nothing alone."""
_BEHIND_NAMES = tuple(
    tuple(phrase.split())
    for phrase in (
        "et al .|et al|and colleagues|and others|'s group|'s lab|'s team|'s|as an author|as author|as a"
        " co-author|as one of the"
        " authors|among the authors|among its authors|is an author|is one of the authors|are the authors|wrote"
        " together|co-wrote"
        "|wrote|publish|published|write|have written together|have written|has written|published together|as"
        " co-author|as first author|together"
    ).split("|")
)
"""What stands behind the name of an author and says no more than that."""
_OPPOSITES = {
    "authors": "without_authors",
    "any_authors": "without_authors",
    "venues": "without_venues",
    "types": "without_types",
    "tags": "without_tags",
    "words": "without",
    "any_words": "without",
    "title_words": "without",
}


def opposite(inner: Selection) -> dict[str, Any] | None:
    """The conditions that papers meet which do not meet these; None where that cannot be said."""
    if inner.names:
        return {"except_papers": inner.names}
    if inner.onward and not inner.given and not inner.also:
        return {"except_papers": ["@shown"]}
    given: dict[str, Any] = {}
    for name, value in [*inner.given.items(), *(pair for more in inner.also for pair in more.items())]:
        if name in _OPPOSITES:
            given[_OPPOSITES[name]] = [*given.get(_OPPOSITES[name], []), *value]
        elif isinstance(value, bool):
            given[name] = not value
        elif name == "rating":
            given["without_rating"] = value
    since, until = inner.given.get("since"), inner.given.get("until")
    if since and since == until and len(since) == 4:
        given["without_years"] = [since]
    elif since and not until:
        given["until"] = str(int(since[:4]) - 1)
    elif until and not since:
        given["since"] = str(int(until[:4]) + 1)
    return given or None
