"""Formulas in titles as text: TeX becomes signs, money stays money, and nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.math_text import with_signs


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        (r"$\alpha$-divergence and $\sqrt{n}$-consistency", "α-divergence and √(n)-consistency"),
        (r"Expansions for $ M $-estimates", "Expansions for M-estimates"),
        (r"$\mathbb{R}^{[n]}$ is [a] space", "ℝ^[n] is [a] space"),
        ("From $5 to $6 a day, or US$5/A$6", "From $5 to $6 a day, or US$5/A$6"),
        (r"100% of \emph{all}", r"100% of \emph{all}"),
    ],
)
def test_a_formula_is_shown_as_text(title: str, shown: str) -> None:
    assert with_signs(title) == shown


@given(st.text(alphabet="$\\{}^_ ab5[]%&#\n", max_size=60))
def test_any_title_is_shown(title: str) -> None:
    assert title == "" or with_signs(title) != ""
