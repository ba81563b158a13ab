"""A faster splitter for bibtexparser, which reads a usual field in one step instead of character by character.

This saves a quarter of the time for reading a file. The library itself reads everything else.
"""

import re
from collections import Counter

from bibtexparser.model import Field
from bibtexparser.splitter import _MARK_PATTERN, _PAREN_BLOCK_MARK_PATTERN, Splitter

_TEXT = r"[^{}\\@]*+(?>(?:(?:\\++[{}]?|@(?!\w*[ \t]*[{(]))[^{}\\@]*+)*)"
"""Text without braces and entries: the library skips braces after a backslash, and an @ may begin an entry."""
_GROUP = rf"\{{{_TEXT}(?>(?:\{{{_TEXT}(?>(?:\{{{_TEXT}\}}{_TEXT})*)\}}{_TEXT})*)\}}"
_UNQUOTED = r'[^"{}\\@]*+(?>(?:(?:\\++(?!")|@(?!\w*[ \t]*[{(]))[^"{}\\@]*+)*)'
_QUOTED = rf'"{_UNQUOTED}(?>(?:{_GROUP}{_UNQUOTED})*)"'
"""Text in quotation marks, where a quotation mark in braces is text."""
_BETWEEN = r"\s*+(?>(?:%[^\n]*\n\s*)*)"
"""Blanks and comments, which biber allows between fields."""
_FIELD = {
    closing: re.compile(rf"{_BETWEEN}([\w:.+-]++)\s*+(=)\s*+({_GROUP}|{_QUOTED}|\w++){_BETWEEN}(?:,|(?=\{closing}))")
    for closing in "})"
}
"""The pattern of a field in an entry that ends with this delimiter."""
_COMMENTS = re.compile(rf"{_BETWEEN}(?=[}})])")


class QuickSplitter(Splitter):
    """Splits a text into the same blocks as its base class."""

    def _move_to_end_of_entry(self, first_key_start: int) -> tuple[list[Field], int, set[str]]:
        fields, at, line = list[Field](), first_key_start, self._current_line
        while plain := _FIELD[self._closing_delimiter].match(self.bibstr, at):
            line += self.bibstr.count("\n", at, plain.start(2))
            fields.append(Field(plain[1], plain[3], line))
            line += self.bibstr.count("\n", plain.start(2), plain.end())
            at = plain.end()
        if comments := _COMMENTS.match(self.bibstr, at):
            line += self.bibstr.count("\n", at, comments.end())
            at = comments.end()
        self._current_line = line
        marks = _MARK_PATTERN if self._closing_delimiter == "}" else _PAREN_BLOCK_MARK_PATTERN
        self._markiter = marks.finditer(self.bibstr, at)  # type: ignore[assignment]  # None until it splits
        tokens, end, twice = super()._move_to_end_of_entry(at)
        fields += tokens
        if len({field.key.lower() for field in fields}) < len(fields):
            twice = {name for name, times in Counter(field.key.lower() for field in fields).items() if times > 1}
        return fields, end, twice
