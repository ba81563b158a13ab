"""Whether something holds of one paper: "has BERT been cited more than 1000 times", "is the second older than it"."""

import re
from typing import Any

from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.facts.sql import clauses_of
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import ALL, SHOWN, bare_name, known_names_in
from agents.builtin.requests.scene import Reading, Scene, plan, step

_ASKS = re.compile(
    r"(?:and )?(?:(?:is it (?:so|true|right|correct) )?(?:that|if|whether)"
    r"|(?:check|verify|confirm|find out|see|say|look up|tell me|let me know|make sure)(?: for me)?,?"
    r" (?:if|whether|that)"
    r"|is|was|are|were|has|have|had|did|does|do) (?P<rest>\S.*)",
    re.IGNORECASE,
)
_WROTE = Phrases("""
    (did|has|have) <who> (write|written|wrote|publish|published|author|authored|co-author|co-authored|co-write
        |co-written) [on|at] <paper:text>
    (is|was) <who> [one of|among] [an|the|a] [first|last|co] (author/authors|co-author/co-authors|coauthor/coauthors)
        (of|on|behind) <paper:text>
    (did|has) <who> (work|worked|collaborate) on <paper:text>
""")
_COLUMNS = {
    "min_citations": "citations", "max_citations": "citations", "since": "date", "until": "date",
    "without_years": "date", "venues": "venue", "without_venues": "venue", "types": "type", "without_types": "type",
    "authors": "authors", "any_authors": "authors", "without_authors": "authors",
}  # fmt: skip
"""What is told beside yes or no, by the condition."""
_HOLDS = frozenset(_COLUMNS) | {"open_access", "retracted", "saved", "read", "noted", "tags", "without_tags", "rating",
    "without_rating"}  # fmt: skip
_LONGEST = 24
"""Words of a question, at most."""


def yes_or_no(text: str, scene: Scene) -> Reading | None:
    """Whether what is told of one paper holds; None where no single paper that is there is named first."""
    if (wrote := _WROTE.match(text)) is not None:
        return _whether(wrote["paper"], f"by {wrote['who']}", scene) if scene.is_author(wrote["who"]) else None
    found = _ASKS.match(text)
    words = found["rest"].split() if found else []
    for size in range(min(len(words), _LONGEST) - 1, 0, -1):
        if asked := _whether(" ".join(words[:size]), " ".join(words[size:]), scene):
            return asked
    return None


def says_yes_or_no(reading: Reading) -> bool:
    """Whether the answer is a yes or no of one paper."""
    return any(_ANSWER in call.arguments.get("sql", "") for call in reading.calls)


_ANSWER = "THEN 'yes' ELSE 'no' END AS answer"


def _whether(name: str, told: str, scene: Scene) -> Reading | None:
    names = known_names_in(name, scene, every=True)
    if len(names) != 1 or names[0] in (SHOWN, ALL):
        return None
    title = scene.title_of(names[0]) or scene.title_of(bare_name(names[0]))
    choice = read_choice(f"papers {told}", scene)
    if not title or not choice.conditions or not set(choice.conditions) <= _HOLDS or choice.is_soft or choice.order:
        return None
    choice.onward = False
    holds = f"CASE WHEN {' AND '.join(clauses_of(choice))} {_ANSWER}"
    columns = ["title", holds, *_beside(choice.conditions)]
    return plan(step("query", sql=f"SELECT {', '.join(columns)} FROM papers WHERE title = {literal(title)}"))


def _beside(conditions: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(_COLUMNS[name] for name in conditions if name in _COLUMNS))
