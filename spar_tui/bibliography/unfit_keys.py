"""Which citation keys BibTeX and biber cannot read."""

import re

LONGEST_OF_A_PERSON = 200
"""Maximum length of a key that a person made."""
_FORBIDDEN = re.compile(r"[\s\"#%'(),={}~\\]")
"""Characters that end a key in BibTeX or biber, or are special in LaTeX."""

_PATH = re.compile(r"^/|(?:^|[/\\])\.\.?(?:[/\\]|$)")


def is_path(key: str) -> bool:
    """Whether a key is a path from the root or to another folder, unlike `10.1000/x` and `DBLP:conf/x`."""
    return _PATH.search(key) is not None


def unfit_key(key: str) -> str:
    """Return why BibTeX or biber cannot read a person's `key`; "" if they can."""
    if not key:
        return "a key needs at least one character"
    if len(key) > LONGEST_OF_A_PERSON:
        return f"a key can have at most {LONGEST_OF_A_PERSON} characters"
    if match := _FORBIDDEN.search(key):
        sign = "a space" if match[0].isspace() else match[0]
        return f"BibTeX or biber cannot read a key with {sign} in it"
    if is_path(key):
        return "a key cannot be the path of a file"
    return "" if key.isprintable() else "a key cannot have invisible characters"
