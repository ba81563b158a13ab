"""What several doors do to a question's words before they send them."""

import re

from connectors.clean import clean_text
from connectors.errors import BadQuery
from connectors.stopwords import QUESTION_WORDS, STOP_WORDS

MOST_TERMS = 12
WORDS_TOGETHER = 6
"""More words than these are hardly ever all in one abstract: any of them may match, and relevance decides."""

_PHRASE = re.compile(r'"([^"]+)"')
_WORD = re.compile(r"\w+(?:[-'’./+]\w+)*")
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT|ANDNOT)\b")
_CURLY_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))


def plain_words(source: str, text: str, dropped: str, cap: int) -> str:
    """`text` without the characters of `dropped`, operators in lower case, quotes only in pairs, at most `cap` long.

    People write questions, not expressions: an AND in capitals or a lone quote is not meant as syntax.
    Raises `BadQuery` when no word is left.
    """
    bare = clean_text(text).translate(_CURLY_QUOTES).translate(dict.fromkeys(map(ord, dropped), " "))
    lowered = _OPERATOR.sub(lambda found: found[0].lower(), " ".join(bare.split()))
    words = " ".join(paired_quotes(cut_at_word(lowered, cap)).split())
    if not any(character.isalnum() for character in words):
        raise BadQuery(source, "was not asked: the query holds no words to search for.")
    return words


def query_terms(source: str, text: str) -> list[str]:
    """The phrases and telling words of a question, in letters and digits alone, for sources that match every word.

    A hyphenated word is a phrase of several words; words that only ask ("which papers show …") are left out while
    others remain. Raises `BadQuery` when no word is left.
    """
    text = clean_text(text).translate(_CURLY_QUOTES)
    phrases = [" ".join(_letters(found)) for found in _PHRASE.findall(text)]
    words = [" ".join(_letters(word)) for word in _WORD.findall(_PHRASE.sub(" ", text))]
    telling = [word for word in words if word not in STOP_WORDS and word not in QUESTION_WORDS]
    terms = [term for term in [*phrases, *telling] if term] or [word for word in words if word]
    if not terms:
        raise BadQuery(source, "was not asked: the query holds no words to search for.")
    return list(dict.fromkeys(terms))[:MOST_TERMS]


def _letters(text: str) -> list[str]:
    """The lower-case words of `text` without operators, fields or any other syntax."""
    return re.findall(r"[^\W_]+", text.lower())


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
