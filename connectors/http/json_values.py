"""Foreign JSON taken without trust: a value of the expected shape, or an empty one."""


def mapping(value: object) -> dict[str, object]:
    """`value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[object]:
    """`value` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []
