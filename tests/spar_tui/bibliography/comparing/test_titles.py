"""Titles compared word by word: a changed word is named, another spelling is not."""

from spar_tui.bibliography.comparing.titles import title_changes
from tests.rows import each


@each(
    ("yours", "theirs"),
    [
        ("Notes on the Analytical Engine", "NOTES ON THE ANALYTICAL ENGINE."),
        ("Behaviour of Multi-Colour Optimisers", "Behavior of Multicolor Optimizers"),
        ("A Multi-View Model for Labelling Fibres", "Multi view model for labeling fibers"),
        ("Weather & Climate", "Weather and climate"),
        ("Über die Größe der Vögel", "Uber die Grosse der Vogel"),
        ("BERT", "BERT: Pre-training of Deep Bidirectional Transformers"),
        ("Notes on Engines", "Notes on engines - with remarks by the translator"),
        ("How do engines think? A study in three parts", "How do engines think?"),
        ("The α-helix of β-amyloid", "The alpha helix of beta amyloid"),
        ("{\\em Drosophila} wings", "Drosophila wings"),
        ("Linear Units (LUs)", "Linear units"),
        ("A 12-Year Study: Rivers vs. Lakes", "A twelve-year study: rivers versus lakes"),
        ("Decays $B^0_s \\to \\mu^+\\mu^-$ in engines", "Decays B0s → μ+μ− in engines"),
        ("The $O(\\log n)$ bound of $k$-means", "The bound of k-means"),
    ],
)
def test_another_spelling_or_a_missing_subtitle_is_no_change(yours: str, theirs: str) -> None:
    assert title_changes(yours, theirs) == []
    assert title_changes(theirs, yours) == []


@each(
    ("yours", "theirs", "changed"),
    [
        ("On the Invariance of Learned Machines", "On the Invariance of Neural Machines", [("learned", "neural")]),
        ("Summaries with Human Feedback", "Summaries from Human Feedback", [("with", "from")]),
        ("Fast and Private Sorting", "Private Sorting", [("fast and", "")]),
        ("Private Sorting", "Private Sorting of Long Lists", [("", "of long lists")]),
        ("Supervised Sorting", "Unsupervised Sorting", [("supervised", "unsupervised")]),
        ("The GPT-3 engine", "The GPT-4 engine", [("3", "4")]),
        ("Rare decays $\\mu^+$", "Common decays", [("rare", "common")]),
    ],
)
def test_a_changed_word_is_named(yours: str, theirs: str, changed: list[tuple[str, str]]) -> None:
    changes = title_changes(yours, theirs)
    assert [(change.yours, change.theirs) for change in changes] == changed
    assert not any(change.slip for change in changes)


def test_a_plural_is_a_slip() -> None:
    [slip] = title_changes("Characterizing Risk of Sorting", "Characterizing the Risks of Sorting")
    assert (slip.yours, slip.theirs, slip.slip) == ("risk", "risks", True)


def test_a_misspelled_word_is_told_apart_from_another_word() -> None:
    [slip] = title_changes("Analitical engines", "Analytical engines")
    assert slip.slip
    [change] = title_changes("Asymmetric engines", "Symmetric engines")
    assert not change.slip
