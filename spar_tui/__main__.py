"""The `spar` command: run a verb, and turn every error into one sentence and an exit code."""

import codecs
import gc
import os
import re
import sys
from contextlib import suppress
from typing import NoReturn

from spar_tui.standard_error import tell

COLLECTED_EVERY = 5_000
"""Number of additional objects before garbage collection, higher than the default: runs keep most objects, and
repeated scans took a tenth of a search and a quarter of an app's work."""

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Terminal control characters, as file names may contain them."""


def main() -> NoReturn:
    """Entry point of the console script; ends the process with the contract's exit code."""
    gc.set_threshold(COLLECTED_EVERY)
    closed = _open_standard_streams()
    codecs.register_error("stand-in", _stand_in)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a stand-in, a file its number, never a crash.
        stream.reconfigure(errors="stand-in" if stream.isatty() else "backslashreplace")  # type: ignore[union-attr]  # text streams of the process
    try:
        try:
            code = _run(closed)
        except KeyboardInterrupt:  # at any moment, also while modules are imported
            code = _report("interrupted.", 130)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has left (`| head`): not a failure, and nothing to report.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    from spar_tui.stand_ins import stand_in  # few terminals need it

    return stand_in(error)


def _open_standard_streams() -> list[str]:
    """Connect standard streams that were closed, as by daemons and `>&-`, to the null device; return their names.

    Otherwise files opened later would get their numbers, and printed text would go into the library.
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
    from connectors.records.visible import visible
    from spar_tui.errors import UserError

    try:
        result = _verb(closed) if len(sys.argv) > 1 else _app(closed)
    except UserError as error:
        return _report("\n".join(map(visible, [str(error), *error.below])), error.exit_code)
    except BrokenPipeError:
        raise
    except OSError as error:
        subject = error.filename or "the answer"
        sentence = f"{subject} could not be written or read ({error.strerror}). Your stored data is safe."
        return _report(visible(sentence), 1)
    except Exception as error:  # noqa: BLE001  # the last border: a person gets a sentence, not a traceback
        return _unexpected(error)
    return result if isinstance(result, int) else 0


def _app(closed: list[str]) -> object:
    """Run the app if there is a terminal for it, without loading the library for verbs and flags."""
    from spar_tui.terminal import can_draw

    if not can_draw():
        return _verb(closed)
    gc.disable()  # while it loads, because nothing of it is garbage
    from spar_tui.tui.start import run_app

    return run_app()


def _verb(closed: list[str]) -> object:
    from typer.exceptions import TyperException

    from connectors.records.visible import visible
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
        if sys.stdout is not out:  # typer treats a reader that left as a failure, and replaces the stream
            sys.stdout = out
            raise BrokenPipeError from None
        raise
    except TyperException as error:
        message = error.format_message().replace("Value error, ", "").rstrip(".")  # a prefix of the validator
        path = context.command_path if (context := getattr(error, "ctx", None)) else "spar"
        return _report(visible(f"{message}{'' if message.endswith('?') else '.'} See `{path} --help`."), 2)
    if result == 130:  # typer treats Ctrl-C as a silent exit
        raise KeyboardInterrupt
    return result


def _is_question(first: str) -> bool:
    """Whether the first argument can only be a question: no verb or option has several words."""
    return len(first.split()) > 1 and not first.startswith("-")


def _report(sentence: str, code: int) -> int:
    sys.stdout.flush()
    tell(f"spar: {_STEERING.sub('', sentence)}\n")
    return code


def _is_doctor() -> bool:
    return sys.argv[1:2] == ["doctor"]


def _not_whole(faults: list[str]) -> int:
    """Report the faults of the installation without importing the packages that may be faulty."""
    if not _is_doctor():
        for fault in faults:
            _report(fault, 1)
    elif "--json" in sys.argv:
        import json

        findings = [{"subject": "installation", "state": "problem", "sentence": fault} for fault in faults]
        sys.stdout.write(json.dumps({"findings": findings}, ensure_ascii=False) + "\n")
    else:
        for fault in faults:
            sys.stdout.write(f"problem  installation     {fault}\n")
        _report("nothing else was checked; fix this, then run `spar doctor` again.", 1)
    return 1


def _unexpected(error: Exception) -> int:
    with suppress(ImportError):  # an incomplete package is reported below
        from agents.run.errors import RunError
        from cache.errors import CacheError

        if isinstance(error, RunError | CacheError):
            return _report(str(error), 1)
    if isinstance(error, UnicodeEncodeError):
        letters = error.object[error.start : error.end]
        if argument := next((argument for argument in sys.argv[1:] if letters in argument), ""):
            return _report(f"the argument {argument} is not UTF-8 text; type it in UTF-8.", 2)
    if os.environ.get("SPAR_TRACEBACK"):
        raise error
    from spar_tui.installation.faults import faults

    if problems := faults():
        return _not_whole(problems)
    from agents.run.errors import unexpected

    text = f"an {unexpected(error)}; your stored data is safe. SPAR_TRACEBACK=1 shows the details to report."
    return _report(text, 1)


if __name__ == "__main__":
    from spar_tui.installation.packages import leave_out_current_folder

    leave_out_current_folder()
    main()
