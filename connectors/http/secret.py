"""Keys, which show themselves only to the service they are for."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

_SECRET_PARAMETERS = re.compile(r"((?:^|[?&\s])(?:api[_-]?key|key|token|email|mailto)=)[^&\s\"']*", re.IGNORECASE)
HIDDEN = "[hidden]"


class Secret:
    """A key that prints as `[hidden]`; `reveal` is called where the request is built and nowhere else."""

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
    """`text` without the values of `secrets` and of parameters that carry keys or mail addresses."""
    for secret in secrets:
        if secret.reveal():
            text = text.replace(secret.reveal(), HIDDEN)
    return _SECRET_PARAMETERS.sub(rf"\1{HIDDEN}", text)


def shown_address(address: str) -> str:
    """`address` as it may be shown: user name, password, the values of its query and its fragment as `…`."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "…"
    user, _, host = parts.netloc.rpartition("@")
    netloc = f"…@{host}" if user else host
    query = "&".join(f"{name}=…" if equals else "…" for name, equals, _ in map(_halves, parts.query.split("&")) if name)
    return urlunsplit(parts._replace(netloc=netloc, query=query, fragment="…" if parts.fragment else ""))


def _halves(parameter: str) -> tuple[str, str, str]:
    return parameter.partition("=")
