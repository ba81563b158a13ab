"""Runs the stand-ins for a person: prints the settings to use, then what is asked and which rules are broken."""

from __future__ import annotations

import argparse
import sys
import threading

from tests.services import KINDS, Fault, Request, Services, Terms


def main() -> None:
    arguments = _arguments()
    terms = Terms()
    faults = [_fault(text) for text in arguments.fault]
    try:
        services = Services(arguments.latency, faults=faults, port=arguments.port, terms=terms, told=_tell)
        with services:
            _run(services, terms)
    except ValueError as reason:
        raise SystemExit(str(reason)) from None
    except OSError as reason:
        raise SystemExit(f"the ports cannot be opened: {reason}") from None


def _run(services: Services, terms: Terms) -> None:
    for name, url in services.environment.items():
        print(f"export {name}={url}")
    print(f"# keys that work: S2_API_KEY={terms.s2_key} OPENALEX_API_KEY={terms.openalex_key}", end=" ")
    print(f"NCBI_API_KEY={terms.ncbi_key} SERPER_API_KEY={terms.serper_key} SERPAPI_API_KEY={terms.serpapi_key}")
    sys.stdout.flush()
    _tell_violations(services)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.services", description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, metavar="S", help="seconds before each answer")
    parser.add_argument("--port", type=int, default=0, metavar="BASE", help="first of the ports (default: free ones)")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="KIND[:SERVICE]", help=f"one of: {', '.join(sorted(KINDS))}"
    )
    return parser.parse_args()


def _fault(text: str) -> Fault:
    kind, _, service = text.partition(":")
    try:
        return Fault(kind, service or None)
    except ValueError as reason:
        raise SystemExit(str(reason)) from None


def _tell(request: Request) -> None:
    took = f"{(request.ended or request.time) - request.time:.3f} s"
    fault = f" [{request.fault}]" if request.fault else ""
    print(f"{request.service} {request.status} {request.method} {request.target[:200]} {took}{fault}", file=sys.stderr)


def _tell_violations(services: Services) -> None:
    """Until Ctrl-C."""
    told, waiting = 0, threading.Event()
    try:
        while not waiting.wait(0.3):
            violations = services.violations
            for sentence in violations[told:]:
                print(f"VIOLATION {sentence}", file=sys.stderr)
            told = len(violations)
    except KeyboardInterrupt:
        print(f"{len(services.log)} requests, {len(services.violations)} violations", file=sys.stderr)


if __name__ == "__main__":
    main()
