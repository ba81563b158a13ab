"""Names and titles in plain ASCII letters, for citation keys."""

import re
import unicodedata

from anyascii import anyascii


def to_ascii(text: str) -> str:
    """`text` in ASCII: Latin letters without their marks, other scripts transliterated."""
    return text if text.isascii() else anyascii(unicodedata.normalize("NFC", text))


def words(text: str) -> list[str]:
    """The ASCII words of `text`; an apostrophe does not part a word: `O'Neil` is `ONeil`."""
    return re.findall(r"[A-Za-z0-9]+", re.sub(r"['’‘ʼ`]", "", to_ascii(text)))
