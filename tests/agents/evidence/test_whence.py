"""A quote finds its paper and page, though it was bent, and a foreign one finds nobody."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.evidence.alignment import aligned, possible_share
from agents.evidence.whence import certainty, differences_text, nearest, whence
from cache import papers
from cache.store import Store
from connectors.paper import Paper
from tests.agents.paged import fetched
from tests.agents.scripted import paper
from tests.library import copied

SENTENCE = "None of the 18 patients had a significant increase of well-defined fibrillation under low-dose statins."
STATINS = paper("Statins and rhythm", "10.1000/statins", abstract=f"We followed patients. {SENTENCE} It was safe.")
MEASURED = paper("On measuring what is found", "10.1000/on")
OTHERS = [paper(f"On patients, part {place}", f"10.1000/{place}", abstract="Patients had a low dose of the drug, and "
                f"none of group {place} had more than one of the events that we had expected.")
          for place in range(9)]  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(copied(tmp_path / "spar.db"))
    papers.remember(store, [*OTHERS, STATINS])
    return store


@pytest.mark.parametrize(
    ("bent", "there", "differences"),
    [
        (SENTENCE, SENTENCE.rstrip("."), []),
        ("HAD A SIGNIFICANT INCREASE OF WELL-DEFINED FIBRILLATION",
         "had a significant increase of well-defined fibrillation",
         []),
        ("a signi-\nﬁcant increase of well defined fibril-\nlation under lowdose statins",
         "a significant increase of well-defined fibrillation under low-dose statins", []),
        ("under lowdosestatins. It was safe", "under low-dose statins. It was safe", []),
        ("had a significant increase of fibrillation under low-dose statins",
         "had a significant increase of well-defined fibrillation under low-dose statins", [("well-defined", "")]),
        ("tients had a significant increase of well-defined fibril",
         "patients had a significant increase of well-defined fibrillation", []),
        ("had significant increases of the well-defined fibrillation under low-dose statins",
         "had a significant increase of well-defined fibrillation under low-dose statins",
         [("a", ""), ("increase", "increases"), ("", "the")]),
        ("None of the 18 patients … well-defined fibrillation under low-dose statins", SENTENCE.rstrip("."), []),
    ],
)  # fmt: skip
def test_a_bent_quote_is_told_with_the_true_words(
    bent: str, there: str, differences: list[tuple[str, str]], store: Store
) -> None:
    [origin] = whence(store, bent)
    assert (origin.paper.title, origin.where, origin.text) == (STATINS.title, "abstract", there)
    assert [tuple(one) for one in origin.differences] == differences
    assert "".join(origin.text[start:end] for start, end in origin.marks) == "".join(
        word for one, _ in differences for word in one.split("-")
    )


MEASURED_RISE = "The 24 mice (P < 0.05) had -3.5 mm of unchanged and asymptomatic myocardium, unlike 12 controls."


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("24", "42"), ("24", "twenty"), ("24", "24.5"), ("<", ">"), ("-3.5", "3.5"), ("3.5 mm", "3.5 cm"),
        ("mice", "rats"), ("had", "had not"), ("unchanged", "changed"), ("asymptomatic", "symptomatic"),
        ("unlike", "like"), ("unlike", ""), ("myocardium", "myocarditis"), ("12 controls", "24 mice"),
        ("asymptomatic", "fully asymptomatic"),
    ],
)  # fmt: skip
def test_a_quote_with_another_number_denial_or_content_word_is_from_nobody(own: str, other: str, store: Store) -> None:
    """The person sees the nearest passage in its own words instead."""
    measured = paper("Mice and hearts", "10.1000/mice", abstract=f"We looked at hearts. {MEASURED_RISE}")
    papers.remember(store, [measured])
    altered = MEASURED_RISE.replace(own, other)
    assert [origin.paper for origin in whence(store, MEASURED_RISE)] == [measured]
    assert whence(store, altered) == []
    passage = nearest(store, altered)
    assert passage
    assert (passage.paper, passage.altered) == (measured, True)
    assert certainty(passage) == "the nearest passage, but the quote is not from it"
    assert differences_text(passage).startswith("The quote ")


@pytest.mark.parametrize("cut", ["symptomatic myocardium, unlike 12 controls", "like 12 controls. And more of these"])
def test_the_end_of_a_word_that_is_its_opposite_is_no_cut_word(cut: str, store: Store) -> None:
    papers.remember(store, [paper("Mice", "10.1000/mice", abstract=f"{MEASURED_RISE} And more of these controls.")])
    assert whence(store, cut) == []


@pytest.mark.parametrize(
    "foreign",
    [
        "The effect of sleep on memory was measured in a group of students at night.",
        "Patients had a low mood, and none of them slept more than six hours in the nights that followed.",
        "of the 18 patients in the trial",
        "more than one of the",
        "!?",
    ],
)
def test_a_foreign_quote_is_from_nobody(foreign: str, store: Store) -> None:
    assert whence(store, foreign) == []


FRAME = "Among {} patients with {}, {} reduced the rate of {} by {} % compared with placebo (P<0.001)."
TRIALS = [
    FRAME.format(240, "hypertension", "lisinopril", "stroke", 19),
    FRAME.format(91, "diabetes", "insulin", "ulcers", 4),
]


@pytest.mark.parametrize(
    ("slots", "is_from"),
    [
        ((240, "hypertension", "lisinopril", "stroke", 19), True),
        ((240, "hypertension", "lisinoprl", "strokes", 19), True),
        ((240, "hypertension", "lisinopril", "stroke", 91), False),
        ((655, "hypertension", "enalapril", "stroke", 31), False),
        ((655, "asthma", "salbutamol", "exacerbations", 31), False),
    ],
)
def test_a_frame_with_the_numbers_and_names_of_another_study_is_from_nobody(
    slots: tuple[object, ...], is_from: bool, tmp_path: Path
) -> None:
    """However small the library is: a letter may be a slip, a number or a name is another study."""
    store = Store.open(copied(tmp_path / "spar.db"))
    papers.remember(store, [paper(f"Trial {place}", f"10.1000/t{place}", abstract=f"We ran a trial. {told}")
                            for place, told in enumerate(TRIALS)])  # fmt: skip
    assert [one.paper.title for one in whence(store, FRAME.format(*slots))] == ["Trial 0"] * is_from


def test_a_title_is_found_as_one(store: Store) -> None:
    assert [(one.paper, one.where) for one in whence(store, "Statins and rhythm")] == [(STATINS, "title")]


def test_two_papers_with_the_same_words_are_both_named(store: Store) -> None:
    again = paper("The trial, as a talk", "10.1000/talk", abstract=SENTENCE)
    papers.remember(store, [again])
    assert {one.paper.title for one in whence(store, SENTENCE)} == {STATINS.title, again.title}


@pytest.mark.parametrize(
    ("quote", "page"),
    [
        ("Sparse retrieval finds scientific passages with nine tenths of the recall of a cross- encoder", 3),
        ("This page says only why the work was begun and by whom it was paid", 1),
    ],
)
def test_words_of_a_pdf_are_told_with_their_page(quote: str, page: int, store: Store, tmp_path: Path) -> None:
    fetched(store, MEASURED, tmp_path)
    [origin] = whence(store, quote)
    assert (origin.paper.title, origin.where, origin.page) == (MEASURED.title, "page", page)


def test_a_quote_over_two_pages_is_from_where_it_begins(store: Store, tmp_path: Path) -> None:
    pages = [["The first page ends with a sentence about well-measured retrieval and its"],
             ["recall among scientific passages that nobody had ever counted before."]]  # fmt: skip
    fetched(store, MEASURED, tmp_path, pages)
    [origin] = whence(store, "a sentence about well-measured retrieval and its recall among scientific passages")
    assert origin.page == 1


_WORDS = st.lists(st.sampled_from("statins raise the risk of not 18 ﬁbers low-dose … Zürich".split()), max_size=30)


@given(_WORDS.map(" ".join), _WORDS.map(" ".join))
def test_what_is_aligned_stands_in_the_text_and_words_of_it_are_all_there(quote: str, text: str) -> None:
    found = aligned(quote, text)
    if found:
        assert 0 <= found.share <= 1
        assert all(found.start <= start < end <= found.end for start, end in found.marks)
        assert all(one.there in text and one.quoted in quote for one in found.differences)
    whole = aligned(text, text)
    assert whole is None or whole.differences == ()


def test_a_paper_without_an_abstract_is_not_in_the_way(store: Store) -> None:
    papers.remember(store, [Paper(title="Fibrillation under low-dose statins, a note", identifiers=())])
    assert [one.paper for one in whence(store, SENTENCE)] == [STATINS]


SOUNDS = st.sampled_from("do re mi fa sol domi remifa".split())
SUNG = st.lists(st.lists(SOUNDS, min_size=1, max_size=4).map("".join), min_size=1, max_size=8).map(" ".join)


@given(SUNG, SUNG)
def test_no_alignment_finds_more_of_a_quote_than_is_possible(quote: str, text: str) -> None:
    """So texts that cannot have the quote may be skipped."""
    alignment = aligned(quote, text)
    assert alignment is None or alignment.share <= possible_share(quote, text) + 1e-9
