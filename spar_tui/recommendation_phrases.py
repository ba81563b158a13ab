"""Why a paper is recommended, in sentences: the same on the command line, in the app and in reports."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.recommendation.events import CandidateAligned, RankedCandidate, RecommendationState, Way
from agents.search.events import PersonallyRanked, PersonalPlace
from agents.search.state import SearchState
from agents.taste.context import AGAINST, CHOSEN, WORTH
from agents.taste.records import Ground, HistoryPaper
from cache.conditions.wording import quoted
from connectors.paper import WorkId
from connectors.records.visible import shortened
from spar_tui.math_text import shown_title
from spar_tui.phrases import counted, full_sentence, papers_text, reason_text

DONE = {
    CHOSEN: "chose to start from",
    "liked": "liked",
    "noted": "wrote a note on",
    "cited": "cited",
    "saved": "saved",
    "exported": "exported",
    "read": "read",
    "opened": "opened",
    "viewed": "looked at",
    "disliked": "disliked",
    "dismissed": "did not want",
}
"""The person's interaction with a paper, for use after “which you”."""
WAYS: dict[Way, str] = {
    "near": "similar to your history",
    "linked": "linked to a paper of it",
    "watched": "new in a watch",
    "starter": "on the starter shelf",
    "source": "recommended by a source",
}
"""How a candidate was recalled."""


def reasons(state: RecommendationState, placed: RankedCandidate, most: int = 2) -> list[str]:
    """Return why a candidate is recommended, a sentence each, most important first: the model's reason, what it
    shares with papers of the history, and what moved it in the list."""
    aligned = state.aligned.get(placed.work)
    parts: list[str] = []
    if aligned:
        if aligned.reason:
            quote = f" “{aligned.quote}”" if aligned.quote and not aligned.unproven else ""
            parts.append(full_sentence(reason_text(aligned.reason, not aligned.unproven)) + quote)
        parts += [full_sentence(ground_text(state.history, ground)) for ground in aligned.grounds[:most]]
        parts += [full_sentence(text) for text in against_texts(state, aligned)]
    if state.started and state.started.field:
        parts.append(f"It is one of the landmarks of “{state.started.field}” on the starter shelf.")
    if placed.why:
        # Reasons for a rank above papers with better scores come first; a model's reason for a rank comes last.
        parts.insert(len(parts) if placed.unproven else 0, full_sentence(reason_text(placed.why, not placed.unproven)))
    return parts


def ground_text(history: Mapping[int, HistoryPaper], ground: Ground) -> str:
    """Return what a candidate shares with a paper of the history: `it cites “T”, which you saved; both say “w”`. It
    quotes only words that occur in both."""
    history_paper = history.get(ground.number)
    label = (
        f"your own line “{ground.line}”"
        if ground.line
        else history_name(history_paper)
        if history_paper
        else "a paper of yours"
    )
    if ground.link == "references":
        first = f"it cites {label}"
    elif ground.link == "citations":
        first = f"it is cited by {label}"
    elif ground.shared_references:
        comma = "," if history_paper and act_text(history_paper.acts) else ""
        first = f"it and {label}{comma} cite {counted(ground.shared_references, 'work')} in common"
    elif ground.words or ground.keywords:
        return f"like {label}, it {_shared(ground)}"
    else:
        none = ", but they share no phrase" if ground.looked_up else ""
        return f"similar to {label}{none}"
    return f"{first}; both {_shared(ground, both=True)}" if ground.words or ground.keywords else first


def against_texts(state: RecommendationState, aligned: CandidateAligned) -> list[str]:
    """Return what counts against a candidate."""
    parts = []
    if aligned.against:
        history_paper = state.history.get(aligned.against.number)
        label = history_name(history_paper, against=True) if history_paper else "something that you do not want"
        label = f"your own line “{aligned.against.line}”" if aligned.against.line else label
        comma = "," if history_paper and act_text(history_paper.acts, against=True) else ""
        parts.append(f"it is as similar to {label}{comma} as to what you like most")
    if aligned.unmet:
        parts.append(aligned.unmet)
    return parts


def history_name(paper: HistoryPaper, against: bool = False) -> str:
    """Return a paper's name as `“Title” (key), which you saved`: title, citation key, and the most important
    interaction."""
    key = f" ({paper.key})" if paper.key else ""
    act = act_text(paper.acts, against)
    return f"“{shortened(shown_title(paper.title))}”{key}{f', which you {act}' if act else ''}"


def act_text(interactions: Sequence[str], against: bool = False) -> str:
    """Return the most important interaction with a paper, in words; "" for none. With `against`, prefer interactions
    that count against it."""
    if CHOSEN in interactions and not against:
        return DONE[CHOSEN]
    for worth in (AGAINST, WORTH) if against else (WORTH, AGAINST):
        if weighed := [act for act in interactions if act in worth]:
            return DONE[max(weighed, key=lambda act: worth[act].worth)]
    return ""


def whence_text(options: Mapping[str, Any]) -> str:
    """Return what a recommendation with these options started from, for lists of runs."""
    if options.get("start"):
        whence = f"from {papers_text(len(options['start']))}"
    elif options.get("tag"):
        whence = f"from the tag {options['tag']}"
    else:
        whence = f"landmarks of {options['field']}" if options.get("field") else "from your reading history"
    return f"{whence}, only what was new" if options.get("only_new") else whence


def nothing_text(state: RecommendationState) -> str:
    """Say why nothing is recommended, and what to do."""
    if state.recalled is None or (state.candidates and state.ranked is None):
        return "the time was up before any paper was judged; give more --seconds, or none."
    if state.candidates:
        verb = "judged is" if len(state.candidates) == 1 else "judged are"
        return f"the {papers_text(len(state.candidates))} {verb} like papers that you do not want."
    if state.started and state.started.new_since:
        since = f"{state.started.new_since.astimezone():%Y-%m-%d %H:%M}"
        return f"nothing like your history is new since the last recommendation ({since}); leave out --new for all."
    return (
        "no paper in the library can be recommended: you know or dismissed each, it was shown three times, or it has "
        "nothing in common with your history. Search for more: spar search “…”."
    )


def _shared(ground: Ground, both: bool = False) -> str:
    if ground.words:
        return f"say{'' if both else 's'} {quoted(ground.words)}"
    return f"{'are' if both else 'is'} filed under {quoted(ground.keywords)}"


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
        return ground_text(history, rank.grounds[0]) if rank.grounds else "similar to what your profile says"
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
