"""Acts that find, count, sort and show papers, and return to the list before."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import and_
from typing import Any

from agents.reading.acts.act import MatchedMessage, Plan, about_one, acts, no_papers
from agents.reading.acts.facts import counts_of, linked_to_several
from agents.reading.choosing import MessageContext, has_conditions, means_several, one_paper, people_meant, steps
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan, Option, PaperSelection, ToolCall, call
from agents.reading.tokens import tokens_of
from cache.conditions.filters import filter_by
from cache.conditions.wording import listed

_CITING = frozenset("cite cites reference references mention mentions build builds refer refers".split())


def _is_citing(sentence: MatchedMessage) -> bool:
    """Whether a paper is the subject of a verb for citing right behind it: "the works that it references"."""
    tokens = tokens_of(sentence.turn.message)
    paper = sentence.turn.reader.tokens[slice(*sentence.spans.get("paper", (0, 0)))]
    behind = (token.key for token in tokens if paper and token.start >= paper[-1].end)
    return next(behind, "") in _CITING


def _linked(tool: str) -> Plan:
    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        if tool == "citations" and _is_citing(sentence):
            return None
        selection, turn = sentence.papers("paper", one=True), sentence.turn
        named = turn.named(selection.names) or ()
        if len(named) > 1 and not has_conditions(selection):
            either = not {"or", "either"}.isdisjoint(sentence.words("paper"))
            return MessagePlan(calls=(linked_to_several(tool, named, either=either),))
        beside = sentence.papers()
        if beside.names:
            return None  # the question is whether one paper cites another
        follow = (*steps(beside, turn)[0], ToolCall("list")) if has_conditions(beside) else ()
        return about_one(selection, turn, lambda name: (call(tool, paper=name), *follow))

    return plan


def _nearest(sentence: MatchedMessage) -> MessagePlan | None:
    """Sort papers by their similarity to one paper."""
    selection, turn = sentence.papers(), sentence.turn
    paper = one_paper(sentence.papers("paper", one=True), turn)
    if not paper.name or paper.calls:
        return None
    calls, onward = steps(selection, turn)
    return MessagePlan(
        calls=(*calls, ToolCall("rank", {"by": "similarity", "prefer": [paper.name]}), ToolCall("list")), onward=onward
    )


def _alike(sentence: MatchedMessage) -> MessagePlan | None:
    selection = sentence.papers("paper", one=True) if "paper" in sentence.spans else PaperSelection(names=["@it"])
    paper = one_paper(selection, sentence.turn)
    if not paper.name or paper.calls:
        return None
    return MessagePlan(calls=(call("resemble", papers=[paper.name]), ToolCall("list")))


NEIGHBORS = acts(
    """
nearest | order papers by how near they are to one | sort these by similarity to the first
  order|sort|rank|arrange similarity|closeness|likeness|relevance|similar|close|near|relevant [by] [how] {papers}
  {paper}
alike | find what is like a paper | more like this
  similar|alike|resemble|resembles|resembling|comparable|akin [what|which|else|something|anything|more|out_there]
  {paper}; more like [some|show] {paper}; in_the_same_vein|along_the_lines|closest|nearest {paper}
citations | follow citations | who cites the first?
  who|what|which|papers|works|articles|studies cites|cite|cited|citing|quote|build_on|builds_on|refer_to|refers_to|
  references|reference|mention {papers} {paper}; > who|what|which|papers|works|articles|studies|anyone|anybody cites|
  cite|cited|citing|quotes|quote|build_on|builds_on|refer_to|refers_to|references|mentions [papers|works|articles|
  studies|has|have|been|who|what|which] {paper}; > citing|citers|citing_papers|follow-ups|follow_ups|built_on [papers|
  works]
  {paper}; ? has|have|is|was anyone|anybody|by CITED {paper}; cited_by who|whom|which|what {paper}
cited works | | the works that the first cites
  what|which|papers|works|articles|studies|everything cites|cite|builds_on|build_on|refers_to|refer_to|references|
  reference|mentions [list|get] {paper}
references | follow references | what does the first cite?
  references|refs|bibliography|reference_list|sources|cited_works [of|in|from] {paper}; what|who|which|papers does|do|
  did cite|reference|build_on|refer_to {paper}; which|what|papers cited|referenced by|in
  {paper}; refers_to|refer_to {paper}
""",
    {
        "nearest": _nearest,
        "alike": _alike,
        "citations": _linked("citations"),
        "cited works": lambda sentence: _linked("references")(sentence) if _is_citing(sentence) else None,
        "references": _linked("references"),
    },
)


CHANGING = frozenset({"save", "unsave", "tag", "note", "mark"})
"""Tools whose changes can be undone."""


_OF_ONE = tuple([verb, word] for verb in ("is", "was") for word in ("the", "this", "that"))
"""Beginnings of a question about one paper, which no list answers: "is the paper by Lee liked?"."""


def _listed(sentence: MatchedMessage) -> MessagePlan | None:
    selection, turn = sentence.papers(), sentence.turn
    asks = sentence.words("papers")[:2] in _OF_ONE
    if (selection.is_empty and not selection.rest) or (asks and selection.single):
        return None
    if len(selection.names) == 1 and not has_conditions(selection) and not selection.order and not selection.rest:
        return MessagePlan(calls=(call("paper", paper=selection.names[0]),), onward=True)
    if selection.names and not selection.given and not selection.order:
        return MessagePlan(calls=(call("take", papers=selection.names), ToolCall("list")), onward=True)
    says = has_conditions(selection) or selection.order or selection.whole or selection.rest
    if not says and turn.context.candidates is not None and {"ones", "those", "them"} & turn.said:
        return MessagePlan(calls=(ToolCall("list"),), onward=True)  # "how many …?", "which ones?"
    if (selection.onward and not (has_conditions(selection) or selection.order)) or (turn.shown > 1 and not says):
        return MessagePlan(
            calls=(call("list", limit=selection.count),), onward=True
        )  # "just the titles" of those shown
    if selection.definite and selection.single and not selection.order and has_conditions(selection):
        paper = one_paper(selection, turn)
        if paper.name:
            return MessagePlan(calls=(*paper.calls, call("paper", paper=paper.name)), onward=True)
    people = people_meant(selection, turn)
    if len(people) > 1 and not means_several(selection.pronoun):
        return _which_author(selection, turn, people)
    calls, onward = steps(selection, turn)
    if selection.last and selection.order:
        return None
    shown = selection.listed
    turned = tuple(
        ToolCall("rank", {**step.arguments, "reverse": True}) if step.tool == "rank" else step for step in calls
    )
    options = [Option("{}", (*turned, shown), onward)] if selection.either_way else []
    for meaning, instead in selection.instead:
        given = {name: _without(value, meaning.get(name, ())) for name, value in selection.given.items()}
        given = {name: value for name, value in given.items() if value != []}
        for name, values in instead.items():
            given[name] = [*given.get(name, ()), *values]
        other, onward = steps(replace(selection, given=given), turn)
        options.append(Option("{}", (*other, shown), onward))
    return MessagePlan(calls=(*calls, shown), onward=onward, options=tuple(options))


def _without(values: Any, others: Sequence[str]) -> Any:
    return [value for value in values if value not in others] if isinstance(values, list) else values


def _which_author(selection: PaperSelection, turn: MessageContext, people: Sequence[str]) -> MessagePlan:
    """Ask which of the authors mentioned before "her" means."""
    options = []
    for person in people[:3]:
        given = {**selection.given, "authors": [*selection.given.get("authors", ()), person]}
        calls, onward = steps(replace(selection, given=given, pronoun=""), turn)
        options.append(Option("{}", (*calls, call("list", limit=selection.count)), onward))
    return MessagePlan(reply=f"That could mean {len(people)} people.", understood=False, options=tuple(options))


def _ordered(sentence: MatchedMessage) -> MessagePlan | None:
    """Sort all of the papers, whatever their number: "from the oldest to the newest"."""
    selection = sentence.papers()
    return _listed(replace(sentence, given=replace(selection, single=False))) if selection.order else None


def _reversed(sentence: MatchedMessage) -> MessagePlan:
    """Show the last list in reverse order."""
    turn = sentence.turn
    if turn.context.candidates is None:
        return no_papers()
    order = next((call for call in turn.before if call.tool == "rank"), None)
    if order is None:
        turned = call("take", papers=[f"#{number}" for number in reversed(turn.context.candidates)])
    else:
        turned = ToolCall("rank", {**order.arguments, "reverse": not order.arguments.get("reverse")})
    shown = next((call for call in turn.before if call.tool == "list"), ToolCall("list"))
    return MessagePlan(calls=(turned, shown), onward=True)


def _counted(sentence: MatchedMessage) -> MessagePlan | None:
    selection = sentence.papers()
    if selection.names and not has_conditions(selection):
        return None
    if selection.onward and not has_conditions(selection):
        return MessagePlan(calls=(ToolCall("filter"),), onward=True)
    calls, onward = steps(selection, sentence.turn)
    if calls[-1].tool == "take":
        calls = (*calls, ToolCall("filter"))
    return MessagePlan(calls=calls, onward=onward)


def counted_apart(counts: Sequence[Sequence[ToolCall]], turn: MessageContext) -> ToolCall | None:
    """Return a query for the number of papers of each of several counts; None if one needs more than conditions."""
    rows: list[tuple[str, str]] = []
    for steps_of in counts:
        if any(step.tool != "filter" or "except_papers" in step.arguments for step in steps_of):
            return None
        wanted = [filter_by(**step.arguments) for step in steps_of]
        numbers = turn.names.matching_among(reduce(and_, wanted), None)
        label = listed([term.phrase for each in wanted for term in each.terms]) or "all"
        rows.append((label, f"id IN ({', '.join(map(str, numbers))})"))
    return counts_of(rows)


def _more(sentence: MatchedMessage) -> MessagePlan | None:
    turn = sentence.turn
    candidates = turn.context.candidates or ()
    position = max((candidates.index(number) + 1 for number in turn.context.shown if number in candidates), default=0)
    if not turn.shown:
        return no_papers()
    if position >= len(candidates):
        return MessagePlan(reply="There are no more papers in this list.")
    number = number_at(sentence.words("n"), 0) if sentence.has("n") else None
    if sentence.has("n") and (number is None or number[1] < len(sentence.words("n"))):
        return None
    return MessagePlan(calls=(call("list", first=position + 1, limit=number[0] if number else None),), onward=True)


def _back(sentence: MatchedMessage) -> MessagePlan | None:
    """Return to the list before if the last turn narrowed or sorted it; else undo the last change of papers."""
    before = {call.tool for call in sentence.turn.before}
    if "remember" in before:
        return MessagePlan(reply="I cannot undo that here. `spar profile forget` removes lines of your profile.")
    if sentence.turn.context.earlier and sentence.turn.before_onward and not before & CHANGING:
        return MessagePlan(calls=(ToolCall("undo"), ToolCall("list")), onward=True)
    return MessagePlan(calls=(ToolCall("take_back"),), onward=True)


COUNT_LEFT, COUNT, ORDER, REVERSE, UNDO, MORE, LIST = acts(
    """
