"""Papers by what they are like: the reader that is asked last, for it understands most."""

import re
from collections.abc import Sequence

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import ALL, IT, SHOWN, pointed_at
from agents.builtin.requests.scene import Reading, Scene, plan, step
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_PAPERS = Phrases("""
    paper/papers/article/articles/publication/publications/preprint/preprints/survey/surveys/review/reviews/book/books/literature/work/works/research/results/theses/thesis/reports/everything/studies/publications/contributions/pdfs/records/entries/titles
    (something/anything/stuff/things/ones) (on|about|by|from|like|since)
    on/about/by <:any>
""")  # fmt: skip
_PAPERS_THEMSELVES = Phrases("""
    paper/papers/article/articles/publication/publications/preprint/preprints/survey/surveys/review/reviews/literature/work/works/research/studies/anything/something/everything/stuff/contributions/pdfs/records/entries/titles
""")
_ASKS_OTHERWISE = Phrases("""
    how/why/when/where/who/whose/can/could/will/would/should/is/are/am/was/were/do/does/did/make/book/play/sing/write/translate/compute/calculate/buy/call/send/open/tell/what/which/order/turn/switch/explain/please/drop/delete/erase/format/install/run/ignore/forget/email/mail/print/close/stop/start/quit/i/you/we/let/help/say/set
        <:text>
""")  # fmt: skip
_NO_REQUEST = Phrases("""
    delete/erase/drop/ignore/write/insert/update/compute/translate/sing/play/i/you/we/kill/buy/send/call/book/cook/calculate/draw/paint/remind/turn/make/solve/destroy/remove/forget/email/mail/close/quit
        <:text>
    select */count <:text>
""")  # fmt: skip
"""Commands that are none for this desk, whatever they are about."""
_THE_ONE = Phrases("""
    [and] (which|what|{what_is}|{show}|and|who) [is|was] [one|paper|of these|of those|of them] [is|was] [the]
        [single] (most|newest|oldest|latest|earliest|highest|best|closest|nearest) <:any>
    [and] (which|what) [one|paper|of them|of these|of those] (is|was|has|fits|suits|would|should|do|does) <:text>
    the (most|newest|oldest|latest|earliest|highest) <:text>
""")  # fmt: skip
_ONE = re.compile(
    r"\b(?:most|least|fewest|newest|oldest|latest|earliest|best|highest)\b.*\b(?:paper|article|one|preprint|survey"
    r"|book|review)\b",
    re.IGNORECASE,
)
_ON_TOP = re.compile(r"\b(?:at|on|to) (?:the )?(?:top|front|beginning|head|start)\b", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:papers|articles|ones|works|preprints|surveys|books|first|these|those|them)\b", re.IGNORECASE
)
_WHICH_HAS = re.compile(
    r"\b(?:which|what)\b(?! (?:papers|articles|ones|works|are|have|were|\d+|two|three|four|five)\b)[^,;]* (?:has|is"
    r"|was|had|got|gets|came out) (?:been )?(?:cited )?(?:the )?"
    r"(?:very )?(?:most|newest|oldest|latest|earliest|highest|fewest|least|first|last)\b",
    re.IGNORECASE,
)
"""Of several, one: "which of my papers has the most citations"."""
_LONGEST_SUBJECT = 12
"""Words of a subject that stands alone."""


_OF_SOME = Phrases("[which|what|and] [one|ones|papers] (of|from|among|out of|within) <rest:text>")
_MOST_POINTING = 7
"""Words that point at papers, at most: "the first, the second and the fifth"."""


def _of_some(text: str, scene: Scene) -> Reading | None:
    """A choice among some of the list: "of the first five only those since 2014"."""
    if scene.candidates is None or (slots := _OF_SOME.match(text)) is None:
        return None
    words = slots["rest"].split()
    for size in range(min(len(words) - 1, _MOST_POINTING), 1, -1):
        names = pointed_at(" ".join(words[:size]), scene)
        if names and names[0] not in (SHOWN, ALL, IT):
            further = chosen(f"of them {' '.join(words[size:])}", scene)
            return further and further._replace(calls=(step("take", papers=list(names)), *further.calls), onward=True)
    return None


def chosen(text: str, scene: Scene) -> Reading | None:
    """Papers that meet conditions, in an order; None where nothing says that papers are meant."""
    if some := _of_some(text, scene):
        return some
    choice = read_choice(text, scene)
    if choice.contradiction:
        return Reading(reply=f"No paper can be {choice.contradiction} at once.")
    if not choice.says_something or not _means_papers(choice, text):
        return None
    if choice.order and not (choice.conditions or choice.is_soft) and scene.candidates is not None:
        choice.onward = True  # an order alone is of the list that is there
    if choice.order and choice.limit is None and _asks_for_one(choice, text):
        choice.limit = 1
    shown = [step("take", papers=[SHOWN])] if choice.onward and scene.is_excerpt and choice.conditions else []
    return plan(*shown, *choice.calls(), step("list", limit=choice.limit), onward=choice.onward)


def _asks_for_one(choice: Choice, text: str) -> bool:
    if _WHICH_HAS.search(text) is not None:
        return True
    if " first" in text or text.endswith(" last") or _ON_TOP.search(text):
        return False
    if _ONE.search(text) and not _SEVERAL.search(text):
        return True
    if _THE_ONE.match(text) is None:
        return False
    return re.search(r"\b(?:papers|articles|ones|works|preprints|surveys|books|are|were|first)\b", text) is None


def _is_strange(words: Sequence[str], told: Sequence[str], others: set[str], choice: Choice) -> bool:
    """Whether what was taken for several subjects is mostly words that no paper has, and nothing else of papers is
    said: "a seat in the reading room tomorrow"."""
    if len(words) < 2 or len(told) < _FEW_WORDS or others - {"types", "since", "until"} or choice.onward:
        return False
    return 2 * sum(map(choice.scene.is_word, told)) < len(told) and not choice.order


_FEW_WORDS = 3


def _means_papers(choice: Choice, text: str) -> bool:
    """Whether papers are spoken of, or a subject stands alone that the library has something on."""
    if _NO_REQUEST.match(text) is not None and not choice.onward:
        return False
    words = choice.conditions.get("words", ())
    others = set(choice.conditions) - {"words", "any_words", "without"}
    told = [word for phrase in words for word in phrase.split() if word.lower() not in STOP_WORDS | QUESTION_WORDS]
    known = any(map(choice.scene.is_word, told))
    if _is_strange(words, told, others, choice) and _PAPERS.find(text) is None:
        return False
    if choice.like or choice.unlike or choice.like_words:
        return True
    if (
        _ASKS_OTHERWISE.match(text) is not None
        and not known
        and _PAPERS_THEMSELVES.find(text) is None
        and not (others or choice.order or choice.onward)
    ):
        return False
    if _PAPERS.find(text) is not None:
        return True
    if others or choice.order or choice.onward:
        return not words or (known and len(text.split()) <= _LONGEST_SUBJECT)
    return known and len(text.split()) <= _LONGEST_SUBJECT and _ASKS_OTHERWISE.match(text) is None
