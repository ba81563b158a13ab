"""Orders that no ranking has: the least cited first."""

from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.facts.sql import clauses_of, where
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import number_of
from agents.builtin.requests.scene import Reading, Scene, plan, step

SHOWN = 10
_LEAST_CITED = Phrases("""
    <n:number> least [often|frequently] cited
    (with|has|have|having) [the] (fewest|least|lowest number of|smallest number of) (citation/citations) [first]
    [the] least [often|frequently] cited [first]
    cited [the] least [often]
    [the] (fewest|lowest number of) citations first
    least popular [first]
""")


def least_cited(said: str, scene: Scene) -> Reading | None:
    """Papers by how seldom they are cited; of which it is not known, none."""
    found = _LEAST_CITED.find(said)
    if found is None:
        return None
    choice = read_choice(f"papers {said[: found.start]} , {said[found.end :]}", scene)
    if not choice.conditions and scene.candidates is not None:
        choice.onward = True
    clauses = ["citations IS NOT NULL", *clauses_of(choice)]
    limit = number_of(found.slots["n"]) if "n" in found.slots else choice.limit or SHOWN
    sql = f"SELECT id AS paper, title, citations FROM papers{where(*clauses)} ORDER BY citations, id LIMIT {limit}"
    return plan(step("query", sql=sql), onward=choice.onward)


_UNTAGGED = Phrases("""
    [that|which] (without|with no|that have no|have no|lacking|no) [any|a] tags/tag/labels
    [that|which] [are|is] not [yet] tagged [yet] [at all]
""")


def untagged(said: str, scene: Scene) -> Reading | None:
    """Saved papers without a tag."""
    found = _UNTAGGED.find(said)
    if found is None or said[found.end :].strip().startswith(("as ", "with ")):
        return None
    choice = read_choice(f"papers {said[: found.start]} , {said[found.end :]}", scene)
    choice.conditions.pop("words", None)
    choice.conditions["saved"] = True
    clauses = ["id NOT IN (SELECT paper FROM tags)", *clauses_of(choice)]
    sql = f"SELECT id AS paper, title FROM papers{where(*clauses)} ORDER BY id"
    return plan(step("query", sql=sql), onward=choice.onward)