count left | | how many are left?
  how_many [left|remain|remaining|now|over|then|that|there|they]
count | count papers | how many papers on my shelf are unread?
  how_many|number_of|number|count|total_number|total|tally|amount|#_of {papers}
order | order papers | sort these by citations
  ! sort|order|rank|arrange|reorder|put|list {papers}
reverse | turn the order of the list around | the other way round
  the_other_way|other_way|the_other_way_round [round|around|in|put]; reverse|invert|flip|reversed [in|order|list|
  sorting]; opposite|inverse order; backwards|upside_down
undo | undo the last change | undo
  undo|revert [change|step|filter|condition|restriction|last|previous|one|did|just]; take|roll|put back [last|change];
  go|step back [one] [step|list|previous|last]; back [list|previous|last]; ! forget [last|filter|condition|step|change];
  never_mind; previous|last list
more | show more of the list | more
  more|rest|remaining|others [show|list|all] [papers|ones|results]; next [page|ones|papers] {n}; next [page|ones|
  papers]; continue; go_on; page_2
list | find papers of your library | papers on query expansion since 2010
  {papers}
""",
    {
        "count left": lambda sentence: MessagePlan(calls=(ToolCall("filter"),), onward=True),
        "count": _counted,
        "order": _ordered,
        "reverse": _reversed,
        "undo": _back,
        "more": _more,
        "list": _listed,
    },
)


"""`LIST` applies to messages that ask for nothing else."""
