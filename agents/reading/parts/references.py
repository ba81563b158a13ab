"""References in a message: quoted titles, identifiers, papers to be like, words of notes."""

from agents.reading.cues import SINGULARS
from agents.reading.parts.chunk import Chunk, Say, adding
from agents.reading.parts.subjects import behind_title, phrases_of, run_from, subject_of
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection, Unknown
from agents.reading.tokens import Token
from connectors.identifiers import parse_identifier


def quoted_at(message: MessageWords, place: int) -> Chunk | None:
    """Text in quotation marks: a tag, a phrase of titles or texts, or the name of a paper."""
    text = message.tokens[place].text
    before = message.keys[place - 1] if place else ""
    if before in "about on word words phrase with contain containing mention mentioning".split():
        behind = behind_title(message, place + 1)
        return Chunk(behind, adding("title_words", text)) if behind else Chunk(place + 1, adding("words", text))
    if text.casefold() in map(str.casefold, message.names.tags.values()):
        return Chunk(place + 1, adding("tags", text))
    return Chunk(place + 1, lambda selection: selection.names.append(text))


def likeness_at(message: MessageWords, place: int) -> Chunk | None:
    """What papers are to be like: a paper by its title or place, else words."""
    at = place
    while at < message.end and message.keys[at] in ("the", "to", "a", "paper"):
        title = message.title_at(at)
        if title is not None:
            break
        at += 1
    if at >= message.end:
        at = place
    if at >= message.end:
        return None
    if place > 1 and message.keys[place - 2] in ("would", "should", "i", "you", "do", "not"):
        return None
    title = message.title_at(at)
    if title is not None:
        return Chunk(title.end, lambda selection: selection.like.append(f"#{title.number}"))
    if message.keys[at] in ("this", "that", "it") and at + 1 >= message.end - (message.keys[-1] in "?.!"):
        return Chunk(at + 1, lambda selection: selection.like.append("@it"))
    if message.tokens[at].quoted:
        return Chunk(at + 1, lambda selection: selection.like.append(message.tokens[at].text))
    chunk = message.chunk(at)
    if chunk is not None and chunk.firm:
        inner = chunk.alone
        if inner.names:
            return Chunk(chunk.end, lambda selection: selection.like.extend(inner.names))
        if inner.onward:
            return Chunk(chunk.end, lambda selection: selection.like.append("@shown"))
    run = run_from(message, at)
    if run is None or not any(message.names.is_subject(token.text) for token in message.tokens[at : run[0]]):
        return None
    if message.keys[at - 1] == "the" and run[0] < message.end and message.keys[run[0]] in SINGULARS:
        inner = Selection()
        subject_of(message, *phrases_of(message, at, run[0]))(inner)
        numbers = message.names.in_titles(inner.given.get("words", ())) if inner.given.get("words") else []
        if len(numbers) == 1:
            return Chunk(run[0] + 1, lambda selection: selection.like.append(f"#{numbers[0]}"))
    return Chunk(run[0], lambda selection: setattr(selection, "like_words", run[1]))


def noted_at(message: MessageWords, place: int) -> Chunk | None:
    """Words of the person's own notes."""
    place = message.behind(
        place,
        "that says say saying mention mentions about with the word : on contains something anything".split(),
    )
    run = run_from(message, place)
    if run is None:
        return None
    words = [token.text for phrase in phrases_of(message, place, run[0])[0] for token in phrase]
    numbers = message.names.noting([word for text in words for word in text.split()])

    def say(selection: Selection) -> None:
        if numbers:
            selection.among = numbers
        else:
            selection.unknown.append(Unknown("note", run[1]))

    return Chunk(run[0], say)


def is_name(message: MessageWords, token: Token) -> bool:
    """Whether a word is an identifier or a citation key."""
    if not any(map(str.isdigit, token.key)) or token.key.isdigit() or len(token.key) < 6:
        return False
    return parse_identifier(token.text) is not None or message.names.is_key(token.text)


def these(message: MessageWords, expected: int | None = None) -> Say:
    """The papers that were shown or chosen before, if there are any; so many are `expected`."""
    has_papers = message.has_candidates or message.shown > 0

    def say(selection: Selection) -> None:
        selection.noun, selection.expected = True, expected or selection.expected
        selection.onward = selection.onward or has_papers

    return say
