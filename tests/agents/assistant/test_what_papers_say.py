"""Questions about what papers say, which quotes from papers answer without a model."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.assistant.state import ConversationState
from cache import papers
from cache.store import Store
from connectors.identifiers import parse_identifier
from connectors.paper import Paper
from connectors.records.build import author_from_name
from tests.agents.assistant.talking import said, talk
from tests.library import copied

RESIDUES = "Residues of herbicides were found in 41 % of the burrows."
TOLLS = "A toll of two euros lowered the number of trips by 3 percent."
SHIFTS = "Early shifts cost bakers 40 minutes of sleep."
SIZE = "The sample size was 512 bakers."
NOCEBO = "Headaches were as frequent with the placebo as with the spray, which speaks for a nocebo effect."
WORKS = (
    ("Herbicide residues in burrows of voles", f"We dug out 90 burrows. {RESIDUES}", "Ana Sousa", "2019"),
    ("Road tolls and the trips of commuters", f"Commuters were followed for a year. {TOLLS}", "Ola Lund", "2021"),
    ("Early shifts and the sleep of bakers", f"{SIZE} {SHIFTS} The work was paid for by a union.", "Mia Holm", "2022"),
    ("Headaches from nose sprays", f"Patients took a spray or a placebo. {NOCEBO}", "Ida Berg", "2020"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as library:
        for place, (title, abstract, name, year) in enumerate(WORKS):
            names = tuple(filter(None, [author_from_name(name)]))
            identifiers = tuple(filter(None, [parse_identifier(f"doi:10.5555/says.{place}")]))
            papers.remember(library, [Paper(title, abstract, names, year, identifiers=identifiers)])
        yield library


def after(store: Store, *messages: str) -> ConversationState:
    return asyncio.run(talk(store, *messages))


def document(state: ConversationState) -> str:
    answer = state.turns[-1].answer
    assert answer is not None
    return " ".join(answer.document.split())


def tools(state: ConversationState) -> list[str]:
    plan = state.turns[-1].plan
    assert plan is not None
    return [step.tool for step in plan.steps]


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("what percentage of burrows had residues", RESIDUES),
        ("how big was the effect of a toll on trips", TOLLS),
        ("how many burrows had residues?", RESIDUES),
        ("headaches: are they real or nocebo", NOCEBO),
        ("do early shifts shorten the sleep of bakers?", SHIFTS),
        ("could you tell me whether tolls reduce trips?", TOLLS),
        ("what's the sample size in the bakers study", SIZE),
        ("how many minutes of sleep did shifts cost in the newest paper", SHIFTS),
        ("what was the sample size in the study by Holm", SIZE),
        ("Headaches from nose sprays: did the placebo cause as many?", NOCEBO),
    ],
)
def test_a_question_is_answered_by_the_quotes_that_bear_on_it(message: str, quote: str, store: Store) -> None:
    state = after(store, message)
    assert tools(state)[-1] == "ask_papers"
    assert document(state).startswith("Quotes nearest to the question. No model read them, so nothing is concluded:")
    assert f"“{quote}”" in document(state)


def test_a_question_about_it_is_put_to_the_paper_spoken_of(store: Store) -> None:
    state = after(store, "who wrote the bakers study?", "how many minutes of sleep did it cost?")
    assert SHIFTS in document(state)
    assert "[2]" not in document(state)


def test_it_may_be_each_of_the_papers_shown(store: Store) -> None:
    state = after(store, "papers since 2021", "was it blinded?")
    assert not state.turns[-1].outcomes
    assert said(state).startswith("That could mean each of the 2 papers shown last.")


def test_a_paper_that_does_not_say_by_its_words_is_shown_and_the_library_offered(store: Store) -> None:
    state = after(store, "did the bakers study measure cortisol?")
    assert document(state).startswith(
        f"Judged by words alone, no sentence of this paper bears on the question. The whole abstract: “{SIZE} {SHIFTS}"
    )
    assert [offer.label for offer in state.offers] == [
        "answer “did the bakers study measure cortisol?” from the papers of the library"
    ]


def test_the_words_that_name_a_paper_are_no_evidence(store: Store) -> None:
    assert document(after(store, "are there twins in the study on bakers?")).startswith(
        "Judged by words alone, no sentence of this paper"
    )


@pytest.mark.parametrize(
    "message",
    [
        "Holm 2022, did early shifts cost them anything?", "going by Holm: what do early shifts cost bakers",
        "what do bakers buy with early shifts, according to Mía Hólm?",
        "the bakers paper from 2022, how long did they sleep?",
    ],
)  # fmt: skip
def test_the_only_paper_whose_record_and_abstract_have_half_of_a_question_answers_it(
    message: str, store: Store
) -> None:
    state = after(store, message, "who wrote it?")
    assert "[1] Early shifts and the sleep of bakers" in " ".join(state.turns[0].answer.document.split())  # type: ignore[union-attr]
    assert "Mia Holm" in said(state)


def test_a_question_by_its_words_is_put_to_the_paper_spoken_of(store: Store) -> None:
    state = after(store, "who wrote the bakers study?", "why was it so hard on them?")
    assert f"The whole abstract: “{SIZE} {SHIFTS}" in document(state)


def test_the_abstract_follows_where_the_quotes_of_a_single_paper_lack_a_word(store: Store) -> None:
    whole = document(after(store, "were the bakers in the bakers study tired after early shifts?"))
    assert whole.index(f"“{SHIFTS}”") < whole.index("The whole abstract:")
    assert "The whole abstract" not in document(after(store, "did early shifts cost sleep in the bakers study?"))


@pytest.mark.parametrize(
    "message",
    [
        "papers on tolls", "tolls?", "tolls", "is there anything on tolls?", "what do I have on sleep?",
        "what about bakers", "which papers are about tolls?", "what is there on nocebo",
    ],
)  # fmt: skip
def test_a_message_that_asks_for_papers_lists_them(message: str, store: Store) -> None:
    assert tools(after(store, message)) == ["filter", "list"]


def test_what_the_library_does_not_hold_is_answered_where_a_text_speaks_of_it(store: Store) -> None:
    assert "no data on “funded”" in said(after(store, "who funded the voles study?"))
    assert "paid for by a union" in document(after(store, "who paid for the bakers study?"))


def test_a_question_is_not_understood_if_papers_have_less_than_half_of_its_words(store: Store) -> None:
    assert "no sentence of this paper bears" in document(after(store, "does the spray taste of rhubarb and custard?"))
    state = after(store, "do quarks decay?")
    assert "I did not understand “quarks” and “decay”." in said(state)
    assert "search the sources for “quarks decay”" in [offer.label for offer in state.offers]


def test_a_question_about_marks_of_papers_is_not_put_to_their_texts(store: Store) -> None:
    assert tools(after(store, "is the bakers study saved?")) == ["paper"]
    assert not tools(after(store, "which papers by Holm measured cortisol?"))
    assert "ask_papers" not in tools(after(store, "is the bakers study saved?", "how many authors does it have?"))
    assert "ask_papers" not in tools(after(store, "what share of my library is about sleep?"))


@pytest.mark.parametrize("message", ["where is “{}” from?", 'which paper says "{}"?', "where does “{}” come from?"])
def test_a_quote_is_told_from_which_paper_it_is_though_it_was_bent(message: str, store: Store) -> None:
    quote = " ".join(SHIFTS.split()[:-1])
    state = after(store, message.format(quote))
    assert tools(state) == ["find_quote"]
    assert f"“{quote}" in said(state)
    assert "word for word" in said(state)
    assert "“Early shifts and the sleep of bakers”, abstract" in said(state)


def test_of_words_that_no_paper_has_that_is_said(store: Store) -> None:
    state = after(store, "where is “a spoon of honey keeps all the doctors away from you” from?")
    assert tools(state) == ["find_quote"]
    assert "No title, abstract or stored full text of the library has these words." in said(state)


def test_papers_that_say_nothing_of_a_topic_stay_those_that_are_spoken_of(store: Store) -> None:
    before = after(store, "papers since 2021")
    state = after(store, "papers since 2021", "summarize what these say about quarks")
    assert said(state) == "spar found nothing about quarks in these papers."
    assert state.candidates == before.candidates


def test_a_share_of_what_is_no_paper_is_a_question_to_texts(store: Store) -> None:
    assert f"“{RESIDUES}”" in document(after(store, "what share of the burrows had residues?"))


@pytest.mark.parametrize("cited", ["Holm 2022", "Holm (2022)", "Mia Holm 2022", "Holm et al. 2022"])
def test_a_name_with_a_year_names_the_paper_of_a_question(store: Store, cited: str) -> None:
    for question in (f"in {cited}, did early shifts cost sleep?", f"how many minutes of sleep did {cited} find?"):
        assert f"“{SHIFTS}”" in document(after(store, question))
