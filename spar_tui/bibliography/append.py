"""Adding entries to a file that a person keeps: every byte of it stays, and new text comes behind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from connectors.paper import Paper
from spar_tui.bibliography.citation_key import unused_key
from spar_tui.bibliography.existing_file import Target, read_bib, read_ris
from spar_tui.errors import Failure

_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Appended:
    """The file's new bytes, and what was done: papers by their number."""

    new: bytes
    added: dict[int, str] = field(default_factory=dict)
    """The key that each added paper has in this file."""
    present: dict[int, str] = field(default_factory=dict)
    """The key under which each paper stood there already."""
    unfit: dict[int, str] = field(default_factory=dict)
    """The characters for which a paper cannot be added to a file that is not in UTF-8."""


def is_utf8(old: bytes) -> bool:
    """Whether letters beyond ASCII can be added to the file."""
    try:
        old.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def read_target(old: bytes, ris: bool) -> Target:
    """What stands in the file. Raises `Failure` if nothing can be added behind it."""
    if b"\0" in old:
        raise Failure("the file is no text in UTF-8 or Latin-1. Nothing was added.")
    # What is compared are identifiers and letters without marks; a code that only differs beyond ASCII does no harm.
    text = old.decode("utf-8-sig") if is_utf8(old) else old.decode("latin-1")
    target = read_ris(text) if ris else read_bib(text)
    if target.unclosed is not None:
        raise Failure(f"the file ends inside the entry of line {target.unclosed}; close it first. Nothing was added.")
    return target


def appended(
    old: bytes, target: Target, papers: Mapping[int, Paper], keys: Mapping[int, str], write: Callable[[int, str], str]
) -> Appended:
    """`old` with the entries behind it of those `papers` that are not in it.

    `keys` are the papers' own; `write` makes the entry of a paper under a key. Where the file has given a paper's key
    to another work, the paper is written under a suffixed one.
    """
    result, used, any_letter = Appended(old), set(target.keys), is_utf8(old)
    texts: list[str] = []
    for number in sorted(papers, key=lambda number: (keys[number].casefold(), keys[number])):
        if there := target.key_of_own(papers[number], keys[number]):
            result.present[number] = there
            continue
        key = unused_key(keys[number], used) if keys[number].casefold() in used else keys[number]
        text = write(number, key)
        if not (any_letter or text.isascii()):
            result.unfit[number] = "".join(sorted({one for one in text if not one.isascii()}))[:20]
            continue
        used.add(key.casefold())
        result.added[number] = key
        texts.append(text)
    if texts:
        result.new = old + _gap(old) + "\n".join(texts).replace("\n", _newline(old)).encode()
    return result


def _newline(old: bytes) -> str:
    """The line end that the file uses most."""
    return "\r\n" if old.count(b"\r\n") * 2 > old.count(b"\n") else "\n"


def _gap(old: bytes) -> bytes:
    """The line ends that are missing for a blank line before what is added."""
    body = old.removeprefix(_BOM).rstrip()
    missing = max(0, 2 - old[len(old.rstrip()) :].count(b"\n")) if body else 0
    return _newline(old).encode() * missing
