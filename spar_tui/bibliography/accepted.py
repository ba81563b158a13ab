"""Accepted findings of a check, each with the person's reason.

For `refs.bib` they are in `refs.bib.accepted.toml`, a file to read, edit and commit. Acceptance is tied to the present
entry: if a compared field changes, the finding is reported again.
"""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from connectors.records.visible import visible
from spar_tui.bibliography.comparing.differences import written_year
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.errors import Failure
from spar_tui.files import locked, read_old, replace_file

_HEAD = "# Accepted findings of spar check. Delete a block to report its finding again.\n"
_LARGEST = 1_000_000
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The reason for accepting a `finding` (a verdict) on an entry, for these differing `fields`. `entry` is the
    `entry_digest` of the accepted entry."""

    key: str
    finding: str
    fields: tuple[str, ...]
    reason: str
    entry: str


def entry_digest(entry: FoundEntry, problem: str = "") -> str:
    """Return a digest of the fields of `entry` that a check compares, and of a syntax `problem`. Notes, keywords, files
    and layout do not change it."""
    paper = entry.paper
    text = entry.text or (
        entry.type, paper.title, [author.name for author in paper.authors], paper.et_al, paper.date,
        written_year(entry), paper.venue, sorted(map(str, paper.identifiers)), entry.address, astuple(paper.imprint),
    )  # fmt: skip
    return sha256(json.dumps([text, problem], default=str).encode()).hexdigest()[:16]


def clean_reason(text: str) -> str:
    """Return `text` as one line of visible characters."""
    return " ".join(visible(text.replace("\n", " ")).split())[:_LONGEST_REASON]


def acceptance_file(file: Path) -> Path:
    """Return the path of the file with the acceptances for `file`."""
    return file.with_name(f"{file.name}.accepted.toml")


def read_accepted(file: Path) -> list[Acceptance]:
    """Return the acceptances for `file`. Raises `UserError` if they cannot be read or parsed."""
    target = acceptance_file(file)
    return _parsed(target, _read(target) or b"")


def accept(file: Path, new: Sequence[Acceptance], locks: Path) -> Path:
    """Append `new` to the acceptances for `file`, and return the path of their file. Existing bytes do not change.
    Raises `UserError`."""
    target = acceptance_file(file)
    with locked(target, locks):
        old = _read(target)
        before = _parsed(target, old or b"")
        gap = "" if old is None or old.endswith(b"\n") else "\n"
        text = (old or b"") + ((_HEAD if old is None else gap) + "".join(map(_block, new))).encode()
        if _parsed(target, text) != [*before, *new]:
            raise Failure(f"{target.name} was not changed, because the new block could not be read back.")
        replace_file(target, text, old)
    return target


def _read(target: Path) -> bytes | None:
    if target.exists() and not target.is_file():
        raise Failure(f"{target.name} is not a regular file, so it is not read.")
    return read_old(target)


def _parsed(target: Path, raw: bytes) -> list[Acceptance]:
    try:
        if len(raw) > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST:,} bytes")
        return [_acceptance(block) for block in tomllib.loads(raw.decode("utf-8-sig")).get("accepted", [])]
    except (ValueError, TypeError, RecursionError) as error:
        why = visible(str(error))[:200]
        raise Failure(f"{target.name} cannot be understood ({why}); correct or delete it.") from None


def _acceptance(block: Any) -> Acceptance:
    match block:
        case {"key": str(key), "finding": str(finding), "reason": str(reason), "entry": str(entry)}:
            fields = block.get("fields", [])
            if clean_reason(reason) and isinstance(fields, list):
                return Acceptance(key, finding, tuple(map(str, fields)), clean_reason(reason), entry)
    raise ValueError("each [[accepted]] needs a key, a finding, a reason and an entry, as texts")


def _block(acceptance: Acceptance) -> str:
    lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
             for name, value in asdict(acceptance).items() if value != ())  # fmt: skip
    return "\n[[accepted]]\n" + "".join(lines)
