"""What speaks against a reading of a request: it is not understood, takes words of asking for a name or a subject, or
leaves something of the request out."""

import re
from collections.abc import Iterator, Sequence

from agents.builtin.requests.readings.unread import content_words, is_heard, is_told, numbers_unread
from agents.builtin.requests.references import pointed_at
from agents.builtin.requests.scene import Call, Reading, Scene
from agents.builtin.requests.sentences.verbatim import QUOTED

NOT_UNDERSTOOD, NO_NAME, NO_SUBJECT, NUMBER, UNREAD = 4.0, 3.0, 2.0, 1.0, 0.5
"""How much each of these speaks against a reading: no reader knows what is wanted; a name that nobody has; a subject
that no paper has; a number, a word that no step is given."""
_AT_ODDS = 2.5
_A_REFUSAL = 3.0
_MOST_UNREAD = 3
_FEW_WORDS = 4


def doubt_of(reading: Reading, text: str, scene: Scene) -> float:
    """How much speaks against a reading: 0 is nothing."""
    if not reading.understood:
        return NOT_UNDERSTOOD
    if not reading.calls:
        return _A_REFUSAL if reading.reply.startswith("No paper can") else 0.0
    doubt = UNREAD * min(len(reading.unread), _MOST_UNREAD) + _AT_ODDS * _is_at_odds(reading.calls)
    for call in reading.calls:
        doubt += NO_SUBJECT * _asks_for_a_pronoun(call)
        doubt += NO_NAME * sum(_is_no_name(name, text, scene) for name in _names(call))
        phrases = call.arguments.get("words", ()) if call.tool == "filter" else ()
        doubt += NO_SUBJECT * sum(_is_no_subject(phrase, text, scene) for phrase in phrases)
        doubt += NO_SUBJECT * (bool(phrases) and _is_left_over(call, text, scene, reading.onward))
    doubt += NUMBER * len(numbers_unread(text, reading.calls)) * bool(reading.calls)
    return doubt


def _is_left_over(call: Call, text: str, scene: Scene, onward: bool) -> bool:
    """Whether a phrase was taken for the subject that nothing tells as one, and nothing meets the choice with it."""
    phrases = call.arguments["words"]
    loose = [phrase for phrase in phrases if not is_told(phrase, text) and f'"{phrase}"' not in text]
    asking = any(is_heard(word.casefold()) for phrase in loose for word in phrase.split())
    return bool(loose) and (asking or len(call.arguments) > 1) and not scene.has_any(call.arguments, onward)


def _is_at_odds(calls: Sequence[Call]) -> bool:
    """Whether steps are in each other's way: a list of which nothing is seen, or two runs of one kind."""
    tools = [call.tool for call in calls]
    unseen = "list" in tools[:-1] and tools[-1] in ("profile", "runs", "recommend", "search")
    return unseen or any(tools.count(tool) > 1 for tool in ("search", "summarize", "recommend", "profile", "runs"))


_PRONOUN = re.compile(r"\b(?:it|its|them|these|those|this one|that one)\b", re.IGNORECASE)


def _asks_for_a_pronoun(call: Call) -> bool:
    """Whether a run is begun on a word that points at papers: no source knows what "it" is."""
    asked = str(call.arguments.get("question") or call.arguments.get("topic") or "") if call.tool == "search" else ""
    return _PRONOUN.search(asked) is not None and len(content_words(asked)) < _FEW_WORDS


def _names(call: Call) -> Iterator[str]:
    for key in ("papers", "paper", "unlike", "prefer", "except_papers"):
        value = call.arguments.get(key, ())
        yield from (value,) if isinstance(value, str) else value if isinstance(value, list | tuple) else ()


def _is_no_name(name: str, text: str, scene: Scene) -> bool:
    """Whether words that were taken for a paper's name are none: nobody is called so, and it is not written as one."""
    if pointed_at(name, scene) or name[:1] in "@#" or scene.is_title(name):
        return False
    quoted = any(name.strip("\"'") in found[0] for found in QUOTED.finditer(text))
    words = name.split()
    return not quoted and len(words) > 1 and any(is_heard(word.casefold()) for word in words)


def _is_no_subject(phrase: str, text: str, scene: Scene) -> bool:
    """Whether a phrase was taken for the subject that no paper has, nor all of its words somewhere."""
    return f'"{phrase}"' not in text and not all(scene.is_subject(word) for word in phrase.split())
