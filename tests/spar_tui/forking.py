"""`spar` in a process forked from one that has imported it: a start takes a tenth of its processor time.

`python -m tests.spar_tui.forking NUMBER` is the server, which listens at an open socket until its standard input ends.
`python forking.py ADDRESS ARGUMENT …` is a program like `python ARGUMENT …`, with `-m spar_tui` or `-c CODE`: it hands
its streams, environment and folder to the server, passes signals on, and ends as what was forked there ends. Tests of
starting itself (first imports, closed streams, PYTHON variables) use `python -m spar_tui`, and so do those that look
at files right after SIGKILL: here the program ends a moment after the client, before its streams close.
"""

import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGWINCH, signal.SIGCONT)


def ask(address: str, arguments: list[str]) -> None:
    """Have the server do what Python does with `arguments`, and end as that did."""
    umask = os.umask(0)
    os.umask(umask)
    request = json.dumps([arguments, dict(os.environ), os.getcwd(), umask]).encode("utf-8", "surrogatepass")
    line = socket.socket(socket.AF_UNIX)
    line.connect(address)
    socket.send_fds(line, [len(request).to_bytes(4, "big")], [0, 1, 2])
    line.sendall(request)
    for number in PASSED_ON:
        signal.signal(number, lambda number, frame: line.send(bytes([number])))
    answer = line.recv(4)
    if not answer:
        sys.exit("the server that forks spar has ended")
    status = int.from_bytes(answer, "big")
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def serve(listening: socket.socket) -> None:
    """Fork for every program that asks; returns in the forked process, when it is ready to be `spar`."""
    assert len(os.listdir("/proc/self/task")) == 1  # of several threads a forked process has one, and all their locks
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever watches over a forked process ends by itself
    while True:
        ready, _, _ = select.select([listening.fileno(), 0], [], [])
        if listening.fileno() not in ready:
            os._exit(0)
        line, _ = listening.accept()
        if not os.fork():
            listening.close()
            if _watch(line):
                return
        line.close()


def _watch(line: socket.socket) -> bool:
    """Fork the program that the client at `line` asks for, and tell it how that ended; True in the forked process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, streams, _, _ = socket.recv_fds(line, 4, 3)
    size, request = int.from_bytes(head, "big"), b""
    while len(request) < size:
        request += line.recv(size - len(request))
    forked = os.fork()
    if not forked:
        line.close()
        arguments, environment, folder, umask = json.loads(request.decode("utf-8", "surrogatepass"))
        _become(arguments, environment, folder, umask, streams)
        return True
    for stream in streams:
        os.close(stream)
    end = os.pidfd_open(forked)
    while True:
        ready, _, _ = select.select([line.fileno(), end], [], [])
        if end in ready:
            _, status = os.waitpid(forked, 0)
            with suppress(OSError):
                line.sendall(status.to_bytes(4, "big"))
            os._exit(0)
        for number in line.recv(16) or [signal.SIGKILL]:
            os.kill(forked, number)


def _become(arguments: list[str], environment: dict[str, str], folder: str, umask: int, streams: list[int]) -> None:
    """Make this process what the client is: its streams, variables and folder."""
    import time

    import spar_tui.__main__

    os.setsid()
    for number, given in enumerate(streams):
        os.dup2(given, number)
        os.close(given)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.umask(umask)
    time.tzset()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        stream = open(  # noqa: SIM115  # until the end
            number,
            "w" if number else "r",
            encoding=old.encoding,
            errors=old.errors,
            buffering=1 if number == 2 or os.isatty(number) else -1,
            closefd=False,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    program = spar_tui.__main__.__file__ if arguments[0] == "-m" else "-c"
    sys.argv = [program, *arguments[2:]]
    sys.modules["__main__"] = spar_tui.__main__
    if arguments[0] == "-c":
        exec(arguments[1], {"__name__": "__main__"})
        sys.exit()


def load() -> None:
    """Import all that verbs, and servers for other programs, import sooner or later."""
    import importlib
    import pkgutil

    import spar_tui  # noqa: F401  # first, for it keeps numpy from starting threads

    for package in ("connectors", "cache", "agents", "spar_tui"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module.name)


def search() -> None:
    """Search once, so that forked programs find what a search prepares: tables, patterns, the starter shelf."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from tests.spar_tui.in_process import spar

    with TemporaryDirectory() as home:
        assert spar(Path(home), "search", "attention in transformers", "--offline").returncode == 0


def end(code: int) -> None:
    """End as Python does, but for taking all modules apart: a forked process would first copy their memory."""
    import atexit
    import threading

    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    if not __package__:
        ask(sys.argv[1], sys.argv[2:])
    load()
    search()
    import gc

    from spar_tui.__main__ import main

    gc.collect()
    gc.freeze()
    try:
        serve(socket.socket(fileno=int(sys.argv[1])))
        main()
    except SystemExit as ending:
        if not isinstance(ending.code, str):
            end(ending.code or 0)
        raise
