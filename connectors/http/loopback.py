"""Whether an address is this machine's own."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def on_this_machine(address: str) -> bool:
    """Whether what is sent to `address` stays on this machine: it is a loopback address, or named localhost."""
    try:
        name = (urlsplit(address).hostname or "").lower().rstrip(".")
    except ValueError:
        return False
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
