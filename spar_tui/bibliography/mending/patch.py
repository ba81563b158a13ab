"""Make a patch between two files that patch and git apply accept: as bytes, in any encoding."""

import difflib
from collections.abc import Sequence


def patch(old: bytes, new: bytes, name: str, comments: Sequence[str]) -> bytes:
    """Return a unified diff from `old` to `new` for the file `name`, after `comments`; b"" without a difference."""
    if old == new:
        return b""
    label = name + "\t" * (" " in name)  # as diff does, so that a name with blanks is read to its end
    diff_bytes = difflib.diff_bytes(
        difflib.unified_diff, _lines(old), _lines(new), label.encode(), label.encode(), lineterm=b"\n"
    )
    body = [line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in diff_bytes]
    head = "".join(f"# {' '.join(comment.split())}\n" for comment in comments)
    return head.encode() + b"".join(body)


def _lines(data: bytes) -> list[bytes]:
    """Split into lines as patch and git do: a carriage return does not end a line."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
