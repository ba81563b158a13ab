"""Whether each paper that a sentence cites speaks of what the sentence says."""

from agents.summary.writing.grounding import grounded
from connectors.paper import Paper, WorkId
from tests.rows import each

TRIAL = Paper(title="Statins and survival", abstract="In a trial of 900 adults statins improved survival after stroke.")
COHORT = Paper(
    title="Lipids in a cohort",
    abstract="We followed 5,000 adults. Statins were taken by half of them. Their risk of death was lower by a fifth.",
)
PLANKTON = Paper(title="Plankton at night", abstract="Plankton of two lakes was counted. It was improved by light.")
SHOWN = {"p1": (WorkId(1), TRIAL), "p2": (WorkId(2), COHORT), "p3": (WorkId(3), PLANKTON)}
SENTENCE = "Survival of adults after stroke is better on statins, with fewer deaths, in a trial and a cohort."


def doubt(*cited: tuple[str, str]) -> str:
    checked = grounded(SENTENCE, cited, SHOWN)
    assert checked.sentence is not None
    return checked.doubt


def test_a_paper_whose_abstract_has_the_words_of_a_sentence_is_not_doubted_for_a_quote_without_them() -> None:
    assert not doubt(("p1", "statins improved survival after stroke"), ("p2", "was lower by a fifth"))


def test_a_paper_that_shares_a_chance_word_is_doubted_beside_one_that_says_it() -> None:
    said = doubt(("p1", "statins improved survival after stroke"), ("p3", "Plankton of two lakes was counted."))
    assert said == "a paper that it cites seems to be about something else"


DOSES = Paper(
    title="Doses of a drug",
    abstract="The trial had 250 adults. Half of them were women. Of all, 12% were cured. No harm was seen. "
    "They got 80 mg three times daily. Nobody left early.",
)


@each(
    ("sentence", "quote", "fate"),
    [
        ("Some 12% of all adults were cured by the drug.", "Of all, 12% were cured.", "stands"),
        ("Of the 250 adults with this drug, 12% were cured.", "Of all, 12% were cured.", "is doubted"),
        ("In the trial of the drug, 30 adults were cured.", "Half of them were women. Of all, 12% were cured.",
         "is doubted"),
        ("In the trial of the drug, 30 adults were cured.", "They got 80 mg three times daily.", "falls"),
        ("The adults took 240 mg of the drug a day.", "They got 80 mg three times daily.", "stands"),
        ("The adults took 240 mg of the drug a day.", "Of all, 12% were cured.", "falls"),
        ("The adults took 420 mg of the drug a day.", "They got 80 mg three times daily.", "falls"),
    ],
)  # fmt: skip
def test_a_number_is_in_a_quote_or_follows_from_it_and_its_neighbors(sentence: str, quote: str, fate: str) -> None:
    checked = grounded(sentence, [("p1", quote)], {"p1": (WorkId(1), DOSES)})
    assert fate == ("falls" if checked.sentence is None else "is doubted" if checked.doubt else "stands")
