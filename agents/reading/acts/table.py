"""The table of acts: all that can be done in a conversation without a model."""

from agents.reading.acts.act import Act, Sentence
from agents.reading.acts.facts import FACTS
from agents.reading.acts.lists import COUNT, COUNT_LEFT, LIST, MORE, NEIGHBORS, ORDER, UNDO
from agents.reading.acts.marks import MARKS, NOTE_CHANGES, NOTES, STARS
from agents.reading.acts.runs import RUNS
from agents.reading.acts.shelf import CHECK, EXPORT, SHELF
from agents.reading.acts.summaries import SUMMARIES
from agents.reading.acts.talk import IMPOSSIBLE, PREFERENCES, PROFILE, WATCHES
from agents.reading.reading import Reading


def _help(_: Sentence) -> Reading:
    lines = [f"- {act.label}: “{act.example}”" for act in (LIST, *ACTS) if act.label and ":" not in act.name]
    lines.insert(1, "- answer a question by what papers say: “do statins cause muscle pain?”")
    return Reading(reply="\n".join(["What can be done here, each with an example:", *lines]))


HELP = Act(
    "help",
    (
        (
            "how do|can|would|could i tag|save|export|note|search|summarize|rate|mark|undo|compare|cite|add|sort"
            "|filter [a|the|my] [note|tag|paper|papers|it|list|bibliography]"
        ),
        "help [me]",
        "what can|could you|i|spar do|ask [here|for_me]",
        "how does this|it work",
        "what do you do",
        "commands",
        "what can i say|ask|type",
    ),
    _help,
    "say what can be done",
    "help",
)

ACTS: tuple[Act, ...] = (
    COUNT_LEFT,
    WATCHES,
    *IMPOSSIBLE,
    COUNT,
    *FACTS,
    ORDER,
    *NEIGHBORS,
    *SHELF,
    *NOTE_CHANGES,
    *MARKS,
    *PREFERENCES,
    EXPORT,
    *SUMMARIES,
    *RUNS,
    PROFILE,
    CHECK,
    UNDO,
    NOTES,
    STARS,
    MORE,
    HELP,
)
"""Of two acts that explain a message equally well, the first is chosen."""
