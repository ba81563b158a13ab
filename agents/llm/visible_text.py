"""A model's words as they come: no thinking aloud, no control characters, however the pieces are cut."""

import re

from connectors.records.clean import COMBINING_CAP, visible

_OPENINGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")


class ThinkingFilter:
    """Takes raw pieces, gives what a person may see; lines stay lines."""

    def __init__(self) -> None:
        self._held: str | None = ""  # the beginning, until it is clear whether it is thinking; None afterwards
        self._closing = ""
        self._tail = ""

    def heard(self, piece: str) -> str:
        """What `piece` adds to the text."""
        return self._seen(self._spoken(piece))

    def ended(self) -> str:
        """What was held back at the end; a thought that never closed is no answer."""
        rest, self._held = ("" if self._closing else self._held or ""), None
        return self._seen(rest)

    def _spoken(self, piece: str) -> str:
        if self._held is None:
            return piece
        self._held += piece
        if not self._closing:
            start = self._held.lstrip().lower()
            opening = next((tag for tag in _OPENINGS if start.startswith(tag)), None)
            if opening is None:
                if any(tag.startswith(start) for tag in _OPENINGS):
                    return ""
                said, self._held = self._held, None
                return said
            self._closing = opening.replace("<", "</")
        # Only the end of the thought can hold the beginning of its closing tag.
        thought, found, said = _split(self._held, self._closing)
        if not found:
            self._held = thought[-len(self._closing) :]
            return ""
        self._held = None
        return said

    def _seen(self, piece: str) -> str:
        if not self._tail:
            piece = piece.lstrip()
        # Marks are counted per letter, so the letter before the piece must be known.
        shown = "\n".join(visible(line) for line in (self._tail + piece).replace("\r\n", "\n").split("\n"))
        shown = shown[len(self._tail) :]
        self._tail = (self._tail + shown)[-COMBINING_CAP:]
        return shown


def _split(text: str, tag: str) -> tuple[str, bool, str]:
    found = re.search(re.escape(tag), text, re.IGNORECASE)
    return (text[: found.start()], True, text[found.end() :]) if found else (text, False, "")
