"""Describe the syntax errors of a BibTeX file for people."""

import re
from collections.abc import Iterator
from itertools import pairwise

from bibtexparser.library import Library
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ImplicitComment,
    ParsingFailedBlock,
    String,
)

from spar_tui.bibliography.reading.block_structure import INNER
from spar_tui.bibliography.reading.entries_read import Problem


def problems_of(library: Library) -> list[Problem]:
    """Return the syntax errors, grouped by kind."""
    failed = [
        _problem(block, is_last=block is library.blocks[-1])
        for block in library.blocks
        if isinstance(block, ParsingFailedBlock)
        and not string_in(block)
        # Blocks without keys are no duplicates.
        and not (isinstance(block, DuplicateBlockKeyBlock) and not block.key.strip())
    ]
    return [*failed, *_closed_too_early(library), *_hidden(library), *_in_comments(library), *_other_format(library)]


def entry_in(block: Block) -> Entry | None:
    """Return the entry of a block, also of one that repeats a key or a field."""
    if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
        block = block.ignore_error_block or block
    return block if isinstance(block, Entry) else None


def string_in(block: Block) -> String | None:
    """Return the abbreviation that a block defines, also of a repeated definition."""
    if isinstance(block, DuplicateBlockKeyBlock):
        block = block.ignore_error_block or block
    return block if isinstance(block, String) else None


def _problem(block: ParsingFailedBlock, *, is_last: bool) -> Problem:
    line = (block.start_line or 0) + 1
    match block:
        case DuplicateBlockKeyBlock():
            first = (block.previous_block.start_line or 0) + 1
            reason = f"the entry in line {first} has the same key and keeps it"
            return Problem(line, block.key, reason, taken=True, of_key=True)
        case DuplicateFieldKeyBlock():
            twice = ", ".join(sorted(block.duplicate_keys))
            entry = entry_in(block)
            return Problem(line, entry.key if entry else "", f"it has {twice} twice; the first is used", taken=True)
    reason = str(getattr(block.error, "abort_reason", block.error))
    is_open = "end of file" in reason or "block start" in reason
    if is_open:
        reason = "a brace or quotation mark is not closed"
    name = re.match(r"\s*@\w+\s*[{(]\s*([^\s,{}()]{1,100})\s*,", block.raw or "")
    reason = f"it cannot be read: {reason.strip().rstrip('.').replace('`', chr(39))}"
    return Problem(line, name[1] if name else "", reason, to_end=is_open and is_last)


def is_torn(before: Block, text: ImplicitComment) -> bool:
    """Whether a text begins with the rest of a broken entry before it."""
    broken = isinstance(before, ParsingFailedBlock) and not entry_in(before) and not string_in(before)
    return broken or _FIELD_OUTSIDE.match(text.comment) is not None


def _closed_too_early(library: Library) -> Iterator[Problem]:
    """Report entries followed by fields, which means that they have a closing brace too many."""
    for before, block in pairwise(library.blocks):
        entry = entry_in(before)
        if entry and isinstance(block, ImplicitComment) and is_torn(before, block):
            reason = "an extra brace ends it early; the fields after it are not read"
            yield Problem((entry.start_line or 0) + 1, entry.key, reason, taken=True)


def _in_comments(library: Library) -> Iterator[Problem]:
    """Report entries on the line of a comment, which BibTeX reads and biber may skip."""
    for before, block in pairwise(library.blocks):
        text, entry = before.raw or "", entry_in(block)
        on_line = (before.start_line or 0) + text.count("\n") == block.start_line
        if entry and isinstance(before, ImplicitComment) and on_line and _COMMENT.search(text):
            reason = "it stands in a comment, but BibTeX reads it; biber may not"
            yield Problem((entry.start_line or 0) + 1, entry.key, reason, taken=True)


def _hidden(library: Library) -> Iterator[Problem]:
    """Report entries inside the braces of another one, which was nevertheless ended before them."""
    for block in library.blocks:
        text = block.raw or "" if isinstance(block, ImplicitComment) else ""
        for inside in _HIDDEN.finditer(text):
            line = (block.start_line or 0) + 1 + text.count("\n", 0, inside.start())
            yield Problem(line, inside[1], "it cannot be read: a brace is missing in an entry before it")


def _other_format(library: Library) -> Iterator[Problem]:
    """Report records of RIS between the entries."""
    for block in library.blocks:
        text = block.raw or "" if isinstance(block, ImplicitComment) else ""
        if record := _RIS.search(text):
            line = (block.start_line or 0) + 1 + text.count("\n", 0, record.start())
            yield Problem(line, "", "RIS begins here; put it into a file of its own", to_end=True)


_COMMENT = re.compile(r"(?:^[ \t]*%.*|@comment)[ \t]*\Z", re.MULTILINE | re.IGNORECASE)
_RIS = re.compile(r"^TY  ?- [A-Z]{3,8}[ \t]*$", re.MULTILINE)
_HIDDEN = re.compile(rf"{INNER}[ \t]*\w+[ \t]*[{{(][ \t]*([^\s,{{}}()]{{1,100}})[ \t]*,")
_FIELD_OUTSIDE = re.compile(r"\s*,\s*\w+\s*=\s*[{\"\w]")
