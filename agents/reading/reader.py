"""The reader of a message: it finds the parts that say something, and puts together what they say of the papers."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import takewhile
from typing import Any

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
    cues_by_words,
)
from agents.reading.dates import RECENT_YEARS, Period, before, dated, following
from agents.reading.names import Names
from agents.reading.numbers import by_first, ordinal, phrases
from agents.reading.parts.names import (
    Chunk,
    MessageWords,
    Say,
    adding,
    applying,
    authors_at,
    bare_name_at,
    nothing,
    venues_at,
)
from agents.reading.parts.subjects import (
    count_at,
    is_name,
    is_type,
    likeness_at,
    noted_at,
    order_at,
    place_at,
    quoted_at,
    run_from,
    subject_at,
    these,
    title_words_at,
)
from agents.reading.selection import Selection, Unknown, opposite
from agents.reading.tokens import Token, written
from cache.store import PaperId

_BEFORE_IT, _AFTER_IT = (
    phrases(listed)
    for listed in ("older than|earlier than|before", "newer than|later than|more recent than|after|since")
)
_BESIDE_PAPER = by_first((*_BEFORE_IT, *_AFTER_IT))
"""Words between papers and the one whose date bounds theirs."""
_RECENTLY = by_first(phrases("most recently|recently|lately|last"))


def time_at(message: MessageWords, place: int) -> Chunk | None:
    """`since 2020`, `between 2015 and 2018`: when papers appeared."""
    time = dated(message.part, place, message.today)
    if time is None or time.end > message.end:
        return None
    if message.keys[place] in ("of", "and", "the", "published", "out", "written", "appeared") and time.end == place + 1:
        return None
    return Chunk(time.end, _within(time.period, "since", "until"))


def time_beside_paper(message: MessageWords, place: int) -> Chunk | None:
    """`older than BERT`, `since the AlphaFold paper`: a time that a paper sets."""
    words = message.phrase_at(_BESIDE_PAPER, place)
    at = place + len(words) + message.stands(("the",), place + len(words))
    title = message.title_at(at) if words and at < message.end else None
    if title is None or not (day := message.names.date_of(title.number)):
        return None
    end = title.end + (title.end < message.end and message.keys[title.end] in SINGULARS)
    is_before = words in _BEFORE_IT
    return Chunk(end, adding(*(("until", before(day)) if is_before else ("since", following(day)))))


def done_on(message: MessageWords, place: int, kind: str) -> Chunk | None:
    """`saved last week`, `read in October`."""
    place = message.behind(place, ("so", "far", "already", "on", "it"))
    time = dated(message.part, place, message.today)
    if kind == "saved_on":
        if time is None:
            return Chunk(place, adding("saved", True), False)
        return Chunk(time.end, _within(time.period, "saved_since", "saved_until"))
    if time is None and (words := message.phrase_at(_RECENTLY, place)):
        return Chunk(place + len(words), _read_in(message, Period(None, None)))
    return Chunk(place, adding("read", True)) if time is None else Chunk(time.end, _read_in(message, time.period))


def _read_in(message: MessageWords, period: Period) -> Say:
    numbers = message.names.read_between(period.since, period.until)
    return lambda selection: setattr(
        selection, "among", numbers[:1] if selection.single and not period.since else numbers
    )


def recent(message: MessageWords, place: int, behind: int) -> Chunk:
    """`recent`: papers of the last years, and that the word was taken so."""
    year = message.today.year - RECENT_YEARS

    def say(selection: Selection) -> None:
        selection.add("since", str(year))
        selection.taken.append(f"“{message.tokens[place].text}” as since {year}")

    return Chunk(behind, say, False)


def _within(period: Period, since: str, until: str) -> Say:
    """The bounds of a period, as conditions of these names."""
    days = {since: period.since, until: period.until}
    return applying({name: day for name, day in days.items() if day})


def tags_at(message: MessageWords, place: int, *, cued: bool = False) -> Chunk | None:
    """`thesis and later`; behind a cue also tags that the library does not have."""
    tags: list[str] = []
    unknown: list[Unknown] = []
    end, either = place, False
    while place < message.end:
        if cued:
            place = message.behind(
                place, ("as", "with", "the", "tag", "tags", "both", "either", ":", "tagged", "under")
            )
        tag = message.tag_at(place) if place < message.end else None
        if tag is not None:
            tags.append(tag[0])
            end = tag[1]
        elif (
            cued
            and not tags
            and not unknown
            and place < message.end
            and message.keys[place] not in NOUNS | FILLERS
            and any(map(str.isalnum, message.keys[place]))
        ):
            text = message.tokens[place].text
            if near := tuple(message.names.near_tag(text)):
                unknown.append(Unknown("tag", text, near))
            else:
                tags.append(text)
            end = place + 1
        else:
            break
        if end < message.end and message.keys[end] in ("tag", "tags", "label"):
            end += 1
        if end >= message.end or message.keys[end] not in JOINING:
            break
        if not cued and (end + 1 >= message.end or message.tag_at(end + 1) is None):
            break
        either = either or message.keys[end] == "or"
        place = end + 1
    if not tags and not unknown:
        return None

    def say(selection: Selection) -> None:
        selection.unknown += unknown
        first, *more = tags or [""]
        if either or not first:
            for tag in tags:
                selection.add("tags", tag)
            return
        if selection.given.get("tags"):
            more = [first, *more]
        else:
            selection.add("tags", first)
        selection.also += [{"tags": [tag]} for tag in more]

    return Chunk(end, say)


_BEFORE_NOUNS = frozenset("of in on by from to with about for as at into".split())
"""Words behind which a new phrase begins: "my note on the paper" does not say whose the paper is."""


def noun_at(message: MessageWords, place: int) -> Say:
    """That papers are meant; one of a singular, and saved ones behind `my`."""
    word = message.keys[place]
    phrase = takewhile(lambda key: key not in _BEFORE_NOUNS, reversed(message.keys[max(0, place - 5) : place]))
    mine = "my" in phrase and word in ("paper", "papers", "article", "articles", "publication", "publications")

    def say(selection: Selection) -> None:
        selection.noun = True
        if word in SINGULARS:
            selection.single = True
        if mine:
            selection.add("saved", True)

    return say


def whole_library(selection: Selection) -> None:
    """All papers are meant, not those spoken of before."""
    selection.noun = selection.whole = True


def unheld(message: MessageWords, place: int, behind: int) -> Say:
    """Something that the library does not hold."""
    text = written(message.tokens[place:behind])
    return lambda selection: selection.unknown.append(Unknown("unheld", text))


_BOUNDS = by_first(BOUNDS)


def bound_at(message: MessageWords, place: int) -> Chunk | None:
    """`cited more than 100 times`, `with at least three authors`, `over 50 citations`."""
    at = place
    if message.keys[at] in ("cited", "with", "having", "have", "has", "got", "by", "received"):
        at += 1
    if message.stands(("between",), at) and (both := _between(message, place, at + 1)):
        return both
    least, most, shift = False, False, 0
    if words := message.phrase_at(_BOUNDS, at):
        least, most, shift = BOUNDS[words]
        at += len(words)
    counted = message.number_at(at)
    if counted is None:
        return None
    number, at = counted
    if message.stands(("+",), at):
        least, at = True, at + 1
    or_more, or_fewer, at = _open_end(message, at)
    noun = message.keys[at] if at < message.end else ""
    is_cited = noun in ("citations", "citation", "cites") or (
        noun in ("times", "time") and message.keys[place] == "cited"
    )
    if not is_cited and noun in ("times",) and message.stands(("cited",), at - 1):
        is_cited = True
    if message.keys[place] == "cited" and message.keys[at - 1] in ("once", "twice"):
        is_cited, at = True, at - 1
    shared = bound_at(message, at + 1) if noun in ("and", "but", "or") and at + 1 < message.end else None
    if shared is not None:  # "more than 10 but fewer than 50 citations"
        is_cited = bool({"min_citations", "max_citations"} & shared.alone.given.keys())
    elif not is_cited and noun not in ("authors", "author", "people"):
        return None
    kind = "citations" if is_cited else "authors"
    end = at if shared else at + 1
    more_behind, fewer_behind, end = _open_end(message, end)
    least, most = least or or_more or more_behind, most or or_fewer or fewer_behind
    bounds = {f"min_{kind}": least or not most, f"max_{kind}": most or not least}
    return Chunk(end, applying({name: number + shift for name, holds in bounds.items() if holds}))


def _open_end(message: MessageWords, place: int) -> tuple[bool, bool, int]:
    """Whether `or more` or `or fewer` stands at `place`, and where the words behind it begin."""
    if message.stands(("or", "more"), place):
        return True, False, place + 2
    if message.stands(("or", "fewer"), place) or message.stands(("or", "less"), place):
        return False, True, place + 2
    return False, False, place


def _between(message: MessageWords, place: int, at: int) -> Chunk | None:
    """`cited between 1000 and 1100 times`."""
    first = message.number_at(at)
    if first is None or not message.stands(("and",), first[1]):
        return None
    second = message.number_at(first[1] + 1)
    if second is None or second[1] >= message.end:
        return None
    noun = message.keys[second[1]]
    if noun not in ("citations", "times", "cites", "authors"):
        return None
    kind = "authors" if noun == "authors" else "citations"
    return Chunk(second[1] + 1, applying({f"min_{kind}": first[0], f"max_{kind}": second[0]}))


_SAID_OF_TEXTS = frozenset({"words", "title_words", "authors", "any_authors", "venues"})


def cued_at(message: MessageWords, cue: Cue, place: int) -> Chunk | None:
    """What the cue at `place` and the words behind it say; None where nothing fits behind it."""
    behind = place + len(cue.words)
    match cue.kind:
        case "author":
            return authors_at(message, behind, firm=cue.firm)
        case "venue":
            return venues_at(message, behind, firm=cue.firm)
        case "tag":
            return tags_at(message, behind, cued=True)
        case "subject":
            return subject_at(message, behind, firm=cue.firm)
        case "title":
            return title_words_at(message, behind)
        case "like":
            return likeness_at(message, behind)
        case "note":
            return noted_at(message, behind)
        case "saved_on" | "read_on":
            if cue.kind == "read_on" and _is_wished(message, place):
                return None
            return done_on(message, behind, cue.kind)
        case "pronoun":
            return Chunk(behind, lambda selection: setattr(selection, "pronoun", True))
        case "others":
            return Chunk(behind, lambda selection: setattr(selection, "others", True), False)
        case "these":
            if any(cue.kind == "order" for cue in cues_by_word().get("".join(message.keys[behind : behind + 1]), ())):
                return None  # "the two oldest"
            if cue.words[0] in ("of", "among", "from", "out") and not (message.has_candidates or message.shown):
                following = message.chunk(behind) if behind < message.end else None
                if following and following.firm and place and message.keys[place - 1] not in FILLERS:
                    return Chunk(behind, nothing, False)  # "the oldest of those tagged otters"
                return Chunk(behind, lambda selection: selection.rest.append(" ".join(cue.words)))
            number = message.number_at(behind)
            inside = message.number_at(behind - 1)
            say = these(message, inside[0] if inside and message.keys[place] == "the" else None)
            return Chunk(number[1] if number and number[0] == message.shown else behind, say, True)
        case "whole":
            return Chunk(behind, whole_library, False)
        case "it":
            following = message.chunk(behind) if cue.words[-1] in SINGULARS and behind < message.end else None
            if following and following.firm and not _SAID_OF_TEXTS.isdisjoint(following.alone.given):
                return None  # "that paper about otters"
            return Chunk(behind, lambda selection: selection.names.append("@it"))
        case "order":
            return order_at(message, place, behind, str(cue.value))
        case "recent":
            return recent(message, place, behind)
        case "state":
            name, value = cue.value
            if name == "read" and _is_wished(message, place):
                return None
            return Chunk(behind, adding(name, value), len(cue.words) > 1)
        case "unheld":
            return Chunk(behind, unheld(message, place, behind))
    return Chunk(behind, nothing, False)


def _is_wished(message: MessageWords, place: int) -> bool:
    """Whether a word says what could be done, "what should I read", and not what was."""
    return any(
        word in ("should", "could", "can", "shall", "to", "would", "must", "will", "might")
        for word in message.keys[max(0, place - 2) : place]
    )


_DETERMINERS = frozenset({"the", "a", "an", "my", "our", "any", "some", "all"})


def bare_words_at(message: MessageWords, selection: Selection, place: int) -> int:
    """Take in words that nothing introduces: a subject if papers speak of them, else the rest. Where they end."""
    end = place
    while end < message.end and message.title_at(end) is None:
        if message.chunk(end) is not None and not _joins(message, end):
            break
        end += 1
    end = max(end, place + 1)
    phrase = [token for token in message.tokens[place:end] if message.has_meaning(token)]
    strange = [token for token in phrase if not message.is_subject(token)]
    if phrase and not strange and not _is_in_place(message, selection, place, end):
        selection.rest += [token.text for token in phrase]
        selection.doubtful.append(" ".join(token.text for token in phrase))
    elif not strange:
        if phrase:
            selection.add("words", " ".join(token.text for token in phrase))
    elif any(token.key not in message.own for token in phrase) and (
        numbers := message.names.noting([token.text for token in phrase])
    ):
        selection.among = numbers
    else:
        near = [Unknown("word", token.text, _near(message, token)) for token in strange if token.key not in message.own]
        selection.rest += [token.text for token in strange]
        selection.unknown += [unknown for unknown in near if unknown.near]
        texts = [token.text for token in phrase if token not in strange]
        if texts:
            selection.add("words", " ".join(texts))
    return end


def _is_in_place(message: MessageWords, selection: Selection, place: int, end: int) -> bool:
    """Whether words without a cue stand where a subject does: before "papers", at the front, or behind "papers" at
    the end; or in a message of nothing but keywords."""
    behind = end
    behind = message.behind(behind, ("'s", "-"))
    if behind < message.end and (message.keys[behind] in NOUNS or is_type(message, behind)):
        return True
    if not (selection.is_chosen or selection.noun or selection.order or selection.rest):
        return True
    at_end = not any(map(str.isalnum, "".join(message.keys[end : message.end])))
    return at_end and FILLERS.isdisjoint(set(message.keys[message.start : place]) - _DETERMINERS)


def _near(message: MessageWords, token: Token) -> tuple[str, ...]:
    """Words that a strange word may be meant for: the reader's own, those of the library, or names of its authors."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    rows = process.extract(
        token.key, message.own | NOUNS, scorer=OSA.distance, limit=2, score_cutoff=len(token.key) // 4
    )
    own = sorted(word for word, distance, _ in rows if 0 < distance == rows[0][1])
    return (*own, *message.names.near_word(token.text), *message.names.near_author(token.text))


