"""Sentences that hold of any paper, and those that look alike and say something."""

from agents.evidence.empty_sentences import says_nothing
from tests.rows import each


@each(
    "sentence",
    [
        "Our code is available at github.com/one/two.",
        "The code and the pre-trained models will be released for research.",
        "We release all material so that token pruning can be studied further.",
        "The dataset and code used in this study are publicly available at this repository.",
        "We make our dataset and leaderboard available to the research community.",
        "Extensive experiments on two datasets demonstrate the effectiveness of our proposed method.",
        "Our method consistently outperforms state-of-the-art baselines.",
        "In this paper, we propose a novel framework to address these issues.",
        "The organism, its pathogenesis, and therapy are discussed.",
        "We hope that this encourages further research.",
        "OBJECTIVES To investigate whether statins reduce mortality in people without heart disease.",
        "The aim of this study was to compare two ways of pruning tokens.",
        "We sought to quantify the burden of heat.",
    ],
)
def test_where_the_code_is_that_it_works_and_what_is_aimed_at_says_nothing(sentence: str) -> None:
    assert says_nothing(sentence)


@each(
    "sentence",
    [
        "Compared to placebo, metformin reduced mortality by 30%.",
        "Exposure to lead lowered IQ by 5 points.",
        "Objective sleep measures were related to mortality.",
        "To date, five trials showed reduced mortality.",
        "On the other hand, pre-trained models are available only for limited tasks.",
        "No data are available on children.",
        "We release a dataset of 10,000 questions on tropical diseases.",
        "In this paper, we propose a novel framework that prunes tokens by their rarity.",
        "Our method outperforms state-of-the-art baselines by 4 % on MS MARCO.",
        "We demonstrate the effectiveness of our method in lowering the latency of sparse retrieval.",
        "Token pruning makes the index smaller.",
        "To examine the role of survivin, we analyzed mice without it.",
        "The goal of the service was reached in nine towns.",
    ],
)
def test_what_only_looks_like_it_says_something(sentence: str) -> None:
    assert not says_nothing(sentence)
