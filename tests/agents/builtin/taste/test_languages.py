"""Papers are compared in every script."""

import pytest

from agents.builtin.taste.tokens import tokens_of
from connectors.paper import Paper


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("基于深度学习的图像识别方法", "深度学习在图像识别中的应用"),
        ("深層学習による画像認識", "画像認識のための深層学習"),
        ("การเรียนรู้เชิงลึก", "การเรียนรู้ของเครื่อง"),
        ("Глубокое обучение для зрения", "Обучение зрения"),
        ("Apprentissage profond", "Un apprentissage très profond"),
    ],
)
def test_titles_on_one_subject_share_words_in_their_own_script(first: str, second: str) -> None:
    assert len({*tokens_of(Paper(first)).content} & {*tokens_of(Paper(second)).content}) >= 2
