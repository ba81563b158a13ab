"""The sentences that together say most about a question."""

from agents.evidence.extracts import TextPart, extracts, shared_out
from connectors.paper import Paper, WorkId
from tests.agents.builtin.summarizing.test_facets import papers
from tests.agents.scripted import paper
from tests.rows import each


def numbered() -> dict[WorkId, Paper]:
    return {WorkId(number): one for number, one in enumerate(papers())}


def test_extracts_stand_in_their_papers_and_say_different_things() -> None:
    found = numbered()
    made = extracts("how are small indexes made by pruning", found, 40)
    assert all(extract.text in found[extract.work].abstract for extract in made)
    assert any("pruning" in extract.text for extract in made)
    assert len({extract.text for extract in made}) == len(made)


def test_what_is_written_already_is_not_written_again() -> None:
    found = numbered()
    first = [extract.text for extract in extracts("token pruning", found, 30)]
    assert not set(first) & {extract.text for extract in extracts("token pruning", found, 30, first)}


def test_what_is_no_sentence_on_the_question_is_not_taken() -> None:
    abstract = "Origin of the whole term pruning, see there. Bread is baked in the oven by bakers. Pruning drops words."
    on_pruning = paper(
        "Pruning", "10.1000/p", abstract=f"{abstract} Token pruning makes the index smaller than it was before."
    )
    assert [extract.text for extract in extracts("pruning of tokens", {WorkId(1): on_pruning}, max_sentences=1)] == [
        "Token pruning makes the index smaller than it was before."
    ]
    assert "Bread" not in " ".join(extract.text for extract in extracts("pruning of tokens", {WorkId(1): on_pruning}))


LEANING = "This makes the index of token pruning smaller than it was before."


def leaning(before: str) -> dict[WorkId, Paper]:
    return {WorkId(1): paper("Token pruning", "10.1000/l", abstract=f"{before} {LEANING}")}


def test_a_sentence_that_leans_on_another_one_follows_it_or_is_not_quoted() -> None:
    on_topic = "Token pruning leaves the frequent words of a passage out."
    beside = "Bread is baked in the oven by all bakers."
    assert [one.text for one in extracts("pruning of tokens", leaning(on_topic))] == [on_topic, LEANING]
    assert not extracts("pruning of tokens", leaning(beside))


def test_in_a_list_every_sentence_stands_alone() -> None:
    found = leaning("Token pruning leaves the frequent words of a passage out.")
    assert LEANING not in [one.text for one in extracts("pruning of tokens", found, max_sentences=5)]


@each(
    "pointing",
    [
        "Token pruning of passages is one way to tackle this problem of long documents.",
        "Token pruning of passages outdoes all such methods for long documents.",
    ],
)
def test_in_a_list_no_sentence_points_at_what_stands_elsewhere(pointing: str) -> None:
    abstract = f"{pointing} In this paper, token pruning halves the index of a collection."
    found = {WorkId(1): paper("Token pruning", "10.1000/p", abstract=abstract)}
    assert pointing in [one.text for one in extracts("token pruning of passages", found)]
    assert [one.text for one in extracts("token pruning of passages", found, max_sentences=5)] == [
        "In this paper, token pruning halves the index of a collection."
    ]


def test_a_sentence_that_says_nothing_is_not_quoted() -> None:
    abstract = (
        "Extensive experiments on token pruning of passages demonstrate the effectiveness of our proposed method. "
        "Token pruning halves the index of a collection of passages. "
        "Our code is available online to all who work on token pruning."
    )
    found = {WorkId(1): paper("Token pruning", "10.1000/p", abstract=abstract)}
    assert [one.text for one in extracts("token pruning of passages", found)] == [
        "Token pruning halves the index of a collection of passages."
    ]


def test_what_papers_share_counts_beside_a_short_question_and_hardly_beside_a_long_one() -> None:
    shared = "Token filters lower the latency of impact indexes by frequency cutoffs."
    asked = "Token pruning of the learned sparse index for passages lowers memory."
    abstracts = [f"{shared} {asked}", *(f"Impact indexes have low latency by frequency cutoffs {at}." for at in "1234")]
    found = {WorkId(at): paper(f"Paper {at}", f"10.1000/{at}", abstract=one) for at, one in enumerate(abstracts)}
    (short,) = extracts("token", found, max_sentences=1)
    (long,) = extracts(
        "token pruning of the learned sparse index for passages with less memory", found, max_sentences=1
    )
    assert (short.text, long.text) == (shared, asked)


def test_the_parts_of_a_text_say_different_things() -> None:
    parts = {name: TextPart(numbered(), name) for name in ("token pruning", "hard negatives")}
    shared = shared_out("how are small indexes made", parts, 200, 0)
    texts = [one.text for some in shared.values() for one in some]
    assert all(shared.values())
    assert len(texts) == len(set(texts))


def test_the_topic_in_short_chooses_before_the_sections() -> None:
    found = numbered()
    alone = extracts("token pruning", found, max_sentences=2)
    shared = shared_out("token pruning", {"short": TextPart(found, most=2), "long": TextPart(found)}, 200, 0)
    assert [one.text for one in shared["short"]] == [one.text for one in alone]


def test_a_part_that_says_too_little_is_given_up_where_the_words_are_used_up_and_not_else() -> None:
    maps = paper("Old maps", "10.1000/m", abstract="Old maps of the sea are made small by pruning of their borders.")
    parts = {"many": TextPart(numbered()), "few": TextPart({WorkId(99): maps})}
    assert not shared_out("distillation, token pruning and hard negatives", parts, 40, 20)["few"]
    assert shared_out("distillation, token pruning and hard negatives", parts, 1_000, 20)["few"]


def test_a_finding_is_quoted_before_the_background_that_has_as_many_words_of_the_question() -> None:
    told = "Anaemia was found in fewer of the pregnant women who received iron (8 % vs 21 %, P<0.001)."
    background = "Anaemia of pregnant women is a common disease in which iron is lacking."
    method = "Pregnant women were randomly assigned to receive iron or placebo for 12 weeks."
    trial = {WorkId(1): paper("A trial", "10.1000/t", abstract=f"{background} {method} {told}")}
    assert [one.text for one in extracts("iron against anaemia of pregnant women", trial, max_sentences=1)] == [told]
