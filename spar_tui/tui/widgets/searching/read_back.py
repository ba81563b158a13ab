"""The question read back in a line or two, under it."""

from textual.content import Content

from agents.search.state import SearchState
from spar_tui.phrases import counted, left_out_text, read_back, small_words_text
from spar_tui.tui.widgets.text import QUIET, cut, fitting, plain


def reading_line(state: SearchState, width: int, key: str) -> Content:
    """How the question was read, what it means, and how many papers its dates leave out, where `key` edits them."""
    if state.understood is None:
        return plain("" if state.finished else "The question is being read…", QUIET)
    read = read_back(state.understood)
    left_out = left_out_text(state)
    not_read = small_words_text(state.started.question if state.started else "")
    told = [f"{sentence} ({key} edits the question)" for sentence in (left_out, not_read) if sentence]
    return plain(cut(" · ".join([*told, read.reading, *read.meaning]), width), QUIET)


def asking_line(state: SearchState, width: int, key: str) -> Content:
    """Whom it goes to and why, and in how many queries, all of which are shown by `key`; reasons go before names do."""
    if state.understood is None:
        return Content("")
    read = read_back(state.understood)
    chosen = sum(one.chosen for evolved in state.evolved for one in evolved.queries)
    queries = counted(len(read.queries) + chosen, "query", "queries")
    end = Content.assemble((queries, QUIET), (f"  {key}", "$accent"), (" tells all", QUIET))
    room = width - end.cell_length - 3
    verb = "asked" if state.finished else "asks"
    whole = plain(f"{verb} {', '.join(read.sources) or 'no live source'}", QUIET)
    if whole.cell_length > room:
        whole = plain(cut(f"{verb} {', '.join(state.understood.sources)}", max(room, 0)), QUIET)
    return fitting([one for one in (whole, end) if one.cell_length], width)
