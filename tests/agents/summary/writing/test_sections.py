"""Which facets have a section of the text."""

from typing import Any

from agents.summary.events import ROOT
from agents.summary.options import SummaryOptions
from agents.summary.tree import level
from agents.summary.writing.sections import (
    PAPER_WORDS,
    SECTION_WORDS,
    TLDR,
    belonging,
    section_of,
    sections,
    words_for,
    works_of,
)
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import TOPIC, Asked, Summed, bare, honest_model, listed, resting_on, sentence, summed
from tests.rows import each


def grown(words: int) -> Summed:
    options = SummaryOptions(depth=2, branch=3, words=words)
    return summed(shelf(Library(made_up(60)), model=honest_model()), options)


@each(("words", "deepest"), [(200, 1), (600, 1), (4_000, 2)])
def test_a_level_of_facets_has_sections_if_each_has_words_enough_to_say_something(words: int, deepest: int) -> None:
    state = grown(words).state
    told = sections(state)
    assert told[0] == ROOT
    assert {level(node) for node in told} == set(range(deepest + 1))
    assert set(state.written) == set(told)
    assert deepest == 1 or words / len(told) >= SECTION_WORDS


def test_every_facet_is_told_of_in_one_section() -> None:
    state = grown(600).state
    for node in state.nodes:
        assert section_of(state, node) in sections(state)
        assert node in sections(state) or node in belonging(state, section_of(state, node))


def test_a_section_is_written_from_papers_of_the_facets_that_belong_to_it_and_asked_to_speak_to_them() -> None:
    model = honest_model()
    state = summed(shelf(Library(made_up(60)), model=model), SummaryOptions(depth=2, branch=3, words=600)).state
    asked = [one for prompt in model.asked if prompt.name == "write" for one in listed(prompt, "Sections")]
    for node in sections(state)[1:]:
        (one,) = [one for one in asked if one["question"] == state.question(node)]
        asked_for = [state.question(facet).removesuffix(f" in {TOPIC}") for facet in belonging(state, node)]
        assert one["aspects"] == asked_for != []
        titles = [state.findings.papers[work].title for work in works_of(state, node, 8)]
        assert titles[: len(one["papers"])] == [paper["title"] for paper in one["papers"]]
        assert {name for group in one["groups"] for name in group} <= {paper["id"] for paper in one["papers"]}
        assert 20 <= words_for(state, node) / len(one["papers"]) <= 60
        assert len(titles) <= 16


def test_a_section_is_written_from_papers_with_a_text_before_titles_alone_and_no_longer_than_these_texts() -> None:
    model = honest_model()
    papers = [bare(paper) if number % 2 else paper for number, paper in enumerate(made_up(60))]
    summed(shelf(Library(papers), model=model), SummaryOptions(depth=1, branch=3, words=600))
    asked = [one for prompt in model.asked if prompt.name == "write" for one in listed(prompt, "Sections")]
    for one in (section for section in asked if not section["parts"]):
        has_text = [bool(paper.get("abstract")) for paper in one["papers"]]
        assert has_text == sorted(has_text, reverse=True)
        assert one["words"] <= PAPER_WORDS * max(1, sum(has_text))


def test_a_section_with_parts_cites_their_sentences_by_id_and_gets_no_paper_that_they_cite() -> None:
    model = honest_model()
    done = summed(shelf(Library(made_up(60)), model=model), SummaryOptions(depth=1, branch=3, words=600))
    [root] = [one for prompt in model.asked if prompt.name == "write"
              for one in listed(prompt, "Sections") if one["parts"]]  # fmt: skip
    below = [one for node in done.state.at_level(1) for one in done.written(node).sentences]
    assert [one["text"] for one in resting_on(root)] == [one.text for one in below]
    cited = {done.state.findings.papers[quote.work].title for one in below for quote in one.citations}
    assert not cited & {paper["title"] for paper in root["papers"]}
    resting = [one for one in done.written(ROOT).sentences if one.text in {other.text for other in below}]
    assert resting
    assert all(one.citations == next(other.citations for other in below if other.text == one.text) for one in resting)


def test_the_beginning_is_a_short_list_where_sections_follow_and_prose_where_none_does() -> None:
    done = grown(600)
    lines = done.text.partition("## TL;DR\n\n")[2].partition("\n\n")[0].splitlines()
    assert 1 <= len(lines) <= 5
    assert all(line.startswith("- ") for line in lines)
    flat = summed(shelf(Library(made_up(60))), SummaryOptions(depth=0, words=400))
    assert "TL;DR" not in flat.text
    assert flat.written(ROOT).sentences


def test_leaves_of_several_parents_are_written_in_one_request_and_what_has_parts_after_them() -> None:
    model = honest_model()
    options = SummaryOptions(depth=2, branch=2, words=4_000)
    state = summed(shelf(Library(made_up(60)), model=model), options).state
    asked = [listed(prompt, "Sections") for prompt in model.asked if prompt.name == "write"]
    leaves, inner, root = state.at_level(2), state.at_level(1), [ROOT]
    assert {level(node) for node in sections(state)} == {0, 1, 2}
    assert [len(one) for one in asked] == [len(leaves), len(inner), 1]
    assert [[one["question"] for one in some] for some in asked] == [
        [state.question(node) for node in some] for some in (leaves, inner, root)
    ]


def test_sections_that_fall_back_to_quotes_together_repeat_no_sentence() -> None:
    def nothing(request: Asked) -> dict[str, Any]:
        return {"sections": [{"id": one["id"], "sentences": []} for one in listed(request, "Sections")]}

    done = summed(shelf(Library(made_up(40)), model=honest_model(write=nothing)))
    written = done.state.written.items()
    texts = [sentence.text for node, text in written if node != ROOT for sentence in text.sentences]
    assert len(texts) > 4
    assert len(texts) == len(set(texts))


def test_a_sentence_that_a_model_writes_twice_stands_once() -> None:
    def twice(request: Asked) -> dict[str, Any]:
        return {"sections": [
            {"id": one["id"], "sentences": [sentence(one["papers"][0])] * 2} for one in listed(request, "Sections")
        ]}  # fmt: skip

    done = summed(shelf(Library(made_up(40)), model=honest_model(write=twice)), SummaryOptions(depth=0, words=200))
    root = done.written(ROOT)
    assert (len(root.sentences), root.cut, root.omitted) == (1, 0, 1)


def test_the_topics_own_text_counts_the_sentences_beyond_its_limit() -> None:
    def write_all(request: Asked) -> dict[str, Any]:
        return {"sections": [
            {"id": one["id"], "sentences": resting_on(one) if one["summary"] else list(map(sentence, one["papers"]))}
            for one in listed(request, "Sections")
        ]}  # fmt: skip

    done = summed(shelf(Library(made_up(60)), model=honest_model(write=write_all)), SummaryOptions(words=600))
    root = done.written(ROOT)
    assert len(root.sentences) == TLDR
    assert root.omitted > 0
    assert (root.cut, root.by) == (0, "model")
