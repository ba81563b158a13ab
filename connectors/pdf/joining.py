"""Lines joined to running text: words that were divided at a line's end are whole again, and so are addresses."""

import re
from collections.abc import Iterable, Sequence

ENTRY_CAP = 2_000
"""No reference is longer; what is beyond is left out, so that no text made to waste time does."""
_TOKEN_CAP = 200
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HEAD_CAP = 40
_DIVIDED = re.compile(rf"([^\W\d_]{{1,{_HEAD_CAP}}})-$")
_ADDRESS = re.compile(r"https?:|www\.|\bdoi\b|10\.\d{4,9}/|arxiv", re.IGNORECASE)
_OPEN_END = re.compile(r"(?:[/_.=&?%#:]|//|10\.\d{4,9}/\S*-)$")
_CONTINUED = re.compile(r"[\w/.\-_]*[\d/_][\w/.\-_():;%=&?#]*\.?$")
_COMPOUND_HEADS = frozenset(
    "all anti auto bi co cross data deep down end few fine first full graph half hand hard high human in inter intra"
    " knowledge language large long low machine many meta mid mini model multi near non off on one open out over pair"
    " part point post pre pseudo query real recommender resource retrieval right second self semi short single small"
    " soft state sub super task text time token tool top two ultra under user vision well word zero".split()
)


def vocabulary(lines: Iterable[str]) -> frozenset[str]:
    """The words that stand undivided somewhere in `lines`, in lower case, compounds with their hyphen."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(_undivided(line)))


def _undivided(line: str) -> str:
    """`line` without the divided word at its end."""
    bare = line.rstrip()
    return bare.rpartition(" ")[0] if bare.endswith("-") else bare


def joined(lines: Sequence[str], words: frozenset[str] = frozenset(), cap: int = ENTRY_CAP) -> str:
    """One line of text, at most `cap` characters. `words` are those seen undivided: they tell `learn-ing` from
    `self-supervised`."""
    settled, room, text = list[str](), cap, ""
    for line in lines:
        if len(text) > room:
            break
        part = " ".join(line.split())
        text = continued(text, part, words) if text and part else text or part
        if len(text) > 2 * _TOKEN_CAP:  # only the last words can still change; all of it is not copied for each line
            settled.append(text[:-_TOKEN_CAP])
            room -= len(settled[-1])
            text = text[-_TOKEN_CAP:]
    return "".join([*settled, text])[:cap]


def continued(text: str, part: str, words: frozenset[str]) -> str:
    """`text`, which ends a line, with `part`, which begins the next one; neither is empty."""
    last, following = text[-_TOKEN_CAP:].rpartition(" ")[2], part[:_TOKEN_CAP].partition(" ")[0]
    if _ADDRESS.search(last) and _goes_on(last, following):
        return text + part
    divided = _DIVIDED.search(last[-_HEAD_CAP - 1 :]) if last[-1:] == "-" else None
    if divided and part[0].islower():
        return (text if _is_compound(divided[1], part, words) else text[:-1]) + part
    if text[-1] in "-–" and text[-2:-1].isalnum() and part[0].isalnum():
        return text + part
    return f"{text} {part}"


def _goes_on(last: str, following: str) -> bool:
    """Whether an address at the end of a line goes on in the next one."""
    if following.lower().startswith(("http", "doi", "www.")):
        return False
    if _OPEN_END.search(last):
        # A full stop may end the sentence as well: then a name or a remark follows, without digits or slashes.
        return not last.endswith(".") or ((following[:1].islower() or following[:1].isdigit()) and len(following) > 3)
    return _CONTINUED.match(following) is not None and not re.match(r"[(\[]|(?:19|20)\d\d\b", following)


def _is_compound(head: str, part: str, words: frozenset[str]) -> bool:
    found = _WORD.match(part)
    tail = found[0] if found else ""
    if f"{head}-{tail}".lower() in words:
        return True
    if f"{head}{tail}".lower() in words:
        return False
    return head.lower() == "self" or (head.lower() in _COMPOUND_HEADS and len(tail) > 3 and tail.lower() in words)
