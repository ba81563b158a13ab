"""Titles as text: TeX and tags become signs and small digits, money stays money, and nothing else changes."""

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.math_text import shown_title, title_text, warned_title
from tests.agents.scripted import paper
from tests.rows import each


@each(
    ("title", "shown"),
    [
        (r"$\alpha$-divergence and $\sqrt{n}$-consistency", "α-divergence and √(n)-consistency"),
        (r"Expansions for $ M $-estimates", "Expansions for M-estimates"),
        (r"$\mathbb{R}^{[n]}$ is [a] space", "ℝ^[n] is [a] space"),
        ("From $5 to $6 a day, or US$5/A$6", "From $5 to $6 a day, or US$5/A$6"),
        (r"100% of \emph{all}", "100% of all"),
        (r"Quiet embeddings $\frac{$ of $x_{i$", r"Quiet embeddings $\frac{$ of xᵢ"),
        (r"In $x^{2}}$, $\{a\}}$ and $$y_{n{2$$", "In x², {a} and yₙ₂"),
        (r"A rate of $\sqrt$, $\hat$ or $x_$", r"A rate of $\sqrt$, $\hat$ or $x_$"),
        (r"$H_2O$ and $\mathrm{Fe}_{2}\mathrm{O}_{3}$", "H₂O and Fe₂O₃"),
        (r"$x^{2n}y$ in $L^p$, $f^\prime$ at $90^\circ$", "x²ⁿy in Lᵖ, f′ at 90°"),
        (r"$Z_{\mathrm{eff}}$ and $n^{3/2}$", "Z_eff and n^(3/2)"),
        (r"Na\"ive Erd\H{o}s and \'{e}tale \v{C}ech", "Naïve Erdős and étale Čech"),
        ("^{238}U at 10^{-3} K, CO_2 and 2^10", "²³⁸U at 10⁻³ K, CO₂ and 2¹⁰"),
        ("Track_2 of snake_case, SemEval_2023, word_1", "Track_2 of snake_case, SemEval_2023, word_1"),
    ],
)
def test_a_formula_is_shown_as_text(title: str, shown: str) -> None:
    assert shown_title(title) == shown


@each(
    ("tagged", "shown"),
    [
        ("Regret when a<b and c>d", "Regret when a<b and c>d"),
        ("H<sub>2</sub>O at 10<sup>−3</sup>, <i>p</i> < 0.05", "H₂O at 10⁻³, p < 0.05"),
        ('<sup><i>n</i></sup>-body <span class="nocase">TeX</span>, C<sub>QR</sub>', "ⁿ-body TeX, C_QR"),
    ],
)
def test_the_tags_of_a_title_are_shown_as_text(tagged: str, shown: str) -> None:
    assert title_text(paper(title=tagged)) == shown


@each("title", ["A cure", "RETRACTED: A cure", "[Retracted Article] A cure", "WITHDRAWN: A cure"])
def test_a_retraction_is_told_once_before_the_title(title: str) -> None:
    assert warned_title(paper(title=title, retracted=True)) == "RETRACTED: A cure"
    assert warned_title(paper(title=title)) == title


@given(st.text(alphabet="$\\{}^_ ab5[]%&#\n<>supi/", max_size=60))
def test_any_title_is_shown(title: str) -> None:
    assert title == "" or shown_title(title) != ""
