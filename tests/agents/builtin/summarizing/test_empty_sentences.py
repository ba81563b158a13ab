"""Sentences that hold of any paper, and those that look alike and say something."""

import pytest

from agents.builtin.summarizing.table_cells import says_nothing


@pytest.mark.parametrize(
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
    ],
)
def test_where_the_code_is_and_that_it_works_says_nothing(sentence: str) -> None:
    assert says_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "On the other hand, pre-trained models are available only for limited tasks.",
        "No data are available on children.",
        "We release a dataset of 10,000 questions on tropical diseases.",
        "In this paper, we propose a novel framework that prunes tokens by their rarity.",
        "Our method outperforms state-of-the-art baselines by 4 % on MS MARCO.",
        "We demonstrate the effectiveness of our method in lowering the latency of sparse retrieval.",
        "Token pruning makes the index smaller.",
    ],
)
def test_what_only_looks_like_it_says_something(sentence: str) -> None:
    assert not says_nothing(sentence)
