"""What no test should depend on: chance, the machine's speed, its certificates, and what services told its user.

Inputs are generated, but the same few ones each time, and with patience; `pytest --hypothesis-profile thorough` tries
more of them, as `make reliability` does, and `random` looks for inputs that nobody has met yet.
"""

import atexit
import gc
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkstemp
from types import FrameType

import certifi
import pytest
from hypothesis import HealthCheck, settings

from cache.store import Store
from connectors.http.limits import RateLimit
from connectors.spec import SourceSpec
from spar_tui import __main__ as program
from tests.library import copied
from tests.services import Services
from tests.spar_tui.running import share_forking_server

settings.register_profile(
    "steady",
    max_examples=10,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)
settings.register_profile("thorough", settings.get_profile("steady"), max_examples=100)
settings.register_profile("random", settings.get_profile("steady"), max_examples=200, derandomize=False)
settings.load_profile("steady")


def in_memory() -> None:
    """Keep the files of tests in memory where the system has room for them there, and lets programs run from there:
    libraries are synced to the disk thousands of times."""
    memory = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK):
        return
    volume = os.statvfs(memory)
    if volume.f_bavail * volume.f_frsize >= 4 << 30 and not volume.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(memory)


in_memory()


def one_certificate() -> str:
    """A file with one certificate: no test speaks TLS, but each client reads them all, and there are over a hundred."""
    handle, name = mkstemp(".pem")
    atexit.register(Path(name).unlink, missing_ok=True)
    with open(handle, "w") as file:
        end = "-----END CERTIFICATE-----\n"
        file.write(certifi.contents().partition(end)[0] + end)
    return name


os.environ["SSL_CERT_FILE"] = one_certificate()
# Tests look at the app's screens when it rests, and nobody at what is drawn sixty times a second beside that.
os.environ["TEXTUAL_FPS"] = "5"


gc.disable()
# Tests are many short lives: looking for garbage as often as one program does takes a twelfth of their time.
program.COLLECTED_EVERY = 50_000
gc.set_threshold(program.COLLECTED_EVERY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files of few tests, which are slow ones: in the end no process waits long for another."""
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: tests[item.path])


def pytest_collection_finish() -> None:
    """The tests are hundreds of thousands of objects that stay: looking for garbage among them takes a third of the
    time to find them."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start one server that forks programs for all workers of pytest-xdist, before they start."""
    if session.config.getoption("numprocesses", None):
        share_forking_server()


def interrupt(number: int, frame: FrameType | None) -> None:
    """What Ctrl-C does by default; a script's background ignores it, and so would the programs that tests start there.
    For Python's own handler each `asyncio.run` puts another, and describes its whole result when it takes that away."""
    signal.default_int_handler(number, frame)


signal.signal(signal.SIGINT, interrupt)

_state = TemporaryDirectory()
atexit.register(_state.cleanup)
os.environ["SPAR_MANNERS"] = os.environ["XDG_STATE_HOME"] = _state.name


@pytest.fixture(scope="module")
def quick_pace() -> Iterator[None]:
    """Sources are asked after hundredths of the seconds that are polite: their stand-ins have no rates, or thousandths
    of them. It is so for `spar` in this process."""
    polite = SourceSpec.limit

    def quick(spec: SourceSpec, with_key: bool, with_email: bool = False) -> RateLimit:
        limit = polite(spec, with_key, with_email)
        gaps = {part: gap / 100 for part, gap in limit.gaps.items()}
        return replace(limit, gap=limit.gap / 100, gaps=gaps, window=limit.window / 100)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SourceSpec, "limit", quick)
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new library."""
    with Store.open(copied(tmp_path / "spar.db")) as opened:
        yield opened


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on a disk, for what is killed while it writes: in memory that takes no time."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    """Services that answer whatever they are asked."""
    with Services(rules=False) as running:
        yield running
