"""Cues are written in the notation of forms, and all spellings of a cue introduce the same."""

from agents.reading.cues import cues_by_word, spellings
from tests.rows import each


def test_a_phrase_spells_out_its_alternatives_and_what_is_optional() -> None:
    assert [" ".join(words) for words in spellings("[i] rated up|well in_all")] == [
        "i rated up in all", "i rated well in all", "rated up in all", "rated well in all",
    ]  # fmt: skip


@each(
    ("phrase", "kind"),
    [
        ("by number of their citations", "order"),
        ("from the same people", "pronoun"),
        ("out of these papers", "these"),
        ("have i put on the shelf", "saved_on"),
        ("doctoral dissertations", "state"),
    ],
)
def test_every_spelling_is_a_cue(phrase: str, kind: str) -> None:
    words = tuple(phrase.split())
    assert [cue.kind for cue in cues_by_word()[words[0]] if cue.words == words] == [kind]
