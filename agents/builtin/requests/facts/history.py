"""What the person did when: saved, read, opened, noted; by the days of the past that a request names."""

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.times import read_times
from agents.builtin.requests.facts.sql import clauses_of, conditions_in, text, where
from agents.builtin.requests.past_times import past_days
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import known_names_in
from agents.builtin.requests.scene import Reading, Scene, plan, step

_ACTS = "(save/saved/add/added/bookmark/bookmarked|put on my shelf)"
_SHELF_ACTS = (
    (
        "saved",
        Phrases(f"""
        (did i|have i|i have|i) [last] {_ACTS}
        (was|were|been|got) [also] (saved|added|bookmarked) [by me] [(on|to|onto) my shelf]
        [was|were|been|got] (placed|put|added|landed) (on|onto|to) my shelf [by me]
    """),
    ),
    ("read", Phrases("(did i|have i|i have|i) [last] (read|finish/finished) [reading]")),
)
_OTHER_ACTS = (
    ("opened", Phrases("(did|have) i [last] (open/opened)", "i [have] opened")),
    (
        "viewed",
        Phrases("""
        (did|have) i [last] (view/viewed|look/looked at)
        i [have] (viewed|looked at)
    """),
    ),
    ("cited", Phrases("(did|have) i [last] (cite/cited)", "i [have] cited")),
    ("dismissed", Phrases("(did|have) i [last] (dismiss/dismissed)", "i [have] dismissed")),
    ("exported", Phrases("(did|have) i [last] (export/exported)", "i [have] exported")),
)
_WHEN_LAST = Phrases("""
    when (did i|have i) last (save|add|bookmark) <:any>
    when (did i|have i) (save|add|bookmark) (anything|something|a paper) last
""")
_CAME_OUT = Phrases("""
    (published/appeared/printed/written|came out|come out|appear|dated|that date from) [first|originally]
        (in/since/before/after/between/from/until/last/this/during/on|up to|earlier than|later than) <:any>
    (published/appeared/written|came out) [in|on] <:date>
""")
"""The days of papers, and not those of what was done with them."""
_HOW_MANY = Phrases("how many/much <:text>", "[what|which|the|and] number of <:text>", "count <:text>")


_NO_DAY = Phrases("""
    {papers} [that|which] (i have|i|have i|did i) [ever|already] (saved|save|read)
        (are|were|is|was|have|has|by|about|on|from|tagged|with) <:text>
""")


_TO_COME = Phrases("should/would/could/might/shall/suggest/recommend/advise")
"""What asks for advice, and not for what was done."""


_I_READ = Phrases("""
    i [have] [just|already|now] [finished] (read|reading|finished|opened|saved|cited) <papers> (today|yesterday|last
        <:any>|this <:any>
        |on <:any>|<:number> <:unit> ago)
    i [have] [just|already|now] [finished] (read|reading|finished|opened|saved|cited) <papers>
""")


def history(said: str, scene: Scene) -> Reading | None:
    """What was done on days that are named, or ever where the shelf does not tell it."""
    if _WHEN_LAST.match(said) is not None:
        return plan(
            step(
                "query", sql="SELECT title, substr(saved, 1, 10) AS saved FROM shelf ORDER BY shelf.saved DESC LIMIT 1"
            ),
            onward=False,
        )
    if any(phrases.find(said) is not None for phrases in (_NO_DAY, _TO_COME, _CAME_OUT)):
        return None  # the days are those of the papers
    if (stated := _I_READ.match(said)) is not None and known_names_in(stated["papers"], scene, every=True):
        return None  # which is told, and not asked
    choice = Choice(said, scene)
    for column, phrases in _SHELF_ACTS:
        if phrases.find(said) is not None and (days := _days(choice)):
            clauses = [_between(f"shelf.{column}", days), *_of_papers(choice, phrases, column)]
            return _told(
                f"FROM shelf JOIN papers p ON p.id = shelf.paper{where(*clauses)}",
                f"shelf.{column}",
                said,
            )
    for act, phrases in _OTHER_ACTS:
        if phrases.find(said) is not None:
            days = _days(choice)
            clauses = [f"act = {text(act)}", *([_between("at", days)] if days else []), *_of_papers(choice, phrases)]
            return _told(f"FROM reading JOIN papers p ON p.id = reading.paper{where(*clauses)}", "at", said)
    return None


def _days(choice: Choice) -> tuple[str | None, str | None] | None:
    """The days that are named, if any."""
    since, until = past_days(choice)
    if since is None and until is None:
        read_times(choice)
        since, until = choice.conditions.get("since"), choice.conditions.get("until")
    return (since, until) if since or until else None


def _of_papers(choice: Choice, act: Phrases, column: str = "") -> list[str]:
    """What is said of the papers beside the act and its days: "did I save by Robertson last month"; of those saved then
    also whether they are read."""
    choice.take(act)
    told = conditions_in(choice.text, choice.scene)
    for name in ("saved",) if column == "saved" else ("saved", "read"):
        told.conditions.pop(name, None)
    clauses = clauses_of(told)
    return [f"p.id IN (SELECT id FROM papers{where(*clauses)})"] if clauses else []


def _between(column: str, days: tuple[str | None, str | None]) -> str:
    since, until = days
    told = [f"substr({column}, 1, {len(since)}) >= {text(since)}"] if since else []
    told += [f"substr({column}, 1, {len(until)}) <= {text(until)}"] if until else []
    return " AND ".join(told)


def _told(source: str, at: str, said: str) -> Reading:
    """The papers with the day, or how many they are."""
    if _HOW_MANY.match(said) is not None:
        return plan(step("query", sql=f"SELECT count(DISTINCT p.id) AS papers {source}"), onward=False)
    sql = (
        f"SELECT p.id AS paper, p.title, substr(max({at}), 1, 10) AS day {source} GROUP BY p.id ORDER BY max({at}) DESC"
    )
    return plan(step("query", sql=sql), onward=False)
