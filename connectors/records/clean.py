"""Clean foreign text once, when records are built.

Titles, abstracts and names come from strangers. After cleaning, no text holds a control character, a terminal escape
sequence, a bidirectional override, an invisible character, an HTML or JATS tag, or more characters than its cap.
`$math$` stays unchanged. `clean_text` is idempotent: cleaning twice changes nothing.
"""

import html
import re
import unicodedata
from contextvars import ContextVar
from functools import lru_cache
from threading import Event

from connectors.records.visible import visible

TITLE_CAP = 1_000
ABSTRACT_CAP = 20_000
NAME_CAP = 300
VENUE_CAP = 500
_RAW_SHARE, _LEAST_RAW = 8, 1_000
"""Maximum length of a raw text, tags included: `_RAW_SHARE` times its `cap`, but at least `_LEAST_RAW` characters."""
_LAYERS = 5
"""Maximum number of passes, for tags hidden by other tags and entities of entities. Records need up to three."""

_ESCAPE_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, screen
    r"|(?:\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x90\x98\x9c-\x9f]{0,4096}+(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, …
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
)
_INLINE = "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong scp"
_INLINE += (
    " sub inf sup tt u var italic bold underline monospace sc ext-link xref named-content styled-content overline"
)
_INLINE += " math mi mn mo mrow msub msup msubsup mfrac msqrt mtext mspace mover munder munderover mfenced mstyle"
_INLINE += " mtable mtr mtd semantics annotation inline-formula disp-formula tex-math alternatives inline-graphic img"
_BLOCK = "p div br hr title sec ul ol li dl dt dd table tr td th thead tbody h1 h2 h3 h4 h5 h6 blockquote pre"
_BLOCK += " abstract abstracttext label list list-item section article header footer html body head"
# A bare word after the name ("a <b and c> d") is prose, so an attribute must have a value.
_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))*"""


def _tag(names: str) -> re.Pattern[str]:
    alternatives = "|".join(sorted(map(re.escape, names.split()), key=len, reverse=True))
    return re.compile(rf"</?(?:\w{{1,8}}:)?(?:{alternatives}){_ATTRIBUTES}\s*/?>", re.IGNORECASE)


_INLINE_TAG, _BLOCK_TAG = _tag(_INLINE), _tag(_BLOCK)
_HIDDEN = tuple(
    (re.compile(rf"<{name}\b[^<>]*>.*?{end}", re.IGNORECASE | re.DOTALL), re.compile(end, re.IGNORECASE))
    for name, end in ((name, rf"</{name}\s*>") for name in ("script", "style", "template"))
)
"""Elements whose content is not displayed, each with its end tag."""
_COMMENT, _COMMENT_END = re.compile(r"<!--.*?-->", re.DOTALL), re.compile("-->")
_LOOSE_END = re.compile(r"<!\[CDATA\[|\]\]>|<\?xml[^<>]*\?>|</?(?:script|style|template)\b[^<>]*>")
_ENTITY = re.compile(r"&(?:amp;)*(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[a-zA-Z][a-zA-Z0-9]{1,31};)")
MATH = re.compile(r"(\$\$[^$]+\$\$|\$(?=\S)[^$]*(?<=\S)\$(?!\d))")
_STYLE_TAG = re.compile(
    r"</?(?:jats:)?(?:i|em|italic|b|strong|bold|sub|inf|sup|sc|scp)>|<span class=\"nocase\">|</span>", re.IGNORECASE
)
_PLACE = "\ue000"
"""A private-use character that replaces a tag while the text around it is cleaned."""
_SPACE = re.compile(r"\s+")
_UNMARKED = "!-;=-~\xa1-\u02ff\u0370-\u0482\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u27ff"
_UNMARKED += "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\ufb00-\ufb06\U0001f300-\U0001f64f"
_CLEAN = re.compile(f"(?:[{_UNMARKED}]++(?>(?: [{_UNMARKED}]++)*))?")
"""Letters and signs that are not combining marks and begin no tag, with single spaces between words."""


UNWANTED: ContextVar[Event | None] = ContextVar("unwanted", default=None)
"""Set when no caller waits for the cleaned text any more (`connectors.http.client`)."""


class ReadingAbandoned(Exception):
    """No caller waits for the result any more."""


def clean_text(raw: object, cap: int = ABSTRACT_CAP) -> str:
    """Return `raw` as one line of plain, visible text of at most `cap` characters; "" if it is not text.

    A text over the cap ends in an ellipsis, so that nobody mistakes it for a complete one.
    """
    if not (raw and isinstance(raw, str)):
        return ""
    text = _settled_before(raw) if len(raw) <= _SHORT else _settled(raw[: _raw_cap(cap)].strip())
    while len(text) > cap:
        text = _settled(text[: cap - 1].rstrip() + "…")  # a cut can open a formula and expose its content
    return text


def whole_text(raw: object, cap: int) -> str:
    """Clean like `clean_text`, but return "" for a text over the cap: use it where a part would mean something else."""
    if not isinstance(raw, str) or len(raw) > _raw_cap(cap):
        return ""
    text = clean_text(raw)
    return text if len(text) <= cap else ""


def _raw_cap(cap: int) -> int:
    return max(cap * _RAW_SHARE, _LEAST_RAW)


def styled_text(raw: object, plain_text: str) -> str:
    """Add the tags of `raw` for italics, bold, small capitals, sub- and superscript, and protected case to
    `plain_text`, the result of `clean_text`. Return "" if there are none or if they cannot be placed."""
    raw = unescaped(raw) if isinstance(raw, str) and len(raw) <= _raw_cap(TITLE_CAP) else ""
    if "<" not in raw or _PLACE in raw:
        return ""
    bare = _STYLE_TAG.sub("", raw)
    if bare == plain_text:  # nothing had to be cleaned
        return raw if len(bare) < len(raw) else ""
    tags = iter(_STYLE_TAG.findall(raw))
    marked = re.sub(f" ({_PLACE}+) ", r" \1", clean_text(_STYLE_TAG.sub(_PLACE, raw), 2 * TITLE_CAP))
    if _PLACE not in marked or marked.replace(_PLACE, "").strip() != plain_text:
        return ""
    return re.sub(_PLACE, lambda _: next(tags), marked).strip()


def with_exponents(raw: str) -> str:
    """Write what stands high or low after a digit with `^` or `_`: without its tag, 10<sup>6</sup> would be 106. The
    letters of 5<sup>th</sup> stay."""
    return _HIGH_OR_LOW.sub(lambda tag: "^" if tag[1].lower() == "sup" else "_", unescaped(raw))


_HIGH_OR_LOW = re.compile(rf"(?<=[0-9])<(?:\w{{1,8}}:)?(sup|sub|inf){_ATTRIBUTES}>(?!\s|[^\W\d_]{{2}})", re.IGNORECASE)


def _settled(text: str) -> str:
    # Each pass can bring to light what the next must remove: an escaped tag, an entity that a zero-width character
    # had split. Text in more layers was made to cost a pass for each; what is left of it loses its markup signs.
    text, stable = _cleaned_in_passes(text)
    return text if stable else _cleaned_in_passes(text.translate(_MARKUP_SIGNS))[0]


def _cleaned_in_passes(text: str) -> tuple[str, bool]:
    """Return `text` after up to `_LAYERS` passes, and whether another pass would change nothing."""
    for _ in range(_LAYERS):
        if (unwanted := UNWANTED.get()) is not None and unwanted.is_set():
            raise ReadingAbandoned
        if is_clean(text) or (next_text := _pass(text)) == text:
            return text, True
        text = next_text
    return text, False


_MARKUP_SIGNS = dict.fromkeys(map(ord, "<>&$"))


_SHORT = 60
"""Maximum length of texts that are cached: most names, volumes and keywords, which many papers share."""


@lru_cache(maxsize=10_000)
def _settled_before(raw: str) -> str:
    return _settled(raw.strip())


def is_clean(text: str) -> bool:
    """Whether a quick check shows that `text` and each of its words are clean, which is true of most texts."""
    if not (_CLEAN.fullmatch(text) and text.isprintable() and unicodedata.is_normalized("NFC", text)):
        return False
    return "]]>" not in text and not ("&" in text and _ENTITY.search(text))


def _pass(text: str) -> str:
    text = _ESCAPE_SEQUENCES.sub("", text)
    text = visible(text)
    text = unescaped(text)
    # Odd pieces are `$math$`, where `<` is a relation and not a tag.
    for element, end in _HIDDEN:
        text = _without(element, end, text)
    pieces = MATH.split(text)
    pieces[::2] = [_without_tags(piece) for piece in pieces[::2]]
    return _SPACE.sub(" ", unicodedata.normalize("NFC", "".join(pieces))).strip()


def unescaped(text: str) -> str:
    """Return `text` with its HTML entities as characters; the `&copy=` of an address is not an entity."""
    return _ENTITY.sub(lambda entity: html.unescape("&" + entity[1]), text) if "&" in text else text


def _without(hidden: re.Pattern[str], end: re.Pattern[str], text: str) -> str:
    """Replace each `hidden` with a space. Stops at the last `end`: otherwise each beginning without an end would be
    searched to the end of the text."""
    last = max((match.end() for match in end.finditer(text)), default=0)
    return hidden.sub(" ", text[:last]) + text[last:]


def _without_tags(text: str) -> str:
    bare = _LOOSE_END.sub(" ", _without(_COMMENT, _COMMENT_END, text))
    return _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", bare))


_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    """Remove terminal control sequences, bidirectional overrides and invisible characters from `text`. Line breaks,
    tabs and the joiners of some scripts stay."""
    if not _STEERING.search(text):
        return text
    return _STEERING.sub("", _ESCAPE_SEQUENCES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
