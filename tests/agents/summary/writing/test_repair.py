"""Sentences whose citations do not hold: asked about once more, mended or cut, and counted."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from agents.summary.events import ROOT
from agents.summary.options import SummaryOptions
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import Asked, Summed, honest_model, listed, sentence, summed
from tests.rows import each

FLAT = SummaryOptions(depth=0, words=200)
NOWHERE = "words that stand in no paper at all"


def half_true(papers: list[Any]) -> dict[str, Any]:
    """A sentence that rests on two papers, of which the second does not say it."""
    first = sentence(papers[0])
    text = f"{first['text']} and so does another"
    return {"text": text, "citations": [*first["citations"], {"paper": papers[1]["id"], "quote": NOWHERE}]}


def written(repair: Any) -> tuple[Summed, list[Asked]]:
    asked: list[Asked] = []

    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        papers = section["papers"]
        return {"sections": [{"id": "s1", "sentences": [sentence(papers[2]), half_true(papers)], "missing": ""}]}

    def repairing(request: Asked) -> dict[str, Any]:
        asked.append(request)
        return {"sentences": repair(listed(request, "Sentences"))}

    model = honest_model(write=write, repair=repairing)
    return summed(shelf(Library(made_up(40)), model=model), FLAT), asked


def test_a_sentence_one_of_whose_papers_does_not_say_it_is_asked_about_once_and_told_what_is_wrong() -> None:
    _, asked = written(lambda sentences: [])
    (request,) = asked
    (faulty,) = listed(request, "Sentences")
    assert faulty["wrong"] == [f"the quote from {faulty['citations'][1]['paper']} is not in that paper"]
    assert [paper["id"] for paper in faulty["papers"]] == [one["paper"] for one in faulty["citations"]]


def test_a_mended_sentence_stands_in_the_place_of_the_one_that_did_not() -> None:
    def mended(sentences: list[Any]) -> list[Any]:
        return [{"id": one["id"], **sentence(one["papers"][1], 1)} for one in sentences]

    done, _ = written(mended)
    root = done.written(ROOT)
    assert (len(root.sentences), root.cut, root.lost) == (2, 0, 0)
    assert "so does another" not in done.text


def test_what_is_not_mended_is_cut_whole_and_the_lost_citation_is_told() -> None:
    for repair in (lambda sentences: [], lambda sentences: [{"id": "t1", "text": "Still wrong.", "citations": []}]):
        done, _ = written(repair)
        root = done.written(ROOT)
        assert (len(root.sentences), root.cut) == (1, 1)
        assert "so does another" not in done.text
        assert "1 sentence without support in a paper was cut." in done.text
    done, _ = written(lambda sentences: [])
    assert done.written(ROOT).lost == 1
    assert "1 citation without support was removed." in done.text


def test_a_sentence_that_leans_on_another_is_asked_about_and_kept_if_it_holds() -> None:
    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        leaning = sentence(section["papers"][0])
        leaning["text"] = f"This shows that {leaning['citations'][0]['quote']}"
        return {"sections": [{"id": "s1", "sentences": [leaning]}]}

    model = honest_model(write=write)
    done = summed(shelf(Library(made_up(40)), model=model), FLAT)
    (asked,) = [prompt for prompt in model.asked if prompt.name == "repair"]
    (faulty,) = listed(asked, "Sentences")
    assert faulty["wrong"] == ["it begins with “This”, but has to be understood alone"]
    assert len(done.written(ROOT).sentences) == 1


def test_nothing_is_asked_again_where_every_citation_holds() -> None:
    model = honest_model()
    summed(shelf(Library(made_up(40)), model=model), FLAT)
    assert "repair" not in {prompt.name for prompt in model.asked}


def test_a_model_all_of_whose_many_sentences_fail_is_not_asked_to_repair_them() -> None:
    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        failing = [{"text": f"Claim {number} says so.", "citations": []} for number in range(13)]
        return {"sections": [{"id": "s1", "sentences": [*failing, *map(sentence, section["papers"][:passing])]}]}

    for passing in (0, 1):
        model = honest_model(write=write)
        done = summed(shelf(Library(made_up(40)), model=model), FLAT)
        assert ("repair" in {prompt.name for prompt in model.asked}) is bool(passing)
        assert done.written(ROOT).by == ("model" if passing else "built-in")
        assert done.written(ROOT).cut == 13


def test_the_extract_in_place_of_a_text_is_as_short_as_its_papers_are_few() -> None:
    """Otherwise it would go on with the background of its few papers."""

    def write(request: Asked) -> dict[str, Any]:
        return {"sections": [{"id": "s1", "sentences": [{"text": "A claim without a paper.", "citations": []}]}]}

    told = " ".join(f"We found that sparse retrieval of scientific passages had {at} faults more." for at in range(9))
    few = [replace(one, abstract=f"{one.abstract} {told}") for one in made_up(3)]
    done = summed(shelf(Library(few), model=honest_model(write=write)), replace(FLAT, words=1_000))
    assert done.written(ROOT).by == "built-in"
    assert 35 < sum(len(one.text.split()) for one in done.written(ROOT).sentences) < 1.5 * 3 * 35


def both(*papers: Any) -> dict[str, Any]:
    """A sentence on two papers."""
    one, other = (sentence(paper, 1) for paper in papers)
    return {"text": f"{one['text']} {other['text']}", "citations": [*one["citations"], *other["citations"]]}


@dataclass
class Related:
    """A summary of sentences on one paper each, and what the model was asked to relate."""

    done: Summed
    asked: list[dict[str, Any]]

    @property
    def numbers(self) -> list[int]:
        """How many papers each sentence cites."""
        return [len({cited.work for cited in one.citations}) for one in self.done.written(ROOT).sentences]


def related(mend: Callable[[Mapping[str, Any]], dict[str, Any]], after: str = "whole", together: int = 0) -> Related:
    """The first `together` of six sentences cite two papers; `after` is the judgement of mended sentences."""
    asked: list[dict[str, Any]] = []

    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        papers = section["papers"]
        sentences = [both(*papers[at : at + 2]) if at < together else sentence(papers[at]) for at in range(6)]
        return {"sections": [{"id": "s1", "sentences": sentences}]}

    def repair(request: Asked) -> dict[str, Any]:
        asked.extend(listed(request, "Sentences"))
        return {"sentences": [{"id": one["id"], **mend(one)} for one in listed(request, "Sentences")]}

    def support(request: Asked) -> dict[str, Any]:
        judged = after if asked else "whole"
        return {"sentences": [{"id": one["id"], "support": judged} for one in listed(request, "Sentences")]}

    model = honest_model(write=write, repair=repair, support=support)
    return Related(summed(shelf(Library(made_up(40)), model=model), replace(FLAT, words=400)), asked)


def test_as_many_sentences_are_related_to_a_second_paper_as_lack_to_a_third_of_them() -> None:
    made = related(lambda one: both(*one["papers"]))
    assert [len(one["papers"]) for one in made.asked] == [2, 2]
    assert sorted(made.numbers) == [1, 1, 1, 1, 2, 2]
    assert not related(lambda one: both(*one["papers"]), together=2).asked


@each(
    ("mend", "after"),
    [
        (lambda one: {"text": "", "citations": []}, "whole"),
        (lambda one: sentence(one["papers"][1], 1), "whole"),
        (lambda one: both(*one["papers"]), "not"),
        (lambda one: both(*one["papers"]), "contradicts"),
    ],
    ids=["nothing to relate", "still on one paper", "unsupported", "contradicted"],
)
def test_a_sentence_stands_as_it_was_if_it_could_not_be_related(
    mend: Callable[[Mapping[str, Any]], dict[str, Any]], after: str
) -> None:
    made = related(mend, after)
    assert len(made.asked) == 2
    assert made.numbers == [1] * 6
    assert made.done.written(ROOT).cut == 0


@each(("times", "mends"), [(1, {8}), (3, range(1, 12)), (4, range(12))])
def test_mending_stays_within_the_tokens_and_questions_of_a_summary(times: int, mends: Collection[int]) -> None:
    """Half of the sentences fail, and each can be mended: as many are as there is room for, the others are cut."""

    def write(request: Asked) -> dict[str, Any]:
        return {
            "sections": [
                {"id": one["id"], "sentences": [both(*pair) for pair in pairwise(one["papers"])] * times}
                for one in listed(request, "Sections")
            ]
        }

    def support(request: Asked) -> dict[str, Any]:
        return {"sentences": [
            {"id": one["id"], "support": "whole" if number % 2 else "not"}
            for number, one in enumerate(listed(request, "Sentences"))]}  # fmt: skip

    def mend(request: Asked) -> dict[str, Any]:
        return {"sentences": [
            {"id": one["id"], **sentence(one["papers"][0], 2)} for one in listed(request, "Sentences")]}  # fmt: skip

    model = honest_model(write=write, support=support, repair=mend)
    papers = [
        replace(paper, abstract=" ".join(f"{paper.abstract} In all we report number {at} of it." for at in range(9)))
        for paper in made_up(40)
    ]
    done = summed(shelf(Library(papers), model=model))
    mended = sum(len(listed(prompt, "Sentences")) for prompt in model.asked if prompt.name == "repair")
    failing = sum(len(listed(prompt, "Sentences")) for prompt in model.asked if prompt.name == "support") - mended
    assert len(model.asked) <= 10
    assert sum(prompt.tokens for prompt in model.asked) <= 22_000
    assert mended in mends
    assert sum(text.cut for text in done.state.written.values()) == failing // 2 - mended // 2
