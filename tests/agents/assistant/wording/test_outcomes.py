"""Sentences of answers, compared with the library: each is true and is good English."""

import asyncio
import re
from collections.abc import Iterator

import pytest

from agents.assistant.wording.outcomes import conditions_text
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from cache import papers
from cache.conditions.filters import filter_by
from cache.conditions.library import matching
from cache.store import Store
from connectors.errors import SourceUnavailable
from tests.agents.assistant.talking import filled, said, talk
from tests.agents.scripted import ScriptedSource
from tests.agents.search.world import made_up
from tests.requests import world
from tests.rows import each

NOW = {paper.title: paper for paper in world.all_papers()}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(tmp_path_factory.mktemp("library")) as library:
        yield library


def answer(store: Store, *messages: str) -> str:
    return said(asyncio.run(talk(store, *messages)))


def dated(since: str = "", until: str = "9999") -> int:
    return sum(bool(paper.date) and since <= str(paper.date)[:4] <= until for paper in NOW.values())


def by(name: str) -> int:
    return sum(any(author.family == name for author in paper.authors) for paper in NOW.values())


def test_how_many_there_are_is_said_as_it_is(store: Store) -> None:
    assert answer(store, "how many papers from 2020 on are in the library?").startswith(
        f"{dated('2020')} papers in your library are from 2020 or later."
    )
    assert answer(store, "how many papers by Salton?").startswith(
        f"{by('Salton')} papers in your library are by Salton."
    )
    assert answer(store, "how many papers are in my library?").startswith(f"Your library has {len(NOW)} papers.")


def test_what_is_narrowed_is_told_of_those_there_were(store: Store) -> None:
    told = answer(store, "papers by Bengio", "only the ones before 2010")
    few = [p for p in NOW.values() if any(a.family == "Bengio" for a in p.authors) and str(p.date) < "2010"]
    assert told.splitlines()[0] == f"{len(few)} of those are from 2009 or earlier."
    assert answer(store, "papers by Bengio", "only those from 1850 or earlier 1960").count("papers of those") == 0


def test_conditions_are_told_as_a_sentence_of_what_papers_are_and_have(store: Store) -> None:
    retracted = "1 paper in your library is known to be retracted and on your shelf."
    assert answer(store, "which of my saved papers are retracted?") == retracted
    assert answer(store, "saved papers without a note by Salton").startswith(
        "No paper in your library is by Salton and on your shelf and has no note of yours."
    )
    assert answer(store, "all papers with survey in the title").startswith(
        f"{surveys()} papers in your library have “survey”"
    )
    assert "unread on your shelf" in answer(store, "how many unread papers are tagged graphs?")


def surveys() -> int:
    return sum("survey" in paper.title.lower() for paper in NOW.values())


def test_a_check_says_what_is_wrong_and_with_which_papers(store: Store) -> None:
    told = answer(store, "check the papers on my shelf")
    assert "- retracted: “Rapid screening of citations with untrained readers”." in told
    assert "fish oil" not in told
    fine = answer(store, "check ReAct and Toolformer")
    assert "No problem is known with 2 papers." in fine or "has problems" in fine


def test_where_no_paper_holds_all_words_of_a_long_question_the_best_are_shown_and_it_is_said_which_words(
    store: Store,
) -> None:
    question = "papers about measuring hallucination in long answers of retrieval augmented generators"
    state = asyncio.run(talk(store, question))
    told = said(state)
    assert "has all these words" in told
    match = re.search(r"Each has some of these words: (.+); the best match comes first", told)
    assert match is not None
    words = [word[:6] for word in re.findall("“(.+?)”", match[1])]
    assert state.candidates
    for paper in papers.by_ids(store, state.candidates):
        text = f"{paper.title} {paper.abstract} {' '.join(paper.keywords)}".lower()
        assert any(word in text for word in words)


