"""References in a model's sentence: brackets of paper ids are removed, other references are found, words stay."""

from agents.builtin.text.remarks import foreign_reference, remark, without_ids
from tests.rows import each

IDS = ("p1_0a1b", "p12_0a1b")
RECORD = """Ana García, Bo Müller
2019
A survey in Germany
The mean was 23 (95% CI [12, 34]); accuracy@5 was .6. Müller (2011)"""


@each(
    ("said", "left"),
    [
        ("It rose [p12_0a1b].", "It rose."),
        ("It rose (p1_0a1b, p12_0a1b), then fell [p1_0a1b; p12_0a1b].", "It rose, then fell."),
        ("As p12_0a1b shows, it rose [3] (see p1_0a1b).", "As p12_0a1b shows, it rose [3] (see p1_0a1b)."),
        ("Loss of p53 [p1] : 3 ( a ) .", "Loss of p53 [p1] : 3 ( a ) ."),
    ],
)
def test_only_brackets_of_paper_ids_are_removed(said: str, left: str) -> None:
    assert without_ids(said, IDS) == left


@each(
    "said",
    [
        "Loss of p53 was found in 40% of gliomas.",
        "pass@1 and nDCG@10 rose by 3 points.",
        "[Fe/H] is low, and the interval is [19.81%; 48.34%].",
        "The method (introduced in 2019) was used in 2020 (2021).",
        "A set {a, b} of (n = 40, mean 3) cases.",
        "Rates were higher in boys (12, 2019 to 2021).",
        "It was 23 (95% CI [12, 34]).",
        "It rose in one survey (Germany, 2019).",
        "García and Müller (2019) saw it rise, as Muller et al. (2011) had.",
    ],
)
def test_what_is_no_reference_or_stands_in_a_cited_paper_is_not_foreign(said: str) -> None:
    assert foreign_reference(said, IDS, [RECORD]) == ""


@each(
    ("said", "foreign"),
    [
        ("As p12_0a1b shows, it rose.", "p12_0a1b"),
        ("It rose [3].", "[3]"),
        ("It rose [3, 4–6].", "[3, 4–6]"),
        (r"It rose \cite{smith2020}.", r"\cite{smith2020}"),
        ("It rose [@smith2020].", "[@smith2020]"),
        ("It rose (Smith et al., 2020).", "Smith et al"),
        ("It rose (Smith and Jones, 2019).", "Jones, 2019)"),
        ("García (2018) saw it rise.", "García (2018)"),
        ("It rose, see https://example.org/a?b=c", "https://example.org/a?b=c"),
    ],
)
def test_a_reference_that_no_cited_paper_has_is_foreign(said: str, foreign: str) -> None:
    assert foreign_reference(said, IDS, [RECORD]) == foreign


def test_a_remark_with_a_foreign_reference_is_not_shown() -> None:
    assert remark("How long an index [Fe/H] lives [p1_0a1b].", ids=IDS) == "How long an index [Fe/H] lives."
    assert remark("How long an index lives (Smith, 2016).", ids=IDS) == ""
