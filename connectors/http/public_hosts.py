"""Check that a host is on the public internet, not this machine or a router, printer or service of its network."""

import asyncio
import re
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

_LOCAL = re.compile(r"^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$", re.IGNORECASE)
"""Names that no public host has: those of one label, and those reserved (RFC 6761, 6762, 8375, ICANN's `internal`)."""


def addresses_now(host: str, *, look_up: bool = True) -> list[IPv4Address | IPv6Address]:
    """Look up the addresses of `host`, blocking. Raises `OSError` or `UnicodeError` if it has none.

    Without `look_up` nothing is asked: only a host that is an address has one. A name of this machine or of a local
    network counts as this machine's, whether or not it can be looked up here.
    """
    try:
        addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        if _LOCAL.search(host.rstrip(".")):
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
    return all(address.is_global and not address.is_multicast for address in addresses)