def _joins(message: MessageWords, place: int) -> bool:
    """Whether a small word stands within a subject: "a table of pressures"."""
    if message.keys[place] not in ("a", "an", "the", "of", "for", "in", "to") or place + 1 >= message.end:
        return False
    chunk = message.chunk(place)
    behind = place + 1
    behind = message.behind(behind, ("a", "an", "the"))
    return chunk is not None and not chunk.firm and behind < message.end and message.chunk(behind) is None


_PASSED = frozenset("the any those from of on in for than to a have include i".split()) | NOUNS


def negation_at(message: MessageWords, place: int) -> Chunk | None:
    """`not by Lee`, `without surveys`, `except the first`."""
    behind = place + 1
    while behind < message.end and message.keys[behind] in _PASSED:
        if message.keys[behind] in ("from", "of", "on", "in") and (chunk := message.chunk(behind)) and chunk.firm:
            break
        if message.keys[behind] == "those" and behind + 1 == message.end:
            break
        behind += 1
    if behind >= message.end:
        return None
    title = message.title_at(behind)
    chunk = Chunk(title.end, adding("except_papers", f"#{title.number}")) if title else message.chunk(behind)
    if title is not None and chunk is not None:
        return chunk
    if chunk is None or chunk.say is nothing:
        if (
            message.keys[place] in ("no", "never")
            and chunk is None
            and not message.names.is_subject(message.keys[behind])
        ):
            return None
        run = run_from(message, behind)
        if not run or not all(
            message.is_subject(token) for token in message.tokens[behind : run[0]] if message.has_meaning(token)
        ):
            return None
        end, phrase = run
        return Chunk(end, adding("without", phrase))
    turned = opposite(chunk.alone)
    return None if turned is None else Chunk(chunk.end, applying(turned))


