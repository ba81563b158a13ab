"""The page shown if a search found no papers: what happened, and what to do now."""

from collections.abc import Callable, Iterator

from textual.content import Content

from agents.run.findings import outcome_of
from agents.search.state import SearchState
from spar_tui.phrases import left_out_text, read_back, sentence, small_words_text
from spar_tui.source_phrases import nothing_found, source_text
from spar_tui.tui.widgets.paper_page import heading
from spar_tui.tui.widgets.text import QUIET, cut, plain


def reading_line(state: SearchState, width: int, key: str) -> Content:
    """Return how the question was read and what it means, and how many papers its dates exclude; `key` edits it."""
    if state.understood is None:
        return plain("" if state.finished else "The question is being read…", QUIET)
    read = read_back(state.understood)
    left_out = left_out_text(state)
    not_read = small_words_text(state.started.question if state.started else "")
    sentences = [f"{sentence} ({key} edits the question)" for sentence in (left_out, not_read) if sentence]
    return plain(cut(" · ".join([*sentences, read.reading, *read.meaning]), width), QUIET)


KeyShown = Callable[[str], str]
"""Returns the key of a command by its id."""


def nothing_page(state: SearchState, offline: bool, key: KeyShown) -> Content:
    """Return a page on what each source did in a search without papers, and the next keys."""
    sources = [_source(name, state) for name in state.sources]
    keys = [Content.assemble((f"{shown:<5}", "$accent"), plain(hint)) for shown, hint in _next(state, offline, key)]
    parts = [
        plain(f"{sentence(nothing_found(state.sources))}.", "bold"),
        *([Content("\n").join(sources)] if sources else []),
        Content.assemble(heading("What you can do"), Content("\n").join(keys)),
    ]
    return Content("\n\n").join(parts)


def _source(name: str, state: SearchState) -> Content:
    tally = state.sources[name]
    style = {"failed": "$error", "partial": "$warning", "not asked": QUIET}.get(outcome_of(tally), "")
    return plain(f"{name} {source_text(tally)}", style)


def _next(state: SearchState, offline: bool, key: KeyShown) -> Iterator[tuple[str, str]]:
    if state.troubled:
        yield key("search.again"), "runs it again"
        yield key("app.errors"), "shows the errors"
    yield key("search.edit"), "edits the question"
    begun = [f"{word} {date}" for word, date in _begun_with(state) if date]
    read = [limit for limit in (state.understood.limits if state.understood else ()) if limit not in begun]
    if read:
        yield key("search.edit"), f"runs it without “{', '.join(read)}”"
    if begun:
        yield key("search.back"), f"goes back, to ask without “{', '.join(begun)}”"
    offline_told = "spar is offline now" if offline else "sources and keys"
    yield key("app.settings"), f"opens the settings: {offline_told}"


def _begun_with(state: SearchState) -> list[tuple[str, object]]:
    return [("since", state.started.since), ("until", state.started.until)] if state.started else []
