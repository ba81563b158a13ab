"""Tags in a message."""

from agents.reading.cues import FILLERS, JOINING, NOUNS
from agents.reading.parts.chunk import Chunk
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Selection, Unknown


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
