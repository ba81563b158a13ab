"""Split a message into words, in their normalized and their original spelling."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from connectors.records import letters

LONGEST = 120
"""Maximum number of words read; no request about papers is longer."""
_OPENING, _CLOSING = '"“”«„', '"“”»“'
_TOKEN = re.compile(
    r"(?P<quoted>[\"“”«„](?P<inside>[^\"“”«»„]{1,2000})[\"“”»]|(?<!\w)['‘](?P<single>[^'‘’]{3,2000})['’](?!\w))"
    r"|(?P<name>(?:https?://|doi:|arxiv:|pmid:)\S+|\b10\.\d{4,9}/\S+|\b\d{4}\.\d{4,5}\b)"
    r"|(?P<day>\d{4}-\d\d(?:-\d\d)?(?!\d))"
    r"|(?P<number>\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th|s|k)?(?![\w]))"
    r"|(?P<short>\bw/o?(?=\s))"
    r"|(?P<sign>>=|<=|[<>≥≤+])"
    r"|(?P<word>#?[^\W_](?:[\w+]|[-.’'&/](?=\w))*)"
    r"|(?P<mark>[,;:?!()@#-]+|\.+|(?<=\s)[–—](?=\s))"
)
EMPHASIS = frozenset(("actually", "really", "basically", "honestly"))
"""Words that change nothing of what is meant; the titles of papers are compared without them too."""
_EMPHASIS = re.compile(rf"\b(?:{'|'.join(sorted(EMPHASIS))})\b(?![^\"“”]{{0,300}}[\"”])", re.IGNORECASE)
_PARTS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}
_WHOLE = dict(
    pair.split("=")
    for pair in "cannot=can not|can't=can not|won't=will not|whats=what is|whos=who is|whom=who|ive=i have|im=i am"
    "|u=you|pls=please|plz=please|yr=year|yrs=years|smth=something"
    "|rn=right now|ur=your|abt=about|b4=before|bc=because|cuz=because"
    "|thru=through|wat=what"
    "|w/=with|w/o=without|gimme=give me|wanna=want to|thx=thanks|em=them|let's=let us"
    "|summarise=summarize|favourite=favorite|favourites=favorites|coauthor=co-author|coauthors=co-authors|coauthored=co-authored".split(
        "|"
    )
)
_WHOLE |= {
    f"{short}nt": f"{verb} not"
    for verb in "do did does have has had is are was were would could should".split()
    for short in (verb, re.sub(r"(?<=[^aeiou])e|(?<=o)e", "", verb))  # "havnt", "dosnt"
}
_AROUND_YEAR = re.compile(r"(pre|post)-?(\d{4})")
_IS_SHORT = frozenset({"what", "who", "where", "when", "how", "it", "that", "there", "here"})
SENTENCE_ENDS = frozenset(".?!")


class Token(NamedTuple):
    """A word: `key` is its normalized spelling, `text` the original; `quoted` marks text in quotation marks."""

    key: str
    text: str
    quoted: bool = False
    start: int = 0
    end: int = 0

    @property
    def is_capital(self) -> bool:
        """Whether the word is capitalized like a name."""
        return self.text[:1].isupper() or any(map(str.isupper, self.text[1:]))


def tokens_of(message: str, most: int = LONGEST) -> tuple[Token, ...]:
    """Return the first words and punctuation marks of a message, at most about `most`, with contractions expanded."""
    tokens: list[Token] = []
    message = _EMPHASIS.sub(lambda match: " " * len(match[0]), message)
    for match in _TOKEN.finditer(message):
        inside = match["inside"] or match["single"]
        if inside is not None:
            tokens.append(Token(folded(inside), inside.strip(), True, *match.span()))
        else:
            tokens += _parts(
                match[0].rstrip("?!.,;:") or match[0], match.start(), (match["word"] or match["short"]) is not None
            )
        if len(tokens) >= most:
            break
    return tuple(tokens)


def _parts(text: str, start: int, is_word: bool) -> list[Token]:
    key, end = folded(text), start + len(text)
    if not is_word:
        return [Token(key, text, False, start, end)]
    if key in _WHOLE:
        return [Token(part, part, False, start, end) for part in _WHOLE[key].split()]
    if match := _AROUND_YEAR.fullmatch(key):
        around, year = ("before" if match[1] == "pre" else "after"), match[2]
        return [Token(around, around, False, start, end), Token(year, year, False, start, end)]
    for ending, written in _PARTS.items():
        if key.endswith(ending) and len(key) > len(ending):
            return [
                Token(key.removesuffix(ending), text[: -len(ending)], False, start, end),
                Token(written, written, False, start, end),
            ]
    if key.endswith("'s"):
        base = key[:-2]
        second = Token("is", "is", False, start, end) if base in _IS_SHORT else Token("'s", "'s", False, end, end)
        return [Token(base, text[:-2], False, start, end - 2), second]
    if key.endswith("'") and len(key) > 2:
        return [Token(key[:-1], text[:-1], False, start, end - 1), Token("'s", "'s", False, end, end)]
    return [Token(key, text, False, start, end)]


@lru_cache(maxsize=4_096)
def folded(text: str) -> str:
    """Normalize `text`: lowercase, no accents, one kind of apostrophe."""
    return letters.folded(text.replace("’", "'").replace("‘", "'"))


def last_word(keys: Sequence[str]) -> int:
    """Return the index after the last word, before the punctuation at the end."""
    return next((at + 1 for at in reversed(range(len(keys))) if any(map(str.isalnum, keys[at]))), 0)


def written(tokens: Sequence[Token]) -> str:
    """Return the words in their original spelling, separated by single spaces."""
    text = " ".join(token.text for token in tokens)
    return text.replace(" 's", "'s").replace(" ,", ",").replace(" :", ":")
