"""Write a text to a file that the person names."""

import re
from pathlib import Path

from cache.paths import expanded
from spar_tui.bibliography.entry import Format
from spar_tui.errors import UsageError
from spar_tui.files import replace_old

_LONGEST = 60
_NO_NAME = re.compile(r"[^\w]+")


def suggested_name(topic: str) -> str:
    """Return a file name made from the topic's first words, whole if they are not too long."""
    words = _NO_NAME.sub("-", topic.casefold()).strip("-_")
    if len(words) > _LONGEST:
        words = words[: _LONGEST + 1].rpartition("-")[0] or words[:_LONGEST]
    return f"{words or 'summary'}.md"


def named_file(name: str) -> Path:
    """Return the file `name`, relative to the home or the current folder. Raises `UsageError`."""
    try:
        file = expanded(name).absolute()
        if not file.parent.is_dir():
            raise UsageError(f"{file.parent} is not a folder, so {file.name} cannot be written there.")
    except RuntimeError:
        raise UsageError(f"Unknown home folder: {name}") from None
    except (OSError, ValueError):
        raise UsageError(f"No file can be called {name!r}.") from None
    return file


def check_document_file(format: Format, file: Path) -> None:
    """Raise `UserError` if `file` promises another format than `format`; Markdown may become a Word document."""
    from spar_tui.bibliography.options import check_ending  # few runs write a file
    from spar_tui.bibliography.pandoc import need_pandoc

    if format == "markdown" and _is_word(file):
        need_pandoc()
    else:
        check_ending(format, file.name)


def document_content(text: str, format: Format, file: Path) -> bytes:
    """Return the bytes of `file` for a text in `format`: Markdown, or a Word document made of it by pandoc, by the
    file's ending. Raises `UserError`."""
    from spar_tui.bibliography.pandoc import docx

    check_document_file(format, file)
    return docx(text) if format == "markdown" and _is_word(file) else text.encode("utf-8", "replace")


def write_document(text: str, format: Format, file: Path, old: bytes | None, locks: Path) -> None:
    """Put a text in `format` in the place of `old`, as the ending of `file` says. Raises `UserError`."""
    replace_old(file, document_content(text, format, file), old, locks)


def _is_word(file: Path) -> bool:
    return file.suffix.lower() == ".docx"


def write_text(text: str, file: Path, old: bytes | None, locks: Path) -> None:
    """Replace the contents `old` of `file` by `text`. Raises `UserError`."""
    replace_old(file, text.encode("utf-8", "replace"), old, locks)
