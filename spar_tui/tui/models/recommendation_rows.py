"""What the app shows of a recommendation: its list, its basis, and the grounds for each paper. No terminal."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agents.recommendation.events import RankedCandidate, RecommendationState, Theme
from agents.recommendation.options import RecommendOptions
from agents.search.state import THRESHOLD
from connectors.paper import Paper
from spar_tui.phrases import counted, papers_text
from spar_tui.recommendation_phrases import reasons
from spar_tui.tui.models.search_rows import PaperRow, row_of

STEPS = ("read the history", "recall", "weigh", "sum up", "rank")


@dataclass(frozen=True, slots=True, eq=False)
class Recommended:
    """A recommended paper with its recommendation."""

    state: RecommendationState
    placed: RankedCandidate

    @property
    def paper(self) -> Paper:
        return self.state.findings.papers[self.placed.work]

    @property
    def score(self) -> float | None:
        """The score in the list; None if the paper was raised for variety."""
        return self.placed.score if self.placed.unproven or not self.placed.why else None

    @property
    def themes(self) -> Sequence[Theme]:
        """The themes of the whole list, the most salient first."""
        return self.state.summarized.themes if self.state.summarized else ()


def listed(state: RecommendationState) -> list[Recommended]:
    """Return the recommended papers, best first."""
    return [Recommended(state, placed) for placed in state.shown]


def reordered(
    shown: Sequence[Recommended], at: int, fresh: Sequence[Recommended], gone: Collection[str]
) -> list[Recommended]:
    """Return `shown` down to index `at`, then `fresh`: the rows up to the cursor must not move. `gone` are the ids of
    papers that the person removed."""
    kept = list(shown[: at + 1])
    there = {recommendation.paper.id for recommendation in kept} | set(gone)
    return kept + [recommendation for recommendation in fresh if recommendation.paper.id not in there]


def recommended_row(key: int, recommended: Recommended, liked: bool) -> PaperRow:
    """Return the row of a paper, with its first reason."""
    first = next(iter(reasons(recommended.state, recommended.placed, 1)), "")
    reason = f"You want more like this. {first}".rstrip() if liked else first
    placed, row = recommended.placed, row_of(key, recommended.paper)
    return replace(row, score=recommended.score, reason=reason, relevant=placed.score >= THRESHOLD, scored=True)


def step_of(state: RecommendationState) -> tuple[int, int, int]:
    """Return the index in `STEPS` of the current step, and how much of how much of it is done."""
    if state.context is None:
        return 0, 0, 0
    if state.recalled is None:
        return 1, 0, 0
    if state.summarized is None:
        return 2, len(state.aligned), len(state.candidates)
    return (3 if state.ranked is None else 4), 0, 0


def made_from(state: RecommendationState, options: RecommendOptions) -> str:
    """Return the basis so far: `from 34 papers of your history; 12,345 papers compared; built-in rules`."""
    parts = []
    if state.context is not None:
        parts.append(_basis(state, options))
    if state.recalled is not None:
        parts.append(f"{papers_text(state.recalled.known)} compared")
    if state.ranked is not None:
        parts.append(_minds(state))
    return "; ".join(parts)


def _basis(state: RecommendationState, options: RecommendOptions) -> str:
    assert state.context is not None
    many, lines = state.context.papers, len(state.context.lines)
    if options.start:
        return f"from {papers_text(many)} that you chose"
    if options.tag is not None:
        return f"from {papers_text(many)} tagged {options.tag}"
    written = f" and {counted(lines, 'line')} of your profile" if lines else ""
    if not many and not lines:
        return f"from the landmarks of {options.field}" if options.field else "without a history"
    return f"from {papers_text(many)} of your history{written}"


def _minds(state: RecommendationState) -> str:
    """Return whether a model, built-in rules or both judged."""
    agents = [state.understood, state.summarized, state.ranked, *state.aligned.values()]
    by_model = [agent.by == "model" for agent in agents if agent is not None]
    model = state.started.model if state.started else None
    if not any(by_model):
        return "built-in rules"
    return f"{'' if all(by_model) else 'partly '}by {model or 'the model'}"
