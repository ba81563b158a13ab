"""`spar undo`: take back the last change of saved papers, whoever made it: a verb, the app, the chat or an agent."""

from typing import TYPE_CHECKING

from spar_tui.cli.arguments import JsonFlag

if TYPE_CHECKING:
    from cache.shelf_undo import Entry


def undo(as_json: JsonFlag = False) -> int:
    """Take back the last change of saved papers.

    Undo what a verb, the app, the chat or an agent did last: saving, removing, tags, notes, read marks, PDFs, and what
    you said of your taste. Again: what was before that. What was changed since stays as it is. Corrections and merges
    have an --undo of their own; what a bibliography brought stays."""
    from cache.papers import by_ids
    from cache.shelf_undo import take_back_last
    from spar_tui.errors import Failure
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import note, say
    from spar_tui.workspace import open_store, read_settings

    with open_store(read_settings()) as store:
        step = take_back_last(store)
        if step is None:
            if as_json:
                say(dump({"taken_back": [], "left": []}))
            note("spar: nothing to take back: no change of saved papers is kept.")
            return 3
        told = {
            number: {"id": paper.id, "title": paper.title, "change": change_text(entry, step.after[number])}
            for number, entry in step.before.items()
            for paper in by_ids(store, [number])
        }
    taken = [one for number, one in told.items() if number in step.back]
    left = [one for number, one in told.items() if number not in step.back]
    if as_json:
        say(dump({"taken_back": taken, "left": left}))
    else:
        say(*(f"took back: {one['change']}  {one['id']}  {one['title']}" for one in taken))
    for one in left:
        note(f"spar: not taken back: {one['change']}  {one['id']}  {one['title']}; it was changed since.")
    if not taken:
        raise Failure("nothing was taken back; spar undo again takes back what was before.")
    return 0


def change_text(before: "Entry", after: "Entry") -> str:
    """What happened to a paper between two states of its entry, such as `saved, tagged rag`."""
    if after.saved is None and before.saved is not None:
        return "removed"
    new = after.saved is not None and before.saved is None
    came, gone = (", ".join(tag for tag in one.tags if tag not in other.tags)
                  for one, other in ((after, before), (before, after)))  # fmt: skip
    parts = {
        "saved": new,
        f"tagged {came}": came,
        f"untagged {gone}": gone,
        "note written" if after.note else "note erased": before.note != after.note,
        "marked as read" if after.read else "marked as unread": before.read != after.read,
        "PDF set" if after.pdf else "PDF forgotten": before.pdf != after.pdf,
        after.said or "unrated": before.said != after.said and not new,
    }
    return ", ".join(part for part, happened in parts.items() if happened) or "changed"
