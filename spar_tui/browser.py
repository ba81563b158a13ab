"""Open a paper's page in the person's browser, or its PDF in the default program."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from connectors.http.public_hosts import addresses_now, are_public
from connectors.records.web_address import web_address
from spar_tui.errors import Failure

FAILS_WITHIN = 1.0
"""Seconds within which a program that cannot open anything fails; one that runs longer is assumed to show the page."""
LATE_WITHIN = 60.0
"""Seconds after which the program's exit code says nothing about the page, because the person may have closed it."""


def open_url(address: str, failed_late: Callable[[str], object] = lambda why: None, *, offline: bool = False) -> None:
    """Open a web address with the system's default program, or with BROWSER if it is set.

    Blocks while looking up the host (not if `offline`) and then up to `FAILS_WITHIN` seconds. Raises `Failure` if the
    address is not on the public internet, if no program can open it, or if the program fails at once. If it fails later
    (within `LATE_WITHIN`), another thread calls `failed_late` with a sentence.
    """
    if web_address(address) is None:
        raise Failure(f"{address} is not a web address; spar did not open it.")
    try:
        public = are_public(addresses_now(unquote(urlsplit(address).hostname or ""), look_up=not offline))
    except (OSError, UnicodeError):
        public = True  # the browser reports the error, or may reach the host in another way
    if not public:
        raise Failure(f"{address} is on this machine or its local network; spar opens only public addresses.")
    _hand_over(address, failed_late)


def open_file(path: str, failed_late: Callable[[str], object] = lambda why: None) -> None:
    """Open a file returned by `openable_file`, with the same errors as `open_url`."""
    _hand_over(path, failed_late)


def _hand_over(address: str, failed_late: Callable[[str], object]) -> None:
    opener = _opener()
    if opener is None:
        raise Failure(f"there is no browser or other program to open {address}. Set BROWSER to one.")
    try:
        process = subprocess.Popen(
            [*opener, address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise Failure(f"{opener[0]} could not be started ({error.strerror}) to open {address}.") from None
    try:
        code = process.wait(FAILS_WITHIN)
    except subprocess.TimeoutExpired:
        # A thread waits for its end, so that it does not stay a zombie.
        waiting = threading.Thread(
            target=_wait, args=(process, opener[0], address, failed_late), name="browser", daemon=True
        )
        waiting.start()
        return
    if code:
        raise Failure(f"{opener[0]} ended with code {code} and did not open {address}.")


def _wait(process: "subprocess.Popen[bytes]", opener: str, address: str, failed_late: Callable[[str], object]) -> None:
    began = time.monotonic()
    code, seconds = process.wait(), time.monotonic() - began + FAILS_WITHIN
    if code and seconds <= LATE_WITHIN:
        failed_late(f"{opener} ended with code {code} after {seconds:.0f} s, so this may not have opened: {address}")


def _opener() -> list[str] | None:
    """Return the program that opens addresses, as a command without a shell."""
    command = os.environ.get("BROWSER", "").split(os.pathsep)[0].strip()
    if command and shutil.which(command):
        return [command]
    if sys.platform == "darwin":
        return ["open"]
    if sys.platform == "win32":
        return ["rundll32", "url.dll,FileProtocolHandler"]
    return next(([program] for program in ("xdg-open", "wslview") if shutil.which(program)), None)
