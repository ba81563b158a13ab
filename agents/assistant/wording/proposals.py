"""What a change would do, said before it is done."""

from collections.abc import Sequence

from agents.assistant.wording.outcomes import NAMED, papers_text
from agents.tools.change_phrases import step_lines
from agents.tools.changes import (
    MarkArguments,
    NoteArguments,
    RememberArguments,
    SaveArguments,
    TagArguments,
)
from cache.conditions.wording import listed
from cache.taking_back import StepBack
from connectors.paper import Paper

_MARKS = {
    "read": "mark {} as read",
    "unread": "mark {} as not read",
    "like": "note that you like {}",
    "dislike": "note that you do not like {}",
    "dismiss": "note that {} {be} not for you",
}


def proposal(changes: Sequence[str]) -> str:
    """The question whether all of `changes` may be done."""
    return f"This would {listed(changes)}. Shall I? (yes or no)"


def change_text(given: object, papers: Sequence[Paper], undone: StepBack | None = None) -> str:
    """What a tool would do to these papers with what it is `given`, or which step it would undo, as it stands behind
    "would"."""
    if undone:
        lines = step_lines(undone, undone.papers)
        return "undo this: " + (listed(lines) if len(lines) <= NAMED else f"a change of {papers_text(len(lines))}")
    these = (
        listed([f"“{paper.title}”" for paper in papers]) if len(papers) <= NAMED else f"these {len(papers):,} papers"
    )
    match given:
        case SaveArguments(tags=tags):
            return f"put {these} on your shelf" + (f" with the {_tags(tags)}" if tags else "")
        case TagArguments(add=add, remove=remove):
            parts = [
                f"give {these} the {_tags(add)}" if add else "",
                f"take the {_tags(remove)} off {these}" if remove else "",
            ]
            return listed(list(filter(None, parts)))
        case NoteArguments(text=""):
            return f"erase the note about {these}"
        case NoteArguments(text=text):
            return f"write this note about {these}, in place of any other: “{text}”"
        case MarkArguments(mark=mark):
            return _MARKS[mark].replace("{be}", "is" if len(papers) == 1 else "are").replace("{}", these)
        case RememberArguments(facet=facet, text=text):
            return f"write into your profile, as what you {facet}: “{text}”"
    return f"take {these} off your shelf, with tags and notes"


def _tags(tags: Sequence[str]) -> str:
    return f"{'tag' if len(tags) == 1 else 'tags'} {listed([f'“{tag}”' for tag in tags])}"
