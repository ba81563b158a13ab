"""Parts of a message that begin with a cue, negations, and nouns for papers."""

from itertools import takewhile
from typing import Any

from agents.reading.cues import FILLERS, NOUNS, SINGULARS, Cue
from agents.reading.dates import dated
from agents.reading.numbers import bounds_at
from agents.reading.parts.names import authors_at, tags_at, venues_at
from agents.reading.parts.subjects import (
    is_ordered,
    likeness_at,
    noted_at,
    order_at,
    paper_at,
    phrases_of,
    run_from,
    subject_at,
    subject_of,
    these,
    title_words_at,
    types_at,
)
from agents.reading.parts.times import done_on, read_in
from agents.reading.parts.words import Chunk, MessageWords, Say, adding, adding_each, applying, cues_at, nothing
from agents.reading.reading import PaperSelection, Unknown, opposite
from agents.reading.tokens import written

_DONE = {"saved_on": "last_saved", "read_on": "read"}
"""Orders by when the person did something."""
_OF_NAMES = frozenset({"author", "venue", "tag"})
_LONGEST_NAME = 3
"""Maximum number of words of a title that may be the name of a person, a venue or a tag behind a cue."""
_SAID_OF_TEXTS = frozenset({"words", "title_words", "authors", "any_authors", "venues"})


def cued_at(message: MessageWords, cue: Cue, position: int) -> Chunk | None:
    """Return the chunk of the cue at `position` and the words behind it; None if these do not fit the cue."""
    behind = position + len(cue.words)
    title = message.title_at(message.behind(behind, ("of", "the"))) if cue.kind in _OF_NAMES else None
    if title and title.whole and title.end - title.start > _LONGEST_NAME:
        return None  # "first author of Parsing Low-Resource Languages With Small Transformers"
    match cue.kind:
        case "author":
            return authors_at(message, behind, firm=cue.firm)
        case "venue":
            return venues_at(message, behind, firm=cue.firm)
        case "venues":
            name = message.names.venue_at(message.part, behind)
            return Chunk(name[1], adding("venues", f"{name[0]}*")) if name else None
        case "tag":
            return tags_at(message, behind, cued=cue.firm)
        case "subject":
            return subject_at(message, behind, firm=cue.firm)
        case "title":
            return title_words_at(message, behind)
        case "like":
            return likeness_at(message, behind)
        case "note":
            return noted_at(message, behind)
        case "saved_on" | "read_on":
            is_read = cue.words == ("read",)  # read in a period, or else the state
            if cue.kind == "read_on" and (_is_wished(message, position) or (is_read and not read_in(message, behind))):
                return None
            return done_on(message, behind, cue.kind)
        case "pronoun":
            if people := _authors_of(message, behind):
                return people
            if cue.words == ("of", "them") and message.has_candidates:
                return Chunk(behind, these(message))  # the papers, not their authors
            return Chunk(behind, lambda selection: setattr(selection, "pronoun", " ".join(cue.words)))
        case "others":
            return Chunk(behind, lambda selection: setattr(selection, "others", True), False)
        case "these":
            if any(other.kind == "order" for other in cues_at(message, behind)) or (
                message.number_at(behind - 1) and is_ordered(message, behind)
            ):
                return None  # "the two oldest", "the two with the fewest citations"
            if cue.words[0] in ("of", "among", "from", "out") and not (message.has_candidates or message.shown):
                following = message.chunk(behind) if behind < message.end else None
                if following and following.firm and position and message.keys[position - 1] not in FILLERS:
                    return Chunk(behind, nothing, False)  # "the oldest of those tagged otters"
                return Chunk(behind, lambda selection: selection.rest.append(" ".join(cue.words)))
            number = message.number_at(behind)
            inside = message.number_at(behind - 1)
            pair = 2 if cue.words == ("both",) and "and" not in message.keys[behind : message.end] else None
            say = these(message, inside[0] if inside and message.keys[position] == "the" else pair)
            return Chunk(number[1] if number and number[0] == message.shown else behind, say, True)
        case "whole":
            return Chunk(behind, whole_library, False)
        case "it":
            following = message.chunk(behind) if cue.words[-1] in SINGULARS and behind < message.end else None
            if following and following.firm and not _SAID_OF_TEXTS.isdisjoint(following.alone.given):
                return None  # "that paper about otters"
            return Chunk(behind, lambda selection: selection.names.append("@it"))
        case "order":
            time = dated(message.part, behind - 1, message.today)
            if len(cue.words) > 1 and time is not None and time.end > behind:
                return None  # "saved last week"
            if cue.value == "author" and (people := _authors_of(message, behind)):
                return people
            if cue.value == "author" and message.stands(("from",), behind):
                return None  # "by authors from Japan"
            if cue.words[-1] == "more" and bounds_at(message.keys[: message.end], behind - 2):
                return None  # "is cited more than 50 times"
            done = next((other for other in cues_at(message, behind) if other.kind in _DONE), None)
            if done and cue.value == "newest":  # "most recently put on my shelf"
                return order_at(message, position, behind + len(done.words), _DONE[done.kind])
            return order_at(message, position, behind, str(cue.value))
        case "recent":
            word = message.tokens[position].text
            return Chunk(behind, lambda selection: setattr(selection, "recent", word), False)
        case "state":
            name, value = cue.value
            if name == "read" and (_is_wished(message, position) or _is_told(message, position, behind)):
                return None
            if name == "tagged" and behind < message.end:
                named = message.behind(behind, ("as", "with", "called", "named"))
                if named > behind or message.tag_at(behind):
                    return None  # "without the tag thesis", "not tagged as thesis"
            text = written(message.tokens[position:behind])
            if name == "types" and not message.names.has_type(value) and message.names.is_subject(text):
                return Chunk(behind, adding("words", text))  # a word of titles here
            plural = cue.words[-1].endswith("s") or not NOUNS.isdisjoint(message.keys[behind : behind + 1])
            return Chunk(behind, _in_state(name, value, single=name == "types" and not plural), len(cue.words) > 1)
        case "stars":
            stars = Unknown("stars", written(message.tokens[position:behind]), (str(cue.value),))
            return Chunk(behind, lambda selection: selection.unknown.append(stars))
        case "unheld":
            return Chunk(behind, unheld(message, position, behind))
    return Chunk(behind, nothing, False)


