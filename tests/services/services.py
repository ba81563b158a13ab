"""The stand-ins together, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from tests.services.arxiv.service import ArXiv
from tests.services.corpus.making import make_corpus
from tests.services.corpus.works import Corpus, Work
from tests.services.crossref.service import Crossref
from tests.services.datacite.service import DataCite
from tests.services.dblp.service import Dblp
from tests.services.desk import Canary, Desk
from tests.services.europepmc.service import EuropePMC
from tests.services.faults.faults import Fault, Faults
from tests.services.google.service import Google
from tests.services.http.log import Log
from tests.services.http.message import Request
from tests.services.openalex.service import OpenAlex
from tests.services.pubmed.service import PubMed
from tests.services.semantic_scholar.service import SemanticScholar
from tests.services.service import Service, Terms
from tests.services.unpaywall.service import Unpaywall

SERVICES: tuple[type[Service], ...] = (
    ArXiv, OpenAlex, SemanticScholar, PubMed, EuropePMC, Crossref, Google, Unpaywall, DataCite, Dblp,
)  # fmt: skip
_PLAIN = Terms()


class Services:
    """Local stand-ins of all sources' services over one corpus, while the `with` block lasts.

    `latency` seconds pass before each answer. `rules` off stops judging rates, keys and budgets. `time_scale`
    multiplies the waiting times of the rules, so that tests of rates need not take long. `port` is the first of as
    many ports as there are services (0: free ones). `told` is called, in the services' thread, with each request that
    is over. `also` are works beside those of the corpus. Names of services:
    `arxiv`, `openalex`, `semantic_scholar`, `pubmed`, `europepmc`, `crossref`, `google`, `unpaywall`, `datacite`,
    `dblp`.
    """

    def __init__(
        self,
        latency: float = 0.0,
        rules: bool = True,
        faults: Iterable[Fault] = (),
        time_scale: float = 1.0,
        port: int = 0,
        terms: Terms = _PLAIN,
        told: Callable[[Request], None] = lambda request: None,
        also: Iterable[Work] = (),
    ) -> None:
        self.terms = replace(terms, enforced=rules, scale=time_scale)
        made = make_corpus(self.terms.seed)
        self.corpus = Corpus([*made.works, *also], made.merged)
        self._violations: list[str] = []
        self._log = Log(told)
        self._canary = Canary()
        self._desks: dict[str, Desk] = {}
        self._latency, self._port = latency, port
        self._first_faults = tuple(map(_named, faults))

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stand-in services", daemon=True)
        self._thread.start()
        try:
            self._await(self._start)
        except OSError:
            self._await(self._stop)
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._await(self._stop)
        self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def environment(self) -> dict[str, str]:
        """The settings that point the program here."""
        return {f"SPAR_{name.upper()}_URL": desk.server.url for name, desk in self._desks.items()}

    def url(self, service: str) -> str:
        return self._desks[service].server.url

    @property
    def log(self) -> list[Request]:
        """All requests so far, in order of arrival; `ended` is None for those under way."""
        self._settle()
        return self._log.requests

    @property
    def violations(self) -> list[str]:
        """Each breach of a service's rules as a sentence that begins with the service's name."""
        self._settle()
        return list(self._violations)

    @property
    def canary_hits(self) -> list[Request]:
        """Requests that reached the host no redirect may lead to."""
        self._settle()
        return list(self._canary.hits)

    def add_fault(self, fault: Fault) -> None:
        named = _named(fault)
        self._call(lambda: self._faults.add(named))

    def clear_faults(self) -> None:
        self._call(self._faults.clear)

    def reset(self) -> None:
        """As new: no log, no violations, no faults, full budgets, no request in any window."""
        self._call(self._reset)

    def midnight(self) -> None:
        """Let a new day begin: OpenAlex' credits are back."""
        self._call(self._openalex.midnight)

    def shut(self, service: str) -> None:
        """Close the service's port: connections are refused from now on."""
        self._await(self._desks[service].server.stop)

    async def _start(self) -> None:
        await self._canary.server.start()
        self._faults = Faults(f"http://localhost:{self._canary.server.port}")
        for fault in self._first_faults:
            self._faults.add(fault)
        services = [kind(self.corpus, self.terms, self._violations) for kind in SERVICES]
        self._openalex = next(service for service in services if isinstance(service, OpenAlex))
        self._services = services
        self._desks = {
            service.name: Desk(service, self._log, self._faults, self._latency, self._reset) for service in services
        }
        for place, desk in enumerate(self._desks.values()):
            desk.server.port = self._port + place if self._port else 0
            await desk.server.start()

    async def _stop(self) -> None:
        for server in (self._canary.server, *(desk.server for desk in self._desks.values())):
            await server.stop()

    def _settle(self) -> None:
        """Let the services' thread finish what it is at: a client may read a reply before it is written down."""
        if not self._loop.is_closed():
            self._call(lambda: None)

    def _reset(self) -> None:
        self._log.clear()
        self._violations.clear()
        self._faults.clear()
        self._canary.hits.clear()
        for service in self._services:
            service.reset()

    def _await(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine function in the services' thread and wait for it."""
        asyncio.run_coroutine_threadsafe(work(), self._loop).result(timeout=60)

    def _call(self, work: Callable[[], None]) -> None:
        async def run() -> None:
            work()

        self._await(run)


def _named(fault: Fault) -> Fault:
    """`fault`; raises `ValueError` if it names a service that is not here, and so would never come about."""
    if fault.service is not None and fault.service not in (names := [service.name for service in SERVICES]):
        raise ValueError(f"no service is called {fault.service}; it is one of {', '.join(names)}")
    return fault
