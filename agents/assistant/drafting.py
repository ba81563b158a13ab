"""The draft of an answer: the sentences in a JSON object that the model is still writing."""

from collections.abc import Mapping
from typing import Any

from agents.assistant.grounding import MOST_SENTENCES, Source, beginning, checked
from agents.llm.answers.replies import without_thoughts
from agents.run.step import read_ids

LONGEST = 20_000
"""Maximum number of characters of an unfinished answer to read; a good one has a tenth of that."""


def draft_of(written: str, sources: Mapping[str, Source]) -> tuple[str, ...] | None:
    """Return the supported sentences of an unfinished answer; None if none can be read yet. The last sentence may be
    incomplete and its sources come after it, so it is checked against all sources."""
    rows = _rows(written)
    if rows is None:
        return None
    rows = rows[:MOST_SENTENCES]
    last = [shown for text, _ in rows[-1:] if (shown := beginning(text, sources))]
    return (*checked(rows[:-1], sources), *last)


def _rows(written: str) -> list[tuple[str, list[str]]] | None:
    """Return the sentences so far, each with the ids of its sources; None if the text has no object yet."""
    from json_repair import repair_json

    spoken = without_thoughts(written[:LONGEST])
    start = spoken.find("{")
    if start < 0:
        return None
    try:
        value: Any = repair_json(spoken[start:], return_objects=True, stream_stable=True)
    except (ValueError, RecursionError, TypeError, IndexError):
        return None  # the complete answer may still be repaired
    sentences = value.get("sentences") if isinstance(value, dict) else None
    rows = [row for row in sentences if isinstance(row, dict)] if isinstance(sentences, list) else []
    return [(text, read_ids(row.get("rests_on"))) for row in rows if isinstance(text := row.get("text"), str)]
