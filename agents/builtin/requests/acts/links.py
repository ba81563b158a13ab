"""What a paper cites, what cites it, what live sources call similar to it."""

import re
from collections.abc import Sequence
from functools import partial

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.facts.sql import clauses_of, where
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.in_any_order.of_papers import papers_told
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import SHOWN, bare_name, known_names_in, names_in, tells_of_papers
from agents.builtin.requests.scene import Call, Reading, Scene, plan, step
from agents.builtin.requests.spoken_sources import ANY_SOURCE


def _links_between(slots: Slots, scene: Scene) -> Reading | None:
    """Whether one paper cites another: the one among what the other cites."""
    citing, cited = known_names_in(slots["citing"], scene), scene.title_of(bare_name(slots["cited"]))
    if len(citing) != 1 or not cited:
        return None
    return plan(step("references", paper=citing[0]), step("filter", title_words=[cited[:300]]), step("list"))


def _linked(slots: Slots, scene: Scene, *, tool: str) -> Reading | None:
    slot = slots.get("paper", "it")
    if _COUNTED.match(slot) is not None:
        return None
    slot, further = _chosen_of(_together(slot), scene)
    names = known_names_in(slot, scene) or (() if tells_of_papers(slot) else names_in(slot, scene))
    if names == (SHOWN,) and scene.shown > 1:
        return None  # of several: a bibliography is meant
    if tool in _ENDS and len(names) > 1 and not further:
        return _linked_to_several(names, tool, slot, scene)
    return plan(step(tool, paper=names[0]), *further) if names else None


def _how_many_linked(slots: Slots, scene: Scene, *, tool: str) -> Reading | None:
    """How many papers cite a paper, by its record, or what it cites; how many of those that are told of are linked to
    it, or to all of several."""
    slot = _together(slots["paper"])
    names = known_names_in(slot, scene)
    what = slots.get("what", "")
    choice = papers_told(f"papers {what}", scene) if what else None
    if not names or names[0] == SHOWN or (what and (choice is None or choice.order or choice.limit)):
        return None
    if len(names) > 1 or what:
        return _linked_to_several(names, tool, slot, scene, choice or Choice("", scene))
    return plan(
        step("paper", paper=names[0], parts=["citations"]) if tool == "citations" else step(tool, paper=names[0])
    )


def _together(slot: str) -> str:
    """Names with nothing beside them that says that all of them are meant."""
    return _BOTH.sub("", _AS_WELL.sub(" and ", slot))


_AS_WELL = re.compile(r",? as well as ", re.IGNORECASE)
_BOTH = re.compile(r"^(?:both|all of) | (?:both|together|alike)$", re.IGNORECASE)
_OR = re.compile(r" or ", re.IGNORECASE)
_ENDS = {"citations": ("citing", "cited"), "references": ("cited", "citing")}
"""Of a link, at which end the papers are that are asked for, and at which those that are named."""


def _linked_to_several(
    names: Sequence[str], tool: str, slot: str, scene: Scene, counted: Choice | None = None
) -> Reading:
    """What cites all of several papers, or what all of them cite, as far as the library knows; any of them where that
    is said. Where one of them is not there, that is said. How many of those that are `counted`, if any are."""
    these, named = _ENDS[tool]
    linked = list[str]()
    for name in names:
        if not (title := scene.title_of(name) or scene.title_of(bare_name(name))):
            return plan(step(tool, paper=bare_name(name)))  # which says that there is none
        found = f"FROM citations c JOIN papers p ON p.id = c.{named} WHERE p.title = {literal(title)}"
        linked.append(f"id IN (SELECT c.{these} {found})")
    told = f"({' OR '.join(linked)})" if _OR.search(slot) else " AND ".join(linked)
    if counted is None:
        sql = f"SELECT id AS paper, title, date FROM papers WHERE {told} ORDER BY date DESC, id"
        return plan(step("query", sql=sql), onward=False)
    sql = f"SELECT count(*) AS papers FROM papers{where(*clauses_of(counted), told)}"
    return plan(step("query", sql=sql), onward=counted.onward)


_CONDITION = re.compile(
    r",? (?=(?:(?:but )?(?:only |just )?(?:the ones |those |ones )?(?:that|which|since|before|after|from"
    r"|published|tagged|saved"
    r"|with|on my shelf|not|by)\b))",
    re.IGNORECASE,
)


def _chosen_of(slot: str, scene: Scene) -> tuple[str, list[Call]]:
    """The paper of a slot, and the steps that choose among what it is linked with: "this one that I have saved"."""
    for cut in () if known_names_in(slot, scene, every=True) else _CONDITION.finditer(slot):
        head, told = slot[: cut.start()], slot[cut.end() :]
        choice = read_choice(f"papers {told}", scene) if known_names_in(head, scene, every=True) else None
        if choice and choice.conditions and not choice.is_soft and "words" not in choice.conditions:
            return head, [*choice.calls(), step("list", limit=choice.limit)]
    return slot, []