def _authors_of(message: MessageWords, position: int) -> Chunk | None:
    """`by the author of the tulip paper`: the authors of the paper named behind `of`."""
    paper = paper_at(message, position + 1) if message.stands(("of",), position) else None
    return Chunk(paper[1], adding_each("any_authors", message.names.authors_of(paper[0]), ())) if paper else None


def _in_state(name: str, value: Any, *, single: bool) -> Say:
    """Add a condition, unless it is a type that a tag of the same name already says: "reviews and surveys". With
    `single`, the words mean one paper: "the survey"."""

    def say(selection: PaperSelection) -> None:
        selection.single = selection.single or single
        if name != "types" or value not in selection.given.get("tags", ()):
            selection.add(name, value)

    return say


def _is_wished(message: MessageWords, position: int) -> bool:
    """Whether a word is about what could be done, "what should I read", not about what was done."""
    return any(
        word in ("should", "could", "can", "shall", "to", "would", "must", "will", "might")
        for word in message.keys[max(0, position - 2) : position]
    )


def _is_told(message: MessageWords, position: int, behind: int) -> bool:
    """Whether a message begins with the word as its verb: "read the first to me"."""
    return position == 0 and behind == 1 and not _DETERMINERS.isdisjoint(message.keys[1:2])


_DETERMINERS = frozenset("the this that these those it them my".split())
_BEFORE_NOUNS = frozenset("of in on by from to with about for as at into".split())
"""Words that begin a new phrase: in "my note on the paper", "my" does not belong to the paper."""


def noun_at(message: MessageWords, position: int) -> Say:
    """Select papers: one for a singular noun, saved papers after `my`."""
    word = message.keys[position]
    phrase = takewhile(lambda key: key not in _BEFORE_NOUNS, reversed(message.keys[max(0, position - 5) : position]))
    mine = "my" in phrase and word in ("paper", "papers", "article", "articles", "publication", "publications")

    def say(selection: PaperSelection) -> None:
        selection.noun = True
        if word in SINGULARS:
            selection.single = True
        if mine:
            selection.add("saved", True)

    return say


def whole_library(selection: PaperSelection) -> None:
    """Select all papers, not only those mentioned before."""
    selection.noun = selection.whole = True


def unheld(message: MessageWords, position: int, behind: int) -> Say:
    """Report something that the library does not hold."""
    text = written(message.tokens[position:behind])
    return lambda selection: selection.unknown.append(Unknown("unheld", text))


_LISTED = (["nor"], ["or"], ["and"], [","])
_BEFORE_NOT = frozenset("do does did have has had can could would should will".split())
_PASSED = (FILLERS | NOUNS) - {"all", "these", "this", "them", "it"}


