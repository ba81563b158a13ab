"""How long quitting takes in the middle of everything: `python -m tests.benchmarks.app.quit`.

Quits at moments spread over a search of the stand-ins; from the press of ctrl+q until the process is gone. Then the run
must be one that can go on.
"""

import tempfile
import time
from pathlib import Path

from cache import runs
from cache.store import Store
from tests.services import Services
from tests.spar_tui.running import command
from tests.spar_tui.tui.real_terminal import LEAVE_APP, opened

MOMENTS = (0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def quit_after(moment: float, services: Services, home: Path) -> tuple[float, str]:
    """Seconds that quitting took, and what became of the run."""
    with opened(home, more=services.environment, size=(150, 36), program=command()) as terminal:
        terminal.until(b"hat do you want to know?")
        terminal.type("retrieval augmented generation\r")
        terminal.until(b"understand")
        terminal.read(moment) if moment else None
        began = time.perf_counter()
        terminal.type("\x11")
        terminal.until(LEAVE_APP)
        while terminal.process.poll() is None:
            time.sleep(0.001)
        taken = time.perf_counter() - began
    with Store.open(home / "spar" / "spar.db") as store:
        run = runs.recent(store)[0]
        return taken, f"{run.state}, {len(runs.events(store, run.id))} events kept"


def main() -> None:
    worst = 0.0
    with Services(latency=0.4) as services:
        for moment in MOMENTS:
            with tempfile.TemporaryDirectory() as folder:
                taken, became = quit_after(moment, services, Path(folder))
            worst = max(worst, taken)
            print(f"after {moment:3.1f} s: {taken * 1000:4.0f} ms   {became}")
    print(f"at worst {worst * 1000:.0f} ms (aim: 500)")


if __name__ == "__main__":
    main()