_COUNTED = Phrases("""
    nobody/most/more/often/less/fewer/over/never/between/exactly/under/above/below/rarely/much/frequently/least
        [<:text>]
    (at least|at most|up to|a lot|no more) [<:text>]
    [by] the (most|least|fewest) [<:text>]
    <:count> [<:text>]
    most/more
""")  # fmt: skip
_SHOW = "[{show}|{what_is}|which are|list] [all|any] [of] [the]"
_WHO = (
    "(who|what|which|which papers|what papers|what else|who else|which works|which articles|what works|which "
    "of (these|those|them)|papers|works|articles) [{library}|in the library|that are here|do i have]"
)
_ASK = "[ask|let|what do|what does|which papers do|which papers does|what papers does|according to]"
_LIVE = f"[the] (source/sources/services|(live|online) (sources|services|databases)|web|{ANY_SOURCE})"
LINKS = (
    Rule(Phrases("""
        how many [other] [{papers}] [are there that|that] [do] (cite|cites|reference|refer to|build on) <paper>
        [the] number of [{papers}] [that] (cite|citing|reference|refer to|build on) <paper>
        how many <what:any> [that] [do] (cite|cites|reference|refer to|build on) <paper>
    """), partial(_how_many_linked, tool="citations")),
    Rule(Phrases("""
        how many [other] [{papers}] (are|is|were) cited (by|in) <paper>
        how many [other] [{papers}] (do|did|does) <paper> (cite|reference)
        how many <what:any> (are|is|were) cited (by|in) <paper>
    """), partial(_how_many_linked, tool="references")),
    Rule(Phrases("""
        (does|did|do) <citing> (cite|reference|refer to|build on|mention) <cited:text>
        is <cited> cited (by|in) <citing:text>
    """), _links_between),
    Rule(Phrases(f"""
        {_SHOW} (references|reference list|cited papers|works cited|literature|papers cited|citations made)
            (of|in|from|for|by) <paper>
        {_WHO} (does|do|did|is|are|has|have) <paper> (cite/cited/cites/reference/references/quote|citing|build on|
            builds on|refer to|rely on|rest on|based on|draw on)
        {_SHOW} [papers/works/articles/everything/all/what] [that|which] [is|are] [being] cited (by|in) <paper>
        {_WHO} (is|are|was|were) cited (by|in) <paper>
        {_SHOW} <paper> 's (references|reference list)
        follow the references (of|in|from) <paper>
        {_SHOW} (papers|works|articles|everything|all|anything) [that|which] <paper> (cites|cited|builds on|refers
            to|references)
        (what|which papers) <paper> (cites|builds on|references|refers to)
        {_SHOW} (its|their) references
        [where] does <paper> (build on|rest on)
        {_SHOW} <paper> and its references
        {_SHOW} (references|reference list|bibliography) <paper> (has|uses|gives)
        {_SHOW} (papers|works) in the (references|reference list|bibliography) of <paper>
        (what|which papers|which works) did <paper> (cite|build on|use|reference|rely on)
        (what|which papers|which works) is <paper> (built on|based on)
        on what does <paper> build
    """), partial(_linked, tool="references")),
    Rule(Phrases(f"""
        {_WHO} [has|have|is|are] [that] (cites|cite|cited|citing|builds on|build on|built on|refers to|refer to|
            quotes|references|reference|mentions|uses) <paper>
        {_SHOW} [later|newer|other|new] (papers/works/articles/everything/all/those/ones/anything/work) [that|which]
            [are] (cite/cites/citing|cited|build on|building on|builds on|refer to|referring to|reference|
            referencing) <paper>
        {_SHOW} (citations|citing papers|citing works|papers citing|citers|incoming citations|forward citations|
            later work on) (of|for|to) <paper>
        [by] (whom|who|what|which papers) (is|was|has) <paper> [been] cited [by]
        {_SHOW} <paper> 's (citing papers|citers|citations)
        <paper> is cited by (whom|who|which papers|what)
        follow the citations (of|to) <paper>
        {_SHOW} (its|their) (citing papers|citations|citers)
        {_SHOW} papers citing <paper>
        where is <paper> cited
        (does|do|did|has|have|is there|are there) [any] (any|anything|anybody|anyone|someone|somebody|something|papers
            |paper|others|work|other papers) [{{library}}|that is here|else|there] [that|which] [ever]
            (cite|cites|cited|citing|refer to|refers to|build on|builds on) <paper>
        who has used <paper>
    """), partial(_linked, tool="citations")),
    Rule(Phrases(f"""
        {_ASK} {_LIVE} [to] [for|call|calls|say|says|name|names|think|thinks|consider|considers|recommend|
            recommends|suggest|suggests|list|find|have|give|hold] [as] [is|are] [that] [papers|anything|works|more]
                [is|are] (like|
            similar to|related to|close to|near) <paper>
        [which|what] [papers|what|anything|more|works|work] [is|are] (like|similar to|related to) <paper>
            (according to|on|in|from|at|by|via|
            through|as told by) {_LIVE}
        {_ASK} {_LIVE} (call|calls|think|thinks|consider|considers|find|finds) <paper> similar to
        what is similar to <paper> (according to|on|at|for) {_LIVE}
        (find|show|get|fetch|ask for) [me] (similar papers|papers similar) (to|for) <paper> (from|on|at|in|via|
            through|by asking) {_LIVE}
    """), lambda slots, scene: _linked({"paper": "@it"} if slots["paper"] == "it" else slots, scene, tool="similar")),
)  # fmt: skip
