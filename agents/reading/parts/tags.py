"""Tags in a message."""

from agents.reading.cues import FILLERS, NOUNS
from agents.reading.parts.chunk import Chunk
from agents.reading.parts.listed import Item, listed_at
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection, Unknown


def tags_at(message: MessageWords, position: int, *, cued: bool = False) -> Chunk | None:
    """`thesis and later`; behind a cue also tags that the library does not have."""

    def tag(at: int, first: bool) -> Item | None:
        value: str | Unknown
        if match := message.tag_at(at):
            value, end = match
        elif cued and first and message.keys[at] not in NOUNS | FILLERS and any(map(str.isalnum, message.keys[at])):
            text, end = message.tokens[at].text, at + 1
            near = tuple(message.names.near_tag(text))
            value = Unknown("tag", text, near) if near else text
        else:
            return None
        return value, end + (message.keys[end : end + 1] in (["tag"], ["tags"], ["label"]))

    passed = ("as", "with", "the", "my", "tag", "tags", "both", "either", ":", "tagged", "under")
    tags, unknown, end, either = listed_at(message, position, tag, passed)
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
