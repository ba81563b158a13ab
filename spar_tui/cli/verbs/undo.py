"""`spar undo`: take back the last change of the library, whoever made it: a verb, the app, the chat or an agent."""

from spar_tui.cli.arguments import JsonFlag
from spar_tui.errors import Failure
from spar_tui.terminal import note, say, say_json
from spar_tui.workspace import open_store, read_settings


def undo(as_json: JsonFlag = False) -> int:
    """Undo the last change.

    Undoes what a verb, the app, chat or an agent last did to papers: saving, removing, tags, notes, read marks,
    PDFs, ratings, corrections, citation keys, merging, splitting, importing. Run it again to undo the change before.
    Later changes stay."""
    from agents.tools.change_phrases import change_text
    from cache.taking_back import take_back_last

    with open_store(read_settings()) as store:
        step = take_back_last(store)
    if step is None:
        if as_json:
            say_json({"taken_back": [], "left": []})
        note("spar: nothing to undo.")
        return 3
    changes = {
        number: {"id": paper.id, "title": paper.title, "change": change_text(step.rows[number])}
        for number, paper in step.papers.items()
    }
    taken = [change for number, change in changes.items() if number in step.back]
    left = [change for number, change in changes.items() if number not in step.back]
    if as_json:
        say_json({"taken_back": taken, "left": left})
    else:
        say(*(f"undid: {change['change']}  {change['id']}  {change['title']}" for change in taken))
    for change in left:
        note(f"spar: not undone: {change['change']}  {change['id']}  {change['title']}; it changed since.")
    if not taken:
        raise Failure("nothing was undone; run spar undo again for the change before.")
    return 0
