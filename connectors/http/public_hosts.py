"""Check that a host is on the public internet, not this machine or a router, printer or service of its network."""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address


def addresses_now(host: str, *, look_up: bool = True) -> list[IPv4Address | IPv6Address]:
    """Look up the addresses of `host`, blocking. Raises `OSError` or `UnicodeError` if it has none.

    Without `look_up` nothing is asked: only a host that is an address has one, and `localhost`.
    """
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return [ip_address("127.0.0.1")]
    flags = 0 if look_up else socket.AI_NUMERICHOST
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=flags)
    return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


async def addresses_of(host: str) -> list[IPv4Address | IPv6Address]:
    """Look up addresses like `addresses_now`, in a thread."""
    return await asyncio.to_thread(addresses_now, host)


def are_public(addresses: Sequence[IPv4Address | IPv6Address]) -> bool:
    """Whether all of the addresses are public."""
    return all(address.is_global and not address.is_multicast for address in addresses)
