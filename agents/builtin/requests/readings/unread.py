"""Words of a request that nothing of its plan rests on: a person is told which they are."""

import json
import re
from collections.abc import Sequence

from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.scene import Call, Scene
from agents.builtin.requests.slot_kinds import KINDS
from agents.builtin.requests.vocabulary import FORM, KNOWN, NUMBERS, ORDINALS
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_WORD = re.compile(r"[^\W\d_][\w'+#.-]*[\w+#]")
_DATE = re.compile(rf"(?<!\w){KINDS['date']}", re.IGNORECASE)
_TIME = re.compile(rf"(?:{KINDS['monthname']}|{KINDS['weekday']}|{KINDS['decade']}|{KINDS['unit']})", re.IGNORECASE)
_IN_PASSING = frozenset(
    """actually again ahead almost alright anyway anyways basically certainly clearly correct curious currently
    definitely
    desk everyone exactly fellow folks friend gladly guess guys hopefully honestly however indeed instead kindly maybe
    mean mine moment myself nicely obviously okay perhaps possibly presumably probably quick quickly real really
    roughly simply slowly somehow sometimes sorry suddenly super sure surely think thought truly unfortunately usually
    well wonder wondering yeah yourself afternoon coffee colleague evening meeting session supervisor tonight trip
    """.split()
)
"""Words that are said beside a request and ask for nothing."""
_SAY_NOTHING = STOP_WORDS | QUESTION_WORDS | _IN_PASSING | FORM
_VOCABULARY = frozenset(word for said in KNOWN.values() for word in re.findall("[a-z]{3,}", said))


def unread(text: str, calls: Sequence[Call]) -> tuple[str, ...]:
    """The words of `text` that no reader listens for and that stand in no argument of the steps, as they were said."""
    given = json.dumps([dict(call.arguments) for call in calls], ensure_ascii=False, default=str).casefold()
    words = dict.fromkeys(found[0].removesuffix("'s") for found in _WORD.finditer(_DATE.sub(" ", text)))
    return tuple(word for word in words if _asks(word) and not _stands(word.casefold(), given))


def is_told(phrase: str, text: str) -> bool:
    """Whether `text` tells a phrase as a subject, and does not only hold it."""
    return re.search(rf"{_ABOUT} (?:\w+ ){{0,2}}{re.escape(phrase)}", text, re.IGNORECASE) is not None


def numbers_unread(text: str, calls: Sequence[Call]) -> list[str]:
    """The years and numbers of `text` that no step is given, nor the one after or before: "after 2022" begins in
    2023."""
    given = set(re.findall(r"\d+", json.dumps([dict(call.arguments) for call in calls], default=str)))
    said = [number.replace(",", "") for number in re.findall(r"(?<![\w.,-])\d[\d,]*(?![\w-]|[.,]\d)", text)]
    return [number for number in said if number and not {str(int(number) + step) for step in (-1, 0, 1)} & given]


def content_words(text: str) -> list[str]:
    """The words of `text` that could be a condition, or that rules listen for: not those that say nothing by
    themselves."""
    return [word for word in dict.fromkeys(_WORD.findall(text)) if word.casefold() not in _SAY_NOTHING]


def is_heard(word: str) -> bool:
    """Whether some rule listens for a word, or for each part of it that is one: "co-authored"."""
    parts = [part for part in word.split("-") if len(part) > _SHORT] or [word]
    return all(part in HEARD or part in _VOCABULARY for part in parts)


def no_subjects(text: str, calls: Sequence[Call], scene: Scene) -> tuple[str, ...]:
    """Phrases that were taken for the subject, for nothing else was left to take them for: no paper has them, and they
    are words of asking ("the last", "reading recommendations"). None that `text` tells as a
    subject."""
    if not calls or calls[0].tool != "filter":
        return ()
    phrases = calls[0].arguments.get("words", ())
    return tuple(phrase for phrase in phrases if _only_asks(phrase, text) and not scene.is_subject(phrase))


_ABOUT = (
    r"\b(?:about|on|concerning|regarding|covering|mention\w*|discuss\w*|using|use|uses|with|related to|like|for|say of)"
)
"""What a subject is told with."""


def _only_asks(phrase: str, text: str) -> bool:
    words = [word.casefold() for word in _WORD.findall(phrase)]
    if f'"{phrase}"' in text or re.search(rf"{_ABOUT} (?:\w+ )?{re.escape(phrase)}", text, re.IGNORECASE):
        return False
    return all(is_heard(word) or word in _SAY_NOTHING for word in words)


def _asks(word: str) -> bool:
    """Whether a word could be a condition: not one that rules listen for, nor one that says nothing by itself."""
    small = word.casefold()
    if is_heard(small) or small in NUMBERS or small in ORDINALS or _TIME.fullmatch(word):
        return False
    if small in _SAY_NOTHING:
        return False
    return len(word) > _SHORT or (len(word) > 1 and word.isupper())


_SHORT = 3
"""Letters of words that name something only in capitals."""


def _stands(small: str, given: str) -> bool:
    """Whether the word, or what it is with another ending, stands in what the steps are given."""
    return small in given or (len(small) > _SHORT + 1 and small.rstrip("s") in given)
