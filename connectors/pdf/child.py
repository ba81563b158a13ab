"""A separate program: reads one PDF from standard input and writes the lines of its pages as JSON to standard output.

It parses untrusted files, so it runs separately (`reading.py`): with limited time and memory, without write access to
files, and without keys. It imports no spar modules, because it is started by its path.

It writes `{"pages": [[[x, y, text], …], …], "title": text}`, with x and y in points from the lower left corner if known
and the title from the file's properties; or `{"fault": name}`.
"""

import contextlib
import io
import json
import logging
import sys
from typing import Any

CPU_SECONDS = 60
MEMORY = 300 << 20
MOST_PAGES = 2_000
MOST_CHARACTERS = 8_000_000
LONGEST_TITLE = 1_000

PageLines = list[tuple[float | None, float | None, str]]


def main() -> None:
    """Read the PDF and always write a result, because the parent cannot read a traceback."""
    _confine()
    logging.disable(logging.CRITICAL)  # here, not where parsing starts, because it affects the whole process
    try:
        result: dict[str, Any] = _read(sys.stdin.buffer.read())
    except MemoryError:
        result = {"fault": "memory"}
    except Exception:  # noqa: BLE001  # a worker's border: what breaks on a stranger's file is the file's fault
        result = {"fault": "damaged"}
    sys.stdout.write(json.dumps(result))


def _confine() -> None:
    """Limit the resources of this process, as far as the system supports it."""
    try:
        import resource
    except ImportError:
        return  # Windows: the parent's clock and the reader's limits remain
    for kind, most in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def _read(data: bytes) -> dict[str, Any]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"fault": "locked"}
        if len(reader.pages) > MOST_PAGES:
            return {"fault": "pages"}
        return _lines_of_all(reader)
    except (DependencyError, FileNotDecryptedError):
        return {"fault": "locked"}


def _lines_of_all(reader: Any) -> dict[str, Any]:
    pages: list[PageLines] = []
    characters_left, broken = MOST_CHARACTERS, 0
    for page in reader.pages:
        try:
            lines = _lines(page)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  # one broken page must not cost the others; what breaks is not foreseeable
            lines, broken = [], broken + 1
        characters_left -= sum(len(text) for _, _, text in lines)
        if characters_left < 0:
            return {"fault": "text"}  # a part must not pass for the whole
        pages.append(lines)
    if broken == len(pages) > 0:
        return {"fault": "damaged"}
    return {"pages": pages, "title": _title(reader)}


def _title(reader: Any) -> str:
    try:
        return str(reader.metadata.title or "")[:LONGEST_TITLE] if reader.metadata else ""
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001  # properties are as a stranger wrote them; the pages count without them
        return ""


def _lines(page: Any) -> PageLines:
    lines: PageLines = []
    text, position = "", (None, None)

    def visit(piece: str, matrix: list[float], text_matrix: list[float], *_: object) -> None:
        nonlocal text, position
        for number, part in enumerate(piece.split("\n")):
            if number:
                lines.append((*position, text))
                text, position = "", (None, None)
            if part.strip() and position == (None, None):
                position = _on_page(matrix, text_matrix)
            text += part

    page.extract_text(visitor_text=visit)
    lines.append((*position, text))
    return [line for line in lines if line[2].strip()]


def _on_page(matrix: list[float], text_matrix: list[float]) -> Any:
    x, y = text_matrix[4], text_matrix[5]
    return (
        round(float(x * matrix[0] + y * matrix[2] + matrix[4]), 1),
        round(float(x * matrix[1] + y * matrix[3] + matrix[5]), 1),
    )


if __name__ == "__main__":
    main()
