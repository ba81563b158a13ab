"""The plan for the papers of a selection, and the replies where no paper or none for sure is meant."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.reading.choosing import Turn, has_conditions
from agents.reading.reading import Call, Option, Reading
from agents.reading.selection import Selection, Unknown
from cache.conditions.filters import asked


def reading_of(selection: Selection, calls: Sequence[Call], *, onward: bool = True) -> Reading:
    """A plan about the papers of a selection, with what was not understood of it."""
    if selection.against:
        return Reading(reply=_contradiction(selection))
    return Reading(
        calls=tuple(calls),
        onward=onward,
        rest=tuple(selection.rest),
        unknown=tuple(selection.unknown),
        taken=tuple(selection.taken),
        doubtful=tuple(selection.doubtful),
    )


def _contradiction(selection: Selection) -> str:
    """That conditions rule each other out."""
    name = next(iter(selection.against))
    terms = (*asked(**{name: True}).terms, *asked(**{name: False}).terms)
    states = " and ".join(f"{'not ' if term.negated else ''}{term.row.name}" for term in terms)
    return f"No paper can be {states} at once."


def no_papers() -> Reading:
    """Ask which papers are meant."""
    return Reading(reply="Which papers do you mean? Name one, or ask for some first.", understood=False)


def no_such_paper(selection: Selection, turn: Turn) -> Reading:
    """That no paper is called so, with the titles that are nearly so."""
    if not has_conditions(selection) or selection.rest or selection.unknown:
        return replace(no_papers(), rest=tuple(selection.rest), unknown=tuple(selection.unknown))
    words = " ".join([*selection.given.get("words", ()), *selection.given.get("authors", ())])
    return Reading(onward=True, unknown=(Unknown("paper", words or "that", tuple(turn.names.near_title(words))),))


def which_of(
    selection: Selection, turn: Turn, numbers: Sequence[int], plan: Callable[[str], tuple[Call, ...]]
) -> Reading:
    """Ask which of several papers is meant."""
    first = list(numbers[:3])
    titles = turn.names.titles(first)  # type: ignore[arg-type]
    options = tuple(
        Option(f"“{title}”", plan(f"#{number}"), True) for number, title in zip(first, titles, strict=False)
    )
    several = f"{len(numbers):,} papers" if len(numbers) > 1 else "another paper"
    return Reading(
        reply=f"That could mean {several}.",
        understood=False,
        options=options,
        rest=tuple(selection.rest),
        unknown=tuple(selection.unknown),
    )
