"""Acts that write, erase and show notes."""

from collections.abc import Callable

from agents.reading.acts.act import Sentence, acts, fixed_plan
from agents.reading.acts.changes import changed
from agents.reading.reading import Call, Reading


def _noted(sentence: Sentence) -> Reading | None:
    """Write a note, below the one that the paper has already."""
    turn = sentence.turn
    return _written(sentence, lambda name, text: "\n".join(filter(None, (turn.note_of(name), text))))


def _renoted(sentence: Sentence) -> Reading | None:
    return _written(sentence, lambda name, text: text)


def _written(sentence: Sentence, text_for: Callable[[str, str], str]) -> Reading | None:
    text = sentence.text("text")
    if not text:
        return None
    make = lambda names: Call("note", {"paper": names[0], "text": text_for(names[0], text)})  # noqa: E731
    return changed(sentence, make, one=True)


def _unnoted(sentence: Sentence) -> Reading | None:
    return changed(sentence, lambda names: Call("note", {"paper": names[0], "text": ""}), one=True)


NOTE_CHANGES = acts(
    """
unnote | erase a note, after asking you | erase the note on the first
  delete|remove|erase|clear|drop [the|my] note|notes of|on|about|from|for {papers}; erase|delete|remove {papers} ['s]
  note; delete|remove|erase|clear|drop [the|my|this|that|its] note|notes [completely|entirely|again]
rewrite note | | change the note on the first to: read again
  change|edit|update|replace|rewrite [the|my|that] note|comment [on|of|for|about] {papers?} to|with|by|: [:] {text};
  [my] note on|for|to|about {papers} should|shall be|say|read [:] {text};
  set [the|my] note on|for|of {papers} to {text}
note | write a note, after asking you | note on the first: check table 2
  add|write|make|put|attach|leave [a|the|this] note|comment to|on|about|for|with {papers} : {text};
  add|write|make|put|attach|leave [a|the|this] note|comment to|on|about|for|with {papers}
  saying|that|which_says|reading {text}; note|comment [to_self|to_myself] on|about|for|to|down_for {papers} : {text};
  note|comment on|about|for|to {papers} that|saying {text}; note|comment for|on|to {papers} , {text};
  add|write|make [a|the] note|comment : {text}; add|write|make [a|the] note|comment that|saying {text};
  annotate {papers} with|: {text}; write|put|add|attach|save {text} as|as_a note|comment on|about|for|to {papers};
  add|put|write|attach [the|a] note|comment {text} to|on|for {papers}; note : {text}; note {papers} : {text};
  write|jot|note down|to|for {papers} : {text}; write|jot_down|note_down|write_down that {text}; note that {text};
  add|append|write [this|the_following] to [the|my|that|this|its] note|notes [on|of|about|for] {papers?} : {text};
  add|append [to] {papers} 's note : {text}; add|append [to] it : {text};
  write|add|append|put {text} into|in|to the_note|my_note|that_note|the_notes|my_notes|notes [of|on|about|for] {papers?}
""",
    {"unnote": _unnoted, "rewrite note": _renoted, "note": _noted},
)

(NOTES,) = acts(
    """
notes | show your notes | what are my notes?
  [what|which] [are|were] [all] [my|the] notes; [all] my notes [on_everything];
  what notes do|have i [have|made|taken|written]; what did i note; [all] my notes and comments
""",
    {
        "notes": fixed_plan(
            Call("query", {"sql": "SELECT paper, title, note FROM shelf WHERE note != '' ORDER BY saved DESC"})
        )
    },
)