def test_few_papers_on_a_subject_are_followed_by_those_that_have_some_of_its_words_and_it_is_said(store: Store) -> None:
    state = asyncio.run(talk(store, "genome editing with CRISPR"))
    strict = matching(store, filter_by(words=("genome editing", "CRISPR")))
    told = said(state)
    assert 0 < len(strict) < len(state.candidates or ())
    assert list(state.candidates or ())[: len(strict)] == strict
    assert told.startswith(f"{len(strict)} paper")
    behind = len(state.candidates or ()) - len(strict)
    assert re.search(rf"After that, {behind} papers? (?:has|have) some of these words", told)
    since = asyncio.run(talk(store, "genome editing with CRISPR, newest first"))
    assert set(since.candidates or ()) == set(strict)


def test_the_one_paper_that_is_asked_for_is_named(store: Store) -> None:
    assert "“BERT: Pre-training" in answer(store, "which paper has the most citations?").splitlines()[-1]


def test_what_the_library_does_not_know_is_not_said_to_be_none(store: Store) -> None:
    assert "known to be free to read" in answer(store, "open access papers from 1998")
    assert "No paper in your library is known to be cited" in answer(store, "papers with over 900,000 citations")


def test_conditions_that_contradict_each_other_are_said_to_do_so(store: Store) -> None:
    assert "at once" in answer(store, "papers from before 1990 that appeared since 2010")
    assert answer(store, "papers with more than 100 but fewer than 50 citations").startswith("No paper can be cited")
    assert answer(store, "unread papers that I have read") == "No paper can be read and unread at once."


def test_what_was_given_up_is_said_and_what_is_left_has_just_that(store: Store) -> None:
    state = asyncio.run(talk(store, "papers by Salton since 2015 about vector space"))
    told = said(state).splitlines()
    assert told[0].startswith("No paper in your library is about “vector space”, by Salton and from 2015 or later")
    assert told[1].startswith("Leaving out the beginning of the time, there ")
    found = papers.by_ids(store, state.candidates or ())
    assert found
    assert all("Salton" in [author.family for author in paper.authors] for paper in found)
    assert told[1].endswith(f"{len(found)} paper{'s' * (len(found) != 1)}.")


def test_what_is_not_wanted_is_left_out_and_said(store: Store) -> None:
    state = asyncio.run(talk(store, "papers by Bengio not from 2015"))
    found = papers.by_ids(store, state.candidates or ())
    assert found
    assert all(str(paper.date)[:4] != "2015" for paper in found)
    assert "by Bengio and not from 2015" in said(state)


def test_the_places_of_a_part_of_the_list_are_said(store: Store) -> None:
    told = answer(store, "all papers since 2020", "next five")
    assert f"Showing 11 to 15 of {dated('2020')}." in told


def test_whether_a_paper_is_saved_read_or_retracted_is_said_as_the_shelf_has_it(store: Store) -> None:
    assert "It is not on your shelf." in answer(store, "is the BERT paper by Devlin on my shelf?")
    assert re.search(r"Saved: on 2026-\d\d-\d\d\.", answer(store, "is BEIR on my shelf?"))
    assert "It is not marked as read." in answer(store, "have I read RAPTOR?")
    assert re.search(r"Marked as read: on 2026-\d\d-\d\d\.", answer(store, "have I read BEIR?"))
    assert "It was retracted." in answer(store, "is Rapid screening of citations with untrained readers retracted?")
    assert "No retraction is known." in answer(store, "is BEIR retracted?")


def test_a_title_that_nobody_has_is_said_to_be_unknown_with_the_nearest_if_there_is_one(store: Store) -> None:
    told = answer(store, 'papers like "A Grand Theory of Coffee in Peer Review"')
    assert told.startswith("No paper of your library is called “A Grand Theory of Coffee in Peer Review”.")


def test_a_word_that_was_not_understood_is_named_and_nothing_is_done(store: Store) -> None:
    told = answer(store, "what is the average citation count, Fjordish?").splitlines()
    assert told[0] == "Your library has no paper with the name or word “Fjordish”. Nothing was done."


def test_a_like_is_taken_back(store: Store) -> None:
    state = asyncio.run(talk(store, "I like the BEIR paper", "yes", "take back my like of the BEIR paper", "yes"))
    assert said(state) == "1 paper marked as neither liked nor disliked."


