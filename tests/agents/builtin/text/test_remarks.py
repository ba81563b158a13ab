"""What is taken out of a model's sentence: references of its own, and nothing of what it says."""

import pytest

from agents.builtin.text.remarks import without_marks

IDS = {"p1", "p12", "p53x"}


@pytest.mark.parametrize(
    "said",
    [
        "Loss of p53 was found in 40% of gliomas.",
        "pass@1 and nDCG@10 rose by 3 points.",
        "[Fe/H] is low, and the interval is [19.81%; 48.34%].",
        "The method (introduced in 2019) was used in 2020 (2021).",
        "A set {a, b} of (n = 40, mean 3) cases.",
        "Rates were higher in boys (12, 2019 to 2021).",
    ],
)
def test_what_only_looks_like_a_mark_stays(said: str) -> None:
    assert without_marks(said, IDS) == said


def test_what_a_paper_has_too_is_no_mark() -> None:
    paper = "The mean was 23 (95% CI [12, 34]) in one survey (Germany, 2019)."
    said = "It was 23 (95% CI [12, 34]) in a survey (Germany, 2019) [3]."
    assert without_marks(said, IDS, [paper]) == said.replace(" [3]", "")


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("It rose [p12].", "It rose."),
        ("It rose (p1, p12).", "It rose."),
        ("As p12 shows, it rose.", "As shows, it rose."),
        ("It rose [3].", "It rose."),
        ("It rose [3, 4–6].", "It rose."),
        (r"It rose \cite{smith2020}.", "It rose."),
        ("It rose [@smith2020].", "It rose."),
        ("It rose (Smith et al., 2020).", "It rose."),
        ("It rose, see https://example.org/a?b=c", "It rose, see"),
    ],
)
def test_references_of_its_own_are_taken_out(said: str, left: str) -> None:
    assert without_marks(said, IDS) == left
