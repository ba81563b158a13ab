"""Find the citing sentences in a LaTeX, Markdown or Typst document, each with its line and keys."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from agents.builtin.text.sentences import sentences
from connectors.records.clean import clean_text
from spar_tui.bibliography.cited_in import (
    MARKUPS,
    TakenIn,
    document_text,
    markup_text,
    parts_with_places,
    tex_citations,
    tex_text,
)
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.tex_macros import is_known

_LONGEST = 2_000
"""Maximum number of characters kept of a sentence; a longer one is probably not a sentence."""
_MARK = re.compile(r" ?⟦(\d+)⟧")
_BEHIND_STOP = re.compile(r"([.!?])((?:⟦\d+⟧)+)")
"""A citation directly after the full stop, such as a superscript number, belongs to the sentence before it."""
_OPENED = str.maketrans("⟦⟧", "[]")
_LEFT_OVER = re.compile(r" (?=[.,;:!?)])| ?\( ?\)")
"""What remains of a sentence when a cross-reference or a citation is removed."""
_TEX_BREAK = re.compile(
    r"\n[ \t]*\n|\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\[\]⟦]*\]|\{[^{}⟦]*\})*"
    r"|\\(?:item|par|caption|tabularnewline|cr|crcr)(?![A-Za-z])|\\\\(?:\*?[ \t]*\[[^\[\]⟦\n]*\]|\*)?|(?<!\\)&"
    r"|\\(?:part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|title)\*?\s*(?:\[[^\[\]]*\]\s*)?\{[^{}]*\}"
)
"""Boundaries that no sentence crosses, headings included."""
_TEX_UNSHOWN = re.compile(
    r"[~\s]?\\(?:[A-Za-z]*ref|label|input|include|includegraphics|bibliography|bibliographystyle|[vh]space)\*?"
    r"\s*(?:\[[^\[\]]*\]\s*)?\{[^{}]*\}"
)
_TEX_MACRO = re.compile(r"\\([A-Za-z@]+)\*?(?:\s*\[[^\[\]]*\])?")
_MARKUP_BREAK = re.compile(
    r"\n[ \t]*\n|^[ \t]*(?:[-*+>]|\d+[.)])[ \t]+|^(?:#{1,6}(?=[ \t])|=+[ \t])[^\n]*|^---[ \t]*$|\|", re.MULTILINE
)
_MARKED_BRACKETS = re.compile(r"\[[^\[\]]*⟦[^\[\]]*\]")


class CitingSentence(NamedTuple):
    """A sentence that begins in `line` (from 1) of `file`: its `text` with the keys in brackets, and its own `words`
    without them."""

    file: Path
    line: int
    text: str
    words: str
    keys: tuple[str, ...]


class _Marked(NamedTuple):
    """A text with a mark for each citation; `keys` and `lines` are indexed by the mark's number."""

    text: str
    keys: Sequence[tuple[str, ...]]
    lines: Sequence[int]


def citing_sentences(files: Iterable[Path]) -> Iterator[CitingSentence]:
    """Yield the citing sentences of `files` in order. Raises `UsageError`, `Failure`."""
    for file in files:
        text = document_text(file).translate(_OPENED)
        markup = MARKUPS.get(file.suffix.lower())
        if markup:
            bare = markup_text(text, markup)
            places = [(begin, end, part) for begin, end, part in parts_with_places(bare, markup)
                      if not isinstance(part, TakenIn)]  # fmt: skip
            marked = _marked(bare, places)
            parts = map(_plain_markup if markup.bracketed else str, _MARKUP_BREAK.split(marked.text))
        else:
            bare = tex_text(text)
            begin = bare.find("\\begin{document}")
            marked = _marked(bare, [tex_citation for tex_citation in tex_citations(bare) if tex_citation[0] > begin])
            parts = map(_plain_tex, _TEX_BREAK.split(marked.text))
        for part in parts:
            yield from _sentences(file, part, marked)


def _marked(bare: str, places: Iterable[tuple[int, int, str]]) -> _Marked:
    starts = [match.end() for match in re.finditer("\n", bare)]
    texts, keys, lines, at = list[str](), list[tuple[str, ...]](), list[int](), 0
    for begin, end, mark_text in places:
        texts += [bare[at:begin], f"⟦{len(keys)}⟧"]
        keys.append(tuple(key for raw in mark_text.split(",") if (key := " ".join(raw.split())) and key != "*"))
        lines.append(bisect_right(starts, begin) + 1)
        at = end
    return _Marked("".join((*texts, bare[at:])), keys, lines)


def _plain_tex(part: str) -> str:
    if "⟦" not in part:
        return ""
    visible_text = _TEX_UNSHOWN.sub(" ", part)
    return decode(_TEX_MACRO.sub(lambda match: match[0] if is_known(match[1]) else " ", visible_text))


def _plain_markup(part: str) -> str:
    return _MARKED_BRACKETS.sub(lambda match: "".join(match[0].strip() for match in _MARK.finditer(match[0])), part)


def _sentences(file: Path, part: str, marked: _Marked) -> Iterator[CitingSentence]:
    part, end = _BEHIND_STOP.sub(r"\2\1", " ".join(part.split())), 0
    opening_text = part.translate(_OPENED)  # a sentence may begin with a bracket, but not with a mark
    for raw in sentences(opening_text):
        begin = opening_text.index(raw, end)
        end = begin + len(raw)
        sentence = part[begin:end]
        marks = [int(match[1]) for match in _MARK.finditer(sentence)]
        if keys := tuple(dict.fromkeys(key for mark in marks for key in marked.keys[mark])):
            text = _MARK.sub(lambda match: f" [{', '.join(marked.keys[int(match[1])])}]", sentence)
            words = _MARK.sub(" ", sentence)
            yield CitingSentence(file, marked.lines[marks[0]], _cleaned(text), _cleaned(words), keys)


def _cleaned(text: str) -> str:
    return clean_text(_LEFT_OVER.sub("", text), _LONGEST)
