"""Line 13: poor environments, broken settings, odd arguments, no network: a sentence and an exit
code, never a traceback."""

import ctypes
import json
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.reliability.line import Figure, Line, Trial, harm
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import PATIENCE, command, environment

SEARCH = ("search", "attention", "--offline", "--limit", "3")
LIVE = ("search", "attention", "--limit", "3")
DONE, REFUSED = (0,), (1, 2)


@dataclass(frozen=True, slots=True)
class Day:
    """What is wrong on it, the verb, and the exit codes that are right then."""

    more: Mapping[str, str] = field(default_factory=dict)
    verb: tuple[str, ...] = SEARCH
    codes: tuple[int, ...] = DONE
    before: Callable[[Path], object] = lambda home: None
    limit: tuple[int, int] | None = None


def _config(text: str) -> Callable[[Path], object]:
    def write(home: Path) -> None:
        (home / "spar").mkdir(parents=True)
        (home / "spar" / "config.toml").write_text(text)

    return write


DAYS: dict[str, Day] = {
    "LC_ALL=C without UTF-8": Day({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "PYTHONIOENCODING=ascii": Day({"PYTHONIOENCODING": "ascii"}),
    "TERM=dumb": Day({"TERM": "dumb"}),
    "TERM not set": Day({"TERM": ""}),
    "no HOME": Day({"HOME": "", "SPAR_HOME": "{home}/spar"}),
    "a HOME that does not exist": Day({"HOME": "{home}/nowhere/at/all", "SPAR_HOME": ""}),
    "a SPAR_HOME below a file": Day({"SPAR_HOME": "/dev/null/spar"}, codes=REFUSED),
    "relative XDG folders": Day({"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data"}),
    "no browser": Day({"PATH": "/nonexistent"}, ("open", "1706.03762", "--offline"), codes=(1,)),
    "HTTP_PROXY=garbage": Day({"HTTP_PROXY": "gar bage", "HTTPS_PROXY": "::"}, LIVE),
    "ALL_PROXY=socks": Day({"ALL_PROXY": "socks5://127.0.0.1:9"}, LIVE),
    "missing certificates": Day({"SSL_CERT_FILE": "/nonexistent.pem"}, LIVE),
    "no network": Day({}, LIVE),
    "no network with --strict": Day({}, ("search", "attention", "--strict"), codes=(4,)),
    "32 open files": Day(limit=(resource.RLIMIT_NOFILE, 32)),
    "settings that are not TOML": Day(before=_config("limit = [1,\n2")),
    "unknown settings": Day(before=_config("limits = 3\n[colors]\nred = 1\n")),
    "settings of the wrong type": Day(before=_config('limit = "many"\nsources = 7\n')),
    "a folder as settings": Day(before=lambda home: (home / "spar" / "config.toml").mkdir(parents=True)),
    "a folder as library": Day(
        before=lambda home: (home / "spar" / "spar.db").mkdir(parents=True), verb=("shelf",), codes=REFUSED
    ),
    "a key with invalid letters": Day({"S2_API_KEY": "schlüssel\n", "OPENALEX_API_KEY": "ключ"}, (
        "search", "attention", "--limit", "3",
    )),
    "a model with an invalid address": Day({"OPENAI_BASE_URL": "nowhere", "SPAR_MODEL": "m"}, LIVE),
    "a model that does not answer": Day(
        {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "SPAR_MODEL": "m"}, LIVE
    ),
    "an empty question": Day(verb=("search", ""), codes=(2,)),
    "a negative limit": Day(verb=("search", "--limit", "-5", "x"), codes=(2,)),
    "a year with a letter": Day(verb=("search", "--since", "20O4", "x"), codes=(2,)),
    "an export into a device": Day(verb=("export", "--shelf", "-o", "/dev/null/x.bib"), codes=(1, 2, 3)),
    "an export onto a folder": Day(verb=("export", "--shelf", "--format", "bibtex", "-o", "."), codes=(1, 2, 3)),
    "an unknown paper": Day(verb=("open", "99999999", "--offline"), codes=REFUSED),
    "bytes that are not text": Day(verb=("search", os.fsdecode(b"\xff\xfe sleep"), "--offline"), codes=(0, 2, 3)),
    "an option as the question": Day(verb=("search", "--", "--help me"), codes=(0, 3)),
}  # fmt: skip
FEW = ("no network", "settings that are not TOML", "a year with a letter")


def measure(trial: Trial) -> Line:
    days = list(DAYS) if trial.full else list(FEW)
    ran = {name: on(DAYS[name], trial.folder / f"day-{number}") for number, name in enumerate(days)}
    tracebacks = [name for name, one in ran.items() if "Traceback" in one.stderr or "unexpected" in one.stderr]
    codes = [name for name, one in ran.items() if one.returncode not in DAYS[name].codes]
    unsaid = [name for name, one in ran.items() if one.returncode in (1, 2) and not said(one.stderr)]
    ro = read_only(trial.folder / "read-only")
    offline = without_a_network(trial.folder / "offline")
    naive = sum("Traceback" in on_naive(DAYS[name]).stderr for name in days)
    return Line(
        13, "broken environments and input",
        f"{len(days)} broken environments or inputs ({', '.join(days)}); a home that cannot be written; "
        f"{len(OFFLINE)} reading verbs without a network",
        (
            Figure("tracebacks", len(tracebacks)), Figure("wrong exit codes", len(codes)),
            Figure("errors without a reason", len(unsaid)),
            Figure("silent failures in a home that cannot be written", ro),
            Figure("reading verbs that fail without a network", offline),
        ),
        (harm("cases in which a plain program that prints a title ends with a traceback", naive),)
        if trial.full else (),
        unseen="Python without parts of SQLite, and versions of SQLite older than those that come with Python",
        tests=(
            "tests/spar_tui/cli/test_bad_input.py", "tests/spar_tui/cli/test_offline.py",
            "tests/spar_tui/test_config_file.py", "tests/spar_tui/test_settings.py",
        ),
    )  # fmt: skip


def on(day: Day, home: Path, program: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    """What happens on such a day."""
    home.mkdir(exist_ok=True)
    day.before(home)
    more = {name: value.replace("{home}", str(home)) for name, value in day.more.items()}
    told = {name: value for name, value in environment(home, more).items() if value or name not in day.more}

    def limited() -> None:
        if day.limit:
            resource.setrlimit(day.limit[0], (day.limit[1], day.limit[1]))

    return subprocess.run(
        program or command(*day.verb), env=told | {"PYTHONPATH": str(Path(__file__).parents[3])}, cwd=home,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=2 * PATIENCE,
        preexec_fn=limited,
    )  # fmt: skip


PLAIN = "import os, tomllib, httpx; httpx.Client(); print('Über π', os.environ['HOME'])"
"""What everyday code does on such a day."""


def on_naive(day: Day) -> subprocess.CompletedProcess[str]:
    told = {"PATH": os.environ["PATH"], "HOME": "/"} | dict(day.more)
    told = {name: value for name, value in told.items() if value}
    return subprocess.run([sys.executable, "-c", PLAIN], env=told, capture_output=True, text=True, errors="replace")


def said(told: str) -> bool:
    """Whether there is a sentence that says why."""
    return any(line.startswith("spar: ") and len(line) > 20 for line in told.splitlines())


def read_only(home: Path) -> int:
    """How many verbs in a home that cannot be written neither work nor say that it cannot be written."""
    spar(home, *SEARCH)
    spar(home, "save", "@1", "--offline")
    folder, silent = home / "spar", 0
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*"))}
    for path in modes:
        path.chmod(stat.S_IRUSR | (stat.S_IXUSR if path.is_dir() else 0))
    try:
        for verb in (("shelf",), ("history",), SEARCH, ("save", "@2", "--offline"), ("config", "set", "limit", "3")):
            ran = as_anybody(home, verb)
            silent += "Traceback" in ran.stderr or (ran.returncode != 0 and not said(ran.stderr))
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    return silent


def as_anybody(home: Path, verb: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """The verb as it runs for somebody who may not write everywhere, as root may."""
    return subprocess.run(
        command(*verb), env=environment(home), cwd=Path(__file__).parents[3], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=PATIENCE, preexec_fn=_give_up_rights,
    )  # fmt: skip


def _give_up_rights() -> None:
    if os.geteuid() == 0:
        for right in _WRITES_EVERYWHERE:
            ctypes.CDLL(None).prctl(_DROP, right, 0, 0, 0)


_DROP, _WRITES_EVERYWHERE = 24, (1, 2, 3)
"""Linux' own numbers: PR_CAPBSET_DROP, and CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER."""


OFFLINE = (
    ("shelf",), ("library", "attention"), ("show", "@1"), ("export", "--shelf"), ("cite", "attention"), ("history",),
    ("log", "last"), ("profile",), ("notes", "--to", "{home}/vault"), ("doctor", "--offline"),
)  # fmt: skip


def without_a_network(home: Path) -> int:
    """How many verbs of reading fail where no source can be reached."""
    assert json.loads(spar(home, *SEARCH, "--json").stdout)["papers"]
    spar(home, "save", "@1", "@2", "--offline")
    ran = [spar(home, *(word.replace("{home}", str(home)) for word in verb)) for verb in OFFLINE]
    return sum(one.returncode not in (0, 3) or "Traceback" in one.stderr for one in ran)
