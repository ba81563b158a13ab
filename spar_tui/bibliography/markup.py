"""Split a record's text into words, `$math$`, other TeX and the few tags that bibliographies support."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from connectors.records.clean import unescaped
from connectors.records.letters import composed, to_ascii
from spar_tui.bibliography.tex_macros import is_known


def words(text: str) -> list[str]:
    """Return the ASCII words of `text`; apostrophes do not split words: `O'Neil` is `ONeil`."""
    return re.findall(r"[A-Za-z0-9]+", re.sub(r"['’‘ʼ`]", "", to_ascii(text)))


_TAGS = {"i": "i", "em": "i", "italic": "i", "b": "b", "strong": "b", "bold": "b", "sub": "sub", "inf": "sub",
         "sup": "sup", "scp": "scp", "sc": "scp"}  # fmt: skip
"""The supported tags, by the names in input; JATS has `italic` and `bold`, Scopus `inf`."""
NO_CASE = "nocase"
"""The tag for words whose capitals styles must keep, `<span class="nocase">` in CSL."""
SMALL_CAPS = '<span style="font-variant:small-caps;">'
"""The CSL tag for small capitals, here called `scp`."""
_NO_CASE_START = '<span class="nocase">'
_TAG = re.compile(r"<(/?)(?:jats:|mml:)?([a-zA-Z][\w-]*)((?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*)\s*(/?)>")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_MATH = re.compile(r"(?<!\\)\$(?=[^\s$])(?:\\.|[^\\$])*?(?<=[^\s\\])\$(?!\d)")
_BRACED = r"\{(?>(?:[^{}]++|\{(?>(?:[^{}]++|\{[^{}]*+\})*)\})*)\}"
_TEX = re.compile(rf"(?<!\\)\\(?P<macro>[A-Za-z]+)\*?(?:(?:\[[^\[\]{{}}]*\])?{_BRACED})+")
"""A macro with arguments. Known macros do not count as TeX: they were converted to text."""
_MARKED = re.compile(f"(?P<math>{_MATH.pattern})|(?P<tag>{_TAG.pattern})|(?P<tex>{_TEX.pattern})")
_OPENING = r"(?:^|(?<=[\s(\[{—–-]))"
_QUOTES = (
    (re.compile(r"'(?=\d\ds?\b)"), "’"),  # '94
    (re.compile(f'{_OPENING}"'), "“"), (re.compile('"'), "”"),
    (re.compile(f"{_OPENING}'"), "‘"), (re.compile("'"), "’"),
)  # fmt: skip
_UNSAFE = re.compile(
    r"(?<!\\)[%#&]|\\(?:input|include|immediate|write|openout|openin|closeout|read|special|csname|endcsname|expandafter"
    r"|[egx]?def|let|catcode|(?:re)?newcommand|begin|end)(?![a-z])",
    re.IGNORECASE,
)


class Piece(NamedTuple):
    """A run of text in one style; `open` and `close` carry the tag's name as text."""

    kind: Literal["text", "math", "tex", "open", "close"]
    text: str


def tidy(text: str) -> str:
    """Return `text` on one line in NFC, with entities resolved and control characters removed."""
    text = unescaped(text)
    text = " ".join(_CONTROL.sub("", text).split())
    return text if text.isascii() else composed(text)


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of `text` in order, with balanced tags; invalid math and tags stay text."""
    start, open_tags = 0, list[str]()
    for match in _MARKED.finditer(text):
        if match["math"]:
            if not _is_sound(match["math"]):
                continue
            piece = Piece("math", match["math"])
        elif match["tex"]:
            if is_known(match["macro"]) or not _is_sound(match["tex"]):
                continue
            piece = Piece("tex", match["tex"])
        elif (tag := _tag_of(match, open_tags)) is not None:
            piece = tag
        else:
            continue
        if match.start() > start:
            yield Piece("text", text[start : match.start()])
        if piece.text:
            yield piece
        start = match.end()
    if start < len(text):
        yield Piece("text", text[start:])
    yield from (Piece("close", name) for name in reversed(open_tags))


def start_of(tag: str) -> str:
    """Return the tag's opening form."""
    return _NO_CASE_START if tag == NO_CASE else f"<{tag}>"


def end_of(tag: str) -> str:
    """Return the tag's closing form."""
    return "</span>" if tag == NO_CASE else f"</{tag}>"


def plain(text: str) -> str:
    """Return `text` without tags, with math unchanged."""
    text = tidy(text)
    if "<" not in text:
        return text
    return "".join(piece.text for piece in pieces(text) if piece.kind in ("text", "math", "tex"))


_CSL_TAGS = ("i", "b", "sub", "sup", NO_CASE)


def rich(text: str) -> str:
    """Return `text` with the tags of CSL."""
    written = []
    for piece in pieces(tidy(text)):
        if piece.kind in ("text", "math", "tex"):
            written.append(piece.text)
        elif piece.text in _CSL_TAGS:
            written.append(start_of(piece.text) if piece.kind == "open" else end_of(piece.text))
        elif piece.text == "scp":
            written.append(SMALL_CAPS if piece.kind == "open" else "</span>")
    return "".join(written)


def curled(text: str) -> str:
    """Return `text` with typographic quotation marks."""
    if "'" in text or '"' in text:
        for straight, mark in _QUOTES:
            text = straight.sub(mark, text)
    return text


def has_case(text: str) -> bool:
    """Whether `text` begins in a script with capitals."""
    return text[:1].upper() != text[:1].lower()


def _is_sound(text: str) -> bool:
    """Whether a piece of TeX has balanced braces and nothing that would end its line or run a command."""
    depth = 0
    for character in re.sub(r"\\.", "", text):
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    # BibTeX counts escaped braces too.
    return depth == 0 and text.count("{") == text.count("}") and not _UNSAFE.search(text)


def _tag_of(marked: re.Match[str], open_tags: list[str]) -> Piece | None:
    """Return the piece for a tag, empty for one to drop; None if it is not a tag. Updates `open_tags`. A tag without a
    partner is dropped, but `a<b>c` and `a <b> c` are relations.
    """
    text = marked["tag"]
    match = _TAG.fullmatch(text)
    assert match is not None
    closing, tag_name, attributes, empty = match.groups()
    name = _TAGS.get(tag_name.lower())
    if tag_name == "span":
        last = open_tags[-1] if closing and open_tags and open_tags[-1] in (NO_CASE, "scp") else None
        name = NO_CASE if text == _NO_CASE_START else "scp" if "small-caps" in attributes else last
    if name is None:
        # A bare `<word>` is prose; only text with the form of markup is dropped.
        return Piece("open", "") if attributes or tag_name.lower() in ("p", "span", "br", "u", "tt", "title") else None
    if empty:
        return Piece("open", "")
    if not closing and re.search(rf"</(?:\w+:)?{tag_name}\s*>", marked.string[marked.end() :], re.IGNORECASE):
        open_tags.append(name)
        return Piece("open", name)
    if closing and open_tags and open_tags[-1] == name:
        open_tags.pop()
        return Piece("close", name)
    before, after = marked.string[: marked.start()][-1:], marked.string[marked.end() :][:1]
    is_relation = not closing and len(tag_name) == 1 and before.isalnum() == after.isalnum()
    return None if is_relation else Piece("open", "")
