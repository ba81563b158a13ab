"""The client of the Zotero on this machine: one request, a whole reply in time or one named error."""

import asyncio
import json
from types import TracebackType
from typing import Any, Self

import httpx

from connectors.errors import (
    BadQuery,
    BadResponse,
    DeadlineExceeded,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.body import read_body
from connectors.http.responses import HttpReply, json_body, quoted, retry_after
from connectors.http.secret import shown_host
from connectors.trace import hooks, no_cookies

ADDRESS = "http://localhost:23119"
BODY_CAP = 64_000_000
SECONDS = 30.0
"""Maximum seconds for one answer: a hundred items take less than one, if Zotero is not busy."""
_CONNECT_SECONDS = 2.5

_SWITCH = "Settings → Advanced → “Allow other applications on this computer to communicate with Zotero”"


class ZoteroClient:
    """The client of one Zotero, an async context manager. Nothing leaves the machine: it uses no proxy and follows
    no redirect."""

    def __init__(self, address: str = ADDRESS, seconds: float | None = None) -> None:
        self.address = address.rstrip("/")
        self._seconds = seconds or SECONDS

    async def __aenter__(self) -> Self:
        # Zotero drops requests that call themselves Mozilla or come from a page (Origin) without an answer.
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
            headers={"user-agent": "spar", "accept-encoding": "identity"},
            follow_redirects=False,
            cookies=no_cookies(),
            trust_env=False,
            event_hooks=hooks(),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def ask(
        self,
        method: str,
        path: str,
        *,
        parameters: dict[str, str | int] | None = None,
        body: object = None,
        headers: dict[str, str] | None = None,
        seconds: float | None = None,
    ) -> HttpReply:
        """Return the whole reply, whatever its status, within `seconds`. Raises `SourceError` if there is none."""
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        all_headers = {**(headers or {}), **({"content-type": "application/json"} if content is not None else {})}
        limit = seconds or self._seconds
        try:
            async with asyncio.timeout(limit):
                request = self._http.build_request(
                    method, self.address + path, params=parameters, content=content, headers=all_headers
                )
                response = await self._http.send(request, stream=True)
                try:
                    return HttpReply(response.status_code, response.headers, await read_body(NAME, response, BODY_CAP))
                finally:
                    await response.aclose()
        except TimeoutError:
            raise DeadlineExceeded(
                NAME,
                f"did not answer within {limit:g} s; check whether its window asks a question or is busy, "
                "and try again.",
            ) from None
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise NotRunning(NAME, f"nothing answers at {self.host}. Start Zotero and try again.") from None
        except httpx.HTTPError as error:
            raise SourceUnavailable(
                NAME,
                f"stopped in the middle of its answer ({type(error).__name__}); check that it runs, and try again.",
            ) from None

    async def get(self, path: str, **parameters: str | int) -> HttpReply:
        """Return the good reply to a GET request to the local API. Raises `SourceError`."""
        return answered(
            await self.ask("GET", f"/api{path}", parameters=parameters, headers={"zotero-api-version": "3"})
        )

    @property
    def host(self) -> str:
        """The expected host of Zotero, for sentences."""
        return shown_host(self.address)


def answered(reply: HttpReply) -> HttpReply:
    """Return `reply` if it is good. Raises its `SourceError` otherwise."""
    if fault := fault_of(reply):
        raise fault
    return reply


def fault_of(reply: HttpReply) -> SourceError | None:
    """Return the error that a status means; None for 2xx."""
    status, quote = reply.status, quoted(reply)
    if 200 <= status < 300:
        return None
    if status == 403:
        return ApiOff(NAME, f"runs, but does not let other programs in{quote}; allow it in Zotero ({_SWITCH}).")
    if status == 401:
        return KeyRefused(NAME, f"no longer accepts its permission{quote}; run this again.")
    if status == 412:
        return BadResponse(NAME, f"is not the same as before, or its library changed{quote}; run this again.")
    if status == 413:
        return BadQuery(NAME, f"refused the request as too large{quote}.")
    if status == 428:
        return BadQuery(NAME, f"asks which Zotero you mean{quote}; run this again.")
    if status == 429:
        until = retry_after(reply)
        when = f" until {until:%H:%M:%S} UTC" if until else ""
        return RateLimited(NAME, f"was asked for permission too often and asks for a pause{when}{quote}.", until)
    if status == 501:
        return BadQuery(
            NAME, f"does not know this kind of request{quote}; its version may be too old or too new for spar."
        )
    if status >= 500:
        return SourceUnavailable(NAME, f"failed (HTTP {status}){quote}; look at its window, and try again.")
    return BadQuery(NAME, f"refused the request (HTTP {status}){quote}.")


def listed(reply: HttpReply) -> list[dict[str, Any]]:
    """Return the objects of a list. Raises `BadResponse` for anything else."""
    value = json_body(NAME, reply)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadResponse(NAME, "did not answer with a list; is Zotero running there?")
    return value


NAME = "Zotero"


class NotRunning(SourceUnavailable):
    """No program listens at Zotero's address."""


class ApiOff(Unauthorized):
    """Zotero runs, but its local API is off, which is the default."""


class KeyRefused(Unauthorized):
    """The key for writing is used up or unknown."""


class Denied(Unauthorized):
    """The person refused in Zotero's dialog, or did not answer it."""


class NoSuchCollection(NotFound):
    """No collection has the name, or several have."""


class Moved(BadResponse):
    """The data read are inconsistent, because the library changed meanwhile."""
