"""How many requests there are of each group: `python -m tests.requests`, with `--sealed` of the sealed ones as well."""

import sys
from collections import Counter

from tests.requests.requests import Request, read_open, read_sealed


def counts(requests: list[Request]) -> str:
    """One line a group, and how many requests go on with a conversation."""
    of_group = Counter(request.group for request in requests)
    lines = [f"{many:4}  {group}" for group, many in sorted(of_group.items())]
    return "\n".join([*lines, f"{len(requests):4}  in all, {sum(bool(one.dialog) for one in requests)} with a dialog"])


if __name__ == "__main__":
    sys.stdout.write(f"open\n{counts(read_open())}\n")
    if "--sealed" in sys.argv[1:]:
        sys.stdout.write(f"sealed\n{counts(read_sealed())}\n")
