"""An answer while the model writes it: its sentences out of an object that is not whole yet."""

from collections.abc import Mapping
from typing import Any

from agents.assistant.grounding import MOST_SENTENCES, Source, beginning, checked
from agents.llm.answers.replies import without_thoughts
from agents.run.step import read_ids

LONGEST = 20_000
"""Letters of an answer that are read while it is written; a good one has a tenth of that."""


def draft_of(written: str, sources: Mapping[str, Source]) -> tuple[str, ...] | None:
    """The sentences in what the model has written of its answer; None where they cannot be told as yet. Each is held to
    the same as in the end; the last, which may not be whole, as far as can be: what it rests on comes after it."""
    rows = _rows(written)
    if rows is None:
        return None
    rows = rows[:MOST_SENTENCES]
    last = [shown for text, _ in rows[-1:] if (shown := beginning(text, sources))]
    return (*checked(rows[:-1], sources), *last)


def _rows(written: str) -> list[tuple[str, list[str]]] | None:
    """The texts so far, and what they rest on."""
    from json_repair import repair_json

    spoken = without_thoughts(written[:LONGEST])
    start = spoken.find("{")
    if start < 0:
        return None
    try:
        value: Any = repair_json(spoken[start:], return_objects=True, stream_stable=True)
    except (ValueError, RecursionError, TypeError, IndexError):
        return None  # whoever reads the whole of it may still mend it
    sentences = value.get("sentences") if isinstance(value, dict) else None
    rows = [row for row in sentences if isinstance(row, dict)] if isinstance(sentences, list) else []
    return [(text, read_ids(row.get("rests_on"))) for row in rows if isinstance(text := row.get("text"), str)]
