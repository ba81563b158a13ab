"""Foreign JSON taken without trust: a value of the expected shape, or an empty one."""

LONGEST_LIST = 20_000
"""Most values of one array that are read: more than any list of authors, references or results has."""


def mapping(value: object) -> dict[str, object]:
    """`value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[object]:
    """The first `LONGEST_LIST` values of `value` if it is a JSON array, else an empty one."""
    if not isinstance(value, list):
        return []
    return value if len(value) <= LONGEST_LIST else value[:LONGEST_LIST]
