"""Links in the words of a model that has read texts of strangers: they may lead where a stranger wants."""

import re

_INSIDE_LINK = re.compile(
    r"(?<=\w:)(?=//)|(?<=\bwww\.)(?=\S)|(?<=\bmailto:)(?=\S)|(?<=\bjavascript:)(?=\S)"  # addresses
    r"|(?<=[^\W\d]\.)(?=[a-z]{2,}/)|(?<=\w)(?=@\w)"  # a host without a scheme, an e-mail address
    r"|(?<=\])(?=[(\[:])",  # Markdown
    re.IGNORECASE,
)


def without_links(text: str) -> str:
    """`text` with a space in every address and Markdown link, so that no terminal or reader makes it a link."""
    return _INSIDE_LINK.sub(" ", text)
