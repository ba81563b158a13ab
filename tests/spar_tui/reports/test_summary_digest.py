"""What stands around a summary's text is true of the run and of the records."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agents.summary.events import ROOT
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from agents.summary.writing.sections import is_told, sections
from spar_tui.reports.summary_digest import first_reads, how_made, open_problems, provenance, years
from spar_tui.reports.summary_markdown import markdown
from spar_tui.reports.summary_text import EXTRACTED
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import Asked, honest_model, listed, sentence, summed
from tests.rows import each

OPEN = "How far this carries over to other languages remains unclear in the field."
OPTIONS = SummaryOptions(depth=1, branch=3, words=600)
PAPERS = [
    paper(
        one.title, f"10.1000/{at}", abstract=f"{one.abstract} {OPEN}" if at % 2 else one.abstract,
        date=str(2000 + at % 20), citation_count=at,
    )
    for at, one in enumerate(made_up(60))
]  # fmt: skip


def state(**model: Callable[[Any], object]) -> SummaryState:
    return summed(
        shelf(ScriptedSource("openalex", PAPERS), model=honest_model(**model) if model else None), OPTIONS
    ).state


def test_open_problems_are_words_of_cited_papers_that_the_text_does_not_say_already() -> None:
    done = state()
    quoted = [one for one in open_problems(done) if one.work is not None]
    told = {one.text for text in done.written.values() for one in text.sentences}
    assert quoted
    for one in quoted:
        assert one.work in done.cited
        assert one.text in done.findings.papers[one.work].abstract
        assert one.text not in told


def test_what_several_sections_did_not_find_stands_once_among_the_open_problems() -> None:
    def write(request: Asked) -> dict[str, object]:
        return {"sections": [{"id": one["id"], "sentences": [sentence(one["papers"][0])], "missing": "what it costs."}
                             for one in listed(request, "Sections")]}  # fmt: skip

    missing = [one.text for one in open_problems(state(write=write)) if one.work is None]
    assert missing == ["The literature found does not say: what it costs."]


def test_what_a_section_did_not_find_stands_among_the_open_problems_and_that_of_the_topic_at_the_head() -> None:
    def write(request: Asked) -> dict[str, object]:
        return {
            "sections": [
                {"id": one["id"], "sentences": [sentence(one["papers"][0])], "missing": f"{one['question']} in detail."}
                for one in listed(request, "Sections")
            ]
        }

    done = state(write=write)
    missing = [one.text for one in open_problems(done) if one.work is None]
    assert missing == [done.written[node].gap for node in sections(done)[1:]]
    text = "\n".join(markdown(done))
    assert text.index(done.written[ROOT].gap) < text.index("## TL;DR")


def test_what_did_not_hold_is_counted_for_each_section_and_who_wrote_it_instead_is_said() -> None:
    def write(request: Asked) -> dict[str, object]:
        first, *others = listed(request, "Sections")
        wrong = [{"text": "Bread rises.", "citations": [{"paper": first["papers"][0]["id"], "quote": "bread rises"}]}]
        sections = [{"id": one["id"], "sentences": [sentence(one["papers"][0])]} for one in others]
        return {"sections": [{"id": first["id"], "sentences": wrong}, *sections]}

    done = state(write=write)
    first = next(node for node in sections(done)[1:] if done.written[node].by != "model")
    told = f"Removed from {done.title(first)}: 1 sentence and 1 citation without support"
    assert any(one.startswith(told) for one in how_made(done))
    text = "\n".join(markdown(done))
    assert text.count(EXTRACTED) == sum(one.by != "model" and bool(one.sentences) for one in done.written.values())
    assert " sections are quotes only and say so" in provenance(done)
    by_model = sum(len(one.sentences) for one in done.written.values() if one.by == "model")
    assert f"Of {by_model} sentences by the model 0 cite two papers or more." in how_made(done)


def test_the_head_counts_sentences_that_quotes_support_only_in_part_and_those_that_no_model_checked() -> None:
    def support(request: Asked) -> dict[str, object]:
        first, second, *others = listed(request, "Sentences")
        return {"sentences": [{"id": one["id"], "support": "partly" if one in (first, second) else "whole"}
                              for one in (first, second, *others[1:])]}  # fmt: skip

    def unheard(_: Asked) -> dict[str, object]:
        return {"sentences": []}

    done = state(support=support)
    count = sum(len(text.sentences) for text in done.written.values())
    partly, unchecked = (sum(getattr(text, name) for text in done.written.values()) for name in ("partly", "unchecked"))
    assert 0 < partly < count
    assert f" {partly} sentences are supported by quotes only in part." in provenance(done)
    assert (f" {unchecked} sentences are not checked" in provenance(done)) is (unchecked > 1)
    done = state(support=unheard)
    count = sum(len(text.sentences) for text in done.written.values())
    assert f" {count} sentences are not checked by the model against quotes." in provenance(done)


def test_the_head_of_an_extract_says_whether_a_model_failed() -> None:
    def write(request: Asked) -> dict[str, object]:
        wrong = [{"text": "Bread rises.", "citations": []}]
        return {"sections": [{"id": one["id"], "sentences": wrong} for one in listed(request, "Sections")]}

    assert provenance(state()).startswith("Quotes only, no model wrote it: ")
    assert provenance(state(write=write)).startswith(
        "Quotes only, because no sentence of the model passed the checks: "
    )


def test_the_head_names_the_facets_that_nothing_found_answers() -> None:
    def relevant(request: Asked) -> dict[str, object]:
        first, *others = listed(request, "Facets")
        return {
            "facets": [
                {"id": first["id"], "relevant": []},
                *({"id": one["id"], "relevant": one["candidates"][:8]} for one in others),
            ]
        }

    done = state(relevant=relevant)
    (gone,) = (node for node, one in done.dropped.items() if one.check == "relevant")
    assert provenance(done).endswith(f"No paper found answers “{done.title(gone)}”.")


def test_each_first_read_is_what_it_is_said_to_be() -> None:
    done = state()
    papers = {work: done.findings.papers[work] for work in done.cited}
    reads = dict(first_reads(done))
    assert reads
    for work, why in reads.items():
        one = papers[work]
        if why == "by its title an overview":
            assert "survey" in one.title
        elif why.startswith("cited in"):
            citing = [
                node
                for node, text in done.written.items()
                if any(done.findings.work(cited.work) == work for said in text.sentences for cited in said.citations)
            ]
            assert why == f"cited in {len(citing)} sections here"
        elif why.startswith("cited "):
            assert one.citation_count == max(other.citation_count or 0 for other in papers.values())
        else:
            assert one.year == max(other.year or 0 for other in papers.values())


@each(
    ("title", "overview"),
    [
        ("A Survey of Dense Retrieval", True),
        ("Dense retrieval: a review", True),
        ("An introduction to neural ranking", True),
        ("Peer review of grant applications", False),
        ("A household survey on sleep", False),
        ("Reviewing code with language models", False),
        ("Survey data from nine countries", False),
    ],
)
def test_only_what_calls_itself_an_overview_is_told_to_be_one(title: str, overview: bool) -> None:
    found = "Sparse retrieval of scientific passages had a higher recall than a cross-encoder (81 % vs 74 %)."
    papers = [paper(title, "10.1000/t", abstract=found), *PAPERS[1:16]]
    done = summed(shelf(ScriptedSource("openalex", papers)), replace(OPTIONS, depth=0, papers=20, words=2_000)).state
    (work,) = [work for work in done.cited if done.findings.papers[work].title == title]
    assert (dict(first_reads(done)).get(work) == "by its title an overview") == overview


def test_a_handful_of_papers_and_retracted_ones_are_not_recommended() -> None:
    few = summed(shelf(Library(made_up(60)[:3])), replace(OPTIONS, depth=0)).state
    assert first_reads(few) == []
    withdrawn = [replace(one, retracted=True) for one in PAPERS]
    assert first_reads(summed(shelf(ScriptedSource("openalex", withdrawn)), OPTIONS).state) == []


def test_how_it_was_made_counts_what_happened() -> None:
    done = state()
    made = how_made(done)
    queries = {plan.query for plan in done.findings.planned}
    assert made[0] == (
        f"Made on {done.started.today if done.started else ''}: {len(queries)} queries, "
        f"{len(done.findings.found)} papers found, {len(done.works_below(ROOT))} kept for the topic and "
        f"{len(done.nodes) - 1} facets, {len(done.cited)} cited."
    )
    for node in sections(done)[1:]:
        assert f"{done.title(node)}: asked as {done.query(node)}." in made
    assert "openalex answered with" in made[1]


def test_a_facet_without_a_section_is_named_and_said_to_be_written_from_nothing() -> None:
    done = summed(shelf(Library(made_up(60))), SummaryOptions(depth=2, branch=4, words=120)).state
    silent = [node for node in sections(done) if node != ROOT and not is_told(done, node)]
    made = how_made(done)
    assert silent
    assert made[-1].endswith(f": {', '.join(done.title(node) for node in silent)}.")
    assert not [line for node in silent for line in made if line.startswith(f"{done.title(node)} also uses")]


def test_the_years_are_those_of_the_cited_papers() -> None:
    done = state()
    known = [done.findings.papers[work].year or 0 for work in done.cited]
    assert years(done) == f"{min(known)} to {max(known)}"
