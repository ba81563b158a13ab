"""What a summary says that it left out."""

from agents.summary.events import ROOT, Facet, FacetDropped, FacetsMerged, FacetsPlanned
from agents.summary.state import SummaryState

TITLES = ("Causes", "Detection", "Mitigation", "Evaluation", "Agents")


def planned() -> SummaryState:
    """Facets of the topic, and two of the first of them: "Mitigation" and "Decoding"."""
    state = SummaryState().apply(FacetsPlanned(ROOT, tuple(Facet(title, title, title) for title in TITLES)))
    return state.apply(FacetsPlanned("1", tuple(Facet(title, title, title) for title in ("Mitigation", "Decoding"))))


def test_facets_merged_away_or_without_papers_are_left_out_with_the_reason() -> None:
    state = (
        planned().apply(FacetDropped("4", "relevant", "no paper was found")).apply(FacetsMerged("2", "5", "the same"))
    )
    assert [(state.title(node), gone.reason) for node, gone in state.left_out.items()] == [
        ("Evaluation", "no paper was found"),
        ("Agents", "the same"),
    ]


def test_a_title_is_left_out_once_and_only_if_no_facet_has_it() -> None:
    merged = planned().apply(FacetsMerged("3", "1.1", "the same"))
    assert merged.left_out == {}
    both = merged.apply(FacetDropped("3", "relevant", "no paper was found"))
    assert [both.title(node) for node in both.left_out] == ["Mitigation"]
