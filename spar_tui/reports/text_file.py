"""Writing a text into a file that the person names."""

import re
from pathlib import Path

from cache.paths import expanded
from spar_tui.bibliography.files import locked, replace_file
from spar_tui.errors import UsageError

_LONGEST = 60
_NO_NAME = re.compile(r"[^\w]+")


def suggested_name(topic: str) -> str:
    """A file name made of the topic's words."""
    words = _NO_NAME.sub("-", topic.casefold())[:_LONGEST].strip("-_")
    return f"{words or 'summary'}.md"


def named_file(name: str) -> Path:
    """The file that a person means by `name`, in their home or the folder in which the app was started.

    Raises `UsageError`.
    """
    try:
        file = expanded(name).absolute()
        if not file.parent.is_dir():
            raise UsageError(f"{file.parent} is not a folder, so {file.name} cannot be written there.")
    except RuntimeError:
        raise UsageError(f"Unknown home folder: {name}") from None
    except (OSError, ValueError):
        raise UsageError(f"No file can be called {name!r}.") from None
    return file


def write_text(text: str, file: Path, old: bytes | None, locks: Path) -> None:
    """Put `text` in the place of `old`. Raises `UserError`."""
    with locked(file, locks):
        replace_file(file, text.encode("utf-8", "replace"), old)
