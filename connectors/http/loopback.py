"""Decide whether an address is this machine's own."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def on_this_machine(address: str) -> bool:
    """Whether `address` is a loopback address or a name of localhost, so that data sent to it stay on this machine."""
    try:
        name = (urlsplit(address).hostname or "").lower().rstrip(".")
    except ValueError:
        return False
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
