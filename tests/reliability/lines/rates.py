"""Line 5: services that say “not now”: one process and several in two homes, and nobody asks before the time."""

from pathlib import Path

from tests.benchmarks.politeness import SOURCES, TOLD
from tests.reliability.line import Figure, Line, Trial, harm
from tests.services import Fault, Services, Terms
from tests.services.crowd import broken, busiest, crowd, pauses
from tests.services.jitter import Jitter

ON_ITS_WAY = 0.25
"""Seconds after a refusal in which a request may arrive that had been sent before it was heard."""


def measure(trial: Trial) -> Line:
    seconds = 4.0 if trial.full else 2.0
    sources = list(SOURCES) if trial.full else ["openalex"]
    ignored = waits = requests = refused = 0
    for homes, each in ((1, 1), (2, 2)) if trial.full else ((2, 1),):
        for source in sources:
            seen, spans, early = stormed(source, trial.folder / f"{source}-{homes}", seconds, homes, each)
            waits, ignored = waits + spans, ignored + early
            requests, refused = requests + seen, refused + spans
    broken_rules, asked = under_rules(trial.folder / "rules", sources, seconds)
    most, window = busiest_second(trial.folder / "pubmed", 2 * seconds) if trial.full else (0, 3)
    return Line(
        5, "rate limits",
        f"one process, then four processes with two SPAR_HOMEs, send requests to each of {len(sources)} services as "
        f"fast as their rate limits allow, while the service sometimes answers with Retry-After: {requests} requests, "
        f"{waits} pauses asked for; then all services enforce all their rules: {asked} requests",
        (
            Figure("requests sent during a pause that a service asked for", ignored),
            Figure("broken rules of services", broken_rules),
            Figure(f"most requests that reached PubMed in one second, with uneven delays ({window} allowed)",
                   most, window),
            Figure("requests per answer", round(requests / max(1, requests - refused), 2), 2),
        ),
        (harm("pauses asked for", waits),),
        unseen="the clocks and the load of the real services. On an overloaded machine a request may take longer "
        "than 0.25 s to arrive and count as too early; this happened once in the run of all checks, and not "
        "when this check ran alone",
        tests=("tests/connectors/http/test_rate_limiter.py", "tests/connectors/http/test_pace.py"),
    )  # fmt: skip


def stormed(source: str, folder: Path, seconds: float, homes: int, each: int) -> tuple[int, int, int]:
    """Requests that one service got, how often it wanted to be left alone, and how often somebody asked then."""
    service, told = SOURCES[source], TOLD.get(source, 2.0)
    faults = [Fault("429", service, nth=number, value=f"{told:g}") for number in range(2, 400, 5)]
    with Services(rules=False, faults=faults) as services:
        more = {**services.environment, "SPAR_MANNERS": str(folder), "SERPER_API_KEY": Terms().serper_key}
        crowd(source, folder, more, seconds=seconds, homes=homes, each=each)
        requests = [request for request in services.log if request.service == service]
    spans = [(since + ON_ITS_WAY, until) for since, until in pauses(requests, {429: told})]
    return len(requests), len(spans), len(broken(requests, spans))


def under_rules(folder: Path, sources: list[str], seconds: float) -> tuple[int, int]:
    """How many rules four processes break that ask all services at once, and how many requests they send."""
    with Services() as services:
        more = {**services.environment, "SPAR_MANNERS": str(folder), "SERPER_API_KEY": Terms().serper_key}
        crowd(" ".join(sources), folder, more, seconds=2 * seconds)
        return len(services.violations), len(services.log)


def busiest_second(folder: Path, seconds: float) -> tuple[int, int]:
    """The most requests that reach PubMed in any second, and how many may."""
    with Services(rules=False) as services, Jitter(services.url("pubmed"), 0.6) as line:
        crowd("pubmed", folder, {"SPAR_PUBMED_URL": line.url, "SPAR_MANNERS": str(folder)}, seconds=seconds)
        return busiest(services.log), 3
