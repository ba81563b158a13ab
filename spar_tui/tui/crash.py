"""Write a crash report without personal data, and say in one sentence where it is.

A report names the program, the kind of error and the lines that the error passed. It has no error message, variable,
setting or key: a message may quote typed text, and an address may contain a key.
"""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from traceback import walk_tb

from agents.run.kinds import kind_named
from spar_tui import __version__


def root_of(error: BaseException) -> BaseException:
    """Return the original error, without the wrapper of a worker."""
    from textual.worker import WorkerFailed

    return error.error if isinstance(error, WorkerFailed) else error


def report(error: BaseException, at: datetime) -> str:
    """Return the text of the report about `error`."""
    size = shutil.get_terminal_size()
    lines = [
        f"spar {__version__}, {at:%Y-%m-%d %H:%M:%S}",
        f"Python {platform.python_version()}, {platform.system()}, Textual {_version('textual')}",
        f"terminal {size.columns}x{size.lines}, TERM {_word(os.environ.get('TERM', ''))}",
        "",
        *_error_lines(root_of(error)),
    ]
    return "\n".join(lines) + "\n"


def _error_lines(error: BaseException) -> Iterator[str]:
    """Yield the type of each error and the lines that it passed, the first cause first."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _error_lines(before)
        yield "then"
    yield type(error).__qualname__
    for frame, line in walk_tb(error.__traceback__):
        yield f"  {_short(frame.f_code.co_filename)}:{line}:{frame.f_code.co_name}"


def _short(file: str) -> str:
    """Return the file's path relative to its import folder, without the person's own folders."""
    path = Path(file)
    for folder in sorted(filter(None, sys.path), key=len, reverse=True):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)


def _word(text: str) -> str:
    return "".join(letter for letter in text if letter.isascii() and (letter.isalnum() or letter in "-._+"))[:40]


def write_report(folder: Path, error: BaseException, at: datetime) -> Path | None:
    """Write the report into `folder`, else into the temporary folder. Return its path, or None if both fail."""
    text, name = report(error, at), f"crash-{at:%Y%m%d-%H%M%S}.txt"
    for path in (folder, Path(tempfile.gettempdir())):
        try:
            handle, fresh = tempfile.mkstemp(prefix=".crash-", dir=path)  # readable only by the person
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(fresh, path / name)
        except OSError:
            continue
        return path / name
    return None


def sentence(error: BaseException, written: Path | None, unfinished: Mapping[str, str]) -> str:
    """Return the message about a crash: how to resume `unfinished` runs (id to kind), and where the report is."""
    text = f"the app failed ({type(root_of(error)).__qualname__}); this is a bug in spar. Everything found is kept"
    first, *rest = unfinished or [""]
    text += f"; resume with: spar {kind_named(unfinished[first]).verb} --resume {first}." if first else "."
    others = f" Also unfinished: {', '.join(rest)}." if rest else ""
    where = f" A report, without your data, is in {written}" if written else " No report could be written"
    return f"{text}{others}{where}"
