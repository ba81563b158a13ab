"""Sentences whose quotes stand there and do not say what they say: a model judges it, and they are mended or cut."""

import json
from collections.abc import Sequence
from typing import Any

from agents.llm.prompt import FENCE
from agents.summary.events import ROOT
from agents.summary.options import SummaryOptions
from agents.summary.writing.support import Quoted, support_prompt
from tests.agents.scripted import paper
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import Asked, Summed, honest_model, listed, sentence, summed
from tests.rows import each

FLAT = SummaryOptions(depth=0, words=200)


def told(judge: Any, repair: Any = lambda sentences: []) -> tuple[Summed, list[Asked]]:
    """A section of three sentences, judged by `judge`, and the questions whether they are supported."""
    asked: list[Asked] = []

    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        return {"sections": [{"id": "s1", "sentences": list(map(sentence, section["papers"][:3])), "missing": ""}]}

    def support(request: Asked) -> dict[str, Any]:
        asked.append(request)
        return {"sentences": judge(listed(request, "Sentences"))}

    def repairing(request: Asked) -> dict[str, Any]:
        return {"sentences": repair(listed(request, "Sentences"))}

    model = honest_model(write=write, support=support, repair=repairing)
    return summed(shelf(Library(made_up(40)), model=model), FLAT), asked


def judged(*supports: str) -> Any:
    def judge(sentences: Sequence[Any]) -> list[Any]:
        return [
            {"id": one["id"], "support": support, "lacking": "" if support == "whole" else "the direction"}
            for one, support in zip(sentences, supports, strict=False)
        ]

    return judge


def test_all_sentences_are_judged_in_one_question_each_with_its_quotes_and_what_stands_around_them() -> None:
    done, asked = told(judged("whole", "whole", "whole"))
    (request,) = asked
    sentences = listed(request, "Sentences")
    assert [one["text"] for one in sentences] == [one.text for one in done.written(ROOT).sentences]
    abstracts = {paper.title: paper.abstract for paper in made_up(40)}
    titles = {one["id"]: one["title"] for one in listed(request, "Papers")}
    for one in sentences:
        (quote,) = one["quotes"]
        assert quote.get("before") or quote.get("behind")
        assert (
            f"{quote.get('before', '')}{quote['quote']}{quote.get('behind', '')}" in abstracts[titles[quote["paper"]]]
        )


def test_a_quote_longer_than_its_context_is_sent_alone() -> None:
    long = paper("Long", abstract=f"We find {'that pruning helps ' * 25}much.")
    quoted = Quoted(long, long.abstract[8:480], [long.abstract])
    (item,) = json.loads(
        support_prompt("", {"u1": ("It helps.", [quoted])}, "").user.partition("Sentences:\n")[2].replace(FENCE, "")
    )
    assert {*item["quotes"][0]} == {"paper", "quote"}


@each("support", ["not", "contradicts", " Contradicts "])
def test_a_sentence_that_its_quotes_do_not_support_is_cut_and_counted(support: str) -> None:
    done, asked = told(judged("whole", support, "whole"))
    root = done.written(ROOT)
    first, _, last = [one["quotes"] for one in listed(asked[0], "Sentences")]
    titles = [done.state.findings.papers[sentence.citations[0].work].title for sentence in root.sentences]
    ids = {one["title"]: one["id"] for one in listed(asked[0], "Papers")}
    assert [ids[title] for title in titles] == [first[0]["paper"], last[0]["paper"]]
    assert (root.cut, root.lost) == (1, 1)


def test_a_sentence_supported_in_part_stands_unless_it_is_mended() -> None:
    done, _ = told(judged("whole", "partly", "whole"))
    assert (len(done.written(ROOT).sentences), done.written(ROOT).cut) == (3, 0)


def test_a_mended_sentence_is_judged_as_well() -> None:
    wrong: list[str] = []

    def mend(sentences: Sequence[Any]) -> list[Any]:
        wrong.extend(fault for one in sentences for fault in one["wrong"])
        return [{"id": one["id"], **sentence(one["papers"][0], 1)} for one in sentences]

    done, asked = told(judged("contradicts", "whole", "whole"), mend)
    assert wrong == ["its quotes say the opposite: the direction"]
    (mended,) = listed(asked[1], "Sentences")
    assert mended["text"] not in done.text
    assert len(done.written(ROOT).sentences) == 2


