"""Subjects in a message: the words that papers are about."""

from agents.reading.cues import FILLERS, NOUNS
from agents.reading.numbers import by_first, phrases
from agents.reading.parts.chunk import Chunk, Say
from agents.reading.parts.places import place_at
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection, Unknown
from agents.reading.tokens import Token, written
from cache.store import PaperId

_IN_TITLE = by_first(phrases("in the title|in its title|in their titles|in their title|in title|in the titles"))


def subject_at(message: MessageWords, place: int, *, firm: bool) -> Chunk | None:
    """What stands behind `about`; of a cue that is not `firm` only words that papers have."""
    run = run_from(message, place)
    if run is None or place_at(message, place + (message.keys[place] == "the" and place + 1 < message.end)):
        return None
    phrases, either = phrases_of(message, place, run[0])
    if not phrases:
        return None
    if behind := behind_title(message, run[0]):
        return Chunk(behind, subject_of(message, phrases, False, "title_words"))
    if not firm and (
        _begins_with_noun(message, place)
        or not all(message.is_subject(token) for phrase in phrases for token in phrase)
    ):
        return None
    return Chunk(run[0], subject_of(message, phrases, either))


def _begins_with_noun(message: MessageWords, place: int) -> bool:
    """Whether papers stand there and not their subject: "of my papers"."""
    words = (key for key in message.keys[place : message.end] if key not in FILLERS)
    return next(words, "") in NOUNS


def behind_title(message: MessageWords, place: int) -> int | None:
    """Where the words behind "in the title" begin."""
    words = message.phrase_at(_IN_TITLE, place)
    return place + len(words) if words else None


def run_from(message: MessageWords, place: int) -> tuple[int, str] | None:
    """The words of a subject from `place` on, up to what says something else: where they end, and the phrase."""
    at, last = place, place
    while at < message.end:
        token = message.tokens[at]
        if not token.quoted and token.key in FILLERS and at == place:
            at += 1
            place = last = at
            continue
        if not any(map(str.isalnum, token.key)) and not token.quoted:
            if token.key == "," and at > place:
                break
            at += 1
            continue
        if at > place and _ends_subject(message, at):
            break
        if token.key not in FILLERS and token.key not in NOUNS:
            last = at + 1
        at += 1
    return (last, written(message.tokens[place:last])) if last > place else None


def _ends_subject(message: MessageWords, at: int) -> bool:
    if behind_title(message, at):
        return True
    if message.keys[at] in ("that", "which", "but", "without", "except", "i", "sorted", "not", "published", "written"):
        return True
    if message.keys[at] in ("and", "or", "of", "the", "for", "to", "a", "with", "on"):
        chunk = message.chunk(at)
        return chunk is not None and chunk.firm and message.keys[at] != "of"
    chunk = message.chunk(at)
    return chunk is not None and chunk.firm and not message.tokens[at].quoted and message.tag_at(at) is None


def phrases_of(message: MessageWords, place: int, end: int) -> tuple[list[list[Token]], bool]:
    """The phrases of a subject, parted by "and", "or" and commas; whether any of them will do."""
    phrases: list[list[Token]] = [[]]
    either = False
    for token in message.tokens[place:end]:
        if token.key in ("and", "or", ",", "&", "plus") and not token.quoted:
            either = either or token.key == "or"
            phrases.append([])
        elif token.quoted or (
            token.key not in FILLERS and any(map(str.isalnum, token.key)) and token.key not in ("'s", "papers", "paper")
        ):
            phrases[-1].append(token)
    return [phrase for phrase in phrases if phrase], either


def subject_of(message: MessageWords, phrases: list[list[Token]], either: bool, name: str = "words") -> Say:
    """What a subject says. Words that no paper has are unknown; what only a tag or a note has is that."""
    found: list[str] = []
    unknown: list[Unknown] = []
    tags: list[str] = []
    noted: list[PaperId] | None = None
    for phrase in phrases:
        if (
            len(phrase) == 1
            and not phrase[0].quoted
            and (tag := message.names.tag_at(phrase, 0))
            and not message.names.is_subject(phrase[0].text)
        ):
            tags.append(tag[0])
            continue
        strange = [token for token in phrase if not message.names.is_subject(token.text)]
        if strange and (numbers := message.names.noting([token.text for token in phrase])):
            noted = numbers
            continue
        if len(phrase) > 1 and not strange and not message.names.is_subject(" ".join(token.text for token in phrase)):
            tags += [tag[0] for token in phrase if (tag := message.names.tag_at([token], 0))]
            phrase = [token for token in phrase if not message.names.tag_at([token], 0)]
        near = [Unknown("word", token.text, tuple(message.names.near_word(token.text))) for token in strange]
        unknown += [one for one in near if one.near]
        if phrase:
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


def title_words_at(message: MessageWords, place: int) -> Chunk | None:
    """Words that stand in titles."""
    place = message.behind(
        place,
        "containing contains with the word words has includes including of is :".split(),
    )
    run = run_from(message, place)
    if run is None:
        return None
    phrases, _ = phrases_of(message, place, run[0])
    return Chunk(run[0], subject_of(message, phrases, False, "title_words"))
