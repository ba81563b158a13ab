"""How long `spar --help` takes against importing its command-line library: `python -m tests.benchmarks.startup`."""

import statistics
import subprocess
import sys
import time

RUNS = 15


def seconds(*command: str) -> float:
    """The median wall time of a fresh process."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *command], capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    typer, bare = seconds("-c", "import typer"), seconds("-c", "pass")
    for arguments in (["--help"], ["search", "--help"], ["--version"]):
        taken = seconds("-m", "spar_tui", *arguments)
        print(f"spar {' '.join(arguments):<14} {taken * 1000:6.0f} ms  {taken / typer:.2f} x import typer")
    print(f"import typer        {typer * 1000:6.0f} ms   (bare interpreter {bare * 1000:.0f} ms)")
