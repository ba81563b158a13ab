"""Keys that are revealed only to their service."""

import re
from collections.abc import Iterable

_SECRET_PARAMETERS = re.compile(r"((?:^|[?&\s])(?:api[_-]?key|key|token|email|mailto)=)[^&\s\"']*", re.IGNORECASE)
HIDDEN = "[hidden]"


class Secret:
    """A key that prints as `[hidden]`; call `reveal` only where the request is built."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def redact(text: str, secrets: Iterable[Secret] = ()) -> str:
    """Remove the values of `secrets`, and of parameters with keys or mail addresses, from `text`."""
    for secret in secrets:
        if secret.reveal():
            text = text.replace(secret.reveal(), HIDDEN)
    return _SECRET_PARAMETERS.sub(rf"\1{HIDDEN}", text)


_SHOWN = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#]*@)?([^/?#@;\s]+)((?:/[^?#;]*)?)")


def shown_address(address: str) -> str:
    """Return scheme, host, port and path of `address`; everything else can be a key and is shown as `…`."""
    match = _SHOWN.match(address)
    if match is None or "@" in match[4]:  # a password with a slash looks like host and path
        return "…"
    scheme, user, host, path = match.groups()
    return f"{scheme}{'…@' if user else ''}{host}{path}{'…' if match.end() < len(address) else ''}"


def shown_host(address: str) -> str:
    """Return host and port of `address`."""
    match = _SHOWN.match(address)
    return "…" if match is None or "@" in match[4] else match[3]
