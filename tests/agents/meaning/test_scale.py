"""Whatever a model's cosines are like, they mean the same once they are on the common scale."""

from pathlib import Path

import numpy as np
import pytest

from agents.meaning.transformer import Transformer
from agents.run.retrieval.meaning import PAIRS, RELATED, TEXTS, UNRELATED, Scale, scale_of
from tests.agents.meaning.models import has_weights, minilm


def test_a_model_is_told_by_its_cosines_with_own_papers_and_with_others() -> None:
    """Each text has a part in common with all, and one with its pair alone."""
    vectors = {}
    for place, pair in enumerate(PAIRS):
        for text in pair:
            vectors[text] = np.eye(len(PAIRS) + 1)[place] * 0.6
            vectors[text][-1] = 0.8
    scale = scale_of(vectors)
    assert scale == pytest.approx((0.64, 1.0))
    assert scale.tells
    assert (scale.common(0.64), scale.common(1.0)) == pytest.approx((UNRELATED, RELATED))


def test_a_model_that_tells_nothing_apart_is_found_out() -> None:
    assert not scale_of(dict.fromkeys(TEXTS, np.array([1.0]))).tells


def test_what_is_nearer_stays_nearer() -> None:
    scale = Scale(0.7, 0.85)
    assert scale.common(0.6) < scale.common(0.7) < scale.common(0.9)


@has_weights
def test_the_scale_is_that_of_the_model_which_the_weights_were_fitted_with(tmp_path: Path) -> None:
    made = Transformer(minilm(tmp_path)).vectors(TEXTS)
    scale = scale_of({text: np.array(vector) for text, vector in zip(TEXTS, made, strict=True)})
    assert scale == pytest.approx((UNRELATED, RELATED), abs=0.005)
