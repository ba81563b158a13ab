"""The design of a study is told where it names it as its own."""

from agents.evidence.designs import design_of
from tests.agents.scripted import paper
from tests.rows import each


@each(
    ("title", "abstract", "design"),
    [
        ("Statins: a meta-analysis of randomised controlled trials", "", "meta-analysis"),
        ("Statins", "We did a systematic review of what was written.", "systematic review"),
        ("Statins", "In this randomized, placebo-controlled trial 40 adults took part.", "randomized trial"),
        ("Statins", "Earlier meta-analyses disagree. Our retrospective cohort study had 90 adults.", "cohort study"),
        ("Statins", "This prospective study followed 90 adults.", "prospective study"),
        ("Statins", "Earlier randomized trials disagree. Adults were followed.", ""),
        ("Dense retrieval", "We propose a model and show gains on three benchmarks.", ""),
    ],
)
def test_what_a_paper_says_of_others_is_no_design_of_its_own(title: str, abstract: str, design: str) -> None:
    assert design_of(paper(title, "10.1000/a", abstract=abstract)) == design


def test_a_record_may_tell_that_it_is_a_review() -> None:
    assert design_of(paper("Statins", "10.1000/a", type="review")) == "review"
