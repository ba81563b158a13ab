"""Which of two papers is older, newer, more cited or less cited: "is BERT older than ELMo?", "which came first, BERT or
ELMo?"."""

import re
from collections.abc import Iterator

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.times import read_times
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.references import ALL, SHOWN, bare_name, known_names_in, looks_like_a_name
from agents.builtin.requests.scene import Reading, Scene, plan, step

_MORE = {
    "older": "older|earlier|less recent|sooner|first|before",
    "newer": "newer|younger|later|more recent(?:ly)?|last|after",
    "more_cited": (
        "(?:more|better) (?:often |frequently |highly |widely )?cited|cited more(?: often| frequently)?"
        "|(?:more|the most|most) (?:citations|cites|cited)|(?:higher|highest) citation count"
    ),
    "less_cited": (
        "less (?:often |frequently |highly |widely )?cited|cited less(?: often| frequently)?"
        "|(?:fewer|less|the fewest) (?:citations|cites)|lower citation count"
    ),
}
_THAN = "|".join(f"(?P<{name}>{words})" for name, words in _MORE.items())
_DOES = (
    r"(?:is|was|are|were|has|have|had|did|does|do|got|gets?|came|come|appeared|appear|been|be|out|published|released)"
)
_SO = rf"(?:(?:{_DOES}|the|a|an|written|presented) )*(?:{_THAN})(?: (?:published|released|written|out|one|paper))*"
_WHICH = r"(?:which|what)(?: one| paper| article)?(?: (?:of|from|among) (?:the two|the|them|these|those|both))?"
_FORMS = tuple(
    re.compile(form + "[?.! ]*", re.IGNORECASE)
    for form in (
        rf"{_DOES} (?P<one>\S.*?) {_SO}(?: than| as)? (?P<other>\S.*?)",
        rf"{_WHICH} {_SO}[,:;–-]* ?(?:is it |was it )?(?P<both>\S.* (?:or|and) \S.*?)",
        rf"(?:which|what)(?: one| paper)? (?:of|from|among|between) (?P<both>\S.* (?:and|or) \S.*?),? {_SO}",
        rf"(?:(?:of|between|from|take|given|compare) )?(?P<both>\S.* (?:and|or) \S.*?)[,:;–-]+ {_WHICH} {_SO}",
        rf"{_DOES} (?P<both>\S.* or \S.*?),? {_SO}",
    )
)  # fmt: skip
_JOINT = re.compile(r",? (?:and|or) ", re.IGNORECASE)
_LONGEST = 300
"""Letters of a question, at most."""
_SQL = """
WITH two AS (SELECT id AS paper, title, {column}, {column} AS told FROM papers WHERE title IN ({titles})),
ends AS (SELECT count(told) AS known, min(told) AS least, max(told) AS most FROM two)
SELECT {shown}title, {column}, CASE WHEN known < 2 THEN 'not known' WHEN {alike} THEN 'neither, as far as is known'
WHEN told = {end} THEN 'yes' ELSE 'no' END AS {asked} FROM two, ends ORDER BY told = {end} DESC
"""
_SAME_TIME = "substr(most, 1, length(least)) = least OR substr(least, 1, length(most)) = most"
"""Of a date perhaps the year alone is known."""


def of_two_papers(text: str, scene: Scene) -> Reading | None:
    """Both papers, with what is asked of them; where one of them is not there, that. None where it is not asked."""
    if len(text) > _LONGEST:
        return None
    for form in _FORMS:
        if found := form.fullmatch(text):
            asked = next(name for name in _MORE if found[name])
            for names in _pairs(found.groupdict()):
                if told := _told(names, asked, scene):
                    return told
    return None


def _pairs(slots: dict[str, str | None]) -> Iterator[tuple[str, str]]:
    """The two that are named, in every way in which the words can be parted."""
    if slots.get("one") and slots.get("other"):
        yield str(slots["one"]), str(slots["other"])
    both = slots.get("both") or ""
    for joint in _JOINT.finditer(both):
        yield both[: joint.start()], both[joint.end() :]


def _told(names: tuple[str, str], asked: str, scene: Scene) -> Reading | None:
    (one, other), (title, other_title) = zip(*(_meant(name, scene) for name in names), strict=True)
    if title == other_title:
        return None
    column = "date" if asked in ("older", "newer") else "citations"
    if not (title and other_title):
        name = bare_name(names[1] if title else names[0])
        if _is_time(name, scene):
            return None
        calls = (step("paper", paper=told, parts=[column]) for told in (title or other_title, name))
        return plan(*calls) if name[:1].isupper() or looks_like_a_name(name) else None
    sql = _SQL.format(
        column=column, asked=asked, titles=f"{literal(title)}, {literal(other_title)}",
        shown="" if "@" in (one[:1], other[:1]) else "paper, ",  # what has a place in a list keeps it
        alike=_SAME_TIME if column == "date" else "least = most",
        end="least" if asked in ("older", "less_cited") else "most",
    )  # fmt: skip
    return plan(step("query", sql=" ".join(sql.split())))


def _is_time(name: str, scene: Scene) -> bool:
    """Whether a time is meant, and no paper: "did it come out before June 2019?"."""
    told = Choice(f"papers before {name}", scene)
    read_times(told)
    return not told.conditions.keys().isdisjoint({"since", "until"})


def _meant(name: str, scene: Scene) -> tuple[str, str]:
    """By what the paper is known that `name` means, and its title; nothing where it means none, or several."""
    names = known_names_in(name, scene, every=True)
    if len(names) != 1 or names[0] in (ALL, SHOWN):
        return "", ""
    return names[0], scene.title_of(names[0]) or scene.title_of(bare_name(names[0]))
