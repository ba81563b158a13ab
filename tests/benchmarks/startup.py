"""How long `spar --help` takes against importing its command-line library: `python -m tests.benchmarks.startup`."""

import resource
import statistics
import subprocess
import sys

RUNS = 15
VERBS = (["--help"], ["search", "--help"], ["--version"])


def seconds(*command: str) -> float:
    """The processor time of a fresh process, which other work on the machine changes least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(*commands: list[str], runs: int = RUNS) -> list[float]:
    """The median of each command, one after the other again and again, so that a busy moment meets them all."""
    times = [[seconds(*command) for command in commands] for _ in range(runs)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


if __name__ == "__main__":
    typer, bare, *taken = medians(["-c", "import typer"], ["-c", "pass"], *(["-m", "spar_tui", *one] for one in VERBS))
    for arguments, one in zip(VERBS, taken, strict=True):
        print(f"spar {' '.join(arguments):<14} {one * 1000:6.0f} ms  {one / typer:.2f} x import typer")
    print(f"import typer        {typer * 1000:6.0f} ms   (bare interpreter {bare * 1000:.0f} ms)")
