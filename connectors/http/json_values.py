"""Untrusted JSON: return a value of the expected type, or an empty one."""

LONGEST_LIST = 20_000
"""Maximum number of values read from one array: more than any list of authors, references or results has."""


def mapping(value: object) -> dict[str, object]:
    """Return `value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[object]:
    """Return the first `LONGEST_LIST` values of `value` if it is a JSON array, else an empty list."""
    if not isinstance(value, list):
        return []
    return value if len(value) <= LONGEST_LIST else value[:LONGEST_LIST]
