"""The plan of a change of the papers that a sentence names."""

from collections.abc import Callable
from dataclasses import replace

from agents.reading.acts.act import Sentence
from agents.reading.acts.replies import no_papers, reading_of, which_of
from agents.reading.choosing import chosen, each_named, one_paper
from agents.reading.reading import Call, Reading


def changed(sentence: Sentence, make: Callable[[tuple[str, ...]], Call], *, one: bool = False) -> Reading | None:
    """The plan of a change: `make` is the step for papers of these names; `one` where it takes a single paper."""
    selection, turn = sentence.papers(one=True), sentence.turn
    if several := each_named(*sentence.spans.get("papers", (0, 0)), turn):
        return Reading(calls=(make(tuple(several)),), onward=True)
    default: tuple[str, ...] = ()
    if not sentence.has("papers"):
        default = ("@it",) if turn.has_it else ("@shown",) if turn.shown else ()
    if (one or (selection.definite and selection.single)) and not selection.names:
        single = one_paper(selection, turn)
        if single.name:
            return reading_of(selection, [*single.calls, make((single.name,))], onward=single.onward)
        if single.several:
            return which_of(selection, turn, single.several, lambda name: (make((name,)),))
    choice = chosen(selection, turn, default)
    if choice is None:
        return replace(no_papers(), rest=tuple(selection.rest), unknown=tuple(selection.unknown))
    return reading_of(selection, [*choice.calls, make(choice.names)], onward=choice.onward)
