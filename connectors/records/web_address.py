"""Check web addresses without importing the text cleaner: settings hold addresses, and startup must be fast."""

import re
from urllib.parse import urlsplit

_PLAIN = re.compile(r"https?://[a-z0-9-]+(?>(?:\.[a-z0-9-]+)*)(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/()?=-]*+)?")
"""The form of most addresses: no user name, and nothing to clean."""


def web_address(raw: object) -> str | None:
    """Return an http(s) address without user name or control characters, its spaces encoded; None for anything else."""
    if not isinstance(raw, str) or len(raw) > 2_000 or not raw.isprintable():
        return None
    if _PLAIN.fullmatch(address := raw.strip()):
        return address
    from connectors.records.clean import clean_text, unescaped

    address = unescaped(address).replace(" ", "%20")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    except ValueError:
        return None
    return address if usable and clean_text(address, 2_000) == address else None