def negation_at(message: MessageWords, position: int) -> Chunk | None:
    """`not by Lee`, `without surveys`, `except the first`."""
    behind = position + 1
    kinds = message.keys[behind : behind + 1] == ["articles"] and message.keys[behind + 1 : behind + 2] in _LISTED
    while behind < message.end and message.keys[behind] in _PASSED and not kinds:
        begins = message.chunk(behind)
        is_whole = message.keys[behind] == "those" and behind + 1 == message.end
        if is_whole or (begins and begins.firm and begins.alone.given and opposite(begins.alone)):
            break
        behind += 1
    if behind >= message.end:
        return None
    title = message.title_at(behind)
    chunk = Chunk(title.end, adding("except_papers", f"#{title.number}")) if title else message.chunk(behind)
    if kinds:
        chunk = Chunk(behind + 1, adding("types", "article"))  # "neither articles nor reviews"
    if title is not None and chunk is not None:
        return chunk
    if chunk is None or chunk.say is nothing:
        if (
            message.keys[position] in ("no", "never")
            and chunk is None
            and not message.names.is_subject(message.keys[behind])
        ):
            return None
        if message.keys[position - 1 : position] and message.keys[position - 1] in _BEFORE_NOT:
            return None  # it negates a verb: "I do not care about sleep"
        run = run_from(message, behind)
        if not run or not all(
            message.is_subject(token) for token in message.tokens[behind : run[0]] if message.has_meaning(token)
        ):
            return None
        phrases, _ = phrases_of(message, behind, run[0])
        return Chunk(run[0], subject_of(message, phrases, False, "without"))
    inner, end = chunk.alone, chunk.end
    while end < message.end and message.keys[end] in _DESCRIBING and types_at(message, behind):
        more = message.chunk(end)
        if more is None or not more.firm:
            break
        more.say(inner)  # "but not surveys of households"
        end = more.end
    if inner.count and not inner.order and not inner.is_chosen:
        inner.names += message.places(inner.count, last=inner.last)
    turned = {"none_of": [inner.given]} if end > chunk.end else opposite(inner)
    return None if turned is None else _neither(message, end, inner, turned)


_DESCRIBING = frozenset({"of", "about", "on", "by"})
"""Words between a kind of papers and what narrows it."""
_WHATEVER = frozenset({"everything", "anything", "all", "any", "those"})
"""Words that begin one more item of what is left out: "without the preprints and everything from before 2021"."""


_SAME_KINDS = (
    frozenset({"without", "without_tags", "without_types"}), frozenset({"without_authors"}),
    frozenset({"without_venues"}),
)  # fmt: skip
"""Conditions whose values are in one list: "except reviews, theses and papers on bees"."""


def _next_excluded(message: MessageWords, end: int, kinds: frozenset[str]) -> tuple[dict[str, Any], int] | None:
    """Return what the next item of a negated list excludes, and the index after it: ", money or languages"."""
    at = message.behind(end, (",", "or", "nor", "and"))
    joints = message.keys[end:at]
    if not joints or at >= message.end or (joints == [","] and {"or", "nor", "and"}.isdisjoint(message.keys[at:])):
        return None
    whatever = message.keys[at] in _WHATEVER
    at = message.behind(at, _WHATEVER | NOUNS) if whatever else at
    if at < message.end and (more := message.chunk(at)):
        other = opposite(more.alone) or {}
        if whatever and other:
            return other, more.end
        either = "or" in joints and all(name.startswith("without") for name in other)
        listed = other.keys() <= kinds and message.keys[at] not in _BEFORE_NOUNS
        return (other, more.end) if other and ("nor" in joints or either or listed) else None
    behind = at
    while behind < message.end and message.chunk(behind) is None and message.is_subject(message.tokens[behind]):
        behind += 1
    known = "without" in kinds and behind > at
    return ({"without": [written(message.tokens[at:behind])]}, behind) if known else None


def _neither(message: MessageWords, end: int, inner: PaperSelection, turned: dict[str, Any]) -> Chunk:
    """Exclude the conditions `turned`, the opposite of `inner`, and those of a list behind it: "not by Lee or in
    Nature". What is unknown or in doubt of `inner` stays so."""
    others = [turned]
    kinds = next((kinds for kinds in _SAME_KINDS if turned.keys() <= kinds), frozenset[str]())
    while item := _next_excluded(message, end, kinds):
        others.append(item[0])
        end = item[1]

    def say(selection: PaperSelection) -> None:
        for given in others:
            applying(given)(selection)
        for name in ("rest", "unknown", "taken"):
            getattr(selection, name).extend(getattr(inner, name))

    return Chunk(end, say)
