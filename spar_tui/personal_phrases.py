"""The effects of a person's taste on a search, in sentences: the same on the command line, in the app and in
reports."""

from agents.search.events import PersonallyRanked, PersonalPlace
from agents.search.state import SearchState
from connectors.paper import WorkId
from spar_tui.phrases import counted
from spar_tui.recommendation_phrases import ground_text, history_name

NOTHING_KNOWN = (
    "spar does not know yet what you like, so the order is by relevance alone. Save or like papers:"
    " `spar save PAPER`, `spar mark PAPER --like`."
)


def personal_text(state: SearchState, work: WorkId) -> str:
    """Say how far a paper was moved by the person's taste, and why; "" if it was not."""
    rank = state.personal_place(work)
    if state.personal is None or rank is None or rank.before == rank.after:
        return ""
    up = rank.before - rank.after
    moved = f"moved {'up' if up > 0 else 'down'} {counted(abs(up), 'place')} by your taste"
    return f"{moved}: {_because(state.personal, rank, state.found[work].paper.id, up > 0)}"


def _because(personal: PersonallyRanked, rank: PersonalPlace, paper: str, up: bool) -> str:
    history = {history_paper.number: history_paper for history_paper in personal.history}
    if up:
        return ground_text(history, rank.grounds[0]) if rank.grounds else "it is similar to what your profile says"
    against = history.get(rank.against.number) if rank.against else None
    if against is None:
        return "others are more similar to what you like"
    if against.id == paper:
        return "you did not want it"
    return f"it is as similar to {history_name(against, against=True)} as to what you like most"


def personal_line(personal: PersonallyRanked) -> str:
    """Say how taste changed the whole list."""
    if not personal.known:
        return NOTHING_KNOWN
    moved = sum(rank.before != rank.after for rank in personal.places)
    return (
        f"Your taste orders papers of about the same relevance: it moved {moved or 'none'} of"
        f" {counted(len(personal.places), 'paper')}."
    )
