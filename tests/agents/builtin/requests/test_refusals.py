"""Who refuses what was shown gets something else, and never the same again at once."""

import pytest

from agents.builtin.requests.refusals import wanted_instead


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("Not these. Show me five papers about routing", "papers about routing"),
        ("None of these either. It is also from 2004", "papers from 2004"),
        ("No, something by Croft", "papers by Croft"),
        ("These are not it. It is about coins", "papers about coins"),
        ("None of these. Show me five others", ""),
        ("something else", ""),
        ("not what i meant: i am looking for surveys on maps", "papers surveys on maps"),
    ],
)
def test_what_is_wanted_instead_is_told_from_the_refusal(said: str, instead: str) -> None:
    assert wanted_instead(said) == instead


@pytest.mark.parametrize("said", ["no", "papers about routing", "none", "not about maps", "nothing since 2020", ""])
def test_what_refuses_nothing_is_no_refusal(said: str) -> None:
    assert wanted_instead(said) is None
