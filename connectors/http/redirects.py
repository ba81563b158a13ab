"""Permit redirects only to the service itself or to another public host, and never with a key."""

from urllib.parse import urljoin, urlsplit

from connectors.errors import SourceUnavailable, UnusableResponse
from connectors.http.public_hosts import addresses_of, are_public

MOST_REDIRECTS = 3
KEY_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "cookie"})


def origin(address: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port of an address."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)


async def next_address(source: str, current: str, location: str | None) -> str:
    """Return the address to continue with. Raises `UnusableResponse` if it must not be followed."""
    try:
        target = urljoin(current, location or "")
        scheme, host, _ = origin(target)
    except ValueError:
        raise _refused(source) from None
    if origin(target) == origin(current) and target != current:
        return target
    safer = scheme == "https" or (scheme == "http" and urlsplit(current).scheme == "http")
    if not host or not safer or not target.isprintable() or not await _is_public(source, host):
        raise _refused(source)
    return target


async def _is_public(source: str, host: str) -> bool:
    try:
        return are_public(await addresses_of(host))
    except (OSError, UnicodeError):
        raise SourceUnavailable(source, "redirected to a host that cannot be found; try again later.") from None


def _refused(source: str) -> UnusableResponse:
    return UnusableResponse(
        source, "redirected to an address that must not be followed; is a login page or proxy in between?"
    )
