"""The rows of what to read next: their numbers stand in the order of the list."""

from agents.recommendation.events import RankedCandidate, RecommendationState
from agents.run.events import FoundBy, PaperFound
from connectors.paper import WorkId
from spar_tui.tui.models.recommendation_rows import Recommended, recommended_row
from tests.agents.scripted import paper
from tests.rows import each


@each(("why", "unproven", "score"), [("", False, 0.4), ("a must", True, 0.4), ("variety", False, None)])
def test_a_paper_raised_above_better_ones_shows_no_score(why: str, unproven: bool, score: float | None) -> None:
    state = RecommendationState().apply(PaperFound(WorkId(1), paper("A", "10.1000/a"), FoundBy("library", "", 1)))
    placed = RankedCandidate(WorkId(1), 0.4, why, unproven=unproven)
    assert recommended_row(0, Recommended(state, placed), liked=False).score == score
