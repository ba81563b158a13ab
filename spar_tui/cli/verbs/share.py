"""`spar share`: write saved papers with their notes, tags and decisions to one file for other people."""

import sys
from contextlib import suppress
from getpass import getuser
from typing import Annotated

from cache.paths import expanded
from cache.timestamps import utc_now
from connectors.records.clean import clean_text
from spar_tui.cli.lists.filter_words import filter_of
from spar_tui.errors import UsageError
from spar_tui.phrases import counts, papers_text
from spar_tui.terminal import remark, say, say_bytes
from spar_tui.workspace import open_store, read_settings


def share(
    words: Annotated[list[str] | None, "<WORDS…>", "Filter terms, as for spar shelf."] = None,
    tag: Annotated[str, "T", "Saved papers with this tag."] = "",
    shelf: Annotated[bool, "All saved papers."] = False,
    watch: Annotated[list[str] | None, "NAME", "Also share this stored search; repeat for more."] = None,
    by: Annotated[str, "NAME", "Your name, shown with your notes."] = "",
    output: Annotated[str, "FILE", "Write to FILE, such as pack.zip."] = "",
) -> int:
    """Write saved papers, with notes, to a file for others.

    Others merge it with spar import FILE. It contains tags and ratings, notes and screening
    decisions under your name, and the stored searches that you name. It leaves out PDFs, the reading history and the
    profile."""
    if not output and sys.stdout.isatty():
        raise UsageError("say where to write: spar share --tag T -o pack.zip.")
    words = [word for word in words or [] if word.strip()]
    if not (words or tag or shelf or watch):
        raise UsageError("say what to share: words of a filter, --tag T, --shelf or --watch NAME.")
    from cache import shelf as shelves
    from cache.conditions.scopes import SHELF
    from spar_tui.files import read_old, replace_old
    from spar_tui.sharing.merging import gathered
    from spar_tui.sharing.pack import PERSON_CAP, read_pack, written

    condition, settings, path = filter_of(words, SHELF), read_settings(), expanded(output)
    with open_store(settings) as store:
        rows = shelves.rows(store, tag=tag or None, filters=condition) if words or tag or shelf else []
        if not (rows or watch):
            remark("no saved paper matches; nothing was written.")
            return 3
        user = by
        with suppress(KeyError, OSError):  # a process without a user name; KeyError up to Python 3.12
            user = by or getuser()
        name = clean_text(user, PERSON_CAP) or "somebody"
        pack = gathered(store, [row.number for row in rows], watch or [], name)
    data = written(pack, utc_now())
    if not output:
        say_bytes(data)
        return 0
    if old := read_old(path):
        read_pack(old, str(path))  # raises if it is not a pack, so that no other document is overwritten
    replace_old(path, data, old, settings.places.locks)
    numbers = {"note": sum(len(paper.notes) for paper in pack.papers), "decision": len(pack.decisions)}
    numbers["watch"] = len(pack.watches)
    say(f"{path}: {', '.join([papers_text(len(pack.papers)), *counts(numbers)])}, shared by {name}")
    return 0
