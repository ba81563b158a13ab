"""Whether a sentence has only the numbers of what it rests on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.numbers import has_signs_of, lacking, may_be_a_bound, may_be_another_name, may_be_exchanged


@pytest.mark.parametrize(
    ("sentence", "evidence", "stands"),
    [
        ("It fell by 0.81.", "a fall of 0.81 (0.7 to 0.9)", True),
        ("It fell by 0.88.", "a fall of 0.81 (0.7 to 0.9)", False),
        ("It fell by .5 points.", "0.50 points", True),
        ("There were 1250 patients.", "1,250 patients", True),
        ("There were 1.25 patients.", "1,250 patients", False),
        ("There were 70,388 patients.", "70 388 patients", True),
        ("There were 388 patients.", "70 388 patients", False),
        ("It fell by 2%–5%.", "a fall of 2% to 5%", True),
        ("It fell by 5 –10 mg.", "a fall of 5 to 10 mg", True),
        ("Twelve patients were treated.", "12 patients", True),
        ("Twenty-three patients were treated.", "23 patients", True),
        ("Twenty-four patients were treated.", "23 patients", False),
        ("One of them was treated.", "all were treated", True),
        ("They got 5 mg.", "5 mg a day", True),
        ("They got 5 g.", "5 mg a day", False),
        ("They got 5 milligrams.", "5 mg a day", True),
        ("They got 5.", "5 mg a day", True),
        ("Accuracy was 91 percent.", "an accuracy of 91%", True),
        ("Accuracy was 91%.", "91 on average", True),
        ("Accuracy was 91%.", "91 patients", False),
        ("Accuracy rose by 4 percent.", "a gain of 4 percentage points", False),
        ("Accuracy rose by 4 %-points.", "a gain of 4 percentage points", True),
        ("Accuracy was 91%.", "91 years", False),
        ("The change was -0.5.", "a change of −0.5", True),
        ("The change was +0.5.", "a change of −0.5", False),
        ("It fell by 0.5.", "a change of −0.5", True),
        ("In 2010–2015 it rose.", "from 2010 to 2015", True),
        ("It has 14,700 drafts.", "14.7K drafts", True),
        ("It has 14.7 drafts.", "14.7K drafts", False),
        ("In 2008 seven patients died.", "It was stopped in 2008\nSeven patients died", True),
        ("In 2008 eight patients died.", "It was stopped in 2008 and seven patients died", False),
        ("Accuracy was 67.1%.", r"67.1\% accuracy", True),
        ("Accuracy was 67.1 mg.", r"67.1\% accuracy", False),
        ("It took 85.6 mg.", "85.6microg/mL", False),
        ("Thirty percent had pain.", "pain in 30%", True),
        ("Pain was there in three of every ten.", "thirty percent had pain", True),
        ("Two in five of them, but one in forty of others.", "26 (40%) and 2.5% of the others", True),
        ("Nearly nine in ten carried it.", "86.6% carried it", True),
        ("Nearly seven in ten carried it.", "86.6% carried it", False),
        ("More than half of them.", "56% and 59% of them", True),
        ("More than half of them.", "44% of them", False),
        ("Three quarters of them.", "six of them, three others", False),
        ("It was found in three of the four.", "it was found in two of the four, and three others", False),
        ("It was seen in 18 of 25 animals.", "seen in most (18/25)", True),
        ("It averaged 38.6 mm.", "3.86 ± 1.39 cm", True),
        ("It lasted some 2.4 days.", "57.4 +/- 31.3 hours", True),
        ("It lasted some 2.7 days.", "57.4 +/- 31.3 hours", False),
        ("Defects of 3 to 10 mm2.", "from 3 cm2 to 10 cm2", False),
        ("0/0 of them, in 3 of 0.", "0/0 of them, in 3 of 0", True),
        ("It worked in all but one of 12.", "it worked in 11 of 12", True),
        ("It worked in all but two of 12.", "it worked in 11 of 12", False),
        ("It took 120 minutes.", "within 2 hr", True),
        ("It was 28 times as mobile.", "a 28-fold rise", True),
        ("It doubled, a twofold rise.", "it rose twice", True),
        ("Two hundred and twelve were asked.", "212 were asked", True),
        ("They got 5 mg/dl.", "5 mg/l", False),
        ("They got 5 mg/dl.", "50 mg/l", True),
        ("They got 5 mg a day.", "5 mg", True),
        ("It was 5 mM.", "5 mm", False),
        ("It fell to 8.4.", "8.37 at last", True),
        ("It fell to 210.", "207 at last", False),
        ("It fell to 19.6 thousand.", "19,581 at last", True),
        ("It fell to 19,600.", "19,581 at last", True),
        ("It began in 1900.", "it began in 1912", False),
        ("GPT-4 and p53 and COVID-19 rose.", "GPT-4 rose, and so did p53 and COVID-19", True),
        ("The hazard ratio was 0.88.", "a hazard ratio of .88 (95% CI .81-.96)", True),
        ("The hazard ratio was .78.", "a hazard ratio of .88 (95% CI .81-.96)", False),
        ("Survival differed (p < 0.01).", "survival differed (P=.008)", True),
        ("Survival differed (p < 0.001).", "survival differed (P=.008)", False),
        ("It did not differ (p > 0.05).", "no difference (P = .24)", True),
        ("It had 320,000 cells.", "3.2 × 10^5 cells", True),
        ("It had 320,000 cells.", "3.2 x 10(5) cells", True),
        ("It had 320,000 cells.", "3.2 × 10⁶ cells", False),
        ("More than 10,000 cells.", ">10(4) cells", True),
        ("More than 1000 cells.", "over 10⁴ cells", False),
        ("It fell from 12 to 0.5 per thousand.", "1.2% at first and 0.05% at last", True),
        ("It fell to 1.5 per thousand.", "0.05% at last", False),
        ("At a rate of 0.00001.", "at a rate of 1e-5", True),
        ("Two thousand of them.", "2-3K of them", True),
        ("Two of them.", "2-3K of them", False),
        ("Between 2 million and 4 million.", "2 to 4 million", True),
        ("A score of 54.2 mAP.", "an mAP of 54.2%", True),
        ("The dose was 1.4 L.", "a dose of 1,379 ml", True),
        ("The dose was 1.5 L.", "a dose of 1,379 ml", False),
        ("It rose (+137 %).", "it increased 137 +/- 58%", True),
        ("It is seen in 32 of every 1,000.", "in 3.2%", True),
        ("It is seen in 32 of every 10,000.", "in 3.2%", False),
        ("A quarter of them.", "26% of them", True),
        ("A quarter of them.", "29% of them", False),
        ("Ten thousand women in a year.", "per 10 000 woman-years", True),
        ("It is worth two trillion dollars.", "a market of $2$ trillion dollars", True),
        ("It has 471 million stars.", r"$(471\pm3)\times10^{6}$ stars", True),
        ("It has 471 million stars.", r"(471$\pm$3)$\times$10$^{9}$ stars", False),
        ("It weighs about 4 million suns.", r"a mass of $(4.02\pm0.16)\times10^{6}\,M_\odot$", True),
        ("One in 4,350 had it.", "a prevalence of .023 %", True),
        ("One in 4,530 had it.", "a prevalence of .023 %", False),
        ("Fewer than one in a thousand.", "in 0.09% of them", True),
        ("Pain fell by day 90.", "pain fell at 3 months", True),
        ("Pain fell within twelve weeks.", "pain fell at 3 months", True),
        ("At four months pain fell.", "pain fell at day 90", False),
        ("It took 119 minutes.", "it took 2 hours", False),
        ("It took 2.5 hours.", "it took 2½ hours", True),
        ("It took two and a half hours.", "it took 2 1/2 hours", True),
        ("It took half an hour.", "it took 30 min", True),
        ("One month later.", "12 months later", False),
        ("A quarter of a million people.", "250 112 people", True),
        ("A dozen patients.", "12 patients", True),
        ("It is seen in 12 per 1,000 births.", "1.2% of births", True),
        ("At p = 1.2e-8.", "P = 1.2 x 10-8", True),
        ("It did not differ (P above 0.05).", "no difference (P = 0.41)", True),
        ("They differed (P < 0.05).", "no difference (P = 0.41)", False),
        ("It rose threefold.", "it tripled", True),
        ("Its hazard ratio was 0.81.", "HR = 0.81", True),
        ("It learned from 6M problems.", "six million problems", True),
        ("It came 2.73 years earlier.", "a hazard ratio of 2.73", False),
        ("It came within 0.13 years.", "(RR 0.13, 95% CI 0.04-0.43)", False),
    ],
)
def test_each_number_has_its_value_sign_and_unit(sentence: str, evidence: str, stands: bool) -> None:
    assert (not lacking(sentence, evidence)) is stands


@pytest.mark.parametrize(
    ("sentence", "evidence", "may"),
    [
        ("Recall was 97 % and precision 91 %.", "a recall of 91 % and a precision of 97 %", True),
        ("Mean recall was 97 % and mean precision was 91 %.", "mean recall was 91 % and mean precision was 97 %", True),
        ("Mean recall was 91 %.", "mean recall was 91 % and mean precision was 97 %", False),
        ("Mean recall was 97 years.", "mean recall was 91 % for 97 years", False),
        (
            "Statins were taken by 32% of people at entry, and insulin by 74%.",
            "74% took statins at entry; it was 41% for iron and 32% for insulin",
            True,
        ),
        (
            "Statins were taken by 74% of people at entry, and insulin by 32%.",
            "74% took statins at entry; it was 41% for iron and 32% for insulin",
            False,
        ),
        ("At three months of follow-up pain fell.", "pain fell at 3- and 6-month follow-up", False),
        (
            "Deaths from any cause fell by 22 percent, with a confidence interval that reaches 0.",
            "a 22 percent fall in deaths from any cause (95 percent confidence interval, 0 to 40 percent)",
            False,
        ),
        ("Mean cell numbers fell, and 48 were treated.", "mean cell numbers of 67\n48 got it", False),
    ],
)
def test_a_number_may_stand_among_the_words_of_another(sentence: str, evidence: str, may: bool) -> None:
    assert may_be_exchanged(sentence, evidence) is may


@pytest.mark.parametrize(
    ("sentence", "evidence", "may"),
    [
        ("GPT-4 wins.", "GPT-3 wins", True),
        ("GPT-4 wins.", "GPT4 wins over GPT-3", False),
        ("GPT-4 wins.", "the model wins", False),
        ("Four models win.", "GPT-3 wins", False),
    ],
)
def test_a_name_may_stand_with_another_number(sentence: str, evidence: str, may: bool) -> None:
    assert may_be_another_name(sentence, evidence) is may


def test_a_number_in_a_name_counts_nothing() -> None:
    assert not lacking("A-769662 acts on AMPK.", "A769662 acts on AMPK")


def test_what_is_known_besides_need_not_stand_there() -> None:
    assert not lacking("Two papers of 2019 say so.", "they say so", frozenset({2, 2019}))
    assert lacking("They take 2 ms.", "they say so", frozenset({2, 2019}))


@given(st.text(max_size=60))
def test_every_text_has_its_own_numbers(text: str) -> None:
    assert not lacking(text, text)


@pytest.mark.parametrize(
    ("sentence", "evidence", "may"),
    [
        ("About 22% of them.", "21.99% of them", True),
        ("Four fifths of them.", "80% of them", True),
        ("One in six of them.", "0.167 of them", True),
        ("The stay was 4 days longer.", "17 days before and 21 days after", True),
        ("It took 3.6 times as long.", "30.8 against 8.5", True),
        ("Forty-five minutes later.", "0.75 hours later", True),
        ("The odds were 14% higher.", "OR 1.14", True),
        ("About 35% of them.", "21.99% of them", False),
        ("A frame took 8 ms.", "it ran at 125 FPS", True),
        ("It ran at 125 frames per second.", "a frame took 8 ms", True),
        ("It ran at 125 frames per second.", "a frame took 9 ms", False),
        ("It cost 3.2 million CHF.", "at a cost of 3.2 MCHF", True),
        ("A force of 5 mN was applied.", "a force of 0.005 N", True),
        ("A force of 5 mN was applied.", "at a cost of 5 million", False),
        ("We ran 100 steps of SGD.", "100 SGD steps", True),
        ("It cost 3.2 kCHF.", "at a cost of 3.2 MCHF", False),
        ("It cost 5 billion dollars.", "at a cost of $5bn", True),
        ("It was seen at 1.4 peta-electronvolts.", "seen at 1.4 PeV", True),
        ("Models of 125 million parameters.", "models of 125M parameters", True),
        ("It is seen in 0.8% of them.", "16 of 2,000 of them", True),
        ("About one in six came back.", "22 of a total of 135 came back", True),
        ("It lasted a quarter of a minute.", "it lasted 15 seconds", True),
        ("It missed one in twenty.", "it detected 95%", True),
        ("Both of the two algorithms.", "the first, then the second", True),
        ("Phosphorylation of threonine 118.", "H3(T118ph)", True),
        ("In 512 patients.", "in 40 and 41 patients", False),
        ("They were followed for four and a half years.", "followed for 4.5 years", True),
        ("They were followed for four and a half years.", "followed for 4 years", False),
        ("Nineteen million articles.", "19M articles", True),
        ("They were 87% together.", "59% of them, another 28% of others", True),
        ("It adds 3.4 points.", "from 83.9% to 87.3%", True),
        ("With 31% fewer operations.", "with 69% of the operations", True),
        ("Each arm had 20 patients.", "40 patients in 2 equal groups", True),
        ("They took 41 mg.", "59% of them", False),
        ("It cleared 0.9% of them.", "0.5% of 55 patients were cleared", False),
        ("Three arms were compared.", "a placebo, a low and a high dose", True),
        ("Three patients fell.", "8 patients fell", False),
        ("Travel caused roughly 1,250 of it.", "1,491 tons, 84% of it by travel", True),
        ("It took 1.5 hours longer.", "30 minutes against 2 hours", True),
        ("It emitted 1,491 kg.", "an emission of 1,491 tons", False),
        ("Below 1.11 IU/L.", "below 1.11 IU/mL", False),
        ("The trials had 660 patients.", "110 adults\nof 220 children\nn = 330", True),
        ("On average the trials had 220 patients.", "110 adults\nof 220 children\nn = 330", True),
        ("Within fifteen years.", "between 2001 and 2016", True),
        ("Within fourteen years.", "between 2001 and 2016", False),
        ("It moves ten metres a year.", "by 120 m in 12 years", True),
        ("It moves ten metres a day.", "by 120 m in 12 years", False),
        ("They ate within eight hours.", "eating from 12:00 to 20:00", True),
        ("They ate within six hours.", "eating from 12:00 to 20:00", False),
        ("The layer is 12 Å thick.", "a thickness of 1.2 nm", True),
        ("It cost four euros a day.", "a cost of €0.04 per day", False),
        ("It was seen in 1.3 per 100 person-years.", "1.3 vs 0.6 events per 1,000 person-years", False),
        ("It was seen in 0.13 per 100 person-years.", "1.3 vs 0.6 events per 1,000 person-years", True),
        ("It was 1.1 mL/min less.", "0.6 per year against 1.7 per year", False),
        ("The risk was 40 to 50% higher.", "1.5-fold and 1.4-fold higher", True),
        ("The accuracy was 0.834.", "an accuracy of 83.41%", True),
        ("Ducts were seventeen times as many.", "ducts were at 1700%", True),
        ("It differed by 0.6.", "11.1 ± 4.0 [SD] vs 10.5 ± 2.8 nmol/mL", True),
        ("It differed by 1.2.", "11.1 ± 4.0 [SD] vs 10.5 ± 2.8 nmol/mL", False),
        ("It was five times as frequent.", "20.7% (95% CI 15.6%-25.8%) vs 6.8% (95% CI 3.9%-9.7%)", False),
        ("It was three times as frequent.", "20.7% (95% CI 15.6%-25.8%) vs 6.8% (95% CI 3.9%-9.7%)", True),
        ("The odds fell by 1 to 25%.", "OR 0.87; 95% CI, 0.75-0.99", True),
        ("It fell in one in ten.", "it fell in 5%", False),
        ("It fell in two of the three.", "it fell in both, and not in the other", True),
        ("It has 483 million stars.", "(471±3)×10^{6} stars here, (12±1)×10^{6} there", True),
        ("It has 483 million stars.", "(471±3)×10^{6} stars here, (13±1)×10^{6} there", False),
        ("It doubled.", "from 12.1 to 24.1", True),
        ("It tripled.", "from 12.1 to 24.1", False),
        ("It tripled.", "from 3.1 per 100,000 to 6.2 per 100,000", False),
        ("It halved the rate.", "a rate of 0.22 against 0.44", True),
        ("It was 1.4 times as high.", "40% higher", True),
        ("Pain fell by a third.", "pain fell from 6.0 to 4.0", True),
        ("It rose by half a point.", "from 81.5% to 82.0%", True),
        ("After 15 days.", "on days 12 to 21", False),
        ("In 25 patients.", "12, 17, 31, 44, 52, 60 and 71 patients", False),
        ("Training took 108 hours.", "36 x 3 h of training", True),
        ("Training took 108 hours.", "36 sessions of 3 h each", True),
        ("Training took 118 hours.", "36 sessions of 3 h each", False),
        ("They got 240 mg a day.", "80 mg three times daily", True),
        ("They got 160 mg a day.", "80 mg three times daily", False),
        ("The heater used 2.4 kWh.", "a heater of 300 W ran for 8 hours", True),
        ("Plots of 25 square metres.", "plots of 5 m by 5 m", True),
        ("They had 1.2 million images.", "12 classes with 100,000 images each", True),
        ("It killed 5 people every day.", "1,825 deaths per year", True),
        ("It killed 5 people every week.", "1,825 deaths per year", False),
        ("It has 30 cases per 100,000 a year.", "0.3 cases per 1,000 person-years", True),
        ("It costs some 50,000 euros a year.", "€ 4,200 a month", True),
        ("In 831 patients.", "33% of 2,500 patients", True),
        ("In 840 patients.", "33% of 2,500 patients", False),
        ("In 49 of about 56 patients.", "in 49 (87%) patients", True),
        ("In 49 of about 76 patients.", "in 49 (87%) patients", False),
        ("They got 5 mg a day.", "5 mg", False),
        ("It has a length of 2m-1.", "of length $2^m - 1$", True),
        ("It froze at 263 K.", "it froze at −10 °C", True),
        ("It froze below about −198 °C.", "it froze below 75 K", True),
        ("It was 77 °F.", "it was 25 °C", True),
        ("It was 300 K.", "it was 37 °C", False),
        ("It delivered 243 A per square metre.", "it delivered 24.3 mA cm(-2)", True),
        ("It delivered 24.3 A per square metre.", "it delivered 24.3 mA cm(-2)", False),
        ("It took a dozen C projects.", "it took 12 real-world C projects", True),
        ("It took eleven C projects.", "it took 12 real-world C projects", False),
        ("It is some 700 times smaller.", "of 770M against 540B parameters", True),
        ("It is some 70 times smaller.", "of 770M against 540B parameters", False),
        ("It has a length of 2m-3.", "of length $2^m - 1$", False),
    ],
)
def test_a_number_may_be_computed_in_one_step(sentence: str, evidence: str, may: bool) -> None:
    assert (lacking(sentence, evidence, computing=True) == []) is may


@pytest.mark.parametrize(
    ("sentence", "evidence", "may"),
    [
        ("It was 1.1 mL/min less.", "0.6 per year against 1.7 per year", True),
        ("Three of the trials had 660 patients.", "110 and 50 adults\n220 children\n330 others", True),
        ("Three of the trials had 661 patients.", "110 and 50 adults\n220 children\n330 others", False),
        ("22% had neither.", "55% had this and 23% had that", True),
        ("32% had neither.", "55% had this and 24% had that", False),
        ("44% were alone.", "31 were alone, 39 were together", True),
        ("Five fell.", "2, 3, 4, 7, 8, 11, 12 and 17 fell", True),
        ("They got 5 mg a day.", "5 mg", True),
    ],
)
def test_a_number_may_follow_loosely(sentence: str, evidence: str, may: bool) -> None:
    assert (lacking(sentence, evidence, computing=True, loosely=True) == []) is may


@pytest.mark.parametrize(
    ("copied", "text", "same"),
    [
        ("of 0.02 (-0.1 to 0.3)", "of 0.02 (−0.1 to 0.3)", True),
        ("of 0.02 (0.1 to 0.3)", "of 0.02 (−0.1 to 0.3)", False),
        ("aged ≥ 28 days", "aged ≤ 28 days", False),
        ("aged <= 28 days", "aged ≤28 days", True),
        ("90 - 270 mg/kg", "90–270 mg/kg", True),
        ("90-270 mg/kg", "90–270 μg/kg", False),
        ("at -130 °F", "at −130°C", False),
    ],
)
def test_copied_numbers_keep_their_signs_units_and_relations(copied: str, text: str, same: bool) -> None:
    assert has_signs_of(copied, text) is same


@pytest.mark.parametrize(
    ("sentence", "may"),
    [
        ("The odds ratio of death was 0.81.", True),
        ("Deaths fell by 0.96.", True),
        ("The odds ratio of death was 0.88.", False),
        ("The odds ratio of death was 0.88 (0.81 to 0.96).", False),
        ("Deaths fell in 12 trials.", False),
        ("The sensitivity was 0.91.", True),
    ],
)
def test_the_bound_of_an_interval_is_no_finding_by_itself(sentence: str, may: bool) -> None:
    evidence = "in 12 trials deaths fell (odds ratio 0.88; 95% CI, 0.81-0.96), with a sensitivity of 0.94 (0.91–0.97)"
    assert may_be_a_bound(sentence, evidence) is may
