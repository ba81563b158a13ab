"""The HTTP client shared by all sources, opened when the first of them needs it."""

import logging
from types import TracebackType
from typing import TYPE_CHECKING, Self

from connectors.errors import SourceUnavailable

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 2.5
"""Seconds after which a host that accepts no connection counts as unreachable; the deadline is for slow answers."""


class ConnectionPool:
    """One `httpx` client for one event loop. Use as an async context manager."""

    def __init__(self, user_agent: str = "spar") -> None:
        self._user_agent = user_agent
        self._client: httpx.AsyncClient | None = None
        for name in ("httpx", "httpcore"):
            # at INFO these loggers write whole addresses, including keys
            logging.getLogger(name).setLevel(logging.WARNING)

    def client(self, source: str) -> "httpx.AsyncClient":
        """Return the client. Raises `SourceUnavailable` in the name of `source` if this machine's proxy or
        certificates are unusable."""
        if self._client is None:
            import httpx

            from connectors.trace import hooks, no_cookies

            try:
                self._client = httpx.AsyncClient(
                    timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
                    headers={"user-agent": self._user_agent, "accept-encoding": "gzip, deflate"},
                    follow_redirects=False,
                    cookies=no_cookies(),
                    event_hooks=hooks(),
                )
            except (ValueError, OSError, ImportError, httpx.InvalidURL) as error:
                raise SourceUnavailable(
                    source,
                    "cannot be asked: the proxy or certificate settings of this machine are not usable "
                    f"({type(error).__name__}); check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.",
                ) from None
        return self._client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            await self._client.aclose()
