"""What is done to the profile is done, says what it changed, and is felt when papers are weighed."""

from datetime import timedelta

import pytest

from agents.taste.comparison import TasteComparison
from agents.taste.context import read_context
from agents.taste.scoring import scored
from agents.taste.whole_profile import NamedLine, read_profile
from agents.tools import profile_actions
from cache import profile
from cache.errors import NoSuchLine
from cache.store import Store
from tests.agents.taste.world import NOON, done, filled

DAY = timedelta(days=1)


def understood(store: Store) -> list[NamedLine]:
    return [line for line in read_profile(store, NOON).lines if line.own is None]


def likes(store: Store) -> list[set[int]]:
    return [set(line.papers) for line in understood(store) if line.facet == "like"]


def scores(store: Store, *numbers: int) -> list[float]:
    comparison = TasteComparison(store, read_context(store, NOON))
    return [one.score for one in scored(comparison, [comparison.index[number] for number in numbers])]


def test_a_line_is_added_cleaned_and_it_is_told(store: Store) -> None:
    change = profile_actions.add(store, "like", "  whale\x1b[31m <b>songs</b> ")
    [line] = change.after
    assert (line.name, line.facet, line.text, line.counts) == ("1", "like", "whale songs", True)
    assert change.remarks == ("invisible characters and markup were removed",)
    assert profile_actions.add(store, "like", "blue  whales ").remarks == ()


def test_a_line_of_ten_thousand_letters_is_cut_and_it_is_told(store: Store) -> None:
    change = profile_actions.add(store, "like", "whale " * 1_700)
    assert len(change.after[0].text) <= profile.LINE_CAP
    assert change.remarks == ("of its 10,199 letters the first 500 are kept",)


@pytest.mark.parametrize("text", ["", "   ", "...", "<b></b>", "\x1b[2J"])
def test_a_line_without_words_is_refused_and_nothing_changes(store: Store, text: str) -> None:
    profile_actions.add(store, "like", "whales")
    with pytest.raises(ValueError, match="words"):
        profile_actions.add(store, "like", text)
    with pytest.raises(ValueError, match="words"):
        profile_actions.edit(store, "1", text)
    assert [line.text for line in profile.own_lines(store)] == ["whales"]


def test_the_same_line_is_not_written_twice(store: Store) -> None:
    first = profile_actions.add(store, "like", "whales")
    again = profile_actions.add(store, "like", " whales ")
    assert again.before == again.after == first.after
    assert len(profile.own_lines(store)) == 1


def test_each_subject_of_the_history_is_a_line_of_its_own(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:3], *compilers[:3])
    assert sorted(map(sorted, likes(store))) == [sorted(whales[:3]), sorted(compilers[:3])]


def test_an_understood_line_that_is_edited_becomes_the_persons_own_and_is_not_understood_again(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:3], *compilers[:3])
    line = next(line for line in understood(store) if set(line.papers) == set(whales[:3]))
    change = profile_actions.edit(store, line.name.upper(), "whales and their songs", NOON)
    assert change.before == (line,)
    [own] = change.after
    assert (own.text, set(own.papers), own.own is not None) == ("whales and their songs", set(whales[:3]), True)
    assert likes(store) == [set(compilers[:3])]
    assert set(read_context(store, NOON).wanted) == {*whales[:3], *compilers[:3]}


def test_an_own_line_that_is_edited_keeps_its_name_and_papers(store: Store) -> None:
    whales, _ = filled(store)
    done(store, "liked", *whales[:3])
    profile_actions.edit(store, understood(store)[0].name, "whales", NOON)
    change = profile_actions.edit(store, "1", "blue whales", NOON)
    assert [(line.name, line.text) for line in (*change.before, *change.after)] == [
        ("1", "whales"),
        ("1", "blue whales"),
    ]
    assert set(change.after[0].papers) == set(whales[:3])


def test_forgetting_an_understood_line_sets_its_papers_aside_until_something_is_done_with_them(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:3], *compilers[:3])
    line = next(line for line in understood(store) if set(line.papers) == set(whales[:3]))
    [before] = scores(store, whales[4])
    change = profile_actions.forget(store, [line.name], NOON + timedelta(minutes=1))
    assert (change.before, set(change.set_aside)) == ((line,), set(whales[:3]))
    assert likes(store) == [set(compilers[:3])]
    assert scores(store, whales[4])[0] < before
    done(store, "saved", whales[0], at=NOON + DAY)
    assert set(read_context(store, NOON + DAY).wanted) == {whales[0], *compilers[:3]}


