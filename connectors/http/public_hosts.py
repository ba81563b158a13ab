"""Check that a host is on the public internet, not this machine or a device or service of its network, and permit
redirects only to the service itself or to another public host, and never with a key."""

import asyncio
import re
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urljoin, urlsplit

from connectors.errors import SourceUnavailable, UnusableResponse

_LOCAL = re.compile(r"^[^.]+$|\.(?:localhost|localdomain|local|internal|home\.arpa)$", re.IGNORECASE)
"""Names that no public host has: those of one label, reserved ones (RFC 6761, 6762, 8375, ICANN's `internal`), and
`localdomain`, which systems append to their own name."""
_HOLD_IPV4 = tuple(map(IPv6Network, ("::/96", "::ffff:0:0/96", "64:ff9b::/96")))
"""IPv6 networks whose addresses embed the IPv4 address that they lead to (RFC 4291, 6052)."""


def addresses_now(host: str, *, look_up: bool = True) -> list[IPv4Address | IPv6Address]:
    """Look up the addresses of `host`, blocking. Raises `OSError` or `UnicodeError` if it has none.

    Without `look_up` no name is resolved: only a numeric host has an address. A name of this machine or of a local
    network counts as this machine's, whether or not it can be resolved.
    """
    host = host.rstrip(".")  # the root domain, which browsers accept even after a numeric address
    try:
        addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        if _LOCAL.search(host):
            return [ip_address("127.0.0.1")]
        if not look_up:
            raise
        addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in addresses]


async def addresses_of(host: str) -> list[IPv4Address | IPv6Address]:
    """Look up addresses like `addresses_now`, in a thread."""
    return await asyncio.to_thread(addresses_now, host)


def are_public(addresses: Sequence[IPv4Address | IPv6Address]) -> bool:
    """Whether all of the addresses are public."""
    return all(map(_is_public, addresses))


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        if address.is_site_local:
            return False
        if any(address in network for network in _HOLD_IPV4):
            return _is_public(IPv4Address(int(address) % 2**32))
        if address.sixtofour:
            return _is_public(address.sixtofour)
    return address.is_global and not address.is_multicast


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
    if not host or not safer or not target.isprintable() or not await _leads_to_public(source, host):
        raise _refused(source)
    return target


async def _leads_to_public(source: str, host: str) -> bool:
    try:
        return are_public(await addresses_of(host))
    except (OSError, UnicodeError):
        raise SourceUnavailable(source, "redirected to a host that cannot be found; try again later.") from None


def _refused(source: str) -> UnusableResponse:
    return UnusableResponse(
        source, "redirected to an address that must not be followed; is a login page or proxy in between?"
    )
