"""Where a model thinks aloud in its reply, and what it says besides: the answer is what stands outside of all thoughts.

Models and servers mark thoughts in ways of their own, which have a form in common: a tag with one of a few names opens
them, and its counterpart ends them. The channels of harmony are such tags too: `analysis` opens, `final` ends.
"""

import json
import re

_NAME = r"(?:\w+:)?(?:begin_of_|start_)?(?:think(?:ing)?|thoughts?|reasoning)"
_END = r"(?:/|end_(?:of_)?)"
_CHANNEL = r"(?:<\|start\|>assistant\s{0,5})?<\|channel\|>\s{0,5}"
_MESSAGE = r"[^<>]{0,40}(?:<\|constrain\|>[^<>]{0,20})?<\|message\|>"
_TAG = re.compile(
    rf"<\|?(?:(?P<end>{_END}){_NAME}|{_NAME})\|?>"
    r"|(?-i:(?P<bracketed_end>\[/THINK\])|\[THINK\])"
    r"|(?P<arrowed_end>◁/think(?:ing)?▷)|◁think(?:ing)?▷"
    rf"|{_CHANNEL}(?:(?P<final>final\b{_MESSAGE})|\w+{_MESSAGE})",
    re.IGNORECASE,
)
_CLOSING_TOKENS = ("<|return|>", "<|end|>", "<|im_end|>", "<|eot_id|>")
LONGEST_TAG = 130
"""Characters of the longest tag."""
_UNFINISHED = re.compile(rf"<(?![\s\d])[^{{}}\n]{{0,{LONGEST_TAG}}}\Z|[\[◁][/\w]{{0,12}}\Z")
_MOST_BRACES = 200
_DECODER = json.JSONDecoder()


def opening(text: str) -> re.Match[str] | None:
    """The tag with which `text` begins, after blanks, if it opens a thought or ends one that nothing opened."""
    return _TAG.match(text, len(text) - len(text.lstrip()))


def ending(text: str, start: int = 0) -> re.Match[str] | None:
    """The first tag that ends a thought in `text` from `start` on."""
    return next((tag for tag in _TAG.finditer(text, start) if ends(tag)), None)


def ends(tag: re.Match[str]) -> bool:
    return any(tag.groups())


def next_tag(text: str) -> re.Match[str] | None:
    """The first tag in `text`."""
    return _TAG.search(text)


def unfinished_tag(text: str) -> int:
    """The place in `text` from which it may be the beginning of a tag; its length if there is none."""
    found = _UNFINISHED.search(text, max(len(text) - LONGEST_TAG, 0))
    return found.start() if found else len(text)


def without_thoughts(text: str) -> str:
    """Return what `text` says outside of all thoughts; "" if that is nothing.

    Before an end that nothing opened all is thought, and behind a beginning that nothing ends; a server may swallow
    either. A tag within a JSON object is a part of its strings.
    """
    said, at = list[str](), 0
    while tag := _TAG.search(text, at):
        if (end := _end_of_object(text, at, tag.start())) is not None:
            said.append(text[at:end])
            at = end
        elif ends(tag):
            if text[tag.end() :].strip():
                said = []
            else:
                said.append(text[at : tag.start()])
            at = tag.end()
        else:
            said.append(text[at : tag.start()])
            closing = ending(text, tag.end())
            at = closing.end() if closing else len(text)
    said.append(text[at:])
    whole = "".join(said)
    while token := next(filter(whole.rstrip().endswith, _CLOSING_TOKENS), ""):
        whole = whole.rstrip().removesuffix(token)
    return whole


def _end_of_object(text: str, start: int, place: int) -> int | None:
    """Return the end of the JSON object that begins between `start` and `place` and goes on behind `place`."""
    brace = text.find("{", start, place)
    for _ in range(_MOST_BRACES):
        if brace < 0:
            return None
        try:
            _, end = _DECODER.raw_decode(text, brace)
        except (ValueError, RecursionError):
            end = brace + 1
        if end > place:
            return end
        brace = text.find("{", end, place)
    return None
