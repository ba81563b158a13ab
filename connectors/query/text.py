"""What several sources do to a question's words before they send them."""

import re

from connectors.errors import NotAskable
from connectors.records.clean import clean_text

_OPERATOR = re.compile(r"\b(?:AND|OR|NOT|ANDNOT)\b")
_CURLY_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))


def plain_words(source: str, text: str, dropped: str, cap: int) -> str:
    """`text` without the characters of `dropped`, operators in lower case, quotes only in pairs, at most `cap` long.

    People write questions, not expressions: an AND in capitals or a lone quote is not meant as syntax.
    Raises `NotAskable` when no word is left.
    """
    bare = clean_text(text).translate(_CURLY_QUOTES).translate(dict.fromkeys(map(ord, dropped), " "))
    lowered = _OPERATOR.sub(lambda found: found[0].lower(), " ".join(bare.split()))
    words = " ".join(paired_quotes(cut_at_word(lowered, cap)).split())
    if not any(character.isalnum() for character in words):
        raise NotAskable(source, "the query holds no words to search for.")
    return words


def cut_at_word(text: str, cap: int) -> str:
    """`text` with at most `cap` characters, cut between words where it can be."""
    if len(text) <= cap:
        return text
    head = text[: cap + 1].rpartition(" ")[0]
    return head or text[:cap]


def paired_quotes(text: str) -> str:
    """`text` with the quotes of its phrases, without those that open or hold nothing."""
    parts = text.split('"')
    if len(parts) % 2 == 0:
        return " ".join(parts)
    parts[1::2] = [f'"{phrase.strip()}"' if phrase.strip() else "" for phrase in parts[1::2]]
    return "".join(parts)
