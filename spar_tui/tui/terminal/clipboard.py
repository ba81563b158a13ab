"""Copy by a program of the system, because no terminal reports whether it supports the escape code for copying."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping

PATIENCE = 3.0
"""Seconds that a program may take; a hanging program must not block the app."""


def copy_text(text: str, environment: Mapping[str, str] | None = None) -> str | None:
    """Pass `text` to the first program that accepts it; return its name, if any. Blocks: call it in a thread."""
    environment = os.environ if environment is None else environment
    for command in _programs(environment):
        if shutil.which(command[0], path=environment.get("PATH")) and _takes(command, text, environment):
            return command[0]
    return None


def _programs(environment: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the programs that can reach a clipboard from here, each as a command without a shell."""
    if environment.get("WAYLAND_DISPLAY"):
        yield ["wl-copy"]
    if environment.get("DISPLAY"):
        yield ["xclip", "-selection", "clipboard"]
        yield ["xsel", "--clipboard", "--input"]
    yield ["pbcopy"]
    yield ["clip.exe"]
    if environment.get("TMUX"):
        yield ["tmux", "load-buffer", "-w", "-"]


def _takes(command: list[str], text: str, environment: Mapping[str, str]) -> bool:
    try:
        # Output must not be a pipe: xclip goes on in the background and would hold it open.
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            env=dict(environment),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
