"""Kinds of papers: preprints, journal articles, books, surveys."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases

_NOT = (
    "[but|and|that|which|are] [are|is] (not|no|neither|nor|without|excluding|except|except for|but no|other than|minus|"
    "about) [a|any|the|all]"
)
_SURVEYS = "([literature] survey/surveys/overview/overviews [paper/papers/article/articles])"
_KINDS = (
    ("preprint", "preprint/preprints [papers|articles|only]"),
    (
        "conference-paper",
        (
            "(conference/proceedings/workshop [paper/papers/article/articles|contributions|only]"
            "|(published|presented|appeared|given|from) (at|in|on) [a|any"
            "|some] conference/conferences/workshop/workshops)"
        ),
    ),
    (
        "article",
        (
            "(journal (paper/papers/article/articles|publications|only)"
            "|(published|appeared|printed) (in|by) [a|any|some] journal/journals|from journals)"
        ),
    ),
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
    only there do the we you did does has had will can authored written coauthored co-authored penned whose where having
    carrying lacking being who for while when than under over above below out came come such please no never any all am
    should would could may must whatever still yet other remain remains
    remaining exist exists they these those this left to among within""".split()
)
"""What may stand behind a kind: another noun means that both are a subject ("book recommendation")."""


_NOUN = (
    r"(?:(?:journal|conference|review|survey|workshop) (?:papers?|articles?)|preprints?|surveys?|reviews?|overviews?"
    r"|books?|textbooks?|chapters?|theses|thesis|dissertations?|reports?|datasets?|proceedings)"
)
_NEITHER = re.compile(
    rf"\b(?P<no>no|not|without|excluding|except(?: for)?|neither|minus) (?P<any>any "
    rf"|the )?(?P<one>{_NOUN})(?:, ?| ?/ ?|,? (?:and|or|nor)"
    rf" )(?:(?:no|any|the) )?(?P<other>{_NOUN})\b",
    re.IGNORECASE,
)
"""Several kinds behind one negation, each of which is not wanted: "no surveys or preprints"."""


def read_kinds(choice: Choice) -> None:
    """Types of papers that are wanted and not wanted; surveys are told by their words, for few are typed as such."""
    for _ in range(_MOST):
        choice.text, again = _NEITHER.subn(r"\g<no> \g<one> , \g<no> \g<other>", choice.text)
        if not again:
            break
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


_MOST = 4
"""Kinds behind one negation, at most."""


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
