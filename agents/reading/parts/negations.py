"""Negations in a message: what the papers are not."""

from agents.reading.cues import NOUNS
from agents.reading.parts.chunk import Chunk, adding, applying, nothing
from agents.reading.parts.subjects import run_from
from agents.reading.parts.words import MessageWords
from agents.reading.selection import opposite

_PASSED = (
    frozenset("the any those from of on in for than to a have got had include i together mr mrs ms dr prof".split())
    | NOUNS
)


def negation_at(message: MessageWords, position: int) -> Chunk | None:
    """`not by Lee`, `without surveys`, `except the first`."""
    behind = position + 1
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
            message.keys[position] in ("no", "never")
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
