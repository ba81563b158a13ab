"""What a model says in its own words, made fit to be shown as its own."""

import re

from agents.builtin.text.prompt_injection import looks_injected
from connectors.records.clean import clean_text

_LINK = re.compile(r"\(?\b(?:https?://|www\.|doi:\s*10\.|10\.\d{4,9}/|arxiv:)\S*", re.IGNORECASE)
_MARK = re.compile(
    r"\\cite\w*\{[^{}]*\}|\[?@[\w:./-]+\]?|\s*\[\s*@?[^\[\]]{0,80}\]|\s*\((?:[^()]*,\s*)?(?:19|20)\d\d[a-z]?\)|\bp\d{1,3}\b"
)


def remark(text: str, cap: int = 300) -> str:
    """A sentence of the model's about its work, to be shown as its own; "" if it passes an order on."""
    sentence = without_marks(clean_text(text, cap))
    return "" if looks_injected(sentence) else sentence


def without_marks(text: str) -> str:
    """`text` without links, reference marks, years in brackets and keys."""
    bare = _MARK.sub("", _LINK.sub("", text))
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(bare.split())).strip()
