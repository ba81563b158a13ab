"""Words tell whether a cited paper speaks of what the sentence that cites it says, and no more than that."""

from agents.evidence.source_check import judged_by_words, numbers_lacking
from tests.agents.scripted import paper
from tests.rows import each

FOUND = "Statins raised the risk of new-onset diabetes by 9% in thirteen trials of older adults."
TRIAL = paper("Statins and diabetes", "10.1000/trial", abstract=f"We pooled trials. {FOUND}")
BARE = paper("Statins and diabetes", "10.1000/bare")


@each(
    ("sentence", "grade"),
    [
        ("Statins are known to raise the risk of diabetes in adults.", "close"),
        ("Statins do not raise the risk of diabetes in adults.", "close"),
        ("Zooplankton migrates vertically through arctic fjords at night.", "speaks of something else"),
        ("See also.", "says too little"),
        (
            "Statine erhöhen das Risiko für Diabetes bei den älteren Menschen und sind nicht ungefährlich.",
            "no text here",
        ),
    ],
)
def test_words_alone_grade_nothing_better_than_close(sentence: str, grade: str) -> None:
    assert judged_by_words(sentence, TRIAL, {}).grade == grade


def test_the_nearest_passage_stands_word_for_word_in_the_paper() -> None:
    assert judged_by_words("Statins raise the risk of diabetes.", TRIAL, {}).passages[0].text == FOUND


def test_pages_count_where_there_is_no_abstract_and_the_passage_has_its_page() -> None:
    sentence = "Statins raise the risk of diabetes in older adults."
    assert judged_by_words(sentence, BARE, {}).grade == "no text here"
    page = f"The trials were many and the adults were old. {FOUND} The rest of the trials said nothing of that at all."
    judgement = judged_by_words(sentence, BARE, {4: page})
    assert judgement.grade == "close"
    nearest = judgement.passages[0]
    assert (nearest.text, nearest.page) == (FOUND, 4)


def test_numbers_that_stand_nowhere_are_named_each_once() -> None:
    said = "In 2019, 9 % of 1,250 adults and 12.50 mg, that is 12.5 mg, and 1250 again."
    assert numbers_lacking(said, [FOUND], frozenset({2019})) == ("1250", "12.5 mg")
    assert numbers_lacking("5 mg, then 5 g, and -7 or 7 too", [""], frozenset()) == ("5 mg", "5 g", "-7", "7")