def test_sentences_that_find_the_opposite_are_told_together() -> None:
    def judge(sentences: Sequence[Any]) -> list[Any]:
        return [
            {"id": one["id"], "support": "whole", "opposes": {"u1": "u3", "u2": "u9"}.get(one["id"][:2], "")}
            for one in sentences
        ]

    done, _ = told(judge)
    first, second = done.written(ROOT).sentences
    assert (first.contested, second.contested) == (True, False)
    assert len({citation.work for citation in first.citations}) == 2
    assert "Papers disagree here: " in done.text


def test_what_was_opposite_before_a_sentence_was_mended_is_not_told_of_its_new_words() -> None:
    def judge(sentences: Sequence[Any]) -> list[Any]:
        first = len(sentences) == 3
        return [
            {"id": one["id"], "support": "partly" if first and one["id"].startswith("u1_") else "whole",
             "opposes": "u3" if first and one["id"].startswith("u1_") else ""}
            for one in sentences
        ]  # fmt: skip

    def mend(sentences: Sequence[Any]) -> list[Any]:
        return [{"id": one["id"], **sentence(one["papers"][0], 1)} for one in sentences]

    done, asked = told(judge, mend)
    assert len(asked) == 2
    assert not any(one.contested for one in done.written(ROOT).sentences)


def test_what_the_model_does_not_judge_stands_and_is_told() -> None:
    done, _ = told(judged("whole"))
    assert len(done.written(ROOT).sentences) == 3
    assert "The model did not check the quotes of 2 of the sentences." in (done.state.findings.warnings)


def doubtful(judge: Any) -> Summed:
    """A section of a sentence with a “not” that its quote does not have, and of one without doubt."""

    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        turned, plain = map(sentence, section["papers"][:2])
        turned["text"] = f"It is not so that {turned['citations'][0]['quote']}"
        return {"sections": [{"id": "s1", "sentences": [turned, plain], "missing": ""}]}

    model = honest_model(write=write, support=lambda request: {"sentences": judge(listed(request, "Sentences"))})
    return summed(shelf(Library(made_up(40)), model=model), FLAT)


@each(("supports", "stand"), [(("whole", "whole"), 2), (("partly", "partly"), 1), (("", ""), 1), ((), 1)])
def test_what_rules_doubt_stands_only_if_the_model_says_that_its_quotes_support_it(
    supports: tuple[str, ...], stand: int
) -> None:
    root = doubtful(judged(*supports)).written(ROOT)
    assert (len(root.sentences), root.cut) == (stand, 2 - stand)


@each(("support", "told"), [("contradicts", False), ("not", True), ("", True)])
def test_what_a_section_misses_is_not_told_if_a_paper_says_it(support: str, told: bool) -> None:
    """The model judges it with the sentence of the papers that is nearest to it, in the same question."""
    asked: list[Any] = []

    def write(request: Asked) -> dict[str, Any]:
        (section,) = listed(request, "Sections")
        missing = f"whether {section['papers'][1]['title']} helps"
        return {"sections": [{"id": "s1", "sentences": [sentence(section["papers"][0])], "missing": missing}]}

    def judge(request: Asked) -> dict[str, Any]:
        first, gap = asked[:] = listed(request, "Sentences")
        return {"sentences": [{"id": first["id"], "support": "whole"}, {"id": gap["id"], "support": support}]}

    done = summed(shelf(Library(made_up(40)), model=honest_model(write=write, support=judge)), FLAT)
    assert asked[1]["text"].startswith("The literature found does not say: whether")
    assert bool(done.written(ROOT).gap) is told
    unanswered = "The model did not check the quotes of 1 of the sentences." in done.state.findings.warnings
    assert unanswered is (support == "")
    assert len(done.written(ROOT).sentences) == 1
