"""Writing notes about papers, and erasing them."""

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import SHOWN, known_names_in, names_in
from agents.builtin.requests.scene import Call, Reading, Scene, plan

MOST = 20


def _write(slots: Slots, scene: Scene) -> Reading | None:
    names = known_names_in(slots["paper"], scene) or names_in(slots["paper"], scene)
    if names == (SHOWN,) and scene.shown:
        names = tuple(f"@{place}" for place in range(1, min(scene.shown, MOST) + 1))
    text = slots.get("text", "").strip(" \"'")
    return plan(*(Call("note", {"paper": name, "text": text}) for name in names[:MOST])) if names else None


def _write_about_known(slots: Slots, scene: Scene) -> Reading | None:
    return _write(slots, scene) if known_names_in(slots["paper"], scene) else None


def _write_about_it(slots: Slots, scene: Scene) -> Reading | None:
    """About the paper that was looked at last."""
    return _write({**slots, "paper": "it"}, scene) if scene.has_it else None


_SAYING = "(saying|that says|that reads|reading|which says|with the text|with the words|that it says|saying that)"
NOTING = (
    Rule(Phrases(f"""
        [make|add|write|put|take|leave|attach|create|set] [a|the|this|my] note/notes/comment/remark (on|to|about|
            for|at|with) <paper> : <text:text>
        [make|add|write|put|take|leave|attach|create|set] [a|the|this|my] note/notes/comment/remark (on|to|about|
            for|at|with) <paper> {_SAYING} [:] <text:text>
        [make|add|write|put|take|leave|attach|create] [a|the|this|my] note/comment/remark {_SAYING} <text> (on|to|
            about|for|at) <paper>
        [make|add|write|put|take|leave|attach|create] [a|the|this|my] note/comment/remark <text:quoted> (on|to|
            about|for|at) <paper>
        (write|put|add|note|jot|attach|scribble) [down] <text:quoted> [as [a|the|my] note] (on|to|about|for|next to|
            into the note of) <paper>
        note/comment [down] (on|for|about|to|at) <paper> : <text:text>
        (note|write|comment|jot) [down] (about|on|for|to|at) <paper> that <text:text>
        note/annotate <paper> : <text:text>
        (write|put|jot|scribble|note) [this|that|it] [down] (for|on|about|to|beside|next to) <paper> : <text:text>
        [my] {{note}} <paper> : <text:text>
        annotate <paper> with [the note|the words|:] <text:text>
        note (on|about|for) <paper> <text:quoted>
        [make|add|write|put|take|leave|attach|create] [a|the] note/comment (on|to|about|for|at) <paper> that
            <text:text>
        my note (on|for|about) <paper> (is|should be|should say) [:] <text:text>
        (set|change) (the|my) note (on|for|of|about) <paper> to [:] <text:text>
    """), _write),
    Rule(Phrases("note [down] (that|for) <paper> : <text:text>"), _write_about_known),
    Rule(Phrases(f"""
        [make|add|write|put|take|leave|attach|create] [a|the|this|my] note/comment [down] [:] <text:quoted>
        [make|add|write|put|take|leave|attach|create] [a|the|this|my] note/comment [down] : <text:text>
        [make|add|write|put|take|leave|attach|create] [a|the|this|my] note/comment {_SAYING} [:] <text:text>
    """), _write_about_it),
    Rule(Phrases("""
        (delete|erase|remove|clear|drop|take away|get rid of) [the|my|its] {note} (on|of|about|from|for|to|at)
            <paper>
        (delete|erase|remove|clear|drop) <paper> 's note
    """), lambda slots, scene: _write({"paper": slots["paper"]}, scene)),
)  # fmt: skip