@pytest.mark.parametrize("message", ["fjord klm wibble 77 zzz", "the the", "oh well then"])
def test_what_is_not_understood_is_answered_with_three_things_that_can_be_done(store: Store, message: str) -> None:
    state = asyncio.run(talk(store, message))
    assert "Nothing was done." in said(state)
    assert len(state.offers) == 3


ASKED = (
    "papers by Bengio", "unread papers tagged rag", "surveys on agents", "papers I liked", "papers with a note",
    "papers not in Nature by LeCun", "papers by Bengio, no preprints", "papers without an abstract since 2020",
    "uncited papers", "papers cited at least once by Salton", "papers with survey in the title", "retracted papers",
    "papers not tagged rag on my shelf", "open access papers from 1998", "papers like BERT", "what's on my shelf?",
    "which tags do I use?", "average citations of my saved papers", "my past searches", "what do I like?",
)  # fmt: skip


@pytest.mark.parametrize("message", ASKED)
def test_no_sentence_has_a_word_out_of_place(store: Store, message: str) -> None:
    told = answer(store, message)
    assert told
    assert not re.search(
        r"papers of those|are that|is that|are since|is since|are until|\b1 papers|None\b(?! of)", told
    )
    assert not re.search(r"\b(are|is|in|by|from|with) *[,.]|, *\.|  ", told)


def test_a_search_names_those_who_answered_and_never_one_that_failed(store: Store) -> None:
    down = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is down."))
    some = ScriptedSource("arxiv", made_up(5))
    both = said(asyncio.run(talk(store, "search for sparse retrieval", live={"arxiv": some, "openalex": down})))
    assert re.search(r"found, \d+ judged relevant; arxiv answered", both.splitlines()[0])
    assert "openalex" not in both.splitlines()[0]
    none = said(asyncio.run(talk(store, "search for sparse retrieval", live={"openalex": down})))
    assert ", on this machine alone, because no source answered" in none.splitlines()[0]
    unasked = answer(store, "search for sparse retrieval")
    assert ", on this machine alone (" in unasked.splitlines()[0]


def test_a_paper_that_a_search_found_comes_with_the_reason_and_the_quote(store: Store) -> None:
    live = {"arxiv": ScriptedSource("arxiv", made_up(5))}
    state = asyncio.run(talk(store, "search for sparse retrieval", live=live))
    answered = state.turns[-1].answer
    assert answered is not None
    papers = [(state.findings.papers[state.findings.work(row.work)], row.said) for row in answered.rows]
    quoted = [(paper, re.fullmatch(r"(.+)\. “([^“]+)”", said)) for paper, said in papers]
    assert quoted[0][1] is not None
    assert all(match[2] in f"{paper.title}\n{paper.abstract}" for paper, match in quoted if match)


def test_a_search_that_found_nothing_relevant_says_so(store: Store) -> None:
    live = {"arxiv": ScriptedSource("arxiv", made_up(5))}
    told = said(asyncio.run(talk(store, "search for migration of sea birds over the North Sea", live=live)))
    assert ", none judged relevant; arxiv answered" in told.splitlines()[0]


def test_links_are_told_as_known_only_by_those_who_named_some(store: Store) -> None:
    empty = ScriptedSource("arxiv", [])
    state = asyncio.run(talk(store, "what does BERT cite?", live={"arxiv": empty}))
    assert state.turns[-1].outcomes[0].papers
    assert "arxiv" not in said(state)


@each(
    ("since", "until", "told"),
    [
        ("2020-07-01", "2020", "from 2020-07 to 2020-12"),
        ("2020-06-01", "2020-08-31", "from 2020-06 to 2020-08"),
        ("2020-05-01", "2020-05-31", "from 2020-05"),
        ("2020", "2021", "from 2020 to 2021"),
        ("2020-05-02", "2020-08-31", "from 2020-05-02 to 2020-08-31"),
        ("2020-05-01", "2020-08-30", "from 2020-05-01 to 2020-08-30"),
        ("2020-05-01", "2020-13-45", "from 2020-05-01 to 2020-13-45"),
    ],
)
def test_whole_months_are_called_by_their_names(since: str, until: str, told: str) -> None:
    assert conditions_text(FILTER_ARGUMENTS.model_validate({"since": since, "until": until})) == f"is {told}"
