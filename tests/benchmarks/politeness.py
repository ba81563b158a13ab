"""Processes that ask as fast as they can, in two homes of one person, against services that judge every request.

`python -m tests.benchmarks.politeness [SECONDS]` (default 60) prints, and ends with exit code 1 if anything is broken:

- of two processes that search: requests and violations per service;
- of four processes in two homes that ask one source, which now and then wants to be left alone: the share of these
  waits that all of them kept;
- of four processes in two homes that ask PubMed over a line of uneven delay: the most requests that reached it in any
  second.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.services import Fault, Services, Terms
from tests.services.crowd import broken, busiest, crowd, pauses
from tests.services.jitter import Jitter

QUESTIONS = ("dense retrieval", "graph neural networks", "cystic fibrosis therapy", "crispr screens", "citation graphs")
SOURCES = {
    "arxiv": "arxiv",
    "openalex": "openalex",
    "semanticscholar": "semantic_scholar",
    "pubmed": "pubmed",
    "europepmc": "europepmc",
    "crossref": "crossref",
    "google": "google",
}
"""The stand-in that answers for each source."""
TOLD = {"arxiv": 5.0, "semanticscholar": 5.0, "crossref": 3.0}
"""Seconds for which a source wants to be left alone where it is not two: longer than the pause it gets anyway."""
_LOOP = """
import subprocess, sys, time
end, number = time.monotonic() + float(sys.argv[1]), int(sys.argv[2])
while time.monotonic() < end:
    number += 2
    question = sys.argv[3].split("|")[number % 5] + f" {number}"
    subprocess.run([sys.executable, "-m", "spar_tui", "search", question], capture_output=True)
"""


def main(seconds: float) -> int:
    faults = [report_searches(seconds), report_waits(seconds), report_busiest(seconds, 3), report_busiest(seconds, 10)]
    return 1 if any(faults) else 0


def report_searches(seconds: float) -> int:
    """How many rules two searching processes break."""
    with Services() as services, tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **services.environment, "SPAR_MANNERS": folder}
        start = time.monotonic()
        loops = [
            subprocess.Popen(
                [sys.executable, "-c", _LOOP, str(seconds), str(first), "|".join(QUESTIONS)],
                env={**environment, "SPAR_HOME": f"{folder}/home{first}"},
                cwd=Path(__file__).parents[2],
            )
            for first in (0, 1)
        ]
        for loop in loops:
            loop.wait()
        taken = time.monotonic() - start
        asked = Counter(request.service for request in services.log)
        broken_rules = Counter(sentence.split()[0].strip(":") for sentence in services.violations)
        for service, requests in sorted(asked.items()):
            print(f"{service:<18} {requests:>5} requests in {taken:.0f} s")
        print(f"violations: {sum(broken_rules.values())} {dict(broken_rules) or ''}")
        for sentence in services.violations[:10]:
            print(f"  {sentence}")
        return sum(broken_rules.values())


def report_waits(seconds: float) -> int:
    """How many of the waits that a source asks for are not kept by all."""
    kept, all_told = 0, 0
    for source, service in SOURCES.items():
        told = TOLD.get(source, 2.0)
        faults = [
            Fault("429", service, nth=number, value=f"{told:g}") for number in range(2, 400, 3 if told > 2 else 7)
        ]
        with Services(rules=False, faults=faults) as services, tempfile.TemporaryDirectory() as folder:
            more = {**services.environment, "SPAR_MANNERS": folder, "SERPER_API_KEY": Terms().serper_key}
            crowd(source, Path(folder), more, seconds=seconds / len(SOURCES))
            requests = [request for request in services.log if request.service == service]
            spans = pauses(requests, {429: told})
            ignored = len(broken(requests, spans))
            print(f"{source:<18} {len(requests):>5} requests, {len(spans) - ignored} of {len(spans)} waits kept by all")
            kept, all_told = kept + len(spans) - ignored, all_told + len(spans)
    print(f"waits kept by all processes of both homes: {kept} of {all_told}")
    return all_told - kept


def report_busiest(seconds: float, allowed: int) -> bool:
    """Whether more than `allowed` requests reach PubMed in any second, and how many do."""
    terms = Terms()
    with (
        Services(rules=False) as services,
        Jitter(services.url("pubmed"), 0.6) as line,
        tempfile.TemporaryDirectory() as folder,
    ):
        more = {"SPAR_PUBMED_URL": line.url, "SPAR_MANNERS": folder}
        crowd(
            "pubmed",
            Path(folder),
            more | ({"NCBI_API_KEY": terms.ncbi_key} if allowed > 3 else {}),
            seconds=seconds / 3,
        )
        most, number = busiest(services.log), len(services.log)
    key = "with a key" if allowed > 3 else "without a key"
    print(f"pubmed {key}: {number} requests in {seconds / 3:.0f} s, at most {most} in any second ({allowed} allowed)")
    return most > allowed


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0))
