"""Kinds of papers: preprints, journal articles, books, surveys."""

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases

_NOT = (
    "[but|and|that|which|are] [are|is] (not|no|neither|nor|without|excluding|except|except for|but no|other than|minus|"
    "about) [a|any|the|all]"
)
_SURVEYS = "([literature] survey/surveys/overview/overviews [paper/papers/article/articles])"
_KINDS = (
    ("preprint", "preprint/preprints [papers|articles|only]"),
    ("conference-paper", "conference/proceedings/workshop [paper/papers/article/articles|contributions|only]"),
    ("article", "journal (paper/papers/article/articles|publications|only)"),
    ("book", "book/books/textbook/textbooks/monograph/monographs"),
    ("chapter", "[book] chapter/chapters"),
    ("thesis", "[phd|doctoral|master|master's] (theses|thesis|dissertation/dissertations)"),
    ("report", "[technical|tech] (report/reports)"),
    ("dataset", "dataset/datasets/data sets"),
    ("review", "[literature] (reviews|review (paper/papers/article/articles)|review)"),
)
_PREFIX = "[all|any|only|some] [that|which] [are|is] [of (type|the type)|a|an]"
_WANTED = tuple((kind, Phrases(f"{_PREFIX} {said}")) for kind, said in _KINDS)
_UNWANTED = tuple((kind, Phrases(f"{_NOT} {said}")) for kind, said in _KINDS)
_WANTED_SURVEYS, _UNWANTED_SURVEYS = Phrases(f"{_PREFIX} {_SURVEYS}"), Phrases(f"{_NOT} {_SURVEYS}")
_MAY_FOLLOW = frozenset(
    """on of about from since by in with before after published that which are is i have not without most more , . paper
    papers article articles until at sorted newest oldest my tagged at and or but between up later like cited saved
    only there do""".split()
)
"""What may stand behind a kind: another noun means that both are a subject ("book recommendation")."""


def read_kinds(choice: Choice) -> None:
    """Types of papers that are wanted and not wanted; surveys are told by their words, for few are typed as such."""
    if _takes(choice, _UNWANTED_SURVEYS):
        choice.add("without", "survey", "review", "overview")
    elif _takes(choice, _WANTED_SURVEYS):
        choice.add("any_words", "survey", "review", "overview")
    for kind, phrases in _UNWANTED:
        if _takes(choice, phrases):
            choice.add("without_types", kind)
    for kind, phrases in _WANTED:
        if _takes(choice, phrases):
            choice.add("types", kind)


def _takes(choice: Choice, phrases: Phrases) -> bool:
    found = phrases.find(choice.text)
    if found is None:
        return False
    behind = choice.text[found.end :].replace(",", " , ").split()
    if behind and behind[0].strip("?!;").lower() not in _MAY_FOLLOW:
        return False
    before = choice.text[: found.start].rstrip(" ").split()
    if before and before[-1].lower() in ("about", "on", "systematic"):
        return False
    choice.cut(found.start, found.end)
    return True
