"""Disable links in text by a model that has read texts of strangers: a stranger may have chosen where they lead."""

import re

_INSIDE_LINK = re.compile(
    r"(?<=\w:)(?=//)|(?<=\bwww\.)(?=\S)|(?<=\bmailto:)(?=\S)|(?<=\bjavascript:)(?=\S)"  # URLs
    r"|(?<=[^\W\d]\.)(?=[a-z]{2,}/)|(?<=\w)(?=@\w)"  # a host without a scheme, an e-mail address
    r"|(?<=\])(?=[(\[:])",  # Markdown
    re.IGNORECASE,
)


def without_links(text: str) -> str:
    """Insert a space into every address and Markdown link in `text`, so that no terminal or reader makes it
    clickable."""
    return _INSIDE_LINK.sub(" ", text)
