"""The question read back in a line under it."""

from textual.content import Content

from agents.search.state import SearchState
from spar_tui.phrases import left_out_text, read_back, small_words_text
from spar_tui.tui.widgets.text import QUIET, cut, plain


def reading_line(state: SearchState, width: int, key: str) -> Content:
    """How the question was read, what it means, and how many papers its dates leave out, where `key` edits them."""
    if state.understood is None:
        return plain("" if state.finished else "The question is being read…", QUIET)
    read = read_back(state.understood)
    left_out = left_out_text(state)
    not_read = small_words_text(state.started.question if state.started else "")
    told = [f"{sentence} ({key} edits the question)" for sentence in (left_out, not_read) if sentence]
    return plain(cut(" · ".join([*told, read.reading, *read.meaning]), width), QUIET)
