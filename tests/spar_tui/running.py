"""The real program in a process of its own, with a home of its own."""

import atexit
import json
import os
import pty
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from connectors.registry import LOCATORS, SOURCES
from tests.library import copied

NOWHERE = "http://127.0.0.1:9"
"""An address at which nobody listens."""
PATIENCE = 60.0
"""Seconds after which a test gives up waiting for what a quick machine does at once."""
ROOT = Path(__file__).parents[2]
UNREACHABLE = {spec.url_variable: NOWHERE for spec in (*SOURCES.values(), *LOCATORS.values())}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "spar_tui", *arguments]


def forked(*arguments: str) -> list[str]:
    """A command that does what `command` does and starts ten times as quickly, on Linux."""
    return forked_python("-m", "spar_tui", *arguments)


def forked_python(*arguments: str) -> list[str]:
    """A command that runs a module or code in a process that has loaded all of spar."""
    if sys.platform != "linux":
        return [sys.executable, *arguments]
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("forking.py")), forking_server(), *arguments]


SHARED_SERVER = "SPAR_TESTS_FORKING_SERVER"
"""Variable with the address of the server that all workers of pytest-xdist use."""


def share_forking_server() -> None:
    """Start the server for the workers that this process will start; they begin before it is ready."""
    if sys.platform == "linux":
        os.environ[SHARED_SERVER] = forking_server()


@cache
def forking_server() -> str:
    """Address of a server that forks `spar` until this process has ended; clients wait until it is ready."""
    if SHARED_SERVER in os.environ:
        return os.environ[SHARED_SERVER]
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    address = f"{folder.name}/spar"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(64)
        number = listening.fileno()
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.spar_tui.forking", str(number)], cwd=ROOT, pass_fds=[number],
            env=environment(Path(folder.name)), stdin=subprocess.PIPE,
        )  # fmt: skip
    atexit.register(server.communicate)
    return address


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """A clean environment: nothing of the tester's own keys, settings or terminal. Numpy reads how many threads it may
    take when it is first imported, which may be while a test has this environment."""
    names = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE", "OPENBLAS_NUM_THREADS")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    own = {"HOME": str(home), "SPAR_HOME": str(home / "spar"), "SPAR_MANNERS": str(home / "manners")}
    return {**kept, **own, **UNREACHABLE, **(more or {})}


def spar(
    home: Path, *arguments: str, more: Mapping[str, str] | None = None, stdin: str | None = None, new: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run `spar` with `arguments`; sources are out of reach unless `more` says where they are. Unless it is `new`,
    there is an empty library: to make one takes a third of the time of a start."""
    if not new:
        copied(home / "spar" / "spar.db")
    start = command if any(name.startswith("PYTHON") for name in more or ()) else forked
    return subprocess.run(
        start(*arguments),
        env=environment(home, more),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        cwd=ROOT,
    )


def spar_in_terminal(home: Path, editor: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `spar` with a terminal of its own and EDITOR set."""
    child, terminal = pty.openpty()
    with subprocess.Popen(
        forked(*arguments), env=environment(home, {"EDITOR": editor, "TERM": "dumb"}), stdin=terminal, stdout=terminal,
        stderr=subprocess.PIPE, text=True, cwd=ROOT,
    ) as process:  # fmt: skip
        os.close(terminal)
        said = b""
        with suppress(OSError):  # a terminal that nobody holds any more cannot be read
            while part := os.read(child, 4096):
                said += part
        os.close(child)
        _, told = process.communicate(timeout=2 * PATIENCE)
    return subprocess.CompletedProcess(arguments, process.returncode, said.decode().replace("\r\n", "\n"), told)


def spar_answered(home: Path, reply: str, *arguments: str) -> tuple[str, str]:
    """Run `spar` on a terminal of its own until it asks for a yes, and type `reply`: what it asked, and printed."""
    person, terminal = pty.openpty()
    with subprocess.Popen(
        forked(*arguments), stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, env=environment(home),
        cwd=ROOT,
    ) as process:  # fmt: skip
        os.close(terminal)
        asked = b""
        while b"Type yes" not in asked:
            asked += os.read(person, 1_000)
        os.write(person, reply.encode())
        printed, _ = process.communicate(timeout=PATIENCE)
        os.close(person)
    assert process.returncode == 0
    return " ".join(asked.decode().split()), printed.decode()


def wait_until(what: Callable[[], bool]) -> None:
    """Wait until `what` is so; it must not be a matter of luck whether it ever is."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "never came about"
        time.sleep(0.02)


def answer(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Any:
    """The object that `spar … --json` prints."""
    ran = spar(home, *arguments, "--json", more=more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
