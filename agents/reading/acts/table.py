"""The table of all acts of a conversation without a model."""

import re

from agents.reading.acts.act import Act, MatchedMessage, patterns
from agents.reading.acts.facts import FACTS
from agents.reading.acts.lists import COUNT, COUNT_LEFT, LIST, MORE, NEIGHBORS, ORDER, REVERSE, UNDO
from agents.reading.acts.marks import MARKS, NOTE_CHANGES, NOTES, STARS
from agents.reading.acts.runs import RUNS
from agents.reading.acts.shelf import CHECK, EXPORT, SHELF
from agents.reading.acts.summaries import SUMMARIES
from agents.reading.acts.talk import IMPOSSIBLE, PREFERENCES, PROFILE, WATCHES
from agents.reading.cues import FILLERS, NOUNS
from agents.reading.reading import MessagePlan


def _help(sentence: MatchedMessage) -> MessagePlan | None:
    """Return the help: all acts or, for "how do I …?", only those that have all of its words."""
    words = {word for word in sentence.words("topic") if word.isalpha()} - FILLERS - NOUNS
    lines = [
        f"- {act.label}: “{act.example}”"
        for act in (LIST, *ACTS)
        if act.label and ":" not in act.name and words <= {*re.findall("[a-z]+", " ".join((act.label, *act.words)))}
    ]
    if sentence.has("topic") and not (words and lines):
        return None
    if not words:
        lines.insert(1, "- answer a question by what papers say: “do statins cause muscle pain?”")
    return MessagePlan(reply="\n".join(["What can be done here, each with an example:", *lines]))


HELP = Act(
    "help",
    patterns(
        "help; what can|could you|i|spar [do|ask|say|type]; how_do|how_can|how_would|how_does|how_to i|you|one|it|this"
        " [work|works] {topic}; commands; what do you"
    ),
    _help,
    "say what can be done",
    "help",
)

ACTS: tuple[Act, ...] = (
    COUNT_LEFT,
    *WATCHES,
    *IMPOSSIBLE,
    COUNT,
    *FACTS,
    ORDER,
    REVERSE,
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
    *NOTES,
    STARS,
    MORE,
    HELP,
)
"""If two acts explain a message equally well, the first one is chosen."""
