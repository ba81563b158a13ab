"""Whether two texts may say the opposite of each other, though their other words are alike."""

from agents.builtin.text.polarity import may_oppose
from tests.rows import each


@each(
    ("sentence", "evidence", "may"),
    [
        ("Statins do not improve survival.", "statins were associated with improved survival", True),
        ("Statins improve survival of patients.", "statins did not improve survival of patients", True),
        ("Statins do not improve survival.", "survival was not improved by statins", False),
        ("Statins have no effect on survival.", "statins had little effect on survival", False),
        ("Statins increased the risk of cancer.", "no evidence of an increased risk of cancer", True),
        ("Statins raise the risk of diabetes.", "statins reduce the risk of diabetes", True),
        ("Statins raise the risk of diabetes.", "statins increase the risk of diabetes and lower death", False),
        ("Aspirin lowers fever.", "aspirin lowers fever\nibuprofen does not raise blood pressure", False),
        ("Deaths were higher after surgery than after birth.", "deaths after birth were lower", False),
        ("Deaths were lower after surgery than birth.", "deaths were higher after surgery than after birth", True),
        ("Statins help individuals of low risk.", "statins help individuals of high risk", True),
        ("Statins reduce risk of death.", "statins raise the cost of care, risk of death is unknown", False),
        ("Excess gestational weight gain is associated with poor outcomes.",
         "diets were associated with reductions in gestational weight gain", False),
        ("A low reserve does not alone mean infertility.",
         "women without infertility took part\na low reserve was not associated with fertility", False),
        ("Statins do not improve survival, and aspirin lowers fever.",
         "aspirin does not raise fever\nstatins improved survival", True),
        ("In people with no heart disease, statins lower mortality.", "statins reduced deaths of all causes", False),
        ("Whether people at low or moderate risk gain is open.",
         "whether prevention helps individuals at low or moderate risk is not certain", False),
        ("Most attacks hardly beat guessing.", "attacks barely beat guessing", False),
        ("Antibodies suppressed viremia.", "antibodies not only suppressed viremia but also viral DNA", False),
        ("Levels did not appear to differ between patients and controls.",
         "levels in patients are similar to those in controls", False),
        ("Cell cycle time was the same as in controls.", "there was no difference in cell cycle time", False),
        ("Mutants fail to rebuild nucleosomes.", "restoration of nucleosomes is defective in mutants", False),
        ("Dropping respondents who fail may limit what is found.", "excluding failers limits what is found", False),
        ("Light raised uptake in brown but not in white cells.", "light raised uptake in brown cells", False),
        ("Mice lose the daily rise in cAMP.", "the mice had a loss of daily cAMP", False),
        ("Drugs may be exchanged.", "drugs cannot be exchanged", True),
        ("Fenretinide altered CRP at 6 months.", "fenretinide did not change CRP at 6 months", True),
        ("No graduate had heard of the protocols.", "0% of graduates had heard of the protocols", False),
        ("The score had not significantly improved.", "the score had significantly improved from 60.0 to 48.3", True),
        ("Pain scores rose in the first group.", "pain scores fell in the first group", True),
        ("Bronze is ahead of Gold.", "the most common kind is not Gold, but Bronze", False),
        ("Neither flaky tests, which harm, nor delays are rare.", "flaky programs are as common as delays", False),
        ("It raises serum estradiol levels.", "it raises serum estrone levels, but not estradiol levels", True),
        ("It raises serum estrone levels.", "it raises serum estrone levels, but not estradiol levels", False),
        ("It raises estrone, unlike estradiol levels.", "it raises estrone levels, but not estradiol levels", False),
        ("Liver tests of patients were normal.", "liver tests of patients were abnormal", True),
        ("Liver tests of patients were not normal.", "liver tests of patients were abnormal", False),
        ("They were switched from the copy to the drug.", "they were switched from the drug to the copy", True),
        ("Cramps were less common in men than women.", "cramps were more common in men than women", True),
        ("Cramps were less common in women than in men.", "cramps were more common in men than in women", False),
        ("Researchers find papers slower with marks.", "researchers find papers faster with marks", True),
        ("Hormones had no effect on events.", "within the null effect of hormones on events", False),
        ("Patients take statins.", "patients take statins, but few of them do not know why", False),
    ],
)  # fmt: skip
def test_a_negation_or_a_direction_on_one_side_only_may_turn_it_round(sentence: str, evidence: str, may: bool) -> None:
    assert may_oppose(sentence, evidence) is may


@each("text", ["It did not rise.", "No rise and no fall was seen, but it improved.", ""])
def test_nothing_opposes_itself(text: str) -> None:
    assert not may_oppose(text, text)
