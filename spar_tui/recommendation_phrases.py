"""Why a paper is recommended, in sentences: the same on the command line, in the app and in reports."""

from collections.abc import Mapping, Sequence

from agents.recommendation.events import CandidateAligned, Ground, HistoryPaper, Placed
from agents.recommendation.state import RecommendationState
from agents.taste.acts import AGAINST, WORTH
from spar_tui.phrases import counted, reason_text, sentence

_DONE = {
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
LONGEST_TITLE = 70


def reasons(state: RecommendationState, placed: Placed, most: int = 2) -> list[str]:
    """Why a candidate is recommended, a sentence each, the weightiest first: what the model says, if it was asked, what
    it shares with papers of the history, and what moved it in the list."""
    aligned = state.aligned.get(placed.work)
    told: list[str] = []
    if aligned:
        if aligned.reason:
            quote = f" “{aligned.quote}”" if aligned.quote else ""
            told.append(_ended(reason_text(aligned.reason, not aligned.unproven)) + quote)
        told += [_ended(ground_text(state.history, ground)) for ground in aligned.grounds[:most]]
        told += [_ended(text) for text in against_texts(state, aligned)]
    if placed.why:
        told.append(_ended(reason_text(placed.why, not placed.unproven)))
    return told


def ground_text(history: Mapping[int, HistoryPaper], ground: Ground) -> str:
    """What a candidate shares with a paper of the history: `it cites “T”, which you saved, and both say “w”`."""
    known = history.get(ground.number)
    named = history_name(known) if known else "a paper of yours"
    if ground.link == "references":
        first = f"it cites {named}"
    elif ground.link == "citations":
        first = f"it is cited by {named}"
    elif ground.shared_references:
        first = f"it cites {counted(ground.shared_references, 'work')} of those that are cited by {named}"
    elif ground.words or ground.keywords:
        return f"like {named}, it {_shared(ground)}"
    else:
        return f"it has single words in common with {named}"
    return f"{first}; both {_shared(ground, both=True)}" if ground.words or ground.keywords else first


def against_texts(state: RecommendationState, aligned: CandidateAligned) -> list[str]:
    """What speaks against a candidate."""
    told = []
    if aligned.against:
        known = state.history.get(aligned.against.number)
        told.append(
            f"it is nearer to {history_name(known) if known else 'a line of your dislikes'} than to what you like"
        )
    if aligned.unmet:
        told.append(aligned.unmet)
    return told


def history_name(paper: HistoryPaper) -> str:
    """`“Title” (key), which you saved`: by its title, its citation key, and the act that says most."""
    title = paper.title if len(paper.title) <= LONGEST_TITLE else paper.title[: LONGEST_TITLE - 1].rstrip() + "…"
    key = f" ({paper.key})" if paper.key else ""
    act = act_text(paper.acts)
    return f"“{title}”{key}{f', which you {act}' if act else ''}"


def act_text(acts: Sequence[str]) -> str:
    """The act that says most of those done with a paper, in words; "" for none."""
    worth = {**WORTH, **AGAINST}
    known = [act for act in acts if act in worth]
    return _DONE[max(known, key=lambda act: worth[act].worth)] if known else ""


def _shared(ground: Ground, both: bool = False) -> str:
    if ground.words:
        return f"say{'' if both else 's'} {_listed(ground.words)}"
    return f"{'are' if both else 'is'} filed under {_listed(ground.keywords)}"


def _listed(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _ended(text: str) -> str:
    return sentence(text) + ("" if text.endswith((".", "!", "?", "…")) else ".")
