"""A question is read without a model: what is asked for, in which field, and which other words to ask with."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.question_parsing.parsed_question import ParsedQuestion
from agents.builtin.question_parsing.question import read
from agents.builtin.question_parsing.refining import MANY_WORDS
from agents.builtin.question_parsing.sources import choose_sources
from connectors.records.clean import clean_text
from tests.agents.builtin.question_parsing.questions import TODAY, Labelled, labelled_questions
from tests.rows import each
from tests.work import grows_evenly

EVERYTHING = ("arxiv", "openalex", "semanticscholar", "pubmed", "google")
WORDS = st.sampled_from(
    'papers by since 2020 in Nature Yann LeCun vs and "deep learning" survey of the last 5 years 1999-2005'.split()
    + "at least 100 citations open access 10.1000/x CRISPR review , . ? ( ) 's et al. recent 未来 über".split()
)
QUESTIONS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join))


@each(
    ("question", "intent"),
    [
        ("review of homomorphic encryption", "survey"),
        ("Explainable AI: a survey", "survey"),
        ("survey data from households", "topic"),
        ("code review in open source projects", "topic"),
        ("comparison of BERT and GPT for summarization", "method-comparison"),
        ("LSTM vs Transformer for speech", "method-comparison"),
        ("applications of metamaterials", "applications"),
        ("datasets for hate speech detection", "dataset"),
        ("training on large datasets with little memory", "topic"),
        ("recent advances in federated learning", "recent-advances"),
        ("gaps between prime numbers", "topic"),
    ],
)
def test_the_kind_of_answer_wanted_is_read(question: str, intent: str) -> None:
    assert read(question, TODAY).intent == intent


@each(
    ("question", "topic"),
    [
        ("Can you find me papers on graph neural networks?", "graph neural networks"),
        ("What studies have examined the effect of sleep on memory?", "effect of sleep on memory"),
        ("I'm looking for research about coral reefs, please", "coral reefs"),
        ("Can you name a study that employs selective search?", "selective search"),
        ("Can you explain to me what is visual programming?", "visual programming"),
        ("How does exercise affect sleep?", "exercise affect sleep"),
        ("research ethics", "research ethics"),
        ("work stress among nurses", "work stress among nurses"),
        ("state space models", "state space models"),
        ("WHO guidelines for malaria", "WHO guidelines for malaria"),
        ("absorption of vitamin A", "absorption of vitamin A"),
        ("papers by Yann LeCun", "Yann LeCun"),
    ],
)
def test_the_topic_is_the_question_without_the_words_of_asking(question: str, topic: str) -> None:
    assert read(question, TODAY).topic == topic


@each(
    ("question", "topic"),
    [
        ("make my neural net smaller so it fits on a phone", "neural net smaller phone"),
        ("What should I eat to sleep better?", "eat sleep"),
        ("what is the best way to treat pneumothorax in CF patients", "treat pneumothorax CF patients"),
        ("Attention is all you need", "Attention is all you need"),
        ("work on getting things done", "getting things done"),
        ("the effect of good sleep on memory", "effect of good sleep on memory"),
    ],
)
def test_words_of_everyday_life_are_no_topic_where_a_person_asks_for_help(question: str, topic: str) -> None:
    assert read(question, TODAY).topic == topic


def test_one_word_that_tells_is_searched_beside_the_question_and_that_is_said() -> None:
    reading = read("how do I stop my chatbot from making things up", TODAY)
    assert reading.queries == ("chatbot",)
    assert reading.needs_refinement
    assert reading.why == "It is in everyday words; “chatbot” may name its subject."
    assert "chatbot" in reading.topic.split()
    assert "making" in reading.topic.split()


def test_each_of_two_compared_things_gets_a_query() -> None:
    queries = read("comparison of BERT and GPT for text classification", TODAY).queries
    assert queries == ("BERT text classification", "GPT text classification")


@each("question", ["malaria", "survey of graph neural networks", "bed nets against malaria in Kenya"])
def test_a_question_in_few_words_is_sent_as_it_is(question: str) -> None:
    assert read(question, TODAY).queries == ()


def test_a_broad_question_is_called_so() -> None:
    assert read("malaria", TODAY).why == "It is broad."


NOISE = (
    "How can noise robustness in image recognition be improved? Provide a multi-angle analysis with research papers, "
    "preferably from top-tier journals and conferences."
)
SENTIMENT = (
    'How can AI methods improve sentiment analysis model accuracy? For instance, "How is Xiaoming?" might have '
    "completely different meanings depending on the context"
)


@each(
    ("question", "core"),
    [
        (NOISE, "noise robustness image recognition"),
        (SENTIMENT, "AI methods sentiment analysis model accuracy"),
        ("How can deep learning optimize spam detection performance? Expand on it.", "deep learning spam detection"),
        ("How can soils be restored under data-scarce conditions in drylands?Provide the latest methods, please.", ""),
    ],
)
def test_one_question_is_asked_once_and_by_whole_phrases_where_each_word_must_be_found(
    question: str, core: str
) -> None:
    """No query beside it finds more than it costs; of orders and examples nothing is asked."""
    reading = read(question, TODAY)
    assert (reading.core, reading.queries) == (core, ())


def test_a_second_question_is_asked_beside_the_subject_of_the_first() -> None:
    question = (
        "How is artificial intelligence applied in medical imaging diagnostics, particularly in tumor detection? How "
        "can labor costs be reduced while increasing accuracy? Are there research papers on this topic?"
    )
    assert read(question, TODAY).queries[-1] == "medical imaging diagnostics labor costs"


def test_of_two_orders_the_one_with_a_subject_is_kept() -> None:
    question = "Explain how attention in transformers relates to kernel methods. Give me the seminal papers as well."
    assert "kernel methods" in read(question, TODAY).topic


def test_what_is_ruled_out_is_not_asked_for() -> None:
    question = "I look for topological data analysis of histopathology slides. Nothing about radiology, please."
    assert "radiology" not in " ".join((read(question, TODAY).topic, *read(question, TODAY).queries))


def test_an_order_keeps_its_conditions() -> None:
    reading = read("How does genomics drive cancer treatment? Provide research papers from the past five years.", TODAY)
    assert reading.since == TODAY.replace(year=TODAY.year - 5)
    assert "papers" not in reading.topic


def test_words_of_quality_and_of_recency_are_preferences_and_no_subject() -> None:
    reading = read("cutting-edge methods for coral restoration, preferably from top-tier journals", TODAY)
    assert (reading.recent, reading.renowned, reading.since) == (True, True, None)
    assert not {"cutting-edge", "top-tier", "journals"} & set(reading.topic.split())
    assert not read("leading causes of death", TODAY).renowned


def test_no_query_ends_with_what_an_adverb_says_is_done() -> None:
    question = "Which papers regularize layers, refining parameters of encoders without explicitly keeping gradients?"
    assert read(question, TODAY).core == "encoders gradients"


def test_a_long_request_is_cut_into_short_queries_on_different_things() -> None:
    request = (
        "I am building a system that controls the feed of iron ore into a production pipeline. One model detects the "
        "features of iron ore pellets in 3D images. Another one predicts the best feed load in real time. "
        "There are no labels, so weakly supervised learning is needed."
    )
    queries = read(request, TODAY).queries
    assert len(queries) > 1
    assert any("supervised" in query for query in queries)
    assert any("feed load" in query for query in queries)


ABSTRACT = (
    "Veracity Computing from Lexical Cues and Perceived Certainty Trends. We present a novel method for determining "
    "the veracity of rumours on a microblog. Evaluated on the portion for which hand-labeled examples were available, "
    "it achieves .74 F1-score on identifying rumor resolving tweets. Requiring no more than 18 hours, a run takes "
    "place in an ordinary office."
)


def test_a_pasted_abstract_is_asked_for_by_words_that_are_near_its_subject() -> None:
    """Others stand in it that are as long or as rare, and say nothing of what the whole is about."""
    reading = read(ABSTRACT, TODAY)
    asked = set(" ".join((reading.core, *reading.queries)).lower().split())
    assert {"veracity", "rumor", "microblog"} <= asked
    assert not {"hours", "ordinary", "office", "place"} & asked


def test_of_a_long_text_a_few_words_stand_for_it_and_for_each_query_where_each_must_be_found() -> None:
    reading = read(ABSTRACT, TODAY)
    assert reading.fewer
    for few in (reading.core, *dict(reading.fewer).values()):
        assert set(few.split()) <= set(ABSTRACT.replace(".", "").split())


def test_a_short_question_is_asked_for_by_all_of_its_words_everywhere() -> None:
    assert (read("bed nets against malaria in Kenya", TODAY).core, read("malaria", TODAY).fewer) == ("", ())


def test_a_number_keeps_the_point_it_begins_with() -> None:
    assert " .74 " in f" {read('it achieves .74 F1-score, on all tweets .', TODAY).topic} "


@each(
    "question",
    [
        "Welche Arbeiten gibt es zur Therapie von Diabetes bei Kindern?",
        "近年来图神经网络的研究进展",
        "¿Qué es la fotosíntesis?",
    ],
)
def test_a_question_in_another_language_is_asked_as_it_stands(question: str) -> None:
    reading = read(question, TODAY)
    assert reading.topic == question
    assert (reading.queries, reading.needs_refinement) == ((), False)


@each("question", ["", "?", "   ", "…"])
def test_a_question_without_a_word_asks_for_nothing(question: str) -> None:
    reading = read(question, TODAY)
    assert (reading.intent, reading.queries, reading.authors, reading.since) == ("topic", (), (), None)


@given(QUESTIONS, st.dates())
def test_any_text_is_read(question: str, today: date) -> None:
    """Whatever is typed, a reading comes out that a search can be run with."""
    reading = read(question, today)
    if any(map(str.isalnum, clean_text(question))):
        assert any(map(str.isalnum, reading.topic))
    assert reading.since is None or reading.until is None or reading.since <= reading.until
    assert reading.why.endswith(".")
    _queries_are_usable(reading)


@each("label", labelled_questions(), ids=lambda label: label.text[:40])
def test_queries_are_few_short_and_all_different(label: Labelled) -> None:
    _queries_are_usable(read(label.text, TODAY))


def _queries_are_usable(reading: ParsedQuestion) -> None:
    assert len(reading.queries) <= 4
    assert len({query.lower() for query in reading.queries}) == len(reading.queries)
    assert reading.topic not in reading.queries
    assert all(2 <= len(query.split()) <= MANY_WORDS for query in reading.queries)
    assert {query for query, _ in reading.fewer} <= set(reading.queries)
    assert all(2 <= len(few.split()) < len(query.split()) for query, few in reading.fewer)
    assert len(reading.core.split()) in {0, *range(2, MANY_WORDS + 1)}
    assert reading.needs_refinement or not reading.queries


@each("piece", ["a ", "by A. ", "John Smith, ", "2020-", '"', "(", "in the ", "A", "10.", "http://", "x, "])
def test_a_text_made_to_be_slow_twice_as_long_is_twice_the_work(piece: str) -> None:
    read(piece * 3000, TODAY)
    assert grows_evenly(lambda times: read(piece * times, TODAY), 200)


def test_what_is_read_is_right_nine_times_in_ten_on_questions_no_rule_was_written_for() -> None:
    held_out = [label for label in labelled_questions() if label.held_out]
    readings = [(read(label.text, TODAY), label) for label in held_out]
    assert sum(reading.intent == label.intent for reading, label in readings) >= 0.9 * len(readings)
    for name in ("since", "until", "authors", "venues", "min_citations", "open_access", "papers"):
        wrong = sum(bool(getattr(r, name)) and getattr(r, name) != getattr(label, name) for r, label in readings)
        right = sum(bool(getattr(r, name)) and getattr(r, name) == getattr(label, name) for r, label in readings)
        assert right >= 0.9 * (right + wrong), name
    fields = [(reading.domain.split(":")[0], label.field) for reading, label in readings if reading.domain]
    assert sum(found == meant for found, meant in fields) >= 0.9 * len(fields)


@each(
    ("question", "asked", "not_asked"),
    [
        ("statins for stroke prevention in diabetes patients", "pubmed", "arxiv"),
        ("quantum error correction with superconducting qubits", "arxiv", "pubmed"),
        ("medieval manuscripts in Irish monasteries", "google", "pubmed"),
    ],
)
def test_sources_are_chosen_by_field(question: str, asked: str, not_asked: str) -> None:
    chosen = choose_sources(read(question, TODAY), EVERYTHING)
    assert asked in chosen
    assert not_asked not in chosen
    assert {"openalex", "semanticscholar"} <= set(chosen)


def test_an_unclear_field_leaves_no_source_out() -> None:
    assert set(choose_sources(read("procrustes", TODAY), EVERYTHING)) == set(EVERYTHING)


def test_a_question_of_health_brings_pubmed_and_europe_pmc_and_a_named_paper_crossref() -> None:
    more = (*EVERYTHING, "europepmc", "crossref")
    health = missed = 0
    for label in labelled_questions():
        reading = read(label.text, TODAY)
        chosen = choose_sources(reading, more)
        assert ("crossref" in chosen) == any(
            not paper.startswith(("arxiv:", "pmid:", "pmcid:")) for paper in reading.papers
        )
        if label.field in ("biomedicine", "psychology"):
            health += 1
            missed += not {"pubmed", "europepmc"} <= chosen.keys()
    assert missed <= 0.03 * health


def test_a_disease_that_is_not_in_the_table_of_words_brings_pubmed() -> None:
    assert "pubmed" in choose_sources(read("silicosis in stonemasons", TODAY), EVERYTHING)


@each(
    "question",
    [
        "suicide prevention in schools",
        "air pollution and childhood asthma",
        "handwashing in primary schools and diarrhoea",
        "heat waves and mortality",
        "food insecurity among university students",
        "poverty and child stunting",
    ],
)
def test_health_beside_another_field_brings_pubmed_and_europe_pmc(question: str) -> None:
    assert {"pubmed", "europepmc"} <= choose_sources(read(question, TODAY), (*EVERYTHING, "europepmc")).keys()


@each(
    ("question", "asked"),
    [
        ("doi:10.1000/x", {"crossref"}),
        ('"Attention Is All You Need"', {"crossref", "arxiv"}),
        ("pmid:29456894", {"europepmc", "pubmed"}),
        ("PMC5815332", {"europepmc", "pubmed"}),
        ("arxiv:1706.03762", {"arxiv"}),
    ],
)
def test_who_is_asked_of_a_named_paper_goes_by_its_name(question: str, asked: set[str]) -> None:
    known = ("arxiv", "openalex", "pubmed", "europepmc", "crossref")
    chosen = set(choose_sources(read(question, TODAY), known)) - {"openalex"}
    assert asked <= chosen


@given(QUESTIONS, st.lists(st.sampled_from([*EVERYTHING, "my-shelf"]), unique=True))
def test_some_available_source_is_always_chosen_with_a_reason(question: str, available: list[str]) -> None:
    chosen = choose_sources(read(question, TODAY), available)
    assert set(chosen) <= set(available)
    assert bool(chosen) == bool(available)
    assert all(reason.endswith(".") for reason in chosen.values())