def test_forgetting_an_own_line_sets_the_papers_aside_that_it_rests_on(store: Store) -> None:
    whales, _ = filled(store)
    done(store, "liked", *whales[:3])
    profile_actions.edit(store, understood(store)[0].name, "whales", NOON)
    change = profile_actions.forget(store, ["1"], NOON + timedelta(minutes=1))
    assert set(change.set_aside) == set(whales[:3])
    assert read_profile(store, NOON).lines == ()  # it does not come back as an understood one


def test_forgetting_a_dislike_lets_papers_like_it_be_recommended_again(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *compilers[:3])
    done(store, "disliked", whales[0])
    [line] = [line for line in understood(store) if line.facet == "dislike"]
    assert line.papers == (whales[0],)
    profile_actions.forget(store, [line.name], NOON + timedelta(minutes=1))
    context = read_context(store, NOON)
    assert not context.unwanted
    assert whales[0] in context.closed  # the paper itself is known to the person


def test_a_name_does_not_hit_another_line_when_the_history_has_changed_meanwhile(store: Store) -> None:
    whales, _ = filled(store)
    done(store, "liked", *whales[:3])
    [line] = understood(store)
    done(store, "liked", whales[3])
    with pytest.raises(NoSuchLine, match="changes with what you do"):
        profile_actions.forget(store, [line.name])
    with pytest.raises(NoSuchLine):
        profile_actions.edit(store, line.name, "ships")
    assert not profile.papers_set_aside(store)


def test_writing_and_forgetting_lines_does_not_rename_the_others(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:3], *compilers[:3])
    before = understood(store)
    profile_actions.add(store, "like", "songs of whales and code of compilers")
    profile_actions.add(store, "dislike", "steel bridges")
    assert understood(store) == before
    profile_actions.forget(store, ["1"])
    assert understood(store) == before


def test_of_several_lines_all_are_forgotten_or_none(store: Store) -> None:
    profile_actions.add(store, "like", "whales")
    with pytest.raises(NoSuchLine, match="'7'"):
        profile_actions.forget(store, ["1", "7"])
    assert len(profile.own_lines(store)) == 1
    assert [line.name for line in profile_actions.forget(store, ["1", "1"]).before] == ["1"]


def test_forgetting_all_says_how_many_lines_and_papers_and_leaves_nothing(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:3])
    done(store, "disliked", compilers[0])
    profile_actions.add(store, "like", "songs")
    change = profile_actions.forget_all(store, NOON + timedelta(minutes=1))
    assert len(change.before) == 3
    assert set(change.set_aside) == {*whales[:3], compilers[0]}
    assert read_context(store, NOON).empty
    again = profile_actions.forget_all(store)
    assert (again.before, again.set_aside) == ((), ())


def test_lines_that_contradict_each_other_are_told_and_neither_moves_a_paper(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *compilers[:2])
    alone = scores(store, *whales, *compilers)
    profile_actions.add(store, "like", "songs of humpback whales")
    liked = scores(store, *whales, *compilers)
    assert liked[0] > alone[0]
    change = profile_actions.add(store, "dislike", "humpback whale songs")
    [found] = change.contradictions
    assert {line.number for line in found.lines} == {1, 2}
    assert not change.after[0].counts
    assert [line.counts for line in read_profile(store, NOON).lines if line.own] == [False, False]
    # The words of a line are no papers of the library: with neither counting, nothing is left of them.
    assert scores(store, *whales, *compilers) == alone
    profile_actions.forget(store, ["2"])
    assert scores(store, *whales, *compilers) == liked


def test_a_line_against_what_is_understood_is_told_and_both_count(store: Store) -> None:
    whales, _ = filled(store)
    done(store, "disliked", whales[0])
    profile_actions.add(store, "like", "papers like “Songs of humpback whales”")
    known = read_profile(store, NOON)
    assert [(mine.name, other.facet) for mine, other in known.against] == [("1", "dislike")]
    assert all(line.counts for line in known.lines)
