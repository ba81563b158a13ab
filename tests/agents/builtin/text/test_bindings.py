"""Whether a number counts in one text what another number counts in the other."""

from agents.builtin.text.bindings import bound_elsewhere
from tests.rows import each

ARMS = "it fell by 53% in the 6-mg group, 48% in the 12-mg group, and 52% in the placebo group"
TIMES = "it fell more in the intervention group than in the control group (8.6% vs 0.7% at 1 year; 6.0% vs 3.5% later)"
TASKS = (
    "it finds pitch accents and boundary tones with 86% and 93% on the radio corpus, and 79% and 90% on the map corpus"
)
KINDS = "heart and nerve diseases were more common with cramps than in controls (82% versus 64% and 36% versus 18%)"


@each(
    ("sentence", "evidence", "is_elsewhere"),
    [
        ("Recall was 97 % and precision 91 %.", "a recall of 91 % and a precision of 97 %", True),
        ("Mean recall was 97 % and mean precision was 91 %.", "mean recall was 91 % and mean precision was 97 %", True),
        ("Mean recall was 91 %.", "mean recall was 91 % and mean precision was 97 %", False),
        ("Mean recall was 97 years.", "mean recall was 91 % for 97 years", False),
        ("Statins were taken by 32% of people at entry, and insulin by 74%.",
         "74% took statins at entry; it was 41% for iron and 32% for insulin", True),
        ("Statins were taken by 74% of people at entry, and insulin by 32%.",
         "74% took statins at entry; it was 41% for iron and 32% for insulin", False),
        ("At three months of follow-up pain fell.", "pain fell at 3- and 6-month follow-up", False),
        ("Deaths from any cause fell by 22 percent, with a confidence interval that reaches 0.",
         "a 22 percent fall in deaths from any cause (95 percent confidence interval, 0 to 40 percent)", False),
        ("Mean cell numbers fell, and 48 were treated.", "mean cell numbers of 67\n48 got it", False),
        # The words of one sentence are in several quotes: a number in another quote is no rival.
        ("On the map task, tuned models wrote 65% fewer tokens for long problems.",
         "tuned models wrote 39% fewer tokens for long problems\nthe map task had a reduction of 65%", False),
        ("It fell by 48% with 6 mg and by 53% with 12 mg.", ARMS, True),
        ("It fell by 48% with 12 mg and by 53% with 6 mg.", ARMS, False),
        ("With placebo it fell by 52%.", ARMS, False),
        ("With placebo it fell by 53%.", ARMS, True),
        ("At 1 year it had fallen by 6.0% with the intervention.", TIMES, True),
        ("At 1 year it had fallen by 8.6% with the intervention.", TIMES, False),
        ("With the intervention it fell by 0.7% at 1 year, and in controls by 8.6%.", TIMES, True),
        ("On the map corpus, boundary tones were found with 90%.", TASKS, False),
        ("On the map corpus, boundary tones were found with 79%.", TASKS, True),
        ("On the radio corpus, tones were found with 86% and accents with 93%.", TASKS, True),
        ("Nerve diseases were found in 18% of people with cramps and in 36% of controls.", KINDS, True),
        ("Nerve diseases were found in 36% of people with cramps and in 18% of controls.", KINDS, False),
        ("The score went from 48 to 60 points.", "the score went from 60 to 48 points", True),
        ("The score fell from 60 to 48 points.", "the score went from 60 to 48 points", False),
        ("In 40 women zinc was given, and 31 had placebo.", "zinc (15 mg, n = 40) or placebo (n = 31)", False),
        ("In 31 women zinc was given, and 40 had placebo.", "zinc (15 mg, n = 40) or placebo (n = 31)", True),
        ("Group 1 was back after 9.2 months.", "group 1 was back after 7.8 months, group 2 after 9.2 months", True),
        ("Of 205 women, 14 enrolled and ten stayed.", "of 205 women only 14 enrolled, and 10 stayed", False),
        ("Ten of 205 women enrolled and 14 stayed.", "of 205 women only 14 enrolled, and 10 stayed", True),
        ("It improved the first (p = 0.04) and the last (p = 0.01).",
         "it improved the first (p = 0.01) and the last (p = 0.04)", True),
    ],
)  # fmt: skip
def test_a_number_may_stand_among_the_words_of_another(sentence: str, evidence: str, is_elsewhere: bool) -> None:
    assert bound_elsewhere(sentence, evidence) is is_elsewhere


@each("text", [ARMS, TIMES, TASKS, KINDS])
def test_a_text_binds_its_numbers_as_itself(text: str) -> None:
    assert not bound_elsewhere(text, text)
