"""Line 11: four canary keys through searches that go well and badly: each goes to its own service and nowhere else."""

import os
import subprocess
import threading
import time
from pathlib import Path

from tests.reliability.line import Figure, Line, Trial, harm
from tests.services import Fault, Request, Services
from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui.cli.test_what_leaves import text_of
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import SCRIPTS
from tests.spar_tui.running import PATIENCE, environment, forked

KEYS = {
    "openalex": ("OPENALEX_API_KEY", "oa-CANARY-1111-DO-NOT-LEAK"),
    "semantic_scholar": ("S2_API_KEY", "s2-CANARY-2222-DO-NOT-LEAK"),
    "pubmed": ("NCBI_API_KEY", "ncbi-CANARY-3333-DO-NOT-LEAK"),
    "google": ("SERPER_API_KEY", "serper-CANARY-4444-DO-NOT-LEAK"),
}
MODEL_KEY = "sk-CANARY-0000-DO-NOT-LEAK"
EVERY = [key for _, key in KEYS.values()] + [MODEL_KEY]
SOURCES = ("openalex", "semanticscholar", "pubmed", "google")
SEARCH = ("search", "cystic fibrosis", *(f"--source={name}" for name in SOURCES), "--verbose", "--json")
FAULTS = {
    "no fault": (), "redirects elsewhere": ("redirect_away",), "keys refused": ("401",), "errors": ("500",),
    "a login page": ("login_page",), "broken bodies": ("truncated",), "broken connections": ("reset",),
}  # fmt: skip
AFTER = (
    ("doctor",), ("config",), ("shelf",), ("history",), ("log", "last"), ("save", "@1"),
    ("export", "@1", "-o", "{home}/x.bib"),
    ("notes", "--to", "{home}/vault"),
)  # fmt: skip


def measure(trial: Trial) -> Line:
    kinds = FAULTS if trial.full else {"redirects elsewhere": FAULTS["redirects elsewhere"]}
    leaks, seen, naive = list[str](), 0, 0
    for name, faults in kinds.items():
        home = trial.folder / name
        home.mkdir()
        said, requests, canary = scenario(home, faults, AFTER if trial.full else AFTER[:2])
        leaks += [f"{name}: printed"] * any(key in said for key in EVERY)
        leaks += [f"{name}: {file.name}" for file in home.rglob("*") if file.is_file() and held(file)]
        leaks += [f"{name}: elsewhere"] * any(key in text_of(one) for one in canary for key in EVERY)
        for request in requests:
            told = {service for service, (_, key) in KEYS.items() if key in text_of(request)}
            leaks += [f"{name}: {service} to {request.service}" for service in told - {request.service}]
            seen += request.service in told
            naive += any(key in request.target for key in EVERY)
        leaks += [f"{name}: a model's key to {one.service}" for one in requests if MODEL_KEY in text_of(one)]
    assert seen, "no service was told its key"
    exposed = exposed_files(trial.folder / "modes")
    return Line(
        11, "secrets",
        f"five test keys in the environment; {len(kinds)} scenarios ({', '.join(kinds)}), each with a model, with "
        f"--verbose, and {len(AFTER) if trial.full else 2} verbs after it; the output, every file of the home, every "
        "request and the host of the redirects are searched for the keys; file modes are watched from creation on, "
        "with a umask that removes no rights",
        (
            Figure("leaked keys", len(leaks)),
            Figure("keys in the address of a request", naive),
            Figure("files that others could read at any moment", exposed),
        ),
        (harm("requests with the key of their own service", seen),),
        unseen="a key typed on a command line, which the shell's history keeps",
        tests=(
            "tests/spar_tui/cli/test_what_leaves.py", "tests/spar_tui/mcp/test_hostile.py",
            "tests/spar_tui/tui/test_crash.py", "tests/spar_tui/health/test_log_file.py",
        ),
    )  # fmt: skip


def scenario(
    home: Path, faults: tuple[str, ...], after: tuple[tuple[str, ...], ...]
) -> tuple[str, list[Request], list[Request]]:
    """All that is printed, all that the services get, and what the host got that nobody may ask."""
    with (
        Services(rules=False, faults=[Fault(kind) for kind in faults]) as services,
        ScriptedModel(by_prompt(SCRIPTS)) as model,
    ):
        more = {**services.environment, **model.environment, **dict(KEYS.values()), "OPENAI_API_KEY": MODEL_KEY}
        said = ""
        for verb in (SEARCH, *after):
            ran = spar(home, *(word.replace("{home}", str(home)) for word in verb), more=more)
            said += ran.stdout + ran.stderr
        assert not any(key in str(request.body) for request in model.requests for key in EVERY)
        return said, services.log, services.canary_hits


def held(file: Path) -> bool:
    """Whether a key stands in the file."""
    content = file.read_bytes()
    return any(key.encode() in content for key in EVERY)


def exposed_files(home: Path) -> int:
    """How many files of a home were ever readable by others while a verb made them, its umask taking nothing away."""
    home.mkdir()
    seen: set[Path] = set()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            for folder, _, files in os.walk(home / "spar"):
                for name in files:
                    try:
                        mode = os.stat(os.path.join(folder, name)).st_mode
                    except OSError:
                        continue
                    if mode & 0o077:
                        seen.add(Path(folder, name))
            time.sleep(0.0005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for verb in (
            ("search", "attention", "--offline"),
            ("save", "@1", "--offline"),
            ("config", "set", "limit", "9"),
        ):
            subprocess.run(
                forked(*verb), env=environment(home), cwd=Path(__file__).parents[3], capture_output=True,
                timeout=PATIENCE, umask=0,
            )  # fmt: skip
    finally:
        over.set()
        watcher.join()
    # Notes of locks and of services hold no word of the person.
    return len([file for file in seen if file.suffix not in (".lock",)])
