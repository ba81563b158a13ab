"""Acts that tell a fact of a paper, and numbers of many papers."""

from dataclasses import replace

from agents.reading.acts.act import Act, Plan, Sentence
from agents.reading.acts.replies import no_such_paper, reading_of, which_of
from agents.reading.choosing import Turn, has_conditions, one_paper
from agents.reading.facts import DISTINCT, GROUPS, MEASURES, PARTS, facts_of_several, grouped, measured
from agents.reading.numbers import number_at
from agents.reading.reading import Call, Reading, call
from agents.reading.selection import Selection
from cache.conditions.filters import Filter


def _fact(part: str) -> Plan:
    """A fact of a paper; of several, where a list says it, of each."""

    def plan(sentence: Sentence) -> Reading | None:
        selection, turn = sentence.papers("paper", one=True), sentence.turn
        parts = [part] if part else []
        if selection.onward and turn.shown > 1 and not has_conditions(selection) and not selection.names:
            several = facts_of_several(part, turn.context.shown)
            return reading_of(selection, [several]) if several else None
        if len(selection.names) > 1:
            return reading_of(selection, [call("paper", paper=name, parts=parts) for name in selection.names[:5]])
        if selection.noun and not (selection.single or selection.definite or selection.names or selection.order):
            return None
        if not part and not (selection.names or selection.onward or (selection.single and selection.definite)):
            return None
        one = one_paper(selection, turn)
        if one.name:
            return reading_of(selection, [*one.calls, call("paper", paper=one.name, parts=parts)], onward=one.onward)
        if selection.among is not None and part == "note":
            return reading_of(
                selection, [call("paper", paper=f"#{number}", parts=parts) for number in selection.among[:3]]
            )
        if not one.several:
            return no_such_paper(selection, turn)
        return which_of(selection, turn, one.several, lambda name: (call("paper", paper=name, parts=parts),))

    return plan


def _counting(selection: Selection, query: Call | None, turn: Turn) -> Reading | None:
    """The plan of one query about the papers of a selection; of the whole library, it is said that this was counted."""
    if query is None:
        return None
    reading = reading_of(selection, [query], onward=selection.onward)
    if selection.names or selection.onward or has_conditions(selection) or not reading.calls:
        return reading
    count = len(turn.names.matching_among(Filter(), None))
    return replace(reading, reply=f"Counted over all {count:,} papers of your library, saved or not.")


def _grouped(group: str, most: bool) -> Plan:
    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers()
        if sentence.has("papers") and selection.is_empty:
            return None
        number = number_at(sentence.words("n"), 0)
        limit = number[0] if number else None
        return _counting(selection, grouped(group, most, limit, selection, sentence.turn), sentence.turn)

    return plan


def _distinct(group: str) -> Plan:
    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers()
        return _counting(selection, grouped(group, False, None, selection, sentence.turn, distinct=True), sentence.turn)

    return plan


def _measured(measure: str) -> Plan:
    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers()
        return _counting(selection, measured(measure, selection, sentence.turn), sentence.turn)

    return plan


FACTS: tuple[Act, ...] = (
    *(Act(f"fact:{part.name}", part.forms, _fact(part.name), part.label, part.example) for part in PARTS),
    *(
        Act(
            f"most:{group.name}",
            group.most,
            _grouped(group.name, True),
            f"the {group.name}s with most papers",
            f"which {group.name} has most papers?",
        )
        for group in GROUPS
    ),
    *(
        Act(
            f"per:{group.name}",
            group.per,
            _grouped(group.name, False),
            f"papers per {group.name}",
            f"how many papers per {group.name}?",
        )
        for group in GROUPS
    ),
    *(
        Act(
            f"distinct:{group.name}",
            group.distinct,
            _distinct(group.name),
            f"how many {group.name}s",
            f"how many {group.name}s are there?",
        )
        for group in DISTINCT
    ),
    *(
        Act(f"measure:{measure.name}", measure.forms, _measured(measure.name), measure.label, measure.example)
        for measure in MEASURES
    ),
)
