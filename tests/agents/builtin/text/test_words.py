"""Words as they are compared: spellings, scripts and accents do not matter."""

from agents.builtin.text.words import letters_of
from tests.rows import each


@each(
    ("one", "other"),
    [
        ("oesophagitis in the randomised multicentre trial", "esophagitis in the randomized multicenter trial"),
        ("the best-centred fibres, by litre", "the best-centered fibers, by liter"),
        ("tumour haemorrhage, labelled and analysed", "tumor hemorrhage, labeled and analyzed"),
        ("IL-1\u03b2, IFN-\u03b3 and HIF-1alpha", "IL-1b, IFN-gamma and HIF-1\u03b1"),
        ("na\u00efve baseline", "naive baseline"),
        ("beta-lactamase, NF-kappaB and Xi", "\u03b2-lactamase, NF-\u03baB and \u03be"),
        ("5 ug, 5 mug, 5 mcg", "5 \u03bcg, 5 \u03bcg, 5 \u03bcg"),
    ],
)
def test_words_spelled_otherwise_are_the_same(one: str, other: str) -> None:
    assert letters_of(one) == letters_of(other)


@each(("one", "other"), [("four", "for"), ("5 \u03bcg", "5 mg"), ("does", "des"), ("filled", "filed")])
def test_other_words_stay_others(one: str, other: str) -> None:
    assert letters_of(one) != letters_of(other)