_LEAVING_OUT = by_first(LEAVING_OUT)
_OPEN = frozenset({"by", "about", "than", "with", "of"})
"""Words that say nothing alone."""
_WITHOUT_CUE = (time_beside_paper, time_at, bound_at, place_at, count_at)
"""Readers of what numbers and times say, in the order in which they are asked."""


class Reader(MessageWords):
    """Reads parts of one message, and remembers what it read."""

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
        super().__init__(tokens, names, today, shown=shown, focus=focus, candidates=candidates, own=own)
        self._chunks: dict[tuple[int, int], Chunk | None] = {}
        self._read: dict[tuple[int, int, bool], Selection] = {}

    def read(self, start: int, end: int, *, one: bool = False) -> Selection:
        key = (start, end, one)
        if key not in self._read:
            self._read[key] = self._selection(start, end, one)
        return self._read[key]

    def _selection(self, start: int, end: int, one: bool) -> Selection:
        self.start, self.end = start, end
        selection = Selection()
        before: tuple[dict[str, Any], int] | None = None
        place = start
        while place < end:
            if self.keys[place] == "or" and selection.given and before is None:
                before = dict(selection.given), len(selection.also)
            title = None if self._is_cued(place, start) and not one else self.title_at(place)
            if title is not None:
                selection.names.append(f"#{title.number}")
                place = title.end
                continue
            chunk = self.chunk(place)
            if chunk is not None:
                chunk.say(selection)
                place = chunk.end
                continue
            place = bare_words_at(self, selection, place)
        if before is not None:
            _join_alternatives(selection, *before)
        self._settle(selection, start, end)
        return selection

    def _is_cued(self, place: int, start: int) -> bool:
        return place > start and self.keys[place - 1] in ("on", "about", "in", "by", "tagged", "regarding")

    def chunk(self, place: int) -> Chunk | None:
        key = (place, self.end)
        if key not in self._chunks:
            self._chunks[key] = None  # a chunk that asks for itself is none
            self._chunks[key] = self._chunk_at(place)
        return self._chunks[key]

    def _chunk_at(self, place: int) -> Chunk | None:
        token = self.tokens[place]
        if token.quoted:
            return quoted_at(self, place)
        if (
            token.key == "but"
            and place + 2 < self.end
            and self.keys[place + 1] == "the"
            and ordinal(self.keys[place + 2])
        ):
            return negation_at(self, place)
        if is_name(self, token):
            return Chunk(place + 1, lambda selection: selection.names.append(token.text))
        cues = cues_by_word().get(token.key, ())
        behind = self.keys[place + 1] if cues and place + 1 < self.end else ""
        for cue in cues_by_words().get((token.key, behind), ()):
            if self.stands(cue.words, place) and (chunk := cued_at(self, cue, place)):
                return chunk
        words = self.phrase_at(_LEAVING_OUT, place)
        if words and (chunk := negation_at(self, place + len(words) - 1)):
            return chunk
        if (token.key in NEGATIONS or self._is_minus(place)) and (chunk := negation_at(self, place)):
            return chunk
        tag = self.tag_at(place)
        is_word = token.key not in FILLERS or (token.key == "to" and tag is not None and tag[1] > place + 1)
        if tag and is_word and not self._is_subject_too(place, *tag):
            return tags_at(self, place)
        for read in _WITHOUT_CUE:
            if chunk := read(self, place):
                return chunk
        for cue in cues:
            if len(cue.words) == 1 and (chunk := cued_at(self, cue, place)):
                return chunk
        if token.key in NOUNS:
            return Chunk(place + 1, noun_at(self, place), False)
        if chunk := bare_name_at(self, place):
            return chunk
        if token.key in FILLERS or not any(map(str.isalnum, token.key)):
            return Chunk(place + 1, nothing, False)
        return None

    def _is_minus(self, place: int) -> bool:
        """Whether a sign stands right before a word and behind a space: "clinical -diabetes"."""
        sign, following = self.tokens[place], self.tokens[place + 1 : place + 2]
        bare = place > 0 and self.tokens[place - 1].end < sign.start
        return sign.key == "-" and bare and bool(following) and following[0].start == sign.end

    def _is_subject_too(self, place: int, tag: str, end: int) -> bool:
        """Whether more papers are about the one word of a tag than have it: "coral stuff", not "my coral list"."""
        mine = place > 0 and self.keys[place - 1] == "my"
        return not mine and end == place + 1 and self.names.is_wider_subject(tag)

    def _settle(self, selection: Selection, start: int, end: int) -> None:
        """What only the whole says."""
        keys = self.keys[start:end]
        has_it = self.focus is not None or self.shown == 1
        if keys and keys[-1] in _OPEN and end < len(self.keys):
            selection.rest.append(keys[-1])  # what it introduces stands outside
        selection.definite = any(word in keys for word in ("the", "that", "this"))
        if keys in (["that"], ["this"], ["the", "one"]):
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


def _join_alternatives(selection: Selection, before: Mapping[str, Any], also: int) -> None:
    """Let the conditions behind "or" be an alternative to the one before it: "on fisheries or on space". Of two kinds,
    "by Lee or on space", the "or" is left over."""
    given = selection.given
    shared = [name for name, value in before.items() if given[name] != value]
    more = [tag for one in selection.also[also:] for tag in one.get("tags", ())]
    if shared in (["words"], ["authors"]):
        values, kept = given.pop(shared[0]), before[shared[0]][:-1]
        given |= {f"any_{shared[0]}": values[len(kept) :], **({shared[0]: kept} if kept else {})}
    elif more:
        given["tags"] = [*before["tags"], *more]
        del selection.also[also:]
    elif given != before and shared not in (["venues"], ["types"], ["tags"]):
        selection.rest.append("or")
