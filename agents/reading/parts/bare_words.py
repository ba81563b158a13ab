"""Words of a message that nothing introduces."""

from agents.reading.cues import FILLERS, JOINING, NOUNS
from agents.reading.parts.subjects import types_at
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection, Unknown
from agents.reading.tokens import Token, written

_DETERMINERS = frozenset({"the", "a", "an", "my", "our", "any", "some", "all"})


def bare_words_at(message: MessageWords, selection: Selection, position: int) -> int:
    """Take in words that nothing introduces: a subject if papers speak of them, else the rest. Where they end."""
    end = position
    while end < message.end and message.title_at(end) is None:
        if message.chunk(end) is not None and not _joins(message, end):
            break
        end += 1
    end = max(end, position + 1)
    phrase = [token for token in message.tokens[position:end] if message.has_meaning(token)]
    strange = [token for token in phrase if not message.is_subject(token)]
    if phrase and not strange and not _is_in_place(message, selection, position, end):
        selection.rest += [token.text for token in phrase]
        selection.doubtful.append(" ".join(token.text for token in phrase))
    elif not strange:
        if phrase:
            selection.add("words", " ".join(token.text for token in phrase))
    elif any(token.key not in message.own and not token.key.isdigit() for token in phrase) and (
        numbers := message.names.noting([token.text for token in phrase])
    ):
        selection.among = numbers
    else:
        near = [Unknown("word", token.text, _near(message, token)) for token in strange if token.key not in message.own]
        if len(near) == len(phrase) and not any(unknown.near for unknown in near) and _is_alone(message, position, end):
            selection.unknown.append(Unknown("subject", written(phrase)))
            return end
        selection.rest += [token.text for token in strange]
        selection.unknown += [unknown for unknown in near if unknown.near]
        texts = [token.text for token in phrase if token not in strange]
        if texts:
            selection.add("words", " ".join(texts))
    return end


def _is_alone(message: MessageWords, position: int, end: int) -> bool:
    """Whether a message is nothing but these words, and nouns for papers."""
    beside = (*message.keys[:position], *message.keys[end:])
    return all(key in NOUNS or not any(map(str.isalnum, key)) for key in beside)


def _is_in_place(message: MessageWords, selection: Selection, position: int, end: int) -> bool:
    """Whether words without a cue stand where a subject does: before "papers", at the front, or behind "papers" at
    the end; or in a message of nothing but keywords."""
    behind = end
    behind = message.behind(behind, ("'s", "-"))
    if behind < message.end and (message.keys[behind] in NOUNS or types_at(message, behind)):
        return True
    if not (selection.is_chosen or selection.noun or selection.order or selection.rest):
        return True
    at_end = end == message.end or not any(map(str.isalnum, message.keys[end]))
    return at_end and FILLERS.isdisjoint(set(message.keys[message.start : position]) - _DETERMINERS - JOINING)


def _near(message: MessageWords, token: Token) -> tuple[str, ...]:
    """Words that a strange word may be meant for: the reader's own, those of the library, or names of its authors."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    rows = process.extract(
        token.key, message.own | NOUNS, scorer=OSA.distance, limit=2, score_cutoff=len(token.key) // 4
    )
    own = sorted(word for word, distance, _ in rows if 0 < distance == rows[0][1])
    return (*own, *message.names.near_word(token.text), *message.names.near_author(token.text))


def _joins(message: MessageWords, position: int) -> bool:
    """Whether a small word stands within a subject: "a table of pressures"."""
    if message.keys[position] not in ("a", "an", "the", "of", "for", "in", "to") or position + 1 >= message.end:
        return False
    chunk = message.chunk(position)
    behind = position + 1
    behind = message.behind(behind, ("a", "an", "the"))
    return chunk is not None and not chunk.firm and behind < message.end and message.chunk(behind) is None
