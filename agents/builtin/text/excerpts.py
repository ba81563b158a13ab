"""What is shown of a text that is longer than there is room for: its beginning and its end, in whole sentences."""

from agents.builtin.text.sentences import sentences

_GAP = " […] "
_END_SHARE = 0.4
"""An abstract begins with why and ends with what was found: the end gets so much of the room."""


def excerpt(text: str, letters: int) -> str:
    """`text`, or sentences of its beginning and of its end in at most `letters` letters, with a gap marked between.

    Each stands as it does in `text`; only where a single sentence is longer than its room it is cut, between words.
    """
    if len(text) <= letters:
        return text
    room = letters - len(_GAP)
    parts = sentences(text)
    end = _fitting(parts[::-1], int(_END_SHARE * room))[::-1]
    tail = text[text.rindex(end[0]) :] if end else ""
    start = _fitting(parts[: len(parts) - len(end)], room - len(tail))
    head = text[: text.index(start[-1]) + len(start[-1])] if start else _cut(text, room - len(tail))
    return f"{head}{_GAP}{tail}" if tail else f"{head}{_GAP.rstrip()}"


def _fitting(parts: list[str], letters: int) -> list[str]:
    """As many of `parts`, from the first, as have room."""
    for number, part in enumerate(parts):
        letters -= len(part) + 1
        if letters < 0:
            return parts[:number]
    return parts


def _cut(text: str, letters: int) -> str:
    return text[: max(letters, 0)].rpartition(" ")[0]
