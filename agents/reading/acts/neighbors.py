"""Acts that follow citations and references, and find what is like a paper."""

from dataclasses import replace

from agents.reading.acts.act import Plan, Sentence, acts
from agents.reading.acts.replies import no_such_paper, reading_of, which_of
from agents.reading.choosing import has_conditions, one_paper, papers_named, steps
from agents.reading.facts import LINKS, linked_to_several
from agents.reading.reading import Call, Reading, call
from agents.reading.selection import Selection


def _linked(tool: str) -> Plan:
    def plan(sentence: Sentence) -> Reading | None:
        selection, turn = sentence.papers("paper", one=True), sentence.turn
        named = papers_named(selection, turn)
        if len(named) > 1 and not has_conditions(selection) and tool in LINKS:
            either = not {"or", "either"}.isdisjoint(sentence.words("paper"))
            return reading_of(selection, [linked_to_several(tool, named, either=either)], onward=False)
        one = one_paper(selection, turn)
        if one.name:
            beside = sentence.papers()
            if beside.names:
                return None  # whether one paper cites another
            follow = [] if not has_conditions(beside) else [*steps(beside, turn)[0], Call("list")]
            reading = reading_of(selection, [*one.calls, call(tool, paper=one.name), *follow], onward=one.onward)
            return replace(reading, rest=(*reading.rest, *beside.rest), unknown=(*reading.unknown, *beside.unknown))
        if one.several:
            return which_of(selection, turn, one.several, lambda name: (call(tool, paper=name),))
        return no_such_paper(selection, turn)

    return plan


def _nearest(sentence: Sentence) -> Reading | None:
    """Papers in the order of how near they are to one."""
    selection, turn = sentence.papers(), sentence.turn
    one = one_paper(sentence.papers("paper", one=True), turn)
    if not one.name or one.calls:
        return None
    calls, onward = steps(selection, turn)
    return reading_of(
        selection, [*calls, Call("rank", {"by": "similarity", "prefer": [one.name]}), Call("list")], onward=onward
    )


def _alike(sentence: Sentence) -> Reading | None:
    selection = sentence.papers("paper", one=True) if "paper" in sentence.spans else Selection(names=["@it"])
    one = one_paper(selection, sentence.turn)
    if not one.name or one.calls:
        return None
    return reading_of(selection, [call("resemble", papers=[one.name]), Call("list")], onward=False)


NEIGHBORS = acts(
    """
nearest | order papers by how near they are to one | sort these by similarity to the first
  [order|sort|rank] {papers} by [their] similarity|closeness|likeness|relevance to {paper};
  [order|sort|rank] {papers} by how similar|close|near|relevant they|these are to {paper}
alike | find what is like a paper | more like this
  [some|any|are_there] more like|similar_to {paper}; [is_there|are_there] something|anything similar|alike [to]
  [it|this|that|this_one|that_one]; what else is like|similar_to {paper}; [show|find|any] [some|more] similar
  papers|ones|work|articles [please]; similar papers|ones|work|articles to|as {paper}
citations | follow citations | who cites the first?
  who|what cites|cite|cited {paper}; who|what has|have cited {paper}; [what|which] {papers} cite|cites|citing {paper};
  [what|which] {papers} that|which cite|cites|cited {paper}; {papers} that|which have cited {paper};
  [the] citations of|to|for {paper}; [what|which] {papers} build_on|builds_on {paper};
  by_who|by_what is|was {paper} cited; {paper} is|was cited by_who|by_what; [the] citing papers of|for {paper};
  [what|which] {papers} refer_to|reference|references {paper}; citing|cites {paper}
references | follow references | what does the first cite?
  [the] references|refs|bibliography|reference_list of|in|from {paper}; [what|which] {papers} does|did {paper}
  cite|reference; {papers} cited by|in {paper}; who|what does|do|did {paper} cite|reference|build_on; what is|are cited
  in|by {paper}; [what|which] {papers} is|are|were cited by|in {paper}; {paper} ['s] references; what is
  in_the_reference_list of {paper}; its|their references; [what|which] {papers} does|did {paper} refer_to|build_on
""",
    {"nearest": _nearest, "alike": _alike, "citations": _linked("citations"), "references": _linked("references")},
)
