"""The `spar` command: run a verb, and turn whatever goes wrong into one sentence and an exit code."""

import gc
import os
import re
import sys
from contextlib import suppress
from typing import NoReturn

COLLECTED_EVERY = 5_000
"""How many more objects there must be before rubbish is looked for: seldom by what is usual, for what a run makes it
keeps, and to look through all of it again and again took a tenth of a search and a quarter of an app's work."""

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What controls a terminal, as it may stand in the name of a file."""


def main() -> NoReturn:
    """Entry point of the console script; ends the process with the contract's exit code."""
    gc.set_threshold(COLLECTED_EVERY)
    closed = _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a stand-in, never a crash.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # text streams of the process
    try:
        code = _run(closed)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away (`| head`): not a failure, and nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _open_standard_streams() -> list[str]:
    """Give the standard streams that were closed, as daemons and `>&-` close them, to nowhere; return their names.

    A file that is opened later would else get their numbers, and what is printed would be written into the library.
    """
    closed = []
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            closed.append(name)
            while os.open(os.devnull, os.O_RDWR) < number:
                pass
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  # until the end
    return closed


def _run(closed: list[str]) -> int:
    from spar_tui.installation.packages import strangers

    if strangers() or _is_doctor():
        from spar_tui.installation.faults import faults

        if problems := faults():
            return _not_whole(problems)
    from spar_tui.errors import UserError

    try:
        result = _verb(closed) if len(sys.argv) > 1 else _app(closed)
    except UserError as error:
        return _said(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _said("interrupted.", 130)
    except BrokenPipeError:
        raise
    except OSError as error:
        what = error.filename or "the answer"
        return _said(f"{what} could not be written or read ({error.strerror}); nothing stored was harmed.", 1)
    except Exception as error:  # noqa: BLE001  # the last border: a person gets a sentence, not a traceback
        return _unexpected(error)
    return result if isinstance(result, int) else 0


def _app(closed: list[str]) -> object:
    """The app, where there is a terminal for it; then the library for verbs and flags need not be loaded."""
    from spar_tui.terminal import can_draw

    if not can_draw():
        return _verb(closed)
    gc.disable()  # while it loads: nothing of that is rubbish
    from spar_tui.tui.start import run_app

    return run_app()


def _verb(closed: list[str]) -> object:
    from typer.exceptions import TyperException

    from spar_tui.cli.app import app
    from spar_tui.terminal import TELLING

    TELLING.quiet, TELLING.verbose, TELLING.verb, TELLING.about = False, False, "", ""
    TELLING.closed = "stdout" in closed

    if len(sys.argv) > 1 and _is_question(sys.argv[1]):
        sys.argv.insert(1, "search")
    out = sys.stdout
    try:
        result = app(prog_name="spar", standalone_mode=False)
    except SystemExit:
        if sys.stdout is not out:  # typer calls it a failure that the reader went away, and puts a stand-in there
            sys.stdout = out
            raise BrokenPipeError from None
        raise
    except TyperException as error:
        message = error.format_message().replace("Value error, ", "").rstrip(".")  # a word of what checks the value
        return _said(f"{message}{'' if message.endswith('?') else '.'} See `spar --help`.", 2)
    if result == 130:  # typer takes Ctrl-C for an exit without a word
        raise KeyboardInterrupt
    return result


def _is_question(first: str) -> bool:
    """Whether the first argument can only be a question: no verb and no option is of several words."""
    return len(first.split()) > 1 and not first.startswith("-")


def _said(sentence: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"spar: {_STEERING.sub('', sentence)}\n")
    return code


def _is_doctor() -> bool:
    return sys.argv[1:2] == ["doctor"]


def _not_whole(faults: list[str]) -> int:
    """Say what is wrong with the installation, with nothing that it may be wrong with: the packages beside this one."""
    if not _is_doctor():
        for fault in faults:
            _said(fault, 1)
    elif "--json" in sys.argv:
        import json

        findings = [{"subject": "installation", "state": "problem", "sentence": fault} for fault in faults]
        sys.stdout.write(json.dumps({"findings": findings}, ensure_ascii=False) + "\n")
    else:
        for fault in faults:
            sys.stdout.write(f"problem  installation     {fault}\n")
        _said("nothing else was looked at; run `spar doctor` again when this is mended.", 1)
    return 1


def _unexpected(error: Exception) -> int:
    with suppress(ImportError):  # a package that is not whole is told below
        from agents.run.errors import RunError
        from cache.errors import CacheError

        if isinstance(error, RunError | CacheError):
            return _said(str(error), 1)
    if os.environ.get("SPAR_TRACEBACK"):
        raise error
    from spar_tui.installation.faults import faults

    if problems := faults():
        return _not_whole(problems)
    from agents.run.errors import unexpected

    text = f"an {unexpected(error)}, nothing stored was harmed. SPAR_TRACEBACK=1 shows the details to report."
    return _said(text, 1)


if __name__ == "__main__":
    from spar_tui.installation.packages import leave_out_current_folder

    leave_out_current_folder()
    main()
