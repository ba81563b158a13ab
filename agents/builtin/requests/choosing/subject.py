"""What is left when all else is read: the subject, as phrases that must all stand in a paper."""

import re

from agents.builtin.question_parsing.spans import plain
from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.vocabulary import FORM
from connectors.query.stopwords import STOP_WORDS

_HERE = Phrases("""
    [that|which] [are|is] {library}
    [that] i have
    do i have
    do you have
    (are|is) there [any]
    have i got
    [that] you (know|have) [of]
    [ever] found
    known here
    [that] (the|my|this|our) [whole|entire] (library|collection|database) (holds|has|contains|knows|lists|stores|got)
    (does|do) (my|the|this|our) [whole|entire] (library|collection|database|shelf) (contain|hold|have|know|list) [of]
    (is|are) (contained|held|stored|there) {library}
    i got
    exist/exists
    (of|from) all (time|times)
    all time
    (so far|until now|up to now|thus far|up to this point)
    (at all|whatsoever|as well)
    ever [written|published]
    have we [got]
    (has|have|holds|hold|does|do) (my|the|this|our) [whole|entire] (library|collection|database|catalog) [inside|in it
        |got]
    [that|which] [are|is] (held|contained|kept|stored|found|present|listed) [in|by] (my|the|this|our) [whole|entire]
        (library|collection|database|catalog)
""")
_QUOTED = re.compile(r'"([^"]{2,100})"')
_PARTS = re.compile(
    r"\s+(?:and|or|for|in|with|using|of|on|from|to|by|via|through|under|within|across|between|among|about|at|into|as|that"
    r"|which"
    r"|where|but)\s+|\s*[,;:.?!](?:\s+|$)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w.'+#-]*")
_HOLLOW = frozenset(
    """
    together alone papers paper articles article publications ones one anything something everything any all some
    among amongst
    things thing list show me the a an that which are is was were be been to do does did and or of on in about by
    for from with at as my your our there here please only just also have has had i we you it its they them these
    this those too much many most more how what where when who published written related concerning regarding
    dealing mention mentioning mentions again still yet newest oldest latest recent first top good best great nice
    interesting relevant find give get need want looking sort appeared released came out titled named called other
    others else deal deals talk talks discuss discusses shelf saved display print see name no not such tell know
    would like could can will if anybody someone us now then so well instead both each every hits entries items
    year years dates but per cited rather same matching match matches using used use say says said whatever really
    actually maybe perhaps probably kindly tagged ever already appear appears come comes got look looks let single
    few lot lots bunch couple own exactly literally starting beginning start begin together alone left remain remaining
        remains pick choose select go also too jointly though although either recently lately whatsoever
    treat
    covers cover covered addresses addressed treats treated involves explores explored examines examined investigates
    enumerate fetch bring such having em w n r u however otherwise furthermore moreover happen happens
    ones' kind sort neither nor whether than descending ascending order ordered sorted ranked overall altogether
    """.split()
)
_MAY_END = frozenset({"use"})
"""Hollow words that a subject may end with: "tool use"."""
_WEAK = frozenset(
    """publication search study studies literature research author authors title date collection record records
    kind subject field work works review reviews topic topics area venue venues set result results stuff library
    reading note notes""".split()
)
"""Words that say nothing by themselves, but belong to a subject beside another: "literature search"."""


_NO_SUBJECT = FORM | _WEAK | _HOLLOW | STOP_WORDS


def read_subject(choice: Choice) -> None:
    """Phrases of the subject; a phrase in quotation marks stays whole."""
    while choice.take(_HERE) is not None:
        pass
    text = plain(choice.text)
    phrases = list(_QUOTED.findall(text))
    for part in _PARTS.split(topic_of(_QUOTED.sub(" , ", text).strip(" .?!,;"))):
        if (words := _telling(part)) and not _is_form(text, words):
            phrases.append(" ".join(words))
    people = [phrase for phrase in phrases if _is_somebody(choice, phrase)]
    if people:
        choice.add("any_authors" if len(people) > 1 and _EITHER.search(topic_of(text)) else "authors", *people)
        phrases = [phrase for phrase in phrases if phrase not in people]
    if "any_words" not in choice.conditions and (either := _either(topic_of(text), phrases)):
        choice.add("any_words", *either)
        if others := [phrase for phrase in phrases if phrase not in either]:
            choice.add("words", *others)
    elif phrases:
        choice.add("words", *phrases)


def _is_somebody(choice: Choice, phrase: str) -> bool:
    """Whether a phrase that no paper speaks of is the name of an author, which nothing beside it says."""
    if not phrase[:1].isupper() or phrase.isupper() or f'"{phrase}"' in choice.text:
        return False
    return not choice.scene.is_subject(phrase) and choice.scene.is_author(phrase)


def _either(text: str, phrases: list[str]) -> list[str]:
    """The two phrases of which one is enough: "private or federated training of models" is of models all the same."""
    if len(phrases) == 2 and _EITHER.search(text):
        return phrases
    places = [at for at in range(len(phrases) - 1) if f"{phrases[at]} or {phrases[at + 1]}" in text]
    return phrases[places[0] : places[0] + 2] if len(places) == 1 else []


_EITHER = re.compile(r"^[^,;]+ or (?:about |on )?[^,;]+$")
"""Of two phrases one is enough: "distillation or compression"."""


def _telling(part: str) -> list[str]:
    """The words of a part without those around them that say nothing."""
    words = [word.strip(".'") for word in _WORD.findall(part)]
    while words and words[0].lower() in _HOLLOW:
        words.pop(0)
    while words and words[-1].lower() in _HOLLOW - _MAY_END:
        words.pop()
    return words if any(word.lower() not in _WEAK for word in words) else []


def _is_form(text: str, words: list[str]) -> bool:
    """Whether a phrase is of words of form alone, and not told as the subject: "records limited to"."""
    if any(word.lower() not in _NO_SUBJECT for word in words):
        return False
    return re.search(rf"{_TOLD} {re.escape(' '.join(words))}\b", text, re.IGNORECASE) is None


_TOLD = r"\b(?:about|concerning|regarding|covering|mentioning|discussing|on)(?: the)?"
"""Before what is told as a subject."""


SUBJECT = Phrases("{about} <:text>", "(mention/mentions/mentioning/discuss/use) <:text>")
"""Where a subject is told as one."""


def told_subject(text: str) -> bool:
    """Whether the words that are left of `text` are told as a subject, and not only words of asking."""
    return SUBJECT.find(text) is not None
